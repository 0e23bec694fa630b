"""Readers of parts of a scene file: points, kernel, penalty and solvers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

import numpy as np

from solvers import ITEM_KERNELS, KERNELS, METHODS, BadInput, Kernel
from solvers.data.coordinates import MAX_COORDINATE
from solvers.data.datasets import MAX_CLASSES, MAX_POINTS, PointSet
from solvers.problem.machines import Machine
from solvers.problem.problem import BIASES
from solvers.settings import Checked, settings_of
from svmviz.base.strict_json import Node, is_number
from svmviz.document.changes import Changes
from svmviz.document.class_weights import BALANCED, ClassWeights
from svmviz.document.document import SCALINGS, TASKS, Document, Penalty
from svmviz.document.many_classes import MAX_MACHINES, ManyClasses
from svmviz.document.user_line import LineParts, UserLine
from svmviz.io.scene_items import read_items

# Maximum number of methods in a file, far more than the lanes that the window can show.
MAX_SOLVERS = 100
# What a lane may have of its own.
OWN = tuple(field.name for field in fields(Changes))

Settings = TypeVar("Settings", bound=Checked)


def read_points(nodes: Mapping[str, Node]) -> PointSet:
    """Read points or items, labels and names from the members of the outermost JSON object."""
    items, labels = read_items(nodes), nodes["labels"]
    if items is None:
        points = nodes["points"]
        count = len(points.items())
        if count > MAX_POINTS:
            points.fail(f"has {count:,} points; at most {MAX_POINTS:,} can be read.")
        values = points.rows(2, "two numbers, [x, y]", MAX_COORDINATE)
    else:
        count, values = len(items), np.zeros((len(items), 2))
    labels.items(count, f"a list of {count} labels, one per point")
    names = {}
    for key, most in (("class_names", MAX_CLASSES), ("axis_names", 2)):
        if key in nodes:
            names[key] = _names(nodes[key], most)
    k = len(names.get("class_names", PointSet.class_names))
    allowed = {-1, 1} if k == 2 else set(range(k))
    if not (set(map(type, labels.value)) <= {int, float} and set(labels.value) <= allowed):
        for node in labels:
            if not (is_number(node.value) and node.value in allowed):
                node.must_be("-1 or 1" if k == 2 else f"a whole number from 0 to {k - 1}")
    return PointSet(values, np.array(labels.value), **names, items=items)


def _names(node: Node, most: int) -> tuple[str, ...]:
    if most == 2 or len(node.items()) < 2:
        node.items(2, "two names")
    if len(node.items()) > most:
        node.fail(f"has {len(node.items())} names; there may be {most}.")
    names = tuple(" ".join(name.text().split()) for name in node)
    if not all(names) or len(set(names)) < len(names):
        node.fail(f"must be {'two ' if len(names) == 2 else ''}different names.")
    return names


def machine_members(many: ManyClasses) -> dict[str, Any]:
    """Return the code matrix, and the index of the machine looked at, as values of JSON."""
    return {"machines": [list(machine.code) for machine in many.machines], "machine": many.shown}


def read_machines(nodes: Mapping[str, Node], document: Document) -> Document:
    """Return the document with the machines of a scene, if it has more than two classes."""
    keys = [key for key in ("machines", "machine") if key in nodes]
    if document.many is None:
        for key in keys:
            nodes[key].fail("needs more than two classes.")
        return document
    many = document.many
    if "machines" in nodes:
        if not 0 < len(nodes["machines"].items()) <= MAX_MACHINES:
            nodes["machines"].fail(f"must have from 1 to {MAX_MACHINES} machines.")
        machines = [_machine(node, many.k) for node in nodes["machines"]]
        if len(set(machines)) < len(machines):
            nodes["machines"].fail("has a machine twice.")
        many = many.with_machines(machines)
    shown = nodes["machine"].whole() if "machine" in nodes else 0
    if shown >= len(many.machines):
        nodes["machine"].must_be(f"below {len(many.machines)}, the number of machines")
    return document.with_many(many.looked_at(shown))


def _machine(node: Node, k: int) -> Machine:
    node.items(k, f"{k} numbers, one per class")
    sides = [side.number() for side in node]
    for side, child in zip(sides, node, strict=True):
        if side not in (-1, 0, 1):
            child.must_be("-1, 0 or 1")
    if not {-1, 1} <= set(sides):
        node.fail("must have a class on each side: a 1 and a -1.")
    return Machine(tuple(map(int, sides)))


def read_model(nodes: Mapping[str, Node]) -> dict[str, Any]:
    """Read kernel, penalty, task, epsilon, bias, scaling and methods, as far as they are given.

    Return them as arguments of :class:`Document`.
    """
    values = _read_own(nodes, {**KERNELS, **ITEM_KERNELS})
    if "task" in nodes:
        values["task"] = nodes["task"].one_of(TASKS)
    if "bias" in nodes:
        values["bias"] = nodes["bias"].one_of(BIASES)
    if "scaling" in nodes:
        values["scaling"] = nodes["scaling"].one_of(SCALINGS)
    if "solvers" in nodes:
        count = len(nodes["solvers"].items())
        if not count:
            nodes["solvers"].fail("must name at least one solver.")
        if count > MAX_SOLVERS:
            nodes["solvers"].fail(f"names {count:,} solvers; at most {MAX_SOLVERS} can be read.")
        values["methods"] = tuple(_by_name(node, METHODS) for node in nodes["solvers"])
    if "lanes" in nodes:
        count = len(values.get("methods", Document.methods))
        nodes["lanes"].items(count, f"a list of {count} lanes, one per solver")
        values |= _read_lanes(nodes["lanes"], values)
    return values


def _read_lanes(lanes: Node, values: dict[str, Any]) -> dict[str, Any]:
    """Read what each lane has of its own; ``values`` are those of the whole scene."""
    for node in lanes:
        own = node.members(OWN)
        if "epsilon" in own and values.get("task") != "regression":
            own["epsilon"].fail("needs a regression.")
    read = [_read_own(node.members(OWN), KERNELS) for node in lanes]
    names = {name for own in read for name in own}
    whole = {name: values.get(name, getattr(Document, name)) for name in names}
    changes = tuple(Changes(**whole | own) for own in read)
    # The document is seen from its first lane.
    return {"changes": changes, **changes[0].own}


def _read_own(nodes: Mapping[str, Node], kernels: Mapping[str, type[Kernel]]) -> dict[str, Any]:
    """Read kernel, penalty and epsilon, as far as they are given."""
    values: dict[str, Any] = {}
    if "kernel" in nodes:
        values["kernel"] = _by_name(nodes["kernel"], kernels)
    if "penalty" in nodes:
        values["penalty"] = _penalty(nodes["penalty"])
    if "epsilon" in nodes:
        values["epsilon"] = nodes["epsilon"].number()
        if values["epsilon"] < 0.0:
            nodes["epsilon"].must_be("at least 0")
    return values


def _by_name(node: Node, registry: Mapping[str, type[Settings]]) -> Settings:
    name = node.members(needed=["name"])["name"].one_of(registry)
    owner = registry[name]
    node.members(["name", *settings_of(owner)])
    return make_settings(node, owner, {key: node.value[key] for key in node.value if key != "name"})


def make_settings(node: Node, owner: type[Settings], values: dict[str, Any]) -> Settings:
    """Make an object of the class ``owner`` from settings; an error names the invalid key."""
    try:
        return owner(**values)
    except BadInput as error:
        key, _, message = str(error).removeprefix(f"{owner.title()}: ").partition(" ")
        if key in values:
            node.at(key).fail(message)
        node.fail(f"cannot be used: {error}")


def _penalty(node: Node) -> Penalty:
    members = node.members(["kind", "value"], needed=["kind", "value"])
    kind = members["kind"].one_of(["C", "lambda"])
    value = members["value"].number(infinite=kind == "C")
    try:
        return Penalty(kind, value)
    except BadInput as error:
        members["value"].fail(str(error).removeprefix(f"{kind} "))


def read_class_weights(node: Node, document: Document) -> ClassWeights:
    """Read the weights of the classes of a document."""
    if document.is_regression:
        node.fail("is for classes, and a regression has none.")
    if isinstance(node.value, str):
        return node.one_of([BALANCED])
    k = len(document.class_names)
    node.items(k, f'{k} numbers, one per class, or "{BALANCED}"')
    for weight in node:
        if not weight.number() > 0.0:
            weight.must_be("above 0")
    return tuple(weight.number() for weight in node)


def line_members(line: UserLine) -> dict[str, Any]:
    """Return the JSON members of the user's line."""
    return {"w": list(line.w), "b": line.b, **line.parts.values()}


def read_line(node: Node) -> UserLine:
    """Read the user's line; what is drawn with it may be missing."""
    members = node.members(["w", "b", *settings_of(LineParts)], needed=["w", "b"])
    members["w"].items(2, "two numbers, the components of w")
    x, y = (number.number() for number in members["w"])
    shown = {name: members[name].value for name in settings_of(LineParts) if name in members}
    parts = make_settings(node, LineParts, shown)
    try:
        return UserLine((x, y), members["b"].number(), parts)
    except BadInput as error:
        node.fail(f"cannot be used: {error}")

"""Readers of parts of a scene file: points, kernel, penalty and solvers."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np

from solvers import ITEM_KERNELS, KERNELS, METHODS, BadInput
from solvers.data.coordinates import MAX_COORDINATE
from solvers.data.datasets import MAX_POINTS, PointSet
from solvers.problem.problem import BIASES
from solvers.settings import Checked, settings_of
from svmviz.base.strict_json import Node, is_number
from svmviz.document.document import SCALINGS, TASKS, Penalty
from svmviz.document.user_line import LineParts, UserLine
from svmviz.io.scene_items import read_items

# Maximum number of methods in a file, far more than the lanes that the window can show.
MAX_SOLVERS = 100

Settings = TypeVar("Settings", bound=Checked)


def read_points(nodes: Mapping[str, Node]) -> PointSet:
    """Read points or items, labels and names from the members of the outermost JSON object."""
    items, labels = read_items(nodes), nodes["labels"]
    if items is None:
        points = nodes["points"]
        count = len(points.items())
        if count > MAX_POINTS:
            points.fail(f"has {count:,} points; at most {MAX_POINTS:,} can be read.")
        values = _pairs(points)
    else:
        count, values = len(items), np.zeros((len(items), 2))
    labels.items(count, f"a list of {count} labels, one per point")
    if not (set(map(type, labels.value)) <= {int, float} and set(labels.value) <= {-1, 1}):
        for node in labels:
            if not (is_number(node.value) and node.value in (-1, 1)):
                node.must_be("-1 or 1")
    names = {key: _two_names(nodes[key]) for key in ("class_names", "axis_names") if key in nodes}
    return PointSet(values, np.array(labels.value), **names, items=items)


def _pairs(points: Node) -> np.ndarray:
    """Read points with coordinates of at most MAX_COORDINATE in size, shape (n, 2)."""
    rows = points.value
    # All points are checked at once, because making a Node for each of a million points would take
    # seconds. If the check fails, the loop at the end finds the invalid point, and names it.
    if set(map(type, rows)) <= {list} and set(map(len, rows)) <= {2}:
        numbers = list(itertools.chain.from_iterable(rows))
        if set(map(type, numbers)) <= {int, float}:
            values = np.array(numbers, dtype=np.float64).reshape(-1, 2)
            if np.abs(values).max(initial=0.0) <= MAX_COORDINATE:
                return values
    for point in points:
        point.items(2, "two numbers, [x, y]")
        for coordinate in point:
            if abs(coordinate.number()) > MAX_COORDINATE:
                coordinate.must_be(f"at most {MAX_COORDINATE:g} in size")
    raise AssertionError("The points are not valid, for an unknown reason.")


def _two_names(node: Node) -> tuple[str, str]:
    node.items(2, "two names")
    first, second = (" ".join(name.text().split()) for name in node)
    if not first or not second or first == second:
        node.fail("must be two different names.")
    return first, second


def read_model(nodes: Mapping[str, Node]) -> dict[str, Any]:
    """Read kernel, penalty, task, epsilon, bias, scaling and methods, as far as they are given.

    Return them as arguments of :class:`Document`.
    """
    values: dict[str, Any] = {}
    if "kernel" in nodes:
        values["kernel"] = _by_name(nodes["kernel"], {**KERNELS, **ITEM_KERNELS})
    if "penalty" in nodes:
        values["penalty"] = _penalty(nodes["penalty"])
    if "task" in nodes:
        values["task"] = nodes["task"].one_of(TASKS)
    if "epsilon" in nodes:
        values["epsilon"] = nodes["epsilon"].number()
        if values["epsilon"] < 0.0:
            nodes["epsilon"].must_be("at least 0")
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

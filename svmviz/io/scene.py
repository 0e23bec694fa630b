"""Scene files: document, view and step as JSON that people can read.

::

    {
      "svmviz": 1,
      "points": [[18.7, 18.75], [16.4, 25.5]],
      "labels": [-1, 1],
      "class_names": ["Adelie", "Gentoo"],
      "axis_names": ["bill depth (mm)", "body mass (× 200 g)"],
      "scaling": "none",
      "kernel": {"name": "rbf", "gamma": 0.5},
      "penalty": {"kind": "C", "value": 10.0},
      "bias": "free",
      "solvers": [{"name": "smo", "pair": "second-order", "tol": 0.001}],
      "view": {"sticks": true, "aspect": "equal"},
      "step": 17,
      "speed": 8.0,
      "window": [12.0, 22.0, 13.0, 32.0]
    }

With more than two classes, labels are indices of ``class_names``, from 0; ``machines`` is the code
matrix, a list of one number -1, 0 or 1 per class for each machine, and ``machine`` is the index of
the one looked at. Without them the machines are one against one, and the first is looked at.

A ``split`` holds some of the points out (:mod:`svmviz.io.scene_split`); ``line`` is the user's
line (:class:`svmviz.document.user_line.UserLine`). Instead of ``points`` there can be ``words``, or
a kernel matrix ``gram`` (:mod:`svmviz.io.scene_items`).

``svmviz`` (the version of the format), ``points`` and ``labels`` are required; other missing keys
take the defaults of :class:`Document` and :class:`ViewOptions`. Kernels and solvers have the names
that ``svmviz list`` prints, followed by their settings. An infinite C or speed is the string
``"inf"``. ``window`` has left, right, bottom and top of the section of the plane that is shown, in
data units; null shows all points. ``step`` is null for the end of the run. ``speed``, in steps per
second, is null for the default. Unknown keys are refused, so that a misspelt setting is not
ignored. docs/scene-format.md has the whole table.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from solvers import BadInput
from solvers.cancelling import Report, no_report
from solvers.data.datasets import PointSet
from solvers.settings import settings_of
from svmviz.base.strict_json import Node, json_text, read_json
from svmviz.document.changes import Changes
from svmviz.document.document import Document, Penalty
from svmviz.document.pen import Stroke, read_strokes
from svmviz.document.step_marks import StepMarks
from svmviz.document.view_options import HALF_PLANES, LATER_LAYERS, PROBABILITY, ViewOptions
from svmviz.io.scene_items import ITEM_KEYS, check_item_model, write_items
from svmviz.io.scene_parts import (
    line_members,
    machine_members,
    make_settings,
    read_class_weights,
    read_line,
    read_machines,
    read_model,
    read_points,
)
from svmviz.io.scene_split import read_split, split_members
from svmviz.io.target_files import TargetSet

# Version 2 added task and epsilon, version 3 the split, version 4 its key ``used`` and the line,
# version 5 points without coordinates, version 6 more than two classes. A file has the lowest
# version that it needs, so that older programs can read as many scenes as possible.
VERSION, LATER_VERSION, LINE_VERSION = 6, 5, 4
SPLIT_VERSION, REGRESSION_VERSION, CLASSIFICATION_VERSION = 3, 2, 1
KEYS = (
    "svmviz points words gram names labels class_names axis_names machines machine split "
    "task epsilon scaling kernel penalty bias class_weights "
    "solvers lanes line view strokes step loop bookmarks speed window"
).split()
# Number of points whose text is made at a time. Other threads wait while this is done, less than a
# millisecond.
ROWS = 1000
# Left, right, bottom and top, in data units.
Edges = tuple[float, float, float, float]


@dataclass(frozen=True)
class Scene:
    """A document, the step shown and the view of the plane.

    Attributes
    ----------
    document : Document
    options : ViewOptions
    step : int or None
        The step shown; None is the end of the run.
    window : (left, right, bottom, top) or None
        The part of the plane that is shown, in data units; None shows all points.
    speed : float or None
        Steps per second, may be infinite; None stands for the default speed.
    marks : StepMarks
    """

    document: Document
    options: ViewOptions = ViewOptions()  # noqa: RUF009 - frozen
    step: int | None = None
    window: Edges | None = None
    speed: float | None = None
    marks: StepMarks = StepMarks()  # noqa: RUF009 - frozen

    def __post_init__(self) -> None:
        if self.step is not None and self.step < 0:
            raise BadInput(f"The step must not be negative: got {self.step}.")
        if self.window is not None and not _is_window(self.window):
            raise BadInput(f"The window must be left < right, bottom < top: got {self.window}.")
        if self.speed is not None and not self.speed > 0:
            raise BadInput(f"The speed must be above 0: got {self.speed}.")


def as_scene(content: Scene | PointSet) -> Scene:
    """Return a scene unchanged, or points as a scene with the default model."""
    if isinstance(content, Scene):
        return content
    task = "regression" if isinstance(content, TargetSet) else "classification"
    return Scene(Document(data=content, task=task))


def write_scene(scene: Scene, data_text: str | None = None) -> str:
    """Return the text of a scene file; :func:`read_scene` reads an equal scene, to the last bit.

    ``data_text`` is the result of :func:`write_data` for all points of the scene. Passing it saves
    computing it again.
    """
    return "{\n" + ",\n".join(_lines(scene, data_text)) + "\n}\n"


def write_data(data: PointSet) -> str:
    """Return the text of the members ``points``, or those of items, and ``labels``.

    These two members are almost all of the text of a scene. The text is made for ``ROWS`` points at
    a time, so that a thread that writes many points does not keep the interpreter lock for long.
    """
    labels = ", ".join(_rows(data, "{2}", ", "))
    if data.items is not None:
        return f'{write_items(data.items)},\n  "labels": [{labels}]'
    points = ",\n".join(_rows(data, "    [{!r}, {!r}]", ",\n"))
    return f"""  "points": [{f"{chr(10)}{points}{chr(10)}  " if points else ""}],
  "labels": [{labels}]"""


def read_scene(text: str, source: str = "", report: Report = no_report) -> Scene:
    """Read the text of a scene file.

    Parameters
    ----------
    text : str
    source : str
        Name of the file for messages.
    report : callable(float)
        Called from time to time with the fraction that has been read, 0 to 1. It may raise an
        exception to cancel.

    Raises
    ------
    BadInput
        If the text is not a scene; the sentence names the file and the key.
    """
    root = read_json(text, source, report)
    _check_version(root)
    has_items = isinstance(root.value, dict) and any(key in root.value for key in ITEM_KEYS)
    nodes = root.members(KEYS, needed=("labels",) if has_items else ("points", "labels"))
    document = read_machines(nodes, Document(data=read_points(nodes), **read_model(nodes)))
    if "class_weights" in nodes:
        weights = read_class_weights(nodes["class_weights"], document)
        document = replace(document, class_weights=weights)
    check_item_model(nodes, document)
    if "split" in nodes:
        document = read_split(nodes["split"], document)
    if "line" in nodes:
        document = replace(document, user_line=read_line(nodes["line"]))
    options = ViewOptions()
    if "view" in nodes:
        nodes["view"].members(settings_of(ViewOptions))
        options = make_settings(nodes["view"], ViewOptions, nodes["view"].value)
    if "strokes" in nodes:
        options = replace(options, strokes=_read_strokes(nodes["strokes"]))
    return Scene(document, options, **_read_view(nodes))


# Writing.


def _lines(scene: Scene, data_text: str | None) -> Iterator[str]:
    """Yield the members of the outermost object as text."""
    document = scene.document.seen_from(0)
    data, held_out = document.all_points, document.held_out
    # A scene of classification also keeps its epsilon if that is not the default, because the user
    # may change the task to regression later.
    has_epsilon = document.is_regression or document.epsilon != Document.epsilon
    version = REGRESSION_VERSION if has_epsilon else CLASSIFICATION_VERSION
    # A scene without a split keeps the generator of its points in the same place.
    has_source = document.source is not None and document.has_coordinates
    has_split = held_out is not None or has_source
    if held_out:
        version = SPLIT_VERSION
    half_planes = scene.options.hulls == HALF_PLANES
    if document.user_line or half_planes or (held_out and held_out.used):
        version = LINE_VERSION
    # Programs before this version refuse a split without points, and later layers.
    options = scene.options.values()
    later = any(options[layer] for layer in LATER_LAYERS) or options["shading"] == PROBABILITY
    if not document.has_coordinates or (has_source and not held_out) or later:
        version = LATER_VERSION
    if document.many:
        version = VERSION
    yield f'  "svmviz": {version}'
    yield data_text or write_data(data)
    members = {
        "class_names": data.class_names,
        **({"axis_names": data.axis_names} if document.has_coordinates else {}),
        **(machine_members(document.many) if document.many else {}),
        **({"split": split_members(document)} if has_split else {}),
        **({"task": document.task, "epsilon": document.epsilon} if has_epsilon else {}),
        "scaling": document.scaling,
        "kernel": _members_of(document.kernel),
        "penalty": _penalty_members(document.penalty),
        "bias": document.bias,
        **({"class_weights": document.class_weights} if document.class_weights else {}),
        "solvers": [_members_of(method) for method in document.methods],
        **({"lanes": list(map(_lane_members, document.changes))} if document.changes else {}),
        **({"line": line_members(document.user_line)} if document.user_line else {}),
        "view": {k: v for k, v in options.items() if k not in LATER_LAYERS or v},
        **({"strokes": [s.text for s in scene.options.strokes]} if scene.options.strokes else {}),
        "step": scene.step,
        **({"loop": list(scene.marks.loop)} if scene.marks.loop else {}),
        **(
            {"bookmarks": [[*mark] for mark in scene.marks.bookmarks]}
            if scene.marks.bookmarks
            else {}
        ),
        "speed": _json_number(scene.speed),
        "window": scene.window and [float(edge) for edge in scene.window],
    }
    yield from (f"  {json_text(key)}: {json_text(value)}" for key, value in members.items())


def _rows(data: PointSet, template: str, separator: str) -> Iterator[str]:
    """Yield the text of ``ROWS`` points at a time.

    ``template`` formats ``(x, y, label)`` of a point; ``separator`` is put between two points.
    """
    for start in range(0, len(data), ROWS):
        chunk = slice(start, start + ROWS)
        rows = zip(*data.points[chunk].T.tolist(), data.labels[chunk].tolist(), strict=True)
        yield separator.join(template.format(*row) for row in rows)


def _members_of(owner: Any) -> dict[str, Any]:
    """Return the JSON members of a kernel or method: its name and its settings."""
    return {"name": owner.name, **owner.values()}


def _penalty_members(penalty: Penalty) -> dict[str, Any]:
    return {"kind": penalty.kind, "value": _json_number(penalty.value)}


def _lane_members(changes: Changes) -> dict[str, Any]:
    """Return the JSON members of what a lane has of its own."""
    own = changes.own
    return {
        **({"kernel": _members_of(own["kernel"])} if "kernel" in own else {}),
        **({"penalty": _penalty_members(own["penalty"])} if "penalty" in own else {}),
        **({"epsilon": own["epsilon"]} if "epsilon" in own else {}),
    }


def _json_number(number: float | None) -> float | str | None:
    """Return a number as a value of JSON. JSON has no infinity, which becomes the text "inf"."""
    if number is None:
        return None
    return "inf" if math.isinf(number) else float(number)


# Reading.


def _check_version(root: Node) -> None:
    """Check the version before the keys, since a newer format may have other keys."""
    if not isinstance(root.value, dict):
        root.must_be("a scene, { ... }")
    version = root.at("svmviz")
    if "svmviz" not in root.value:
        version.fail("is missing: this is not a scene.")
    number = version.whole()
    if number > VERSION:
        version.fail(f"is {number}: made by a newer program; this one knows up to {VERSION}.")
    if number < CLASSIFICATION_VERSION:
        version.must_be(f"from {CLASSIFICATION_VERSION} to {VERSION}")


def _read_view(nodes: Mapping[str, Node]) -> dict[str, Any]:
    """Read step, speed and window if they are given; null means the same as a missing key."""
    values: dict[str, Any] = {}
    present = {key: node for key, node in nodes.items() if node.value is not None}
    if "step" in present:
        values["step"] = present["step"].whole()
    if "speed" in present:
        values["speed"] = present["speed"].number(infinite=True)
        if not values["speed"] > 0:
            present["speed"].must_be("above 0")
    values["marks"] = _read_marks(present)
    if "window" in present:
        present["window"].items(4, "four numbers, [left, right, bottom, top]")
        left, right, bottom, top = (edge.number() for edge in present["window"])
        values["window"] = left, right, bottom, top
        if not _is_window(values["window"]):
            present["window"].fail("must have left below right and bottom below top.")
    return values


def _read_marks(present: Mapping[str, Node]) -> StepMarks:
    """Read the loop and the bookmarks."""
    marks = StepMarks()
    if "loop" in present:
        node = present["loop"]
        node.items(2, "two steps, [first, last]")
        first, last = (child.whole() for child in node)
        if first >= last:
            node.fail("must begin before the step at which it ends.")
        marks = replace(marks, loop=(first, last))
    for child in present.get("bookmarks", ()):
        child.items(2, "a step and its name, [step, name]")
        (step, name), known = child, len(marks.bookmarks)
        marks = _named(marks, step.whole(), name)
        if len(marks.bookmarks) == known:
            child.fail("must have a name, and a step without another one.")
    return marks


def _named(marks: StepMarks, step: int, name: Node) -> StepMarks:
    try:
        return marks.named(step, name.text())
    except BadInput as error:
        name.fail(f"cannot be read: {error}")


def _read_strokes(node: Node) -> tuple[Stroke, ...]:
    """Return the strokes of the pen."""
    children = list(node)

    def fail(index: int, reason: str) -> NoReturn:
        children[index].fail(f"cannot be read: {reason}")

    return read_strokes([child.text() for child in children], fail)


def _is_window(edges: Edges) -> bool:
    left, right, bottom, top = edges
    return left < right and bottom < top and all(map(math.isfinite, edges))

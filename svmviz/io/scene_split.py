"""The split of a scene: the points that are held out, and how they were chosen at random.

::

    "split": {
      "validation": [1, 5],
      "test": [0, 7],
      "shares": {"validation": 0.2, "test": 0.2, "seed": 0, "stratified": true},
      "source": {"name": "moons", "noise": 0.3, "seed": 4},
      "seen": false,
      "at_opening": null,
      "tuned": null
    }

``validation`` and ``test`` are indices, from 0, into the ``points`` of the scene. All points that
they do not name are for training. ``source`` is that of the document; the other keys are attributes
of :class:`svmviz.document.held_out.HeldOut`. ``used`` is only written if it is true, since programs
before version 4 of the format refuse it. A scene with a source but without a split has the source
and two empty lists; programs before version 5 refuse that.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import numpy as np

from solvers import BadInput
from svmviz.base.strict_json import Node
from svmviz.document.document import Document
from svmviz.document.held_out import TEST, VALIDATION, HeldOut, Shares, rows_of
from svmviz.document.source import ALL_SETS, Source
from svmviz.document.splitting import with_parts

KEYS = ("validation", "test", "shares", "source", "seen", "used", "at_opening", "tuned")
# Keys of the objects ``shares`` and ``source``.
SHARE_KEYS = ("validation", "test", "seed", "stratified")
SOURCE_KEYS = ("name", "noise", "seed", "classes")


def split_members(document: Document) -> dict[str, Any]:
    """Return the split, and the generator of its points, as values of JSON.

    Without a split, return two empty lists and the generator.
    """
    held_out, source = document.held_out, document.source
    if held_out is None:
        return {"validation": [], "test": [], "source": source.members() if source else None}
    validation, test = rows_of(document.parts)
    return {
        "validation": list(validation),
        "test": list(test),
        "shares": asdict(held_out.shares),
        "source": source.members() if source else None,
        "seen": held_out.seen,
        **({"used": True} if held_out.used else {}),
        "at_opening": held_out.at_opening,
        "tuned": held_out.tuned,
    }


def read_split(node: Node, document: Document) -> Document:
    """Return the document with points held out as the split says.

    Parameters
    ----------
    node : Node
        The value of ``split``.
    document : Document
        A document that has all points in its training part.
    """
    members = node.members(KEYS, needed=("validation", "test"))
    data = document.all_points
    parts = np.zeros(len(data), dtype=np.int8)
    for key, part in (("validation", VALIDATION), ("test", TEST)):
        rows = _rows(members[key], len(data))
        if (parts[rows] != 0).any():
            members[key].fail("names a point that another part has too.")
        parts[rows] = part
    present = {key: child for key, child in members.items() if child.value is not None}
    if not parts.any() and "source" not in present:
        node.fail("holds out no points.")
    held_out = HeldOut.empty(data)
    if "shares" in present:
        held_out = replace(held_out, shares=_shares(present["shares"]))
    if "source" in present:
        document = replace(document, source=_source(present["source"]))
    for key in ("seen", "used"):
        if key in present:
            held_out = replace(held_out, **{key: _switch(present[key])})
    for key in ("at_opening", "tuned"):
        if key in present:
            risk = present[key].number()
            if risk < 0.0:
                present[key].must_be("at least 0")
            held_out = replace(held_out, **{key: risk})
    return with_parts(document, data, parts, held_out)


def _rows(node: Node, n: int) -> np.ndarray:
    """Read indices of points, shape (m,); all must be from 0 to n - 1, and no two equal."""
    values = node.items()
    if not set(map(type, values)) <= {int} or not all(0 <= value < n for value in values):
        for index in node:
            if index.whole() >= n:
                index.must_be(f"below {n}, the number of points")
    rows = np.array([int(value) for value in values], dtype=np.int64)
    if len(np.unique(rows)) < len(rows):
        node.fail("names a point twice.")
    return rows


def _shares(node: Node) -> Shares:
    members = node.members(SHARE_KEYS)
    values: dict[str, Any] = {}
    for key in ("validation", "test"):
        if key in members:
            values[key] = members[key].number()
            if not 0.0 <= values[key] < 1.0:
                members[key].must_be("from 0 to below 1")
    if "seed" in members:
        values["seed"] = members["seed"].whole()
    if "stratified" in members:
        values["stratified"] = _switch(members["stratified"])
    return Shares(**values)


def _source(node: Node) -> Source:
    members = node.members(SOURCE_KEYS, needed=SOURCE_KEYS[:3])
    name = members["name"].one_of(ALL_SETS)
    noise, seed = members["noise"].number(), members["seed"].whole()
    try:
        return Source(name, noise, seed, members["classes"].whole() if "classes" in members else 2)
    except BadInput as error:
        node.fail(f"cannot be used: {error}")


def _switch(node: Node) -> bool:
    if not isinstance(node.value, bool):
        node.must_be("true or false")
    return node.value

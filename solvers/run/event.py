"""The event of a step: what the step did, in words, formulas and numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from solvers.run.beats import Beat
from solvers.run.formulas import Formula

# Maximum number of points that a step marks on the plane.
MAX_MARKED = 8


@dataclass(frozen=True)
class Event:
    """The description of one step.

    Attributes
    ----------
    touched : tuple of int
        Indices of the points that the step is about, for example those it examined or whose beta
        it changed. Each method decides which.
    sentence : str
        One plain sentence; points are numbered from 1, as in the table of the window.
    why : str
        A longer version of ``sentence``, which also says why this step was taken and what limited
        it. Empty if ``sentence`` already says so.
    formulas : tuple of Formula
        The formulas of the step, in the order of computation.
    beats : tuple of Beat
        The parts of the step, which can be shown one after the other. Empty if the step is shown as
        a whole.
    marked : tuple of int
        Indices of the points that the plane marks. A cursor sets them by :func:`marked_points`.
    kind : str
        The kind of step, which says to a panel what values there are. Empty if no panel asks.
    values : dict
        The named values of the step, from which the texts above are made: numbers, texts, and
        tuples and dicts of them.
    """

    touched: tuple[int, ...]
    sentence: str
    why: str = ""
    formulas: tuple[Formula, ...] = ()
    beats: tuple[Beat, ...] = ()
    marked: tuple[int, ...] = ()
    kind: str = ""
    values: Mapping[str, Any] = field(default_factory=dict, hash=False)


def marked_points(touched: tuple[int, ...], change: np.ndarray) -> tuple[int, ...]:
    """Return the points to mark on the plane, at most ``MAX_MARKED``.

    If more points were touched, those whose beta changed most are marked, and none whose beta did
    not change: marks on all points would hide the data. ``change`` is the change of beta, shape
    (n,).
    """
    if len(touched) <= MAX_MARKED:
        return touched
    points = np.array(touched)
    size = np.abs(change[points])
    order = np.argsort(-size, kind="stable")[:MAX_MARKED]
    return tuple(points[order[size[order] > 0.0]].tolist())

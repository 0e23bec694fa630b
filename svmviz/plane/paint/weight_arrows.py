"""The normal w of the boundary as an arrow, for a method that adds points to it at its mistakes.

After a mistake three arrows say what the step did: w before it, y x of the point from the tip of
that arrow, and w after it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter

from svmviz.frames.frame import Lane
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.lines import draw_arrow
from svmviz.plane.paint.names import BoxName, name_beside, write_names

# Smallest and largest length of the longest arrow, relative to the smaller side of the plot.
# Between these all arrows have the units of the axes; otherwise all are drawn larger or smaller.
SHORTEST, LONGEST = 0.12, 0.38
# Width of an arrow, and length of its head, px at scale 1.
WIDTH, HEAD = 2.5, 11.0


@dataclass(frozen=True)
class Arrow:
    """An arrow with its name, px.

    Attributes
    ----------
    name, colour : str
    start, end : array, shape (2,)
    """

    name: str
    colour: str
    start: np.ndarray
    end: np.ndarray


def arrows_of(canvas: Canvas, lane: Lane) -> list[Arrow]:
    """Return the arrows of a lane; none for methods with a margin, and without a w."""
    w = lane.expansion.w
    if w is None or not w.any() or lane.method.maximizes_margin:
        return []
    camera, plot, theme = canvas.camera, canvas.plot, canvas.style.theme
    before, after = _weights(lane, w)
    per_unit = canvas.document.factors / camera.units * (1.0, -1.0)
    vectors = np.array([before, after, after - before]) * per_unit
    longest = float(np.hypot(*vectors.T).max())
    side = min(plot.width(), plot.height())
    vectors *= min(max(longest, SHORTEST * side), LONGEST * side) / longest
    base = camera.to_pixels(np.zeros((1, 2)))[0]
    if not plot.contains(QPointF(*base.tolist())):
        base = np.array([plot.center().x(), plot.center().y()])
    old, new, _ = base + vectors
    if not (after - before).any():
        return [Arrow("w", theme.text, base, new)]
    sum_arrow = Arrow("w + y x", theme.text, base, new)
    return [
        *([Arrow("w", theme.muted, base, old)] if before.any() else []),
        Arrow("y x", theme.highlight, old, new),
        *([sum_arrow] if before.any() else []),
    ]


def _weights(lane: Lane, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return w before and after the step, in solver units; both are equal without a mistake."""
    event = lane.explained_event
    if event is None or lane.at_end or not event.values.get("mistake"):
        return w, w
    point = event.touched[0]
    pull = lane.problem.y[point] * lane.expansion.centered[point]
    shown = lane.shown_beat
    # All beats but the last one are shown with the state before the step.
    is_before = shown is not None and shown.number < len(event.beats)
    return (w, w + pull) if is_before else (w - pull, w)


def draw_arrows(painter: QPainter, canvas: Canvas, lane: Lane) -> None:
    """Draw the arrows and their names."""
    style = canvas.style
    arrows, names = arrows_of(canvas, lane), []
    for arrow in arrows:
        ends = np.array([arrow.start, arrow.end])
        if math.hypot(*(ends[1] - ends[0])) < 1.0:
            continue
        colours = {style.theme.plane: WIDTH + 2.5, arrow.colour: WIDTH}
        draw_arrow(painter, ends, style, colours, HEAD)
        names.append(_name_of(canvas, arrow, arrows))
    write_names(painter, names, style)


def _name_of(canvas: Canvas, arrow: Arrow, arrows: list[Arrow]) -> BoxName:
    """Return the name of an arrow: sums are named away from each other, others beyond the arrow."""
    # A sum is named at its tip, since the two may be parallel.
    is_sum = arrow.colour != canvas.style.theme.highlight or len(arrows) == 1
    place = arrow.end if is_sum else 0.5 * (arrow.start + arrow.end)
    towards = place - np.mean([sums.end for sums in arrows[:1] + arrows[2:]], axis=0)
    if math.hypot(*towards.tolist()) < 0.5:
        towards = place - arrows[0].start
    towards /= math.hypot(*towards.tolist()) or 1.0
    return name_beside(canvas, arrow.name, place, towards, arrow.colour)

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

from svmviz.base.words import number
from svmviz.camera.ticks import round_up
from svmviz.frames.frame import Lane
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.lines import draw_arrow
from svmviz.plane.paint.names import BoxName, name_beside, write_names

# Smallest and largest length of the longest arrow, relative to the smaller side of the plot.
# Between these all arrows have the units of the axes; otherwise all are drawn larger or smaller, by
# a factor of 1, 2 or 5 times a power of ten, which the names state: "0.5 w".
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

    @property
    def is_visible(self) -> bool:
        """Whether the arrow is at least 1 px long."""
        return math.hypot(*(self.end - self.start).tolist()) >= 1.0


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
    # Rounded, the factor stays the same over many steps.
    if longest > LONGEST * side:
        factor = 1.0 / round_up(longest / (LONGEST * side))
    else:
        factor = round_up(max(SHORTEST * side / longest, 1.0))
    vectors *= factor
    times = "" if factor == 1.0 else f"{number(factor)} "
    base = camera.to_pixels(np.zeros((1, 2)))[0]
    if not plot.contains(QPointF(*base.tolist())):
        base = np.array([plot.center().x(), plot.center().y()])
    old, new, _ = base + vectors
    if not (after - before).any():
        return [Arrow(f"{times}w", theme.text, base, new)]
    total = f"{times}(w + y x)" if times else "w + y x"
    return [
        *([Arrow(f"{times}w", theme.muted, base, old)] if before.any() else []),
        Arrow(f"{times}y x", theme.highlight, old, new),
        *([Arrow(total, theme.text, base, new)] if before.any() else []),
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


def names_of_arrows(canvas: Canvas, lane: Lane) -> list[BoxName]:
    """Return the names of the arrows of a lane, in their places."""
    arrows = arrows_of(canvas, lane)
    return [_name_of(canvas, arrow, arrows) for arrow in arrows if arrow.is_visible]


def draw_arrows(painter: QPainter, canvas: Canvas, lane: Lane, names: list[BoxName]) -> None:
    """Draw the arrows and their names."""
    style = canvas.style
    for arrow in arrows_of(canvas, lane):
        if arrow.is_visible:
            colours = {style.theme.plane: WIDTH + 2.5, arrow.colour: WIDTH}
            draw_arrow(painter, np.array([arrow.start, arrow.end]), style, colours, HEAD)
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

"""The panel "P along a line": the primal between two functions, its chords and supporting lines."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from solvers import Cursor
from solvers.problem.expansion import Expansion
from solvers.problem.slices import Slice, slice_between
from solvers.run.run import Run
from svmviz.base.words import number
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.studies import Pending, Study
from svmviz.panels.frame_panel import FramePanel, reader_of, text_of
from svmviz.panels.objective.reference import MAX_SEARCHED, Reference
from svmviz.stage.stage import Stage
from svmviz.widgets.charts.chord_chart import ChordChart
from svmviz.widgets.charts.plot_area import Range
from svmviz.widgets.inputs.segmented import Segmented
from svmviz.widgets.plain_text import set_tip
from svmviz.widgets.still_text import StillText

# The lines that can be chosen: key, text of the button, tip, names of t = 0 and of t = 1, and where
# the supporting line touches the curve at first.
LINES = (
    ("zero", "From 0", "From w = 0, b = 0 through the step shown.", ("w = 0", "step"), 1.0),
    ("step", "Step", "From the step before through the step shown.", ("before", "step"), 0.0),
    ("best", "Optimum", "From the step shown through the optimum.", ("step", "best"), 1.0),
)
# The range of t.
RANGE: Range = (-0.6, 1.8)
# At most this number of points are marked on the curve.
MAX_RINGS = 20


@dataclass(frozen=True, eq=False)
class SliceStudy:
    """The primal along the lines of :data:`LINES`.

    Attributes
    ----------
    slices : dict of str to Slice
        By key; a line whose two ends are the same function is missing.
    unfinished : bool
        Whether the optimum is not found yet; see :mod:`svmviz.frames.studies`.
    """

    slices: dict[str, Slice]
    unfinished: bool


class SliceStudyMaker:
    """The study of the panel."""

    def __init__(self) -> None:
        self._reference = Reference(max_points=MAX_SEARCHED)
        self._run: Run | None = None
        self._cursor: Cursor | None = None

    def __call__(self, frame: Frame, runs: tuple[Run, ...]) -> SliceStudy | None:
        lane = frame.lane
        if lane is None or math.isinf(lane.problem.C):
            return None
        optimum = self._reference(frame, runs)
        here, problem = lane.expansion, lane.problem
        zero = problem.expansion(np.zeros_like(here.beta), 0.0)
        pairs = {"zero": (zero, here)}
        if lane.step > 0:
            pairs["step"] = self._before(lane, runs), here
        if optimum is not None and not isinstance(optimum, Pending):
            pairs["best"] = here, optimum.expansion
        slices = {name: slice_between(problem, *pair) for name, pair in pairs.items()}
        return SliceStudy(
            {name: each for name, each in slices.items() if _is_long(each)},
            isinstance(optimum, Pending) or (optimum is not None and optimum.unfinished),
        )

    def _before(self, lane: Lane, runs: tuple[Run, ...]) -> Expansion:
        run = next(run for run in runs if run.number == lane.run)
        if run is not self._run or self._cursor is None:
            self._run, self._cursor = run, Cursor(run)
        return self._cursor.seek(lane.step - 1, with_event=False).expansion


def _is_long(each: Slice) -> bool:
    return bool(np.abs(each.change).max() > 1e-9)


class SlicePanel(FramePanel):
    """P along a line through two functions, with a chord and a supporting line to be dragged.

    Parameters
    ----------
    stage : Stage
    """

    name = "slice"
    leaves_line_out = True
    # Allows a dock narrower than the buttons need; their names may then be cut off.
    may_stack = True

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.shown: SliceStudy | None = None
        self.words = self.add(StillText(lines=2))
        self.line = self.add(Segmented([line[:2] for line in LINES]))
        for key, _, tip, *_ in LINES:
            set_tip(self.line.button(key), tip)
        self.share_choice("line", self.line, self._on_line)
        self.chart = self.add(ChordChart("t, along the line", "P", height=280.0), 1)
        self.chart.touch = next(line[4] for line in LINES if line[0] == self.line.value)
        self.chart.ends = [-0.3, 1.5]
        if dragged := self.share_value("chord", reader_of(4), self._on_chord):
            self._on_chord(dragged)
        self.chart.changed.connect(self._on_changed)
        self.chart.hovered.connect(self._on_hovered)
        self.chart.left.connect(lambda: stage.spotlight.highlight(None))
        self.key = self.add(StillText(lines=3))

    def make_study(self) -> Study:
        return SliceStudyMaker()

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        self.shown = study
        is_regression = frame.document.is_regression
        self._crossed = "the edge of the tube" if is_regression else "its margin line"
        self._redraw()

    def _on_line(self, key: str) -> None:
        self.chart.touch = next(line[4] for line in LINES if line[0] == key)
        self._keep_chord()
        self._redraw()
        self.mark()

    def _on_chord(self, numbers: tuple[float, ...]) -> None:
        """Show a chord that was dragged, here or in another view."""
        *self.chart.ends, self.chart.touch, share = numbers
        self.chart.share = min(max(share, 0.0), 1.0)
        self.chart.update()

    def _redraw(self) -> None:
        found = self.slice
        if found is None:
            self.chart.curve = None
            self.chart.update()
            self.words.setText(
                "P along a line in the space of w and b is drawn here, for a finite C, once the "
                "two ends of the line differ."
            )
            self.key.setText("")
            return
        names = next(line[3] for line in LINES if line[0] == self.line.value)
        self.chart.names = list(zip((0.0, 1.0), names, strict=True))
        self.chart.show_curve(found, RANGE)
        self.words.setText(
            f"A convex curve with a kink where a point crosses {self._crossed}.",
            "Drag the ends of the chord, or the point that the line touches.",
        )
        self._show_key()

    def mark(self) -> None:
        found, spotlight = self.slice, self.stage.spotlight
        self.chart.ringed = []
        if found is not None:
            n = len(found.change)
            lit = {(i, "focus") for i in self.stage.session.selection}
            lit |= {(i, "text") for i in spotlight.points}
            middle = 0.5 * sum(RANGE)
            for i, colour in sorted(lit)[:MAX_RINGS]:
                place = found.crossing(i, middle) if i < n else None
                if place is not None:
                    self.chart.ringed.append((place, colour))
        self.chart.update()

    @property
    def slice(self) -> Slice | None:
        """The primal along the chosen line; None if there is no such line."""
        return None if self.shown is None else self.shown.slices.get(self.line.value)

    def _on_changed(self) -> None:
        """Light the point whose kink the line touches, and say what is seen."""
        if self.slice is not None and self.chart.at_kink:
            self.stage.spotlight.highlight(self.slice.point_at(self.chart.touch))
        self._keep_chord()
        self._show_key()

    def _keep_chord(self) -> None:
        self.keep_value("chord", text_of((*self.chart.ends, self.chart.touch, self.chart.share)))

    def _on_hovered(self, x: float, y: float) -> None:
        """Light the point whose kink is under the mouse."""
        found, point = self.slice, None
        nearest = None if found is None else found.point_at(x)
        if found is not None and nearest is not None:
            t = found.crossing(nearest, x)
            if (
                t is not None
                and self.chart.nearest(np.array([[t, self.chart.value(t)]]), x, y) == 0
            ):
                point = nearest
        self.stage.spotlight.highlight(point)

    def _show_key(self) -> None:
        chart = self.chart
        slopes = chart.slopes
        if slopes is None:
            return
        above = "lies above the curve" if chart.chord_is_above else "runs below the curve"
        place = f"t = {number(chart.touch, 3)}, P = {number(chart.value(chart.touch))}"
        if chart.at_kink:
            support = (
                f"{place}: a kink. All lines with slopes from {number(slopes[0], 3)} to "
                f"{number(slopes[1], 3)} support P"
            )
        else:
            support = (
                f"{place}: the slope of the only line that supports P is {number(slopes[0], 3)}"
            )
        least = "; 0 is among them, so P is smallest here" if slopes[0] <= 0.0 <= slopes[1] else ""
        self.key.setText(f"The chord {above}. {support}{least}.")

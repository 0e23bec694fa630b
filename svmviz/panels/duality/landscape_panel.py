"""The Dual landscape panel: D over one or two variables of a few points, and the run's path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import contourpy
import numpy as np

from solvers import Cursor
from solvers.geometry.dual_slice import MAX_POINTS, DualSlice, dual_slice, region_top
from solvers.run.beats import subscript
from solvers.run.run import Run
from svmviz.base.words import number
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.studies import Study
from svmviz.panels.frame_panel import FramePanel
from svmviz.stage.stage import Stage
from svmviz.widgets.charts.chart import Chart
from svmviz.widgets.charts.chart_painter import DASHED, ChartPainter
from svmviz.widgets.still_text import StillText

NODES = 121
LEVELS = 14
# Maximum number of steps of the path that are drawn.
MAX_STEPS = 400
# Space around the feasible region, as a fraction of its width.
MARGIN = 0.12


@dataclass(frozen=True, eq=False)
class LandscapeStudy:
    """The slice through the alpha shown, and the path of the run up to it.

    Attributes
    ----------
    slice : DualSlice
    top : float
        Upper end of the range in which the variables are drawn.
    path : array, shape (m, 1 or 2)
        The variables of the slice at the steps up to the one shown.
    levels : list of arrays, shape (k, 2)
        Contours of D inside the feasible region; none with one variable.
    curve : array, shape (NODES, 2)
        With one variable: its values, and D.
    """

    slice: DualSlice
    top: float
    path: np.ndarray
    levels: tuple[np.ndarray, ...]
    curve: np.ndarray


def study_landscape(frame: Frame, runs: tuple[Run, ...]) -> LandscapeStudy | None:
    """Return the slice through the alpha shown; None for a regression, and for many points."""
    lane = frame.lane
    if lane is None or lane.problem.task == "regression" or lane.problem.n > MAX_POINTS:
        return None
    alphas = _alphas_up_to(lane, runs[min(frame.focus, len(runs) - 1)])
    cut = dual_slice(lane.problem, lane.certificate.alpha)
    top = region_top(float(cut.bounds.max()), float(alphas.max(initial=0.0)))
    path = alphas[:, cut.axes]
    if len(cut.axes) == 1:
        low, high = cut.region(top)[:, 0].tolist()
        a = np.linspace(low, high, NODES)
        return LandscapeStudy(cut, top, path, (), np.column_stack([a, cut.values(a)]))
    return LandscapeStudy(cut, top, path, _contours(cut, top), np.zeros((0, 2)))


def _alphas_up_to(lane: Lane, run: Run) -> np.ndarray:
    """Return alpha at the steps up to the one shown, shape (m, n)."""
    steps = np.unique(np.linspace(0, lane.step, min(lane.step + 1, MAX_STEPS)).astype(int))
    cursor, problem = Cursor(run), lane.problem
    return np.array([problem.y * cursor.seek(int(k)).expansion.beta for k in steps])


def _contours(cut: DualSlice, top: float) -> tuple[np.ndarray, ...]:
    """Return lines of equal D in the feasible region, denser towards the optimum."""
    grid = np.linspace(0.0, top, NODES)
    nodes = np.stack(np.meshgrid(grid, grid), axis=-1).reshape(-1, 2)
    values = np.where(cut.feasible(nodes, 1e-9 * top), cut.values(nodes), np.nan)
    values = values.reshape(NODES, NODES)
    if not np.isfinite(values).any():
        return ()
    low, high = np.nanmin(values), np.nanmax(values)
    generator = contourpy.contour_generator(grid, grid, np.ma.masked_invalid(values))
    shares = 1.0 - np.linspace(0.0, 1.0, LEVELS + 2)[1:-1] ** 2
    return tuple(
        np.asarray(line) for s in shares for line in generator.lines(low + s * (high - low))
    )


class LandscapePanel(FramePanel):
    """D over the feasible segment, triangle or slice of two to four points.

    Parameters
    ----------
    stage : Stage
    """

    name = "dual-landscape"

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.shown: LandscapeStudy | None = None
        self.words = self.add(StillText(lines=3))
        self.chart = self.add(Chart(self._paint, height=280.0), 1)

    def make_study(self) -> Study:
        return study_landscape

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        self.shown = study if isinstance(study, LandscapeStudy) else None
        if self.shown is None:
            self.words.setText("The dual of two to four points is drawn here.")
            self.chart.update()
            return
        cut, top = self.shown.slice, self.shown.top
        margin = MARGIN * top
        names = [f"α{subscript(axis + 1)}" for axis in cut.axes]
        if len(cut.axes) == 1:
            D = self.shown.curve[:, 1]
            room = MARGIN * max(float(np.ptp(D)), 1e-12)
            self.chart.set_labels(names[0], "D")
            self.chart.set_ranges((-margin, top + margin), (D.min() - room, D.max() + room))
        else:
            self.chart.set_labels(*names)
            self.chart.set_ranges((-margin, top + margin), (-margin, top + margin))
        self.words.setText(sentence(cut, lane))
        self.chart.update()

    def _paint(self, paint: ChartPainter) -> None:
        shown, lane = self.shown, self.lane
        if shown is None or lane is None:
            return
        theme, cut = paint.theme, shown.slice
        path = shown.path
        if len(cut.axes) == 1:
            paint.curve(shown.curve, theme.series[0], 2.0)
            path = np.column_stack([path[:, 0], cut.values(path)])
        else:
            corners = cut.region(shown.top)
            paint.fill(corners, theme.accent, 0.08)
            for line in shown.levels:
                paint.curve(line, theme.line_strong, 1.0)
            paint.curve(np.concatenate([corners, corners[:1]]), theme.accent, 2.0)
        paint.curve(path, theme.accent, 1.5, DASHED)
        paint.dots(path[:-1], theme.accent, 5.0)
        paint.dots(path[-1:], theme.highlight, edge=theme.card)


def sentence(cut: DualSlice, lane: Lane | None) -> str:
    """Return D at the step shown, and what becomes of the variables that have no axis."""
    parts = [] if lane is None else [f"D = {number(lane.certificate.dual)} at this step."]
    if cut.dependent is not None:
        signs = [
            f"{'−' if cut.y[i] == cut.y[cut.dependent] else '+'} α{subscript(i + 1)}"
            for i in range(len(cut.y))
            if i != cut.dependent
        ]
        total = " ".join(signs).removeprefix("+ ")
        parts.append(f"α{subscript(cut.dependent + 1)} = {total}, because Σ α y = 0.")
    fixed = [i for i in range(len(cut.y)) if i not in cut.axes and i != cut.dependent]
    if fixed:
        values = ", ".join(f"α{subscript(i + 1)} = {number(float(cut.fixed[i]))}" for i in fixed)
        parts.append(f"The slice is at {values}.")
    return " ".join(parts)

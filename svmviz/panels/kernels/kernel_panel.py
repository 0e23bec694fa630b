"""The kernel matrix: its cells, its eigenvalues, and Mercer's condition."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from solvers.run.beats import subscript
from svmviz.base.words import count, number, power_of_ten
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.studies import ProblemStudy, Study
from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.kernels.kernel_map import KernelMap
from svmviz.panels.kernels.kernel_study import KernelStudy, study_kernel
from svmviz.stage.stage import Stage
from svmviz.theme import active
from svmviz.widgets.charts.chart import Chart
from svmviz.widgets.charts.chart_painter import ChartPainter
from svmviz.widgets.column import Column
from svmviz.widgets.plain_text import set_tip
from svmviz.widgets.still_text import StillLabel, StillText

# An eigenvalue has a bar of height 0 if its absolute value is below about this fraction of the
# largest absolute value.
MIN_FRACTION = 1e-10
# Minimum width of the panel to put matrix and spectrum side by side, px at scale 1.
MIN_WIDTH_ACROSS = 260


class KernelPanel(FramePanel):
    """The Gram matrix K sorted by class, its eigenvalues, and whether Mercer's condition holds.

    Parameters
    ----------
    stage : Stage
    """

    name = "kernel-matrix"
    may_stack = True

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.shown: KernelStudy | None = None
        self._beside = self.add(Column(gap=1.0, across=True), 1)
        self.map = self._beside.add(KernelMap(), 3)
        set_tip(
            self.map,
            "Rows and columns: class −1, then +1; within a class along its longest direction;\n"
            "in a regression along x.\n"
            "Click a cell to select its two points.",
        )
        self.map.hovered.connect(self._on_hovered)
        self.map.pressed.connect(self._on_pressed)
        self.map.left.connect(lambda: stage.spotlight.highlight(None))
        # Beside a wide matrix, which has the whole height; below a narrow one.
        right = self._right = self._beside.add(Column(gap=1.0), 2)
        self.reading, self.words = right.add(StillLabel()), right.add(StillText(lines=2))
        self.spectrum = right.add(Chart(self._paint, "", "eigenvalues", height=130.0), 1)

    def apply_style(self) -> None:
        self.spectrum.setMinimumWidth(active().metrics.px(110))

    def make_study(self) -> Study:
        return ProblemStudy(study_kernel)

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        self._lay_out()
        if study is not self.shown or lane is None:
            self.shown = study if lane is not None else None
            self.map.show_study(self.shown)
            self._draw_spectrum()
            self._show_words()

    def mark(self) -> None:
        study, lane = self.shown, self.lane
        if study is None or lane is None:
            self.reading.setText("")
            return
        step_points = lane.touched
        rows = [row for point in self.stage.spotlight.points for row in self._rows((point,))]
        cross = (rows[0], rows[-1]) if rows else None
        self.map.highlight(self._rows(step_points), cross, self._rows(self.stage.session.selection))
        self._show_reading(study, lane, step_points, cross)

    def _rows(self, points: Any) -> list[int]:
        """Return the rows of points.

        If there are many points, only a sample of them has rows. The others are left out here.
        """
        if self.shown is None:
            return []
        row_of = self.shown.row_of
        return [int(row_of[i]) for i in sorted(points) if i < len(row_of) and row_of[i] >= 0]

    def _lay_out(self) -> None:
        """Lay the two charts out side by side or one above the other, depending on the width."""
        is_across = self.lies_across(MIN_WIDTH_ACROSS)
        self._beside.lay_across(is_across)
        self._beside.box.setStretchFactor(self._right, 2 if is_across else 3)

    # Words.

    def _show_words(self) -> None:
        study = self.shown
        if study is None:
            self.words.setText("The kernel of all pairs of points is drawn here.")
            return
        sentences = [self._verdict(study)]
        m, n = study.verdict.checked, study.verdict.n
        if study.augmented:
            sentences.append("Shown is k + 1: the bias is part of the kernel.")
        points = f"{m} points" if m == n else f"a sample of {m} of {count(n)} points"
        sentences.append(f"Rank {study.rank} ({points}).")
        self.words.setText(" ".join(sentences))

    def _verdict(self, study: KernelStudy) -> str:
        kernel = self.stage.feed.frame.document.kernel
        if kernel.mercer:
            return "This is a kernel: positive semi-definite by construction."
        if not study.verdict.refuted:
            return "No eigenvalue is negative on these points; other points may have one."
        if not study.verdict.symmetric:
            return "This is no kernel: K is not symmetric."
        count_text = (
            "1 eigenvalue is" if study.negative == 1 else f"{study.negative} eigenvalues are"
        )
        smallest = number(float(study.values[-1]), 3)
        return f"This is no kernel: {count_text} negative, down to {smallest}."

    def _show_reading(self, study: KernelStudy, lane: Lane, step_points: Any, cross: Any) -> None:
        """Show the kernel value of the cell ``cross``; if it is None, of the points of the step."""
        rows = self._rows(step_points)
        if cross is not None:
            text = self._entry_words(study, *cross)
        elif len(step_points) > len(rows):
            text = "A point of this step is not in the sample."
        elif len(rows) == 2:
            text = f"This step: {self._entry_words(study, *rows)}"
        elif len(rows) == 1:
            text = f"This step: row {study.order[rows[0]] + 1}"
        else:
            text = "Point at a cell to read it."
        self.reading.setText(text)

    def _entry_words(self, study: KernelStudy, row: int, column: int) -> str:
        i, j = (subscript(int(study.order[index]) + 1) for index in (row, column))
        suffix = " + 1" if study.augmented else ""
        return f"k(x{i}, x{j}){suffix} = {number(float(study.K[row, column]))}"

    # The spectrum.

    def heights(self, study: KernelStudy) -> np.ndarray:
        """Return the heights of the bars, shape (m,).

        A height is ``sign(value) * log10(|value| / smallest)``, where ``smallest`` is the smallest
        absolute value that the axis shows. The height is 0 if the absolute value is smaller, or is
        at most the rounding error ``study.tolerance``.
        """
        smallest = self._smallest(study)
        size = np.maximum(np.abs(study.values), smallest)
        sign = np.where(np.abs(study.values) > study.tolerance, np.sign(study.values), 0.0)
        return sign * np.log10(size / smallest)

    def _smallest(self, study: KernelStudy) -> float:
        """Return the smallest absolute value that the axis shows."""
        largest = float(np.abs(study.values).max(initial=0.0))
        # Round down to a power of ten, so that all ticks are powers of ten.
        return 10.0 ** math.floor(math.log10(max(MIN_FRACTION * largest, study.tolerance, 1e-300)))

    def _draw_spectrum(self) -> None:
        study = self.shown
        if study is None:
            self.spectrum.set_ticks(1, None)
            return
        heights = self.heights(study)
        top = max(1.0, math.ceil(float(heights.max(initial=1.0))))
        low = float(heights.min(initial=0.0))
        bottom = -math.ceil(-low) if low < 0.0 else 0.0
        start = round(math.log10(self._smallest(study)))
        decades_per_tick = max(1, round((top - bottom) / 5))
        ticks = [(0.0, "0")]
        for k in range(decades_per_tick, int(max(top, -bottom)) + 1, decades_per_tick):
            power = power_of_ten(start + k).lstrip("·") or "1"
            ticks += [(float(k), power), (-float(k), f"−{power}")]
        margin = 0.5 + 0.03 * len(heights)
        self.spectrum.set_ranges((1.0 - margin, len(heights) + margin), (bottom - 0.3, top + 0.3))
        self.spectrum.set_ticks(0, _index_ticks(len(heights)))
        self.spectrum.set_ticks(1, ticks)
        self.spectrum.update()

    def _paint(self, paint: ChartPainter) -> None:
        study, theme = self.shown, paint.theme
        if study is None:
            return
        heights = self.heights(study)
        x = np.arange(1.0, len(heights) + 1.0)
        unit = (paint.area.x[1] - paint.area.x[0]) / paint.area.rect.width()
        width = min(max(0.7, paint.px(1.5) * unit), paint.px(10.0) * unit)
        paint.rule(0.0, theme.line_strong, 1.0, vertical=False)
        for is_drawn, colour in (
            (heights > 0.0, theme.accent),
            (study.values < -study.tolerance, theme.bad),
        ):
            paint.bars(x[is_drawn], heights[is_drawn], width, colour)

    # Mouse.

    def _on_hovered(self, row: int, column: int) -> None:
        if self.shown is None:
            return
        order = self.shown.order
        self.stage.spotlight.highlight(int(order[row]), int(order[column]))

    def _on_pressed(self, row: int, column: int) -> None:
        if self.shown is None:
            return
        pair = {int(self.shown.order[row]), int(self.shown.order[column])}
        if max(pair) < self.stage.session.document.n:
            self.stage.session.select(pair)


def _index_ticks(m: int) -> list[tuple[float, str]]:
    """Return ticks at the first, the middle and the last eigenvalue."""
    return [(float(k), str(k)) for k in dict.fromkeys((1, (m + 1) // 2, m))]

"""Bars of alpha, one for each point: the positive class at the left, the negative at the right."""

from __future__ import annotations

import math

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QGuiApplication, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from svmviz.frame import Frame, Lane
from svmviz.panels.alpha_bars import Bars, Scale
from svmviz.stage import Stage
from svmviz.theme import CAPTION, active, font
from svmviz.widgets.chart import LINEAR, Chart, pen
from svmviz.widgets.column import Column
from svmviz.widgets.still_label import StillLabel
from svmviz.widgets.track import write
from svmviz.words import class_titles

# More marked points than this are not marked one by one.
MOST_MARKS = 300
CLASSES = ("positive", "negative")
KINDS = ("α = 0", "free", "at C")


class AlphaChart(Column):
    """Bar chart of alpha, linked to the points by hover and click.

    Parameters
    ----------
    stage : Stage
    parent : QWidget, optional
    """

    def __init__(self, stage: Stage, parent: QWidget | None = None) -> None:
        super().__init__(gap=1.0, margin=2.0, parent=parent)
        self._session, self._playback = stage.session, stage.playback
        self._spotlight = stage.spotlight
        self._frame: Frame | None = None
        self._bars = Bars(np.zeros(0, dtype=np.int8))
        self._scale = Scale()
        self.words = self.add(StillLabel())
        self.chart = self.add(Chart(LINEAR, "", 150), 1)
        self._add_items()
        self.chart.hovered.connect(self._on_hovered)
        self.chart.pressed.connect(self._on_pressed)
        self.chart.left.connect(lambda: stage.spotlight.light(None))
        stage.playback.frame_changed.connect(self._show_frame)
        stage.spotlight.changed.connect(self._show_marks)
        stage.session.selection_changed.connect(self._show_marks)
        self._show_frame(stage.playback.frame)

    @property
    def bars(self) -> Bars:
        """Which point stands where."""
        return self._bars

    def _add_items(self) -> None:
        self.items: dict[str, pg.BarGraphItem] = {}
        nothing = np.zeros(0)
        for name in (*CLASSES, "touched", "lit"):
            self.items[name] = pg.BarGraphItem(x=nothing, height=nothing, width=1.0, pen=None)
        self.bound = pg.InfiniteLine(angle=0, movable=False)
        self.base = pg.InfiniteLine(angle=0, movable=False)
        self.bound_words = pg.TextItem(anchor=(1.0, 1.0))
        self.names = [pg.TextItem(anchor=(0.5, 0.0)) for _ in range(2)]
        self.feet = {
            name: pg.ScatterPlotItem(symbol="t1", pxMode=True) for name in ("touched", "selected")
        }
        for item in (*self.items.values(), self.bound, self.base, *self.feet.values()):
            self.chart.addItem(item)
        for item in (self.bound_words, *self.names):
            self.chart.addItem(item)
        self._dress()

    def _dress(self) -> None:
        look = active()
        theme, px = look.theme, look.metrics.px
        colours = {
            "positive": theme.positive,
            "negative": theme.negative,
            "touched": theme.highlight,
            "lit": theme.text,
        }
        for name, colour in colours.items():
            self.items[name].setOpts(brush=QColor(colour), pen=None)
        self.bound.setPen(pen(theme.text, 1.5, Qt.PenStyle.DashLine))
        self.base.setPen(pen(theme.line_strong, 1.0))
        for name, colour in (("touched", theme.highlight), ("selected", theme.focus)):
            self.feet[name].setBrush(QColor(colour))
            self.feet[name].setPen(None)
            self.feet[name].setSize(px(9))
        for item in (self.bound_words, *self.names):
            item.setFont(font(CAPTION, 600))
        self.bound_words.setColor(QColor(theme.text))
        self.names[0].setColor(QColor(theme.positive))
        self.names[1].setColor(QColor(theme.negative))

    # What is shown.

    def _show_frame(self, frame: Frame) -> None:
        self._frame = frame
        if not self.isVisible():
            return
        lane = frame.lane
        labels = frame.document.data.labels if lane else np.zeros(0, dtype=np.int8)
        if not np.array_equal(labels, self._bars.labels):
            self._bars = Bars(labels)
        self._bars.fit(self.chart.plot_width() / active().metrics.scale)
        self.chart.setToolTip(_tip(self._bars.shared))
        if lane is not None:
            self._show_lane(lane)
        else:
            for name in CLASSES:
                self._set_bars(name, *np.zeros((3, 0)))
            for item in (self.bound, self.bound_words):
                item.hide()
        self._show_marks()

    def _show_lane(self, lane: Lane) -> None:
        alpha, ceiling, scale = lane.certificate.alpha, lane.problem.C, self._scale
        scale.follow(lane.run, ceiling, float(alpha.max()))
        # Room for names and feet below and for the name of C above, in px whatever the height.
        below, above = self._room()
        self.chart.set_ranges(self._bars.extent, (-below * scale.top, (1.0 + above) * scale.top))
        self.chart.set_ticks("left", scale.ticks(5) if scale.above else None)
        for name, x, width, highest in self._bars.heights(alpha):
            self._set_bars(name, x, highest, width)
        drawn = math.isfinite(ceiling) and scale.top >= ceiling
        self.bound.setVisible(drawn)
        self.bound_words.setVisible(drawn)
        if drawn:
            self.bound.setValue(ceiling)
            self.bound_words.setText(f"C = {write(ceiling)}")
            self.bound_words.setPos(self._bars.extent[1], ceiling)
        names = zip(self.names, self._bars.names(class_names(self._frame)), strict=True)
        for item, (name, middle) in names:
            item.setText(name)
            item.setPos(middle, -0.45 * below * scale.top)

    def _room(self) -> tuple[float, float]:
        """Room below and above the bars, as shares of their height."""
        px = active().metrics.px
        below, above = px(30), px(18)
        bars = max(self.chart.plot_height() - below - above, 1.0)
        return below / bars, above / bars

    def _set_bars(self, name: str, x: np.ndarray, height: np.ndarray, width: np.ndarray) -> None:
        self.items[name].setOpts(x=x, height=self._scale.place(height), width=width)

    def _show_marks(self) -> None:
        """Light what is touched, under the mouse, or selected."""
        lane = self._frame.lane if self._frame else None
        if not self.isVisible():
            return
        alpha = lane.certificate.alpha if lane else np.zeros(0)
        touched = lane.event.touched if lane and lane.event else ()
        lit = () if self._spotlight.index is None else (self._spotlight.index,)
        foot = -0.26 * self._room()[0] * self._scale.top
        for name, points in (("touched", touched), ("lit", lit)):
            chosen = [k for k in points if k < len(alpha)][:MOST_MARKS]
            x, width = self._bars.places(chosen)
            self._set_bars(name, x, alpha[chosen], width)
        for name, points in (("touched", touched), ("selected", self._session.selection)):
            chosen = [k for k in points if k < len(alpha)][:MOST_MARKS]
            x, _ = self._bars.places(chosen)
            self.feet[name].setData(x, np.full(len(x), foot))
        self._say(lane, alpha)

    def _say(self, lane: Lane | None, alpha: np.ndarray) -> None:
        index = self._spotlight.index
        if lane is None:
            words = "α of every point will stand here."
        elif index is not None and index < len(alpha):
            kind = KINDS[int(lane.certificate.kinds[index])]
            words = f"Point {index + 1}: α = {write(float(alpha[index]))}"
            words += f", {kind}" if alpha[index] > 0 else ""
        elif alpha.max() > lane.problem.C * (1 + 1e-12):
            words = f"Up to {write(float(alpha.max()))}: above C, not dual feasible."
        else:
            words = f"{np.count_nonzero(alpha):,} of {len(alpha):,} points have α > 0."
        if words != self.words.text():
            self.words.setText(words)

    # What a hand does.

    def _on_hovered(self, x: float, _y: float) -> None:
        self._spotlight.light(self._at(x))

    def _on_pressed(self, x: float, _y: float) -> None:
        index = self._at(x)
        if index is None or index >= self._session.document.n:
            return
        self._spotlight.light(index)
        more = QGuiApplication.keyboardModifiers() & Qt.KeyboardModifier.ShiftModifier
        chosen = self._session.selection | {index} if more else {index}
        self._session.select(chosen)

    def _at(self, x: float) -> int | None:
        lane = self._frame.lane if self._frame else None
        return None if lane is None else self._bars.point_at(x, lane.certificate.alpha)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_frame(self._playback.frame)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_frame(self._playback.frame)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.StyleChange and hasattr(self, "names"):
            self._dress()
        super().changeEvent(event)


def _tip(shared: int) -> str:
    tip = "Point at a bar to see its point, click to select it"
    if shared > 1:
        tip += f".\nA bar stands for {shared} points and shows the highest of them"
    return tip


def class_names(frame: Frame | None) -> tuple[str, str]:
    """Names of the positive and the negative class."""
    if frame is None:
        return "+1", "−1"
    negative, positive = class_titles(frame.document.data)
    return positive, negative

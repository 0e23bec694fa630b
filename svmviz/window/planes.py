"""The planes of a race beside each other; one plane where there is no race.

All look at the same part of the data and take edits alike: they show one document. Each has a
title with the method, its step and how far it is from the optimum; a click on it puts the lane in
focus, which is the one that the panels show.
"""

from __future__ import annotations

import math

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from svmviz.frame import Frame, Lane
from svmviz.plane.camera import Camera
from svmviz.plane.widget import PlaneView
from svmviz.stage import Stage
from svmviz.theme import BODY, active, font
from svmviz.words import lane_titles

MOST = 4
# Height of a title at scale 1, and of the line under the one in focus, px.
TITLE, LINE = 30, 3


class LaneTitle(QWidget):
    """One line above a plane: which method, at which step.

    Signals
    -------
    pressed : a click
    """

    pressed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._name, self._words, self._colour, self._lit = "", "", "", False
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip("Click to show this solver in the panels")

    @property
    def text(self) -> str:
        """What it says."""
        return f"{self._name}: {self._words}"

    def tell(self, name: str, words: str, colour: str, lit: bool) -> None:
        """Say something else."""
        told = (name, words, colour, lit)
        if told != (self._name, self._words, self._colour, self._lit):
            self._name, self._words, self._colour, self._lit = told
            self.setAccessibleName(self.text)
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(100, active().metrics.px(TITLE))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.pressed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        look = active()
        px = look.metrics.px
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(look.theme.panel))
        if self._lit:
            foot = QRect(0, self.height() - px(LINE), self.width(), px(LINE))
            painter.fillRect(foot, QColor(look.theme.focus))
        side, left = px(11), px(10)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._colour))
        painter.drawRoundedRect(
            QRectF(left, 0.5 * (self.height() - side), side, side), px(2), px(2)
        )
        x = left + side + px(8)
        x += self._write(painter, x, self._name, font(BODY, 600), look.theme.text) + px(10)
        self._write(painter, x, self._words, font(BODY), look.theme.muted)

    def _write(self, painter: QPainter, x: int, text: str, kind: QFont, colour: str) -> int:
        painter.setFont(kind)
        painter.setPen(QColor(colour))
        measure = QFontMetricsF(kind)
        room = max(0, self.width() - x - active().metrics.px(6))
        text = measure.elidedText(text, Qt.TextElideMode.ElideRight, room)
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRect(x, 0, room, self.height()), flags, text)
        return math.ceil(measure.horizontalAdvance(text))


class Planes(QWidget):
    """One plane a lane, of one size.

    Parameters
    ----------
    stage : Stage
    """

    def __init__(self, stage: Stage, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._stage = stage
        self.main = PlaneView(stage, parent=self)
        self.views = [self.main]
        self.titles: list[LaneTitle] = []
        self._tool: str | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.main.looked.connect(self._on_looked)
        stage.session.document_changed.connect(self._count)
        stage.playback.frame_changed.connect(self._on_frame)
        self._count()

    @property
    def is_race(self) -> bool:
        """Whether there is more than one."""
        return len(self.views) > 1

    def take(self, tool: str) -> None:
        """Take a tool in hand, over every plane."""
        self._tool = tool
        for view in self.views:
            view.show_tool(tool)

    def _count(self) -> None:
        """Have as many planes as the document has methods."""
        lanes = min(len(self._stage.session.document.methods), MOST)
        if lanes == len(self.views):
            return
        while len(self.views) > lanes:
            view = self.views.pop()
            view.hide()
            view.deleteLater()
        while len(self.views) < lanes:
            view = PlaneView(self._stage, len(self.views), self)
            view.looked.connect(self._on_looked)
            if self._tool is not None:
                view.show_tool(self._tool)
            view.show()
            self.views.append(view)
        self.main.show_lane(0 if lanes > 1 else None)
        self._make_titles(lanes if lanes > 1 else 0)
        self._lay_out()
        self._on_frame(self._stage.playback.frame)

    def _make_titles(self, count: int) -> None:
        while len(self.titles) > count:
            title = self.titles.pop()
            title.hide()
            title.deleteLater()
        while len(self.titles) < count:
            lane = len(self.titles)
            title = LaneTitle(self)
            title.pressed.connect(lambda lane=lane: self._stage.playback.set_focus(lane))
            title.show()
            self.titles.append(title)

    # Places. No layout: it would give planes that differ by a pixel, and then in what they show.

    def _lay_out(self) -> None:
        columns, rows = grid(len(self.views), self.width(), self.height())
        gap = active().metrics.px(1) if self.is_race else 0
        head = active().metrics.px(TITLE) if self.is_race else 0
        width = (self.width() - gap * (columns - 1)) // columns
        height = (self.height() - gap * (rows - 1)) // rows
        for place, view in enumerate(self.views):
            x = (place % columns) * (width + gap)
            y = (place // columns) * (height + gap)
            if self.is_race:
                self.titles[place].setGeometry(x, y, width, head)
            view.setGeometry(x, y + head, width, height - head)

    def _on_looked(self, camera: Camera) -> None:
        for view in self.views:
            if view.camera is not camera and view.size() == self.main.size():
                view.look_along(camera)

    def _on_frame(self, frame: Frame) -> None:
        if not self.is_race:
            return
        theme = active().theme
        names = lane_titles(frame.document.methods)
        for place, title in enumerate(self.titles):
            lane = frame.lanes[place] if place < len(frame.lanes) else None
            title.tell(
                names[place] if place < len(names) else "",
                words(lane),
                theme.series[place % len(theme.series)],
                place == frame.focus,
            )

    def sizeHint(self) -> QSize:
        return self.main.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self.main.minimumSizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._lay_out()


def grid(count: int, width: int, height: int) -> tuple[int, int]:
    """Columns and rows in which ``count`` planes are largest; wide planes before high ones."""
    choices = [(columns, -(-count // columns)) for columns in range(1, count + 1)]
    return max(choices, key=lambda c: (min(width / c[0], 1.4 * height / c[1]), c[0]))


def words(lane: Lane | None) -> str:
    """``step 231 of 966``."""
    if lane is None:
        return ""
    told = f"step {lane.step:,} of {lane.length:,}"
    return f"{told}, {lane.stop.reason.replace('-', ' ')}" if lane.at_end and lane.stop else told

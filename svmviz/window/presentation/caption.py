"""The progress line and the sentence of the step, below the planes of a presentation."""

from __future__ import annotations

import math

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from svmviz.panels.controls.transport.narrator import MAX_TYPE_SHARE, Narrator
from svmviz.stage.stage import Stage
from svmviz.theme import SENTENCE, active, look_of
from svmviz.theme.metrics import HALL_SHARE
from svmviz.widgets.styling import StyleFollower

# Height of the progress line at scale 1, px.
THICKNESS = 4


class Caption(Narrator):
    """The sentence of the step in at most two lines, as large as the screen allows."""

    @property
    def sizes(self) -> tuple[int, ...]:
        """Text sizes, px, largest first; the first one at which the sentence fits is used."""
        height, metrics = self.window().height(), look_of(self).metrics
        largest = max(round(SENTENCE * metrics.scale), round(MAX_TYPE_SHARE * height))
        return tuple(range(largest, math.ceil(HALL_SHARE * height) - 1, -1))


class ProgressLine(StyleFollower, QWidget):
    """A thin line, filled up to the step shown.

    Parameters
    ----------
    stage : Stage
    """

    def __init__(self, stage: Stage) -> None:
        super().__init__()
        self._feed, self._playback = stage.feed, stage.playback
        self._share = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        stage.feed.panel_frame_changed.connect(self._show)
        stage.playback.moved.connect(self._show)
        self.follow_style(ProgressLine._apply_style)
        self._show()

    @property
    def share(self) -> float:
        """Fraction of the recorded run up to the step shown, from 0 to 1."""
        return self._share

    def _show(self) -> None:
        length = self._playback.length
        share = self._feed.reading / length if length else 0.0
        if share != self._share:
            self._share = share
            self.update()

    def _apply_style(self) -> None:
        self.setFixedHeight(active().metrics.px(THICKNESS))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = active().theme
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(theme.line))
            filled = QRectF(0.0, 0.0, self._share * self.width(), self.height())
            painter.fillRect(filled, QColor(theme.accent))

"""What stands below the planes in a presentation: how far the run is, and the sentence."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from svmviz.panels.transport.narrator import Narrator
from svmviz.stage.stage import Stage
from svmviz.theme import TITLE, active
from svmviz.widgets.styling import StyleFollower

# Type size as a fraction of the height of the screen: the last row reads 1/30 without effort.
SHARE = 1.0 / 30.0
# Smallest type size at scale 1, px, for a sentence too long for the width: it is never cut.
MIN_SIZE = 8
# Height of the line at scale 1, px.
THICKNESS = 4


class Caption(Narrator):
    """The sentence of the step in at most two lines, as large as the screen allows."""

    @property
    def sizes(self) -> tuple[int, ...]:
        """Type sizes at scale 1 from the largest to the smallest."""
        largest = max(TITLE, round(SHARE * self.window().height() / active().metrics.scale))
        return tuple(range(largest, MIN_SIZE - 1, -1))


class ProgressLine(StyleFollower, QWidget):
    """A thin line, filled as far as the run is shown.

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
            done = QRectF(0.0, 0.0, self._share * self.width(), self.height())
            painter.fillRect(done, QColor(theme.accent))

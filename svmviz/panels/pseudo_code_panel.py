"""The pseudo-code of the method, with the lines of the step or beat lit, and their values."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from solvers.run.beats import PseudoCode, lines_of
from svmviz.base.words import tidied
from svmviz.frames.frame import Frame, Lane
from svmviz.panels.frame_panel import FramePanel
from svmviz.stage.stage import Stage
from svmviz.theme import BODY, LEAD, look_of
from svmviz.widgets.still_label import StillLabel
from svmviz.widgets.styling import StyleFollower

NO_CODE = "This method has no pseudo-code."
NO_RUN = "The pseudo-code of the method is shown here."
# Lengths in px at scale 1: the space around a line, above and below, and per level.
EDGE, ABOVE, LEVEL = 6.0, 1.0, 10.0
# The smallest share of the type size at which a line that is too long is written.
MIN_SHARE = 0.6
# The smallest type size, px at scale 1.
SMALLEST = 9


class PseudoCodePanel(FramePanel):
    """The algorithm as its source prints it; what this step has carried out is lit.

    Parameters
    ----------
    stage : Stage
    """

    name = "pseudo-code"

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.source = self.add(StillLabel())
        self.listing = self.add(Listing(), 1)

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        code = lane.method.pseudo_code() if lane else None
        self.listing.show_code(code, self._lit(lane))
        source = f"{lane.method.label}: {code.source}" if lane and code else ""
        self.source.setText(source or (NO_CODE if lane else NO_RUN))

    @staticmethod
    def _lit(lane: Lane | None) -> dict[str, str]:
        """Return the values of the lines to be lit, by label."""
        if lane is None:
            return {}
        if lane.part is not None:
            return lines_of((lane.part.beat,))
        return lines_of(lane.event.beats) if lane.event else {}


class Listing(StyleFollower, QWidget):
    """Lines of pseudo-code, some of them lit, with values at their right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.code: PseudoCode | None = None
        self.lit: dict[str, str] = {}
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.MinimumExpanding)
        self.follow_style(QWidget.updateGeometry)

    def show_code(self, code: PseudoCode | None, lit: dict[str, str]) -> None:
        """Show some code, and light the lines with the labels in ``lit``."""
        lit = {label: tidied(value) for label, value in lit.items()}
        if (code, lit) == (self.code, self.lit):
            return
        longer = code != self.code
        self.code, self.lit = code, lit
        lines = code.lines if code else ()
        said = (f"{line.text.strip()} {lit[line.label]}" for line in lines if line.label in lit)
        self.setAccessibleName("; ".join(said))
        if longer:
            self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        lines = len(self.code.lines) if self.code else 1
        return QSize(look_of(self).metrics.px(260), math.ceil(lines * self._line_height(BODY)))

    def minimumSizeHint(self) -> QSize:
        return QSize(look_of(self).metrics.px(120), self.sizeHint().height())

    def _line_height(self, size: int) -> float:
        look = look_of(self)
        return QFontMetricsF(look.font(size)).height() + 2.0 * look.metrics.px(ABOVE)

    @property
    def height_of_lines(self) -> float:
        """Height of all lines as they are painted, px."""
        lines = len(self.code.lines) if self.code else 0
        return lines * self._line_height(self._fitting(lines))

    def _fitting(self, lines: int) -> int:
        """Return the largest type size at which all lines have room, at scale 1, px."""
        sizes = range(LEAD, SMALLEST, -1)
        return next((s for s in sizes if lines * self._line_height(s) <= self.height()), SMALLEST)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.code is None:
            return
        look, top = look_of(self), 0.0
        size = self._fitting(len(self.code.lines))
        height = self._line_height(size)
        with QPainter(self) as painter:
            for line in self.code.lines:
                box = QRectF(0.0, top, self.width(), height)
                lit = line.label != "" and line.label in self.lit
                if lit:
                    painter.fillRect(box, QColor(look.theme.accent_soft))
                    bar = QRectF(0.0, top, look.metrics.px(3), height)
                    painter.fillRect(bar, QColor(look.theme.highlight))
                self._write(painter, box, line.text, self.lit.get(line.label, ""), lit, size)
                top += height

    def _write(
        self, painter: QPainter, box: QRectF, text: str, value: str, lit: bool, size: int
    ) -> None:
        """Write a line at the left and its value at the right, smaller if there is no room."""
        look, px = look_of(self), look_of(self).metrics.px
        indent = (len(text) - len(text.lstrip())) / 2.0
        left, words = px(EDGE) + indent * px(LEVEL), text.lstrip()
        room = box.width() - left - px(EDGE)
        gap = px(10) if value else 0
        plain, strong = look_of(self).font(size, 500 if lit else 400), look_of(self).font(size, 600)
        needed = QFontMetricsF(plain).horizontalAdvance(words) + gap
        needed += QFontMetricsF(strong).horizontalAdvance(value)
        share = max(MIN_SHARE, min(1.0, room / max(needed, 1.0)))
        plain, strong = QFont(plain), QFont(strong)
        for one in (plain, strong):
            one.setPixelSize(max(1, math.floor(one.pixelSize() * share)))
        inner = box.adjusted(left, 0.0, -px(EDGE), 0.0)
        painter.setFont(plain)
        painter.setPen(QColor(look.theme.text if lit else look.theme.muted))
        painter.drawText(inner, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, words)
        if value:
            painter.setFont(strong)
            painter.setPen(QColor(look.theme.highlight))
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(inner, right, value)

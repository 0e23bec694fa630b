"""The pseudo-code of the method; the lines of the step or beat are highlighted, with values."""

from __future__ import annotations

import math
from bisect import bisect_left
from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from solvers.run.beats import CodeLine, PseudoCode, lines_of
from svmviz.base.words import tidied
from svmviz.frames.frame import Frame, Lane
from svmviz.panels.frame_panel import FramePanel
from svmviz.stage.stage import Stage
from svmviz.theme import BODY, DISPLAY, look_of
from svmviz.widgets.still_text import StillText
from svmviz.widgets.styling import StyleFollower

NO_CODE = "This method has no pseudo-code."
NO_RUN = "The pseudo-code of the method is shown here."
# Lengths in px at scale 1: the space beside a line, above and below, per level, and before a value.
EDGE, ABOVE, LEVEL, GAP = 6.0, 1.0, 10.0, 10.0
# The smallest type size, px at scale 1.
SMALLEST = 7
# The weight of the type of values.
STRONG = 600
# For how many values below their lines there is always room: a beat carries out few lines.
MAX_BELOW = 3
# A value of typical length, for which room is kept.
TYPICAL = "α = 0.123"


class PseudoCodePanel(FramePanel):
    """The algorithm as its source prints it.

    The lines that this step has carried out are highlighted.

    Parameters
    ----------
    stage : Stage
    """

    name = "pseudo-code"

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.source = self.add(StillText(lines=1))
        self.listing = self.add(Listing(), 1)

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        code = lane.method.pseudo_code(lane.problem) if lane else None
        self.listing.show_code(code, self._lit(lane))
        source = f"{lane.method.label}: {code.source}" if lane and code else ""
        self.source.setText(source or (NO_CODE if lane else NO_RUN))

    @staticmethod
    def _lit(lane: Lane | None) -> dict[str, str]:
        """Return the values of the lines to be highlighted, by label."""
        if lane is None:
            return {}
        if lane.shown_beat is not None:
            return lines_of((lane.shown_beat.beat,))
        return lines_of(lane.event.beats) if lane.event else {}


class Listing(StyleFollower, QWidget):
    """Lines of pseudo-code in one size of type; highlighted lines have values at their right.

    A value that has no room beside its line is written below it.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.code: PseudoCode | None = None
        self.lit: dict[str, str] = {}
        # The longest value of each label so far, so that the size of type does not change at each
        # beat.
        self._widest: dict[str, str] = {}
        self._fitted_for: object = None
        self._fitted = SMALLEST
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.MinimumExpanding)
        self.follow_style(QWidget.updateGeometry)

    def show_code(self, code: PseudoCode | None, lit: dict[str, str]) -> None:
        """Show some code; highlight the lines with the labels in ``lit``, beside their values."""
        lit = {label: tidied(value) for label, value in lit.items()}
        if (code, lit) == (self.code, self.lit):
            return
        longer = code != self.code
        self.code, self.lit = code, lit
        if longer:
            self._widest, self._fitted_for = {}, None
        for label, value in lit.items():
            self._widest[label] = max(self._widest.get(label, TYPICAL), value, key=len)
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
        """Height that all lines may need, px."""
        size = self.type_size
        return self._rows(size) * self._line_height(size)

    @property
    def type_size(self) -> int:
        """The largest type size at which all lines and values have room, at scale 1, px."""
        lit = frozenset(self.lit) if len(self.lit) > MAX_BELOW else None
        key = (self.width(), self.height(), self._line_height(BODY), dict(self._widest), lit)
        if key != self._fitted_for:
            self._fitted_for = key
            # By bisection: the first use of a font in a size takes Qt some 2 ms.
            larger = range(SMALLEST + 1, DISPLAY + 1)
            too_large = bisect_left(larger, True, key=lambda size: not self._has_room(size))
            self._fitted = SMALLEST + too_large
        return self._fitted

    def _has_room(self, size: int) -> bool:
        if self._rows(size) * self._line_height(size) > self.height():
            return False
        measure = self._measure(size)
        return all(
            max(map(measure.horizontalAdvance, (line.text.strip(), self._value_of(line))))
            <= self._room(line)
            for line in self._lines
        )

    def _rows(self, size: int) -> int:
        """Return the number of rows, with second rows for the values of lines that are long."""
        measure = self._measure(size)
        long = [x for x in self._lines if self._is_long(x, self._value_of(x), measure)]
        lit = sum(line.label in self.lit for line in long)
        return len(self._lines) + max(min(len(long), MAX_BELOW), lit)

    def _measure(self, size: int) -> QFontMetricsF:
        return QFontMetricsF(look_of(self).font(size, STRONG))

    @property
    def _lines(self) -> tuple[CodeLine, ...]:
        return self.code.lines if self.code else ()

    def _value_of(self, line: CodeLine) -> str:
        """Return the longest value that the line has had, or a typical one."""
        return self._widest.get(line.label, TYPICAL) if line.label else ""

    def _is_long(self, line: CodeLine, value: str, measure: QFontMetricsF) -> bool:
        """Return whether a line and its value need two rows."""
        if not value:
            return False
        needed = measure.horizontalAdvance(line.text.strip()) + measure.horizontalAdvance(value)
        return needed + look_of(self).metrics.px(GAP) > self._room(line)

    def _left(self, line: CodeLine) -> float:
        """Return where the text of a line begins, px."""
        px, text = look_of(self).metrics.px, line.text
        return px(EDGE) + (len(text) - len(text.lstrip())) / 2.0 * px(LEVEL)

    def _room(self, line: CodeLine) -> float:
        """Return the width for the text of a line, px."""
        return self.width() - self._left(line) - look_of(self).metrics.px(EDGE)

    def paintEvent(self, event: QPaintEvent) -> None:
        look, top, size = look_of(self), 0.0, self.type_size
        height, measure = self._line_height(size), self._measure(size)
        with QPainter(self) as painter:
            for line in self._lines:
                lit = line.label != "" and line.label in self.lit
                value = self.lit.get(line.label, "")
                rows = 1 + self._is_long(line, value, measure)
                box = QRectF(0.0, top, self.width(), rows * height)
                if lit:
                    painter.fillRect(box, QColor(look.theme.accent_soft))
                    bar = QRectF(0.0, top, look.metrics.px(3), box.height())
                    painter.fillRect(bar, QColor(look.theme.highlight))
                inner = box.adjusted(self._left(line), 0.0, -look.metrics.px(EDGE), 0.0)
                self._write(painter, inner, line.text.strip(), value, lit, size)
                top += box.height()

    def _write(
        self, painter: QPainter, box: QRectF, text: str, value: str, lit: bool, size: int
    ) -> None:
        """Write a line at the upper left and its value at the lower right."""
        look, flags = look_of(self), Qt.AlignmentFlag
        painter.setFont(look.font(size, 500 if lit else 400))
        painter.setPen(QColor(look.theme.text if lit else look.theme.muted))
        painter.drawText(box, flags.AlignLeft | flags.AlignTop, text)
        if value:
            painter.setFont(look.font(size, STRONG))
            painter.setPen(QColor(look.theme.highlight))
            painter.drawText(box, flags.AlignRight | flags.AlignBottom, value)

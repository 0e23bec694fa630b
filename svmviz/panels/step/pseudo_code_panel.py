"""The Pseudo-code panel: the method as published, with the lines of the step shown highlighted.

The lines of a step are those that it carries out. If a beat is shown, which is one part of a step,
only the lines of the beat are highlighted. A highlighted line has its values beside it.
"""

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
# Space left and right of a line, space above and below a line, indentation per level, and minimum
# space between a line and its value, px at scale 1.
SIDE_SPACE, LINE_SPACE, INDENTATION, VALUE_GAP = 6.0, 1.0, 10.0, 10.0
# Minimum type size, px at scale 1.
MIN_SIZE = 7
# Font weight of values.
VALUE_WEIGHT = 600
# A value that does not fit beside its line is below the line. The layout always leaves room for up
# to this number of such values. More at once are rare, since a beat carries out few lines.
ROWS_BELOW = 3
# A value of typical length. Only lines with a label are highlighted. The layout leaves room in each
# of them for a value of at least this length.
TYPICAL_VALUE = "α = 0.123"


class PseudoCodePanel(FramePanel):
    """The algorithm as its publication prints it, below the name of the publication.

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
        self.listing.show_code(code, self._values_by_label(lane))
        source = f"{lane.method.label}: {code.source}" if lane and code else ""
        self.source.setText(source or (NO_CODE if lane else NO_RUN))

    @staticmethod
    def _values_by_label(lane: Lane | None) -> dict[str, str]:
        """Return the labels of the lines to highlight, each with its values as text."""
        if lane is None:
            return {}
        if lane.shown_beat is not None:
            return lines_of((lane.shown_beat.beat,))
        return lines_of(lane.event.beats) if lane.event else {}


class Listing(StyleFollower, QWidget):
    """Lines of pseudo-code in one type size; highlighted lines have values at their right.

    A value that does not fit beside its line is written below it.

    Attributes
    ----------
    code : PseudoCode or None
    highlighted : dict of str to str
        The values of each highlighted line, by the label of the line.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.code: PseudoCode | None = None
        self.highlighted: dict[str, str] = {}
        # The longest value of each label so far. The type size is such that all of them fit, so
        # that it does not change at each beat.
        self._longest: dict[str, str] = {}
        self._size_key: object = None
        self._size = MIN_SIZE
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.MinimumExpanding)
        self.follow_style(QWidget.updateGeometry)

    def show_code(self, code: PseudoCode | None, highlighted: dict[str, str]) -> None:
        """Show some code, or none; highlight the lines whose labels are keys of ``highlighted``.

        The values of ``highlighted`` are written beside these lines.
        """
        highlighted = {label: tidied(value) for label, value in highlighted.items()}
        if (code, highlighted) == (self.code, self.highlighted):
            return
        is_other_code = code != self.code
        self.code, self.highlighted = code, highlighted
        if is_other_code:
            self._longest, self._size_key = {}, None
        for label, value in highlighted.items():
            self._longest[label] = max(self._longest.get(label, TYPICAL_VALUE), value, key=len)
        lines = code.lines if code else ()
        spoken = (
            f"{line.text.strip()} {highlighted[line.label]}"
            for line in lines
            if line.label in highlighted
        )
        self.setAccessibleName("; ".join(spoken))
        if is_other_code:
            self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        lines = len(self.code.lines) if self.code else 1
        return QSize(look_of(self).metrics.px(260), math.ceil(lines * self._line_height(BODY)))

    def minimumSizeHint(self) -> QSize:
        return QSize(look_of(self).metrics.px(120), self.sizeHint().height())

    def _line_height(self, size: int) -> float:
        look = look_of(self)
        return QFontMetricsF(look.font(size)).height() + 2.0 * look.metrics.px(LINE_SPACE)

    def height_at(self, size: int) -> float:
        """Return the height at a type size, px, with the rows reserved for values below lines."""
        return self._rows(size) * self._line_height(size)

    @property
    def type_size(self) -> int:
        """The largest type size at which all lines and values fit, px at scale 1."""
        # The lines that are highlighted matter only if they are more than the reserved rows.
        labels = frozenset(self.highlighted) if len(self.highlighted) > ROWS_BELOW else None
        key = (self.width(), self.height(), self._line_height(BODY), dict(self._longest), labels)
        if key != self._size_key:
            self._size_key = key
            # Bisection measures few sizes: the first use of a font in a size takes Qt about 2 ms.
            larger = range(MIN_SIZE + 1, DISPLAY + 1)
            too_large = bisect_left(larger, True, key=lambda size: not self._fits_at(size))
            self._size = MIN_SIZE + too_large
        return self._size

    def _fits_at(self, size: int) -> bool:
        if self.height_at(size) > self.height():
            return False
        font_metrics = self._font_metrics(size)
        return all(
            max(map(font_metrics.horizontalAdvance, (line.text.strip(), self._value_of(line))))
            <= self._text_width(line)
            for line in self._lines
        )

    def _rows(self, size: int) -> int:
        """Return the number of rows of text, including those of values below their lines."""
        font_metrics = self._font_metrics(size)
        long_lines = [
            line for line in self._lines if self._is_long(line, self._value_of(line), font_metrics)
        ]
        highlighted_count = sum(line.label in self.highlighted for line in long_lines)
        return len(self._lines) + max(min(len(long_lines), ROWS_BELOW), highlighted_count)

    def _font_metrics(self, size: int) -> QFontMetricsF:
        return QFontMetricsF(look_of(self).font(size, VALUE_WEIGHT))

    @property
    def _lines(self) -> tuple[CodeLine, ...]:
        return self.code.lines if self.code else ()

    def _value_of(self, line: CodeLine) -> str:
        """Return the longest value that the line has had so far, or a typical one."""
        return self._longest.get(line.label, TYPICAL_VALUE) if line.label else ""

    def _is_long(self, line: CodeLine, value: str, font_metrics: QFontMetricsF) -> bool:
        """Return whether a line and its value are too long for one row."""
        if not value:
            return False
        needed = font_metrics.horizontalAdvance(line.text.strip()) + font_metrics.horizontalAdvance(
            value
        )
        return needed + look_of(self).metrics.px(VALUE_GAP) > self._text_width(line)

    def _indentation(self, line: CodeLine) -> float:
        """Return where the text of a line begins, px."""
        # Two spaces at the beginning of the text are one level.
        px, text = look_of(self).metrics.px, line.text
        return px(SIDE_SPACE) + (len(text) - len(text.lstrip())) / 2.0 * px(INDENTATION)

    def _text_width(self, line: CodeLine) -> float:
        """Return the width for the text of a line, px."""
        return self.width() - self._indentation(line) - look_of(self).metrics.px(SIDE_SPACE)

    def paintEvent(self, event: QPaintEvent) -> None:
        look, y, size = look_of(self), 0.0, self.type_size
        height, font_metrics = self._line_height(size), self._font_metrics(size)
        with QPainter(self) as painter:
            for line in self._lines:
                is_highlighted = line.label != "" and line.label in self.highlighted
                value = self.highlighted.get(line.label, "")
                row_count = 1 + self._is_long(line, value, font_metrics)
                box = QRectF(0.0, y, self.width(), row_count * height)
                if is_highlighted:
                    painter.fillRect(box, QColor(look.theme.accent_soft))
                    bar = QRectF(0.0, y, look.metrics.px(3), box.height())
                    painter.fillRect(bar, QColor(look.theme.highlight))
                inner = box.adjusted(
                    self._indentation(line), 0.0, -look.metrics.px(SIDE_SPACE), 0.0
                )
                self._write(painter, inner, line.text.strip(), value, is_highlighted, size)
                y += box.height()

    def _write(
        self, painter: QPainter, box: QRectF, text: str, value: str, is_highlighted: bool, size: int
    ) -> None:
        """Write a line at the upper left of its box, and its value at the lower right."""
        look, flags = look_of(self), Qt.AlignmentFlag
        painter.setFont(look.font(size, 500 if is_highlighted else 400))
        painter.setPen(QColor(look.theme.text if is_highlighted else look.theme.muted))
        painter.drawText(box, flags.AlignLeft | flags.AlignTop, text)
        if value:
            painter.setFont(look.font(size, VALUE_WEIGHT))
            painter.setPen(QColor(look.theme.highlight))
            painter.drawText(box, flags.AlignRight | flags.AlignBottom, value)

"""The Pseudo-code panel: the method as published, with the lines of the step shown highlighted.

The lines of a step are those that it carries out. If a beat is shown, which is one part of a step,
only the lines of the beat are highlighted. A highlighted line has its values beside it.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from solvers.run.beats import CodeLine, PseudoCode, lines_of
from svmviz.base.words import tidied
from svmviz.frames.frame import Frame, Lane
from svmviz.panels.frame_panel import FramePanel
from svmviz.stage.stage import Stage
from svmviz.theme import LABEL, SENTENCE, STRONG, TEXT, look_of
from svmviz.widgets.still_text import StillText
from svmviz.widgets.styling import StyleFollower

NO_CODE = "This method has no pseudo-code."
NO_RUN = "The pseudo-code of the method is shown here."
# Space left and right of a line, space above and below a line, indentation per level, and minimum
# space between a line and its value, px at scale 1.
SIDE_SPACE, LINE_SPACE, INDENTATION, VALUE_GAP = 6.0, 1.0, 10.0, 10.0
# Minimum type sizes, px at scale 1: on screen, where lines that do not fit are scrolled into sight,
# and in a file, which has all lines.
MIN_SIZE, MIN_SIZE_IN_FILE = LABEL, 7
# Number of rows that are always in sight.
MIN_ROWS = 6
# Maximum height of a row, as a multiple of that of its text: lines are farther apart if the panel
# is higher than all of them.
MAX_LEADING = 1.4
# Width of the bar that shows which lines are in sight, px at scale 1.
BAR_WIDTH = 3.0
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
        self.listing = self.add(CodeListing(), 1)

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        code = lane.pseudo_code if lane else None
        event = lane.explained_event if lane else None
        values = [line for beat in event.beats for line in beat.lines] if event else []
        self.listing.show_code(code, self._values_by_label(lane), values)
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


class CodeListing(StyleFollower, QWidget):
    """Lines of pseudo-code in one type size; highlighted lines have values at their right.

    A value that does not fit beside its line is written below it. If the lines do not fit in the
    smallest type, long ones are wrapped, and the highlighted ones are scrolled into sight.

    Attributes
    ----------
    code : PseudoCode or None
    highlighted : dict of str to str
        The values of each highlighted line, by the label of the line.
    """

    def __init__(self) -> None:
        super().__init__()
        self.code: PseudoCode | None = None
        self.highlighted: dict[str, str] = {}
        # The longest value of each label so far. The type size is such that all of them fit, so
        # that it does not change at each beat.
        self._longest: dict[str, str] = {}
        self._size_key: object = None
        self._size = MIN_SIZE
        # Height of the lines that are scrolled out of sight above, px.
        self._offset = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.MinimumExpanding)
        self.follow_style(CodeListing._apply_style)

    def show_code(
        self,
        code: PseudoCode | None,
        highlighted: dict[str, str],
        values_of_step: Iterable[tuple[str, str]] = (),
    ) -> None:
        """Show some code, or none; highlight the lines whose labels are keys of ``highlighted``.

        The values of ``highlighted`` are written beside these lines. ``values_of_step`` are label
        and value of every line of the step, which may be highlighted later: room is made for them
        at once.
        """
        highlighted = {label: tidied(value) for label, value in highlighted.items()}
        if (code, highlighted) == (self.code, self.highlighted):
            return
        is_other_code = code != self.code
        self.code, self.highlighted = code, highlighted
        if is_other_code:
            self._longest, self._size_key, self._offset = {}, None, 0.0
        others = ((label, tidied(value)) for label, value in values_of_step)
        for label, value in (*highlighted.items(), *others):
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
        self._scroll_to_highlighted()
        self.update()

    def sizeHint(self) -> QSize:
        lines = len(self.code.lines) if self.code else 1
        return QSize(look_of(self).metrics.px(260), math.ceil(lines * self._line_height(TEXT)))

    def minimumSizeHint(self) -> QSize:
        rows = min(len(self._lines), MIN_ROWS)
        return QSize(look_of(self).metrics.px(120), math.ceil(rows * self._line_height(MIN_SIZE)))

    def _apply_style(self) -> None:
        self.updateGeometry()
        self._scroll_to_highlighted()

    def _line_height(self, size: int) -> float:
        look = look_of(self)
        return QFontMetricsF(look.font(size)).height() + 2.0 * look.metrics.px(LINE_SPACE)

    def height_at(self, size: int) -> float:
        """Return the height at a type size, px, with the rows reserved for values below lines."""
        return self._rows(size) * self._line_height(size)

    def _row_height(self, size: int) -> float:
        """Return the height of a row of text, with the space that is left over."""
        needed = self.height_at(size)
        leading = self.height() / needed if needed else 1.0
        return self._line_height(size) * min(max(1.0, leading), MAX_LEADING)

    @property
    def type_size(self) -> int:
        """The largest type size at which all lines and values fit, px at scale 1.

        It is at least MIN_SIZE, even if they do not fit then, or MIN_SIZE_IN_FILE in a file.
        """
        # The size depends on the highlighted lines only if there are more of them than reserved
        # rows.
        labels = frozenset(self.highlighted) if len(self.highlighted) > ROWS_BELOW else None
        key = (self.width(), self.height(), self._line_height(TEXT), dict(self._longest), labels)
        if key != self._size_key:
            self._size_key = key
            # Bisection measures few sizes: the first use of a font in a size takes Qt about 2 ms.
            smallest = MIN_SIZE_IN_FILE if look_of(self).printing else MIN_SIZE
            larger = range(smallest + 1, SENTENCE + 1)
            too_large = bisect_left(larger, True, key=lambda size: not self._fits_at(size))
            self._size = smallest + too_large
        return self._size

    def _fits_at(self, size: int) -> bool:
        if self.height_at(size) > self.height():
            return False
        font_metrics = self._font_metrics(size)
        return all(
            max(map(font_metrics.horizontalAdvance, (self._text_of(line), self._value_of(line))))
            <= self._text_width(line)
            for line in self._lines
        )

    def _rows(self, size: int) -> int:
        """Return the number of rows of text, including those reserved for values below lines."""
        font_metrics = self._font_metrics(size)
        rows_of_text = sum(self._rows_of_text(line, font_metrics) for line in self._lines)
        long_lines = [
            line for line in self._lines if self._is_long(line, self._value_of(line), font_metrics)
        ]
        highlighted_count = sum(line.label in self.highlighted for line in long_lines)
        return rows_of_text + max(min(len(long_lines), ROWS_BELOW), highlighted_count)

    def _rows_of_text(self, line: CodeLine, font_metrics: QFontMetricsF) -> int:
        text, width = self._text_of(line), self._text_width(line)
        if font_metrics.horizontalAdvance(text) <= width:
            return 1
        box = QRectF(0.0, 0.0, max(width, 1.0), 1e6)
        height = font_metrics.boundingRect(box, Qt.TextFlag.TextWordWrap, text).height()
        return max(1, round(height / font_metrics.lineSpacing()))

    def places(self) -> list[tuple[float, float]]:
        """Return top and bottom of each line in this widget, px."""
        offset = self._offset
        return [(top - offset, bottom - offset) for top, bottom in self._places(self.type_size)]

    def _places(self, size: int) -> list[tuple[float, float]]:
        """Return top and bottom of each line as it is now, px, before scrolling."""
        font_metrics, row = self._font_metrics(size), self._row_height(size)
        places, top = [], 0.0
        for line in self._lines:
            value = self.highlighted.get(line.label, "")
            rows = self._rows_of_text(line, font_metrics) + self._is_long(line, value, font_metrics)
            places.append((top, top + rows * row))
            top += rows * row
        return places

    def _scroll_to_highlighted(self) -> None:
        """Scroll as little as possible until the highlighted lines are in sight."""
        size = self.type_size
        places = self._places(size)
        lit = [
            place
            for line, place in zip(self._lines, places, strict=True)
            if line.label and line.label in self.highlighted
        ]
        if lit:
            # Keep a line before and a line after them in sight, which show where they stand.
            first, last = lit[0][0], lit[-1][1]
            margin = max(0.0, min(self._line_height(size), (self.height() - last + first) / 2.0))
            self._offset = max(self._offset, last + margin - self.height())
            self._offset = min(self._offset, first - margin)
        self._clip_offset(places)

    def _clip_offset(self, places: list[tuple[float, float]]) -> None:
        height = places[-1][1] if places else 0.0
        self._offset = max(0.0, min(self._offset, height - self.height()))

    def _font_metrics(self, size: int) -> QFontMetricsF:
        return QFontMetricsF(look_of(self).font(size, STRONG))

    @property
    def _lines(self) -> tuple[CodeLine, ...]:
        return self.code.lines if self.code else ()

    def _value_of(self, line: CodeLine) -> str:
        """Return the longest value that the line has had so far, or a typical one."""
        value = self._longest.get(line.label, TYPICAL_VALUE) if line.label else ""
        return look_of(self).letters(value)

    def _is_long(self, line: CodeLine, value: str, font_metrics: QFontMetricsF) -> bool:
        if not value:
            return False
        letters, advance = look_of(self).letters, font_metrics.horizontalAdvance
        needed = advance(self._text_of(line)) + advance(letters(value))
        return needed + look_of(self).metrics.px(VALUE_GAP) > self._text_width(line)

    def _text_of(self, line: CodeLine) -> str:
        """Return the text of a line as it is painted, without its indentation."""
        return look_of(self).letters(line.text.strip())

    def _indentation(self, line: CodeLine) -> float:
        """Return where the text of a line begins, px."""
        # Two spaces at the beginning of the text are one level.
        px, text = look_of(self).metrics.px, line.text
        return px(SIDE_SPACE) + (len(text) - len(text.lstrip())) / 2.0 * px(INDENTATION)

    def _text_width(self, line: CodeLine) -> float:
        """Return the width for the text of a line, px."""
        return self.width() - self._indentation(line) - look_of(self).metrics.px(SIDE_SPACE)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._scroll_to_highlighted()

    def wheelEvent(self, event: QWheelEvent) -> None:
        places, before = self._places(self.type_size), self._offset
        self._offset -= event.angleDelta().y() / 120.0 * self._line_height(self.type_size)
        self._clip_offset(places)
        event.setAccepted(self._offset != before)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        look, size, places = look_of(self), self.type_size, self.places()
        above = 0.5 * (self._row_height(size) - self._line_height(size))
        with QPainter(self) as painter:
            for line, (top, bottom) in zip(self._lines, places, strict=True):
                is_highlighted = line.label != "" and line.label in self.highlighted
                value = self.highlighted.get(line.label, "")
                box = QRectF(0.0, top, self.width(), bottom - top)
                if is_highlighted:
                    painter.fillRect(box, QColor(look.theme.accent_soft))
                    bar = QRectF(0.0, top, look.metrics.px(3), box.height())
                    painter.fillRect(bar, QColor(look.theme.highlight))
                inner = box.adjusted(
                    self._indentation(line), above, -look.metrics.px(SIDE_SPACE), -above
                )
                self._write(painter, inner, self._text_of(line), value, is_highlighted, size)
            height = places[-1][1] - places[0][0] if places else 0.0
            if height > self.height() + 1.0:
                share, width = self.height() / height, look.metrics.px(BAR_WIDTH)
                top = share * self._offset
                bar = QRectF(self.width() - width, top, width, share * self.height())
                painter.fillRect(bar, QColor(look.theme.line_strong))

    def _write(
        self, painter: QPainter, box: QRectF, text: str, value: str, is_highlighted: bool, size: int
    ) -> None:
        """Write a line at the upper left of its box, and its value at the lower right."""
        look, flags = look_of(self), Qt.AlignmentFlag
        painter.setFont(look.font(size))
        painter.setPen(QColor(look.theme.text if is_highlighted else look.theme.muted))
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WordWrap)
        painter.drawText(box, text, option)
        if value:
            painter.setFont(look.font(size, STRONG))
            painter.setPen(QColor(look.theme.highlight))
            painter.drawText(box, flags.AlignRight | flags.AlignBottom, look.letters(value))

"""The title of a lane of a race: its colour, its method, and its step."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPolygonF

from svmviz.base.words import lane_titles
from svmviz.document.document import Document
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.part_risks import error_words
from svmviz.frames.standing import standing_of
from svmviz.plane.paint.style import Style
from svmviz.theme import BODY

# Sizes of a name and its standing, relative to the usual one: a long name becomes smaller before it
# is elided.
NAME_SIZES = (1.0, 0.9, 0.8, 0.7)
# A lane's place in words.
PLACES = ("", "1st", "2nd", "3rd", "4th")
# Height of a flag, and width of its pole, px at scale 1.
FLAG, FLAG_POLE = 14.0, 1.5
# Lengths in px at scale 1: the line under the lane in focus, the side of the coloured mark, and
# gaps.
FOCUS_LINE, MARK_SIDE, LEFT_GAP, AFTER_MARK, AFTER_NAME, RIGHT_GAP = 3.0, 11.0, 10.0, 8.0, 10.0, 6.0


@dataclass(frozen=True)
class Title:
    """Contents of a title.

    Attributes
    ----------
    name, words : str
        The method, and its step.
    shorter : tuple of str
        Words for narrow titles, the longest first.
    series : int
        Number of the lane's colour in the theme.
    focused : bool
        Whether the lane is in focus, which a line under it shows.
    leads : bool
        Whether the lane leads the race.
    place : int
        Its place among the lanes that have arrived, from 1; 0 if it has not arrived.
    """

    name: str = ""
    words: str = ""
    shorter: tuple[str, ...] = ()
    series: int = 0
    focused: bool = False
    leads: bool = False
    place: int = 0

    @property
    def text(self) -> str:
        """The title in one sentence."""
        standing = f", {self.standing}" if self.standing else ""
        return f"{self.name}: {self.words}{standing}"

    @property
    def standing(self) -> str:
        """What is written after the name, behind a flag if the lane has arrived."""
        return PLACES[self.place] if self.place else "leads" if self.leads else ""

    def longest_fitting(self, width_of: Callable[[str], float], room: float) -> str:
        """Return the longest words that fit into ``room`` px, or the shortest if none do."""
        words = (words for words in (self.words, *self.shorter) if width_of(words) <= room)
        return next(words, "" if self.shorter else self.words)


def titles_of(frame: Frame) -> list[Title]:
    """Return a title for each method of a race; none of them in focus."""
    lanes = [*frame.lanes, *[None] * len(frame.document.methods)]
    standing = standing_of(frame)
    places = [*standing.ranks, *[0] * len(frame.document.methods)]
    return [
        Title(
            name,
            *_progress(frame.document, lane),
            series=number,
            leads=number == standing.leader,
            place=places[number],
        )
        for number, (name, lane) in enumerate(
            zip(lane_titles(frame.document.methods), lanes, strict=False)
        )
    ]


def _progress(document: Document, lane: Lane | None) -> tuple[str, tuple[str, ...]]:
    """Return ``step 231 of 966``, at the end with the reason and the errors; and shorter.

    The errors stand beside each reason, and are the last that is left out.
    """
    if lane is None:
        return "", ()
    step, length = f"{lane.step:,}", f"{lane.length:,}"
    words = [f"step {step} of {length}", f"{step} of {length}", f"step {step}", step]
    if lane.at_end and lane.stop:
        reason = lane.stop.reason.replace("-", " ")
        errors = error_words(document, lane)
        places = [f"{place}, {reason}" for place in words] + [reason]
        words = [f"{place}, {known}" for place in places for known in errors]
        words += [*errors, f"step {step}", step]
    return words[0], tuple(words[1:])


def draw_title(painter: QPainter, title: Title, box: QRectF, style: Style, lines: int = 1) -> None:
    """Paint a title in a box, with the longest words that fit; a long name is smaller.

    With two lines the words are below the name.
    """
    theme, scale = style.theme, style.scale
    painter.fillRect(box, QColor(theme.panel))
    if title.focused:
        line = round(FOCUS_LINE * scale)
        foot = QRectF(box.left(), box.bottom() - line, box.width(), line)
        painter.fillRect(foot, QColor(theme.focus))
    side, corner = MARK_SIDE * scale, 2.0 * scale
    first = QRectF(box)
    first.setHeight(box.height() if lines == 1 else (box.height() - FOCUS_LINE * scale) / lines)
    left, top = box.left() + LEFT_GAP * scale, first.center().y() - 0.5 * side
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.series[title.series % len(theme.series)]))
    painter.drawRoundedRect(QRectF(left, top, side, side), corner, corner)
    x = left + side + AFTER_MARK * scale
    room = QRectF(first)
    room.setLeft(x)
    room.setRight(box.right() - RIGHT_GAP * scale)
    named = QRectF(room)
    share = _share_of_type(title, style, room.width())
    font = style.font(BODY * share, 600)
    if title.standing:
        # The standing is never cut; a long name is elided in front of it.
        taken = _standing_width(title, style, share) + AFTER_NAME * scale
        named.setRight(max(x, room.right() - taken))
    gone = _write(painter, named, _fitting_name(title.name, font, named.width()), font, theme.text)
    room.setLeft(min(x + gone + AFTER_NAME * scale, room.right()))
    if title.standing:
        gone = _draw_standing(painter, title, room, style, share)
        room.setLeft(min(room.left() + gone + AFTER_NAME * scale, room.right()))
    if lines > 1:
        room = QRectF(x, first.bottom(), box.right() - RIGHT_GAP * scale - x, first.height())
    measure = QFontMetricsF(style.font(BODY))
    words = title.longest_fitting(measure.horizontalAdvance, room.width())
    _write(painter, room, words, style.font(BODY), theme.muted)


def _share_of_type(title: Title, style: Style, room: float) -> float:
    """Return the largest of NAME_SIZES at which name and standing have room, or the smallest."""
    for share in NAME_SIZES:
        left, font = room, style.font(BODY * share, 600)
        if title.standing:
            left -= _standing_width(title, style, share) + AFTER_NAME * style.scale
        shown = _fitting_name(title.name, font, left)
        if QFontMetricsF(font).horizontalAdvance(shown) <= left:
            return share
    return NAME_SIZES[-1]


def _fitting_name(name: str, font: QFont, room: float) -> str:
    """Return a name; without room for it, only how the lane differs from others of its method.

    So "SMO (Platt 1998)" becomes "Platt 1998" in a narrow title.
    """
    difference = name.partition(" (")[2].removesuffix(")")
    if not difference or QFontMetricsF(font).horizontalAdvance(name) <= room:
        return name
    return difference[:1].upper() + difference[1:]


def _standing_width(title: Title, style: Style, share: float) -> float:
    flag = FLAG * style.scale if title.place else 0.0
    measure = QFontMetricsF(style.font(BODY * share, 600))
    return flag + measure.horizontalAdvance(title.standing) + 1.0


def _draw_standing(
    painter: QPainter, title: Title, room: QRectF, style: Style, share: float
) -> float:
    """Paint the flag and the standing at the left, and return their width, px."""
    theme, scale = style.theme, style.scale
    left, width = room.left(), 0.0
    if title.place:
        high = FLAG * scale
        foot, top = room.center().y() + 0.5 * high, room.center().y() - 0.5 * high
        painter.setPen(style.pen(theme.text, FLAG_POLE))
        painter.drawLine(QPointF(left, foot), QPointF(left, top))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.series[title.series % len(theme.series)]))
        corners = ((0.0, 0.0), (0.75, 0.28), (0.0, 0.56))
        painter.drawPolygon(
            QPolygonF([QPointF(left + x * high, top + y * high) for x, y in corners])
        )
        width = high
    rest = QRectF(room)
    rest.setLeft(min(left + width, room.right()))
    return width + _write(painter, rest, title.standing, style.font(BODY * share, 600), theme.text)


def _write(painter: QPainter, room: QRectF, text: str, font: QFont, colour: str) -> int:
    """Write at the left, and return the width of the text, px."""
    painter.setFont(font)
    painter.setPen(QColor(colour))
    measure = QFontMetricsF(font)
    text = measure.elidedText(text, Qt.TextElideMode.ElideRight, room.width())
    flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
    painter.drawText(room, flags, text)
    return math.ceil(measure.horizontalAdvance(text))

"""The title of a lane of a race: its colour, its method, and its step."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPolygonF

from svmviz.document.lanes import titles_of_lanes
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.part_risks import error_words
from svmviz.frames.standing import standing_of
from svmviz.plane.decision_study import machine_words
from svmviz.plane.paint.style import Style
from svmviz.theme import STRONG, TEXT

# Text sizes of the name of a method and of its standing (its rank, or "leads"), relative to the
# usual size. A long name becomes smaller before it is elided.
NAME_SIZES = (1.0, 0.9, 0.8, 0.7)
# The rank of a lane in words; empty for rank 0, which means that the lane has not arrived.
RANKS = ("", "done 1st", "done 2nd", "done 3rd", "done 4th")
# Height of a flag, and width of its pole, px at scale 1.
FLAG, FLAG_POLE = 14.0, 1.5
# Lengths in px at scale 1: height of the line under the lane in focus, side of the coloured mark,
# and gaps left of the mark, after the mark, after a name, and at the right edge.
FOCUS_LINE, MARK_SIDE, LEFT_GAP, AFTER_MARK, AFTER_NAME, RIGHT_GAP = 3.0, 11.0, 10.0, 8.0, 10.0, 6.0


@dataclass(frozen=True)
class Title:
    """Contents of a title.

    Attributes
    ----------
    name, words : str
        The method, and its step.
    shorter : tuple of str
        Shorter words for narrow titles, the longest first.
    series : int
        Index of the lane's colour in ``Theme.series``.
    focused : bool
        Whether the lane is in focus. Then a line is drawn under the title.
    leads : bool
        Whether the lane leads the race.
    rank : int
        Rank of the lane among those that have arrived, from 1; 0 if it has not arrived.
    skipped : int
        How many of the longest words are not painted, since another lane has no room for such.
    """

    name: str = ""
    words: str = ""
    shorter: tuple[str, ...] = ()
    series: int = 0
    focused: bool = False
    leads: bool = False
    rank: int = 0
    skipped: int = 0

    @property
    def text(self) -> str:
        """The title in one sentence."""
        standing = f", {self.standing}" if self.standing else ""
        return f"{self.name}: {self.words}{standing}"

    @property
    def standing(self) -> str:
        """The rank or "leads", which stands after the name, with a flag if the lane has arrived."""
        return RANKS[self.rank] if self.rank else "leads" if self.leads else ""

    def longest_fitting(self, width_of: Callable[[str], float], room: float) -> str:
        """Return the longest words that fit into ``room`` px.

        If none fit, return an empty string or, if ``shorter`` is empty, ``words``.
        """
        wordings = (self.words, *self.shorter)[self.skipped :]
        words = (words for words in wordings if width_of(words) <= room)
        return next(words, "" if self.shorter else self.words)


def titles_of(frame: Frame) -> list[Title]:
    """Return a title for each method of a race. None of them has ``focused`` set."""
    lanes = [*frame.lanes, *[None] * len(frame.document.methods)]
    standing = standing_of(frame)
    ranks = [*standing.ranks, *[0] * len(frame.document.methods)]
    return [
        Title(
            name,
            *_progress(frame, lane),
            series=number,
            leads=number == standing.leader,
            rank=ranks[number],
        )
        for number, (name, lane) in enumerate(
            zip(titles_of_lanes(frame.document), lanes, strict=False)
        )
    ]


def worded_alike(titles: Sequence[Title], width: float, style: Style) -> list[Title]:
    """Return titles of one line in this width, px, so that all say as much as fits in each of them.

    Lanes that have ended say something else than those that go on, and have other numbers of words.
    """
    measure = QFontMetricsF(style.font(TEXT)).horizontalAdvance
    skipped: dict[int, int] = {}
    for title in titles:
        room = _room_for_words(title, width, style)
        fits = [measure(words) <= room for words in (title.words, *title.shorter)]
        first = fits.index(True) if True in fits else len(fits) - 1
        skipped[len(fits)] = max(first, skipped.get(len(fits), 0))
    return [replace(title, skipped=skipped[1 + len(title.shorter)]) for title in titles]


def _room_for_words(title: Title, width: float, style: Style) -> float:
    """Return the width that name and standing leave in a title of one line, px."""
    scale = style.scale
    room = width - (LEFT_GAP + MARK_SIDE + AFTER_MARK + RIGHT_GAP) * scale
    share = _share_of_name(title, style, room)
    standing = 0.0
    if title.standing:
        standing = _standing_width(title, style, share) + AFTER_NAME * scale
    font = style.font(TEXT * share, STRONG)
    name = QFontMetricsF(font).horizontalAdvance(_fitting_name(title.name, font, room - standing))
    return room - standing - math.ceil(name) - AFTER_NAME * scale


def _progress(frame: Frame, lane: Lane | None) -> tuple[str, tuple[str, ...]]:
    """Return words such as ``step 231 of 966``, and shorter words, the longest first.

    At the end of a run, the reason why it ended and the errors on the data follow. Shorter words
    leave out the step first, and then the reason. The shortest words are the number of the step.
    """
    if lane is None:
        return "", ()
    step, length = f"{lane.step:,}", f"{lane.length:,}"
    words = [f"step {step} of {length}", f"{step} of {length}", f"step {step}", step]
    if lane.at_end and lane.stop:
        reason = lane.stop.reason.replace("-", " ")
        errors = error_words(frame.document, lane, machine_words(frame))
        endings = [f"{steps}, {reason}" for steps in words] + [reason]
        words = [f"{ending}, {error}" for ending in endings for error in errors]
        words += [*errors, f"step {step}", step]
    return words[0], tuple(words[1:])


def draw_title(painter: QPainter, title: Title, box: QRectF, style: Style, lines: int = 1) -> None:
    """Paint a title in a box, with the longest words that fit, and a long name in smaller text.

    With two lines, the words are below the name.
    """
    theme, scale = style.theme, style.scale
    painter.fillRect(box, QColor(theme.panel))
    if title.focused:
        line_height = round(FOCUS_LINE * scale)
        underline = QRectF(box.left(), box.bottom() - line_height, box.width(), line_height)
        painter.fillRect(underline, QColor(theme.focus))
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
    name_box = QRectF(room)
    share = _share_of_name(title, style, room.width())
    font = style.font(TEXT * share, STRONG)
    if title.standing:
        # The standing is never elided, but a long name in front of it may be.
        standing_width = _standing_width(title, style, share) + AFTER_NAME * scale
        name_box.setRight(max(x, room.right() - standing_width))
    width = _write(
        painter, name_box, _fitting_name(title.name, font, name_box.width()), font, theme.text
    )
    room.setLeft(min(x + width + AFTER_NAME * scale, room.right()))
    if title.standing:
        width = _draw_standing(painter, title, room, style, share)
        room.setLeft(min(room.left() + width + AFTER_NAME * scale, room.right()))
    if lines > 1:
        room = QRectF(x, first.bottom(), box.right() - RIGHT_GAP * scale - x, first.height())
    measure = QFontMetricsF(style.font(TEXT))
    words = title.longest_fitting(measure.horizontalAdvance, room.width())
    _write(painter, room, words, style.font(TEXT), theme.muted)


def _share_of_name(title: Title, style: Style, room: float) -> float:
    """Return the largest of NAME_SIZES at which name and standing fit; the smallest if none do."""
    for share in NAME_SIZES:
        width_left, font = room, style.font(TEXT * share, STRONG)
        if title.standing:
            width_left -= _standing_width(title, style, share) + AFTER_NAME * style.scale
        shown_name = _fitting_name(title.name, font, width_left)
        if QFontMetricsF(font).horizontalAdvance(shown_name) <= width_left:
            return share
    return NAME_SIZES[-1]


def _fitting_name(name: str, font: QFont, room: float) -> str:
    """Return a name or, if it does not fit, the part that differs between lanes of one method.

    So "SMO (Platt 1998)" becomes "Platt 1998" in a narrow title.
    """
    difference = name.partition(" (")[2].removesuffix(")")
    if not difference or QFontMetricsF(font).horizontalAdvance(name) <= room:
        return name
    return difference[:1].upper() + difference[1:]


def _standing_width(title: Title, style: Style, share: float) -> float:
    """Return the width of flag and standing, px; ``share`` is the relative size of the text."""
    flag = FLAG * style.scale if title.rank else 0.0
    measure = QFontMetricsF(style.font(TEXT * share, STRONG))
    return flag + measure.horizontalAdvance(title.standing) + 1.0


def _draw_standing(
    painter: QPainter, title: Title, room: QRectF, style: Style, share: float
) -> float:
    """Paint the flag and the standing at the left of a box, and return their width, px."""
    theme, scale = style.theme, style.scale
    left, width = room.left(), 0.0
    if title.rank:
        height = FLAG * scale
        foot, top = room.center().y() + 0.5 * height, room.center().y() - 0.5 * height
        painter.setPen(style.pen(theme.text, FLAG_POLE))
        painter.drawLine(QPointF(left, foot), QPointF(left, top))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.series[title.series % len(theme.series)]))
        corners = ((0.0, 0.0), (0.75, 0.28), (0.0, 0.56))
        painter.drawPolygon(
            QPolygonF([QPointF(left + x * height, top + y * height) for x, y in corners])
        )
        width = height
    text_box = QRectF(room)
    text_box.setLeft(min(left + width, room.right()))
    return width + _write(
        painter, text_box, title.standing, style.font(TEXT * share, STRONG), theme.text
    )


def _write(painter: QPainter, room: QRectF, text: str, font: QFont, colour: str) -> int:
    """Write a text at the left of a box, and return its width, px."""
    painter.setFont(font)
    painter.setPen(QColor(colour))
    measure = QFontMetricsF(font)
    text = measure.elidedText(text, Qt.TextElideMode.ElideRight, room.width())
    flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
    painter.drawText(room, flags, text)
    return math.ceil(measure.horizontalAdvance(text))

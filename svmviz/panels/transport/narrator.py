"""The sentence under the transport on what the step did, in type for the last row of a lecture."""

from __future__ import annotations

import math
import time

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QFontMetricsF, QHideEvent, QPainter, QPaintEvent, QTextOption
from PySide6.QtWidgets import QSizePolicy, QWidget

from solvers import Reason, Stop
from solvers.jit import cache
from solvers.jit.helper import progress
from svmviz.base.words import count, lane_titles, number, tidied
from svmviz.document.document import Document
from svmviz.frames import part_risks
from svmviz.frames.frame import Frame, Lane
from svmviz.stage.stage import Stage
from svmviz.theme import BODY, LEAD, TITLE, font, look_of
from svmviz.widgets.styling import TypeFollower

# Time after which a notice says that there is no step yet, ms.
NOTICE_DELAY = 250
# Time between two updates of the notice, ms.
NOTICE_INTERVAL = 500
# Maximum number of lines of the sentence.
LINES = 2
# Maximum size of the type, as a fraction of the height of the window. The last row of a lecture
# reads this size without effort.
SHARE = 1.0 / 30.0


class Narrator(TypeFollower, QWidget):
    """One sentence in at most two lines. The height of the widget is fixed.

    Parameters
    ----------
    stage : Stage
    parent : QWidget, optional
    """

    def __init__(self, stage: Stage, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._frame = stage.session, stage.feed.panel_frame
        self._head, self._text = "", ""
        self._waiting = QTimer(self)
        self._waiting.timeout.connect(self._show_waiting)
        self._since = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        stage.feed.panel_frame_changed.connect(self._show_frame)
        # No new frame comes while the next solver is compiled.
        stage.session.document_changed.connect(self._watch)
        self._show_frame(stage.feed.panel_frame)

    @property
    def text(self) -> str:
        """The whole text."""
        return f"{self._head} {self._text}".strip()

    @property
    def sizes(self) -> tuple[int, ...]:
        """Type sizes to try, px, the largest first. The first in which the text fits is used."""
        highest = max(TITLE, round(SHARE * self.window().height()))
        scale = look_of(self).metrics.scale
        sizes = [min(highest, round(size * scale)) for size in (TITLE, LEAD, BODY)]
        # If the user has enlarged the type, a long sentence gets smaller before it is cut.
        return (*sizes, *range(sizes[-1] - 1, BODY - 1, -1))

    def _show_frame(self, frame: Frame) -> None:
        lane, self._frame = frame.lane, frame
        if self._session.waiting and self._waiting.isActive() and frame.lanes:
            return
        if lane is not None and (lane.length or lane.stop):
            self._waiting.stop()
            self._show(*sentence(lane, frame.document))
        elif frame.trouble:
            self._waiting.stop()
            # The message of a library may be pages long.
            self._show("", tidied(frame.trouble.partition("\n")[0]))
        else:
            self._watch()

    def _watch(self) -> None:
        if not self._waiting.isActive():
            self._since = time.monotonic()
            self._waiting.start(NOTICE_DELAY)

    def _show_waiting(self) -> None:
        """Show that the solver is compiled or works on its first step, and the progress."""
        frame, session = self._frame, self._session
        lane = frame.lane
        if not session.waiting and (frame.trouble or (lane and (lane.length or lane.stop))):
            self._waiting.stop()
            self._show_frame(frame)
            return
        methods = [lane.method for lane in frame.lanes] or frame.document.methods
        if session.waiting:
            methods = session.document.methods
        names = " and ".join(dict.fromkeys(method.label for method in methods))
        waited = math.floor(time.monotonic() - self._since)
        if session.is_compiling:
            self._show("", compiling(names, waited, progress()))
        else:
            self._show("", working(names, waited))
        self._waiting.start(NOTICE_INTERVAL)

    def _show(self, head: str, text: str) -> None:
        if (head, text) != (self._head, self._text):
            self._head, self._text = head, text
            self.setAccessibleName(self.text)
            self.update()

    def sizeHint(self) -> QSize:
        look = look_of(self)
        line = QFontMetricsF(font(self.sizes[0], scale=1.0)).lineSpacing()
        return QSize(look.metrics.px(400), math.ceil(LINES * line) + 2 * look.metrics.px(6))

    def hideEvent(self, event: QHideEvent) -> None:
        self._waiting.stop()
        super().hideEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        look = look_of(self)
        with QPainter(self) as painter:
            box = self._box
            size = self.type_size
            if self._head:
                painter.setFont(font(size, 600, 1.0))
                painter.setPen(QColor(look.theme.text))
                painter.drawText(box, Qt.AlignmentFlag.AlignLeft, self._head)
                box.setLeft(box.left() + self._head_width(size))
            painter.setFont(font(size, scale=1.0))
            painter.setPen(QColor(look.theme.text))
            option = QTextOption()
            option.setWrapMode(QTextOption.WrapMode.WordWrap)
            painter.drawText(box, self._text, option)

    def _head_width(self, size: int) -> float:
        """Return the width of the step label; it depends on the number of digits only."""
        return QFontMetricsF(font(size, 600, 1.0)).horizontalAdvance(self._head + "   ")

    @property
    def _box(self) -> QRectF:
        """The rectangle of the text, px."""
        px = look_of(self).metrics.px
        return QRectF(self.rect()).adjusted(px(16), px(6), -px(16), -px(6))

    @property
    def type_size(self) -> int:
        """Type size in use, px: the largest in which the sentence has at most two lines."""
        box = self._box
        *larger, smallest = self.sizes
        for size in larger:
            measure = QFontMetricsF(font(size, scale=1.0))
            room = QRectF(0, 0, box.width() - (self._head_width(size) if self._head else 0), 1e6)
            needs = measure.boundingRect(room, Qt.TextFlag.TextWordWrap, self._text)
            # In a small type a third line would fit, but three lines are harder to read than two.
            if needs.height() <= min(box.height(), LINES * measure.lineSpacing()) + 1:
                return size
        return smallest


def compiling(names: str, waited: int, done: tuple[int, int] | None = None) -> str:
    """Return the notice before the first step.

    Parameters
    ----------
    names : str
        Names of the methods that are compiled.
    waited : int
        Time since the edit, s.
    done : (int, int) or None
        Number of functions that another process has compiled, and number of all functions; None if
        this process does not wait for another one.
    """
    if done is not None:
        return f"Compiling {names}, once for this machine: {done[0]} of {done[1]} parts are done…"
    if cache.is_refused:
        return f"Compiling {names}: it cannot be kept on this computer{_so_far(waited)}…"
    return f"Getting {names} ready{_so_far(waited)}…"


def working(names: str, waited: int) -> str:
    """Return the notice during a long first step, which has taken ``waited`` seconds."""
    return f"Working on the first step of {names}{_so_far(waited)}…"


def _so_far(waited: int) -> str:
    return f" ({count(waited)} s so far)" if waited else ""


def sentence(lane: Lane, document: Document) -> tuple[str, str]:
    """Return the step label and its sentence; at the end of a run, also the errors of the parts."""
    if lane.at_end and lane.stop is not None:
        return "", f"{_ending(lane, lane.stop)} {part_risks.error_sentence(document, lane)}"
    if lane.shown_beat is not None:
        shown = lane.shown_beat
        head = f"Step {count(shown.step)} · {shown.number} of {shown.count}"
        return head, tidied(shown.beat.sentence)
    if lane.event is not None:
        return f"Step {count(lane.step)}", tidied(lane.event.sentence)
    return "Start", f"{_start(lane)} Play, or take a step."


def caption(frame: Frame) -> str:
    """Return the caption of a picture: the step and its sentence; empty if nothing is solved."""
    lane = frame.lane
    if lane is None:
        return ""
    if lane.at_end and lane.stop is not None:
        words = f"{_ending(lane, lane.stop)} {part_risks.error_sentence(frame.document, lane)}"
    elif lane.event is not None:
        words = f"Step {count(lane.step)}. {tidied(lane.event.sentence)}"
    else:
        words = _start(lane)
    return (
        f"{lane_titles(frame.document.methods)[frame.focus]}: {words}" if frame.lanes[1:] else words
    )


def _start(lane: Lane) -> str:
    """Return a sentence on step 0: the last run's solution, f = b, or the method's own start."""
    fitted = lane.problem.task == "regression"
    weighted = int(np.count_nonzero(lane.expansion.beta))
    if not weighted:
        b = number(lane.expansion.bias)
        constant = f"b = {b}" if b != "0" else "0"
        return f"All {'β' if fitted else 'α'} are 0, so f(x) = {constant} everywhere."
    if lane.warm:
        return "From the solution of the last run."
    n = lane.problem.n
    points = f"all {count(n)}" if weighted == n else f"{count(weighted)} of {count(n)}"
    return f"{lane.method.label} starts with {'β ≠ 0' if fitted else 'α > 0'} at {points} points."


def _ending(lane: Lane, stop: Stop) -> str:
    """Return a sentence on why the run ended.

    The steps of a preview are counted from the solution of the last run, not from zero.
    """
    ended = tidied(stop.sentence)
    if not lane.warm:
        return ended
    if lane.length == 0 and stop.reason is Reason.CONVERGED:
        return "Continued from the last run: no step was needed."
    return f"Continued from the last run. {ended}"

"""The narrator below the transport: a sentence on what a step did, in large type for lectures."""

from __future__ import annotations

import math
import time
from bisect import bisect_left

from PySide6.QtCore import QRectF, QSize, Qt, QTimer
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QHideEvent,
    QPainter,
    QPaintEvent,
    QTextOption,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from solvers.jit import cache
from solvers.jit.helper import is_waited_for
from svmviz.base.announcer import Announcer
from svmviz.base.words import count, tidied
from svmviz.document.lanes import titles_of_lanes
from svmviz.frames.frame import Frame
from svmviz.lessons.shows import RUN, STEP
from svmviz.plane.decision_study import machine_words
from svmviz.plane.sentences import race_sentence, sentence
from svmviz.stage.prediction import Prediction
from svmviz.stage.stage import Stage
from svmviz.theme import LABEL, SENTENCE, STRONG, TEXT, TITLE, font, look_of
from svmviz.widgets.styling import TypeFollower

# If the first step of a run takes longer than this, ms, a notice says what is being computed, and
# for how long.
NOTICE_DELAY = 250
# Time between two updates of the notice, ms.
NOTICE_INTERVAL = 500
# Said in place of the sentence while a lesson hides the sentence, or the whole run.
HIDDEN_WORDS = "The lesson asks what the step does, so it is not told here."
HIDDEN_RUN = "The lesson asks first, so the run is not shown yet."
# Said below the step label while a step is explained in its parts.
EXPLAINED = "Esc ends the explanation"
# Maximum number of lines of the sentence.
MAX_LINES = 2
# Maximum text size as a fraction of the height of the window; up to SENTENCE px are always allowed.
# On a projector, text of this size is legible from the last row of a lecture hall.
MAX_TYPE_SHARE = 1.0 / 30.0


class Narrator(TypeFollower, QWidget):
    """Widget with the label and the sentence of a step, in at most two lines; its height is fixed.

    Parameters
    ----------
    stage : Stage
    """

    def __init__(self, stage: Stage) -> None:
        super().__init__()
        self._session, self._frame = stage.session, stage.feed.panel_frame
        self._stage, self._view = stage, stage.view
        self._prediction = stage.prediction
        # The step label in bold, such as "Step 12", and its sentence.
        self._head, self._text = "", ""
        # Timer of the notice, active while there is no first step; and the time at which the
        # waiting began, s.
        self._notice_timer = QTimer(self)
        self._notice_timer.timeout.connect(self._show_waiting)
        self._announcer = Announcer(self)
        self._waiting_since = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        stage.feed.panel_frame_changed.connect(self._show_frame)
        # Bound methods, not lambdas: Qt disconnects them when a presentation and its caption end.
        stage.prediction.changed.connect(self._show_again)
        # While the solver of a new document is compiled, no frame comes, so waiting begins here.
        stage.session.document_changed.connect(self._watch)
        stage.view.hiding_changed.connect(self._show_again)
        stage.playback.beats_switched.connect(self._show_switch)
        self._show_frame(stage.feed.panel_frame)

    @property
    def text(self) -> str:
        """The step label and its sentence."""
        return f"{self._head} {self._text}".strip()

    @property
    def sizes(self) -> tuple[int, ...]:
        """Text sizes to try, px, the largest first; `type_size` is the first that fits."""
        highest = max(SENTENCE, round(MAX_TYPE_SHARE * self.window().height()))
        scale = look_of(self).metrics.scale
        sizes = [min(highest, round(size * scale)) for size in (SENTENCE, TITLE, TEXT)]
        # Smaller sizes are tried too, before a sentence is cut.
        return (*sizes, *range(sizes[-1] - 1, LABEL - 1, -1))

    def _show_frame(self, frame: Frame) -> None:
        lane, self._frame = frame.lane, frame
        # The frame belongs to an earlier document, so the notice on the newest document stays.
        if self._session.waiting and self._notice_timer.isActive() and frame.lanes:
            return
        if lane is not None and (lane.length or lane.stop):
            self._notice_timer.stop()
            words = question_words(self._prediction) or race_sentence(frame)
            head, text = words or sentence(
                lane,
                frame.document,
                is_counted=not self._prediction.is_on,
                machine=machine_words(frame, with_name=True),
            )
            if words is None and frame.lanes[1:]:
                text = f"{titles_of_lanes(frame.document)[frame.focus]}: {text}"
            hidden = self._view.hidden
            if RUN in hidden:
                head, text = "", HIDDEN_RUN
            elif STEP in hidden:
                text = HIDDEN_WORDS
            self._show(head, text)
        elif frame.trouble:
            self._notice_timer.stop()
            # Only the first line is shown, because the message of a library may be pages long.
            self._show("", tidied(frame.trouble.partition("\n")[0]))
        else:
            if not frame.lanes and not self._notice_timer.isActive():
                # What was said may be the trouble of an earlier document.
                self._show("", "")
            self._watch()

    def _show_again(self) -> None:
        """Show the frame again, after what is said of it changed."""
        self._show_frame(self._frame)

    def _show_switch(self) -> None:
        """Show whether a step is explained."""
        self.setAccessibleDescription(self._note)
        self.update()

    @property
    def _note(self) -> str:
        return EXPLAINED if self._stage.is_explaining else ""

    @property
    def _note_font(self) -> QFont:
        metrics = look_of(self).metrics
        return font(metrics.label, scale=metrics.scale)

    def _watch(self) -> None:
        """Begin to wait for a first step."""
        if not self._notice_timer.isActive():
            self._waiting_since = time.monotonic()
            self._notice_timer.start(NOTICE_DELAY)

    def _show_waiting(self) -> None:
        """Say that the solver is being compiled or works on its first step, and for how long."""
        frame, session = self._frame, self._session
        lane = frame.lane
        if not session.waiting and (frame.trouble or (lane and (lane.length or lane.stop))):
            self._notice_timer.stop()
            self._show_frame(frame)
            return
        methods = [lane.method for lane in frame.lanes] or frame.document.methods
        if session.waiting:
            methods = session.document.methods
        names = " and ".join(dict.fromkeys(method.label for method in methods))
        seconds = math.floor(time.monotonic() - self._waiting_since)
        if session.is_compiling:
            self._show("", compiling_words(names, seconds, is_waited_for()), f"Preparing {names}")
        else:
            self._show("", working_words(names, seconds), f"Working on {names}")
        self._notice_timer.start(NOTICE_INTERVAL)

    def _show(self, head: str, text: str, spoken: str = "") -> None:
        """Show the step label and a sentence; ``spoken`` is announced instead, if it is given."""
        if (head, text) != (self._head, self._text):
            self._head, self._text = head, text
            shown = ". ".join(part for part in (head, text) if part)
            self.setAccessibleName(shown)
            self._announcer.say(spoken or shown)
            self.update()

    def sizeHint(self) -> QSize:
        look = look_of(self)
        line = QFontMetricsF(font(self.sizes[0], scale=1.0)).lineSpacing()
        return QSize(look.metrics.px(400), math.ceil(MAX_LINES * line) + 2 * look.metrics.px(6))

    def hideEvent(self, event: QHideEvent) -> None:
        self._notice_timer.stop()
        super().hideEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        look = look_of(self)
        with QPainter(self) as painter:
            box = self._box
            size = self.type_size
            if self._head:
                painter.setFont(font(size, STRONG, 1.0))
                painter.setPen(QColor(look.theme.text))
                painter.drawText(box, Qt.AlignmentFlag.AlignLeft, self._head)
            if self._note:
                measure = QFontMetricsF(font(size, STRONG, 1.0))
                painter.setFont(self._note_font)
                painter.setPen(QColor(look.theme.muted))
                below = measure.lineSpacing() if self._head else 0.0
                place = box.adjusted(0.0, below, 0.0, 0.0)
                painter.drawText(place, Qt.AlignmentFlag.AlignLeft, self._note)
            box.setLeft(box.left() + self._head_width(size))
            painter.setFont(font(size, scale=1.0))
            painter.setPen(QColor(look.theme.text))
            option = QTextOption()
            option.setWrapMode(QTextOption.WrapMode.WordWrap)
            painter.drawText(box, look.letters(self.shown_text), option)

    def _head_width(self, size: int) -> float:
        """Return the width of the step label and the note below it, with the space after, px."""
        if not self._head and not self._note:
            return 0.0
        measure = QFontMetricsF(font(size, STRONG, 1.0))
        note = QFontMetricsF(self._note_font).horizontalAdvance(self._note)
        return max(measure.horizontalAdvance(self._head), note) + measure.horizontalAdvance("   ")

    @property
    def _box(self) -> QRectF:
        """The rectangle of the text, px."""
        px = look_of(self).metrics.px
        return QRectF(self.rect()).adjusted(px(16), px(6), -px(16), -px(6))

    @property
    def type_size(self) -> int:
        """Text size in use, px: the largest in which the sentence has at most two lines.

        If there is none: the largest in which all its lines fit, or else the smallest.
        """
        # In small type a third line would fit, but three lines are harder to read than two.
        for max_lines in (MAX_LINES, math.inf):
            for size in self.sizes:
                if self._fits(self._text, size, max_lines):
                    return size
        return self.sizes[-1]

    @property
    def shown_text(self) -> str:
        """The sentence, without its last words if they do not fit."""
        size, words = self.type_size, self._text.split(" ")
        if self._fits(self._text, size, math.inf):
            return self._text
        starts = [f"{' '.join(words[:count])}…" for count in range(1, len(words))]
        too_long = bisect_left(starts, True, key=lambda text: not self._fits(text, size, math.inf))
        return starts[max(too_long - 1, 0)] if starts else self._text

    def _fits(self, text: str, size: int, max_lines: float) -> bool:
        """Return whether a text in a size has at most some number of lines, and all are whole."""
        box, measure = self._box, QFontMetricsF(font(size, scale=1.0))
        width = box.width() - self._head_width(size)
        shown = look_of(self).letters(text)
        needed = measure.boundingRect(QRectF(0, 0, width, 1e6), Qt.TextFlag.TextWordWrap, shown)
        return needed.height() <= min(box.height(), max_lines * measure.lineSpacing()) + 1


def compiling_words(names: str, seconds: int, elsewhere: bool = False) -> str:
    """Return the notice while methods are being compiled.

    Parameters
    ----------
    names : str
        Names of the methods.
    seconds : int
        Time since the edit, s.
    elsewhere : bool
        Whether this process waits for another one that compiles.
    """
    if elsewhere:
        return f"Preparing {names}, once for this machine{_so_far(seconds)}…"
    if cache.is_refused:
        return (
            f"Preparing {names}; what is prepared cannot be stored on this computer"
            f"{_so_far(seconds)}…"
        )
    return f"Getting {names} ready{_so_far(seconds)}…"


def working_words(names: str, seconds: int) -> str:
    """Return the notice during a long first step, which has taken ``seconds`` so far."""
    return f"Working on the first step of {names}{_so_far(seconds)}…"


def _so_far(seconds: int) -> str:
    return f" ({count(seconds)} s so far)" if seconds else ""


def question_words(prediction: Prediction) -> tuple[str, str] | None:
    """Return the step label and the question that waits; None if there is none."""
    if prediction.question is None:
        return None
    head = f"Step {count(prediction.step)} · part {prediction.part}"
    choices = (f"{k}: {text}" for k, text in enumerate(prediction.question.choices, 1))
    return head, tidied(f"{prediction.question.ask} {', '.join(choices)}".strip())

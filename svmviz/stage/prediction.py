"""*Predict first*: before a beat of a step is shown, its outcome is asked for."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QTimer, Signal

from solvers import Run
from solvers.run.beats import BeatQuestion
from svmviz.frames.frame import Frame, Lane, ShownBeat
from svmviz.lessons.replies import (
    Answer,
    accepts,
    answer_in_words,
    reply_to,
    wrong_numbers,
)
from svmviz.playback.playback import Playback
from svmviz.stage.picking import Picking

# Kinds of questions, in the order in which their counts are shown, and their names there.
KINDS = {"number": "numbers", "case": "cases", "point": "points"}
FIRST = "First answer, or look."


class Prediction(QObject):
    """The question on the next beat that waits for its answer, and the count of right answers.

    While a question waits, the beat before stays on screen, so that nothing shows the outcome.

    Parameters
    ----------
    playback : Playback
    picking : Picking

    Attributes
    ----------
    is_on : bool
        Whether a question about each beat is asked before the beat is shown.
    question : BeatQuestion or None
        The question that waits.
    step, part : int
        The step that it is about, and the number of its part, from 1.
    reply : str
        The reply to the last answer; may be empty.
    is_right : bool
        Whether the reply is to a right answer.
    wrong : tuple of int
        Positions of the numbers of the last answer that are wrong.

    Signals
    -------
    changed()
    """

    changed = Signal()

    def __init__(self, playback: Playback, picking: Picking) -> None:
        super().__init__()
        self._playback, self._picking = playback, picking
        picking.picked.connect(self.name)
        self.is_on = False
        self.question: BeatQuestion | None = None
        self.step, self.part = 0, 0
        self.reply = ""
        self.is_right = False
        self.wrong: tuple[int, ...] = ()
        # How many questions were answered, and not looked at, since the program was started.
        self.answered = 0
        self._lane: Lane | None = None
        # The beat whose questions are asked, and those of its questions that are still to be asked.
        self._beat: ShownBeat | None = None
        self._waiting: list[BeatQuestion] = []
        self._is_first_try = True
        # The run of which the user asked for the next beat before the frame of the present beat
        # came.
        self._wanted: Run | None = None
        # By kind: how many were right at first try, and how many were asked.
        self._tally = {kind: [0, 0] for kind in KINDS}
        # Run, step and number of the beats whose questions were answered or looked at.
        self._done: set[tuple[int, int, int]] = set()

    @property
    def tally(self) -> dict[str, tuple[int, int]]:
        """By kind, how many questions were right at first try, and how many there were."""
        return {kind: (right, asked) for kind, (right, asked) in self._tally.items()}

    @property
    def is_asking(self) -> bool:
        """Whether questions are asked: they are switched on, and steps are shown in beats."""
        return self.is_on and self._playback.by_beats

    def set_on(self, is_on: bool) -> None:
        """Switch questions on or off, and reset the count."""
        if is_on == self.is_on:
            return
        self.is_on = self._playback.looks_ahead = is_on
        self._tally = {kind: [0, 0] for kind in KINDS}
        self._done.clear()
        self._close()
        self._playback.frame_needed.emit()
        self.changed.emit()

    def show_frame(self, frame: Frame) -> None:
        """Note the frame on screen; a question about another position is withdrawn."""
        self._lane = frame.lane
        if self._beat is not None and self._key(self._next) != self._key(self._beat):
            self._close()
            self.changed.emit()
        if self._wanted is not None and self._is_current:
            is_same, self._wanted = self._wanted is self._playback.run, None
            if not is_same:
                return
            # Later, since the views of this frame are still being drawn.
            QTimer.singleShot(0, self, self._playback.go_on)

    def holds(self, direction: int) -> bool:
        """Return whether a question must be answered before this movement; ask it if it is new."""
        if not self.is_asking or self._playback.player.playing:
            return False
        self._wanted = None
        if direction < 0:
            self._close()
            self.changed.emit()
            return False
        if self.question is not None:
            self.reply, self.is_right = FIRST, False
            self.changed.emit()
            return True
        playback = self._playback
        if playback.player.following:
            # No beat follows the end. So start again, and begin with a question.
            playback.go_to_start() if playback.finished else playback.pause()
        if not self._is_current:
            self._wanted = playback.run
            return True
        self.reply = ""
        return self._open()

    def choose(self, index: int) -> None:
        """Answer the question by a choice."""
        if self.question is not None and self.question.choices:
            self._settle(index)

    def answer(self, numbers: Sequence[float]) -> None:
        """Answer the question by numbers."""
        if self.question is not None and self.question.numbers:
            self._settle(tuple(numbers))

    def name(self, points: Sequence[int]) -> None:
        """Answer the question by points."""
        if self.question is not None and self.question.candidates:
            self._settle(tuple(points))

    def look(self) -> bool:
        """Show the beat without an answer; return whether a question waited."""
        if self.question is None:
            return False
        self._count(right=False)
        self.reply, self.is_right = answer_in_words(self.question), False
        self._reveal()
        return True

    # Internals.

    @property
    def _next(self) -> ShownBeat | None:
        return self._lane.next_beat if self._lane is not None else None

    @property
    def _is_current(self) -> bool:
        """Whether the frame on screen is that of the position of the playback."""
        lane, playback, run = self._lane, self._playback, self._playback.run
        if lane is None or run is None:
            return False
        beat = lane.shown_beat
        beats = beat.number if beat is not None and beat.step > lane.step else 0
        place = lane.run, lane.step, beats
        return lane.looked_ahead and place == (run.number, playback.step, playback.beats)

    def _key(self, beat: ShownBeat | None) -> tuple[int, int, int] | None:
        if beat is None or self._lane is None:
            return None
        return self._lane.run, beat.step, beat.number

    def _open(self) -> bool:
        """Ask the questions of the next beat; return False if it has none that is new."""
        beat = self._next
        key = self._key(beat)
        if beat is None or key is None or key in self._done or not beat.beat.questions:
            return False
        self._beat, self._waiting = beat, list(beat.beat.questions)
        self._ask()
        return True

    def _ask(self) -> None:
        assert self._beat is not None
        self.question = self._waiting.pop(0)
        self.step, self.part = self._beat.step, self._beat.number
        self.wrong, self._is_first_try = (), True
        self._picking.ask_points(len(self.question.candidates))
        self.changed.emit()

    def _settle(self, answer: Answer) -> None:
        question = self.question
        assert question is not None
        if not accepts(question, answer):
            self.reply, self.is_right = reply_to(question, answer), False
            self.wrong = tuple(wrong_numbers(question, answer))
            self._count(right=False)
            self.changed.emit()
            return
        self._count(right=True)
        self.answered += 1
        self.reply, self.is_right = f"Right: {answer_in_words(question)}", True
        if self._waiting:
            self._ask()
        else:
            self._reveal()

    def _count(self, right: bool) -> None:
        """Count the first try of the question."""
        if self._is_first_try and self.question is not None:
            self._is_first_try = False
            self._tally[self.question.kind][0] += right
            self._tally[self.question.kind][1] += 1

    def _reveal(self) -> None:
        key, reply, was_right = self._key(self._beat), self.reply, self.is_right
        if key is not None:
            self._done.add(key)
        self._close()
        self._playback.go_on()
        self.reply, self.is_right = reply, was_right
        self.changed.emit()

    def _close(self) -> None:
        if self.question is not None and self.question.candidates:
            self._picking.stop()
        self.question, self._beat, self._waiting = None, None, []
        self.reply, self.is_right, self.wrong = "", False, ()

"""The position in the recorded runs and its movement, which the transport controls.

A :class:`~svmviz.playback.player.Player` stores a position on a clock, and the speed at which the
position moves. A player knows no runs. :class:`Playback` has a player and knows the session: it
converts the position to a step of each run, can wait until a step is recorded and then go to it,
and emits signals.

Playback makes no frame. At each tick of a timer, :mod:`svmviz.playback.feed` advances the playback
and requests the frame of its position. A *lane* is one run of a race; without a race there is one
lane. A *beat* is one part of the explanation of a step.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from solvers import Run
from svmviz.document.step_marks import StepMarks
from svmviz.frames.clocks import CLOCKS, STEPS, Clock
from svmviz.frames.frame import Lane
from svmviz.playback.glide import glide_shares
from svmviz.playback.pace import Pace
from svmviz.playback.player import Player, next_support_change, next_sweep
from svmviz.session.session import Session


class Target(NamedTuple):
    """A step to go to as soon as it is recorded, and whether to play from there."""

    step: int
    plays: bool


class Playback(QObject):
    """The position in the recorded runs, its speed and its clock, and the lane in focus.

    Attributes
    ----------
    player : Player
    clock : Clock
        The clock of the player's position; it stays chosen while there is a race.
    focus : int
        Index of the lane in focus, which the panels show.
    marks : StepMarks
        The loop and the bookmarks; they stay while points or model change.

    Signals
    -------
    moved()
        The position, the speed or the length has changed, or playing or solving has begun or ended.
    focus_changed()
        Another lane is in focus.
    frame_needed()
        Another frame may have to be shown.
    marked()
        ``marks`` has changed.
    held()
        A movement was stopped at ``reach``.
    beats_switched(bool)
        Whether steps are shown in beats has changed.
    """

    moved = Signal()
    focus_changed = Signal()
    frame_needed = Signal()
    marked = Signal()
    held = Signal()
    beats_switched = Signal(bool)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.player = Player()
        self.clock: Clock = STEPS
        self.focus = 0
        self.marks = StepMarks()
        self._pace = Pace(self.player)
        self._target: Target | None = None
        # A function that Right and Left call first, for example to move through the lines of a
        # derivation. It gets the direction, +1 or -1, and returns whether it has moved.
        self.detour: Callable[[int], bool] = lambda _direction: False
        # The last step of the lane in focus that may be shown. It is finite while a question waits
        # that asks for a later step.
        self.limit: Callable[[], float] = lambda: math.inf
        # Whether frames have the next beat, so that a question can be asked about it.
        self.looks_ahead = False
        self._by_beats = False
        # Number of beats from ``step`` to the position shown in the lane in focus. It is negative
        # after a move backwards, until the frame thread has found the step of that position.
        self._beats = 0
        self._announced: tuple | None = None
        # First, so that the others see the document of the lane in focus.
        session.document_changed.connect(lambda: session.look_from(self.focus))

    # State.

    @property
    def length(self) -> int:
        """The largest recorded reading of the clock in any lane."""
        return self.clock.length(self._session.runs)

    @property
    def reach(self) -> int:
        """The largest reading that may be shown: ``length``, or that of ``limit``."""
        limit, run = self.limit(), self.run
        if run is None or limit >= run.steps:
            return self.length
        return min(self.clock.reading(run, int(limit)), self.length)

    @property
    def is_limited(self) -> bool:
        """Whether less than what is recorded may be shown."""
        return self.reach < self.length

    @property
    def step(self) -> int:
        """The step to show of the lane in focus."""
        run = self.run
        return 0 if run is None else self.clock.steps((run,), self.player.reading)[0]

    @property
    def lane_steps(self) -> tuple[int, ...] | None:
        """The step to show of each lane; None to show the newest step of each lane."""
        if self.player.shows_newest and not self.is_limited and not self._plays_loop:
            return None
        return self.clock.steps(self._session.runs, self.player.reading)

    @property
    def lane_shares(self) -> tuple[float, ...]:
        """How far each lane has moved to its step; see :func:`.glide.glide_shares`."""
        return glide_shares(self.player, self.clock, self._session.runs, self.lane_steps)

    @property
    def by_beats(self) -> bool:
        """Whether :meth:`go_on` and :meth:`go_back` move by beats."""
        return self._by_beats

    @property
    def beats(self) -> int | None:
        """Number of beats from ``step`` to the position to show in the lane in focus.

        It is negative for a position before ``step``. None if steps are not shown in beats.
        """
        is_moving = self.player.playing or self._session.previewing
        return self._beats if self._by_beats and not is_moving else None

    @property
    def loop(self) -> tuple[int, int] | None:
        """The range that is played round and round; None if there is none in these runs.

        While a race is compared by another clock than steps, there is none.
        """
        loop = self.marks.loop if self.clock is STEPS else None
        if loop is None or (loop[0] >= self.reach and (self.finished or self.is_limited)):
            return None
        return loop

    @property
    def _plays_loop(self) -> bool:
        return self.player.playing and self.loop is not None

    @property
    def finished(self) -> bool:
        """Whether all runs have ended."""
        return all(run.finished for run in self._session.runs)

    @property
    def is_at_end(self) -> bool:
        """Whether all runs have ended and their last step is shown."""
        return self.finished and self.player.reading >= self.length

    @property
    def is_moving(self) -> bool:
        """Whether the picture changes all the time: while playing, solving or dragging."""
        return self.player.playing or not self.finished or self._session.previewing

    @property
    def is_gliding(self) -> bool:
        """Whether the step shown may glide now although playback is paused."""
        return self.player.may_glide and not self.player.playing

    @property
    def run(self) -> Run | None:
        """The run of the lane in focus; None if there are no runs."""
        runs = self._session.runs
        return runs[min(self.focus, len(runs) - 1)] if runs else None

    # Commands.

    def play(self) -> None:
        if self.is_limited and self.player.reading >= self.reach:
            self.held.emit()
        else:
            self._move_player(lambda: self.player.play(self.reach, self.finished, self.loop))

    def pause(self) -> None:
        self._move_player(self.player.pause)

    def toggle(self) -> None:
        self.pause() if self.player.playing else self.play()

    def seek(self, reading: float) -> None:
        """Go to a reading of the clock; by default, the clock counts steps."""
        self._move_player(lambda: self.player.seek(reading, self.reach))
        if reading > self.reach:
            self.held.emit()

    def seek_step(self, step: float) -> None:
        """Go to a step of the lane in focus."""
        run = self.run
        if run is not None:
            self.seek(self.clock.reading(run, max(0, min(int(step), run.steps))))

    def seek_when_recorded(self, step: int) -> None:
        """Go to a step as soon as it is recorded, or to the last step if the run ends before."""
        self._target = Target(step, plays=False)
        self.frame_needed.emit()

    def play_when_recorded(self) -> None:
        """Play from step 0 as soon as the runs of the newest edit exist."""
        self._target = Target(0, plays=True)
        self.frame_needed.emit()

    def move(self, steps: int) -> None:
        """Go forwards by this many steps of the lane in focus, or backwards if negative.

        After one step forwards the picture glides to the new step (:mod:`svmviz.playback.glide`).
        But if it is still gliding to an earlier step, it jumps to the new step.
        """
        player = self.player
        position, is_at_rest = player.position, not player.may_glide
        if self.clock is STEPS:
            self.seek(player.reading + steps)
        else:
            self.seek_step(self.step + steps)
        if steps == 1 and is_at_rest and player.position > position:
            player.glide_from(position)

    def go_on(self) -> None:
        """Go to the next step, or to the next beat if ``by_beats``, unless ``detour`` moves."""
        self._go(1)

    def go_back(self) -> None:
        """Go to the step before, or to the beat before if ``by_beats``."""
        self._go(-1)

    def set_by_beats(self, by_beats: bool) -> None:
        """Set whether steps are shown in beats.

        If ``by_beats``, playing stops, and the first beat of the step shown comes first. Where the
        playback follows to the end, the position stays, and the next beat is the first one of the
        run. Otherwise, the whole step is shown whose beats were shown.
        """
        if by_beats == self._by_beats:
            return
        self._by_beats = by_beats
        if by_beats and not (self.player.following and self.finished):
            self.pause()
            if self.step > 0:
                self.seek_step(self.step - 1)
                self._beats = 1
        elif not by_beats and self._beats > 0:
            self.seek_step(self.step + 1)
        self._beats = self._beats if by_beats else 0
        self.frame_needed.emit()
        self.announce()
        self.beats_switched.emit(by_beats)

    def settle_beats(self, step: int, requested_beats: int, lane: Lane) -> None:
        """Store the step and the beat that a frame shows, if steps are shown in beats.

        Only the frame thread knows how many beats a step has. So it finds the step and the beat of
        a request (``step``, and ``requested_beats`` after it), and this is called when the frame is
        made, with its lane in focus.
        """
        if self.beats is None or step != self.step:
            # The user has moved the position since the request.
            return
        beat = lane.shown_beat
        # The number of a beat of the next step; 0 if the last beat of the lane's step is shown.
        shown_beats = beat.number if beat is not None and beat.step > lane.step else 0
        # The user may have moved by further beats since the request.
        beats = self._beats - requested_beats + shown_beats
        if lane.step != self.step:
            self.seek_step(lane.step)
        self._beats = beats

    def go_to_start(self) -> None:
        self.seek(0)

    def go_to_end(self) -> None:
        """Go to the last step, and stay at the end while further steps are recorded."""
        self.seek(self.length) if self.is_limited else self._move_player(self.player.follow)

    def next_change(self) -> None:
        """Go to the next step that changes the set of support vectors."""
        self._jump(next_support_change)

    def next_sweep(self) -> None:
        """Go to the first step of the next sweep."""
        self._jump(next_sweep)

    def set_clock(self, name: str) -> None:
        """Use a clock of :data:`svmviz.frames.clocks.CLOCKS`; keep the focused lane's step."""
        step, following, target = self.step, self.player.following, self._target
        self.clock = CLOCKS[name]
        self._pace.renew()
        self._move_player(self.player.follow) if following else self.seek_step(step)
        self._target = target

    def set_focus(self, lane: int) -> None:
        """Put another lane in focus."""
        if lane != self.focus:
            self.focus = lane
            self._session.look_from(lane)
            self.focus_changed.emit()
            self.frame_needed.emit()
            self.announce()

    def mark(self, marks: StepMarks) -> None:
        """Set the loop and the bookmarks."""
        if marks != self.marks:
            self.marks = marks
            self.marked.emit()

    def set_glides(self, glides: bool) -> None:
        self.player.glides = glides
        self.frame_needed.emit()

    def set_speed(self, steps_per_second: float) -> None:
        """Set the user's speed of playing; see :meth:`svmviz.playback.pace.Pace.choose`."""
        self._pace.choose(steps_per_second)
        self.moved.emit()

    def suggest_speed(self, steps_per_second: float) -> None:
        """Set the speed of playing for the document and all edits of it.

        See :meth:`svmviz.playback.pace.Pace.suggest`.
        """
        self._pace.suggest(steps_per_second, self._session.document)
        self.moved.emit()

    def fit_speed_again(self) -> None:
        """Fit the speed to the next finished run; see :meth:`svmviz.playback.pace.Pace.renew`."""
        self._pace.renew()

    # Driven by the feed.

    def advance(self, seconds: float) -> None:
        """Go to the target if it is recorded, and move for the time that has passed, s."""
        self._fit_speed()
        self._reach_target()
        was_playing, is_limited = self.player.playing, self.is_limited
        self.player.tick(seconds, self.reach, self.finished or is_limited, self.loop)
        # A card that opens goes to its step, and no one has asked for a later one.
        is_asked = self._target is None
        if is_limited and was_playing and not self.player.playing and is_asked:
            self.held.emit()

    def follow_new_runs(self) -> None:
        """Go to the end of new runs, and stay there while they grow.

        With a single run, the clock counts steps again, because other clocks only compare lanes.
        """
        self._beats = 0
        if len(self._session.document.methods) == 1:
            self.clock = STEPS
        self.player.follow()
        self.frame_needed.emit()
        self.announce()

    def announce(self) -> None:
        """Emit ``moved`` if anything that it reports has changed since it was last emitted."""
        player, clock = self.player, self.clock.name
        state = (player.reading, clock, self.focus, player.playing, player.following)
        state += (self.length, self.finished, self.beats)
        if state != self._announced:
            self._announced = state
            self.moved.emit()

    # Internals.

    def _go(self, direction: int) -> None:
        if self.detour(direction):
            return
        if not self._by_beats:
            self.move(direction)
            return
        if direction > 0 and self.is_limited and self.player.reading >= self.reach:
            self.held.emit()
            return
        if self.player.following and self.finished and direction > 0:
            # No beat follows the end, so start again.
            self.go_to_start()
        elif self.player.playing or self.player.following:
            self._move_player(self.player.pause)
        self._target = None
        self._beats += direction
        if self.step == 0:
            # No beat precedes the start.
            self._beats = max(self._beats, 0)
        self.frame_needed.emit()
        self.announce()

    def _move_player(self, action: Callable[[], None]) -> None:
        """Call a command of the player, and forget the target and the beats."""
        self._target = None
        self._beats = 0
        action()
        self.frame_needed.emit()
        self.announce()

    def _jump(self, find_step: Callable) -> None:
        """Go to the step that ``find_step(run, step)`` returns; to the last step if it is None."""
        run = self.run
        if run is not None:
            target = find_step(run, self.step)
            self.seek_step(run.steps if target is None else target)

    def _fit_speed(self) -> None:
        """When all runs have finished, let the pace fit the speed to their lengths."""
        session = self._session
        if not session.runs or not self.finished or session.previewing or session.waiting:
            return
        if self._pace.fit_runs(session.solved, session.runs, self.clock):
            self.moved.emit()

    def _reach_target(self) -> None:
        """Go to the target if its step is recorded. If the runs ended before, go to the end."""
        target, session, run = self._target, self._session, self.run
        if target is None or session.waiting or run is None:
            return
        if run.steps >= target.step or self.finished:
            self.seek_step(target.step)
            if target.plays:
                self.play()

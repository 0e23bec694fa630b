"""The position in the recording and its movement, which the transport controls.

A :class:`~svmviz.playback.player.Player` is a position on a clock that moves at a speed; it knows
no runs. :class:`Playback` has a player and knows the session: it converts the position to the step
of each run that is to be shown, goes to steps that are recorded later, and emits signals.

Playback makes and shows no frame itself:
:mod:`svmviz.playback.feed` advances it by a timer, and requests the frame of each position. A
*lane* is one run of a race; without a race there is one lane.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from solvers import Run
from svmviz.frames.clocks import CLOCKS, STEPS, Clock
from svmviz.frames.frame import Lane
from svmviz.playback.glide import glide_share
from svmviz.playback.pace import Pace
from svmviz.playback.player import Player, next_support_change, next_sweep
from svmviz.session.session import Session


class Target(NamedTuple):
    """A step to go to once it is recorded, and whether to play from it."""

    step: int
    plays: bool


class Playback(QObject):
    """Position, speed and clock of the recording, and the lane in focus.

    Signals
    -------
    moved : position, speed or length has changed, or playing or solving has begun or ended
    focus_changed : the panels show another lane
    frame_needed : another frame may have to be shown
    """

    moved = Signal()
    focus_changed = Signal()
    frame_needed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.player = Player()
        self.clock: Clock = STEPS
        self.focus = 0
        self._pace = Pace(self.player)
        self._target: Target | None = None
        self._by_beats = False
        # How many beats after the step of the player the lane in focus is shown.
        self._beats = 0
        self._announced: tuple | None = None

    # State.

    @property
    def length(self) -> int:
        """The largest reading of the clock over all lanes; the clock counts steps by default."""
        return self.clock.length(self._session.runs)

    @property
    def step(self) -> int:
        """The step to be shown of the lane in focus."""
        run = self._run
        return 0 if run is None else self.clock.steps((run,), self.player.reading)[0]

    @property
    def lane_steps(self) -> tuple[int, ...] | None:
        """The step to be shown of each lane; None for the newest step of each."""
        if self.player.shows_newest:
            return None
        return self.clock.steps(self._session.runs, self.player.reading)

    @property
    def lane_shares(self) -> tuple[float, ...]:
        """How far each lane has glided to its step, 0 to 1; empty if none glides."""
        steps, player = self.lane_steps, self.player
        if steps is None or not player.may_glide:
            return ()
        runs = zip(self._session.runs, steps, strict=True)
        shares = tuple(glide_share(player, self.clock, run, step) for run, step in runs)
        return shares if min(shares, default=1.0) < 1.0 else ()

    @property
    def by_beats(self) -> bool:
        """Whether :meth:`go_on` and :meth:`go_back` move by beats."""
        return self._by_beats

    @property
    def beats(self) -> int | None:
        """How many beats after its step the lane in focus is shown.

        None if steps are not shown in beats.
        """
        moving = self.player.playing or self._session.previewing
        return self._beats if self._by_beats and not moving else None

    @property
    def finished(self) -> bool:
        """Whether the recording is complete."""
        return all(run.finished for run in self._session.runs)

    @property
    def is_moving(self) -> bool:
        """Whether frames follow one another: playing, solving, or dragging."""
        return self.player.playing or not self.finished or self._session.previewing

    @property
    def is_gliding(self) -> bool:
        """Whether the picture may be between two steps although playback is paused."""
        return self.player.may_glide and not self.player.playing

    @property
    def _run(self) -> Run | None:
        runs = self._session.runs
        return runs[min(self.focus, len(runs) - 1)] if runs else None

    # Commands.

    def play(self) -> None:
        """Start moving."""
        self._do(lambda: self.player.play(self.length, self.finished))

    def pause(self) -> None:
        """Stop playing."""
        self._do(self.player.pause)

    def toggle(self) -> None:
        """Play or pause."""
        self.pause() if self.player.playing else self.play()

    def seek(self, reading: float) -> None:
        """Go to a reading of the clock, which counts steps by default."""
        self._do(lambda: self.player.seek(reading, self.length))

    def seek_step(self, step: float) -> None:
        """Go to a step of the lane in focus."""
        run = self._run
        if run is not None:
            self.seek(self.clock.reading(run, max(0, min(int(step), run.steps))))

    def seek_when_recorded(self, step: int) -> None:
        """Go to a step as soon as it is recorded (or the run has ended before it)."""
        self._target = Target(step, plays=False)
        self.frame_needed.emit()

    def play_when_recorded(self) -> None:
        """Play from step 0 as soon as there is a recording of the newest edit."""
        self._target = Target(0, plays=True)
        self.frame_needed.emit()

    def move(self, steps: int) -> None:
        """Go forwards by a number of steps of the lane in focus, or backwards if it is negative.

        After one step forwards the picture glides to the new step (:mod:`svmviz.playback.glide`).
        If it is still gliding from an earlier step, it jumps to the new step instead.
        """
        player = self.player
        position, rests = player.position, not player.may_glide
        if self.clock is STEPS:
            self._do(lambda: player.move(steps, self.length))
        else:
            self.seek_step(self.step + steps)
        if steps == 1 and rests and player.position > position:
            player.glide_from(position)

    def go_on(self) -> None:
        """Go to the next step, or by beats to the next beat."""
        self._go(1)

    def go_back(self) -> None:
        """Go to the step before, or by beats to the beat before."""
        self._go(-1)

    def set_by_beats(self, by_beats: bool) -> None:
        """Set whether a step is shown in its beats.

        Playing stops. The step shown stays, unless it is the last of a run that has ended: there
        is nothing to explain after it, so it goes to step 0, as playing does.
        """
        if by_beats == self._by_beats:
            return
        self._by_beats = by_beats
        if by_beats and self.finished and self.player.reading >= self.length:
            self.go_to_start()
        elif by_beats:
            self.pause()
        else:
            self._beats = 0
            self.frame_needed.emit()
            self.announce()

    def settle_beats(self, step: int, requested: int, lane: Lane) -> None:
        """Store the place that a number of beats has led to, once its frame is made.

        Parameters
        ----------
        step, requested : int
            The step of the lane in focus that was requested, and how many beats after it.
        lane : Lane
            This lane in the frame that was made.
        """
        if self.beats is None or step != self.step:
            # The user has gone elsewhere since.
            return
        beat = lane.shown_beat
        shown = beat.number if beat is not None and beat.step > lane.step else 0
        # The user may have requested further beats since.
        beats = self._beats - requested + shown
        if lane.step != self.step:
            self.seek_step(lane.step)
        self._beats = beats

    def go_to_start(self) -> None:
        """Go to step 0."""
        self.seek(0)

    def go_to_end(self) -> None:
        """Go to the last step, and stay there while more come."""
        self._do(self.player.follow)

    def next_change(self) -> None:
        """Go to the next step that changes the set of support vectors."""
        self._jump(next_support_change)

    def next_sweep(self) -> None:
        """Go to the next sweep."""
        self._jump(next_sweep)

    def set_clock(self, name: str) -> None:
        """Compare lanes by a clock of :data:`svmviz.frames.clocks.CLOCKS`; the step stays."""
        step, following = self.step, self.player.following
        self.clock = CLOCKS[name]
        self._pace.renew()
        if following:
            self._do(self.player.follow)
        else:
            self.seek_step(step)

    def set_focus(self, lane: int) -> None:
        """Have the panels show another lane."""
        if lane != self.focus:
            self.focus = lane
            self.focus_changed.emit()
            self.frame_needed.emit()
            self.announce()

    def set_glides(self, glides: bool) -> None:
        """Have the picture glide from step to step while playing slowly, or jump."""
        self.player.glides = glides
        self.frame_needed.emit()

    def set_speed(self, steps_per_second: float) -> None:
        """Set the speed of playing for good; infinite shows the newest step at every tick."""
        self._pace.choose(steps_per_second)
        self.moved.emit()

    def suggest_speed(self, steps_per_second: float) -> None:
        """Set the speed of playing for the document and its edits, until the user sets another."""
        self._pace.suggest(steps_per_second, self._session.document)
        self.moved.emit()

    def fit_speed_again(self) -> None:
        """Fit the speed to the next finished run, unless the user has set one."""
        self._pace.renew()

    # Driven by the feed.

    def advance(self, seconds: float) -> None:
        """Move by the time passed; go to a target that is recorded by now."""
        self._fit_speed()
        self._reach_target()
        self.player.tick(seconds, self.length, self.finished)

    def follow_new_runs(self) -> None:
        """Go to the end of the runs that have just replaced the old ones."""
        self._beats = 0
        self.player.follow()
        self.frame_needed.emit()
        self.announce()

    def announce(self) -> None:
        """Emit ``moved`` if something has changed since it was last emitted.

        This can be the reading, the clock, the lane in focus or the beat; whether playback plays or
        follows; the length of the recording, or whether it is complete.
        """
        player, clock = self.player, self.clock.name
        state = (player.reading, clock, self.focus, player.playing, player.following)
        state += (self.length, self.finished, self.beats)
        if state != self._announced:
            self._announced = state
            self.moved.emit()

    # Internals.

    def _go(self, direction: int) -> None:
        if not self._by_beats:
            self.move(direction)
            return
        if self.player.following and self.finished and direction > 0:
            # There is nothing after the end, so start again.
            self.go_to_start()
        elif self.player.playing or self.player.following:
            self._do(self.player.pause)
        self._target = None
        self._beats += direction
        if self.step == 0:
            # There is nothing before the start.
            self._beats = max(self._beats, 0)
        self.frame_needed.emit()
        self.announce()

    def _do(self, action: Callable[[], None]) -> None:
        self._target = None
        self._beats = 0
        action()
        self.frame_needed.emit()
        self.announce()

    def _jump(self, find: Callable) -> None:
        run = self._run
        if run is not None:
            found = find(run, self.step)
            self.seek_step(run.steps if found is None else found)

    def _fit_speed(self) -> None:
        """Play finished runs at the speed that fits their lengths."""
        session, pace = self._session, self._pace
        runs = session.runs
        if not runs or not self.finished or session.previewing or session.waiting:
            return
        if len(runs) > 1:
            is_new = pace.fit_race(session.solved, self.clock.first_arrival(runs))
        else:
            pace.end_race()
            is_new = pace.fit(session.solved, self.length)
        if is_new:
            self.moved.emit()

    def _reach_target(self) -> None:
        target, session, run = self._target, self._session, self._run
        if target is None or session.waiting or run is None:
            return
        if run.steps >= target.step or self.finished:
            self.seek_step(target.step)
            if target.plays:
                self.play()

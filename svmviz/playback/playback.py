"""From the recording to the screen: a timer moves the player and asks for frames.

One request is under way at a time, so a slow frame slows nothing but itself. Planes draw what
``frame_changed`` brings, panels what ``panel_frame_changed`` brings. The next frame is made when
this one is painted; ARCHITECTURE.md says why.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from solvers import Run
from svmviz.frames.clocks import CLOCKS, STEPS, Clock
from svmviz.frames.curves import Curve
from svmviz.frames.frame import Frame, Viewport
from svmviz.frames.maker import FrameMaker, Request
from svmviz.frames.studies import Study, is_unfinished
from svmviz.playback.pace import Pace
from svmviz.playback.player import Player, next_support_change, next_sweep
from svmviz.session.session import Session

# Time between two looks at the player, ms.
TICK = 15
# Nodes of the field along the longer side, while things move and once they rest.
COARSE, FINE = 96, 320
# A frame that takes longer stops the player's clock, s.
OVERDUE = 0.25
# While things move, time between two changes of what panels say: no eye reads faster, s.
TELLING = 0.04
# Rest before the field is drawn finely, s.
REST = 0.15


class Playback(QObject):
    """The position in the recording, and the frames of it.

    Signals
    -------
    frame_changed : object (Frame)
        What is to be shown now.
    panel_frame_changed : object (Frame)
        The same for panels of numbers and charts; while things move, not at every frame.
    curves_changed : object (tuple of Curve)
        Objective values over steps, as they become known.
    focus_changed : the panels show another lane
    moved : position, speed, length, playing or finished are others
    """

    frame_changed = Signal(object)
    panel_frame_changed = Signal(object)
    curves_changed = Signal(object)
    focus_changed = Signal()
    moved = Signal()
    _made = Signal(object, object)
    _failed = Signal(object, str)
    _drew = Signal(object)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.player = Player()
        self._pace = Pace(self.player)
        self.clock: Clock = STEPS
        self.focus = 0
        self.frame = Frame(session.document)
        self.curves: tuple[Curve, ...] = ()
        self._viewport = Viewport(-1.0, 1.0, -1.0, 1.0)
        self._studies: dict[str, Study] = {}
        self._asked: tuple | None = None
        # The frame that panels speak of; where which clock stood in it, and in the one shown.
        self.panel_frame = self.frame
        self._read: tuple[Clock, int] | None = None
        self._drawn: tuple[Clock, int] | None = None
        self._asked_at = 0.0
        self._target: int | None = None
        self._play_at_target = False
        # A frame is being made; one is shown, but not painted yet.
        self._waiting = self._unseen = self._closed = False
        self._number = 0
        self._said: tuple | None = None
        self._told_at = self._said_at = 0.0
        self._clock = time.monotonic()
        self._still_since = self._clock
        self._made.connect(self._on_made)
        self._drew.connect(self._on_drew)
        self._failed.connect(self._on_failed)
        self._maker = FrameMaker(self._made.emit, self._failed.emit, self._drew.emit)
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK)
        self._timer.timeout.connect(self._tick)
        session.document_changed.connect(self._on_document_changed)
        session.runs_changed.connect(self._on_runs_changed)
        self._on_runs_changed()

    # What there is.

    @property
    def length(self) -> int:
        """How far the longest lane has come, on the clock (steps, unless it is another one)."""
        return self.clock.length(self._session.runs)

    @property
    def reading(self) -> int:
        """Where the clock stands in the frame that is told; the player may be ahead of it."""
        clock, reading = self._read or (None, 0)
        return min(reading if clock is self.clock else self.player.reading, self.length)

    @property
    def step(self) -> int:
        """The step asked for of the lane in focus."""
        run = self._run
        return 0 if run is None else self.clock.steps((run,), self.player.reading)[0]

    @property
    def _run(self) -> Run | None:
        runs = self._session.runs
        return runs[min(self.focus, len(runs) - 1)] if runs else None

    @property
    def finished(self) -> bool:
        """Whether no more steps will come."""
        return all(run.finished for run in self._session.runs)

    @property
    def _is_moving(self) -> bool:
        return self.player.playing or not self.finished or self._session.previewing

    # What can be done.

    def play(self) -> None:
        """Start moving."""
        self._do(lambda: self.player.play(self.length, self.finished))

    def pause(self) -> None:
        """Stand still."""
        self._do(self.player.pause)

    def toggle(self) -> None:
        """Play or pause."""
        self.pause() if self.player.playing else self.play()

    def seek(self, reading: float) -> None:
        """Go to where the clock stood at a reading (a step, unless it is another clock)."""
        self._do(lambda: self.player.seek(reading, self.length))

    def seek_step(self, step: float) -> None:
        """Go to a step of the lane in focus."""
        run = self._run
        if run is not None:
            self.seek(self.clock.reading(run, max(0, min(int(step), run.steps))))

    def seek_when_recorded(self, step: int) -> None:
        """Go to a step as soon as it is recorded (or the run has ended before it)."""
        self._target, self._play_at_target = step, False
        self._wake()

    def play_when_recorded(self) -> None:
        """Play from step 0 as soon as there is a recording of the newest edit."""
        self._target, self._play_at_target = 0, True
        self._wake()

    def move(self, steps: int) -> None:
        """Go some steps of the lane in focus on, or back."""
        if self.clock is STEPS:
            self._do(lambda: self.player.move(steps, self.length))
        else:
            self.seek_step(self.step + steps)

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
            self._wake()
            self._say()

    def set_speed(self, steps_per_second: float) -> None:
        """Set the speed of playing for good; infinite shows the newest step at every tick."""
        self._pace.choose(steps_per_second)
        self.moved.emit()

    def suggest_speed(self, steps_per_second: float) -> None:
        """Play the document shown at a speed; other runs have one that fits their length again."""
        self._pace.suggest(steps_per_second, self._session.document)
        self.moved.emit()

    def set_viewport(self, *viewport: float) -> None:
        """Set what part of the plane is shown: fields of :class:`svmviz.frames.frame.Viewport`."""
        self._viewport = Viewport(*viewport)
        self._wake()

    def subscribe(self, name: str, study: Study) -> None:
        """Have every frame bring the result of a study; see :mod:`svmviz.frames.studies`."""
        self._studies = {**self._studies, name: study}
        self._wake()

    @property
    def studies(self) -> frozenset[str]:
        """Names of the studies whose results frames bring."""
        return frozenset(self._studies)

    def unsubscribe(self, name: str) -> None:
        """Have it no more."""
        self._studies = {key: study for key, study in self._studies.items() if key != name}

    def on_painted(self) -> None:
        """Say that a view has painted what is shown: the next frame is asked for."""
        if self._unseen:
            self._tick()

    def close(self) -> None:
        """End the background thread."""
        # Signals of runs may still be under way, and must not wake the timer again.
        self._closed = True
        self._timer.stop()
        self._maker.close()

    # How it goes.

    def _do(self, action: Callable[[], None]) -> None:
        self._target, self._play_at_target = None, False
        action()
        self._wake()
        self._say()

    def _jump(self, find: Callable) -> None:
        run = self._run
        if run is not None:
            found = find(run, self.step)
            self.seek_step(run.steps if found is None else found)

    def _on_document_changed(self) -> None:
        # What was wrong with the last document need not be wrong with this one.
        if not self.frame.lanes or self._is_idle(self.frame):
            self._show(Frame(self._session.document))

    def _on_runs_changed(self) -> None:
        if not self._session.runs and self._session.trouble:
            self._show(Frame(self._session.solved, (), self._session.trouble))
            self.curves = ()
            self.curves_changed.emit(())
        self.player.follow()
        self._wake()
        self._say()

    def _wake(self) -> None:
        if not self._timer.isActive() and not self._closed:
            self._clock = time.monotonic()
            self._timer.start()
        self._still_since = time.monotonic()

    def _tick(self) -> None:
        now = time.monotonic()
        seconds, self._clock = now - self._clock, now
        self._unseen = False
        if self._waiting and now - self._asked_at > OVERDUE:
            # The very first frame waits for compiling: nothing plays unseen meanwhile.
            seconds = 0.0
        self._settle()
        self._reach_target()
        self.player.tick(seconds, self.length, self.finished)
        moving = self._is_moving
        if moving:
            self._still_since = now
        rested = now - self._still_since > REST
        self._ask(FINE if rested else COARSE)
        # With a frame, if one is just about to come: then the window is painted once for both.
        if not moving or now - self._said_at > 2.0 * TELLING:
            self._tell()
        if rested and not self._waiting:
            self._timer.stop()

    def _settle(self) -> None:
        """Have a finished run played at the speed that fits its length."""
        session = self._session
        settled = session.runs and self.finished and not (session.previewing or session.waiting)
        if settled and self._pace.fit(session.solved, self.length):
            self.moved.emit()

    def _reach_target(self) -> None:
        target, session = self._target, self._session
        if target is None or session.waiting or not session.runs:
            return
        run = self._run
        if (run is not None and run.steps >= target) or self.finished:
            play = self._play_at_target
            self.seek_step(target)
            if play:
                self.play()

    def _ask(self, nodes: int) -> None:
        session = self._session
        if self._waiting or not session.runs:
            return
        steps = None
        if not self.player.shows_newest:
            steps = self.clock.steps(session.runs, self.player.reading)
        newest = steps or tuple(run.steps for run in session.runs)
        # Not the identity of the runs: a new tuple may lie where an old one was.
        numbers = tuple(run.number for run in session.runs)
        window = self._viewport.window(nodes, moving=nodes != FINE)
        key = (numbers, newest, self.finished, window, self.studies, self.focus)
        if key == self._asked:
            return
        self._asked, self._asked_at = key, time.monotonic()
        self._waiting = True
        self._number += 1
        patient, focus = session.previewing, min(self.focus, len(session.runs) - 1)
        place = (self.clock, self.player.reading, session.previewing or session.waiting)
        solved = (session.solved, session.runs)
        self._maker.request(
            Request(self._number, *solved, steps, window, patient, self._studies, focus, *place)
        )

    def _on_made(self, request: Request, frame: Frame) -> None:
        self._waiting = False
        if is_unfinished(frame.studies):
            self._asked = None
        if request.runs is self._session.runs and not self._is_idle(frame):
            self._show(frame, (request.clock, request.read(frame)))
        else:
            self._tick()

    def _on_failed(self, request: Request, sentence: str) -> None:
        # The same frame is not asked for again, but any other is.
        self._waiting = False
        self._show(Frame(request.document, (), sentence))

    def _is_idle(self, frame: Frame) -> bool:
        """Whether a frame tells nothing of the document: no step was taken, and of another one.

        So it is while the first solver is being compiled and someone edits meanwhile.
        """
        if frame.document is self._session.document or self._session.previewing:
            return False
        return all(lane.length == 0 and lane.stop is None for lane in frame.lanes)

    def _on_drew(self, curves: tuple[Curve, ...]) -> None:
        numbers = tuple(run.number for run in self._session.runs)
        if tuple(curve.run for curve in curves) == numbers:
            self.curves = curves
            self.curves_changed.emit(curves)

    def _show(self, frame: Frame, drawn: tuple[Clock, int] | None = None) -> None:
        self.frame, self._drawn = frame, drawn
        self.frame_changed.emit(frame)
        if not self._is_moving or time.monotonic() - self._told_at > TELLING:
            self._tell()
        self._unseen = True
        if not self._closed:
            # Where no plane is there to paint it, the next one is asked for a tick from now.
            self._timer.start()

    def _tell(self) -> None:
        """Say to the panels what is shown, and where that is."""
        self._said_at = time.monotonic()
        if self.panel_frame is not self.frame:
            self._told_at = self._said_at
            self.panel_frame, self._read = self.frame, self._drawn
            self.panel_frame_changed.emit(self.panel_frame)
        self._say()

    def _say(self) -> None:
        player, clock = self.player, self.clock.name
        said = (player.reading, clock, self.focus, player.playing, player.following)
        said += (self.length, self.finished)
        if said != self._said:
            self._said = said
            self.moved.emit()

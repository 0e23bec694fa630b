"""The feed of frames: at each tick of a timer it advances the playback and requests a frame.

When a frame is made, the feed emits ``frame_changed``, and planes draw the frame. Panels draw the
frames of ``panel_frame_changed``. All panels show the same frame. While the picture moves, this
frame changes at most every 40 ms, and only after the planes are painted. If planes and panels were
painted together, the event loop would be blocked for longer. A *reading* is a value of the clock on
which the player has its position.

The next frame is requested when a plane has painted the last one, or at the next tick if no plane
is on screen. The reason is that the window, the frame thread and the solver share one interpreter
lock, and often only two processors. If a frame were made while the window paints, the frame thread
would wait for the lock at every call of numpy, and the solver would be half as fast meanwhile.
"""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from svmviz.frames.clocks import Clock
from svmviz.frames.frame import Frame
from svmviz.frames.maker import Request
from svmviz.frames.objective_curves import ObjectiveCurve
from svmviz.frames.studies import Study
from svmviz.frames.viewport import Viewport
from svmviz.playback.playback import Playback
from svmviz.playback.requests import FrameRequests
from svmviz.session.session import Session

# Time between two ticks of the playback, ms.
TICK_INTERVAL = 15
# Time between two ticks, ms, while the newest step is shown and the solver has not recorded another
# step yet.
RETRY_INTERVAL = 3
# Minimum time between two frames of the panels while the picture moves, s. Nobody could read faster
# changes.
PANEL_INTERVAL = 0.04
# Time after which panels no longer show the previous document, ms, while a solver is compiled. Most
# edits are solved sooner, and then panels change at once from one result to the next.
OVERTAKEN_DELAY = 250
# Names of the viewers of frames: the window, and the second window that shows the picture alone.
WINDOW, PICTURE = "window", "picture"
# Time without a change before the field is computed on the fine grid, s.
FINE_DELAY = 0.15


class FrameFeed(QObject):
    """The frames that views show, with the studies to which views subscribe.

    Parameters
    ----------
    session : Session
    playback : Playback
    parent : QObject, optional

    Attributes
    ----------
    frame, panel_frame : Frame
        The frame that planes show, and the frame that panels show.
    curves : tuple of Curve
        The objective curves of the runs, one per lane.

    Signals
    -------
    frame_changed(Frame)
        The frame that planes must show now.
    panel_frame_changed(Frame)
        The frame that panels must show now. While the picture moves, some frames are left out.
        Frames that differ from the last one only in the glide, the animation between two steps, are
        always left out.
    curves_changed(tuple of Curve)
        The objective curves have changed.
    """

    frame_changed = Signal(object)
    panel_frame_changed = Signal(object)
    curves_changed = Signal(object)

    def __init__(self, session: Session, playback: Playback, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._playback = playback
        self.frame = self.panel_frame = Frame(session.document)
        self.curves: tuple[ObjectiveCurve, ...] = ()
        # Clock and reading for which ``frame`` was made; then the same for ``panel_frame``.
        self._reading: tuple[Clock, int] | None = None
        self._panel_reading: tuple[Clock, int] | None = None
        # When panels last got another frame, and when ``_update_panels`` was last called, whether
        # or not it found another frame (s, on the monotonic clock).
        self._panel_frame_at = self._panels_updated_at = 0.0
        # Whether a new frame waits to be painted, and whether the feed has ended.
        self._is_unpainted = self._closed = False
        # The studies of the views that have subscribed, by name.
        self._subscribed: dict[str, list[Study]] = {}
        self._ticked_at = self._still_since = time.monotonic()
        self._requests = FrameRequests(session, playback, self)
        self._requests.frame_made.connect(self._on_made)
        self._requests.failed.connect(self._on_failed)
        self._requests.curves_made.connect(self._on_curves)
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK_INTERVAL)
        self._timer.timeout.connect(self._tick)
        # Whether panels show no result, since the frame belongs to an earlier document.
        self._is_overtaken = False
        self._overtaking_timer = QTimer(self, singleShot=True, interval=OVERTAKEN_DELAY)
        self._overtaking_timer.timeout.connect(self._empty_panels)
        playback.frame_needed.connect(self._wake)
        session.document_changed.connect(self._on_document_changed)
        session.runs_changed.connect(self._on_runs_changed)
        self._on_runs_changed()

    @property
    def reading(self) -> int:
        """The reading for which the frame of the panels was made. The player may be further on.

        If that frame was made for another clock, this is the reading of the player.
        """
        playback = self._playback
        clock, panel_reading = self._panel_reading or (None, 0)
        reading = panel_reading if clock is playback.clock else playback.player.reading
        return min(reading, playback.length)

    # Requests of views.

    def set_viewport(self, *viewport: float, viewer: str = WINDOW) -> None:
        """Set the section of the plane that a viewer shows, as the fields of a ``Viewport``."""
        self._requests.viewports[viewer] = Viewport(*viewport)
        self._wake()

    def drop_viewport(self, viewer: str) -> None:
        """Forget the section of the plane that a viewer shows; frames no longer cover it."""
        self._requests.viewports.pop(viewer, None)
        self._wake()

    @property
    def studies(self) -> frozenset[str]:
        """Names of the studies that are computed for the frames."""
        return frozenset(self._requests.studies)

    def subscribe(self, name: str, study: Study) -> None:
        """Compute a study for every frame; see :mod:`svmviz.frames.studies`.

        If two views subscribe under one name, the study of the first serves both.
        """
        studies = self._subscribed.setdefault(name, [])
        if study not in studies:
            studies.append(study)
        self._set_studies()
        self._wake()

    def unsubscribe(self, name: str, study: Study) -> None:
        """Stop computing a study for the frames; do nothing if it is not subscribed."""
        if study in self._subscribed.get(name, []):
            self._subscribed[name].remove(study)
            self._set_studies()

    def _set_studies(self) -> None:
        self._requests.studies = {
            name: studies[0] for name, studies in self._subscribed.items() if studies
        }

    def on_painted(self) -> None:
        """Request the next frame, because a view has painted the current one."""
        if self._is_unpainted:
            self._tick()

    def close(self) -> None:
        """End the frame thread and the timer."""
        # Runs may still emit signals, which must not start the timer again.
        self._closed = True
        self._timer.stop()
        self._requests.close()

    # The loop.

    def _wake(self) -> None:
        """Start the timer, and postpone the fine grid, because the picture may change."""
        now = time.monotonic()
        if not self._closed and not self._timer.isActive():
            self._ticked_at = now
            self._timer.start()
        self._still_since = now

    def _tick(self) -> None:
        now = time.monotonic()
        seconds, self._ticked_at = now - self._ticked_at, now
        self._is_unpainted = False
        # The playback waits for a frame that takes long, as while a function for it is compiled.
        self._playback.advance(0.0 if self._requests.is_overdue else seconds)
        is_moving = self._playback.is_moving
        if is_moving or self._playback.is_gliding:
            self._still_since = now
        is_at_rest = now - self._still_since > FINE_DELAY
        self._requests.send(fine=is_at_rest)
        needs_step = (
            is_moving and self._playback.player.shows_newest and not self._requests.is_waiting
        )
        self._timer.setInterval(RETRY_INTERVAL if needs_step else TICK_INTERVAL)
        # While the picture moves, panels are updated after ``_show``. Here they are updated only if
        # no frame has come for some time.
        if not is_moving or now - self._panels_updated_at > 2.0 * PANEL_INTERVAL:
            self._update_panels()
        if is_at_rest and not self._requests.is_waiting:
            self._timer.stop()

    def _show(self, frame: Frame, reading: tuple[Clock, int] | None = None) -> None:
        self.frame, self._reading = frame, reading
        if not self._session.waiting or not frame.lanes:
            self._overtaking_timer.stop()
            self._is_overtaken = False
        self.frame_changed.emit(frame)
        if not self._playback.is_moving:
            self._update_panels()
        elif time.monotonic() - self._panel_frame_at > PANEL_INTERVAL:
            # A timer of 0 ms fires after all other events, so after the planes are painted.
            QTimer.singleShot(0, self, self._update_panels)
        self._is_unpainted = True
        if not self._closed:
            # If no plane paints this frame, the next one is requested at the next tick.
            self._timer.start(TICK_INTERVAL)

    def _update_panels(self) -> None:
        """Show the current frame in the panels, and announce the position of the playback."""
        self._panels_updated_at = time.monotonic()
        is_newer = self.panel_frame is not self.frame and not self._is_overtaken
        if is_newer and not self._only_glide_changed():
            self._panel_frame_at = self._panels_updated_at
            self.panel_frame, self._panel_reading = self.frame, self._reading
            self.panel_frame_changed.emit(self.panel_frame)
        self._playback.announce()

    def _empty_panels(self) -> None:
        """Show no result in the panels while the first solver of a new document is compiled."""
        session = self._session
        if self._closed or session.previewing:
            return
        if not session.is_compiling:
            # It may be later.
            if session.waiting:
                self._overtaking_timer.start()
            return
        self._is_overtaken = True
        self.panel_frame, self._panel_reading = Frame(session.document), None
        self.panel_frame_changed.emit(self.panel_frame)

    def _only_glide_changed(self) -> bool:
        """Return whether ``frame`` differs from ``panel_frame`` only in its glide."""
        frame, panel_frame = self.frame, self.panel_frame
        same_steps = (frame.run_steps, frame.focus) == (panel_frame.run_steps, panel_frame.focus)
        return frame.glides and same_steps and frame.document is panel_frame.document

    # Answers of the threads.

    def _on_document_changed(self) -> None:
        # If the shown frame has no lanes, it may show an error of the previous document.
        if not self.frame.lanes or self._is_idle(self.frame):
            self._show(Frame(self._session.document))
        if self._session.waiting:
            self._overtaking_timer.start()
        self._wake()

    def _on_runs_changed(self) -> None:
        session = self._session
        if not session.runs and session.trouble:
            self._show(Frame(session.solved, (), session.trouble))
            self.curves = ()
            self.curves_changed.emit(())
        self._playback.follow_new_runs()

    def _on_made(self, request: Request, frame: Frame) -> None:
        if request.runs is self._session.runs and not self._is_idle(frame):
            if request.steps is not None and request.beats and frame.lane is not None:
                step = request.steps[request.focus]
                self._playback.settle_beats(step, request.beats, frame.lane)
            self._show(frame, (request.clock, request.reading_of(frame)))
        else:
            self._tick()

    def _on_failed(self, request: Request, sentence: str) -> None:
        self._show(Frame(request.document, (), sentence))

    def _on_curves(self, curves: tuple[ObjectiveCurve, ...]) -> None:
        numbers = tuple(run.number for run in self._session.runs)
        if tuple(curve.run for curve in curves) == numbers:
            self.curves = curves
            self.curves_changed.emit(curves)

    def _is_idle(self, frame: Frame) -> bool:
        """Return whether a frame has no result to show, because no solver has taken a step.

        Before the first step f is 0 everywhere. During a drag no frame is idle, since the runs
        start from the last solution.
        """
        # While the shown frame has no lanes, any frame of the current document is better, since it
        # may say why the document cannot be solved. A frame of an earlier document is not better.
        # Such a frame may come while the solver of an edited document is compiled.
        is_current = frame.document is self._session.document
        if self._session.previewing or (is_current and not self.frame.lanes):
            return False
        return all(lane.length == 0 and lane.stop is None for lane in frame.lanes)

"""Requests to the frame maker: one at a time, so that slow frames do not queue up."""

from __future__ import annotations

import time
from functools import reduce

from PySide6.QtCore import QObject, Signal

from svmviz.frames.frame import Frame
from svmviz.frames.maker import FrameMaker, Request
from svmviz.frames.studies import Study, is_unfinished
from svmviz.frames.viewport import Viewport
from svmviz.playback.playback import Playback
from svmviz.session.session import Session

# Number of nodes along the longer side of the field: COARSE while the picture moves, FINE at rest.
COARSE, FINE = 96, 320
# The section of the plane that frames cover while no viewer (a window with a plane) shows one.
DEFAULT_VIEWPORT = Viewport(-1.0, 1.0, -1.0, 1.0)
# If a frame takes longer than this, s, the playback waits for it.
OVERDUE = 0.25


class FrameRequests(QObject):
    """Sender of requests for frames to the frame thread, one at a time.

    Parameters
    ----------
    session : Session
    playback : Playback
    parent : QObject

    Attributes
    ----------
    viewports : dict of str to Viewport
        The section of the plane that each viewer shows; frames cover all of them.
    studies : dict of str to Study
        Studies that are computed for every frame. Requests refer to this dictionary, so it is
        never changed, only replaced.
    is_waiting : bool
        Whether a frame was requested and is still being made.

    Signals
    -------
    frame_made(Request, Frame)
        A frame was made.
    failed(Request, str)
        A frame could not be made; the sentence says why.
    curves_made(tuple of Curve)
        The objective curves have changed.
    """

    frame_made = Signal(object, object)
    failed = Signal(object, str)
    curves_made = Signal(object)
    # Emitted in the frame thread, received in the GUI thread.
    _answered = Signal(object, object)
    _refused = Signal(object, str)
    _turn_ended = Signal()

    def __init__(self, session: Session, playback: Playback, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._playback = playback
        self.viewports: dict[str, Viewport] = {}
        self.studies: dict[str, Study] = {}
        self.is_waiting = False
        # Key of the latest request: all values on which its frame depends. None if a frame may be
        # requested again with the same key.
        self._latest: tuple | None = None
        # Time of the latest request, s, on the monotonic clock.
        self._requested_at = 0.0
        self._answered.connect(self._on_answered)
        self._refused.connect(self._on_refused)
        self._turn_ended.connect(self._on_turn_ended)
        self._maker = FrameMaker(
            self._answered.emit,
            self._refused.emit,
            self.curves_made.emit,
            self._turn_ended.emit,
        )

    @property
    def is_overdue(self) -> bool:
        """Whether the frame that is being made has taken longer than ``OVERDUE``."""
        return self.is_waiting and time.monotonic() - self._requested_at > OVERDUE

    def send(self, fine: bool) -> None:
        """Request a frame, unless one is being made or the last request was the same.

        Parameters
        ----------
        fine : bool
            Whether to compute f on the fine grid, as for a picture at rest.
        """
        session, playback = self._session, self._playback
        runs = session.runs
        if self.is_waiting or not runs:
            return
        steps = playback.lane_steps
        shown_steps = steps or tuple(run.steps for run in runs)
        # The key has the numbers of the runs. ``id(runs)`` would not do, since a new tuple may have
        # the address of a deleted one.
        numbers = tuple(run.number for run in runs)
        grid = self._viewport.grid(FINE if fine else COARSE, moving=not fine)
        shares = playback.lane_shares
        key = (
            numbers,
            shown_steps,
            playback.finished,
            grid,
            # A view may have replaced its study by another one of the same name.
            self.studies,
            playback.focus,
        )
        # When the user opens the test part of the held-out points, `session.solved` is replaced,
        # but no run starts. So the numbers of the runs are not enough.
        key += (shares, playback.clock.name, playback.beats, session.solved, playback.looks_ahead)
        if key == self._latest:
            return
        self._latest, self._requested_at = key, time.monotonic()
        self.is_waiting = True
        self._maker.request(
            Request(
                document=session.solved,
                runs=runs,
                steps=steps,
                grid=grid,
                wait_for_end=session.previewing,
                studies=self.studies,
                focus=min(playback.focus, len(runs) - 1),
                clock=playback.clock,
                reading=playback.player.reading,
                temporary=session.previewing or session.waiting,
                shares=shares,
                beats=playback.beats,
                looks_ahead=playback.looks_ahead,
            )
        )

    @property
    def _viewport(self) -> Viewport:
        return reduce(Viewport.covering, self.viewports.values() or (DEFAULT_VIEWPORT,))

    def close(self) -> None:
        """End the frame thread."""
        self._maker.close()

    def _on_answered(self, request: Request, frame: Frame) -> None:
        self.is_waiting = False
        if is_unfinished(frame.studies):
            # The studies of this frame are not finished, so it must be requested once more.
            self._latest = None
        self.frame_made.emit(request, frame)

    def _on_turn_ended(self) -> None:
        # The event loop has come to this slot, so the window is not busy.
        self._maker.give_turn()

    def _on_refused(self, request: Request, sentence: str) -> None:
        # ``_latest`` stays, so the same frame, which would fail again, is not requested again.
        self.is_waiting = False
        self.failed.emit(request, sentence)

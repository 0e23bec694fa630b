"""The frame thread, which computes the immutable frame of a step on a grid.

A request replaces an older request if the thread has not begun to work on the older one. While
there is no request, the thread samples the objective curves. It passes frames and curves to
callbacks, which therefore run in this thread.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from solvers import Run
from solvers.cancelling import Cancelled
from svmviz.base.background import Worker
from svmviz.base.words import failure
from svmviz.document.document import Document
from svmviz.frames.clocks import STEPS, Clock
from svmviz.frames.frame import Frame
from svmviz.frames.lane_reader import LaneReader
from svmviz.frames.objective_curves import CurveSampler, ObjectiveCurve
from svmviz.frames.slack_paths import slack_paths
from svmviz.frames.studies import Study, is_unfinished, with_studies
from svmviz.frames.viewport import Grid

log = logging.getLogger(__name__)
NO_PICTURE = "This step cannot be shown"
# Maximum time that a frame waits for the runs to converge during a drag, s. The runs of a drag are
# *warm*: they start from the last solution.
WARM_RUN_WAIT = 0.025


@dataclass(frozen=True, eq=False)
class Request:
    """A request for a frame.

    Attributes
    ----------
    document : Document
        The document that the runs solve.
    runs : tuple of Run
    steps : tuple of int, or None
        One step per lane. None means the newest step of each run or, while the run grows, a
        slightly earlier step that is faster to read.
    grid : Grid
    wait_for_end : bool
        Whether to wait for the runs to end, at most WARM_RUN_WAIT seconds.
    studies : mapping of str to Study
        Studies to compute for the lanes.
    focus : int
        Index of the lane that the panels show.
    clock : Clock
        The clock by which the lanes are compared.
    reading : int
        Reading of the clock at ``steps``.
    temporary : bool
        See :class:`svmviz.frames.frame.Frame`.
    shares : tuple of float
        How far each lane has moved from the previous step to its step in ``steps``, from 0 to 1
        (see :class:`svmviz.frames.frame.Glide`); 1 for a lane that does not glide. Empty if no
        lane glides.
    beats : int or None
        The lane in focus shows the position that is this many beats after its step in ``steps``,
        or before it if the number is negative. None if steps are not shown in beats.
    looks_ahead : bool
        Whether to store the next beat in the lane in focus.
    """

    document: Document
    runs: tuple[Run, ...]
    steps: tuple[int, ...] | None
    grid: Grid
    wait_for_end: bool = False
    studies: Mapping[str, Study] = field(default_factory=dict)
    focus: int = 0
    clock: Clock = STEPS
    reading: int = 0
    temporary: bool = False
    shares: tuple[float, ...] = ()
    beats: int | None = None
    looks_ahead: bool = False

    def reading_of(self, frame: Frame) -> int:
        """Return the reading of the clock for a frame that was made for this request."""
        if self.beats:
            return self.clock.reading(self.runs[self.focus], frame.lanes[self.focus].step)
        if self.steps is not None:
            return self.reading
        lanes = zip(self.runs, frame.lanes, strict=True)
        return max((self.clock.reading(run, lane.step) for run, lane in lanes), default=0)


class FrameMaker(Worker):
    """The worker that makes one frame at a time, for the newest request.

    Parameters
    ----------
    frame_made : callable(Request, Frame)
        Called with each frame.
    failed : callable(Request, str)
        Called with a sentence if a frame cannot be made.
    curves_changed : callable(tuple of Curve)
        Called with the curves of the current runs when they have changed.
    turn_ended : callable()
        Called when a turn of sampling has ended. :meth:`give_turn` begins the next one.
    """

    def __init__(
        self,
        frame_made: Callable[[Request, Frame], None],
        failed: Callable[[Request, str], None],
        curves_changed: Callable[[tuple[ObjectiveCurve, ...]], None],
        turn_ended: Callable[[], None],
    ) -> None:
        super().__init__("svmviz-frames", low_priority=False)
        self._frame_made = frame_made
        self._failed = failed
        self._readers: dict[int, LaneReader] = {}
        self._last: tuple[Request, Frame] | None = None
        self._sampler = CurveSampler(curves_changed, turn_ended)

    def request(self, request: Request) -> None:
        """Ask for a frame; drop an older request on which the thread has not begun to work."""
        self.do(partial(self._answer, request))

    def give_turn(self) -> None:
        """Begin a turn of sampling; see :mod:`svmviz.frames.objective_curves`."""
        self._sampler.give_turn()
        self.wake()

    def _answer(self, request: Request) -> None:
        """Make a frame, and sample the objective curves until there is another request."""
        try:
            self._frame_made(request, self._make(request))
            self._sampler.resume()
        except Cancelled:
            # The window is closing while a function is being compiled.
            return
        except Exception as error:
            log.exception("A frame could not be made")
            self._sampler.pause()
            self._failed(request, failure(NO_PICTURE, error))
        while (pause := self._sampler.wait()) is not None and self.pause(pause):
            try:
                self._sampler.sample()
            except Cancelled:
                return
            except Exception:
                log.exception("The objective curves could not be sampled")
                self._sampler.pause()

    def _make(self, request: Request) -> Frame:
        runs = request.runs
        if request.wait_for_end:
            _wait_for(runs)
        if self._sampler.follow(runs):
            held_out_points = request.document.held_points
            self._readers = {run.number: LaneReader(run, held_out_points) for run in runs}
        factors = request.document.factors
        steps = request.steps or (None,) * len(runs)
        shares = request.shares or (1.0,) * len(runs)
        lanes = tuple(
            self._readers[run.number].read(
                step,
                request.grid,
                factors,
                share,
                beats=request.beats if lane == request.focus else None,
                looks_ahead=request.looks_ahead,
            )
            for lane, (run, step, share) in enumerate(zip(runs, steps, shares, strict=True))
        )
        # The plane draws them in the GUI thread; here they are made, and kept for it.
        for lane in lanes:
            slack_paths(lane, request.document)
        frame = Frame(
            request.document,
            lanes,
            focus=request.focus,
            temporary=request.temporary,
            clock=request.clock,
        )
        # Studies do not depend on the share of a glide. So if nothing else has changed since the
        # last frame, its studies are used again.
        same_studies = self._studies_of(request, frame) if request.shares else None
        if same_studies is None:
            frame = with_studies(frame, runs, request.studies)
        else:
            frame = replace(frame, studies=same_studies)
        self._last = request, frame
        return frame

    def _studies_of(self, request: Request, frame: Frame) -> Mapping[str, Any] | None:
        """Return the studies of the last frame if only the shares have changed since.

        Return None if something else has changed, or if a study of the last frame is unfinished.
        """
        if self._last is None:
            return None
        last_request, last_frame = self._last
        is_same = (
            (frame.run_steps, frame.focus, frame.temporary, frame.clock)
            == (last_frame.run_steps, last_frame.focus, last_frame.temporary, last_frame.clock)
        ) and (request.grid, request.studies) == (last_request.grid, last_request.studies)
        return last_frame.studies if is_same and not is_unfinished(last_frame.studies) else None


def _wait_for(runs: tuple[Run, ...]) -> None:
    deadline = time.monotonic() + WARM_RUN_WAIT
    while time.monotonic() < deadline and not all(run.finished for run in runs):
        time.sleep(0.001)

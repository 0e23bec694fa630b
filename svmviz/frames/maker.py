"""The second background thread: it turns "this step, this window" into a frozen frame.

Only the newest request is answered; while none waits, the thread samples the
curves of the objective. Results leave through plain callbacks, in the thread.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from solvers import Certificate, Cursor, Run, Snapshot, certify
from solvers.kernels.grids import GridMemory
from svmviz.base.inbox import Inbox
from svmviz.base.words import failure
from svmviz.frames.clocks import STEPS, Clock
from svmviz.frames.curves import Curve, CurveMaker
from svmviz.frames.field import make_field, slack_sticks
from svmviz.frames.frame import Frame, Lane, Window
from svmviz.frames.studies import Study, conduct, is_unfinished
from svmviz.model.document import Document

log = logging.getLogger(__name__)
# How often a growing curve is shown, s.
CURVE_INTERVAL = 0.12
# While frames are asked for without a pause, time between two samples of the curves, s: so long for
# each sample there is, and at most.
BREATH, LONGEST_BREATH = 0.05, 1.0
NO_PICTURE = "This step cannot be shown"
# While a hand drags, how long a frame may wait for the warm run to converge, s.
PATIENCE = 0.025


@dataclass(frozen=True, eq=False)
class Request:
    """What to make a frame of.

    Attributes
    ----------
    document : Document
        The one the runs solve.
    runs : tuple of Run
    steps : tuple of int, or None
        One a lane; None for the newest of each, or while more come one shortly before it.
    window : Window
    patient : bool
        Whether to wait a moment for the runs to end.
    studies : mapping of str to Study
        What else is wanted of the lanes.
    focus : int
        Which lane the panels show.
    clock : Clock
    reading : int
        Where the clock stands at these steps.
    temporary : bool
        As in :class:`svmviz.frames.frame.Frame`.
    """

    document: Document
    runs: tuple[Run, ...]
    steps: tuple[int, ...] | None
    window: Window
    patient: bool = False
    studies: Mapping[str, Study] = field(default_factory=dict)
    focus: int = 0
    clock: Clock = STEPS
    reading: int = 0
    temporary: bool = False

    def read(self, frame: Frame) -> int:
        """Where the clock stands in the frame that was made."""
        if self.steps is not None:
            return self.reading
        lanes = zip(self.runs, frame.lanes, strict=True)
        return max((self.clock.reading(run, lane.step) for run, lane in lanes), default=0)


class FrameMaker:
    """One thread, one request at a time, the newest.

    Parameters
    ----------
    made : callable(Request, Frame)
    failed : callable(Request, str)
        A frame could not be made, and why.
    drew : callable(tuple of Curve)
        Curves of the current runs, now and then.
    """

    def __init__(
        self,
        made: Callable[[Request, Frame], None],
        failed: Callable[[Request, str], None],
        drew: Callable[[tuple[Curve, ...]], None],
    ) -> None:
        self._made = made
        self._failed = failed
        self._drew = drew
        self._inbox = Inbox[Request]()
        self._readers: dict[int, LaneReader] = {}
        self._curves: tuple[CurveMaker, ...] = ()
        self._sampling = False
        self._shown, self._shown_at, self._sampled_at = 0, 0.0, 0.0
        self._thread = threading.Thread(target=self._work, name="svmviz-frames", daemon=True)
        self._thread.start()

    def request(self, request: Request) -> None:
        """Ask for a frame; an older request that has not begun is dropped."""
        self._inbox.put(request)

    def close(self) -> None:
        """End the thread and wait for it."""
        self._inbox.close()
        self._thread.join(timeout=10.0)

    def _work(self) -> None:
        while True:
            request = self._inbox.take(self._patience())
            if self._inbox.closed:
                return
            try:
                if request is not None:
                    self._made(request, self._make(request))
                    # Frames may be asked for without a pause: look at the curves now and then.
                    known = sum(maker.samples for maker in self._curves)
                    breath = min(BREATH * known, LONGEST_BREATH)
                    self._sampling = time.monotonic() - self._sampled_at > breath
                else:
                    self._sample()
            except Exception as error:
                log.exception("A frame could not be made")
                self._sampling = False
                if request is not None:
                    self._failed(request, failure(NO_PICTURE, error))

    def _sample(self) -> None:
        """Add a sample to each curve, and show them now and then."""
        self._sampling = sum(maker.sample() for maker in self._curves) > 0
        now = self._sampled_at = time.monotonic()
        # That a curve is complete is news as well, though it has no other sample then.
        fresh = sum(maker.samples + maker.complete for maker in self._curves)
        if fresh != self._shown and (not self._sampling or now - self._shown_at > CURVE_INTERVAL):
            self._shown, self._shown_at = fresh, now
            self._drew(tuple(maker.curve() for maker in self._curves))

    def _patience(self) -> float | None:
        """How long to wait for a request before the curves are looked at, s; None for ever."""
        if self._sampling:
            return 0.0
        # Runs that grow want their curves looked at again, and once more when they have ended.
        unfinished = any(not maker.complete for maker in self._curves)
        return CURVE_INTERVAL if unfinished else None

    def _make(self, request: Request) -> Frame:
        if request.patient:
            _wait_for(request.runs)
        numbers = tuple(run.number for run in request.runs)
        if tuple(maker.run.number for maker in self._curves) != numbers:
            self._curves = tuple(CurveMaker(run) for run in request.runs)
            self._sampling, self._shown = True, 0
            self._readers = {run.number: LaneReader(run) for run in request.runs}
        factors = request.document.factors
        steps = request.steps or (None,) * len(request.runs)
        lanes = tuple(
            self._readers[run.number].read(step, request.window, factors)
            for run, step in zip(request.runs, steps, strict=True)
        )
        frame = Frame(request.document, lanes, focus=request.focus, temporary=request.temporary)
        return study(frame, request.runs, request.studies)


class LaneReader:
    """Makes lanes of one run; remembers the last step, for when only the window changed."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._cursor = Cursor(run)
        self._memory = GridMemory(run.problem.kernel, run.problem.X)
        self._last: tuple[Snapshot, Certificate, np.ndarray] | None = None

    def read(self, step: int | None, window: Window, factors: np.ndarray) -> Lane:
        """The lane at a step (clipped to what is recorded) over a window in data units.

        None is for the newest step. While more come, it is the first one after the last keyframe
        unless that was shown before: a replay of half a segment would be most of the work.
        """
        run = self._run
        # Read the reason before the length: a stop seen here is true of that length.
        stop, length = run.stop, run.steps
        if step is None:
            first = run.trace.first_of_segment(length)
            shown = -1 if self._last is None else self._last[0].step
            step = first if stop is None and first > shown else length
        step = min(step, length)
        if self._last is None or self._last[0].step != step:
            snapshot = self._cursor.seek(step)
            certificate = certify(run.problem, snapshot.expansion)
            sticks = slack_sticks(
                run.problem, snapshot.expansion, certificate, factors, self._memory
            )
            self._last = snapshot, certificate, sticks
        snapshot, certificate, sticks = self._last
        return Lane(
            run=run.number,
            method=run.method,
            problem=run.problem,
            step=step,
            length=length,
            expansion=snapshot.expansion,
            event=snapshot.event,
            certificate=certificate,
            stop=stop,
            seconds=run.trace.seconds_at_step(step),
            evaluations=snapshot.evaluations,
            field=make_field(run.problem, snapshot.expansion, factors, window, self._memory),
            sticks=sticks,
            warm=run.warm,
        )


def make_frame(
    document: Document,
    runs: tuple[Run, ...],
    step: int,
    window: Window,
    studies: Mapping[str, Study] | None = None,
) -> Frame:
    """A frame outside any thread, for exports and the command line; its studies are finished."""
    factors = document.factors
    lanes = tuple(LaneReader(run).read(step, window, factors) for run in runs)
    frame = Frame(document, lanes)
    made = study(frame, runs, studies or {})
    # Nothing is shown meanwhile that could be held up.
    while is_unfinished(made.studies):
        made = study(frame, runs, studies or {})
    return made


def study(frame: Frame, runs: tuple[Run, ...], studies: Mapping[str, Study]) -> Frame:
    """The frame with the results of studies."""
    if not studies or not frame.lanes:
        return frame
    return replace(frame, studies=conduct(studies, frame, runs))


def _wait_for(runs: tuple[Run, ...]) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and not all(run.finished for run in runs):
        time.sleep(0.001)

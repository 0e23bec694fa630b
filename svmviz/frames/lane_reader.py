"""Making a lane, which is one run at one step, from the recording of the run.

The frame thread uses :class:`LaneReader`. :func:`make_frame` makes a frame without that thread.

While a step *glides*, the picture shows a mixture of the previous step and this step:
``(1 - share) f_previous + share f``. The *share* grows from 0 to 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from solvers import Certificate, Cursor, Expansion, Run, Snapshot, certify
from solvers.kernels.grids import GridMemory
from solvers.problem.certificate import proves_optimum
from solvers.problem.expansion import freeze
from svmviz.document.document import Document
from svmviz.frames.decision_field import field_between, make_field
from svmviz.frames.frame import Field, Frame, Glide, Lane, ShownBeat
from svmviz.frames.studies import Study, is_unfinished, with_studies
from svmviz.frames.viewport import Grid

# Maximum number of steps whose snapshot, certificate and field are cached (``LaneReader._states``).
# A glide needs two: the step shown and the previous step.
MAX_STATES = 2
# Snapshots are also cached without certificate and field (``LaneReader._snapshots``). When one is
# added, at most this number of older ones stay. A beat, which is one part of the explanation of a
# step, needs two: that of the step before, whose state is shown, and that of the step itself.
MAX_OLD_SNAPSHOTS = 2
# Maximum number of kernel values per step for held-out points. Computing more would delay each
# frame by more than half a second.
MAX_KERNEL_VALUES = 50_000_000


@dataclass
class StepState:
    """The results that are computed for one step.

    Attributes
    ----------
    snapshot : Snapshot
    certificate : Certificate
    held_out_values : array, shape (m,), optional
        f at the held-out points.
    field : Field, optional
        The field of the grid that was requested last.
    grid : Grid, optional
        That grid. The field may have a finer one.
    """

    snapshot: Snapshot
    certificate: Certificate
    held_out_values: np.ndarray | None = None
    field: Field | None = None
    grid: Grid | None = None


class LaneReader:
    """Reader of the lanes of one run, with a cache of the results of the last two steps read.

    Parameters
    ----------
    run : Run
    held_out_points : array, shape (m, d), optional
        Held-out points in solver units, at which f is evaluated too.
    """

    def __init__(self, run: Run, held_out_points: np.ndarray | None = None) -> None:
        self._run = run
        self._held_out_points = held_out_points
        self._cursor = Cursor(run)
        self._memory = GridMemory(run.problem.used_kernel, run.problem.centered)
        # The cached results by step, from the least recently used step to the most recently used.
        self._states: dict[int, StepState] = {}
        # The step that was read last.
        self._last_step = -1
        # The cached snapshots by step, from the one read first to the one read last.
        self._snapshots: dict[int, Snapshot] = {}

    def read(
        self,
        step: int | None,
        grid: Grid,
        factors: np.ndarray,
        share: float = 1.0,
        beats: int | None = None,
        start: int | None = None,
        looks_ahead: bool = False,
    ) -> Lane:
        """Return the lane at a step, or at the newest step if ``step`` is beyond it.

        Parameters
        ----------
        step : int, optional
            None means the newest step or, while the run grows, the first step of the last segment
            (the fastest to replay), if that is after the step that was read last.
        grid : Grid
            The grid of the field, in data units.
        factors : array, shape (2,)
            Data units are divided by these to get solver units.
        share : float
            Weight of ``step`` in the lane's ``Glide``, a mixture with ``start``; 1 for no glide.
        beats : int, optional
            If given, show the position this number of beats after ``step`` (before, if negative).
        start : int, optional
            The step at which a glide starts; by default ``step - 1``.
        looks_ahead : bool
            Whether to store the next beat in the lane.
        """
        run = self._run
        # Read the stop before the length: if there is a stop, the length no longer grows.
        stop, length = run.stop, run.steps
        step = self._newest(length, stop is None) if step is None else min(step, length)
        step, shown_and_next = self._beats(step, length, beats, looks_ahead)
        self._last_step = step
        start = step - 1 if start is None else start
        before = self._state(start) if share < 1.0 and 0 <= start < step else None
        state = self._state(step)
        snapshot = state.snapshot
        return Lane(
            run=run.number,
            method=run.method,
            problem=run.problem,
            certified_problem=run.certified_problem,
            step=step,
            length=length,
            expansion=snapshot.expansion,
            event=snapshot.event,
            certificate=state.certificate,
            stop=stop,
            seconds=run.trace.seconds_at_step(step),
            evaluations=snapshot.evaluations,
            field=self._field(state, grid, factors),
            gap_proves=self._gap_proves(snapshot.expansion),
            warm=run.warm,
            glide=self._glide(before, state, share, grid, factors) if before else None,
            **shown_and_next,
            held_out_values=state.held_out_values,
        )

    def _gap_proves(self, expansion: Expansion) -> bool | None:
        # For a kernel that is not positive semi-definite by construction, the check takes 90 ms on
        # 400 points. During a drag, each position of the mouse makes a warm run of another problem.
        problem = self._run.certified_problem
        if self._run.warm and not problem.kernel.mercer:
            return None
        return proves_optimum(problem, expansion)

    def _state(self, step: int) -> StepState:
        state = self._states.pop(step, None)
        if state is None:
            snapshot = self._snapshot(step)
            certificate = certify(self._run.certified_problem, snapshot.expansion)
            state = StepState(snapshot, certificate, self._compute_held_out(snapshot))
        # The state is inserted at the end, so that the least recently used step is the first.
        self._states[step] = state
        if len(self._states) > MAX_STATES:
            del self._states[next(iter(self._states))]
        return state

    def _compute_held_out(self, snapshot: Snapshot) -> np.ndarray | None:
        expansion = snapshot.expansion
        if (
            self._held_out_points is None
            or len(self._held_out_points) * len(expansion.support) > MAX_KERNEL_VALUES
        ):
            return None
        return freeze(expansion(self._held_out_points))

    def _field(self, state: StepState, grid: Grid, factors: np.ndarray) -> Field:
        if state.field is None or state.grid != grid:
            expansion = state.snapshot.expansion
            decision = state.certificate.decision
            state.field = make_field(
                self._run.problem, expansion, factors, grid, self._memory, decision
            )
            state.grid = grid
        return state.field

    def _glide(
        self, start: StepState, end: StepState, share: float, grid: Grid, factors: np.ndarray
    ) -> Glide:
        """Return the mixture of two steps. Their fields can be mixed: f is linear in beta and b."""
        ends = self._field(start, grid, factors), self._field(end, grid, factors)
        before, after = start.snapshot.expansion, end.snapshot.expansion

        def mix(a: Any, b: Any) -> Any:
            return a + share * (b - a)

        names = "beta", "bias", "bias_at_origin"
        mixed = {name: mix(getattr(before, name), getattr(after, name)) for name in names}
        expansion = replace(after, **mixed)
        field = field_between(self._run.problem, *ends, expansion, share)
        alpha = mix(start.certificate.alpha, end.certificate.alpha)
        return Glide(share, expansion, field, freeze(alpha))

    def _snapshot(self, step: int) -> Snapshot:
        if step not in self._snapshots:
            recent = list(self._snapshots.items())[-MAX_OLD_SNAPSHOTS:]
            self._snapshots = {**dict(recent), step: self._cursor.seek(step)}
        return self._snapshots[step]

    def _count_beats(self, step: int) -> int:
        """Return the number of beats of a step: 1 for a step that is not divided into beats."""
        event = self._snapshot(step).event
        return max(1, len(event.beats)) if event is not None else 1

    def _newest(self, length: int, grows: bool) -> int:
        """Return the newest step or, while the run grows, one that is faster to replay."""
        first = self._run.trace.first_of_segment(length)
        return first if grows and first > self._last_step else length

    def _beats(
        self, step: int, length: int, beats: int | None, looks_ahead: bool
    ) -> tuple[int, dict[str, Any]]:
        """Return the step whose state is shown, and the fields of the lane on its beats."""
        if beats is None:
            return step, {}
        place = position_after(self._count_beats, length, step, beats)
        fields: dict[str, Any] = {}
        if looks_ahead:
            fields = {"next_beat": self._beat_after(place, length), "looked_ahead": True}
        step, fields["shown_beat"] = self._shown_beat(*place)
        return step, fields

    def _beat_after(self, place: BeatPosition, length: int) -> ShownBeat | None:
        """Return the beat that follows a position; None at the end, or if the step has no beats."""
        following = position_after(self._count_beats, length, place.step, place.beats + 1)
        return None if following == place else self._shown_beat(*following)[1]

    def _shown_beat(self, step: int, beats: int) -> tuple[int, ShownBeat | None]:
        """Return the step whose state is shown, and the beat; None if the step has no beats.

        If ``beats`` is above 0, the beat with this number of step ``step + 1`` is shown. If it is
        0, the last beat of ``step`` is shown. In both cases the state is that of ``step``.
        """
        explained = step + 1 if beats else step
        event = self._snapshot(explained).event
        if event is None or not event.beats:
            return step, None
        return step, ShownBeat(explained, event, beats or len(event.beats))


def make_frame(
    document: Document,
    runs: tuple[Run, ...],
    step: int | tuple[int, ...],
    grid: Grid,
    studies: Mapping[str, Study] | None = None,
) -> Frame:
    """Make a frame in the calling thread, for exports and the command line.

    ``step`` is one step for all lanes, or a tuple with one step for each lane. The function returns
    only when all studies are finished.
    """
    factors = document.factors
    steps = step if isinstance(step, tuple) else (step,) * len(runs)
    lanes = tuple(
        LaneReader(run, document.held_points).read(lane_step, grid, factors)
        for run, lane_step in zip(runs, steps, strict=True)
    )
    frame = Frame(document, lanes)
    result = with_studies(frame, runs, studies or {})
    # No other frame waits, so unfinished studies are continued until all are finished.
    while is_unfinished(result.studies):
        result = with_studies(frame, runs, studies or {})
    return result


class BeatPosition(NamedTuple):
    """A position in a run: a step, and a number of beats after it.

    A *beat* is one part of the explanation of a step, such as the choice of a pair or its update.

    Attributes
    ----------
    step : int
        The step whose state is shown.
    beats : int
        Number of beats after ``step``: the beat with this number of the next step is shown. If it
        is 0, the last beat of ``step`` is shown, because that beat has the state after ``step``.
    """

    step: int
    beats: int


def position_after(count: Callable[[int], int], length: int, step: int, beats: int) -> BeatPosition:
    """Return the position ``beats`` beats after a step; before the step if ``beats`` is negative.

    Parameters
    ----------
    count : callable(int) -> int
        Returns the number of beats of a step, at least 1.
    length : int
        Number of recorded steps. The position is at most at the last recorded step.
    step : int
        Beats are counted from the last beat of this step.
    beats : int
        Number of beats to move; negative to move backwards.
    """
    while beats < 0 < step:
        beats += count(step)
        step -= 1
    while beats > 0 and step < length:
        next_count = count(step + 1)
        if beats < next_count:
            return BeatPosition(step, beats)
        beats -= next_count
        step += 1
    return BeatPosition(step, 0)

"""Reading of the lane at a step from the recording of a run; frames without the frame thread."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from solvers import Certificate, Cursor, Run, Snapshot, certify
from solvers.kernels.grids import GridMemory
from solvers.problem.expansion import freeze
from svmviz.document.document import Document
from svmviz.frames.beat_walk import place_after
from svmviz.frames.decision_field import field_between, make_field
from svmviz.frames.frame import Field, Frame, Glide, Lane, Part
from svmviz.frames.studies import Study, is_unfinished, with_studies
from svmviz.frames.viewport import Grid

# Steps of which everything is kept: the one shown, and that from which it glides.
MAX_STATES = 2
# Snapshots kept beside the newest: a beat needs those of two steps.
MAX_KEPT = 2


@dataclass
class StepState:
    """What is read of one step; the field is that of the grid asked for last."""

    snapshot: Snapshot
    certificate: Certificate
    field: Field | None = None


class LaneReader:
    """Reader of the lanes of one run, which caches the last two steps."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._cursor = Cursor(run)
        self._memory = GridMemory(run.problem.kernel, run.problem.X)
        # By step, the one used last at the end: a step, and that from which it glides.
        self._states: dict[int, StepState] = {}
        self._shown = -1
        # Steps whose beats were needed lately.
        self._snapshots: dict[int, Snapshot] = {}

    def read(
        self,
        step: int | None,
        grid: Grid,
        factors: np.ndarray,
        share: float = 1.0,
        beats: int | None = None,
    ) -> Lane:
        """Return the lane at a step (at most the newest) over a grid in data units.

        None stands for the newest step. While the run grows, the first step after the last keyframe
        is returned instead, unless it was shown before: replaying half a segment would take longer
        than all other work.

        With a share below 1, the lane brings what is drawn on the way from the step before. If
        ``beats`` is given, it shows the beat that comes so many after this step.
        """
        run = self._run
        # The stop is read before the length, so that it belongs to a length that no longer grows.
        stop, length = run.stop, run.steps
        if step is None:
            first = run.trace.first_of_segment(length)
            step = first if stop is None and first > self._shown else length
        step, part = min(step, length), None
        if beats is not None:
            step, part = self._part(*place_after(self._count, length, step, beats))
        self._shown = step
        start = self._state(step - 1) if share < 1.0 and step > 0 else None
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
            warm=run.warm,
            glide=self._glide(start, state, share, grid, factors) if start else None,
            part=part,
        )

    def _state(self, step: int) -> StepState:
        state = self._states.pop(step, None)
        if state is None:
            snapshot = self._snapshot(step)
            state = StepState(snapshot, certify(self._run.certified_problem, snapshot.expansion))
        # Added again at the end, so that the step used longest ago is forgotten first.
        self._states[step] = state
        if len(self._states) > MAX_STATES:
            del self._states[next(iter(self._states))]
        return state

    def _field(self, state: StepState, grid: Grid, factors: np.ndarray) -> Field:
        if state.field is None or state.field.grid != grid:
            expansion = state.snapshot.expansion
            state.field = make_field(self._run.problem, expansion, factors, grid, self._memory)
        return state.field

    def _glide(
        self, start: StepState, end: StepState, share: float, grid: Grid, factors: np.ndarray
    ) -> Glide:
        """Return what is drawn between two steps; f is linear in beta and b."""
        ends = self._field(start, grid, factors), self._field(end, grid, factors)
        before, after = start.snapshot.expansion, end.snapshot.expansion

        def mixed(a: Any, b: Any) -> Any:
            return a + share * (b - a)

        expansion = replace(
            after, beta=mixed(before.beta, after.beta), bias=mixed(before.bias, after.bias)
        )
        field = field_between(self._run.problem, *ends, expansion, share)
        alpha = mixed(start.certificate.alpha, end.certificate.alpha)
        return Glide(share, field, freeze(alpha))

    def _snapshot(self, step: int) -> Snapshot:
        if step not in self._snapshots:
            kept = list(self._snapshots.items())[-MAX_KEPT:]
            self._snapshots = {**dict(kept), step: self._cursor.seek(step)}
        return self._snapshots[step]

    def _count(self, step: int) -> int:
        """Return the number of beats of a step; one that is shown as one counts as a beat."""
        event = self._snapshot(step).event
        return max(1, len(event.beats)) if event is not None else 1

    def _part(self, step: int, beats: int) -> tuple[int, Part | None]:
        """Return the step whose state is shown, and the beat."""
        explained = step + 1 if beats else step
        event = self._snapshot(explained).event
        if event is None or not event.beats:
            return step, None
        return step, Part(explained, event, beats or len(event.beats))


def make_frame(
    document: Document,
    runs: tuple[Run, ...],
    step: int | tuple[int, ...],
    grid: Grid,
    studies: Mapping[str, Study] | None = None,
) -> Frame:
    """Make a frame in the calling thread, for the command line; its studies are finished.

    ``step`` is one step for all lanes, or that of each.
    """
    factors = document.factors
    steps = step if isinstance(step, tuple) else (step,) * len(runs)
    lanes = tuple(
        LaneReader(run).read(own, grid, factors) for run, own in zip(runs, steps, strict=True)
    )
    frame = Frame(document, lanes)
    made = with_studies(frame, runs, studies or {})
    # No other frame waits for this one.
    while is_unfinished(made.studies):
        made = with_studies(frame, runs, studies or {})
    return made

"""Lanes of a run at a step, read from its recording; and frames made outside the thread."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from solvers import Certificate, Cursor, Run, Snapshot, certify
from solvers.kernels.grids import GridMemory
from svmviz.document.document import Document
from svmviz.frames.decision_field import make_field
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.studies import Study, is_unfinished, with_studies
from svmviz.frames.viewport import Grid


class LaneReader:
    """Reader of the lanes of one run, which caches the last step for another grid."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._cursor = Cursor(run)
        self._memory = GridMemory(run.problem.kernel, run.problem.X)
        self._last: tuple[Snapshot, Certificate] | None = None

    def read(self, step: int | None, grid: Grid, factors: np.ndarray) -> Lane:
        """Return the lane at a step (clipped to what is recorded) over a grid in data units.

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
            certificate = certify(run.certified_problem, snapshot.expansion)
            self._last = snapshot, certificate
        snapshot, certificate = self._last
        return Lane(
            run=run.number,
            method=run.method,
            problem=run.problem,
            certified_problem=run.certified_problem,
            step=step,
            length=length,
            expansion=snapshot.expansion,
            event=snapshot.event,
            certificate=certificate,
            stop=stop,
            seconds=run.trace.seconds_at_step(step),
            evaluations=snapshot.evaluations,
            field=make_field(run.problem, snapshot.expansion, factors, grid, self._memory),
            warm=run.warm,
        )


def make_frame(
    document: Document,
    runs: tuple[Run, ...],
    step: int,
    grid: Grid,
    studies: Mapping[str, Study] | None = None,
) -> Frame:
    """Make a frame outside any thread, for the command line; its studies are finished."""
    factors = document.factors
    lanes = tuple(LaneReader(run).read(step, grid, factors) for run in runs)
    frame = Frame(document, lanes)
    made = with_studies(frame, runs, studies or {})
    # No other frame waits for this one.
    while is_unfinished(made.studies):
        made = with_studies(frame, runs, studies or {})
    return made

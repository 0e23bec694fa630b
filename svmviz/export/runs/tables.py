"""CSV: the trace, one row per step, or the solution, one row per point.

Numbers are written with all their digits. Points are numbered from 0, as in the library. In a race
the last column is the name of the solver; in a race of models, what a model differs in follows.

Of more than two classes the solution is that of one machine, whose labels it has. Another column
has the names of the classes, and points of classes that the machine leaves out have the label 0.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from solvers import Run
from solvers.cancelling import Report, no_report
from solvers.problem.certificate import BOUND, FREE, ZERO
from svmviz.document.held_out import TRAINING
from svmviz.document.lanes import titles_of_lanes
from svmviz.document.many_classes import ManyClasses
from svmviz.export.runs.recording import Recording, RunReading, read_steps
from svmviz.export.runs.run_settings import RunSettings
from svmviz.io.atomic import write_atomically

# Columns of the two tables.
TRACE_COLUMNS = "step primal dual gap kkt seconds moved".split()
SOLUTION_COLUMNS = "x y label alpha beta slack f kind".split()
# Column and kind of the solution of a machine.
CLASS, LEFT_OUT = "class", "left-out"
KINDS = {ZERO: "zero", FREE: "free", BOUND: "bound"}


def save_csv(
    path: str | Path,
    recording: Recording,
    settings: RunSettings,
    report: Report = no_report,
) -> None:
    """Write one of the two tables atomically.

    Raises
    ------
    BadInput
        If the steps are not all in the run, or the file cannot be written.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    classes = [] if recording.scene.document.many is None else [CLASS]
    names, rows = (
        ([*SOLUTION_COLUMNS, *classes], _solution(recording, settings, report))
        if settings.table == "solution"
        else (TRACE_COLUMNS, _trace(recording, settings, report))
    )
    # Without a race the last two columns would have the same values in all rows, and the last one
    # would say nothing new of a race of methods, so they are left out.
    columns = slice(-2)
    if recording.is_race:
        columns = slice(None) if recording.scene.document.changes else slice(-1)
    writer.writerow([*names, "solver", "model"][columns])
    writer.writerows(row[columns] for row in rows)
    write_atomically(path, text.getvalue())


def _trace(recording: Recording, settings: RunSettings, report: Report) -> Iterator[list[Any]]:
    steps = settings.steps.within(recording.length)
    for run, snapshot, certificate in read_steps(recording, steps, report):
        event = snapshot.event
        yield [
            snapshot.step,
            certificate.primal,
            certificate.dual,
            certificate.gap,
            certificate.kkt,
            run.trace.seconds_at_step(snapshot.step),
            " ".join(map(str, event.touched)) if event is not None else "",
            *_lane(recording, run),
        ]


def _solution(recording: Recording, settings: RunSettings, report: Report) -> Iterator[list[Any]]:
    step = recording.length if settings.step is None else settings.step
    for run, length in zip(recording.runs, recording.lengths, strict=True):
        single = Recording(recording.scene, (run,))
        last = min(step, length)
        for reading in read_steps(single, range(last, last + 1), report, events=False):
            yield from _points(recording, reading)


def _points(recording: Recording, reading: RunReading) -> Iterator[list[Any]]:
    """Yield one row per point of a run. In a regression, y is the target and the label is empty."""
    document, certificate = recording.scene.document, reading.certificate
    expansion = reading.snapshot.expansion
    kinds = [KINDS[kind] for kind in certificate.kinds.tolist()]
    labels = [""] * document.n if document.is_regression else document.data.labels.tolist()
    columns = (
        *document.data.points.T.tolist(),
        labels,
        certificate.alpha.tolist(),
        expansion.beta.tolist(),
        certificate.slack.tolist(),
        certificate.decision.tolist(),
        kinds,
    )
    rows = [list(row) for row in zip(*columns, strict=True)]
    if document.many is not None:
        rows = _with_left_out(document.many, rows, expansion(document.solver_points).tolist())
    for row in rows:
        yield [*row, *_lane(recording, reading.run)]


def _lane(recording: Recording, run: Run) -> list[str]:
    """Return the method of a run, and what its model differs in from those of other lanes."""
    document = recording.scene.document
    title = titles_of_lanes(document)[recording.runs.index(run)] if document.changes else ""
    return [run.method.name, title]


def _with_left_out(
    many: ManyClasses, rows: list[list[Any]], decision: list[float]
) -> list[list[Any]]:
    """Return the rows of all training points, with their classes; ``rows`` are the machine's.

    ``decision`` has f at the points of all parts.
    """
    seen, points, classes = iter(rows), many.data.points.tolist(), many.data.classes.tolist()
    everything = []
    for index in np.flatnonzero(many.parts == TRAINING).tolist():
        # Items that a machine leaves out have no place beside those that it compares.
        place = points[index] if many.data.items is None else ["", ""]
        left_out = [*place, 0, 0.0, 0.0, "", decision[index], LEFT_OUT]
        row = next(seen) if many.labels[index] else left_out
        everything.append([*row, many.data.class_names[classes[index]]])
    return everything

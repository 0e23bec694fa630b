"""NPZ: the coefficients and the bias at each step, as arrays of numpy."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np

from solvers import BadInput
from solvers.cancelling import Report, no_report
from svmviz.export.runs.recording import Recording, read_steps
from svmviz.export.runs.run_settings import RunSettings
from svmviz.io.atomic import write_atomically

# Maximum size of all arrays together, bytes. They are in memory before they are written.
MAX_BYTES = 1_000_000_000


def save_npz(
    path: str | Path,
    recording: Recording,
    settings: RunSettings,
    report: Report = no_report,
) -> None:
    """Write the arrays ``step`` (m,), ``beta`` (m, n) and ``bias`` (m,) atomically.

    There are m steps and n points. In a race the arrays contain the steps of one run after another,
    and ``solver`` (m,) has the name of the method of each step.

    Raises
    ------
    BadInput
        If the steps are not all in the run, their states are too large, or the file cannot be
        written.
    """
    steps = settings.steps.within(recording.length)
    n = recording.scene.document.n
    count = sum(step <= length for length in recording.lengths for step in steps)
    if 8 * n * count > MAX_BYTES:
        raise BadInput(
            f"The states of {count:,} steps with {n:,} points take {8e-9 * n * count:.1f} GB, and "
            f"at most 1 GB can be written; choose fewer, such as --steps 0:{steps[-1]}:100."
        )
    step, bias = np.zeros(count, dtype=np.int64), np.zeros(count)
    beta = np.zeros((count, n))
    solver = []
    readings = read_steps(recording, steps, report, events=False)
    for row, (run, snapshot, _) in enumerate(readings):
        step[row], bias[row] = snapshot.step, snapshot.expansion.bias
        beta[row] = snapshot.expansion.beta
        solver.append(run.method.name)
    arrays = {"step": step, "beta": beta, "bias": bias}
    if recording.is_race:
        arrays["solver"] = np.array(solver)
    stream = io.BytesIO()
    np.savez_compressed(stream, allow_pickle=False, **arrays)
    write_atomically(path, stream.getvalue())

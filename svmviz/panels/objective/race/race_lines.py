"""The line of a lane of a race: log10 of the readings of the clock, and distances from P*."""

from __future__ import annotations

import numpy as np

from solvers import Run
from svmviz.frames.clocks import MICROSECONDS_PER_SECOND, SECONDS, Clock
from svmviz.frames.objective_curves import Curve
from svmviz.panels.objective.reference import Optimum

# P* is the smallest possible primal P. Distances P - P* below this fraction of |P*| are rounding
# error.
ROUNDING = 1e-9


def log_readings(curve: Curve, clock: Clock, run: Run) -> np.ndarray:
    """Return log10 of the clock's readings at a curve's samples, shape (m,)."""
    if clock is SECONDS:
        # Not in whole microseconds, since several steps together may take less than one.
        readings = np.array(
            [MICROSECONDS_PER_SECOND * run.trace.seconds_at_step(int(s)) for s in curve.steps]
        )
    else:
        readings = np.array([clock.reading(run, int(step)) for step in curve.steps])
    return np.log10(np.maximum(readings, 1))


def distances(curve: Curve, optimum: Optimum) -> np.ndarray:
    """Return ``P - P*`` at the samples of a curve, shape (m,); NaN where it is rounding error."""
    distance = curve.primal - optimum.value
    rounding_error = ROUNDING * max(abs(optimum.value), 1e-300)
    return np.where(distance > rounding_error, distance, np.nan)

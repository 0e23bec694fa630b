"""Start and end of the pairwise sweep as the lecture prints them, against a loop over all pairs."""

import itertools
import math

import numpy as np
import pytest

from solvers import SMO, Cursor, Hulls, Linear, Problem, Reason, solve
from tests.solvers.problems import separated


@pytest.mark.parametrize("seed", range(6))
def test_the_sweep_as_the_lecture_prints_it(seed):
    """Start at 1/n, all pairs in order, stop after a sweep in which no |delta| exceeds tol."""
    problem = Problem(*separated(16, seed, gap=0.5), Linear(), math.inf)
    tol = 1e-4
    run = solve(problem, Hulls(initial="means", criterion="delta", tol=tol))
    K, y = problem.X @ problem.X.T, problem.y
    tau = np.where(y > 0, 1.0 / (y > 0).sum(), 1.0 / (y < 0).sum())
    cursor, step, largest = Cursor(run), 0, math.inf
    assert np.allclose(cursor.state(0).tau, tau)
    assert np.allclose(np.dot(tau * (y > 0), problem.X), problem.X[y > 0].mean(axis=0), atol=1e-12)
    while largest > tol:
        largest = 0.0
        for i, j in itertools.product(np.flatnonzero(y > 0), np.flatnonzero(y < 0)):
            difference = K[i] - K[j]
            eta = K[i, i] + K[j, j] - 2.0 * K[i, j]
            delta = max((1.0 - difference @ (y * tau)) / eta, -tau[i], -tau[j])
            if abs(delta) < 1e-15:
                continue
            tau[i] += delta
            tau[j] += delta
            largest = max(largest, abs(delta))
            step += 1
            event = cursor.seek(step).event
            assert event.touched == (i, j)
            assert np.allclose(cursor.state(step).tau, tau, atol=1e-9)
    assert (run.steps, run.reason) == (step, Reason.CONVERGED)
    assert "no |δ| of the last sweep exceeds 0.0001" in run.stop.sentence
    assert run.method.kkt_tolerance is None
    optimum = solve(problem, SMO(tol=1e-9)).expansion
    assert run.expansion(problem.X) == pytest.approx(optimum(problem.X), abs=0.02)

"""A run on reduced hulls is judged by the problem that it solves, from its weights alone."""

import math

import numpy as np
import pytest

from solvers import RBF, Cursor, Hulls, Linear, Problem, Reason, certify, solve
from solvers.problem.certificate import BOUND, FREE
from tests.solvers.problems import cloud, define_gram


def overlapping(kernel):
    X, y = cloud(60, 3, noise=1.0)
    return Problem(X, y, kernel=kernel, C=0.7)


@pytest.mark.parametrize("kernel", [Linear(), RBF(0.5)], ids=["linear", "rbf"])
@pytest.mark.parametrize("algorithm", ["mdm", "wolfe"])
@pytest.mark.parametrize("mu", [0.05, 0.08])
def test_bounds_of_every_step_enclose_the_nearest_distance(algorithm, kernel, mu):
    problem = overlapping(kernel)
    method = Hulls(algorithm=algorithm, mu=mu, tol=1e-7)
    run = solve(problem, method)
    assert run.reason is Reason.CONVERGED
    assert run.certified_problem.capped
    K = define_gram(kernel, problem.X, problem.X)
    optimum = run.certificate.primal
    cursor = Cursor(run)
    for step in range(0, run.steps + 1, max(1, run.steps // 40)):
        snapshot = cursor.seek(step)
        found = certify(run.certified_problem, snapshot.expansion)
        weights = method.weights(problem, cursor.state(step))
        z = problem.y * weights
        assert found.primal == pytest.approx(0.5 * z @ K @ z, rel=1e-9)
        assert found.dual <= optimum * (1 + 1e-9)
        assert found.primal >= optimum * (1 - 1e-9)
        # The strip perpendicular to z contains no point of either reduced hull.
        along, strip = problem.y * (K @ z), 0.0
        for own in (problem.y > 0, problem.y < 0):
            left = 1.0
            for value in np.sort(along[own]):
                strip += value * min(mu, left)
                left -= min(mu, left)
        strip = max(0.0, strip) / math.sqrt(z @ K @ z)
        assert found.dual == pytest.approx(0.5 * strip * strip, rel=1e-7, abs=1e-12)
    assert run.certificate.kkt <= method.tol
    assert run.certificate.gap <= 1e-5 * optimum


def test_kinds_and_violations_are_those_of_the_weights():
    problem = overlapping(Linear())
    method = Hulls(algorithm="wolfe", mu=0.05)
    run = solve(problem, method)
    for step in (1, run.steps // 2, run.steps):
        state = Cursor(run).state(step)
        found = certify(run.certified_problem, run.at(step).expansion)
        assert found.count(BOUND) == np.count_nonzero(state.tau == 0.05)
        assert found.count(FREE) == np.count_nonzero((state.tau > 0) & (state.tau < 0.05))
    assert run.certificate.count(BOUND) > 10
    # One weight moved away from the optimum: both points violate, by the same r.
    beta = run.expansion.beta.copy()
    positive = problem.y > 0
    full, idle = (
        np.flatnonzero(positive & (beta > 0))[0],
        np.flatnonzero(positive & (beta == 0))[-1],
    )
    beta[full], beta[idle] = beta[idle], beta[full]
    moved = certify(
        run.certified_problem, type(run.expansion)(problem.kernel, problem.X, beta, 0.0)
    )
    assert moved.kkt > 0.01
    assert moved.gap > 0.01 * moved.primal


def test_whole_hulls_are_judged_by_the_hard_margin_whatever_C():
    X, y = cloud(30, 3, noise=0.2)
    X = X + 3.0 * y[:, None]
    for algorithm in ("pairwise", "mdm", "wolfe"):
        run = solve(Problem(X, y, kernel=Linear(), C=1e-3), Hulls(algorithm=algorithm, tol=1e-7))
        assert run.reason is Reason.CONVERGED
        assert run.certified_problem.hard
        assert run.problem.C == 1e-3
        found = run.certificate
        assert found.kkt <= 1e-7 * (1 + 1e-6)
        assert abs(found.gap) <= 1e-5 * found.primal
        assert found.count(BOUND) == 0


def test_weights_that_are_all_at_the_cap_satisfy_kkt():
    """The smallest reduced hulls are single points, the means of the classes."""
    X = np.array([[1.0, 0.0], [2.0, 2.0], [-1.0, 0.0], [-3.0, 1.0]])
    problem = Problem(X, np.array([1.0, 1.0, -1.0, -1.0]), kernel=Linear())
    run = solve(problem, Hulls(algorithm="mdm", mu=0.5))
    found = run.certificate
    assert found.count(BOUND) == 4
    assert found.kkt == 0.0
    assert found.primal == pytest.approx(0.5 * (3.5**2 + 0.5**2))
    assert found.gap == pytest.approx(0.0, abs=1e-12)

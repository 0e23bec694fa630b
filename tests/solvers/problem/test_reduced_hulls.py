"""A run on reduced hulls is judged by the problem that it solves, from its weights alone."""

import math
import operator
from fractions import Fraction

import numpy as np
import pytest

from solvers import RBF, Cursor, Hulls, Linear, Polynomial, Problem, Reason, certify, solve
from solvers.problem.certificate import BOUND, FREE
from solvers.run.run import MAX_UNSEEN_ERROR
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


def exact_violation(problem, run):
    """The KKT violation of reduced hulls by its definition, in rational numbers."""
    kernel, X = problem.kernel, [[Fraction(float(x)) for x in point] for point in problem.X]
    gamma, coef0 = Fraction(kernel.gamma), Fraction(kernel.coef0)
    beta = [Fraction(float(value)) for value in run.expansion.beta]

    def f(x):
        values = [(coef0 + gamma * sum(map(operator.mul, x, z))) ** kernel.degree for z in X]
        return sum(map(operator.mul, beta, values))

    margins = [int(y) * f(x) for x, y in zip(X, problem.y, strict=True)]
    alpha, cap, worst = problem.y * run.expansion.beta, run.certified_problem.C, Fraction(0)
    for sign in (1, -1):
        points = np.flatnonzero(problem.y == sign)
        grow = [margins[i] for i in points if alpha[i] < cap]
        shrink = [margins[i] for i in points if alpha[i] > 0.0]
        if grow and shrink:
            worst = max(worst, (max(shrink) - min(grow)) / 2)
    return float(worst)


@pytest.mark.parametrize("algorithm", ["mdm", "wolfe"])
def test_violations_are_those_of_the_definition_in_exact_arithmetic(algorithm):
    """Polynomial kernels with a large gamma have large values, of which f is a difference."""
    rng, converged = np.random.default_rng(0), 0
    for _ in range(60):
        n = int(rng.integers(4, 12))
        y = np.where(np.arange(n) % 2, 1.0, -1.0)
        kernel = Polynomial(float(10 ** rng.uniform(1.9, 4)), 1.0, int(rng.integers(1, 7)))
        problem = Problem(rng.normal(size=(n, 2)), y, kernel)
        mu = float(rng.uniform(2.0 / (n - 1), 0.99))
        run = solve(problem, Hulls(algorithm, mu=mu, tol=1e-7, max_steps=5000))
        if run.reason is not Reason.CONVERGED:
            continue
        converged += 1
        exact = exact_violation(problem, run)
        assert exact <= 1.01 * run.method.tol + MAX_UNSEEN_ERROR
        assert run.certificate.kkt == pytest.approx(exact, abs=MAX_UNSEEN_ERROR)
    assert converged > 20


def test_hulls_too_near_for_double_precision_have_not_converged():
    # Each of the values 2,200 of k is multiplied by an alpha of up to 7e7.
    X = np.array([
        [0.0001850178180152222, 5.854332920141598e-06],
        [-2.2022611675885003e-08, -3.98177881015167e-08],
        [-2.5986961721531853e-11, -4.1362259725398355e-05],
        [0.0001589595013364704, -0.0016355913555111787],
        [3.443149699954633e-08, -7.556864956073883e-13],
    ])  # fmt: skip
    problem = Problem(X, [1, -1, 1, -1, -1], Polynomial(0.09243747511025303, 3.0, 7))
    run = solve(problem, Hulls("mdm", mu=0.9385284138278269, tol=3.17e-9))
    assert run.certificate.kkt <= 3.17e-9 < 1e-6 < exact_violation(problem, run)
    assert run.reason is Reason.STALLED
    assert "rounding error" in run.stop.sentence


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

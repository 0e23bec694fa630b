"""Losses, the two parts of the primal, its sub-gradients, and P along a line, against numpy."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from solvers import RBF, SMO, InteriorPoint, Linear, Problem, solve
from solvers.problem.certificate import certify
from solvers.problem.expansion import Expansion
from solvers.problem.losses import (
    LOSSES,
    REGRESSION_LOSSES,
    losses_for,
    misclassified,
    objective_of,
    objective_of_line,
    point_losses,
)
from solvers.problem.regression import Regression
from solvers.problem.slices import slice_between
from solvers.problem.subgradients import subdifferential
from solvers.selection.risks import RISKS

SCENES = range(200)
ALL_LOSSES = [*LOSSES.values(), *REGRESSION_LOSSES.values()]


def random_problem(seed):
    """A problem of either task, with any kind of bias."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(5, 40))
    C = float(10.0 ** rng.uniform(-2, 2))
    bias = ["free", "none", "augmented"][seed % 3]
    kernel = [Linear(), RBF(float(rng.uniform(0.2, 2.0)))][seed // 3 % 2]
    if seed % 4 == 3:
        X, y = rng.normal(size=(n, 1)), rng.normal(size=n)
        return Regression(X, y, kernel, C, bias, epsilon=float(rng.uniform(0.0, 0.5)))
    X = rng.normal(size=(n, 2))
    y = np.where(X @ rng.normal(size=2) + 0.5 * rng.normal(size=n) > 0.0, 1.0, -1.0)
    y[:2] = 1.0, -1.0
    return Problem(X, y, kernel, C, bias)


def random_expansion(problem, rng):
    bias = 0.0 if problem.bias == "none" else float(rng.normal())
    return Expansion(problem.kernel, problem.X, rng.normal(size=problem.n), bias)


def test_f_of_0_predicts_the_class_plus_1():
    y = np.array([1.0, 1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0, 1.0, -1.0])
    f = np.array([2.0, 0.0, -0.0, -1e-9, -2.0, 0.0, -0.0, -1e-9, np.nan, np.nan])
    wrong = np.array([0, 0, 0, 1, 0, 1, 1, 0, 1, 1], dtype=bool)
    assert misclassified(y, f).tolist() == wrong.tolist()
    # Every count of errors follows it, and so does the 0-1 loss.
    assert RISKS["zero-one"].loss(f, y, 0.0).tolist() == wrong.astype(float).tolist()
    problem = Problem(np.zeros((8, 1)), y[:8])
    assert point_losses(problem, f[:8], LOSSES["zero-one"]).tolist() == wrong[:8].tolist()


def primal(problem, expansion):
    """P by its definition."""
    K, beta, b = problem.kernel(problem.X, problem.X), expansion.beta, expansion.bias
    f = K @ beta + b
    square = beta @ K @ beta + (b * b if problem.bias == "augmented" else 0.0)
    if problem.task == "regression":
        return 0.5 * square + problem.C * np.maximum(0, abs(problem.y - f) - problem.epsilon).sum()
    return 0.5 * square + problem.C * np.maximum(0, 1 - problem.y * f).sum()


@pytest.mark.parametrize("seed", SCENES)
def test_the_two_parts_add_up_to_P_at_every_step(seed):
    problem = random_problem(seed)
    run = solve(problem, SMO() if problem.bias == "free" else InteriorPoint())
    loss = next(iter(losses_for(problem.task).values()))
    for step in {0, 1, run.steps // 2, run.steps}:
        expansion = run.at(step).expansion
        certificate = certify(problem, expansion)
        objective = objective_of(problem, certificate.decision, certificate.norm, loss)
        assert objective.primal == pytest.approx(certificate.primal, rel=1e-12, abs=1e-12)
        assert objective.primal == pytest.approx(primal(problem, expansion), rel=1e-9, abs=1e-12)
        losses = point_losses(problem, certificate.decision, loss)
        assert losses == pytest.approx(certificate.slack, abs=1e-9)


def test_the_parts_of_a_line_are_those_of_the_same_expansion():
    rng = np.random.default_rng(4)
    problem = replace(random_problem(0), kernel=Linear())
    expansion = random_expansion(problem, rng)
    line = objective_of_line(problem, expansion.w, expansion.bias)
    assert line.primal == pytest.approx(primal(problem, expansion))


def test_P_of_any_line_is_the_sum_over_its_points():
    for seed in SCENES:
        rng = np.random.default_rng(seed)
        n = int(rng.integers(2, 40))
        X, y = rng.normal(size=(n, 2)) * rng.uniform(0.1, 9.0), rng.choice([-1.0, 1.0], n)
        y[:2] = 1.0, -1.0
        C, w, b = float(rng.uniform(0.01, 50.0)), rng.normal(size=2), float(rng.normal())
        slack = sum(
            max(0.0, 1.0 - label * (x[0] * w[0] + x[1] * w[1] + b))
            for x, label in zip(X, y, strict=True)
        )
        found = objective_of_line(Problem(X, y, Linear(), C), w, b)
        assert found.slack == pytest.approx(slack, abs=1e-12)
        assert found.primal == pytest.approx(0.5 * (w[0] ** 2 + w[1] ** 2) + C * slack)


def test_a_hard_margin_is_scaled_until_the_nearest_point_has_1():
    X = np.array([[0.0, 1.0], [0.0, 3.0], [0.0, -1.0]])
    problem = Problem(X, np.array([1.0, 1.0, -1.0]), Linear(), math.inf)
    hinge = LOSSES["hinge"]
    objective = objective_of(problem, X @ [0.0, 0.5], 0.5, hinge)
    assert (objective.regulariser, objective.penalty) == (0.5, 0.0)
    assert math.isinf(objective_of(problem, X @ [0.0, -0.5], 0.5, hinge).primal)


@pytest.mark.parametrize("loss", ALL_LOSSES, ids=lambda loss: loss.name)
def test_slopes_are_those_of_lines_that_support_the_loss(loss):
    epsilon = 0.25
    z = np.array([-2.0, -epsilon, 0.0, 0.1, epsilon, 0.7, 1.0, 1.5])
    values = loss.values(z, epsilon)
    if loss.slopes is None:
        # Not convex: the chord from -1 to 2 runs below the loss at -0.1.
        ends = loss.values(np.array([-1.0, 2.0]), epsilon)
        chord = ends[0] + 0.3 * (ends[1] - ends[0])
        assert loss.values(np.array([-0.1]), epsilon)[0] > chord
        return
    everywhere = np.linspace(-4.0, 4.0, 801)
    for slopes in loss.slopes(z, epsilon):
        lines = values[:, None] + slopes[:, None] * (everywhere - z[:, None])
        assert (lines <= loss.values(everywhere, epsilon) + 1e-12).all()
    left, right = loss.slopes(z, epsilon)
    step = 1e-7
    assert left == pytest.approx((values - loss.values(z - step, epsilon)) / step, abs=1e-5)
    assert right == pytest.approx((loss.values(z + step, epsilon) - values) / step, abs=1e-5)
    assert set(z[left != right]) == set(loss.kinks(epsilon))


@pytest.mark.parametrize("seed", SCENES)
def test_P_along_a_line_is_P_and_convex(seed):
    problem, rng = random_problem(seed), np.random.default_rng(seed)
    first, second = random_expansion(problem, rng), random_expansion(problem, rng)
    along = slice_between(problem, first, second)
    t = np.linspace(-1.5, 2.5, 41)

    def between(share):
        mixed = [(1 - share) * a + share * b for a, b in
                 ((first.beta, second.beta), (first.bias, second.bias))]  # fmt: skip
        return Expansion(problem.kernel, problem.X, *mixed)

    values = along.values(t)
    assert values == pytest.approx([primal(problem, between(share)) for share in t])
    # Lines with both slopes, there and at the kinks, lie nowhere above.
    at = np.concatenate([t, along.kinks()[:10]])
    for slopes in along.slopes(at):
        lines = along.values(at)[:, None] + slopes[:, None] * (t - at[:, None])
        assert (lines <= values + 1e-8 * (1.0 + abs(values).max())).all()
    left, right = along.slopes(along.kinks())
    assert (right > left).all()


@pytest.mark.parametrize("seed", SCENES)
def test_subgradients_support_P(seed):
    rng = np.random.default_rng(seed)
    problem = random_problem(12 * seed)
    problem = replace(problem, kernel=Linear(), bias=["free", "none", "augmented"][seed % 3])
    w, b = rng.normal(size=2), 0.0 if problem.bias == "none" else float(rng.normal())
    # Two of the points are put on the margin.
    X = problem.X.copy()
    for i in (0, 1):
        X[i] += w / (w @ w) * (problem.y[i] - X[i] @ w - b)
    problem = replace(problem, X=X)
    found = subdifferential(problem, w, b)
    assert found.kinks.tolist() == [0, 1]

    def value(v, c):
        square = v @ v + (c * c if problem.bias == "augmented" else 0.0)
        return 0.5 * square + problem.C * np.maximum(0, 1 - problem.y * (X @ v + c)).sum()

    here = value(w, b)
    for g in [*found.corners(), found.at(rng.random(2))]:
        for _ in range(50):
            v = w + rng.normal(size=2) * 10.0 ** rng.uniform(-3, 1)
            c = 0.0 if problem.bias == "none" else b + rng.normal()
            assert value(v, c) >= here + g[:2] @ (v - w) + g[2] * (c - b) - 1e-8 * (1 + here)


def test_only_subgradients_without_a_part_in_b_support_the_least_over_b():
    X = np.array([[1.0, 0.5], [-1.0, 0.3], [0.2, 2.0]])
    problem = Problem(X, np.array([1.0, -1.0, 1.0]), Linear(), 2.0)
    # Points 1 and 2 are on their margins for w = (1, 0) and b = 0, and point 3 is inside.
    found = subdifferential(problem, np.array([1.0, 0.0]), 0.0)
    assert found.kinks.tolist() == [0, 1]
    corners = found.corners(b_free=True)
    assert corners[:, 2] == pytest.approx(0.0)
    # s_1 - s_2 + 1 = 0, so s = (0, 1) alone.
    assert np.unique(corners.round(12), axis=0).tolist() == [[-1.4, -3.4, 0.0]]
    # Away from all margins there is one sub-gradient.
    smooth = subdifferential(problem, np.array([0.5, 0.0]), 0.1)
    assert smooth.corners().tolist() == [smooth.base.tolist()]


def test_many_points_on_the_margin_still_give_subgradients():
    X = np.array([[1.0, k] for k in range(6)] + [[-1.0, k] for k in range(4)], dtype=float)
    problem = Problem(X, np.array([1.0] * 6 + [-1.0] * 4), Linear(), 2.0)
    found = subdifferential(problem, np.array([1.0, 0.0]), 0.0)
    assert len(found.kinks) == 10
    assert found.corners().tolist() == [found.base.tolist(), found.at(np.ones(10)).tolist()]
    # With the same s for all, g_b is 0 only for s = 0.
    assert found.corners(b_free=True).tolist() == [[1.0, 0.0, 0.0]]

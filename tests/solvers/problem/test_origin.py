"""Problems with a free bias do not depend on the origin, nor on a constant of the kernel."""

import dataclasses
import math

import numpy as np
import pytest

from solvers import (
    METHODS,
    RBF,
    Composed,
    Cursor,
    Expansion,
    InteriorPoint,
    Linear,
    Polynomial,
    Problem,
    Reason,
    Regression,
    certify,
    solve,
)
from solvers.problem.origin import FAR, distance_from_0, origin_of
from tests.solvers.problems import cloud, separated, wave

FREE = [kind for kind in METHODS.values() if "free" in kind.biases]
# Added to integer coordinates, this number leaves no rounding error.
FAR_AWAY = np.array([1.7e9, -(2.0**20)])


def whole(points):
    """Return points with coordinates of few binary digits, so that moving them is exact."""
    return np.round(points * 64.0) / 64.0


def moved(kind, n=20):
    """Return a problem with the linear kernel that suits a method, near 0 and far away."""
    X, y = separated(n, 3) if kind.aim or kind.name == "hulls" else cloud(n, 3)
    X = whole(X)
    # Both are taken from the same centre: the near one is, too, if its points are centred before.
    X = X - 0.5 * (X.max(axis=0) + X.min(axis=0))
    return [Problem(X + offset, y, kernel=Linear(), C=2.0) for offset in (0.0, FAR_AWAY)]


@pytest.mark.parametrize("kind", FREE)
def test_every_step_far_away_is_that_near_0(kind):
    near, far = (solve(problem, kind(max_steps=300)) for problem in moved(kind))
    assert near.problem.origin is None
    assert far.problem.origin is not None
    assert (near.steps, near.stop) == (far.steps, far.stop)
    cursors = Cursor(near), Cursor(far)
    for step in range(0, near.steps + 1, 7):
        one, other = (cursor.seek(step, with_event=False).expansion for cursor in cursors)
        assert one.beta.tobytes() == other.beta.tobytes()
        assert other.bias_at_origin == one.bias
        assert one.w.tobytes() == other.w.tobytes()


@pytest.mark.parametrize("kind", FREE)
def test_b_is_that_of_the_users_coordinates(kind):
    far = solve(moved(kind)[1], kind(max_steps=300))
    f, X = far.expansion, far.problem.X
    assert np.abs(X @ f.w + f.bias - f(X)).max() <= 1e-15 * (1.0 + abs(f.bias)) * len(X)
    assert f(X).tobytes() == far.certificate.decision.tobytes()
    xs, ys = np.linspace(*X[[0, 1], 0], 5), np.linspace(*X[[0, 1], 1], 4)
    nodes = np.array([[(x, y) for x in xs] for y in ys])
    field = f.on_grid(xs, ys)
    assert np.allclose(field, f(nodes.reshape(-1, 2)).reshape(field.shape), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("kind", [kind for kind in FREE if "regression" in kind.tasks])
def test_a_regression_on_dates(kind):
    X, y = wave(30, 2)
    X = whole(X[:, :1])
    X -= 0.5 * (X.max() + X.min())
    near, far = (
        solve(Regression(X + offset, y, kernel=Linear(), C=3.0), kind()) for offset in (0.0, 1.7e9)
    )
    assert far.reason is Reason.CONVERGED
    assert far.expansion.beta.tobytes() == near.expansion.beta.tobytes()
    assert far.expansion(X + 1.7e9).tobytes() == near.expansion(X).tobytes()


def test_ordinary_points_keep_their_coordinates():
    X, y = cloud(30, 1)
    for offset in (0.0, 1.0, 20.0):
        problem = Problem(X + offset, y, kernel=Linear())
        assert problem.origin is None
        assert problem.centered is problem.X
    assert origin_of(np.full((3, 2), 1e9)) is None
    assert distance_from_0(np.array([[0.0, 0.0], [2.0, 1.0]])) == 1.0
    edge = np.array([[FAR - 1.0, 0.0], [FAR + 1.0, 0.0]])
    assert origin_of(edge) is None
    assert origin_of(edge + 1.0).tolist() == [FAR + 1.0, 0.5 * 2.0]


@pytest.mark.parametrize(
    "changes", [{"kernel": RBF(1.0)}, {"kernel": Polynomial(1.0, 1.0, 2)}, {"bias": "augmented"}]
)
def test_problems_that_depend_on_the_origin_keep_it(changes):
    X, y = cloud(30, 1)
    assert Problem(X + 1e6, y, **({"kernel": Linear()} | changes)).origin is None


def test_a_certificate_does_not_share_the_rounding_of_far_points():
    near, far = moved(METHODS["smo"])
    run = solve(near, InteriorPoint(tol=1e-10))
    beta, b = run.expansion.beta, run.expansion.bias
    bias = b - float(run.expansion.w @ FAR_AWAY)
    # The plain formula, as a user would write it: b has lost digits, and nothing else may.
    found = certify(far, Expansion(far.kernel, far.X, beta, bias))
    assert found.dual == pytest.approx(run.certificate.dual, rel=1e-9)
    assert found.primal == pytest.approx(run.certificate.primal, rel=1e-4)


def test_the_shape_of_a_problem_survives_replace():
    _, far = moved(METHODS["smo"])
    part = dataclasses.replace(far, X=far.X[:10], y=far.y[:10])
    assert part.origin is not None
    free_of_origin = dataclasses.replace(far, bias="none")
    assert free_of_origin.origin is None
    assert free_of_origin.centered is free_of_origin.X


CONSTANTS = ("linear() + 1e15", "1e15 + linear()", "linear() + 1e15 - 1e3", "-(1e9 - linear())")


@pytest.mark.parametrize("expression", CONSTANTS)
@pytest.mark.parametrize("name", ["smo", "working-set", "interior-point"])
def test_a_constant_of_the_kernel_does_not_matter(expression, name):
    X = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 1.0], [0.0, 1.5]])
    y = np.array([-1.0, 1.0, 1.0, -1.0])
    run = solve(Problem(X, y, kernel=Composed(expression)), METHODS[name]())
    # Points 1 and 2 are 1 apart, and C = 1 holds both alphas: w = (1, 0), b = -1/2.
    assert run.reason is Reason.CONVERGED
    assert run.certificate.dual == pytest.approx(1.5, abs=1e-5)
    assert run.certificate.primal == pytest.approx(1.5, abs=1e-5)


def test_a_certificate_does_not_share_the_rounding_of_a_constant():
    X = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 1.0], [0.0, 1.5]])
    y = np.array([-1.0, 1.0, 1.0, -1.0])
    problem = Problem(X, y, kernel=Composed("linear() + 1e15"))
    # P = D = 2 by rounding, if the kernel values are computed with their constant.
    beta = np.array([-1.0, 1.0, 0.0, 0.0])
    found = certify(problem, Expansion(problem.kernel, X, beta, 0.0))
    assert found.dual == pytest.approx(1.5)
    assert found.gap > 0.4


def test_small_constants_and_those_of_other_biases_stay():
    X, y = cloud(20, 1)
    for kernel in (Composed("linear() + 1"), Composed("1e15"), Composed("rbf(1)"), RBF(1.0)):
        assert Problem(X, y, kernel=kernel).used_kernel is kernel
    kernel = Composed("rbf(1) + 1e15")
    assert Problem(X, y, kernel=kernel, bias="none").used_kernel is kernel
    assert Problem(X, y, kernel=kernel).used_kernel == Composed("rbf(1)")


def test_a_hard_margin_of_dates():
    X, y = separated(20, 4)
    problem = Problem(whole(X) + FAR_AWAY, y, kernel=Linear(), C=math.inf)
    run = solve(problem)
    assert run.reason is Reason.CONVERGED
    assert run.certificate.relative_gap <= 1e-2

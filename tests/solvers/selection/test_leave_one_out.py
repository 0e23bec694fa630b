"""Leave-one-out: fits that are left out would not change f, and the bounds hold."""

from typing import Any

import numpy as np
import pytest

from solvers import RBF, SMO, InteriorPoint, Pegasos, Polynomial, WorkingSet, solve
from solvers.selection.estimate import estimate
from solvers.selection.models import Model
from solvers.selection.procedures import leave_one_out
from solvers.selection.search import TEST, TRAINING
from tests.solvers.problems import random_problem
from tests.solvers.selection.sets import moons, sine

PROBLEMS = {
    "moons": lambda: moons(60, kernel=RBF(1.0), C=10.0),
    "polynomial": lambda: moons(60, kernel=Polynomial(1.0, 1.0, 3), C=1.0),
    "regression": lambda: sine(60, kernel=RBF(0.5), C=3.0, epsilon=0.2),
    "no bias": lambda: moons(60, kernel=RBF(1.0), C=10.0, bias="none"),
}


@pytest.mark.parametrize("points", PROBLEMS)
def test_leaving_out_a_point_without_alpha_changes_nothing(points):
    problem = PROBLEMS[points]()
    method = InteriorPoint(tol=1e-9) if problem.bias == "none" else SMO(tol=1e-9)
    results = list(leave_one_out(problem, method))
    whole: Any = results[0].fit
    skipped = [result for result in results if not result.solved]
    assert results[0].measured_on == TRAINING
    assert 0 < len(skipped) == (whole.beta == 0).sum() < problem.n
    for result in skipped:
        run = solve(Model().on(problem, result.split.train), method)
        [i] = result.split.test
        assert whole.beta[i] == 0
        assert result.fit.decision == pytest.approx(run.expansion(problem.X[[i]]), abs=1e-6)
        # Not only at the point itself.
        expected = run.expansion(problem.X)
        assert whole.decision == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("points", PROBLEMS)
@pytest.mark.parametrize("risk", [None, "last"])
def test_it_equals_a_cold_solution_of_every_point(points, risk):
    problem = PROBLEMS[points]()
    method = InteriorPoint(tol=1e-9) if problem.bias == "none" else WorkingSet(tol=1e-8)
    risk = risk and ("epsilon" if problem.task == "regression" else "hinge")
    parts = estimate("leave-one-out", leave_one_out(problem, method, risk=risk)).parts
    assert [part.split.test.tolist() for part in parts] == [[i] for i in range(problem.n)]
    for part in parts:
        run = solve(Model().on(problem, part.split.train), method)
        f = run.expansion(problem.X[part.split.test])
        assert part.fit.decision == pytest.approx(f, abs=1e-5)


def test_the_loss_depends_on_the_epsilon_of_the_model():
    problem = sine(60, kernel=RBF(0.5), C=3.0, epsilon=0.01)
    model = Model(WorkingSet(tol=1e-8), changes={"epsilon": 0.3})
    for result in leave_one_out(problem, model, risk="epsilon"):
        if result.measured_on == TEST:
            run = solve(model.on(problem, result.split.train), model.method)
            losses = np.maximum(0.0, np.abs(problem.y - run.expansion(problem.X)) - 0.3)
            assert result.fit.risk == pytest.approx(losses[result.split.test].mean(), abs=1e-5)
            mean = losses[result.split.train].mean()
            assert result.fit.training_risk == pytest.approx(mean, abs=1e-5)


def test_a_bias_that_is_not_unique_is_found_again():
    # Every support vector is at C, so b may be anywhere in an interval whose ends other points set.
    problem = moons(40, kernel=RBF(0.1), C=1e-3)
    results = list(leave_one_out(problem, SMO(tol=1e-9)))
    assert all(result.solved for result in results)
    assert results[0].bounds is None


def test_iterates_that_are_no_optimum_are_found_again():
    problem = moons(20, kernel=RBF(1.0), C=1.0, bias="none")
    results = list(leave_one_out(problem, Pegasos(max_steps=100)))
    assert all(result.solved for result in results)
    assert results[0].bounds is None


def test_the_bounds_hold():
    known = []
    for seed in range(30):
        results = list(leave_one_out(random_problem(seed), WorkingSet(tol=1e-6)))
        bounds = results[0].bounds
        if bounds is not None:
            errors = np.mean([result.risk for result in results if result.measured_on == TEST])
            assert errors <= bounds.xi_alpha <= bounds.support
            known.append(bounds)
    assert len(known) > 15
    assert any(bounds.xi_alpha < bounds.support < 1 for bounds in known)


def test_without_a_bias_the_bound_is_that_of_each_point():
    for seed in range(3):
        problem = random_problem(seed)
        for bias in ("none", "augmented"):
            other = Model(InteriorPoint(tol=1e-8), changes={"bias": bias})
            results = list(leave_one_out(problem, other))
            if results[0].bounds is None:
                continue
            errors = np.mean([result.risk for result in results if result.measured_on == TEST])
            assert errors <= results[0].bounds.xi_alpha <= results[0].bounds.support

"""Epsilon, C and the tolerance in the scale of the targets, beside the runs that they give."""

from dataclasses import replace

import numpy as np
import pytest

from solvers import RBF, SMO, InteriorPoint, Linear, Polynomial, Regression, Sigmoid, solve
from solvers.methods.target_scale import target_misfit
from tests.solvers.problems import wave

X, Y = wave(30, 1)
Y = (Y - Y.mean()) / Y.std()


def problem_of(scale=1.0, **changes):
    return Regression(X, scale * Y, **{"kernel": RBF(0.5), **changes})


@pytest.mark.parametrize("scale", [1e-9, 1e-4, 1e4, 1e9])
@pytest.mark.parametrize("method", [SMO(), InteriorPoint()])
def test_the_fitted_numbers_give_the_curve_of_standard_targets(scale, method):
    flat = solve(problem_of(scale), method).expansion(X)
    assert np.ptp(flat) < 0.1 * np.ptp(scale * Y)
    misfit = target_misfit(problem_of(scale), method)
    assert misfit is not None
    fitted = problem_of(scale, epsilon=misfit.epsilon, C=misfit.C)
    assert target_misfit(fitted, replace(method, tol=misfit.tol)) is None
    found = solve(fitted, replace(method, tol=misfit.tol)).expansion(X) / scale
    expected = solve(problem_of(), method).expansion(X)
    # The tolerances differ, since none is above 1 or below 1e-12.
    assert np.abs(found - expected).max() < 5e-3
    assert np.corrcoef(found, Y)[0, 1] > 0.9


@pytest.mark.parametrize("bias", ["free", "none"])
def test_epsilon_is_refused_from_where_f_is_constant(bias):
    half = 0.5 * np.ptp(Y) if bias == "free" else np.abs(Y).max()
    method = next(m for m in (SMO(tol=1e-9), InteriorPoint(tol=1e-9)) if bias in m.biases)
    for factor, reason in ((1.001, "epsilon"), (0.99, None)):
        problem = problem_of(epsilon=factor * half, bias=bias)
        misfit = target_misfit(problem, SMO())
        assert (misfit and misfit.reason) == reason
        assert (np.ptp(solve(problem, method).expansion(X)) < 1e-8) == (reason is not None)


@pytest.mark.parametrize("kernel", [RBF(0.5), Linear(), Polynomial()])
@pytest.mark.parametrize("C", [1e-6, 1e-4])
def test_the_reach_of_f_is_not_exceeded(kernel, C):
    problem = problem_of(1e4, kernel=kernel, C=C)
    misfit = target_misfit(problem, SMO())
    assert misfit is not None
    assert misfit.reason == "C"
    assert np.ptp(solve(problem, SMO()).expansion(X)) <= misfit.reach
    assert pytest.approx(1e4, rel=0.05) == misfit.C


def test_a_tolerance_of_the_size_of_the_targets_is_refused():
    problem = problem_of(1e-4, epsilon=1e-5, C=1e-4)
    misfit = target_misfit(problem, SMO())
    assert misfit is not None
    assert (misfit.reason, misfit.epsilon, misfit.C) == ("tol", 1e-5, 1e-4)
    assert misfit.tol == pytest.approx(1e-7, rel=0.05)
    assert solve(problem, SMO()).steps == 0 < solve(problem, SMO(tol=misfit.tol)).steps
    assert target_misfit(problem, SMO(tol=1e-7)) is None


def test_numbers_that_suit_are_kept():
    assert target_misfit(problem_of(), SMO()) is None
    assert target_misfit(problem_of(3.0), InteriorPoint()) is None
    misfit = target_misfit(problem_of(epsilon=5.0, C=7.0), SMO())
    assert misfit is not None
    assert (misfit.C, misfit.tol) == (7.0, 1e-3)
    # Nothing follows from these.
    assert target_misfit(problem_of(1e-6, kernel=Sigmoid()), SMO()) is None
    assert target_misfit(Regression(X[:2], Y[:2]), SMO()) is None
    assert target_misfit(Regression(X, np.full(30, 5.0)), SMO()) is None
    assert target_misfit(problem_of(1e-99), SMO()) is not None

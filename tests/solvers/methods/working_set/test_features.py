"""Ways to save kernel values: polynomials, and cached rows; and the number of free variables."""

import numpy as np
import pytest

from solvers import RBF, SMO, Cursor, Linear, Polynomial, Problem, Reason, WorkingSet, solve
from solvers.data.datasets import DATASETS
from solvers.methods.working_set import state as working_state
from solvers.methods.working_set.features import monomials_at, number_of_features
from solvers.methods.working_set.state import NEWTON
from tests.solvers.problems import cloud, define_gram
from tests.solvers.states import same_state

POLYNOMIALS = [Linear(), Polynomial(0.7, 1.3, 3), Polynomial(2.0, 0.0, 4), Polynomial(1.0, 1.0, 1)]


@pytest.mark.parametrize("kernel", POLYNOMIALS, ids=str)
@pytest.mark.parametrize("d", [1, 2, 3])
def test_monomials_give_the_kernel(kernel, d):
    X = np.random.default_rng(d).normal(size=(9, d))
    dual_form = Problem(X, np.where(np.arange(9) < 4, -1.0, 1.0), kernel=kernel).dual_form
    features, weights = monomials_at(dual_form)
    K = features.T @ (weights[0][:, None] * features)
    np.testing.assert_allclose(K, define_gram(kernel, X, X), rtol=1e-13, atol=1e-13)


def test_other_kernels_and_large_degrees_have_no_monomials():
    X, y = cloud(9, 0)
    assert len(monomials_at(Problem(X, y, kernel=RBF(1.0)).dual_form)[0]) == 0
    assert len(monomials_at(Problem(X, y, kernel=Linear(), bias="augmented").dual_form)[0]) == 0
    many = Problem(np.hstack([X] * 5), y, kernel=Polynomial(1.0, 1.0, 5))
    assert len(monomials_at(many.dual_form)[0]) == 0
    assert number_of_features(RBF(1.0), 2) is None
    assert number_of_features(Polynomial(1.0, 1.0, 3), 2) == 10


def test_monomials_of_the_largest_points_are_finite():
    X = np.array([[1e100, 0.0], [0.0, 1e100], [1.0, 1.0], [-1e100, 1e100]])
    dual_form = Problem(X, np.array([1, -1, 1, -1]), kernel=Polynomial(1e-200, 1.0, 10)).dual_form
    features, weights = monomials_at(dual_form)
    assert np.isfinite(features).all()
    assert np.isfinite(weights[0]).all()


def test_tiny_points_and_a_huge_gamma_are_solved_as_others_are():
    X, y = cloud(40, 1, noise=0.6)
    huge = Problem(X * 1e-100, y, kernel=Polynomial(1e200, 1.0, 3))
    usual = Problem(X, y, kernel=Polynomial(1.0, 1.0, 3))
    tiny, plain = (solve(problem, WorkingSet(size=8)) for problem in (huge, usual))
    assert tiny.reason is Reason.CONVERGED
    assert tiny.certificate.dual == pytest.approx(plain.certificate.dual, rel=1e-5)


@pytest.mark.parametrize("kernel", POLYNOMIALS, ids=str)
def test_F_by_monomials_is_F(kernel):
    problem = Problem(*cloud(600, 3, noise=1.0), kernel=kernel, C=5.0)
    run = solve(problem, WorkingSet())
    state = Cursor(run).state(run.steps)
    assert run.reason is Reason.CONVERGED
    K = define_gram(kernel, problem.X, problem.X)
    rounding = 1e-14 * np.abs(K) @ np.abs(state.beta)
    assert (np.abs(state.F - (problem.y - K @ state.beta)) <= 1e-12 + rounding).all()


def test_the_cache_changes_no_bit():
    problem = Problem(*cloud(1300, 4, noise=1.0), kernel=RBF(1.0), C=20.0)
    states = []
    for cache_bytes in (0, 200_000, 100_000_000):
        run = solve(problem, WorkingSet(tol=1e-5), cache_bytes=cache_bytes)
        states.append(run._state)
    assert same_state(states[0], states[1])
    assert same_state(states[0], states[2])


def test_free_variables_become_no_more_than_features_need():
    # Pairs alone leave hundreds of free variables here, and then crawl.
    made = DATASETS["spirals"].generate(2500, DATASETS["spirals"].noise_default, 0)
    problem = Problem(made.points, made.labels, kernel=Polynomial(1.0, 1.0, 3), C=100.0)
    run = solve(problem, WorkingSet(max_steps=200_000))
    dual_form, beta = problem.dual_form, run._state.beta
    assert run.reason is Reason.CONVERGED
    assert run.certificate.gap <= 1e-3 * problem.C * problem.n
    assert np.count_nonzero((beta > dual_form.lower) & (beta < dual_form.upper)) <= 2 * (10 + 1)


def test_a_newton_step_on_some_free_variables_says_so():
    made = DATASETS["spirals"].generate(400, DATASETS["spirals"].noise_default, 0)
    problem = Problem(made.points, made.labels, kernel=Polynomial(1.0, 1.0, 3), C=100.0)
    run = solve(problem, WorkingSet())
    told = 0
    for step in range(1, run.steps + 1):
        record = run.trace.event(step)
        assert record is not None
        if record["kind"] != NEWTON:
            continue
        event = run.at(step).event
        assert event.kind == "newton"
        assert len(event.touched) <= record["i"] <= 12
        assert all(row["old"] != row["new"] for row in event.values["moved"][:1])
        if " of " in event.sentence:
            assert f"step on {len(event.touched)} of" in event.sentence
            told += 1
        if told > 5:
            break
    assert told > 5


@pytest.mark.parametrize("most", [3, 16])
def test_newton_steps_on_some_of_many_free_variables(monkeypatch, most):
    monkeypatch.setattr(working_state, "MAX_NEWTON", most)
    problem = Problem(*cloud(150, 2, noise=0.6), kernel=RBF(3.0), C=100.0)
    reference = solve(problem, SMO(tol=1e-6)).certificate
    run = solve(problem, WorkingSet(tol=1e-6))
    assert run.reason is Reason.CONVERGED
    assert run.certificate.dual == pytest.approx(reference.dual, rel=1e-6)

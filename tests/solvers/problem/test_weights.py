"""Weights of points: a point of weight 3 is three equal points, and the box of alpha is C_i."""

import dataclasses
import math
import pickle

import numpy as np
import pytest

from solvers import (
    METHODS,
    RBF,
    BadInput,
    CoordinateAscent,
    InteriorPoint,
    Linear,
    Problem,
    Regression,
    certify,
    solve,
)
from solvers.problem.kkt import nearest
from solvers.problem.losses import LOSSES, objective_of
from solvers.problem.quadratic_program import quadratic_program
from solvers.problem.slices import slice_between
from solvers.problem.smooth_losses import kernel_ridge, least_squared, logistic_regression
from solvers.problem.subgradients import subdifferential
from solvers.selection.budget_path import path_point
from solvers.selection.keys import Keys
from solvers.selection.models import Model
from tests.solvers.problems import cloud, is_one_sentence, separated, wave

SHARP = {"smo": {"tol": 1e-9}, "working-set": {"tol": 1e-9}, "interior-point": {"tol": 1e-9}}
WITH_BOX = [name for name, kind in METHODS.items() if kind.takes_weights]
WITHOUT = [name for name in METHODS if name not in WITH_BOX]


def sharp(name):
    return METHODS[name](**SHARP.get(name, {"tol": 1e-7}), max_steps=1_000_000)


def weighted_and_repeated(task, kernel, bias, seed=0, n=23):
    """Return a problem with whole weights, and the one in which each point occurs so often."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 5, size=n)
    kind, points = (
        (Problem, cloud(n, seed)) if task == "classification" else (Regression, wave(n, seed))
    )
    X, y = points
    one = kind(X, y, kernel=kernel, C=0.7, bias=bias, weights=counts)
    return one, kind(
        np.repeat(X, counts, axis=0), np.repeat(y, counts), kernel=kernel, C=0.7, bias=bias
    )


CASES = [
    pytest.param(name, task, kernel, bias, id=f"{name}-{task}-{kernel.name}-{bias}")
    for name in WITH_BOX
    for task in METHODS[name].tasks
    for kernel in (Linear(), RBF(0.6))
    for bias in METHODS[name].biases
]


@pytest.mark.parametrize(("name", "task", "kernel", "bias"), CASES)
def test_a_weight_is_a_number_of_equal_points(name, task, kernel, bias):
    problem, repeated = weighted_and_repeated(task, kernel, bias)
    run = solve(problem, sharp(name))
    found, expected = run.certificate, solve(repeated, InteriorPoint(tol=1e-9)).certificate
    assert found.kkt < 1e-6
    assert found.relative_gap < 1e-6
    assert found.primal == pytest.approx(expected.primal, rel=1e-7)
    assert found.dual == pytest.approx(expected.dual, rel=1e-7)
    places = np.random.default_rng(1).normal(size=(50, 2))
    other = solve(repeated, InteriorPoint(tol=1e-9)).expansion
    assert np.abs(run.expansion(places) - other(places)).max() < 1e-5
    # Some alpha are at their own bound, and none is above it.
    at_bound = found.alpha == problem.C * problem.weights
    assert (found.kinds == 2).tolist() == at_bound.tolist()
    assert at_bound.any()
    assert (found.alpha <= problem.C * problem.weights).all()


@pytest.mark.parametrize("name", WITH_BOX)
def test_equal_weights_are_another_penalty(name):
    X, y = cloud(30, 3)
    bias = METHODS[name].biases[0]
    for kernel in (Linear(), RBF(0.6)):
        plain = solve(Problem(X, y, kernel=kernel, C=1.5, bias=bias), sharp(name)).certificate
        weights = np.full(30, 0.25)
        problem = Problem(X, y, kernel=kernel, C=6.0, bias=bias, weights=weights)
        assert solve(problem, sharp(name)).certificate.primal == pytest.approx(
            plain.primal, rel=1e-7
        )


@pytest.mark.parametrize("name", WITH_BOX)
def test_weights_of_one_change_no_bit_of_any_step(name):
    X, y = cloud(30, 3)
    for kernel in (Linear(), RBF(0.6)):
        plain = Problem(X, y, kernel=kernel, C=1.5, bias=METHODS[name].biases[0])
        runs = [
            solve(problem, METHODS[name](max_steps=200))
            for problem in (plain, dataclasses.replace(plain, weights=np.ones(30)))
        ]
        assert runs[0].steps == runs[1].steps
        for step in range(runs[0].steps + 1):
            betas = [run.at(step).expansion.beta.tolist() for run in runs]
            assert betas[0] == betas[1]


@pytest.mark.parametrize("name", WITH_BOX)
def test_weights_of_many_sizes_converge(name):
    rng = np.random.default_rng(5)
    X, y = cloud(60, 5)
    for C in (1e-3, 1.0, 1e3):
        problem = Problem(
            X, y, kernel=RBF(1.0), C=C, bias=METHODS[name].biases[0],
            weights=10.0 ** rng.uniform(-6, 3, size=60),
        )  # fmt: skip
        found = solve(problem, METHODS[name](max_steps=1_000_000)).certificate
        assert found.kkt <= METHODS[name]().tol * (1 + 1e-6)


def test_events_of_a_weighted_run_can_be_told():
    problem, _ = weighted_and_repeated("classification", RBF(0.6), "free")
    for name in WITH_BOX:
        one = dataclasses.replace(problem, bias=METHODS[name].biases[0])
        run = solve(one, METHODS[name](max_steps=300))
        for step in range(1, run.steps + 1):
            assert run.at(step).event.sentence


def test_the_box_of_a_pair_has_two_bounds_in_formulas_and_questions():
    problem, _ = weighted_and_repeated("classification", RBF(0.6), "free")
    event = solve(problem, METHODS["smo"]()).at(1).event
    i, j = event.values["i"], event.values["j"]
    (box,) = [formula for formula in event.formulas if "H =" in formula.letters]
    assert "C_i" in box.letters
    assert "C_j" in box.letters
    asked = [question.ask for beat in event.beats for question in beat.questions]
    C_i, C_j = problem.bounds[[i, j]]
    assert any(f"Cᵢ = {C_i:.4g}, Cⱼ = {C_j:.4g}" in text for text in asked)
    assert "its own C" in event.sentence
    assert "0 ≤ α ≤ Cᵢ" in event.why
    assert event.values["high"] <= C_j


@pytest.mark.parametrize("name", WITHOUT)
def test_methods_without_a_box_say_so(name):
    method = METHODS[name]()
    problem = Problem(*separated(12, 3), bias=method.biases[0], weights=np.full(12, 2.0))
    with pytest.raises(BadInput) as refusal:
        solve(problem, method)
    assert method.label in str(refusal.value)
    assert is_one_sentence(str(refusal.value))
    assert method.uses_penalty == ("one C" in str(refusal.value))


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ([1.0, 0.0, 1.0], "point 2"),
        ([1.0, 2.0, -1.0], "point 3"),
        ([math.nan, 2.0, 1.0], "point 1"),
        ([1.0, 2.0, math.inf], "point 3"),
        ([1.0, 1e-80, 1.0], "point 2"),
        ([1.0, 2.0], "as many weights as points"),
        ("heavy", "weights must be"),
    ],
)
def test_bad_weights_are_one_sentence(weights, said):
    with pytest.raises(BadInput, match=said) as refusal:
        Problem([[0.0], [1.0], [2.0]], [1, -1, 1], weights=weights)
    assert is_one_sentence(str(refusal.value))


def test_points_at_the_optimum_are_on_the_staircase():
    for task in ("classification", "regression"):
        problem, _ = weighted_and_repeated(task, RBF(0.6), "free")
        run = solve(problem, METHODS["smo"](tol=1e-9))
        for expansion in (run.expansion, run.at(5).expansion):
            found = certify(problem, expansion)
            spots = problem.kkt_coordinates(found.decision, expansion.beta)
            distance = np.abs(nearest(problem.kkt_corners, spots) - spots[:, 0])
            assert np.allclose(distance, found.violation, atol=1e-12)


@pytest.mark.parametrize("bias", ["free", "none", "augmented"])
def test_other_losses_take_weights_as_equal_points(bias):
    problem, repeated = weighted_and_repeated("classification", RBF(0.6), bias)
    places = np.random.default_rng(1).normal(size=(50, 2))
    for best in (kernel_ridge, logistic_regression):
        assert np.allclose(best(problem)(places), best(repeated)(places), atol=1e-7)
    first, second = least_squared(problem), least_squared(repeated)
    assert first.primal == pytest.approx(second.primal, rel=1e-9)
    run = solve(problem, InteriorPoint())
    f, counts = run.certificate.decision, problem.weights.astype(int)
    for loss in LOSSES.values():
        parts = [
            objective_of(problem, f, run.certificate.norm, loss),
            objective_of(repeated, np.repeat(f, counts), run.certificate.norm, loss),
        ]
        assert parts[0].primal == pytest.approx(parts[1].primal, rel=1e-12)
    assert objective_of(problem, f, run.certificate.norm, LOSSES["hinge"]).primal == pytest.approx(
        run.certificate.primal, rel=1e-9
    )


def test_the_primal_along_a_line_is_that_of_equal_points():
    t = np.linspace(-1.0, 2.0, 40)
    for task in ("classification", "regression"):
        problem, repeated = weighted_and_repeated(task, RBF(0.6), "free")
        counts = problem.weights.astype(int)
        ends = [problem.expansion(seed * problem.y / 9.0, 0.1 * seed) for seed in (1, 2)]
        others = [
            repeated.expansion(np.repeat(end.beta / counts, counts), end.bias) for end in ends
        ]
        mine, theirs = slice_between(problem, *ends), slice_between(repeated, *others)
        assert np.allclose(mine.values(t), theirs.values(t))
        assert np.allclose(mine.slopes(t), theirs.slopes(t))
        assert mine.values(np.zeros(1))[0] == pytest.approx(certify(problem, ends[0]).primal)


def test_subgradients_are_those_of_equal_points():
    problem, repeated = weighted_and_repeated("classification", Linear(), "free")
    w, b = np.array([0.4, -0.9]), 0.2
    mine, theirs = subdifferential(problem, w, b), subdifferential(repeated, w, b)
    assert np.allclose(mine.base, theirs.base)


def test_the_quadratic_program_has_the_bounds():
    problem, _ = weighted_and_repeated("regression", Linear(), "free")
    h = quadratic_program(problem).h
    assert h[len(h) // 2 :].tolist() == np.tile(0.7 * problem.weights, 2).tolist()


def test_weights_follow_their_points():
    problem, _ = weighted_and_repeated("classification", RBF(0.6), "free")
    assert pickle.loads(pickle.dumps(problem)).weights.tolist() == problem.weights.tolist()
    assert (
        Model().on(problem, np.array([3, 1])).weights.tolist() == problem.weights[[3, 1]].tolist()
    )
    assert Keys(problem).points != Keys(dataclasses.replace(problem, weights=None)).points
    point, _ = path_point(problem, 0.7)
    certificate = solve(problem, InteriorPoint()).certificate
    assert point.slack == pytest.approx(float(problem.weights @ certificate.slack), rel=1e-3)


def test_a_guess_is_clipped_to_the_box_of_each_point():
    problem, _ = weighted_and_repeated("classification", RBF(0.6), "augmented")
    method = CoordinateAscent()
    state = method.start(problem, 100.0 * problem.y)
    beta, _ = method.expand(problem, state)
    assert (problem.y * beta <= problem.bounds).all()

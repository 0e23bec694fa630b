"""The sigmoid is the most likely one, and coupled probabilities agree best with their pairs."""

import itertools

import numpy as np
import pytest
from scipy.optimize import minimize

from solvers import RBF, SMO, BadInput, Problem, solve
from solvers.selection.probability import (
    Sigmoid,
    couple,
    fit_sigmoid,
    held_out_sigmoid,
    probability_splits,
)


def values(seed, n=80, size=1.0, spread=1.0):
    """Return decision values and labels; the labels follow the values as far as spread is small."""
    rng = np.random.default_rng(seed)
    f = rng.normal(size=n)
    return f * size, np.where(f + spread * rng.normal(size=n) > 0.3, 1.0, -1.0)


def negative_log_likelihood(at, f, y):
    """Return the objective as Platt writes it, in logarithms of p."""
    many, few = (y > 0).sum(), (y < 0).sum()
    t = np.where(y > 0, (many + 1) / (many + 2), 1 / (few + 2))
    z = at[0] * f + at[1]
    return (t * np.log1p(np.exp(z)) + (1 - t) * np.log1p(np.exp(-z))).sum()


@pytest.mark.parametrize("spread", [0.0, 0.5, 5.0], ids=["separated", "mixed", "nearly random"])
@pytest.mark.parametrize("seed", range(4))
def test_the_sigmoid_minimises_the_negative_log_likelihood(seed, spread):
    f, y = values(seed, spread=spread)
    curve = fit_sigmoid(f, y)
    best = minimize(
        negative_log_likelihood, (0.0, 0.0), (f, y), method="BFGS", options={"gtol": 1e-9}
    )
    assert np.abs(np.array([curve.A, curve.B]) - best.x).max() < 1e-5 * np.abs(best.x).max()
    assert negative_log_likelihood((curve.A, curve.B), f, y) <= best.fun + 1e-9
    p = curve(np.linspace(-3, 3, 50))
    assert (np.diff(p) * -np.sign(curve.A) >= 0.0).all()
    assert ((p > 0.0) & (p < 1.0)).all()


@pytest.mark.parametrize("size", [1e-150, 1e-6, 1e6, 1e150])
def test_the_curve_does_not_depend_on_the_unit_of_f(size):
    f, y = values(0)
    curve, scaled = fit_sigmoid(f, y), fit_sigmoid(f * size, y)
    assert scaled(f * size) == pytest.approx(curve(f), rel=1e-9)


def test_equal_values_have_the_probability_of_their_targets():
    y = np.where(np.arange(30) < 20, 1.0, -1.0)
    # The mean of the targets 21/22, of 20 points, and 1/12, of 10 points.
    expected = (20 * 21 / 22 + 10 / 12) / 30
    assert fit_sigmoid(np.full(30, 2.0), y)(np.array([2.0])) == pytest.approx(expected, abs=1e-6)


def test_far_values_have_probabilities_without_overflow():
    assert Sigmoid(-1.0, 0.0)(np.array([-1e300, 0.0, 1e300])).tolist() == [0.0, 0.5, 1.0]


@pytest.mark.parametrize(
    ("f", "y", "words"),
    [
        ([1.0, 2.0], [1.0], "one label per decision value"),
        ([1.0, np.nan], [1.0, -1.0], "not finite"),
        ([1.0, 2.0], [1.0, 1.0], "both labels"),
        ([1.0, 2.0], [0.0, 1.0], "both labels"),
    ],
)
def test_refusals(f, y, words):
    with pytest.raises(BadInput, match=words):
        fit_sigmoid(np.array(f), np.array(y))


@pytest.mark.parametrize("few", [2, 3, 40])
def test_each_fold_leaves_points_of_both_classes(few):
    y = np.where(np.arange(100) < few, 1.0, -1.0)
    splits = probability_splits(y, ("a", "b"))
    assert len(splits) == min(5, few)
    assert np.sort(np.concatenate([split.test for split in splits])).tolist() == list(range(100))
    assert all(set(y[split.train]) == {-1.0, 1.0} for split in splits)


def disagreement(p, r):
    """Return the sum that coupling minimises, term by term."""
    k = len(p)
    pairs = itertools.permutations(range(k), 2)
    return sum((r[j, i] * p[i] - r[i, j] * p[j]) ** 2 for i, j in pairs)


@pytest.mark.parametrize("k", [3, 4, 6])
def test_coupled_probabilities_minimise_the_disagreement_of_pairs(k):
    rng = np.random.default_rng(k)
    pairs = rng.random((5, k * (k - 1) // 2))
    for given, p in zip(pairs, couple(pairs, k), strict=True):
        r = np.zeros((k, k))
        for value, (i, j) in zip(given, itertools.combinations(range(k), 2), strict=True):
            r[i, j], r[j, i] = value, 1.0 - value
        best = minimize(
            disagreement,
            np.full(k, 1 / k),
            (r,),
            method="SLSQP",
            bounds=[(0, 1)] * k,
            constraints={"type": "eq", "fun": lambda p: p.sum() - 1},
            options={"ftol": 1e-14},
        )
        assert p == pytest.approx(best.x, abs=1e-4)
        assert disagreement(p, r) <= best.fun + 1e-12
        assert p.sum() == pytest.approx(1.0, abs=1e-12)
        assert (p >= 0.0).all()


def test_pairs_of_known_probabilities_give_these():
    p = np.array([0.5, 0.2, 0.3])
    pairs = [[p[i] / (p[i] + p[j]) for i, j in itertools.combinations(range(3), 2)]]
    assert couple(np.array(pairs), 3)[0] == pytest.approx(p, abs=1e-12)


def test_certain_pairs_that_contradict_each_other_are_undecided():
    # 0 beats 1, 1 beats 2, 2 beats 0.
    assert couple(np.array([[1.0, 0.0, 1.0]]), 3)[0] == pytest.approx([1 / 3] * 3)
    assert couple(np.array([[1.0, 1.0, 0.5]]), 3)[0] == pytest.approx([1.0, 0.0, 0.0], abs=1e-6)


def test_no_places_have_no_probabilities():
    assert couple(np.zeros((0, 3)), 3).shape == (0, 3)


def test_a_machine_that_learned_its_points_by_heart_is_less_sure_of_others():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2))
    y = np.where(X[:, 0] + rng.normal(size=80) > 0.0, 1.0, -1.0)
    problem, margins = Problem(X, y, RBF(5.0), 100.0), np.array([-1.0, 1.0])
    held_out = held_out_sigmoid(problem, SMO(), ("a", "b"))
    of_training = fit_sigmoid(solve(problem).expansion(X), y)
    assert np.diff(of_training(margins))[0] > 0.9
    assert np.diff(held_out(margins))[0] < 0.6
    # Each f is that of a machine that did not see its point.
    f = np.empty(80)
    for split in probability_splits(y, ("a", "b")):
        part = Problem(X[split.train], y[split.train], RBF(5.0), 100.0)
        f[split.test] = solve(part).expansion(X[split.test])
    assert held_out == fit_sigmoid(f, y)

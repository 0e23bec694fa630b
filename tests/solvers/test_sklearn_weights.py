"""Weights of samples and classes: the estimators have the optima of SVC and SVR."""

import itertools

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.svm import SVC, SVR

from solvers import BadInput
from solvers.sklearn import SVMClassifier, SVMRegressor
from tests.solvers.problems import is_one_sentence

KERNELS = [
    {"kernel": "linear"},
    {"kernel": "rbf", "gamma": 0.5},
    {"kernel": "rbf", "gamma": 4.0},
    {"kernel": "poly", "degree": 2, "coef0": 1.0, "gamma": 0.25},
    {"kernel": "rbf", "gamma": "scale"},
]
METHODS = ("smo", "working-set", "interior-point")
CLASS_WEIGHTS = (None, "balanced", {0: 5.0}, {0: 0.2, 1: 3.0})
SEEDS = [pytest.param(seed, marks=[pytest.mark.slow] if seed >= 20 else []) for seed in range(200)]


def gram(X, kernel, gamma=1.0, **words):
    gamma = 1.0 / (2 * X.var()) if gamma == "scale" else gamma
    settings = {} if kernel == "linear" else {"gamma": gamma, **words}
    return pairwise_kernels(X, metric=kernel, **settings)


def primal_of(model, K, y, penalties):
    """Return the sum of P over the machines, from the attributes that SVC has too."""
    classes, total = model.classes_, 0.0
    pairs = [*itertools.combinations(range(len(classes)), 2)]
    for number, (i, j) in enumerate(pairs):
        beta, of_class = np.zeros(len(y)), y[model.support_]
        for one, row in ((i, j - 1), (j, i)):
            chosen = of_class == classes[one]
            beta[model.support_[chosen]] = model.dual_coef_[row, chosen]
        plus = classes[j] if len(classes) == 2 else classes[i]
        rows = np.isin(y, classes[[i, j]])
        labels = np.where(y[rows] == plus, 1.0, -1.0)
        f = K[rows] @ beta + model.intercept_[number]
        slack = penalties[rows] @ np.maximum(0.0, 1.0 - labels * f)
        total += 0.5 * beta @ K @ beta + slack
    return total


@pytest.mark.parametrize("seed", SEEDS)
def test_weighted_fits_have_the_optimum_of_svc(seed):
    rng = np.random.default_rng([52, seed])
    n, k, C = int(rng.integers(15, 60)), 2 + (seed % 4 == 3), 10.0 ** rng.uniform(-2, 1)
    X = np.round(8.0 * rng.normal(size=(n, 2))) / 8.0
    y = np.argmax(X @ rng.normal(size=(2, k)) + 0.6 * rng.normal(size=(n, k)), axis=1)
    y[: 2 * k] = np.tile(np.arange(k), 2)
    sizes = [0.0, 0.3, 1.0, 2.5, 10.0 ** rng.uniform(-1.5, 1.5)]
    weights = None if seed % 7 == 0 else rng.choice(sizes, size=n)
    if weights is not None:
        weights[:k] = 1.0
    words = {"kernel": "precomputed", "C": C, "class_weight": CLASS_WEIGHTS[seed // 3 % 4]}
    # SVC has kernel values in single precision, so both get such values. Those of the polynomial
    # kernels are exact; to the others a diagonal is added, which keeps them positive definite.
    K = gram(X, **KERNELS[seed % 5]).astype(np.float32).astype(np.float64)
    K += (KERNELS[seed % 5]["kernel"] == "rbf") * 2.0**-16 * np.eye(n)
    mine = SVMClassifier(method=METHODS[seed % 3], tol=1e-8, **words)
    mine.set_params(max_iter=1_000_000 if mine.method != "interior-point" else -1)
    mine.set_params(decision_function_shape="ovo").fit(K, y, weights)
    if words["class_weight"] == "balanced":
        of_class = n / (k * np.bincount(y))
    else:
        of_class = np.array([(words["class_weight"] or {}).get(one, 1.0) for one in range(k)])
    penalties = C * of_class[y] * (1.0 if weights is None else weights)
    # SVC mistakes the rows of a given kernel if some weights are 0, so it gets the others.
    kept = np.flatnonzero(penalties)
    theirs = SVC(kernel="precomputed", tol=1e-8, max_iter=1_000_000, decision_function_shape="ovo")
    theirs.fit(K[np.ix_(kept, kept)], y[kept], penalties[kept])
    apart = mine.decision_function(K) - theirs.decision_function(K[:, kept])
    # Without free points there is an interval of best biases.
    assert np.ptp(apart, axis=0).max() < 1e-5 * max(1.0, np.abs(mine.decision_function(K)).max())
    theirs.support_ = kept[theirs.support_]
    expected = primal_of(theirs, K, y, penalties)
    assert primal_of(mine, K, y, penalties) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("words", KERNELS)
def test_a_weighted_model_of_svc_is_replaced_by_name(words):
    rng = np.random.default_rng(6)
    X = rng.normal(size=(50, 2))
    y = (X @ [1.0, 0.5] + 0.7 * rng.normal(size=50) > 0.0).astype(int)
    weights = rng.choice([0.0, 0.3, 1.0, 2.5], size=50)
    reference = SVC(tol=1e-8, class_weight={1: 2.0}, **words).fit(X, y, weights)
    mine = SVMClassifier(**reference.get_params()).fit(X, y, weights)
    f = reference.decision_function(X)
    assert np.abs(mine.decision_function(X) - f).max() < 1e-4 * max(1.0, np.abs(f).max())


def test_weighted_regression_is_that_of_svr():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 2))
    y, weights = np.sin(2.0 * X[:, 0]), rng.choice([0.0, 0.2, 1.0, 5.0], size=60)
    mine = SVMRegressor(C=2.0, tol=1e-7, gamma=0.6).fit(X, y, weights)
    theirs = SVR(C=2.0, tol=1e-9, gamma=0.6).fit(X, y, weights)
    assert np.abs(mine.predict(X) - theirs.predict(X)).max() < 1e-5
    assert mine.score(X, y, weights) == pytest.approx(theirs.score(X, y, weights), abs=1e-5)


def test_points_of_weight_0_are_left_out_in_every_form():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(40, 2))
    y = np.where(X[:, 0] + 0.4 * rng.normal(size=40) > 0.0, "b", "a")
    weights = rng.integers(0, 3, size=40)
    kept = weights > 0
    expected = SVMClassifier(gamma=0.5).fit(X[kept], y[kept], weights[kept]).decision_function(X)
    K = np.exp(-0.5 * ((X[:, None] - X) ** 2).sum(axis=2))
    wide = np.hstack([X, np.zeros((40, 60))])
    for points, words in (
        (X, {}),
        (sparse.csr_array(wide), {}),
        (K, {"kernel": "precomputed"}),
        (X, {"probability": True}),
    ):
        model = SVMClassifier(gamma=0.5, **words).fit(points, y, weights)
        assert np.abs(model.decision_function(points) - expected).max() < 1e-6
        assert not np.isin(model.support_, np.flatnonzero(~kept)).any()


@pytest.mark.parametrize(
    ("words", "weights", "said"),
    [
        ({}, [1.0, 1.0, -0.5, 1.0], "row 2 is -0.5"),
        ({}, [0.0, 0.0, 1.0, 1.0], "class a"),
        ({"class_weight": {"b": 0.0}}, None, "class b"),
        ({"class_weight": {"b": -1.0}}, None, "class_weight"),
        ({"class_weight": {"b": np.inf}}, None, "class_weight"),
        ({"class_weight": "heavy"}, None, "balanced"),
        ({"method": "pegasos"}, [1.0, 2.0, 1.0, 1.0], "Pegasos"),
    ],
)
def test_weights_that_cannot_be_used_are_one_sentence(words, weights, said):
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array(["a", "a", "b", "b"])
    with pytest.raises(BadInput, match=said) as refusal:
        SVMClassifier(**words).fit(X, y, weights)
    assert is_one_sentence(str(refusal.value))


@pytest.mark.parametrize("kind", [SVMClassifier, SVMRegressor])
@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_weights_that_are_no_numbers_are_refused(kind, wrong):
    with pytest.raises(ValueError, match="sample_weight"):
        kind().fit([[0.0], [1.0], [2.0]], [0, 1, 1], [1.0, wrong, 1.0])

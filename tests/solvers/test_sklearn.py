"""The estimators pass scikit-learn's own checks, and give the results of our methods."""

import contextlib
import pickle
import subprocess
import sys
import unittest
import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_digits, load_iris, make_moons
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR
from sklearn.utils.estimator_checks import estimator_checks_generator

from solvers import METHODS, RBF, SMO, BadInput, InteriorPoint, Pegasos
from solvers.kernels.evaluator import BLOCK
from solvers.sklearn import SVMClassifier, SVMRegressor
from tests.solvers.problems import wave

ESTIMATORS = [
    SVMClassifier(),
    SVMClassifier(method="smo"),
    SVMClassifier(method="interior-point", kernel="linear", multi_class="ovr"),
    SVMClassifier(kernel="precomputed"),
    SVMClassifier(probability=True),
    SVMRegressor(),
    SVMRegressor(method=InteriorPoint(tol=1e-5)),
]
# This check needs another array library than numpy.
ELSEWHERE = {"check_array_api_input"}
# scikit-learn expects SVC and SVR to fail these, as they compare to seven digits, and as "scale"
# counts each row once. The exact method with the linear kernel passes.
EXACT_WEIGHTS = {
    "check_sample_weight_equivalence_on_dense_data",
    "check_sample_weight_equivalence_on_sparse_data",
}
CHECKS = [
    pytest.param(estimator, check, id=f"{type(kind).__name__}{number}-{check.func.__name__}")
    for number, kind in enumerate(ESTIMATORS)
    for estimator, check in estimator_checks_generator(kind)
    if check.func.__name__ not in ELSEWHERE
    and (check.func.__name__ not in EXACT_WEIGHTS or kind.kernel == "linear")
]


@pytest.mark.parametrize(("estimator", "check"), CHECKS)
def test_scikit_learn_approves(estimator, check):
    # A check that needs pandas is left here without it, after its other parts have run.
    with contextlib.suppress(unittest.SkipTest):
        check(estimator)


@pytest.mark.parametrize("multi_class", ["ovo", "ovr"])
def test_three_classes_as_in_scikit_learn(multi_class):
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    model = SVMClassifier(method="interior-point", multi_class=multi_class).fit(X, names)
    assert len(model.runs_) == 3
    assert model.decision_function(X).shape == (150, 3)
    assert list(model.classes_) == ["setosa", "versicolor", "virginica"]
    assert (model.classes_[model.decision_function(X).argmax(axis=1)] == model.predict(X)).all()
    if multi_class == "ovo":
        reference = SVC(tol=1e-8, decision_function_shape="ovo").fit(X, names)
        values = np.column_stack([machine(X) for machine in model.machines_])
        assert np.abs(values - reference.decision_function(X)).max() < 1e-5
        assert (model.predict(X) == reference.predict(X)).all()
        votes = SVC(tol=1e-8).fit(X, names).decision_function(X)
        assert np.abs(model.decision_function(X) - votes).max() < 1e-5


@pytest.mark.parametrize(
    "words",
    [
        {"kernel": "linear"},
        {"kernel": "rbf"},
        {"gamma": 0.3},
        {"gamma": "auto"},
        {"kernel": "poly", "degree": 2, "coef0": 1.0},
        {"kernel": "poly", "gamma": "auto", "coef0": 0.5, "C": 3.0},
    ],
)
def test_two_classes_as_in_scikit_learn(words):
    X, y = make_moons(80, noise=0.2, random_state=0)
    mine, reference = SVMClassifier(**words, tol=1e-8).fit(X, y), SVC(**words, tol=1e-8).fit(X, y)
    assert np.abs(mine.decision_function(X) - reference.decision_function(X)).max() < 1e-5


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize(
    "words",
    [
        {},
        {"kernel": "linear", "C": 0.3},
        {"kernel": "poly", "degree": 2, "coef0": 1.0},
        {"kernel": "sigmoid", "gamma": 0.01, "coef0": 0.1},
        {"decision_function_shape": "ovo", "cache_size": 1},
        {"shrinking": False, "random_state": 3},
    ],
)
def test_a_model_of_svc_is_replaced_by_name(words, classes):
    X, y = load_iris(return_X_y=True)
    X, y = (X, y) if classes == 3 else (X[y > 0], y[y > 0])
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    reference = SVC(**words, tol=1e-9).fit(X, names)
    mine = SVMClassifier(**reference.get_params()).fit(X, names)
    f = reference.decision_function(X)
    assert mine.decision_function(X).shape == f.shape
    # SVC has kernel values in single precision.
    assert np.abs(mine.decision_function(X) - f).max() < 1e-4
    assert (mine.predict(X) == reference.predict(X)).all()
    for name in ("classes_", "support_", "support_vectors_", "n_support_"):
        assert np.array_equal(getattr(mine, name), getattr(reference, name)), name
    for name in ("dual_coef_", "intercept_"):
        assert np.abs(getattr(mine, name) - getattr(reference, name)).max() < 1e-4, name
    assert mine.n_iter_.shape == reference.n_iter_.shape
    assert hasattr(mine, "coef_") == hasattr(reference, "coef_") == ("linear" in words.values())
    if hasattr(mine, "coef_"):
        assert np.abs(mine.coef_ - reference.coef_).max() < 1e-4


def test_support_of_machines_per_class_makes_their_functions():
    X, y = load_iris(return_X_y=True)
    model = SVMClassifier(gamma=0.3, multi_class="ovr").fit(X, y)
    K = rbf_kernel(X, model.support_vectors_, gamma=0.3)
    f = K @ model.dual_coef_.T + model.intercept_
    assert np.abs(f - model.decision_function(X)).max() < 1e-9
    given = SVMClassifier(kernel="precomputed", multi_class="ovr").fit(rbf_kernel(X, gamma=0.3), y)
    assert (given.support_ == model.support_).all()
    assert np.abs(given.dual_coef_ - model.dual_coef_).max() < 1e-6


def test_ties_of_votes_are_broken_by_the_sums_or_by_the_order_of_the_classes():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(60, 2)), np.arange(60) % 4
    places = rng.normal(size=(3000, 2))
    reference = SVC().fit(X, y)
    models = [SVMClassifier(break_ties=ties, tol=1e-6).fit(X, y) for ties in (False, True)]
    first, by_sums = (model.predict(places) for model in models)
    assert (first == reference.predict(places)).mean() > 0.999
    assert (by_sums == SVC(break_ties=True).fit(X, y).predict(places)).mean() > 0.999
    assert (first != by_sums).any()


def test_limits_and_shrinking_of_svc_reach_the_method():
    X, y = make_moons(40, noise=0.2, random_state=0)
    with pytest.warns(ConvergenceWarning, match="Stopped at the limit of 3 steps"):
        model = SVMClassifier(method="smo", max_iter=3, shrinking=False).fit(X, y)
    assert model.n_iter_.tolist() == [3]
    assert not model.runs_[0].method.shrinking
    kept = SVMClassifier(method=SMO(shrinking=False)).fit(X, y)
    assert not kept.runs_[0].method.shrinking


@pytest.mark.parametrize("kernel", ["rbf", "precomputed"])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_probabilities_of_two_classes_are_about_those_of_svc(kernel, form):
    X, y = make_moons(200, noise=0.3, random_state=0)
    if kernel == "precomputed":
        X, form = rbf_kernel(X, gamma=1.0), np.asarray
    mine = SVMClassifier(kernel=kernel, gamma=1.0, probability=True).fit(form(X), y)
    # In scikit-learn 1.9 these are deprecated.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        reference = SVC(kernel=kernel, gamma=1.0, probability=True, random_state=0).fit(X, y)
    p = mine.predict_proba(form(X))
    assert np.abs(p.sum(axis=1) - 1.0).max() < 1e-15
    assert np.abs(p - reference.predict_proba(X)).max() < 0.06
    # The probability rises with f.
    order = np.argsort(mine.decision_function(form(X)))
    assert (np.diff(p[order, 1]) >= 0.0).all()
    assert np.allclose(np.exp(mine.predict_log_proba(form(X))), p)


def test_probabilities_of_three_classes_are_about_those_of_svc():
    X, y = load_iris(return_X_y=True)
    mine = SVMClassifier(probability=True).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        reference = SVC(probability=True, random_state=0).fit(X, y)
    p = mine.predict_proba(X)
    assert p.shape == (150, 3)
    assert np.abs(p.sum(axis=1) - 1.0).max() < 1e-12
    assert np.abs(p - reference.predict_proba(X)).max() < 0.1
    assert (p.argmax(axis=1) == y).mean() > 0.95


def test_probabilities_cost_nothing_unless_they_are_asked_for():
    X, y = make_moons(60, noise=0.3, random_state=0)
    plain, probable = SVMClassifier().fit(X, y), SVMClassifier(probability=True).fit(X, y)
    assert not hasattr(plain, "predict_proba")
    assert not hasattr(plain, "predict_log_proba")
    assert not plain.sigmoids_
    assert len(plain.runs_) == len(probable.runs_) == 1
    assert (plain.decision_function(X) == probable.decision_function(X)).all()
    with pytest.raises(NotFittedError, match="fitted without probability=True"):
        plain.set_params(probability=True).predict_proba(X)
    for model in (clone(probable).fit(X, y), pickle.loads(pickle.dumps(probable))):
        assert (model.predict_proba(X) == probable.predict_proba(X)).all()
    # Another seed makes other folds, and so another curve.
    other = SVMClassifier(probability=True, random_state=1).fit(X, y)
    assert other.sigmoids_ != probable.sigmoids_


def test_a_class_of_one_point_has_no_probability():
    X, y = make_moons(20, noise=0.1, random_state=0)
    y = np.array(["rare", "usual"])[np.minimum(np.arange(20), 1)]
    with pytest.raises(BadInput, match="at least two points of each class: class rare has 1"):
        SVMClassifier(probability=True).fit(X, y)


def test_the_size_of_the_cache_changes_no_bit():
    X, y = load_digits(n_class=2, return_X_y=True)
    models = [SVMClassifier(C=10.0, cache_bytes=size).fit(X, y) for size in (0, 10**6, 10**9)]
    values = [model.decision_function(X).tolist() for model in models]
    assert values[0] == values[1] == values[2]


@pytest.mark.parametrize("size", [-1, 0.5, "2 GB", None])
@pytest.mark.parametrize("kind", [SVMClassifier, SVMRegressor])
def test_a_wrong_size_of_the_cache_is_one_sentence(kind, size):
    X, y = make_moons(20, random_state=0)
    with pytest.raises(BadInput, match=r"cache_bytes must be a whole number of at least 0: got "):
        kind(cache_bytes=size).fit(X, y)


def test_regression_as_in_scikit_learn():
    X, y = wave(60, 3)
    words = {"C": 2.0, "epsilon": 0.2, "gamma": 0.7, "tol": 1e-8}
    mine, reference = SVMRegressor(**words).fit(X, y), SVR(**words).fit(X, y)
    assert np.abs(mine.predict(X) - reference.predict(X)).max() < 1e-5


@pytest.mark.parametrize("name", METHODS)
def test_every_method_learns_the_moons(name):
    X, y = make_moons(120, noise=0.1, random_state=1)
    model = SVMClassifier(method=name, kernel=RBF(2.0), C=10.0).fit(X, y)
    assert model.score(X, y) > 0.9
    # Every step can be read.
    run = model.runs_[0]
    assert run.method.name == name
    assert run.at(1).event.sentence.endswith(".")


@pytest.mark.parametrize("seed", range(5))
def test_digits_as_in_scikit_learn(seed):
    X, y = load_digits(return_X_y=True)
    X, X_test, y, y_test = train_test_split(X / 16.0, y, random_state=seed)
    words = {"gamma": 0.05, "C": 10.0}
    # Both break ties of votes by the sums of f.
    reference = SVC(**words, break_ties=True).fit(X, y)
    score = SVMClassifier(**words, n_jobs=2).fit(X, y).score(X_test, y_test)
    assert score == pytest.approx(reference.score(X_test, y_test), abs=1e-9)


def sparse_points(n, d):
    """Return n points of three classes with d features, most of which are 0, and their classes."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.2)
    return X, (X[:, :3] + 0.1 * rng.normal(size=(n, 3))).argmax(axis=1)


@pytest.mark.parametrize("d", [20, 150], ids=["few features", "many features"])
@pytest.mark.parametrize("words", [{"kernel": "linear"}, {"kernel": "polynomial"}, {}])
def test_sparse_points_give_the_machine_of_dense_ones(words, d):
    X, y = sparse_points(90, d)
    words = {**words, "tol": 1e-8}
    dense, model = SVMClassifier(**words).fit(X, y), SVMClassifier(**words)
    model.fit(sparse.csr_array(X), y)
    for points in (X, sparse.csc_matrix(X)):
        f = model.decision_function(points)
        assert np.abs(f - dense.decision_function(points)).max() < 1e-6
    regressors = [
        SVMRegressor(**words).fit(form(X), X[:, 0]) for form in (np.array, sparse.csr_array)
    ]
    assert np.abs(np.subtract(*(model.predict(X) for model in regressors))).max() < 1e-6


def test_sparse_points_that_are_too_large_are_refused():
    X = sparse.eye_array(6000, 7000, format="csr")
    with pytest.raises(BadInput, match="takes 288 MB for 6,000 points with 7,000 features"):
        SVMClassifier().fit(X, np.arange(6000) % 2)


def test_a_given_matrix_gives_the_machine_of_its_points():
    X, y = load_iris(return_X_y=True)
    model = SVMClassifier(kernel="precomputed", tol=1e-8).fit(rbf_kernel(X, gamma=0.3), y)
    other = SVMClassifier(gamma=0.3, tol=1e-8).fit(X, y)
    f = model.decision_function(rbf_kernel(X[:20], X, gamma=0.3))
    assert np.abs(f - other.decision_function(X[:20])).max() < 1e-6
    # A cross-validation leaves out columns, too.
    assert cross_val_score(SVMClassifier(kernel="precomputed"), X @ X.T, y).mean() > 0.9


def test_threads_change_nothing_and_no_steps_are_recorded():
    X, y = load_iris(return_X_y=True)
    models = [SVMClassifier(n_jobs=n_jobs).fit(X, y) for n_jobs in (None, 2)]
    values = [model.decision_function(X) for model in models]
    assert (values[0] == values[1]).all()
    assert all(run.trace.segments == 1 for model in models for run in model.runs_)


def test_a_pipeline_in_a_grid_search():
    X, y = load_iris(return_X_y=True)
    model = make_pipeline(StandardScaler(), SVMClassifier(method="interior-point"))
    grid = {"svmclassifier__C": [0.1, 1.0], "svmclassifier__method": [SMO(), "interior-point"]}
    search = GridSearchCV(model, grid, cv=3).fit(X, y)
    assert search.best_score_ > 0.9


def test_a_pickled_model_predicts_the_same_without_its_runs():
    X, y = make_moons(50, noise=0.2, random_state=0)
    model = SVMClassifier().fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert not hasattr(again, "runs_")
    assert (again.decision_function(X) == model.decision_function(X)).all()
    assert len(model.machines_[0].X) < len(X)


def test_a_run_that_did_not_converge_warns_with_the_reason():
    X, y = make_moons(60, noise=0.3, random_state=0)
    with pytest.warns(ConvergenceWarning, match="Stopped at the limit of 3 steps"):
        SVMClassifier(method="smo", max_steps=3).fit(X, y)
    with pytest.warns(ConvergenceWarning, match="no hard margin"):
        SVMClassifier(method="interior-point", kernel="linear", C=np.inf).fit(X, y)
    # Pegasos has no stopping rule, so its step limit is no surprise.
    SVMClassifier(method=Pegasos(max_steps=100)).fit(X, y)


@pytest.mark.parametrize(
    ("estimator", "words"),
    [
        (SVMClassifier(method="magic"), "method must be one of smo, .*: got 'magic'"),
        (SVMClassifier(kernel="magic"), "kernel must be one of linear, .*: got 'magic'"),
        (SVMClassifier(kernel=["rbf"]), "kernel must be one of linear, .*: got "),
        (SVMClassifier(gamma="magic"), "gamma must be a number, 'scale' or 'auto': got 'magic'"),
        (SVMClassifier(kernel="precomputed"), r"Gram matrix must be square: got \(4, 1\)"),
        (SVMClassifier(multi_class="crammer"), "multi_class must be ovo or ovr"),
        (
            SVMClassifier(decision_function_shape="ovx"),
            "decision_function_shape must be ovr or ovo",
        ),
        (SVMClassifier(multi_class="ovr", decision_function_shape="ovo"), "has no pairs"),
        (
            SVMClassifier(multi_class="ovr", probability=True),
            "probability=True needs multi_class='o",
        ),
        (SVMClassifier(verbose=True), "verbose must be False: nothing is printed"),
        (SVMClassifier(cache_size=0), "cache_size must be a number of megabytes above 0: got 0"),
        (SVMClassifier(max_iter=5, max_steps=5), "max_iter and max_steps are the same limit"),
        (SVMClassifier(max_iter=-2), "max_steps must be"),
        (SVMClassifier(method="pegasos", tol=0.1), "Pegasos has no setting tol"),
        (SVMClassifier(C=-1.0), "C must be above 0"),
        (SVMRegressor(method="pegasos"), "not for regression"),
        (SVMRegressor(epsilon=-1.0), "epsilon must be"),
    ],
)
def test_refusals(estimator, words):
    with pytest.raises(BadInput, match=words):
        estimator.fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("size", [1e200, 1e160, 1e101])
def test_the_scale_of_coordinates_that_are_too_large_is_refused_as_they_are(size, form):
    X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]) * size
    with pytest.raises(BadInput, match=r"Point 2 has a coordinate beyond 1e\+100, too large"):
        SVMClassifier().fit(form(X), [0, 0, 1, 1])


@pytest.mark.parametrize("size", [1e-155, 1e-160, 1e-200])
def test_the_scale_of_coordinates_whose_squares_vanish_is_one(size):
    X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]) * size
    [run] = SVMClassifier().fit(X, [0, 0, 1, 1]).runs_
    assert run.problem.kernel.gamma == 1.0


def test_importing_solvers_does_not_import_scikit_learn():
    code = "import sys, solvers; print('sklearn' in sys.modules, 'solvers.sklearn' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


@pytest.mark.parametrize("kind", [SVMClassifier, SVMRegressor])
@pytest.mark.parametrize("n", [BLOCK, BLOCK + 1])
def test_estimators_take_read_only_points_at_the_borders_of_blocks(kind, n):
    X, t = wave(n, 1)
    target = np.where(t > 0, 1, -1) if kind is SVMClassifier else t
    model = kind(max_steps=20)
    with pytest.warns(ConvergenceWarning):
        whole = model.fit(_fixed(X), _fixed(target)).predict(_fixed(X))
    assert model.predict(_fixed(X)[-1:])[0] == whole[-1]
    copied = pickle.loads(pickle.dumps(model))
    assert copied.predict(_fixed(X)[:1])[0] == whole[0]


def test_a_regressor_learns_from_one_point():
    model = SVMRegressor().fit(np.array([[1.0, 2.0], [1.0, 2.0]])[:1], [3.0])
    assert abs(model.predict(_fixed(np.array([[4.0, 5.0]])))[0] - 3.0) <= 0.1


def _fixed(array):
    array = np.array(array)
    array.setflags(write=False)
    return array

"""Weights of the classes: the optimum of scikit-learn, scenes, and edits."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from sklearn.svm import SVC

from solvers import RBF, SMO, BadInput, Cursor, Linear, Perceptron, solve
from solvers.data.datasets import PointSet
from svmviz.document.document import Document, Penalty
from svmviz.document.splitting import Shares
from svmviz.document.splitting import split as split_points
from svmviz.frames.solved_machines import solve_machine
from svmviz.io.scene import Scene, read_scene, write_scene
from svmviz.selection.plan import fixed_split
from tests.stages import moons


def unbalanced(k=2, seed=0):
    """Return a document of k classes of 40, 20, ... overlapping points."""
    rng = np.random.default_rng(seed)
    classes = np.repeat(np.arange(k), [40 // (c + 1) for c in range(k)])
    points = rng.normal(size=(len(classes), 2)) + 1.2 * np.column_stack([classes, classes % 2])
    labels = 2 * classes - 1 if k == 2 else classes
    names = tuple("abcdef"[:k])
    return Document(
        PointSet(points, labels, names), RBF(0.7), Penalty("C", 2.0), methods=(SMO(tol=1e-9),)
    )


@pytest.mark.parametrize("weights", [(1.0, 5.0), (0.3, 2.0), "balanced"])
@pytest.mark.parametrize("kernel", [RBF(0.7), Linear()])
def test_the_optimum_is_that_of_scikit_learn(weights, kernel):
    document = replace(unbalanced(), class_weights=weights, kernel=kernel)
    run = solve(document.problem(), document.method)
    y, X = document.data.labels, document.data.points
    named = weights if isinstance(weights, str) else {-1: weights[0], 1: weights[1]}
    words = {"kernel": "rbf" if kernel == RBF(0.7) else "linear", "gamma": 0.7}
    reference = SVC(C=2.0, tol=1e-9, class_weight=named, **words).fit(X, y)
    alpha, K = np.zeros(len(y)), kernel(X, X)
    alpha[reference.support_] = np.abs(reference.dual_coef_[0])
    beta = y * alpha
    dual = alpha.sum() - 0.5 * beta @ K @ beta
    assert run.certificate.dual == pytest.approx(dual, rel=1e-6)
    assert run.certificate.primal == pytest.approx(dual, rel=1e-6)
    assert run.certificate.decision == pytest.approx(reference.decision_function(X), abs=1e-5)
    cursor = Cursor(run)
    for step in (0, run.steps // 2, run.steps):
        again = Cursor(solve(document.problem(), document.method)).state(step)
        assert again.beta.tobytes() == cursor.state(step).beta.tobytes()


@pytest.mark.parametrize("weights", [(1.0, 3.0, 0.5), "balanced"])
def test_machines_of_three_classes_are_those_of_scikit_learn(weights):
    document = replace(unbalanced(3), class_weights=weights)
    X, y = document.all_points.points, document.all_points.classes
    named = weights if isinstance(weights, str) else dict(enumerate(weights))
    words = {"gamma": 0.7, "tol": 1e-9, "decision_function_shape": "ovo"}
    reference = SVC(C=2.0, class_weight=named, **words).fit(X, y).decision_function(X)
    for index in range(3):
        expansion = solve_machine(document, index).expansion
        assert expansion(X) == pytest.approx(reference[:, index], abs=1e-5)


def test_scenes_without_weights_stay_and_others_are_read_as_written():
    document = unbalanced(3)
    assert "class_weights" not in write_scene(Scene(document))
    assert replace(document, class_weights=(1.0, 1.0, 1.0)) == document
    for weights in ((1.0, 2.5, 0.1), "balanced"):
        weighted = replace(document, class_weights=weights)
        assert not document.has_runs_of(weighted)
        assert read_scene(write_scene(Scene(weighted))).document == weighted


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 2, 3], '"class_weights" must be 2 numbers, one per class, or "balanced"'),
        ([1, 0], '"class_weights[1]" must be above 0: got 0.'),
        ([-2, 1], '"class_weights[0]" must be above 0'),
        ([1, 1e999], '"class_weights[1]" must be a finite number'),
        (["1", 2], '"class_weights[0]" must be a finite number'),
        ("balance", '"class_weights" cannot be "balance"'),
    ],
)
def test_wrong_weights_of_a_scene_are_refused(weights, message):
    members = json.loads(write_scene(Scene(unbalanced())))
    with pytest.raises(BadInput) as error:
        read_scene(json.dumps(members | {"class_weights": weights}))
    assert message in str(error.value)


def test_a_regression_has_no_weights():
    document = replace(unbalanced(), class_weights=(1.0, 5.0))
    regression = document.with_task("regression", document.data)
    assert regression.class_weights == ()
    members = json.loads(write_scene(Scene(regression)))
    with pytest.raises(BadInput, match="a regression has none"):
        read_scene(json.dumps(members | {"class_weights": [1, 5]}))


def test_a_third_class_keeps_the_weights_of_the_others():
    document = replace(unbalanced(), class_weights=(1.0, 5.0)).with_another_class()
    weights = dict(zip(document.class_names, document.weight_per_class, strict=True))
    assert weights == {"a": 1.0, "b": 5.0, "3": 1.0}
    assert document.with_another_class().class_weights == (5.0, 1.0, 1.0, 1.0)


def test_a_method_without_a_box_refuses_weights():
    document = replace(unbalanced(), class_weights=(1.0, 5.0)).with_method(Perceptron())
    with pytest.raises(BadInput, match="does not use C, so the points cannot have weights"):
        solve(document.problem(), document.method)


def test_validation_points_have_no_part_in_the_weights():
    document = split_points(replace(moons(40), class_weights="balanced"), Shares(0.3, 0.0))
    problem, parts = fixed_split(document)
    assert problem.weights is None or len(problem.weights) == problem.n
    labels = document.data.labels
    for label, weight in zip((-1, 1), document.weight_per_class, strict=True):
        assert weight == pytest.approx(document.n / (2 * (labels == label).sum()))
    if problem.weights is not None:
        assert problem.weights[parts.train] == pytest.approx(document.problem().weights)

"""Many classes on the command line, against scikit-learn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC

from solvers import SMO
from solvers.data.datasets import PointSet
from solvers.problem.machines import Machine
from svmviz.document.document import Document, Penalty
from svmviz.document.held_out import TRAINING, VALIDATION, Shares
from svmviz.document.splitting import split
from svmviz.io.open_and_save import save
from svmviz.io.scene import Scene
from tests.cli.common import strictly

NAMES = ("Adelie", "Chinstrap", "Gentoo", "King", "Emperor", "Little")


def clouds(k: int, n: int = 60, seed: int = 0) -> PointSet:
    """Return overlapping clouds, so that some decisions are wrong."""
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % k
    points = rng.uniform(-2, 2, (k, 2))[labels] + rng.normal(0, 1.0, (n, 2))
    return PointSet(points, labels, NAMES[:k], ("bill", "mass"))


def document_of(k: int, **members) -> Document:
    return Document(data=clouds(k), penalty=Penalty("C", 5.0), methods=(SMO(tol=1e-6),), **members)


@pytest.fixture
def scene(tmp_path):
    def write(document):
        path = tmp_path / "scene.svmviz"
        save(path, Scene(document))
        return path

    return write


@pytest.mark.parametrize("k", [3, 6])
@pytest.mark.parametrize("decision", ["one-against-one", "one-against-rest"])
def test_solve_has_machines_and_confusion_as_scikit_learn(svmviz, scene, k, decision):
    done = svmviz("solve", scene(document_of(k)), "--decision", decision, "--json")
    assert (done.code, done.err) == (0, "")
    answer = strictly(done.out)
    data = clouds(k)
    model = SVC(C=5.0, gamma=1.0, tol=1e-6, break_ties=True, decision_function_shape="ovr")
    if decision == "one-against-rest":
        model = OneVsRestClassifier(model)
    predicted = model.fit(data.points, data.labels).predict(data.points)
    assert answer["classes"] == list(NAMES[:k])
    assert answer["decision"] == decision
    assert answer["confusion"] == confusion_matrix(data.labels, predicted).tolist()
    assert answer["errors"] == int((predicted != data.labels).sum()) > 0
    machines = answer["machines"]
    if decision == "one-against-one":
        # Each pair is a machine on the points of its classes, with the support vectors of SVC.
        assert [machine["n"] for machine in machines] == [120 // k] * (k * (k - 1) // 2)
        support = {row for machine in machines for row in machine["support"]}
        assert support == set(model.support_.tolist())
    else:
        assert [machine["positive"] for machine in machines] == [[name] for name in NAMES[:k]]
        for machine, estimator in zip(machines, model.estimators_, strict=True):
            assert machine["n"] == 60
            assert machine["support"] == sorted(estimator.support_.tolist())
    for machine in machines:
        assert machine["reason"] == "converged"
        assert machine["steps"] > 0
        assert 0 <= machine["gap"] < 1e-2
        assert not set(machine["positive"]) & set(machine["negative"])


def test_a_code_matrix_stays_unless_a_decision_is_given(svmviz, scene):
    document = document_of(3)
    code = (Machine((1, 1, -1)), Machine((-1, 1, -1)), Machine((1, -1, 0)))
    path = scene(document.with_many(document.many.with_machines(code)))
    kept = strictly(svmviz("solve", path, "--json").out)
    assert kept["decision"] == "code-matrix"
    assert kept["machines"][0]["positive"] == ["Adelie", "Chinstrap"]
    other = strictly(svmviz("solve", path, "--decision", "one-against-rest", "--json").out)
    assert other["decision"] == "one-against-rest"
    assert strictly(svmviz("solve", scene(document), "--json").out)["decision"] == "one-against-one"


def test_held_out_parts_have_their_own_confusion(svmviz, scene):
    document = split(document_of(3), Shares(0.2, 0.2))
    done = svmviz("solve", scene(document), "--json")
    assert "12 validation and 12 test points: only its 36 training points" in done.err
    answer = strictly(done.out)
    data, parts = document.all_points, document.parts
    model = SVC(C=5.0, gamma=1.0, tol=1e-6, break_ties=True)
    train = data.at(parts == TRAINING)
    model.fit(train.points, train.labels)
    held = data.at(parts == VALIDATION)
    table = confusion_matrix(held.labels, model.predict(held.points))
    assert answer["validation"]["confusion"] == table.tolist()
    assert answer["validation"]["errors"] == 12 - np.trace(table)
    # The test part stays unseen until someone opens it.
    assert "test" not in answer
    opened = replace(document, held_out=replace(document.held_out, seen=True))
    assert strictly(svmviz("solve", scene(opened), "--json").out)["test"]["n"] == 12
    # Support vectors are numbered among the training points.
    assert max(row for machine in answer["machines"] for row in machine["support"]) < 36


def test_the_text_has_machines_confusion_and_errors(svmviz, scene):
    lines = svmviz("solve", scene(document_of(3))).out.splitlines()
    assert lines[0].startswith("3 classes, decided by one against one: 3 machines")
    assert "C = 5" in lines[1]
    assert sum(" against " in line and "converged" in line for line in lines) == 3
    assert any(line.split()[:2] == ["Gentoo", "0"] or "Gentoo  " in line for line in lines)
    assert "of 60 training points decided wrongly" in lines[-1]


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["--classes", "q,r,p"], ["q", "r", "p"]),
        (["--classes", "r, q,p", "--json"], ["r", "q", "p"]),
        (["--classes=s,q,p"], ["s", "q", "p"]),
        (["--classes", "s,r,q,p"], ["s", "r", "q", "p"]),
    ],
)
def test_classes_are_chosen_in_their_order(svmviz, tmp_path, words, names):
    path = tmp_path / "a.csv"
    rows = [f"{i % 5},{i // 5},{'pqrs'[i % 4]}" for i in range(20)]
    path.write_text("\n".join(["x,y,kind", *rows]))
    for order in ([*words, str(path)], [str(path), *words]):
        answer = strictly(svmviz("solve", *order, "--json").out)
        assert answer["classes"] == names
        assert answer["n"] == 5 * len(names)
    pair = strictly(svmviz("solve", path, "--classes", "q,p", "--json").out)
    assert pair == {
        **strictly(svmviz("solve", path, "--classes", "q", "p", "--json").out),
        "seconds": pair["seconds"],
    }
    refused = svmviz("solve", path, "--classes", "p,q,t")
    assert refused.code == 1
    assert refused.err.endswith(
        'a.csv: there is no label "t"; the labels are "p", "q", "r", "s".\n'
    )
    assert "different classes" in svmviz("solve", path, "--classes", "p,q,p").err


def test_two_classes_are_as_before_and_a_regression_has_no_decision(svmviz, moons, tmp_path):
    plain = strictly(svmviz("solve", moons, "--json").out)
    decided = strictly(svmviz("solve", moons, "--decision", "one-against-rest", "--json").out)
    assert {**plain, "seconds": 0} == {**decided, "seconds": 0}
    assert "confusion" not in plain
    curve = tmp_path / "curve.csv"
    curve.write_text("x,y\n1,1\n2,3\n3,2\n")
    done = svmviz("solve", curve, "--decision", "one-against-one")
    assert (done.code, "a regression has none" in done.err) == (2, True)


def test_a_class_without_points_and_words_of_three_classes(svmviz, scene, tmp_path):
    data = clouds(3)
    document = document_of(3)
    lacking = replace(document, data=replace(data.at(data.labels != 2)))
    answer = strictly(svmviz("solve", scene(lacking), "--json").out)
    assert [machine["reason"] for machine in answer["machines"]] == ["converged", None, None]
    assert "at least one of each class" in answer["machines"][1]["trouble"]
    words = tmp_path / "words.svmviz"
    words.write_text(
        '{"svmviz": 6, "words": ["singing", "ringing", "horse", "house", "cat", "bat"],'
        '"labels": [0, 0, 1, 1, 2, 2], "class_names": ["a", "b", "c"],'
        '"kernel": {"name": "edit-distance", "gamma": 0.5}}'
    )
    answer = strictly(svmviz("solve", words, "--json").out)
    assert answer["confusion"] == [[2, 0, 0], [0, 2, 0], [0, 0, 2]]


@pytest.mark.parametrize("decision", ["one-against-one", "one-against-rest"])
def test_select_measures_wrong_decisions_as_scikit_learn(svmviz, scene, decision):
    options = "--procedure", "k-fold", "--stratified", "--decision", decision
    done = svmviz("select", scene(document_of(4)), *options, "--json")
    assert (done.code, done.err) == (0, "")
    answer = strictly(done.out)
    assert (answer["classes"], answer["decision"]) == (list(NAMES[:4]), decision)
    data = clouds(4)
    model = SVC(C=5.0, gamma=1.0, tol=1e-6, break_ties=True)
    model = OneVsRestClassifier(model) if decision == "one-against-rest" else model
    splits = [(part["train"], part["test"]) for part in answer["parts"]]
    scores = cross_val_score(model, data.points, data.labels, cv=splits)
    assert [part["risk"] for part in answer["parts"]] == pytest.approx((1 - scores).tolist())
    # Without --json it says what the risk is.
    text = svmviz("select", scene(document_of(4)), *options).out
    assert "share of wrong decisions of all machines together" in text


def test_select_takes_training_points_lambda_and_words(svmviz, scene, tmp_path):
    document = split(document_of(3), Shares(0.2, 0.2))
    document = replace(document, penalty=Penalty("lambda", 0.01))
    done = svmviz("select", scene(document), "--procedure", "hold-out", "--json")
    assert "only its 36 training points" in done.err
    assert "Every fit keeps the C of its machine" in done.err
    [part] = strictly(done.out)["parts"]
    rows = sorted(part["train"] + part["test"])
    assert rows == np.flatnonzero(document.parts == TRAINING).tolist()
    refused = svmviz("select", scene(document), "--procedure", "k-fold", "--risk", "hinge")
    assert (refused.code, "The risk hinge is for two classes" in refused.err) == (2, True)
    words = tmp_path / "words.svmviz"
    words.write_text(
        '{"svmviz": 6, "words": ["singing", "ringing", "horse", "house", "cat", "bat"],'
        '"labels": [0, 0, 1, 1, 2, 2], "class_names": ["a", "b", "c"],'
        '"kernel": {"name": "edit-distance", "gamma": 0.5}}'
    )
    answer = strictly(
        svmviz(
            "select", words, "--procedure", "leave-one-out", "--grid", "gamma=0.1,1", "--json"
        ).out
    )
    assert len(answer["cells"]) == 2

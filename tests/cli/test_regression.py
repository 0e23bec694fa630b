"""``svmviz solve --task regression``."""

import json

import numpy as np
import pytest

from solvers import RBF, SMO, InteriorPoint, Regression, solve
from svmviz.base.resources import path as asset
from tests.cli.common import strictly
from tests.solvers.problems import wave


@pytest.fixture
def table(tmp_path):
    """A wave as a table with a column of text, and its points and targets."""
    X, y = wave(30, 1)
    path = tmp_path / "wave.csv"
    rows = [f"{a!r},r{k},{b!r},{t!r}" for k, ((a, b), t) in enumerate(zip(X.tolist(), y.tolist()))]
    path.write_text("\n".join(["a,name,b,level", *rows]), encoding="utf-8")
    return path, X, y


def test_it_equals_the_library(svmviz, table):
    path, X, y = table
    words = "--task regression --epsilon 0.05 --gamma 0.5 --C 3 --json".split()
    for method in (SMO(), InteriorPoint()):
        done = svmviz("solve", path, "--solver", method.name, *words)
        assert (done.code, done.err) == (0, "")
        answer = strictly(done.out)
        run = solve(Regression(X, y, RBF(0.5), 3.0, epsilon=0.05), method)
        assert answer["beta"] == run.expansion.beta.tolist()
        assert answer["steps"] == run.steps
        assert answer["dual"] == run.certificate.dual
        assert (answer["task"], answer["epsilon"]) == ("regression", 0.05)
        assert (answer["target"], answer["axis_names"]) == ("level", ["a", "b"])


def test_lambda_and_the_target_by_name(svmviz, table):
    path, X, y = table
    words = ["--task", "regression", "--labels", "a", "--lambda", 0.1, "--json"]
    answer = strictly(svmviz("solve", path, *words).out)
    run = solve(Regression(np.column_stack([X[:, 1], y]), X[:, 0], RBF(), 1 / 3), SMO())
    assert answer["C"] == pytest.approx(1 / 3)
    assert answer["dual"] == pytest.approx(run.certificate.dual)


def test_text(svmviz, table):
    done = svmviz("solve", table[0], "--task", "regression")
    assert done.code == 0
    assert "30 (level from a, b; ε = 0.1)" in done.out
    assert "Converged after" in done.out


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        ("--task regression --epsilon -1", 2, "epsilon must be a number of at least 0"),
        ("--task regression --C inf", 2, "Regression needs a finite C"),
        ("--task regression --lambda 0", 2, "Regression needs a finite C, and a lambda above 0"),
        ("--task regression --lambda -1", 2, "lambda must be finite and at least 0: got -1"),
        ("--task regression --C 1e80", 2, "C must be between"),
        ("--task regression --epsilon inf", 2, "epsilon must be at most 1e+100: got inf"),
        ("--task regression --classes a b", 2, "--classes is for classification"),
        ("--task regression --scaling each", 2, "--scaling is for classification"),
        ("--task regression --solver pegasos", 2, "not for regression"),
        ("--task regression --solver perceptron", 2, "not for regression"),
        ("--task regression --solver perceptron --json", 2, "not for regression"),
        ("--task regression --labels c", 1, 'there is no column "c"'),
        ("--epsilon 0.1", 2, "--epsilon is for --task regression"),
    ],
)
def test_refusals(svmviz, table, words, code, sentence):
    done = svmviz("solve", table[0], *words.split())
    assert (done.code, done.out) == (code, "")
    assert sentence in done.err
    assert done.err.count("\n") == 1


def test_a_scene_is_no_table(svmviz, tmp_path):
    path = tmp_path / "one.svmviz"
    path.write_text("{}", encoding="utf-8")
    done = svmviz("solve", path, "--task", "regression")
    assert (done.code, done.out) == (1, "")
    assert "a scene contains its task" in done.err


def test_a_scene_of_a_regression_is_solved(svmviz):
    path = asset("scenes/noisy-sine.svmviz")
    found = json.loads(svmviz("solve", path, "--json").out)
    assert (found["task"], found["epsilon"], found["reason"]) == ("regression", 0.2, "converged")
    wider = json.loads(svmviz("solve", path, "--json", "--epsilon", "0.4").out)
    assert len(wider["support"]) < len(found["support"])
    assert "(y from x; ε = 0.2)" in svmviz("solve", path).out
    done = svmviz("solve", path, "--solver", "pegasos")
    assert done.code == 2
    assert "Pegasos is a method for classification" in done.err


@pytest.mark.parametrize("hard", [("--C", "inf"), ("--lambda", "0")])
def test_lambda_0_is_an_infinite_c_in_each_task(svmviz, eight, table, hard):
    answer = json.loads(svmviz("solve", eight, "--kernel", "linear", *hard, "--json").out)
    assert (answer["C"], answer["lambda"]) == (None, 0)
    refused = svmviz("solve", table[0], "--task", "regression", *hard)
    scene = svmviz("solve", asset("scenes/noisy-sine.svmviz"), *hard)
    for done in (refused, scene):
        assert (done.code, done.out) == (2, "")
        assert "Regression needs a finite C" in done.err


def test_points_that_cannot_be_solved_are_bad_input_in_each_task(svmviz, tmp_path):
    path = tmp_path / "far.csv"
    path.write_text("1e200,1,-1\n2,2,1\n3,3,1\n")
    for words in ((), ("--task", "regression")):
        assert svmviz("solve", path, *words).code == 1


CURVE = "x,y\n0,0.1\n1,0.9\n2,0.2\n3,-0.8\n4,0\n"


def test_two_columns_of_numbers_are_a_regression_in_every_command(svmviz, tmp_path, qapp):
    path = tmp_path / "curve.csv"
    path.write_text(CURVE)
    note = "svmviz: Two columns of numbers are read as a regression: y from x.\n"
    guessed = svmviz("solve", path, "--json", "--epsilon", "0.2")
    assert (guessed.code, guessed.err) == (0, note)
    asked = svmviz("solve", path, "--json", "--epsilon", "0.2", "--task", "regression")
    assert asked.err == ""
    for key in ("task", "epsilon", "beta", "bias", "axis_names"):
        expected = strictly(asked.out)[key] if key != "axis_names" else ["x", "y"]
        assert strictly(guessed.out)[key] == expected
    shown = svmviz("scene", path)
    assert (shown.code, shown.err, strictly(shown.out)["task"]) == (0, note, "regression")
    drawn = svmviz("render", path, "-o", tmp_path / "a.svg", "--task", "regression")
    assert (drawn.code, drawn.err) == (0, "")
    assert (tmp_path / "a.svg").exists()
    selected = svmviz("select", path, "--procedure", "leave-one-out", "--json")
    assert (selected.code, selected.err) == (0, note)
    refused = svmviz("render", path, "-o", tmp_path / "b.svg", "--task", "classification")
    assert refused.code == 1
    assert "two columns of numbers and one of labels are needed" in refused.err


def test_the_coordinate_is_chosen_by_name(svmviz, table):
    path, X, y = table
    options = ["--task", "regression", "--x", "b", "--json"]
    answer = strictly(svmviz("solve", path, *options).out)
    run = solve(Regression(X[:, 1:], y, RBF(), 1.0), SMO())
    assert answer["beta"] == run.expansion.beta.tolist()
    shown = strictly(svmviz("scene", path, *options[:-1]).out)
    assert shown["axis_names"] == ["b", "level"]
    refused = svmviz("scene", path, "--task", "regression")
    assert (refused.code, refused.out) == (1, "")
    assert "needs two columns of numbers, x and y" in refused.err


def test_a_scene_keeps_its_task(svmviz):
    path = asset("scenes/noisy-sine.svmviz")
    assert svmviz("scene", path, "--task", "regression").code == 0
    refused = svmviz("scene", path, "--task", "classification")
    assert (refused.code, refused.out) == (2, "")
    assert "--task is for tables" in refused.err


def test_a_curve_names_its_target_with_and_without_the_task(svmviz, tmp_path):
    path = tmp_path / "curve.csv"
    path.write_text("time,level\n0,1.5\n1,2\n2,1.25\n", encoding="utf-8")
    for options in ([], ["--task", "regression"]):
        assert strictly(svmviz("solve", path, *options, "--json").out)["target"] == "level"

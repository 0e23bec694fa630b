"""The scenes that come with the program: they open, they solve, they are what the script makes."""

import importlib.util
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from solvers import RBF, SMO, solve
from svmviz.base.resources import path as asset
from svmviz.base.resources import root
from svmviz.base.words import number
from svmviz.document.splitting import with_fresh_test
from svmviz.frames.lane_reader import make_frame
from svmviz.frames.part_risks import part_risks, risk_of_test
from svmviz.frames.viewport import Viewport
from svmviz.io.open_and_save import open_scene
from svmviz.io.scene import write_scene
from svmviz.plane.line_study import LineStudyMaker

RACES = ["race", "race-pairs", "race-shrinking", "race-starts", "race-whole"]
NAMES = [
    *("budget", "demo", "difference-set", "eight-points", "human-overfitting", "lifted-circles"),
    "losses",
    *("model-choice", "nearest-pair", "noisy-sine", "own-line", "paired-test", "penguins"),
    *("perceptron", *RACES),
    *(
        "sub-gradients",
        "three-penguins",
        "three-points",
        "two-clouds",
        "two-moons",
        "words-edit",
        "words-spectrum",
    ),
]
SCRIPT = Path(__file__).parents[2] / "scripts" / "make_scenes.py"


def test_these_are_all():
    assert sorted(path.stem for path in (root() / "scenes").glob("*.svmviz")) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_scene_is_solved_in_a_watchable_number_of_steps(name):
    document = open_scene(asset(f"scenes/{name}.svmviz")).document
    run = solve(document.problem(), document.method)
    # Sub-gradient descent has no test of optimality.
    assert run.reason == ("step-limit" if name == "sub-gradients" else "converged")
    # A race plays at a pace of its own, whatever its length.
    assert name in RACES[1:] or 5 <= run.steps <= 100


def test_the_eight_points_end_at_the_numbers_of_a_calculation_by_hand():
    document = open_scene(asset("scenes/eight-points.svmviz")).document
    found = solve(document.problem(), document.method).certificate
    alpha = found.alpha[found.alpha > 0]
    assert [number(value) for value in sorted(alpha)] == ["0.25", "0.25", "0.5"]
    assert number(found.margin) == "1"
    assert number(found.primal) == number(found.dual) == "0.5"


def test_human_overfitting_teaches_what_it_says():
    scene = open_scene(asset("scenes/human-overfitting.svmviz"))
    assert not scene.document.held_out.seen

    def errors(document):
        run = solve(document.problem(), document.method)
        grid = Viewport(-1.0, 1.0, -1.0, 1.0).grid(8, moving=False)
        lane = make_frame(document, (run,), run.steps, grid).lane
        training, *_ = part_risks(document, lane)
        return training.risk, risk_of_test(document, lane)

    def errors_at(gamma):
        return errors(replace(scene.document, kernel=RBF(gamma)))

    (too_stiff, before), (_, best), (islands, after) = map(errors_at, (0.1, 0.5, 5.0))
    assert (before, best, after) == (3 / 15, 0.0, 5 / 15)
    # The islands are right about more of the points that made them.
    assert islands < 0.05 < 0.15 < too_stiff
    # As it opens, the test error is no smaller than the training error.
    assert before > too_stiff
    # On fresh points the choice by the test part is good, but not free of errors.
    chosen = with_fresh_test(replace(scene.document, kernel=RBF(0.5)), best)
    assert len(chosen.held_out.test) == 200
    assert 0.05 < errors(chosen)[1] < 0.15
    assert errors(with_fresh_test(replace(scene.document, kernel=RBF(5.0)), after))[1] > 0.2


def test_the_perceptron_makes_ten_mistakes():
    document = open_scene(asset("scenes/perceptron.svmviz")).document
    run = solve(document.problem(), document.method)
    assert (run.reason, np.abs(run.expansion.beta).sum()) == ("converged", 10.0)


@pytest.mark.parametrize("name", ["perceptron", "three-points", "difference-set", "sub-gradients"])
def test_scenes_about_steps_open_at_their_start(name):
    assert open_scene(asset(f"scenes/{name}.svmviz")).step == 0


@pytest.mark.parametrize("name", ["penguins", "two-moons", "noisy-sine"])
def test_scenes_end_at_the_optimum_to_the_digits_that_are_shown(name):
    document = open_scene(asset(f"scenes/{name}.svmviz")).document
    problem = document.problem()
    found = solve(problem, document.method).certificate
    exact = solve(problem, SMO(tol=1e-9)).certificate
    assert found.margin == pytest.approx(exact.margin, rel=2e-5)
    assert found.primal == pytest.approx(exact.primal, rel=2e-5)


@pytest.mark.parametrize("name", ["demo", "penguins"])
def test_penguins_are_in_mm_and_200_g(name):
    data = open_scene(asset(f"scenes/{name}.svmviz")).document.data
    assert data.class_names == ("Adelie", "Gentoo")
    assert data.axis_names == ("bill depth (mm)", "body mass (× 200 g)")
    assert data.points[0].tolist() == [18.7, 18.75]


def test_lines_of_scenes_have_the_numbers_that_their_titles_name():
    eyeballed = study_of("own-line")
    w, b = eyeballed.user_line.w, eyeballed.user_line.b
    # Y = 1.25 X + 2, which separates the penguins.
    assert -w[0] / w[1] == pytest.approx(1.25)
    assert -b / w[1] == pytest.approx(2.0)
    assert 0.0 < eyeballed.margin < eyeballed.best_margin
    six = study_of("nearest-pair")
    assert np.linalg.norm(six.points[six.pair[0]] - six.points[six.pair[1]]) == pytest.approx(2.5)
    assert np.linalg.norm(six.hull_pair[0] - six.hull_pair[1]) == pytest.approx(2.0)
    assert six.best_margin == pytest.approx(1.0)


def study_of(name):
    """Return the study of the user's line of a scene."""
    return LineStudyMaker().study_of(open_scene(asset(f"scenes/{name}.svmviz")).document)


def test_the_script_makes_these():
    spec = importlib.util.spec_from_file_location("make_scenes", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    made = script.make_scenes()
    assert sorted(made) == NAMES
    for name, scene in made.items():
        text = asset(f"scenes/{name}.svmviz").read_text(encoding="utf-8")
        assert text == write_scene(scene)

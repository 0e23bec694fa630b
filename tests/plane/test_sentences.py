"""What was reached at the end of a run, in one sentence, against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

from solvers import RBF, SMO, CoordinateAscent, Linear, Perceptron
from solvers.data.datasets import PointSet
from svmviz.base.words import number
from svmviz.document.document import Document, Penalty
from svmviz.frames.part_risks import error_sentence
from svmviz.plane.in_words import plane_in_words
from svmviz.plane.sentences import sentence
from tests.stages import eight, moons, sine
from tests.waiting import come_to_rest, go_to


def ending(qtbot, stage):
    """The sentence at the end of the run, and its lane."""
    come_to_rest(qtbot, stage)
    frame = stage.feed.frame
    assert frame.lane.at_end
    return sentence(frame.lane, frame.document)[1], frame.lane


def two_points(distance, **options):
    data = PointSet(np.array([[0.0, 0.0], [distance, 0.0]]), np.array([-1, 1], dtype=np.int8))
    return Document(data, kernel=Linear(), penalty=Penalty("C", math.inf), **options)


@pytest.mark.parametrize("scaling", ["none", "common"])
def test_a_line_has_a_street_as_wide_as_two_points_are_apart(qtbot, open_stage, scaling):
    stage = open_stage(two_points(2.5, scaling=scaling))
    words, lane = ending(qtbot, stage)
    assert words == (
        f"Converged after {lane.step} step: the street is 2/‖w‖ = 2.5 wide, with 2 support "
        "vectors; training error 0\N{NO-BREAK SPACE}% (0 of 2)."
    )
    assert "The street between f = −1 and f = +1 is 2.5 wide." in plane_in_words(stage.feed.frame)


def test_with_a_regularised_bias_the_width_is_that_of_w_alone(qtbot, open_stage):
    stage = open_stage(two_points(2.0, bias="augmented", methods=(CoordinateAscent(),)))
    words, lane = ending(qtbot, stage)
    assert lane.certificate.norm > np.linalg.norm(lane.expansion.w)
    assert f"2/‖w‖ = {number(2.0 / float(np.linalg.norm(lane.expansion.w)))} wide" in words


def test_a_curve_has_support_vectors_and_errors(qtbot, open_stage):
    words, lane = ending(qtbot, open_stage(moons(kernel=RBF(1.0))))
    support = int((lane.certificate.alpha > 0.0).sum())
    assert words == (
        f"Converged after {lane.step:,} steps: {support} support vectors; training error "
        "1.2\N{NO-BREAK SPACE}% (1 of 80)."
    )


def test_a_regression_has_no_street(qtbot, open_stage):
    stage = open_stage(sine())
    words, lane = ending(qtbot, stage)
    assert "street" not in words
    error = error_sentence(stage.feed.frame.document, lane)
    assert words.endswith(f"support vectors; m{error[1:]}")


def test_the_perceptron_starts_with_w_and_separates(qtbot, open_stage):
    stage = open_stage(eight(methods=(Perceptron(),)))
    words, lane = ending(qtbot, stage)
    mistakes = int(lane.certificate.alpha.sum())
    assert words.startswith(f"Separates the classes after {mistakes} mistake")
    assert "street" not in words
    go_to(qtbot, stage, 0)
    frame = stage.feed.frame
    assert sentence(frame.lane, frame.document)[1] == (
        "w = 0, so f(x) = 0 everywhere, and no mistake was made yet. Play, or take a step."
    )


def test_an_end_without_an_optimum_says_why(qtbot, open_stage):
    words, lane = ending(qtbot, open_stage(moons(methods=(SMO(max_steps=3),))))
    assert words.startswith(lane.stop.sentence)
    assert "street" not in words

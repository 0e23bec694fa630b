"""What was reached at the end of a run, in one sentence, against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

from solvers import RBF, SMO, CoordinateAscent, Linear, Pegasos, Perceptron, solve
from solvers.data.datasets import PointSet
from svmviz.base.words import number
from svmviz.document.document import Document, Penalty
from svmviz.document.lanes import titles_of_lanes
from svmviz.frames.frame import Frame
from svmviz.frames.lane_reader import LaneReader
from svmviz.frames.part_risks import error_sentence
from svmviz.frames.viewport import Grid
from svmviz.plane.in_words import plane_in_words
from svmviz.plane.sentences import race_sentence, sentence
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


def race_frame(steps):
    """A frame of three runs on one problem, each at its step."""
    methods = (SMO(), SMO(pair="platt"), Pegasos(max_steps=50))
    document = moons(40).with_methods(methods)
    runs = [solve(document.problem(), method) for method in methods]
    grid = Grid(-2.0, 3.0, -2.0, 3.0, 16, 16)
    ends = [run.steps if step is None else step for run, step in zip(runs, steps, strict=True)]
    lanes = (LaneReader(run).read(end, grid, document.factors) for run, end in zip(runs, ends))
    return Frame(document, tuple(lanes), focus=1)


def test_a_race_says_who_is_ahead_and_by_what():
    assert race_sentence(race_frame((0, 0, 0))) is None
    frame = race_frame((9, 9, 9))
    head, text = race_sentence(frame)
    assert head == "Step 9"
    names = titles_of_lanes(frame.document)
    primals = dict(zip(names, [lane.certificate.primal for lane in frame.lanes], strict=True))
    first, *others = sorted(names, key=primals.get)
    assert text.startswith(f"{first} is ahead: its primal P is the lowest, ")
    # Each lane has its own P, the lowest first.
    places = [text.index(number(primals[name])) for name in (first, *others)]
    assert places == sorted(places)
    assert all(f"{number(primals[name])} for {name}" in text for name in others)


def test_the_end_of_a_race_names_the_order_of_arrival_and_who_has_not_arrived():
    frame = race_frame((None, None, None))
    smo, platt, pegasos = frame.lanes
    names = titles_of_lanes(frame.document)
    assert pegasos.stop.reason != "converged"
    (early, first), (late, second) = sorted(
        [(smo.step, names[0]), (platt.step, names[1])], key=lambda pair: pair[0]
    )
    _, text = race_sentence(frame)
    primal = number(pegasos.certificate.primal)
    assert text.startswith(
        f"{first} converged first, after {early} steps, ahead of {second} ({late} steps). "
        f"{names[2]} (P = {primal}) has not; {first} has P = "
    )

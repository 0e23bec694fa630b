"""The errors of the parts are those of the library, and that of a locked test part is hidden."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from solvers import solve
from solvers.data.regression_datasets import CURVES
from solvers.selection.risks import risk_named
from svmviz.base.notation import of_keys
from svmviz.document.document import Document, Penalty
from svmviz.document.held_out import TEST, TRAINING, VALIDATION, Shares
from svmviz.document.splitting import split
from svmviz.frames.lane_reader import make_frame
from svmviz.frames.part_risks import (
    error_sentence,
    error_words,
    part_risks,
    risk_of_test,
    wrong_words,
)
from svmviz.frames.viewport import Viewport
from tests.stages import moons, sine

GRID = Viewport(-1.0, 1.0, -1.0, 1.0).grid(16, moving=False)


def lane_of(document):
    run = solve(document.problem(), document.method)
    return make_frame(document, (run,), run.steps, GRID).lane


def opened(document):
    return replace(document, held_out=replace(document.held_out, seen=True))


@pytest.mark.parametrize("whole", [moons(scaling="each"), sine(scaling="each")], ids=["c", "r"])
def test_errors_are_those_of_the_library(whole):
    document = opened(split(whole, Shares(0.3, 0.2)))
    lane = lane_of(document)
    # All points in the units of the training part, which alone sets the scaling.
    every = replace(whole, scaling="none").problem()
    units = document.all_points.points / document.factors
    decision = lane.expansion(units[:, : every.X.shape[1]])
    for one in part_risks(document, lane):
        rows = np.flatnonzero(document.parts == one.part)
        risk = risk_named(None, document.task).mean_loss(every, rows, decision[rows])
        epsilon = abs(risk) * 1e-12
        assert one.risk == pytest.approx(risk, abs=epsilon)
        assert one.points == len(rows)
    assert [one.part for one in part_risks(document, lane)] == [TRAINING, VALIDATION, TEST]
    assert risk_of_test(document, lane) == part_risks(document, lane)[2].risk


def test_words_of_a_locked_and_of_a_seen_part():
    document = split(moons(60), Shares(0.0, 0.5))
    lane = lane_of(document)
    training, test = part_risks(document, lane)
    assert (test.risk, test.wrong, test.words) == (None, None, "locked")
    error = f"{100 * training.risk:.2g}\N{NO-BREAK SPACE}%"
    longest, shortest = error_words(document, lane)
    assert longest == f"training error {error}, test locked"
    assert shortest == f"train {error}, test\N{NO-BREAK SPACE}locked"
    assert error_sentence(document, lane) == (
        f"Training error {error} ({training.wrong} of 30), test error hidden until you test."
    )
    seen = opened(document)
    test = part_risks(seen, lane)[1]
    assert error_words(seen, lane)[0].endswith(f", test {test.words} (seen)")
    assert error_sentence(seen, lane).endswith(
        f"test {test.words} ({test.wrong} of 30, already used)."
    )


def test_the_first_look_at_the_test_part_is_not_already_used():
    document = opened(split(moons(60), Shares(0.0, 0.5)))
    lane = lane_of(document)
    risk = part_risks(document, lane)[1].risk
    first = replace(document, held_out=replace(document.held_out, at_opening=risk))
    assert "already used" not in error_sentence(first, lane)
    tuned = replace(document, held_out=replace(document.held_out, at_opening=risk + 0.1))
    assert error_sentence(tuned, lane).endswith("already used).")


def test_with_weights_the_errors_are_counted_per_class():
    document = moons(60, penalty=Penalty("C", 0.01), class_weights=(1.0, 9.0))
    lane = lane_of(document)
    y = document.data.labels
    wrong = (lane.certificate.decision >= 0.0) != (y > 0)
    above, below = (int(wrong[y == side].sum()) for side in (1, -1))
    assert above != below
    positive, negative = of_keys("+1"), of_keys("−1")
    words = f"({above} of {(y > 0).sum()} of {positive}, {below} of {(y < 0).sum()} of {negative})."
    assert error_sentence(document, lane).endswith(words)


def test_words_of_a_regression():
    document = split(
        Document(CURVES["sinc"].generate(40, 0.1, 0), task="regression"), Shares(0.25, 0.0)
    )
    lane = lane_of(document)
    words = [one.words for one in part_risks(document, lane)]
    longest = f"mean training error {words[0]}, validation {words[1]}"
    assert error_words(document, lane)[0] == longest
    assert (
        error_sentence(document, lane)
        == f"Mean |y − f|: training {words[0]}, validation {words[1]}."
    )


def test_the_validation_error_is_left_out_last_and_a_locked_part_first():
    document = split(moons(60), Shares(0.25, 0.25))
    lane = lane_of(document)
    training, validation, test = part_risks(document, lane)
    long, known, short, shortest = error_words(document, lane)
    assert long == f"training error {training.words}, validation {validation.words}, test locked"
    assert known == f"training error {training.words}, validation {validation.words}"
    assert short == f"train {training.words}, validation\N{NO-BREAK SPACE}{validation.words}"
    assert shortest == f"train {training.words}, test\N{NO-BREAK SPACE}{test.words}"
    assert wrong_words(document, lane) == (
        f"training {training.wrong} of 30 wrong, validation {validation.wrong} of 15 wrong"
    )
    # Without validation points there is nothing to compare.
    assert not wrong_words(split(moons(60), Shares(0.0, 0.5)), lane)

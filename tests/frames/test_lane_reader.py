"""Lanes read from a run that goes on, and from one that has ended."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from solvers import SMO, Pegasos, Run, certify
from svmviz.document.document import Penalty
from svmviz.frames.decision_field import make_field
from svmviz.frames.lane_reader import BeatPosition, LaneReader, position_after
from svmviz.frames.viewport import Grid
from tests.stages import moons

GRID = Grid(-2.0, 3.0, -2.0, 3.0, 16, 16)


def reader_of(method, bias="free"):
    document = moons(200, methods=(method,), penalty=Penalty("C", 1.0), bias=bias)
    run = Run(document.problem(), method)
    return run, LaneReader(run), document.factors


def test_the_newest_step_of_a_growing_run_is_near_a_keyframe_and_never_decreases():
    run, reader, factors = reader_of(Pegasos(max_steps=10**8), "none")
    size, shown = len(run.trace.segment(0).marks), []
    for steps in (1, size // 2, size, size // 4, 2 * run.trace.size + 7, 0):
        run.advance(60.0, steps)
        assert not run.finished
        shown.append(reader.read(None, GRID, factors).step)
        assert shown[-1] <= run.steps
    first, half = 1, 1 + size // 2
    assert shown[:2] == [first, half]
    # A new segment has begun; then that step was shown; then two segments more; then nothing new.
    assert shown[2] == size + 1
    assert shown[3] == 1 + size // 2 + size + size // 4
    assert shown[4] == run.trace.first_of_segment(run.steps)
    assert shown[5] == run.steps
    assert shown == sorted(shown)


def test_of_a_run_that_has_ended_the_newest_is_the_last_and_it_is_the_optimum():
    run, reader, factors = reader_of(SMO())
    reader.read(None, GRID, factors)
    while run.advance():
        pass
    lane = reader.read(None, GRID, factors)
    assert lane.step == run.steps == lane.length
    certificate = certify(run.problem, run.expansion)
    np.testing.assert_allclose(lane.certificate.gap, certificate.gap, rtol=1e-9)


def test_a_glide_is_the_field_of_the_solution_between_two_steps():
    run, reader, factors = reader_of(Pegasos(max_steps=60))
    while run.advance():
        pass
    still = reader.read(30, GRID, factors)
    before, after = run.at(29).expansion, run.at(30).expansion
    for share in (0.0, 0.25, 0.8):
        lane = reader.read(30, GRID, factors, share)
        assert lane.glide is not None
        assert lane.glide.share == share
        beta = (1.0 - share) * before.beta + share * after.beta
        bias = (1.0 - share) * before.bias + share * after.bias
        expected = make_field(run.problem, replace(after, beta=beta, bias=bias), factors, GRID)
        np.testing.assert_allclose(lane.shown_field.values, expected.values, atol=1e-12)
        for level, lines in expected.contours.items():
            assert len(lane.shown_field.contours[level]) == len(lines)
        alpha = [certify(run.certified_problem, expansion).alpha for expansion in (before, after)]
        np.testing.assert_allclose(lane.shown_alpha, (1.0 - share) * alpha[0] + share * alpha[1])
        # All that is said of the lane is true of the step.
        assert lane.step == 30
        assert lane.event == still.event
        assert lane.expansion.beta.tobytes() == after.beta.tobytes()
        assert lane.field.values.tobytes() == still.field.values.tobytes()
    assert reader.read(30, GRID, factors).glide is None
    assert reader.read(0, GRID, factors, 0.5).glide is None


# Beats of steps 1 to 4; step 3 is shown as one.
COUNTS = {1: 3, 2: 2, 3: 1, 4: 3}
# All places in order.
PLACES = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (2, 0), (3, 0), (3, 1), (3, 2), (4, 0)]


@pytest.mark.parametrize("step", range(5))
@pytest.mark.parametrize("beats", range(-12, 13))
def test_a_place_is_so_many_beats_away(step, beats):
    start = PLACES.index((step, 0))
    wanted = PLACES[min(max(start + beats, 0), len(PLACES) - 1)]
    assert position_after(COUNTS.__getitem__, 4, step, beats) == BeatPosition(*wanted)

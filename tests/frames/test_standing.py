"""Which lane leads a race, and which lanes have arrived, by each clock."""

from __future__ import annotations

from dataclasses import replace

import pytest

from solvers import SMO, Hulls, Linear, Pegasos, Subgradient, solve
from svmviz.frames.clocks import CLOCKS
from svmviz.frames.frame import Frame
from svmviz.frames.lane_reader import LaneReader
from svmviz.frames.standing import standing_of
from svmviz.frames.viewport import Grid
from tests.stages import moons

GRID = Grid(-2.0, 3.0, -2.0, 3.0, 16, 16)
METHODS = (SMO(pair="platt"), Pegasos(max_steps=50), SMO())


@pytest.fixture(scope="module")
def runs():
    document = moons(40).with_methods(METHODS)
    return tuple(solve(document.problem(), method) for method in METHODS)


def frame_of(runs, steps, clock="steps"):
    document = moons(40).with_methods(METHODS[: len(runs)])
    lanes = tuple(
        LaneReader(run).read(step, GRID, document.factors)
        for run, step in zip(runs, steps, strict=True)
    )
    return Frame(document, lanes, clock=CLOCKS[clock])


def test_a_lane_leads_only_if_another_one_can_be_compared():
    # Capped hulls solve another problem, so alone against them nobody leads.
    problem = replace(moons(40), kernel=Linear()).problem()
    smo, hulls, pegasos = (
        solve(problem, method)
        for method in (SMO(), Hulls(algorithm="mdm", mu=0.06), Pegasos(max_steps=50))
    )
    assert standing_of(frame_of((smo, hulls), (1, 1))).leader is None
    assert standing_of(frame_of((hulls, smo, pegasos), (1, 1, 1))).leader in (1, 2)


def test_the_lowest_primal_leads_and_at_the_start_nobody_does(runs):
    assert standing_of(frame_of(runs, (0, 0, 0))).leader is None
    frame = frame_of(runs, (9, 9, 9))
    primals = [lane.certificate.primal for lane in frame.lanes]
    standing = standing_of(frame)
    assert standing.leader == primals.index(min(primals))
    assert standing.ranks == (0, 0, 0)


def test_before_the_first_step_nobody_leads_whatever_the_start():
    problem = replace(moons(40), kernel=Linear()).problem()
    starts = (
        SMO(),
        Subgradient(begin="against", max_steps=9),
        Subgradient(begin="means", max_steps=9),
    )
    runs = tuple(solve(problem, method) for method in starts)
    frame = frame_of(runs, (0, 0, 0))
    assert len({lane.certificate.primal for lane in frame.lanes}) == 3
    assert standing_of(frame).leader is None
    assert standing_of(frame_of(runs, (1, 1, 1))).leader is not None


@pytest.mark.parametrize("clock", list(CLOCKS))
def test_lanes_arrive_in_the_order_of_the_clock_and_a_limit_is_no_arrival(runs, clock):
    ends = tuple(run.steps for run in runs)
    first = standing_of(frame_of(runs, (9, 9, ends[2]), clock))
    assert first.leader is None
    assert first.ranks == (0, 0, 1)
    everyone = standing_of(frame_of(runs, ends, clock))
    readings = [CLOCKS[clock].reading(run, run.steps) for run in runs]
    assert list(everyone.readings) == readings
    assert everyone.ranks == ((1, 0, 2) if readings[0] < readings[2] else (2, 0, 1))


def test_without_a_race_nobody_leads_or_arrives(runs):
    frame = frame_of(runs[:1], (runs[0].steps,))
    assert standing_of(frame).ranks == (0,)
    assert standing_of(frame).leader is None
    assert standing_of(replace(frame, lanes=())).ranks == ()

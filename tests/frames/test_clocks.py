"""Clocks: one reading moves all lanes of a race."""

import pytest

from solvers import SMO, Pegasos, solve
from svmviz.frames.clocks import CLOCKS, EVALUATIONS, SECONDS, STEPS
from tests.stages import moons

every_clock = pytest.mark.parametrize("clock", CLOCKS.values(), ids=CLOCKS)


@pytest.fixture(scope="module")
def runs():
    problem = moons().problem()
    return solve(problem, SMO()), solve(problem, Pegasos(max_steps=6000))


@every_clock
def test_a_reading_is_never_ahead_of_the_clock(runs, clock):
    for run in runs:
        assert clock.reading(run, 0) == 0
        for step in range(0, run.steps + 1, max(1, run.steps // 97)):
            reading = clock.reading(run, step)
            assert clock.reading(run, clock.step(run, reading)) == reading
            assert clock.step(run, reading) >= step
            if reading > 0:
                assert clock.step(run, reading - 1) < step
    length = clock.length(runs)
    assert clock.steps(runs, length) == tuple(run.steps for run in runs)
    assert clock.length(()) == 0


def test_steps_are_themselves_and_evaluations_are_those_of_the_snapshots(runs):
    smo, pegasos = runs
    assert STEPS.steps(runs, 7) == (7, 7)
    assert EVALUATIONS.reading(smo, smo.steps) == smo.at(smo.steps).evaluations
    size = pegasos.trace.segment(1).first
    assert EVALUATIONS.reading(pegasos, size) == pegasos.at(size).evaluations
    assert SECONDS.length(runs) == max(int(1e6 * run.seconds) for run in runs)

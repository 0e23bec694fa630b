"""Ready races: their scenes hold the methods that the sentence is about."""

from __future__ import annotations

import pytest

from solvers import Reason, Run
from solvers.problem.certificate import certify
from svmviz.base.resources import root
from svmviz.document.ready_races import READY_RACES, hint_for
from svmviz.frames.clocks import CLOCKS
from svmviz.io.open_and_save import open_scene
from tests.stages import moons


@pytest.mark.parametrize("race", READY_RACES, ids=lambda race: race.name)
def test_the_scene_of_a_race_has_its_methods_and_the_first_lane_arrives(race):
    document = open_scene(root() / "scenes" / f"{race.name}.svmviz").document
    assert document.methods == race.methods
    assert hint_for(document) == race.hint
    run = Run(document.problem(), race.methods[0])
    while run.advance():
        pass
    assert run.reason is Reason.CONVERGED


def test_the_race_of_pegasos_is_opened_by_the_clock_by_which_it_is_near_the_optimum_first():
    """The hint says so: half of the distance of SMO, while SMO has taken no step at all."""
    race = READY_RACES[0]
    document = open_scene(root() / "scenes" / f"{race.name}.svmviz").document
    problem, clock = document.problem(), CLOCKS[race.clock]
    runs = [Run(problem, method) for method in race.methods]
    for run in runs:
        while run.advance():
            pass
    best = certify(problem, runs[0].at(runs[0].steps).expansion).primal

    def distances(reading):
        steps = clock.steps(runs, reading)
        states = [run.at(step).expansion for run, step in zip(runs, steps, strict=True)]
        return [certify(problem, state).primal - best for state in states]

    smo, pegasos = distances(clock.reading(runs[0], 1) - 1)
    assert pegasos < 0.1 * smo
    smo, pegasos = distances(clock.length(runs))
    assert smo < 1e-6 < pegasos


def test_other_races_have_no_hint():
    assert hint_for(moons(20)) == ""
    assert hint_for(moons(20).with_methods(READY_RACES[0].methods[::-1])) == ""

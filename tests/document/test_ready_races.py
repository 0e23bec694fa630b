"""Ready races: their scenes hold the methods that the sentence is about."""

from __future__ import annotations

import pytest

from solvers import Reason, Run
from svmviz.base.resources import root
from svmviz.document.ready_races import READY_RACES, hint_for
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


def test_other_races_have_no_hint():
    assert hint_for(moons(20)) == ""
    assert hint_for(moons(20).with_methods(READY_RACES[0].methods[::-1])) == ""

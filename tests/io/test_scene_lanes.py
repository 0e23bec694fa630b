"""Scenes with lanes of their own model are read as written; other scenes have no such key."""

from __future__ import annotations

import json

import pytest

from solvers import RBF, SMO, BadInput, Linear, Pegasos
from svmviz.document.document import Penalty
from svmviz.io.scene import Scene, read_scene, write_scene
from tests.stages import moons


def text_with(lanes, **keys):
    members = json.loads(write_scene(Scene(moons(10).with_lane(SMO()))))
    return json.dumps(members | {"lanes": lanes} | keys)


def test_lanes_are_read_as_written_and_seen_from_the_first():
    document = (
        moons(20).with_lane(SMO(), penalty=Penalty("C", 100.0)).with_lane(SMO(), kernel=Linear())
    )
    assert document.lane == 2
    text = write_scene(Scene(document))
    assert read_scene(text).document == document.seen_from(0)
    assert text == write_scene(Scene(document.seen_from(1)))
    assert json.loads(text)["svmviz"] == 1


def test_a_race_has_no_lanes_in_its_file():
    assert '"lanes"' not in write_scene(Scene(moons(20).with_lane(Pegasos())))


def test_a_lane_that_does_not_name_a_value_has_that_of_the_scene():
    own = {"kind": "C", "value": 5.0}
    document = read_scene(text_with([{"penalty": own}, {}])).document
    assert [problem.C for problem in document.problems()] == [5.0, moons(10).C]
    kernel = {"name": "rbf", "gamma": 3.0}
    document = read_scene(text_with([{}, {"kernel": kernel}])).document
    assert [problem.kernel for problem in document.problems()] == [moons(10).kernel, RBF(3.0)]


@pytest.mark.parametrize(
    ("lanes", "message"),
    [
        ([{}], '"lanes" must be a list of 2 lanes, one per solver'),
        ([{}, {"gama": 1}], '"lanes[1].gama" is not known'),
        ([{}, {"penalty": {"kind": "C", "value": -1}}], '"lanes[1].penalty.value"'),
        ([{}, {"kernel": {"name": "spectrum"}}], '"lanes[1].kernel.name" cannot be "spectrum"'),
        ([{}, {"epsilon": 0.5}], '"lanes[1].epsilon" needs a regression.'),
    ],
)
def test_a_mistake_in_a_lane_is_named(lanes, message):
    with pytest.raises(BadInput) as error:
        read_scene(text_with(lanes))
    assert message in str(error.value)

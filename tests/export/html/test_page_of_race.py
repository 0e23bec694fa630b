"""The page of a race: its lanes are at the same reading of its clock."""

import pytest

from solvers import SMO, Cursor, WorkingSet, solve
from svmviz.cli import main
from svmviz.export.html.contents import _steps_of_lanes
from svmviz.export.runs.recording import Recording
from svmviz.frames.clocks import CLOCKS
from svmviz.io.scene import Scene, write_scene
from svmviz.lessons.lecture import lecture_text, stop_at, with_stops
from svmviz.lessons.shows import Show
from tests import stages
from tests.export.html.chromium import CHROMIUM_ONLY

DOCUMENT = stages.moons(30, methods=(SMO(), WorkingSet(size=6)))
STEP = 12


@pytest.fixture(scope="module")
def runs():
    return tuple(solve(DOCUMENT.problem(), method) for method in DOCUMENT.methods)


@pytest.mark.parametrize("clock", ["evaluations", "seconds"])
def test_each_place_is_one_reading_of_the_clock(runs, clock):
    recording = Recording(Scene(DOCUMENT), runs)
    lanes = _steps_of_lanes(recording, range(recording.length + 1), CLOCKS[clock])
    read = CLOCKS[clock].reading
    assert len({len(steps) for steps in lanes}) == 1
    for run, steps in zip(runs, lanes, strict=True):
        assert steps[-1] == run.steps
        assert steps == sorted(steps)
    # Between two places of the page no lane could have gone on without the other one.
    for steps in zip(*lanes, strict=True):
        now = max(read(run, step) for run, step in zip(runs, steps, strict=True))
        for run, step in zip(runs, steps, strict=True):
            assert step == run.steps or read(run, step + 1) > now


def test_by_steps_a_lane_that_has_ended_waits(runs):
    recording = Recording(Scene(DOCUMENT), runs)
    lanes = _steps_of_lanes(recording, range(recording.length + 1), CLOCKS["steps"])
    assert lanes == [[*range(run.steps + 1)] for run in runs]


@pytest.mark.slow
@CHROMIUM_ONLY
@pytest.mark.parametrize("kind", ["lecture", "run"])
def test_a_page_opens_at_the_reading_of_its_clock(visited, tmp_path, runs, kind):
    page = tmp_path / "page.html"
    if kind == "lecture":
        source = tmp_path / "lecture.md"
        stop = stop_at(Scene(DOCUMENT, step=STEP), Show(clock="evaluations"), "Race")
        source.write_text(lecture_text(with_stops(None, [stop])), "utf-8")
        assert main(["render", str(source), "-o", str(page)]) == 0
    else:
        source = tmp_path / "race.svmviz"
        source.write_text(write_scene(Scene(DOCUMENT, step=STEP)), "utf-8")
        asked = ["render", str(source), "--clock", "evaluations", "-o", str(page)]
        assert main(asked) == 0
    clock = CLOCKS["evaluations"]
    expected = clock.steps(runs, clock.reading(runs[0], STEP))
    assert expected[0] == STEP != expected[1]
    opened = visited(page)
    shown = "page.run.lanes.map((lane) => lane.steps[Math.min(page.place, lane.last)])"
    assert opened.evaluate(shown) == [*expected]
    beta = opened.evaluate("[...page.run.lanes[1].state(page.place).beta]")
    state = Cursor(runs[1]).state(expected[1])
    assert beta == pytest.approx(runs[1].method.expand(runs[1].problem, state)[0].tolist())

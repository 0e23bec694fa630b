"""Regression in documents: what is solved, drawn, written and read."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from solvers import RBF, SMO, BadInput, InteriorPoint, Pegasos, Regression, WorkingSet, solve
from solvers.data.datasets import DATASETS
from solvers.data.regression_datasets import CURVES
from svmviz.document.document import Document, Penalty
from svmviz.frames.decision_field import make_field
from svmviz.frames.frame import Frame
from svmviz.frames.lane_reader import LaneReader
from svmviz.frames.viewport import Grid
from svmviz.io.open_and_save import open_file, save
from svmviz.io.scene import KEYS, Scene, read_scene, write_scene
from svmviz.io.target_files import parse_targets, write_targets
from svmviz.panels.registry import PANELS
from svmviz.plane.point_card import describe

GRID = Grid(-4.0, 4.0, -2.0, 2.0, 161, 81)


def document(**changes) -> Document:
    data = CURVES["noisy_sine"].generate(40, 0.2, 1)
    made = Document(data, RBF(1.0), Penalty("C", 5.0), task="regression", epsilon=0.15)
    return replace(made, **changes)


@pytest.mark.parametrize("name", CURVES)
def test_sets_are_made_again_and_noise_moves_the_targets_alone(name):
    calm, same, loud = (CURVES[name].generate(50, noise, 3) for noise in (0.1, 0.1, 0.5))
    assert calm == same
    assert (calm.labels == 1).all()
    assert np.array_equal(calm.points[:, 0], loud.points[:, 0])
    assert not np.array_equal(calm.points[:, 1], loud.points[:, 1])


def test_the_problem_has_one_coordinate_and_the_second_as_target():
    made = document(scaling="each")
    problem = made.problem()
    assert problem.X.shape == (40, 1)
    assert problem.X[:, 0] == pytest.approx(made.data.points[:, 0] / made.data.points[:, 0].std())
    assert np.array_equal(problem.y, made.data.points[:, 1])
    assert isinstance(problem, Regression)
    assert problem.epsilon == 0.15


def test_points_have_no_class_in_regression():
    data = DATASETS["moons"].generate(20, 0.1, 0)
    made = Document(data, task="regression").added(np.zeros((1, 2)), [-1])
    assert (made.data.labels == 1).all()


def test_another_task_keeps_what_can_stay():
    before = Document(
        DATASETS["moons"].generate(20, 0.1, 0),
        RBF(2.0),
        Penalty("C", np.inf),
        methods=(Pegasos(), WorkingSet()),
    )
    after = before.with_task("regression", document().data)
    assert after.methods == (WorkingSet(),)
    assert after.kernel == RBF(2.0)
    assert np.isfinite(after.C)
    assert before.with_methods((Pegasos(),)).with_task("regression", after.data).methods == (SMO(),)
    with pytest.raises(BadInput, match="Pegasos is a method for classification"):
        after.with_method(Pegasos())
    with pytest.raises(BadInput, match="epsilon"):
        replace(after, epsilon=-1.0)
    with pytest.raises(BadInput, match=r"^epsilon must be at most 1e\+100: got inf\.$"):
        replace(after, epsilon=math.inf)


@pytest.mark.parametrize("method", [SMO(), WorkingSet(), InteriorPoint()], ids=lambda m: m.name)
@pytest.mark.parametrize("scaling", ["none", "each"])
def test_curve_and_tube_are_those_of_f(method, scaling):
    made = document(methods=(method,), scaling=scaling)
    run = solve(made.problem(), method)
    reader = LaneReader(run)
    for step in {0, 1, run.steps // 2, run.steps}:
        lane = reader.read(step, GRID, made.factors)
        f = lane.expansion(lane.field.grid.xs[:, None] / made.factors[0])
        for level, lines in lane.field.contours.items():
            for line in lines:
                there = np.interp(line[:, 0], lane.field.grid.xs, f)
                assert line[:, 1] == pytest.approx(there + level * made.epsilon, abs=1e-9)
        assert lane.event is None or lane.event.sentence


def test_without_a_tube_there_is_still_a_curve():
    made = document(epsilon=0.0)
    run = solve(made.problem(), SMO())
    field = make_field(run.problem, run.expansion, made.factors, GRID)
    assert field.contours[0.0]


def test_the_card_of_a_point_shows_error_and_slack():
    made = document()
    run = solve(made.problem(), SMO())
    lane = LaneReader(run).read(run.steps, GRID, made.factors)
    index = int(lane.certificate.slack.argmax())
    card = describe(Frame(made, (lane,)), index)
    rows = dict(card.rows)
    assert {"x", "y", "f(x)", "y − f(x)", "slack ξ", "β"} <= rows.keys()
    assert "class" not in rows
    assert card.notes == ("support vector at C: |β| = C", "outside the tube: ξ > 0")


def test_panels_of_classes_are_not_offered():
    fits = {name for name, spec in PANELS.items() if spec.fits(document())}
    assert {"alpha", "objective", "step", "race", "table", "model", "pair", "kkt"} <= fits
    assert not fits & {"weight-space", "hulls", "difference-set"}


def test_a_scene_is_read_as_it_was_written():
    scene = Scene(document(methods=(WorkingSet(),)), step=3)
    text = write_scene(scene)
    assert '"svmviz": 2' in text
    assert read_scene(text) == scene
    rare = ("words", "gram", "names", "split", "line", "machines", "machine", "strokes")
    rare += ("lanes", "loop", "bookmarks", "class_weights")
    assert list(json.loads(text)) == [key for key in KEYS if key not in rare]
    assert '"svmviz": 1' in write_scene(Scene(Document()))
    with pytest.raises(BadInput, match="epsilon"):
        read_scene(text.replace('"epsilon": 0.15', '"epsilon": -1'))


def test_points_are_written_and_read_as_csv(tmp_path):
    made = document()
    assert parse_targets(write_targets(made.data)) == made.data
    path = tmp_path / "curve.csv"
    save(path, Scene(made))
    assert open_file(path) == made.data
    with pytest.raises(BadInput, match="as CSV"):
        save(tmp_path / "curve.libsvm", Scene(made))
    with pytest.raises(BadInput, match="two columns"):
        parse_targets("a,b,c\n1,2,3\n4,5,6\n")

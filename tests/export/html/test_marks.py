"""Marks, slack and the ground of points on a page are those of the window (svmviz/plane/paint)."""

import numpy as np
import pytest

from svmviz.export.html.save import mark_table
from svmviz.frames import slack_paths
from svmviz.frames.decision_field import missed_points, without_thin_parts
from svmviz.frames.viewport import Grid
from svmviz.plane.paint.crowd import FULL_SIZE_SPACING, MIN_SIZE, spacing
from svmviz.plane.paint.roles import ROLES, as_json
from tests.export.html.engine import Engine


@pytest.fixture(scope="module")
def engine(qapp):
    scripts = ("numbers.js", "kernels.js", "contours.js", "run.js", "field.js", "marks.js")
    return Engine(*scripts, before=mark_table())


@pytest.mark.parametrize("size", [1.0, 0.7, 0.4, 0.2, 0.125])
def test_a_mark_has_the_measures_of_the_table(engine, size):
    for role, mark in ROLES.items():
        entry = as_json()["roles"][str(role)]
        found = engine.call("measures(mark, size)", mark=entry, size=size)
        assert found["radius"] == pytest.approx(mark.radius(size))
        assert found["line"] == pytest.approx(mark.line(size))
        assert found["filling"] == pytest.approx(mark.filling(size))


@pytest.mark.parametrize("n", [1, 20, 300, 3000])
def test_crowds_have_marks_of_the_same_size(engine, n):
    places = np.random.default_rng(n).uniform(0.0, 600.0, (n, 2))
    found = engine.call("sizeOfMarks(places, 360000)", places=places.tolist())
    wanted = min(1.0, max(MIN_SIZE, spacing(places, 360_000.0) / FULL_SIZE_SPACING))
    assert found == pytest.approx(wanted)


def test_slack_follows_the_same_path(engine):
    xs, ys = np.linspace(-2.0, 2.0, 81), np.linspace(-1.5, 1.5, 61)
    values = np.sin(xs)[None, :] + 0.5 * ys[:, None] ** 2
    place, cell = np.array([[-0.5, 0.3]]), np.array([0.05, 0.05])
    metric = np.array([1.0, 1.0])
    start = (place - (-2.0, -1.5)) / cell
    paths, is_open = slack_paths._climb(values, start, np.array([1.0]), metric)
    wanted = np.unique(paths[0] * cell + (-2.0, -1.5), axis=0)
    view = {
        "shown": {"values": values.ravel().tolist(), "columns": 81, "rows": 61},
        "view": [-2.0, 2.0, -1.5, 1.5],
        "run": {"factors": [1, 1], "labels": [1], "points": [-0.5, 0.3]},
    }
    found = engine.call("slackPath(view, 0)", view=view)
    assert found["isOpen"] == bool(is_open[0])
    if not is_open[0]:
        assert found["path"][-1] == pytest.approx(wanted[-1].tolist(), abs=0.05)


def test_the_same_points_are_missed(engine):
    rng = np.random.default_rng(3)
    values, points = rng.normal(-1.0, 1.0, (20, 30)), rng.uniform(0.0, 1.0, (200, 2))
    decision = rng.normal(0.0, 1.0, 200)
    wanted = missed_points(Grid(0.0, 1.0, 0.0, 1.0, 30, 20), values, points, decision)
    field = {
        "run": {"n": 200, "points": points.ravel().tolist(), "isRegression": False},
        "columns": 30, "rows": 20, "view": [0, 1, 0, 1],
    }  # fmt: skip
    found = engine.call(
        "missedPoints(field, values, decision)",
        field=field, values=values.ravel().tolist(), decision=decision.tolist(),
    )  # fmt: skip
    assert 5 < len(wanted) < 150
    assert found == wanted.tolist()
    thin = engine.call(
        "withoutThinParts(withoutThinParts(values, 30, 30), 30, 1)",
        values=values.ravel().tolist(),
    )
    assert thin == pytest.approx(without_thin_parts(values).ravel().tolist())

"""Logistic regression and kernel ridge: when they are drawn, where, and how scenes keep them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from solvers import RBF, Linear
from solvers.problem.smooth_losses import kernel_ridge, logistic_regression
from svmviz.camera.camera import Camera
from svmviz.document.view_options import ViewOptions
from svmviz.frames.studies import Pending
from svmviz.io.scene import Scene, read_scene, write_scene
from svmviz.plane.other_losses import LogisticStudyMaker, RidgeStudyMaker, line_of
from svmviz.plane.overlays import OVERLAYS, studies_for
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.lines import ends_of
from svmviz.plane.paint.style import Style
from tests.stages import eight, moons, sine


def test_the_line_is_where_f_is_0_also_with_scaled_axes(open_stage, qtbot):
    stage = open_stage(moons(60, kernel=Linear(), scaling="each"))
    document, frame = stage.session.document, stage.feed.frame
    study, results = LogisticStudyMaker(), []

    def is_found():
        results[:] = study(frame, stage.session.runs)
        return not isinstance(results[0], Pending)

    qtbot.waitUntil(is_found)
    f = logistic_regression(frame.lane.problem)
    assert results[0] == line_of(frame.lane.problem)
    camera = Camera(0.3, 0.2, 4.0, 3.0)
    ends = ends_of(Canvas(frame, camera, Style()), results[0])
    pixels = ends[0] + np.linspace(0.0, 1.0, 5)[:, None] * (ends[1] - ends[0])
    places = np.array([camera.to_data(*pixel) for pixel in pixels])
    assert f(places / document.factors) == pytest.approx(np.zeros(5), abs=1e-6)
    # The same problem is not solved again.
    assert study(frame, stage.session.runs)[0] is results[0]


def test_it_is_shown_with_the_linear_kernel_only_and_kept_in_scenes():
    on = ViewOptions(logistic=True)
    key = OVERLAYS["logistic"].key
    assert key in studies_for(eight(), on)
    assert key not in studies_for(eight(), ViewOptions())
    assert key not in studies_for(eight(kernel=RBF(1.0)), on)
    assert key not in studies_for(sine(), on)
    assert read_scene(write_scene(Scene(eight(), on))).options.logistic
    # Programs that do not know the line open a scene without it.
    assert "logistic" not in write_scene(Scene(eight(), ViewOptions()))
    assert "ridge" not in write_scene(Scene(eight(), on))


def cost(problem, beta, b):
    """The cost with squares, from its definition."""
    K = problem.kernel(problem.X, problem.X)
    norm = beta @ K @ beta + (b * b if problem.bias == "augmented" else 0.0)
    return 0.5 * norm + 0.5 * problem.C * ((problem.y - K @ beta - b) ** 2).sum()


@pytest.mark.parametrize("bias", ["free", "none", "augmented"])
def test_no_f_nearby_has_a_smaller_cost(bias):
    problem = replace(sine(30).problem(), bias=bias)
    found = kernel_ridge(problem)
    best, rng = cost(problem, found.beta, found.bias), np.random.default_rng(0)
    for size in (1e-4, 1e-2, 1.0):
        for _ in range(20):
            beta = found.beta + size * rng.standard_normal(30)
            b = 0.0 if bias == "none" else found.bias + size * rng.standard_normal()
            assert cost(problem, beta, b) > best
    # At the minimum beta is C times the error.
    np.testing.assert_allclose(found.beta, problem.C * (problem.y - found(problem.X)), atol=1e-8)


def test_with_a_linear_kernel_and_a_huge_C_it_is_the_line_of_least_squares():
    problem = replace(sine(30).problem(), kernel=Linear(), C=1e8)
    slope, rest = np.polyfit(problem.X[:, 0], problem.y, 1)
    found = kernel_ridge(problem)
    np.testing.assert_allclose(found(problem.X), slope * problem.X[:, 0] + rest, atol=1e-5)


def test_the_curve_is_drawn_over_the_view_and_solved_once(open_stage):
    stage = open_stage(sine(30, scaling="each"))
    document, frame = stage.session.document, stage.feed.frame
    study = RidgeStudyMaker()
    (curve,) = study(frame, stage.session.runs)
    f = kernel_ridge(frame.lane.problem)
    np.testing.assert_allclose(curve[:, 1], f(curve[:, :1] / document.factors[0]))
    np.testing.assert_array_equal(curve[:, 0], frame.lane.field.grid.xs)
    kept = study._found[0][1]
    study(frame, stage.session.runs)
    assert study._found[0][1] is kept


def test_it_is_shown_in_a_regression_only_and_kept_in_scenes():
    on = ViewOptions(ridge=True)
    key = OVERLAYS["ridge"].key
    assert key in studies_for(sine(), on)
    assert key not in studies_for(sine(), ViewOptions())
    assert key not in studies_for(eight(kernel=RBF(1.0)), on)
    text = write_scene(Scene(sine(10), on))
    assert read_scene(text).options.ridge
    # Programs that do not know the curve open a scene without it.
    assert "ridge" not in write_scene(Scene(sine(10), ViewOptions()))

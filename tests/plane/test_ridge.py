"""Kernel ridge regression beside the tube: its f, its curve, and when it is drawn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from solvers import RBF, Linear
from solvers.problem.smooth_losses import kernel_ridge
from svmviz.document.view_options import ViewOptions
from svmviz.io.scene import Scene, read_scene, write_scene
from svmviz.plane.overlays import OVERLAYS, studies_for
from svmviz.plane.ridge_study import RidgeStudyMaker
from tests.stages import eight, sine


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

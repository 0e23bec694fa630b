"""Coordinates that can be computed with; others are refused in one sentence."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers import KERNELS, SMO, Problem, Regression, solve
from solvers.data.coordinates import MAX_COORDINATE
from solvers.data.datasets import DATASETS, PointSet
from solvers.data.point_files import parse_points
from solvers.data.targets import read_targets
from solvers.errors import BadInput
from tests.solvers.extremes import point_lists

LIMIT = MAX_COORDINATE
BEYOND = float(np.nextafter(LIMIT, np.inf))


@pytest.mark.parametrize("value", [BEYOND, -BEYOND, 1e308, -1e308])
def test_larger_coordinates_are_refused_from_every_source(value):
    far, labels = [[0.0, 0.0], [1.0, value]], [-1, 1]
    for make in (
        lambda: PointSet(np.array(far), labels),
        lambda: Problem(far, labels),
        lambda: Regression(far, [0.0, 1.0]),
        lambda: parse_points(f"0,0,a\n1,{value!r},b\n"),
        lambda: parse_points(f"1 1:0\n0 1:{value!r}\n"),
        lambda: read_targets(f"x,y\n0,0\n1,{value!r}\n"),
    ):
        with pytest.raises(BadInput, match=r"(oint|line) [23].*1e\+100") as caught:
            make()
        assert str(caught.value).endswith(".")


def test_coordinates_at_the_limit_are_read():
    for text in (f"0,0,a\n1,{LIMIT!r},b\n", f"0 1:0 2:0\n1 1:1 2:{LIMIT!r}\n"):
        assert parse_points(text).points.tolist() == [[0.0, 0.0], [1.0, LIMIT]]


def test_labels_beyond_double_precision_are_not_one_label():
    found = parse_points("1,2,1e400\n3,4,2e400\n")
    assert found.class_names == ("1e400", "2e400")


@given(point_lists, st.sampled_from(sorted(KERNELS)), st.sampled_from(["free", "augmented"]))
def test_arithmetic_survives_the_limits(points, name, bias):
    labels = np.where(np.arange(len(points)) % 2, 1.0, -1.0)
    try:
        problem = Problem(points, labels, kernel=KERNELS[name](), C=1.0, bias=bias)
    except BadInput:
        # The values of some kernels exceed their own limit.
        return
    K = problem.kernel(problem.X, problem.X)
    assert np.isfinite(K).all()
    if bias == "free":
        run = solve(problem, SMO(max_steps=200))
        certificate = run.certificate
        assert np.isfinite(run.expansion.beta).all()
        assert not np.isnan([certificate.primal, certificate.dual, certificate.kkt]).any()
        assert np.isfinite(
            run.expansion.on_grid(np.linspace(-1, 1, 3), np.linspace(-1, 1, 3))
        ).all()


@pytest.mark.parametrize("name", DATASETS)
def test_generators_stay_within_the_limits(name):
    made = DATASETS[name].generate(20, 1e6, 0)
    assert np.abs(made.points).max() < LIMIT

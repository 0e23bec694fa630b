"""Advice: given if axes or kernel are out of scale with the data; a click applies its document."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from solvers import RBF, SMO, InteriorPoint, Linear, Polynomial, solve
from solvers.data.datasets import DATASETS, PointSet
from svmviz.base.resources import path
from svmviz.document.advice import (
    about_distance,
    about_spreads,
    about_targets,
    about_width,
    advise,
)
from svmviz.document.document import Document, Penalty
from svmviz.io.open_and_save import open_file


@pytest.fixture(scope="module")
def penguins():
    return Document(open_file(path("penguins.csv")))


def test_scaling_is_advised_for_raw_grams(penguins):
    advice = advise(penguins)
    assert advice is not None
    assert advice.kind == "spreads"
    spread = penguins.data.points.std(axis=0)
    assert f"{float(f'{spread[1] / spread[0]:.2g}'):g} times" in advice.sentence
    assert "body mass (g)" in advice.sentence
    assert advice.advised == replace(penguins, scaling="each")
    assert advise(advice.advised) is None


def test_scaled_axes_get_a_kernel_for_their_unit(penguins):
    raw = replace(penguins, kernel=RBF(2.8e-6))
    advice = advise(raw)
    assert advice is not None
    assert advice.kind == "spreads"
    assert advise(advice.advised) is None
    assert advice.advised.kernel == RBF(0.6)
    assert advice.note == "γ set to 0.6 for this scaling (was 2.8·10⁻⁶)."


def test_a_width_out_of_scale_is_the_second_advice(penguins):
    advice = advise(penguins, frozenset(["spreads"]))
    assert advice is not None
    assert advice.kind == "width"
    assert "smaller" in advice.sentence
    assert about_width(advice.advised) is None
    wide = about_width(replace(advice.advised, kernel=RBF(1e-12)))
    assert wide is not None
    assert "larger" in wide.sentence
    assert about_width(replace(penguins, kernel=Linear())) is None


def test_the_typical_distance_is_the_median_of_all_pairs():
    points = np.array([(0.0, 0.0), (100.0, 0.0), (0.0, 300.0)])
    document = Document(PointSet(points, np.array([-1, 1, 1])), kernel=RBF(0.5))
    advice = about_width(document)
    assert advice is not None
    assert "(300)" in advice.sentence  # of 100, 300 and 316
    assert "σ = 1 is 300 times smaller" in advice.sentence


@pytest.mark.parametrize("name", DATASETS)
def test_generated_points_need_no_advice(name):
    entry = DATASETS[name]
    document = Document(entry.generate(100, entry.noise_default, 0))
    assert about_spreads(document) is None
    assert advise(document) is None
    assert advise(Document()) is None


def test_equal_points_are_no_trouble():
    points = np.zeros((5, 2))
    assert advise(Document(PointSet(points, np.array([1, 1, -1, -1, 1])))) is None


def test_the_largest_numbers_have_a_spread():
    places = np.array([[1e100, 0.0], [-1e100, 1.0], [3e99, 2.0], [0.0, 3.0]])
    found = advise(Document(data=PointSet(places, np.array([-1, 1, -1, 1], dtype=np.int8))))
    assert "∞" not in found.sentence
    assert found.kind == "spreads"


def curve(scale=1.0, x_scale=1.0, **changes):
    x = np.linspace(0.0, 6.0, 30)
    points = np.column_stack([x_scale * x, scale * np.sin(x)])
    data = PointSet(points, np.ones(30), axis_names=("year", "y"))
    return Document(data, **{"kernel": RBF(0.5), "task": "regression", **changes})


def test_epsilon_and_c_are_advised_for_targets_of_another_scale():
    assert advise(curve()) is None
    huge = advise(curve(1e6, methods=(SMO(), InteriorPoint())))
    assert huge is not None
    assert huge.kind == "targets"
    assert huge.sentence == (
        "The targets span 2,000,000, but f can rise or fall by at most 2 n C max k(x, x) = 60: "
        "f is almost a flat line."
    )
    assert (huge.accept, huge.keep) == ("Set ε to 71,000 and C to 710,000", "Keep ε and C")
    assert [method.tol for method in huge.advised.methods] == [1.0, 0.71]
    assert about_targets(huge.advised) is None
    early = advise(curve(1e-4, epsilon=1e-5, penalty=Penalty("C", 1e-4)))
    assert early is not None
    assert early.sentence == (
        "The targets span 0.0002, but SMO stops once no violation exceeds 0.001: too early."
    )
    assert (early.accept, early.note) == ("Set the tolerance to 7.1·10⁻⁸", "")
    # Only what does not suit is changed, and a pinned lambda stays if C does.
    wide = advise(curve(epsilon=5.0, penalty=Penalty("lambda", 0.1)))
    assert wide is not None
    assert wide.accept == "Set ε to 0.071"
    assert wide.advised.penalty == Penalty("lambda", 0.1)


def test_a_width_out_of_scale_is_said_of_regressions_too():
    advice = advise(curve(x_scale=1000.0))
    assert advice is not None
    assert advice.kind == "width"
    assert "the typical distance of two points along year (1,900)" in advice.sentence
    assert advise(advice.advised) is None


def test_scaling_is_advised_for_a_polynomial_kernel_far_from_0():
    made = DATASETS["moons"].generate(40, 0.1, 0)
    points, labels = made.points, made.labels
    far = Document(PointSet(points + 1000.0, labels), kernel=Polynomial(1.0, 1.0, 2))
    advice = about_distance(far)
    assert advice is not None
    assert "times as far from 0" in advice.sentence
    assert advice.advised.scaling == "each"
    assert advice.advised.kernel.gamma < 1e-3
    assert advise(far) == advice
    gaps = []
    for document in (far, advice.advised):
        run = solve(document.problem(), InteriorPoint())
        gaps.append(run.certificate.relative_gap)
    # What the advice promises is measured: scaled, the problem is solved.
    assert gaps[1] <= 1e-6
    # The linear kernel needs none: with a free bias it does not depend on where 0 is.
    assert about_distance(replace(far, kernel=Linear())) is None
    assert about_distance(replace(far, data=PointSet(points, labels))) is None

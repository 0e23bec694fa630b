"""Advice: given if axes or kernel are out of scale with the data; a click applies its document."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from solvers import RBF, Linear
from solvers.data.datasets import DATASETS, PointSet
from svmviz.base.resources import path
from svmviz.document.advice import about_spreads, about_width, advise
from svmviz.document.document import Document
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

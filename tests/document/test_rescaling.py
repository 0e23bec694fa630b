"""Other points and scalings: the kernel is fitted to them unless it was set for their scale."""

from dataclasses import replace

import numpy as np
import pytest

from solvers import RBF, Laplacian, Linear, Polynomial, Sigmoid
from solvers.data.datasets import DATASETS
from svmviz.base.resources import path
from svmviz.base.words import number
from svmviz.document.advice import advise
from svmviz.document.document import Document, no_points
from svmviz.document.rescaling import rescale_kernel, typical_distance
from svmviz.io.open_and_save import open_scene
from tests.campaigns.limits import SETS, as_points
from tests.stages import sine

PENGUINS = open_scene(path("penguins.csv")).document.data
MOONS = DATASETS["moons"].generate(100, 0.15, 0)
GAMMAS = [
    (RBF, lambda size: 2.0 / size**2),
    (Laplacian, lambda size: 2.0 / size),
]


def gamma_of(document) -> float:
    gamma = getattr(document.kernel, "gamma", None)
    assert gamma is not None
    return gamma


def generated(name):
    entry = DATASETS[name]
    return entry.generate(100, entry.noise_default, 0)


@pytest.mark.parametrize(("kind", "gamma"), GAMMAS)
def test_the_kernel_follows_the_scale_of_new_points(kind, gamma):
    before = Document(PENGUINS, kernel=kind(0.05))
    after, note = rescale_kernel(replace(before, data=MOONS), before)
    assert gamma_of(after) == pytest.approx(gamma(typical_distance(after)), rel=0.05)
    assert note == f"γ set to {gamma_of(after):g} for these points (was 0.05)."
    # And back again, as far as digits go.
    back, _ = rescale_kernel(replace(after, data=PENGUINS), after)
    assert gamma_of(back) == pytest.approx(gamma(typical_distance(back)), rel=0.05)


@pytest.mark.parametrize("kind", [Polynomial, Sigmoid])
def test_products_of_typical_points_are_about_one(kind):
    before = Document(MOONS, kernel=kind(gamma=1.0))
    after, note = rescale_kernel(replace(before, data=PENGUINS), before)
    lengths = (PENGUINS.points**2).sum(axis=1)
    assert gamma_of(after) * lengths.mean() == pytest.approx(1.0, rel=0.05)
    assert note


@pytest.mark.parametrize("name", DATASETS)
@pytest.mark.parametrize("gamma", [0.05, 1.0, 30.0])
def test_a_gamma_that_the_user_set_stays_for_points_of_the_same_scale(name, gamma):
    before = Document(MOONS, kernel=RBF(gamma))
    document = replace(before, data=generated(name))
    assert rescale_kernel(document, before) == (document, "")


@pytest.mark.parametrize("name", DATASETS)
def test_every_data_set_gets_its_own_gamma_after_penguins(name):
    demo = open_scene(path("scenes/demo.svmviz")).document
    document, note = rescale_kernel(replace(demo, data=generated(name)), demo)
    assert gamma_of(document) == pytest.approx(2.0 / typical_distance(document) ** 2, rel=0.05)
    assert note


@pytest.mark.parametrize(("kind", "gamma"), GAMMAS)
def test_the_kernel_follows_the_scaling_of_the_axes(kind, gamma):
    grams = Document(PENGUINS, kernel=kind(gamma(850.0)))
    for scaling in ("each", "common"):
        scaled, note = rescale_kernel(replace(grams, scaling=scaling), grams)
        assert gamma_of(scaled) == pytest.approx(gamma(typical_distance(scaled)), rel=0.05)
        assert note.endswith(f"for this scaling (was {number(gamma(850.0))}).")
        back, note = rescale_kernel(replace(scaled, scaling="none"), scaled)
        assert gamma_of(back) == pytest.approx(gamma(850.0), rel=0.05)
        assert note


def test_a_gamma_set_for_a_scale_stays_while_the_noise_changes():
    before = Document(MOONS, kernel=RBF(300.0))
    for noise in (0.0, 0.1, 0.3):
        other = replace(before, data=DATASETS["moons"].generate(100, noise, 1))
        assert rescale_kernel(other, before) == (other, "")


def test_an_empty_plane_has_the_default_and_keeps_what_is_near():
    before = Document(PENGUINS, kernel=RBF(0.05))
    empty, note = rescale_kernel(replace(before, data=no_points()), before)
    assert empty.kernel == RBF()
    assert note == "γ set to 1, the kernel's default (was 0.05)."
    # The size of two points, or of points that coincide, is unknown too.
    for points in (MOONS.points[:2], np.ones((9, 2))):
        data = replace(MOONS, points=points, labels=MOONS.labels[: len(points)])
        assert rescale_kernel(replace(before, data=data), before)[1] == note
    set_by_hand = replace(empty, kernel=RBF(3.0))
    assert rescale_kernel(replace(set_by_hand, data=MOONS), set_by_hand)[1] == ""


def test_other_kernels_are_left_alone():
    before = Document(PENGUINS, kernel=Linear())
    document = replace(before, data=MOONS)
    assert rescale_kernel(document, before) == (document, "")


def test_in_a_regression_distances_lie_along_x():
    document = sine(60)
    stretched = replace(document.data, points=document.data.points * np.array([1.0, 1000.0]))
    assert typical_distance(replace(document, data=stretched)) == typical_distance(document)


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("kind", [RBF, Laplacian, Linear, Polynomial, Sigmoid])
def test_points_at_the_limits_have_a_kernel_and_advice(kind, name):
    for before in (Document(), Document(MOONS)):
        given = replace(before, data=as_points(SETS[name]), kernel=kind())
        after, _ = rescale_kernel(given, before)
        assert np.isfinite(getattr(after.kernel, "gamma", 1.0))
        for unwanted in (frozenset(), frozenset({"spreads"})):
            advice = advise(replace(after, kernel=kind()), unwanted)
            assert advice is None or "nan" not in advice.sentence
        moved = after.moved(range(after.n), (1e100, -1e100))
        assert np.abs(moved.data.points).max() <= 1e100

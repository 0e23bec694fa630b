"""Marks get smaller as points become crowded, all by the same measure."""

from dataclasses import replace

import numpy as np
import pytest

from solvers.data.datasets import DATASETS
from solvers.problem.certificate import FREE, ZERO
from svmviz.base.resources import path as asset
from svmviz.document.document import Document
from svmviz.document.view_options import ViewOptions
from svmviz.io.open_and_save import open_scene
from svmviz.plane.paint.crowd import MIN_SIZE, size_of, spacing
from svmviz.plane.paint.roles import ROLES
from svmviz.plane.paint.style import Style
from svmviz.theme import DARK, LIGHT, Metrics
from tests.ink import PLANES, coverage, mixture, without_slack
from tests.plane.frames import fitted, points, solved


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("vector", [False, True], ids=["stored", "vector"])
@pytest.mark.parametrize(
    ("plane", "most"), list(zip(PLANES, (0.3, 0.4, 0.45), strict=True)), ids=str
)
def test_points_leave_room_in_their_hull(qapp, plane, most, vector, theme):
    n, width, height, scale = plane
    document = mixture(n)
    camera = fitted(document, width, height, scale)
    style = Style(theme=theme, scale=scale, vector=vector)
    frame = solved(document, camera)
    part = coverage(frame, camera, without_slack(style))
    # Nearly all of these points are support vectors at their bound, which keep a least size.
    assert 0.1 < part <= most
    assert part < coverage(frame, camera, style) <= most + 0.15


@pytest.fixture(scope="module")
def penguins() -> Document:
    """The points that the program starts with: 274, of which 16 are support vectors."""
    return open_scene(asset("scenes/demo.svmviz")).document


# The plane of a window of 1280x720 with the panels that the program starts with.
WINDOW = (860, 530)


def test_few_support_vectors_among_many_points_are_large(penguins):
    size = size_of(penguins.data, fitted(penguins, *WINDOW), 1.0)
    quiet, support = (ROLES[role].reach(size) for role in (ZERO, FREE))
    # Disc and square are told apart from 7 px on.
    assert 2.0 * support >= 7.0
    assert support > 1.3 * quiet


def test_outlines_go_before_marks_merge_and_those_of_support_vectors_stay():
    for size in (0.125, 0.25, 0.5, 1.0):
        assert ROLES[FREE].line(size) >= 0.9
        assert ROLES[ZERO].line(size) < ROLES[FREE].line(size)
        assert ROLES[ZERO].radius(size) <= ROLES[FREE].radius(size)
    assert ROLES[ZERO].line(0.2) == 0.0
    assert ROLES[ZERO].filling(0.2) > ROLES[ZERO].filling(1.0)


def share(document: Document, *size) -> float:
    scale = size[2] if len(size) == 3 else 1.0
    return size_of(document.data, fitted(document, *size), scale)


def test_few_points_have_full_size():
    assert share(mixture(20), 800, 600) == 1.0
    assert share(Document(DATASETS["eight"].generate(8, 0.0, 0)), 320, 240) == 1.0


def test_marks_shrink_as_points_become_many_or_the_plane_small_or_the_marks_large():
    assert share(mixture(200), 900, 600) > share(mixture(800), 900, 600) > MIN_SIZE
    assert share(mixture(200), 900, 600) > share(mixture(200), 300, 200) > MIN_SIZE
    assert share(mixture(200), 900, 600) > share(mixture(200), 900, 600, 2.0) > MIN_SIZE
    assert share(mixture(20_000), 300, 200) == pytest.approx(MIN_SIZE, rel=0.05)


def test_only_points_on_screen_count():
    document = mixture(2000)
    camera = fitted(document)
    near = camera.zoomed(0.1, 400.0, 300.0)
    assert size_of(document.data, near, 1.0) > 2 * size_of(document.data, camera, 1.0)
    away = camera.panned(1e4, 0.0)
    assert size_of(document.data, away, 1.0) == 1.0


def test_panning_changes_nothing_while_all_points_stay_on_screen():
    document = mixture(300)
    camera = fitted(document).zoomed(2.0, 400.0, 300.0)
    shares = {size_of(document.data, camera.panned(k, 0.7 * k), 1.0) for k in range(0, 60, 7)}
    assert len(shares) == 1


def test_a_heap_of_few_points_keeps_its_size():
    rng = np.random.default_rng(0)
    heap = np.concatenate([rng.normal(0.0, 1e-3, (6, 2)), [[3.0, 3.0]]])
    data = points(heap, [1, -1, 1, -1, 1, -1, 1])
    assert share(Document(data), 800, 600) == 1.0
    assert share(Document(points(np.zeros((3, 2)), [1, -1, 1])), 800, 600) == 1.0


def test_points_on_a_curve_are_as_crowded_as_they_look():
    rng = np.random.default_rng(1)
    spread = rng.uniform(0.0, 600.0, (300, 2))
    curve = spread.copy()
    curve[:, 1] = 300.0 + 200.0 * np.sin(curve[:, 0] / 100.0)
    assert spacing(curve, 360_000.0) < 0.7 * spacing(spread, 360_000.0)
    # In a uniform square each point has its part of the area.
    assert spacing(spread, 360_000.0) == pytest.approx(np.sqrt(360_000.0 / 300), rel=0.1)


@pytest.mark.parametrize("height", [700, 720, 1080])
def test_no_point_is_small_in_a_presentation_and_an_option_makes_all_larger(height):
    metrics = Metrics().at_height(height)
    document = mixture(2000)
    camera = fitted(document, height * 16 // 9, height)
    plain = Style(scale=metrics.scale)
    in_hall = Style(scale=metrics.scale, in_hall=metrics.in_hall)
    larger = replace(in_hall, options=ViewOptions(larger_points=True))
    sizes = [style.size_for(document.data, camera) for style in (plain, in_hall, larger)]
    for mark in ROLES.values():
        across = [2.0 * mark.radius(size) * metrics.scale for size in sizes]
        assert across[1] >= 13.0 * height / 720
        assert across[0] < across[1] < across[2]
    # Where points have full size, the option makes them larger too.
    few = mixture(20)
    camera = fitted(few, height * 16 // 9, height)
    size, large = (style.size_for(few.data, camera) for style in (plain, larger))
    assert size == 1.0
    for mark in ROLES.values():
        assert mark.radius(large) == pytest.approx(1.4 * mark.radius(size))

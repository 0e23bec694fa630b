"""Marks get smaller as points become crowded, all by the same measure."""

import math
import statistics
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QColor

from solvers import Linear
from solvers.data.datasets import DATASETS
from solvers.problem.certificate import BOUND, FREE, ZERO
from svmviz.base.resources import path as asset
from svmviz.camera.camera import Camera
from svmviz.document.document import Document, Penalty
from svmviz.document.view_options import ViewOptions
from svmviz.frames.frame import Frame
from svmviz.io.open_and_save import open_scene
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.ink import (
    FULL_SIZE_SPACING,
    MAX_EXCESS,
    MIN_SHARE,
    Ink,
    ink_of,
    spacing,
    with_rings,
)
from svmviz.plane.paint.style import Style
from svmviz.theme import DARK, LIGHT, Theme
from tests.ink import PLANES, coverage, mixture, pixels_of, without_slack
from tests.plane.frames import fitted, lane_of, points, solved


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("vector", [False, True], ids=["stored", "vector"])
@pytest.mark.parametrize(("n", "width", "height", "scale"), PLANES)
def test_points_cover_at_most_35_percent_of_the_hull(qapp, n, width, height, scale, vector, theme):
    document = mixture(n)
    camera = fitted(document, width, height, scale)
    style = Style(theme=theme, scale=scale, vector=vector)
    frame = solved(document, camera)
    part = coverage(frame, camera, without_slack(style))
    assert 0.1 < part <= 0.35
    # Slack adds little; in a vector format it is not on whole pixels and touches more of them.
    assert part < coverage(frame, camera, style) <= 0.38


@pytest.fixture(scope="module")
def penguins() -> Document:
    """The points that the program starts with: 274, of which 16 are support vectors."""
    return open_scene(asset("scenes/demo.svmviz")).document


# The plane of a window of 1280x720 with the panels that the program starts with.
WINDOW = (860, 530)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("vector", [False, True], ids=["stored", "vector"])
def test_few_support_vectors_among_many_points_have_whole_rings(qapp, penguins, vector, theme):
    camera = fitted(penguins, *WINDOW)
    frame = solved(penguins, camera)
    shown = ViewOptions(contours=False, sticks=False, band=False)
    style = Style(theme=theme, vector=vector, marks_step=False, options=shown)
    picture = pixels_of(frame, camera, style, None)
    ink = Canvas(frame, camera, style).with_ink().style.ink
    kinds = lane_of(frame).certificate.kinds
    places = camera.to_pixels(penguins.data.points)
    own = np.flatnonzero(kinds != ZERO)
    assert 5 < len(own) < 30
    found = {FREE: set(), BOUND: set()}
    for index in own:
        others = places[np.delete(own, np.flatnonzero(own == index))]
        # The rings of two support vectors may touch.
        if np.hypot(*(others - places[index]).T).min() < 2.0 * ink.reach(BOUND) + 2.0:
            continue
        found[kinds[index]].add(lines_around(picture, places[index], ink, theme))
    assert found == {FREE: {1}, BOUND: {2}}


@pytest.mark.parametrize("vector", [False, True], ids=["stored", "vector"])
def test_a_ring_lies_over_points_that_have_none(qapp, vector):
    # A free support vector at 1, and a point beyond the margin that lies on its ring.
    camera = fitted(Document(points([[-1, 0], [1, 0], [1.1, 0]], [-1, 1, 1])))
    alone = Frame(Document(points([[-1, 0]], [-1])))
    ink = Canvas(alone, camera, Style()).with_ink().style.ink
    near = 1.0 + ink.rings(FREE)[0] * camera.units[0]
    data = points([[-1, 0], [1, 0], [near, 0]], [-1, 1, 1])
    frame = solved(Document(data, Linear(), Penalty("C", 1e3)), camera)
    assert lane_of(frame).certificate.kinds.tolist() == [FREE, FREE, ZERO]
    shown = ViewOptions(contours=False, sticks=False, band=False)
    style = Style(vector=vector, marks_step=False, options=shown)
    assert Canvas(frame, camera, style).with_ink().style.ink == ink
    column, row = camera.to_pixels(data.points)[2].astype(int).tolist()
    found = pixels_of(frame, camera, style, None)[row, column]
    assert np.abs(found - QColor(LIGHT.ring).getRgb()[2::-1]).max() < 60


def lines_around(picture: np.ndarray, place: np.ndarray, ink: Ink, theme: Theme) -> int:
    """Count the lines in the colour of rings from a mark outwards; they must be apart.

    Of four directions the median counts: in one of them a neighbour may be in the way.
    """
    colour = np.array(QColor(theme.ring).getRgb()[2::-1])
    near = np.abs(picture - colour).max(axis=2) < 110
    first = round(ink.radius + ink.edge)
    away = np.arange(first, math.ceil(ink.reach(BOUND)) + 3)
    found = []
    for row, column in ((0, 1), (0, -1), (1, 0), (-1, 0)):
        line = near[int(place[1]) + row * away, int(place[0]) + column * away].astype(int)
        found.append(int(np.count_nonzero(np.diff(line, prepend=0) == 1)))
    return statistics.median_high(found)


def test_disc_and_square_of_the_penguins_can_be_told_apart(penguins):
    camera = fitted(penguins, *WINDOW)
    ink = ink_of(penguins.data, camera, 1.0)
    assert 7.0 <= 2.0 * ink.radius + ink.edge <= 8.5
    # In a small plane they are as large relative to it, or there would be nothing but marks.
    small = ink_of(penguins.data, fitted(penguins, 430, 265), 1.0)
    assert small.share < 0.7 * ink.share


def test_marks_are_at_most_twice_as_large_as_the_crowd_leaves_room_for():
    document = mixture(8000)
    camera = fitted(document, 900, 600)
    pixels = camera.to_pixels(document.data.points)
    fair = spacing(pixels, camera.plot_width * camera.plot_height) / FULL_SIZE_SPACING
    found = share(document, 900, 600)
    assert fair < found <= 1.03 * max(MIN_SHARE, MAX_EXCESS * fair)


def ringed(places: np.ndarray, camera: Camera, ink: Ink, scale: float = 1.0) -> float:
    return with_rings(ink, places, camera, scale).ring_share


def test_rings_shrink_with_the_number_of_points_that_have_them_alone():
    many = mixture(600).data.points
    camera = fitted(mixture(600))
    crowd, free = Ink(0.5), Ink()
    sizes = [ringed(many[:n], camera, crowd) for n in (0, 10, 200, 600)]
    assert sizes[0] == sizes[1] == 1.0 > sizes[2] > sizes[3] > MIN_SHARE
    assert [ringed(many[:n], camera, free) for n in (0, 10, 200, 600)] == sizes
    assert ringed(many[:200], camera, crowd, 2.0) < sizes[2]


def test_without_rings_in_the_picture_they_need_no_room():
    document = mixture(400)
    camera = fitted(document, *WINDOW)
    frame = solved(document, camera)
    full, canvas = ink_of(document.data, camera, 1.0), Canvas(frame, camera, Style())
    assert canvas.with_ink().style.ink.ring_share < 1.0
    hidden = Style(options=ViewOptions(rings=False))
    assert replace(canvas, style=hidden).with_ink().style.ink == full
    assert replace(canvas, newest=document.data).with_ink().style.ink == full
    assert replace(canvas, frame=Frame(document)).with_ink().style.ink == full
    assert canvas.with_ink().style.ink.with_full_rings == full


def share(document: Document, *size) -> float:
    scale = size[2] if len(size) == 3 else 1.0
    return ink_of(document.data, fitted(document, *size), scale).share


def test_few_points_have_full_size():
    assert share(mixture(20), 800, 600) == 1.0
    assert share(Document(DATASETS["eight"].generate(8, 0.0, 0)), 320, 240) == 1.0


def test_marks_shrink_as_points_become_many_or_the_plane_small_or_the_marks_large():
    assert share(mixture(200), 900, 600) > share(mixture(800), 900, 600) > MIN_SHARE
    assert share(mixture(200), 900, 600) > share(mixture(200), 300, 200) > MIN_SHARE
    assert share(mixture(200), 900, 600) > share(mixture(200), 900, 600, 2.0) > MIN_SHARE
    assert share(mixture(20_000), 300, 200) == pytest.approx(MIN_SHARE, rel=0.05)


def test_only_points_on_screen_count():
    document = mixture(2000)
    camera = fitted(document)
    near = camera.zoomed(0.1, 400.0, 300.0)
    assert ink_of(document.data, near, 1.0).share > 2 * ink_of(document.data, camera, 1.0).share
    away = camera.panned(1e4, 0.0)
    assert ink_of(document.data, away, 1.0) == Ink()


def test_panning_changes_nothing_while_all_points_stay_on_screen():
    document = mixture(300)
    camera = fitted(document).zoomed(2.0, 400.0, 300.0)
    shares = {ink_of(document.data, camera.panned(k, 0.7 * k), 1.0) for k in range(0, 60, 7)}
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


@pytest.mark.parametrize("ringed", np.linspace(MIN_SHARE, 1.0, 5))
@pytest.mark.parametrize("share", np.linspace(MIN_SHARE, 1.0, 12))
def test_rings_surround_the_mark_and_the_mark_of_the_step_surrounds_them(share, ringed):
    ink = Ink(float(share), ring_share=float(ringed))
    first, second = ink.rings(BOUND)
    assert ink.rings(FREE) == (first,)
    assert ink.rings(ZERO) == ()
    assert ink.radius < first < second == ink.reach(BOUND) < ink.highlight_radius
    assert ink.reach(ZERO) == ink.radius
    # No gap but one that can be seen, and no ring under another.
    assert second - first >= 0.75 * ink.ring_width


def test_halos_fade_before_they_cover_a_crowd():
    opacities = [Ink(share).halo_opacity for share in (1.0, 0.9, 0.7, 0.3)]
    assert opacities == sorted(opacities, reverse=True)
    assert opacities[0] > opacities[1] > 0.0 == opacities[2]

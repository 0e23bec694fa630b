"""What a point is can be read from its mark alone, at every size, in every theme."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from solvers import SMO, Linear
from solvers.data.datasets import DATASETS
from solvers.problem.certificate import BOUND, FREE, ZERO
from svmviz.colours.contrast import contrast, mix
from svmviz.colours.palettes import PALETTES
from svmviz.colours.themes import THEMES, theme_of
from svmviz.document.document import Document, Penalty
from svmviz.document.view_options import ViewOptions
from svmviz.frames.frame import Frame
from svmviz.plane.draw import draw_plane
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.legend import MARK, lay_out
from svmviz.plane.paint.legend_marks import CLASS, SUPPORT
from svmviz.plane.paint.point_shapes import class_colours, draw_mark
from svmviz.plane.paint.points import COMPARED_FACTOR
from svmviz.plane.paint.roles import CROSS, HALF_SIDE, PLAIN, ROLES, as_json
from svmviz.plane.paint.style import Style
from svmviz.theme import LIGHT, MARKS
from tests.colour_vision import distance
from tests.ink import mixture
from tests.plane.frames import fitted, lane_of, points, solved

ALL = [theme_of(theme, palette) for theme in THEMES for palette in PALETTES]
each_theme = pytest.mark.parametrize("theme", ALL, ids=lambda of: f"{of.name}-{of.palette}")
SIDE = 81


def picture(draw) -> np.ndarray:
    """Paint on an empty ground; (height, width, 3) of 0 to 255."""
    image = QImage(SIDE, SIDE, QImage.Format.Format_RGB32)
    image.fill(QColor("#808080"))
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw(painter)
    return array_of(image)[:, :, ::-1]


def array_of(image: QImage) -> np.ndarray:
    flat = np.frombuffer(image.constBits(), dtype=np.uint8)
    return flat.reshape(image.height(), -1, 4)[:, : image.width(), :3].astype(int)


def mark_of(role: int, label: int, style: Style) -> np.ndarray:
    return picture(lambda painter: draw_mark(painter, 40.5, 40.5, label, style, role))


def colour_at(pixels: np.ndarray, away: float) -> str:
    return "#{:02x}{:02x}{:02x}".format(*pixels[40, 40 + round(away)].tolist())


@each_theme
@pytest.mark.parametrize("size", [1.0, 0.5, 0.2])
@pytest.mark.parametrize("label", [-1, 1])
def test_each_role_has_a_mark_of_its_own(qapp, theme, size, label):
    # Enlarged four times, so that lines have pixels without antialiasing.
    style = Style(theme, 4.0, size=size)
    fill, _ = class_colours(theme, label)
    side = 1.0 if label > 0 else HALF_SIDE
    edges, middles, cores = {}, {}, {}
    for role in ROLES:
        pixels, radius = mark_of(role, label, style), 4.0 * ROLES[role].radius(size)
        edges[role] = colour_at(pixels, side * radius)
        middles[role] = colour_at(pixels, side * 0.62 * radius)
        cores[role] = colour_at(pixels, 0.0)
    # A support vector has a strong outline, the others none that is as strong.
    assert edges[FREE] == edges[BOUND] == theme.ring
    # One at its bound has a core, which is seen; all others have one colour inside.
    assert cores[BOUND] == theme.plane
    assert contrast(cores[BOUND], middles[BOUND]) >= 2.9
    assert middles[FREE] == cores[FREE] == middles[BOUND] == cores[PLAIN] == fill
    # A point that is none is pale.
    assert middles[ZERO] == cores[ZERO] == mix(theme.plane, fill, ROLES[ZERO].filling(size))
    assert distance(middles[ZERO], fill, "normal") > 6.0


@pytest.mark.parametrize("factor", [1.0, COMPARED_FACTOR])
@pytest.mark.parametrize("role", ROLES)
def test_discs_and_squares_have_the_same_area(qapp, role, factor):
    radius, line = factor * ROLES[role].radius(1.0), ROLES[role].line(1.0)
    square, disc = (2.0 * HALF_SIDE * radius + line) ** 2, np.pi * (radius + 0.5 * line) ** 2
    assert square == pytest.approx(disc, rel=0.03)
    rows = [mark_of(role, label, Style()) for label in (1, -1)]
    # So the square that is drawn is a little less wide than the disc.
    widths = [np.count_nonzero((shown[40] != 128).any(axis=1)) for shown in rows]
    assert HALF_SIDE * widths[0] - 1.0 <= widths[1] <= widths[0]


@each_theme
def test_a_pale_mark_still_shows_its_class(theme):
    for size in (1.0, 0.2):
        pale = ROLES[ZERO].filling(size)
        pair = [mix(theme.plane, class_colours(theme, label)[0], pale) for label in (1, -1)]
        assert distance(*pair, "normal") >= (6.0 if theme.palette == "grey" else 18.0)


@each_theme
def test_the_outline_of_a_lane_is_seen_on_every_field(theme):
    for colour in theme.series:
        for part in ("plane", "positive_field", "positive_band", "negative_field", "negative_band"):
            assert contrast(colour, getattr(theme, part)) >= 3.0, (colour, part)


@pytest.mark.parametrize("n", [12, 200, 2000])
@pytest.mark.parametrize("vector", [False, True])
def test_the_legend_shows_the_very_marks_of_the_plane(qapp, n, vector):
    document = replace(mixture(n), penalty=Penalty("C", 0.05))
    camera = fitted(document, 900, 640)
    options = ViewOptions(field=False, band=False, contours=False, sticks=False, grid=False)
    style = Style(options=options, marks_step=False, vector=vector)
    canvas = Canvas(solved(document, camera), camera, style).with_sizes()
    image = QImage(900, 640, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        draw_plane(painter, canvas)
    found = set()
    for placed in lay_out(canvas):
        entry, box = placed.entry, 6
        if entry.mark not in (CLASS, SUPPORT):
            continue
        x, y = round(placed.left + 0.5 * MARK), round(placed.middle)
        shown = image.copy(x - box, y - box, 2 * box, 2 * box)
        wanted = QImage(2 * box, 2 * box, QImage.Format.Format_RGB32)
        wanted.fill(QColor(LIGHT.plane))
        with QPainter(wanted) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            at = placed.left + 0.5 * MARK - (x - box), placed.middle - (y - box)
            draw_mark(painter, *at, entry.label, canvas.style, entry.kind)
        found.add(entry.kind)
        assert np.abs(array_of(shown) - array_of(wanted)).max() <= 12, entry.text
    assert found == {ZERO, FREE, BOUND}


def test_counts_of_the_legend_are_those_of_the_solution(qapp):
    document = replace(mixture(200), penalty=Penalty("C", 0.05))
    camera = fitted(document, 1200, 640)
    frame = solved(document, camera)
    kinds = lane_of(frame).certificate.kinds
    counts = {
        placed.entry.kind: placed.entry.count
        for placed in lay_out(Canvas(frame, camera, Style()).with_sizes())
        if placed.entry.mark == SUPPORT
    }
    # A point at its bound is a support vector.
    assert counts == {FREE: int((kinds != ZERO).sum()), BOUND: int((kinds == BOUND).sum())}


def test_a_misclassified_point_has_a_cross_that_its_mark_leaves_in_sight(qapp):
    places = [[-1.0, 0.0], [1.0, 0.0], [0.9, 1.0], [1.1, -1.0]]
    document = Document(points(places, [-1, 1, 1, -1]), Linear(), Penalty("C", 1.0))
    camera = fitted(document)
    style = Style(options=ViewOptions(sticks=False), marks_step=False)
    frame = solved(document, camera)
    wrong = lane_of(frame).certificate.slack > 1.0
    assert wrong.sum() == 1
    image = QImage(800, 600, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        draw_plane(painter, Canvas(frame, camera, style))
    away = 0.9 * CROSS.reach * MARKS.point_radius * 0.7071
    for (x, y), is_wrong in zip(
        camera.to_pixels(document.data.points).tolist(), wrong, strict=True
    ):
        ends = [
            image.pixelColor(int(x + across * away), int(y + down * away)).name()
            for across in (-1, 1)
            for down in (-1, 1)
        ]
        near = [distance(end, LIGHT.bad, "normal") < 12.0 for end in ends]
        assert all(near) if is_wrong else not any(near)
        assert image.pixelColor(int(x), int(y)).name() != LIGHT.bad


def test_a_hidden_boundary_hides_who_is_misclassified(qapp):
    document = mixture(60)
    frame = solved(document, fitted(document))
    shown = Canvas(frame, fitted(document), Style())
    assert shown.wrong.any()
    hidden = Style(options=ViewOptions(contours=False))
    assert not replace(shown, style=hidden).wrong.any()
    assert not Canvas(Frame(document), fitted(document), Style()).wrong.any()


def test_lanes_of_a_race_have_outlines_of_their_own_colours(qapp):
    document = replace(mixture(40), methods=(SMO(),) * 4)
    frame = Frame(document)
    outlines = [
        Canvas(frame.focused_on(lane), fitted(document), Style()).with_sizes().style.outline
        for lane in range(4)
    ]
    assert outlines == list(LIGHT.series)
    alone = Canvas(Frame(mixture(40)), fitted(document), Style()).with_sizes()
    assert alone.style.outline == ""


def test_roles_are_plain_where_nothing_is_known_or_shown(qapp):
    document = Document(DATASETS["eight"].generate(8, 0.0, 0), Linear())
    camera = fitted(document)
    frame = solved(document, camera)
    canvas = Canvas(frame, camera, Style())
    assert set(canvas.roles.tolist()) == {ZERO, FREE}
    hidden = replace(canvas, style=Style(options=ViewOptions(rings=False)))
    late = replace(canvas, newest=document)
    for plain in (hidden, late, replace(canvas, frame=Frame(document))):
        assert set(plain.roles.tolist()) == {PLAIN}


def test_pages_get_the_table():
    table = as_json()
    assert set(table["roles"]) == {str(role) for role in ROLES}
    assert table["roles"][str(BOUND)]["core"] == ROLES[BOUND].core > 0.0
    assert table["cross"]["reach"] == CROSS.reach

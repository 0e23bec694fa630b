"""Colours at known pixels: what is drawn where, not how it looks."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from solvers import RBF, Linear, solve
from solvers.data.datasets import DATASETS
from solvers.problem.certificate import BOUND, FREE
from svmviz.colours.contrast import channels
from svmviz.document.document import Document, Penalty
from svmviz.document.view_options import ViewOptions
from svmviz.frames.frame import ShownBeat
from svmviz.plane.draw import draw_plane, layers
from svmviz.plane.paint import field as paint_field
from svmviz.plane.paint import points as paint_points
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.field import image_rectangle
from svmviz.plane.paint.point_shapes import SELECTED
from svmviz.plane.paint.points import COMPARED_FACTOR, HOVERED_FACTOR, OUTLINE_GAP
from svmviz.plane.paint.roles import ROLES
from svmviz.plane.paint.style import Style
from svmviz.theme import DARK, LIGHT, MARKS
from tests.plane.frames import fitted, lane_of, points, solved
from tests.stages import eight, moons

NOTHING = ViewOptions(
    field=False, band=False, contours=False, rings=False, alpha_area=False, sticks=False,
    touched=False, grid=False, legend=False,
)  # fmt: skip
# Two points on a line: the boundary is x = 0, the margins x = -1 and x = +1.
PAIR = Document(
    data=points(np.array([[-1.0, 0.0], [1.0, 0.0]]), [-1, 1]),
    kernel=Linear(),
    penalty=Penalty("C", 10.0),
)


@pytest.fixture
def paint(qapp):
    def paint(document, style, step=None, newest=None, camera=None):
        camera = camera or fitted(document)
        image = QImage(800, 600, QImage.Format.Format_RGB32)
        painter = QPainter(image)
        frame = solved(document, camera, step)
        draw_plane(painter, Canvas(frame, camera, style, newest))
        painter.end()

        def at(x, y):
            px, py = camera.to_pixels(np.array([[x, y]]))[0]
            return image.pixelColor(round(px), round(py)).name()

        return at

    return paint


def near(colour, other, most=12):
    pairs = zip(channels(colour), channels(other), strict=True)
    return max(abs(a - b) for a, b in pairs) <= most


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_points_have_the_colours_of_their_classes(paint, theme):
    at = paint(PAIR, Style(theme=theme, options=NOTHING))
    assert at(1, 0) == theme.positive
    assert at(-1, 0) == theme.negative
    assert at(0, 0.3) == theme.plane


def test_negative_points_are_squares(paint):
    at = paint(PAIR, Style(options=NOTHING))
    camera = fitted(PAIR)
    corner = 0.8 * MARKS.point_radius * camera.units[0]
    assert at(-1 + corner, corner) != LIGHT.plane
    assert at(1 + 1.1 * corner, 1.1 * corner) == LIGHT.plane


def test_boundary_and_margins_lie_where_f_says(paint):
    at = paint(PAIR, Style(options=replace(NOTHING, contours=True)))
    assert near(at(0, 0.5), LIGHT.boundary)
    assert near(at(1, 0.5), LIGHT.margin, 120)
    assert near(at(-1, 0.5), LIGHT.margin, 120)
    assert at(0.5, 0.5) == LIGHT.plane


def test_the_boundary_lies_over_the_points_and_the_margins_under_them(paint):
    # A second point of class -1 on the boundary, with too small a C to move it.
    places = [[-1.0, 0.0], [1.0, 0.0], [0.0, 0.0], [0.0, 0.0]]
    document = replace(PAIR, data=points(places, [-1, 1, 1, -1]), penalty=Penalty("C", 1.0))
    at = paint(document, Style(options=replace(NOTHING, contours=True)))
    assert near(at(0.0, 0.0), LIGHT.boundary)
    assert at(1.0, 0.0) == LIGHT.positive
    assert at(-1.0, 0.0) == LIGHT.negative
    assert near(at(1.0, 0.5), LIGHT.margin, 120)


@pytest.mark.parametrize(
    ("shading", "above", "below"),
    [
        ("sure", LIGHT.positive_field, LIGHT.negative_field),
        ("band", LIGHT.positive_band, LIGHT.negative_band),
    ],
)
def test_band_has_two_tints_and_ends_at_the_margins(paint, shading, above, below):
    at = paint(PAIR, Style(options=replace(NOTHING, band=True, shading=shading)))
    assert near(at(0.5, 0.5), above, 30)
    assert near(at(-0.5, 0.5), below, 30)
    assert at(0.5, 0.5) != at(-0.5, 0.5) != at(1.1, 0.5) == LIGHT.plane


@pytest.mark.parametrize(
    ("shading", "above", "below"),
    [
        ("sure", LIGHT.positive_band, LIGHT.negative_band),
        ("band", LIGHT.positive_field, LIGHT.negative_field),
    ],
)
def test_field_is_pale_at_the_boundary_and_tinted_beyond(paint, shading, above, below):
    at = paint(PAIR, Style(options=replace(NOTHING, field=True, shading=shading)))
    assert near(at(1.15, 0.5), above, 20)
    assert near(at(-1.15, 0.5), below, 20)
    assert near(at(0.0, 0.5), LIGHT.plane, 12)


def test_nothing_is_banded_before_the_first_step(paint):
    at = paint(PAIR, Style(options=replace(NOTHING, band=True, field=True)), step=0)
    assert near(at(0.5, 0.5), LIGHT.plane, 4)


def test_points_of_the_step_are_marked_unless_the_run_has_ended(paint):
    document = replace(PAIR, data=points(np.array([[-1.0, 0], [1, 0], [2, 0.5]]), [-1, 1, 1]))
    camera = fitted(document)
    away = MARKS.highlight_radius * camera.units[1]
    event = lane_of(solved(document, camera, 1)).event
    assert event is not None
    shown = Style(options=replace(NOTHING, touched=True))
    resting = replace(shown, marks_step=False)
    for index, (x, y) in enumerate(document.data.points.tolist()):
        marked = near(paint(document, shown, step=1)(x, y + away), LIGHT.highlight, 40)
        assert marked == (index in event.touched)
        assert paint(document, resting, step=1)(x, y + away) == LIGHT.plane


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("penalty", [10.0, 0.1], ids=["free", "bound"])
@pytest.mark.parametrize("lit", ["hovered", "selected", "in play", "all"])
def test_the_role_of_a_highlighted_point_stays_visible(paint, theme, penalty, lit):
    document = replace(PAIR, penalty=Penalty("C", penalty))
    camera = fitted(document)
    lane = lane_of(solved(document, camera, 1))
    kind = int(lane.certificate.kinds[1])
    assert kind == (BOUND if penalty < 0.5 else FREE)
    assert lane.event is not None
    assert 1 in lane.event.touched
    whole = lit == "all"
    at = paint(
        document,
        Style(
            theme=theme,
            options=replace(NOTHING, rings=True, touched=whole or lit == "in play"),
            hovered=1 if whole or lit == "hovered" else None,
            selected=frozenset({1} if whole or lit == "selected" else ()),
        ),
        step=1,
    )
    assert at(1, 0) == (theme.plane if kind == BOUND else theme.positive)
    radius = MARKS.point_radius * (HOVERED_FACTOR if lit in ("hovered", "all") else 1.0)
    assert near(at(1, 1.04 * radius * camera.units[1]), theme.ring, 90)
    outline = (ROLES[FREE].reach(1.0) + OUTLINE_GAP) * camera.units[1]
    if lit == "hovered":
        assert near(at(1, outline), theme.text, 60)
    frame = (MARKS.point_radius + SELECTED) * camera.units[1]
    if lit in ("selected", "in play"):
        assert near(at(1, frame), theme.focus, 60) == (lit == "selected")


def test_points_that_a_beat_compares_are_larger_and_have_no_ring(paint, monkeypatch):
    monkeypatch.setattr(paint_points, "others_of_beat", lambda _: (1,))
    document = replace(PAIR, penalty=Penalty("C", 10.0))
    style = Style(options=replace(NOTHING, rings=True, touched=True))
    at, camera = paint(document, style), fitted(document)
    radius = COMPARED_FACTOR * MARKS.point_radius * camera.units[1]
    assert near(at(1, radius), style.theme.ring, 60)
    assert at(1, 0.7 * radius) == style.theme.positive
    assert at(1, 1.5 * radius) == style.theme.plane


def test_newest_points_replace_those_of_a_late_frame(paint):
    newest = points(np.array([[0.0, 0.2], [1.0, 0.0]]), [-1, 1])
    style = Style(options=replace(NOTHING, rings=True))
    at = paint(PAIR, style, newest=Document(newest))
    assert at(0, 0.2) == LIGHT.negative
    assert at(-1, 0) == LIGHT.plane
    edge = MARKS.point_radius * fitted(PAIR).units[0]
    assert not near(at(1, edge), LIGHT.ring, 30), "roles of one step on the points of another"


def test_stored_pictures_and_shapes_agree(qapp):
    document = Document(data=DATASETS["moons"].generate(200, 0.25, 3), kernel=RBF(1.0))
    camera = fitted(document)
    frame = solved(document, camera)
    images = []
    for vector in (False, True):
        image = QImage(800, 600, QImage.Format.Format_RGB32)
        painter = QPainter(image)
        draw_plane(painter, Canvas(frame, camera, Style(vector=vector)))
        painter.end()
        images.append(to_array(image))
    apart = np.abs(images[0] - images[1]).max(axis=2)
    assert (apart > 60).mean() < 0.02


def test_pixel_centres_sit_on_nodes():
    camera = fitted(PAIR)
    field = lane_of(solved(PAIR, camera, nodes=41)).field
    box = image_rectangle(field.grid, field.shades.shape, camera)
    cell = camera.plot_width / 40
    assert box.left() == pytest.approx(camera.left - 0.5 * cell)
    assert box.width() == pytest.approx(camera.plot_width + cell)
    assert box.height() == pytest.approx(camera.plot_height * 41 / 40)
    assert isinstance(box, QRectF)


def test_a_field_of_another_view_is_drawn_at_its_own_place(qapp):
    camera = fitted(PAIR)
    field = lane_of(solved(PAIR, camera)).field
    moved = image_rectangle(field.grid, field.shades.shape, camera.panned(30, -20))
    still = image_rectangle(field.grid, field.shades.shape, camera)
    assert (moved.left() - still.left(), moved.top() - still.top()) == pytest.approx((30, -20))


def test_painting_leaves_the_painter_as_it_was(qapp):
    image = QImage(800, 600, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    painter.setPen(QColor("#123456"))
    draw_plane(painter, Canvas(solved(PAIR, fitted(PAIR)), fitted(PAIR), Style()))
    assert painter.pen().color().name() == "#123456"
    assert not painter.hasClipping()
    painter.end()


def to_array(image: QImage) -> np.ndarray:
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    flat = np.frombuffer(image.constBits(), dtype=np.uint8)
    return flat.reshape(image.height(), -1, 4)[:, : image.width(), :3].astype(int)


def test_constant_fields_have_no_band(qapp):
    frame = solved(PAIR, fitted(PAIR), step=0)
    field = lane_of(frame).field
    assert field.values.min() == field.values.max()
    image = QImage(20, 20, QImage.Format.Format_RGB32)
    image.fill(QColor("#abcdef"))
    painter = QPainter(image)
    paint_field.draw_band(painter, Canvas(frame, fitted(PAIR), Style()), field)
    painter.end()
    assert image.pixelColor(10, 10).name() == "#abcdef"


@pytest.mark.parametrize(("n", "is_crowd"), [(8, False), (60, True)])
def test_a_step_of_many_points_is_explained_by_few_marks_and_without_slack(qapp, n, is_crowd):
    document = moons(n) if n > 8 else eight()
    camera = fitted(document)
    event = solve(document.problem(), document.method).at(2).event
    frame = solved(document, camera, 1)
    # The third part of the step compares the partners.
    lane = replace(lane_of(frame), shown_beat=ShownBeat(2, event, 3))
    frame = replace(frame, lanes=(lane,))
    beat = lane.shown_beat.beat
    canvas = Canvas(frame, camera, Style(marks_step=True, options=ViewOptions(touched=True)))
    notes = paint_points.notes_of_beat(canvas)
    others = [point for point, _ in beat.notes if point not in lane.marked]
    assert len(beat.notes) > 3
    assert set(notes) - set(lane.marked) == set(others[:2] if is_crowd else others)
    assert set(paint_points.others_of_beat(canvas)) == set(notes if is_crowd else beat.others)
    assert ("slack" in [layer.name for layer in layers(canvas)]) == (not is_crowd)

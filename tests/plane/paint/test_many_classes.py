"""Points of more than two classes: colours by the machine's sides, shapes by classes."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter

from solvers import Linear
from solvers.data.datasets import PointSet
from solvers.problem.machines import ONE_AGAINST_REST, machines_of
from svmviz.colours.contrast import mix
from svmviz.colours.themes import with_sides
from svmviz.document.document import Document
from svmviz.document.held_out import TEST, TRAINING, VALIDATION
from svmviz.document.many_classes import ManyClasses
from svmviz.document.view_options import ViewOptions
from svmviz.frames.frame import Frame
from svmviz.plane.draw import draw_plane
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.legend_marks import CLASS, LEFT_OUT, entries
from svmviz.plane.paint.point_shapes import CORNERS, PALE_SHARE, class_of_mark
from svmviz.plane.paint.style import Style
from svmviz.theme import LIGHT
from svmviz.theme.look import active, show_sides
from tests.plane.frames import fitted, solved

PLACES = np.array([[k % 3 + 0.1 * j, k // 3] for j in range(4) for k in range(6)], dtype=float)
SIX = PointSet(PLACES, np.tile(np.arange(6), 4), tuple("abcdef"))
NOTHING = ViewOptions(
    grid=False, field=False, band=False, contours=False, rings=False, sticks=False
)


def document_of(data: PointSet = SIX, machine: int = 0, against_rest: bool = False) -> Document:
    document = Document(data, Linear())
    if against_rest:
        many = document.many.with_machines(machines_of(ONE_AGAINST_REST, len(data.class_names)))
        document = document.with_many(many)
    return document.looking_at(machine)


def painted(document: Document, style: Style, frame: Frame | None = None) -> np.ndarray:
    image = QImage(800, 600, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        draw_plane(painter, Canvas(frame or Frame(document), fitted(document), style))
    flat = np.frombuffer(image.constBits(), np.uint8)
    return flat.reshape(600, 800, 4)[..., :3].astype(int)


def colour_at(picture: np.ndarray, document: Document, place: np.ndarray, up: float = 0.0) -> str:
    x, y = fitted(document).to_pixels(place[None])[0]
    blue, green, red = picture[round(y - up), round(x)].tolist()
    return f"#{red:02x}{green:02x}{blue:02x}"


def test_a_pair_has_the_colours_of_its_classes_and_the_others_are_hollow(qapp):
    # Class c against class e; see `machines_of` for the order of pairs.
    document = document_of(machine=10)
    assert document.many.machine.code == (0, 0, 1, 0, -1, 0)
    for vector in (False, True):
        picture = painted(document, Style(options=NOTHING, vector=vector))
        assert colour_at(picture, document, PLACES[2]) == LIGHT.classes[2]
        assert colour_at(picture, document, PLACES[4]) == LIGHT.classes[4]
        assert colour_at(picture, document, PLACES[1]) == LIGHT.plane
        pale = mix(LIGHT.plane, LIGHT.classes[1], PALE_SHARE)
        x, y = fitted(document).to_pixels(PLACES[1:2])[0]
        around = picture[round(y) - 9 : round(y) + 9, round(x) - 9 : round(x) + 9]
        apart = np.abs(around[..., ::-1] - list(bytes.fromhex(pale[1:]))).max(axis=2)
        assert (apart < 25).sum() > 10


def test_the_rest_is_grey_and_keeps_its_shapes(qapp):
    document = document_of(machine=1, against_rest=True)
    picture = painted(document, Style(options=NOTHING))
    assert colour_at(picture, document, PLACES[1]) == LIGHT.classes[1]
    for k in (0, 2, 3, 4, 5):
        assert colour_at(picture, document, PLACES[k]) == LIGHT.rest
    assert [class_of_mark(mark) for mark in document.marks[:6]] == list(range(6))
    assert len(document.left_out) == 0


def test_stored_pictures_and_shapes_agree(qapp):
    for document in (document_of(machine=4), document_of(machine=2, against_rest=True)):
        frame = solved(document, fitted(document))
        stored, drawn = (
            painted(document, Style(vector=v, options=replace(NOTHING, rings=True)), frame)
            for v in (False, True)
        )
        # The stored ones are at whole pixels.
        for x, y in fitted(document).to_pixels(PLACES).round().astype(int).tolist():
            boxes = (picture[y - 9 : y + 10, x - 9 : x + 10] for picture in (stored, drawn))
            first, second = (box.reshape(-1, 3).mean(axis=0) for box in boxes)
            assert np.abs(first - second).max() < 3.0


def test_shapes_have_the_area_of_a_disc():
    for corners in CORNERS:
        x, y = np.array(corners).T
        area = 0.5 * abs(x @ np.roll(y, 1) - y @ np.roll(x, 1))
        assert area == pytest.approx(np.pi)
        # Their middle is that of the point.
        assert np.allclose([x.mean(), y.mean()], 0.0, atol=1e-12)


def test_the_legend_names_sides_and_what_is_left_out(qapp):
    document = document_of(machine=10)
    found = entries(Canvas(Frame(document), fitted(document), Style()))
    assert [(e.mark, e.text, e.count) for e in found] == [
        (CLASS, "e", 4), (CLASS, "c", 4), (LEFT_OUT, "4 classes left out", 16),
    ]  # fmt: skip
    document = document_of(PointSet(PLACES, np.tile(np.arange(3), 8), ("a", "b", "c")))
    found = entries(Canvas(Frame(document), fitted(document), Style()))
    assert found[-1].text == "c left out"
    document = document_of(machine=1, against_rest=True)
    found = entries(Canvas(Frame(document), fitted(document), Style()))
    assert [entry.text for entry in found] == ["a", "c", "d", "e", "f", "b"]


def test_beside_the_decision_the_legend_names_each_class(qapp):
    document = document_of(machine=10)
    style = Style(options=ViewOptions(decision=True))
    found = entries(Canvas(Frame(document), fitted(document), style))
    assert sorted((entry.text, entry.count) for entry in found) == [(c, 4) for c in "abcdef"]


def test_held_out_points_have_the_marks_of_their_classes():
    parts = np.repeat([TRAINING, VALIDATION, TEST, TRAINING], 6)
    document = Document().with_many(ManyClasses(SIX, parts))
    for part in (VALIDATION, TEST):
        marks = document.held_out_marks(part).tolist()
        assert [class_of_mark(mark) for mark in marks] == [0, 1]
        data = document.held_out.validation if part == VALIDATION else document.held_out.test
        assert np.sign(marks).tolist() == data.labels.tolist()


def test_panels_follow_the_sides(qapp):
    before = active().theme
    try:
        assert show_sides((2,), (4,))
        assert active().theme == with_sides(before, (2,), (4,))
        assert not show_sides((2,), (4,))
    finally:
        show_sides((0,), (1,))
    assert active().theme == before


def test_two_classes_have_their_labels_as_marks():
    data = PointSet(PLACES, np.tile([-1, 1], 12))
    document = Document(data)
    assert document.marks is data.labels
    canvas = Canvas(Frame(document), fitted(document), Style())
    assert canvas.mark_kinds == (-1, 1)
    assert canvas.with_sizes().style.theme is LIGHT
    assert replace(canvas, newest=document_of()).with_sizes().style.theme is LIGHT


def test_beside_the_decision_points_have_the_colours_of_their_classes(qapp):
    options = replace(NOTHING, decision=True)
    for document in (document_of(machine=10), document_of(machine=1, against_rest=True)):
        picture = painted(document, Style(options=options))
        for k in (2, 4):
            assert colour_at(picture, document, PLACES[k]) == LIGHT.classes[k]
        canvas = Canvas(Frame(document), fitted(document), Style(options=options))
        assert [class_of_mark(e.label) for e in entries(canvas) if e.mark == CLASS] == sorted(
            k for side in document.sides for k in side
        )
    pair = Document(PointSet(PLACES, np.tile([-1, 1], 12)))
    canvas = Canvas(Frame(pair), fitted(pair), Style(options=options))
    assert canvas.marks is pair.marks

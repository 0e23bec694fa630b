"""Long lines in pieces look like lines in one piece."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from svmviz.base.strokes import MAX_DEVIATION, draw_polyline, polygon, without_straight

SHARE = np.linspace(0.0, 1.0, 500)
LINES = {
    "straight": np.column_stack([20 + 360 * SHARE, 30 + 170 * SHARE]),
    "gentle": np.column_stack([20 + 360 * SHARE, 120 + 3 * np.sin(3 * SHARE)]),
    "circle": np.column_stack([200 + 90 * np.cos(6.2 * SHARE), 120 + 90 * np.sin(6.2 * SHARE)]),
}
NOISE = np.column_stack([20 + 360 * SHARE, 120 + 40 * np.random.default_rng(0).normal(size=500)])


def picture(draw, points, width):
    image = QImage(400, 240, QImage.Format.Format_RGB32)
    image.fill(0xFFFFFF)
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        caps, joins = Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
        painter.setPen(QPen(QColor("#204080"), width, Qt.PenStyle.SolidLine, caps, joins))
        draw(painter, points)
    return np.frombuffer(image.constBits(), np.uint8).reshape(240, 400, 4).astype(int)


def in_one_piece(painter, points):
    painter.drawPolyline(polygon(points))


@pytest.mark.parametrize("width", [1.25, 2.5])
@pytest.mark.parametrize("name", LINES)
def test_a_smooth_line_has_no_knots(name, width):
    drawn, whole = (picture(draw, LINES[name], width) for draw in (draw_polyline, in_one_piece))
    # A pixel that is painted twice is darker.
    darker = (whole - drawn).max(axis=2)
    assert (darker > 24).sum() <= 2


@pytest.mark.parametrize("name", LINES)
def test_points_left_out_are_on_the_line(name):
    points = LINES[name]
    kept = without_straight(points)
    assert len(kept) < len(points)
    assert (kept[0] == points[0]).all()
    assert (kept[-1] == points[-1]).all()
    for point in points:
        starts, steps = kept[:-1], np.diff(kept, axis=0)
        shares = ((point - starts) * steps).sum(axis=1) / (steps**2).sum(axis=1)
        feet = starts + np.clip(shares, 0.0, 1.0)[:, None] * steps
        assert np.hypot(*(feet - point).T).min() < 1.1 * MAX_DEVIATION


def test_a_corner_between_a_short_and_a_long_segment_stays():
    """The kink of a curve, beside which there may be a point that hardly differs from it."""
    for gap in (0.5, 0.01, 1e-6, 0.0):
        left = [(x, x) for x in np.linspace(0.0, 90.0, 60)] + [(90.0 + gap, 90.0 + gap)]
        right = [(x, 90.0 + gap) for x in np.linspace(91.0, 300.0, 60)]
        kept = without_straight(np.array(left + right))
        corner = np.array([90.0 + gap, 90.0 + gap])
        assert np.hypot(*(kept - corner).T).min() < 0.01, gap


def test_corners_and_turns_stay():
    there_and_back = np.array([[0.0, 0.0], [50.0, 0.0], [20.0, 0.0], [20.0, 30.0], [20.0, 60.0]])
    assert without_straight(there_and_back).tolist() == there_and_back[[0, 1, 2, 4]].tolist()
    drawn, whole = (picture(draw, NOISE, 2.5) for draw in (draw_polyline, in_one_piece))
    assert np.abs(drawn - whole).max() < 80
    assert (np.abs(drawn - whole).max(axis=2) > 60).sum() < 20


@pytest.mark.parametrize("count", [0, 1, 2, 25, 26])
def test_lines_of_few_points(count):
    points = np.column_stack([np.arange(count) * 5.0, np.arange(count) % 2 * 9.0])
    drawn, whole = (picture(draw, points, 2.0) for draw in (draw_polyline, in_one_piece))
    assert ((drawn < 200).any()) == ((whole < 200).any())

"""The card of a point: all of it fits, and before an audience it leaves the middle free."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtGui import QFontMetricsF

from svmviz.camera.camera import Camera
from svmviz.plane.paint.hover_card import PADDING, place_at_edge, size_of
from svmviz.plane.paint.style import Style
from svmviz.plane.point_card import PointCard

NOTE = "outside the margin band: y f > 1, so no α"


@pytest.mark.parametrize("scale", [1.0, 1.8])
def test_a_note_with_letters_of_formulas_fits(qapp, scale):
    style = replace(Style(scale=scale), on_screen=True)
    width, _height = size_of(PointCard("Point 1", 1, (), (NOTE,)), style)
    needed = QFontMetricsF(style.font(style.label)).horizontalAdvance(style.letters(NOTE))
    assert width - 2.0 * PADDING * scale >= needed


@pytest.mark.parametrize("x", [40.0, 200.0, 390.0, 410.0, 700.0])
@pytest.mark.parametrize("y", [30.0, 300.0, 560.0])
def test_before_an_audience_it_is_at_the_edge_and_not_on_its_point(x, y):
    camera = Camera(width=800, height=600)
    box = place_at_edge((280.0, 240.0), x, y, camera, 1.0)
    assert not box.contains(x, y)
    assert not box.contains(0.5 * camera.width, 0.5 * camera.height)
    assert box.left() >= 0.0
    assert box.right() <= camera.width

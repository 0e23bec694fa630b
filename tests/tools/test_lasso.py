"""The lasso: the points inside a free outline, of every shape."""

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPolygonF
from PySide6.QtTest import QTest

from svmviz.document.splitting import moved_to
from svmviz.tools.lasso import crossings
from tests.plane_fixtures import SHIFT

# Around the two points at the left, and around those above, as a mouse draws them.
LEFT = (-1.5, -1.4), (-1.5, 1.4), (-0.5, 1.4), (-0.5, -1.4)
ABOVE = (-1.4, 0.5), (-1.4, 1.5), (1.4, 1.5), (1.4, 0.5)


def test_winding_numbers_are_those_of_qt():
    random = np.random.default_rng(0)
    corners, points = random.normal(size=(40, 2)), random.normal(size=(300, 2))
    sides = zip(corners, np.roll(corners, -1, axis=0), strict=True)
    inside = sum(crossings(points, *side) for side in sides) != 0
    polygon = QPolygonF([QPointF(x, y) for x, y in corners])
    expected = [polygon.containsPoint(QPointF(*at), Qt.FillRule.WindingFill) for at in points]
    assert inside.tolist() == expected
    assert 100 < inside.sum() < 290


def test_a_lasso_selects_what_it_encloses(stage, view, mouse, undo):
    session = stage.session
    view.show_tool("lasso")
    mouse.drag(*LEFT)
    assert session.selection == {0, 1}
    mouse.drag(*ABOVE, key=SHIFT)
    assert session.selection == {0, 3}
    # Escape gives the selection back that was there before.
    mouse.press(mouse.at(*LEFT[0]))
    for place in LEFT[1:]:
        mouse.move(mouse.at(*place))
    assert session.selection == {0, 1}
    assert view._mouse.tool.feedback.outline.shape == (4, 2)
    before = view.grab().toImage()
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert session.selection == {0, 3}
    mouse.release(mouse.at(*LEFT[3]))
    assert view.grab().toImage() != before
    assert undo.count() == 0
    # A point is dragged as with the other tools.
    session.select(())
    mouse.drag((1, 1), (0.9, 1), (0.8, 1))
    assert undo.undoText() == "Move point"


def test_a_lasso_selects_validation_points_too(stage, view, mouse):
    session = stage.session
    session.edit(moved_to(session.document, 1, {1}, ()), "Move")
    view.show_tool("lasso")
    mouse.drag(*LEFT)
    assert (session.selection, session.held_selection) == ({0}, {0})

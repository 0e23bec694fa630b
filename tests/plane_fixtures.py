"""A plane with a stage, and a simulated mouse, for tests of the plane and its tools."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from solvers import Linear
from svmviz.document.document import Document
from svmviz.plane.widget import PlaneView
from svmviz.stage.stage import Stage
from tests.plane.frames import points

LEFT, RIGHT, MIDDLE = (
    Qt.MouseButton.LeftButton,
    Qt.MouseButton.RightButton,
    Qt.MouseButton.MiddleButton,
)
NO_KEY, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
SQUARE = points(np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]]), [-1, -1, 1, 1])


class PlaneMouse:
    """Presses, moves and releases at places in data units or pixels."""

    def __init__(self, view, qtbot):
        self.view, self.qtbot = view, qtbot

    def at(self, x, y):
        px, py = self.view.camera.to_pixels(np.array([[x, y]]))[0]
        return QPoint(round(px), round(py))

    def click(self, x, y, button=LEFT, key=NO_KEY):
        QTest.mouseClick(self.view, button, key, self.at(x, y))

    def press(self, place, button=LEFT, key=NO_KEY):
        QTest.mousePress(self.view, button, key, place)

    def move(self, place):
        QTest.mouseMove(self.view, place)
        self.qtbot.wait(5)

    def release(self, place, button=LEFT, key=NO_KEY):
        QTest.mouseRelease(self.view, button, key, place)

    def drag(self, *places, button=LEFT, key=NO_KEY):
        places = [place if isinstance(place, QPoint) else self.at(*place) for place in places]
        self.press(places[0], button, key)
        for place in places[1:]:
            self.move(place)
        self.release(places[-1], button, key)


@pytest.fixture
def document():
    return Document(data=SQUARE, kernel=Linear())


@pytest.fixture
def stage(qapp, document):
    stage = Stage.of(document)
    yield stage
    stage.close()


@pytest.fixture
def view(qtbot, stage):
    view = PlaneView(stage)
    qtbot.addWidget(view)
    view.resize(800, 600)
    with qtbot.waitExposed(view):
        view.show()
    yield view
    view.close()


@pytest.fixture
def mouse(view, qtbot):
    return PlaneMouse(view, qtbot)


@pytest.fixture
def undo(stage):
    return stage.session.undo_stack

"""A change of theme in slices gives the picture that the style sheet gives to new widgets."""

from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QGroupBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSlider,
    QTableWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import delete

from svmviz.theme import DARK, LIGHT, Restyling, activate, active, apply, restyling, stylesheet


class Window(QWidget):
    """Widgets of many kinds, inside others."""

    def __init__(self) -> None:
        super().__init__()
        group, area = QGroupBox("Kernel"), QScrollArea()
        column, inner = QVBoxLayout(self), QVBoxLayout(group)
        title = QLabel("γ = 1")
        title.setProperty("role", "title")
        combo = QComboBox()
        combo.addItems(["RBF", "linear"])
        own = QToolButton(text="More")
        own.setStyleSheet("padding: 0; border: 0;")
        for part in (title, QLineEdit("0.5"), combo, QCheckBox("Shrink"), QPushButton("Solve")):
            inner.addWidget(part)
        area.setWidget(QLabel("Points\n" * 20))
        area.setWidgetResizable(True)
        for part in (group, area, own, QSlider(Qt.Orientation.Horizontal), QTableWidget(2, 2)):
            column.addWidget(part)
        column.addWidget(QPlainTextEdit("x"))
        self.resize(400, 900)

    def picture(self) -> QImage:
        # The cursor of a field may blink.
        self.setFocus()
        QApplication.sendPostedEvents()
        return self.grab().toImage()


@pytest.fixture
def window(qtbot, qapp, monkeypatch):
    """A light window; each slice styles one widget."""
    monkeypatch.setattr(restyling, "SLICE", 0.0)
    apply(qapp, LIGHT)
    made = Window()
    qtbot.addWidget(made)
    made.show()
    return made


def fresh_picture(qtbot, qapp, theme, scale) -> QImage:
    apply(qapp, theme, scale, scale)
    made = Window()
    qtbot.addWidget(made)
    made.show()
    return made.picture()


def test_each_slice_styles_one_widget_and_all_together_the_window(qtbot, qapp, window):
    before = window.picture()
    widgets = [window, *window.findChildren(QWidget)]
    activate(DARK, 1.5, 1.5)
    counts = []
    for _ in Restyling(qapp).slices():
        counts.append(sum(widget.testAttribute(restyling.STYLED) for widget in widgets))
    assert all(widget.testAttribute(restyling.STYLED) for widget in widgets)
    assert not any(widget.testAttribute(restyling.OWN_STYLE) for widget in widgets)
    assert max(abs(after - count) for count, after in pairwise(counts)) == 1
    changed = window.picture()
    assert changed != before
    assert changed == fresh_picture(qtbot, qapp, DARK, 1.5)


@pytest.mark.parametrize("part", [0.2, 0.8])
def test_a_look_that_changes_meanwhile_and_widgets_that_come_and_go(qtbot, qapp, window, part):
    change = Restyling(qapp)
    activate(DARK, 1.5, 1.5)
    count = sum(1 for _ in change.slices())
    before = window.picture()
    activate(LIGHT, 1.0, 1.0)
    slices = change.slices()
    for _ in range(int(part * count)):
        next(slices)
    delete(window.findChild(QPlainTextEdit))
    window.layout().addWidget(QPlainTextEdit("x"))
    QApplication.sendPostedEvents()
    activate(DARK, 2.0, 2.0)
    for _ in change.slices():
        pass
    activate(DARK, 1.5, 1.5)
    for _ in change.slices():
        pass
    assert qapp.styleSheet() == stylesheet(DARK, active().metrics.controls)
    assert window.picture() == before

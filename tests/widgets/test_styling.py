"""Widgets that follow the style."""

from __future__ import annotations

import gc
import weakref

from PySide6.QtWidgets import QApplication, QFrame, QLabel

from svmviz.theme import DARK, LIGHT, active, apply
from svmviz.widgets.styling import StyleFollower, set_style_property


class Upper(StyleFollower, QFrame):
    def __init__(self) -> None:
        super().__init__()
        self.upper = 0.0
        self.follow_style(Upper._apply_style)

    def _apply_style(self) -> None:
        self.upper = active().metrics.scale


class Lower(Upper):
    def __init__(self) -> None:
        super().__init__()
        self.lower = ""
        self.follow_style(Lower._colour)

    def _colour(self) -> None:
        self.lower = active().theme.name


def test_each_class_follows_the_style_from_the_moment_it_asks(qtbot, qapp: QApplication):
    apply(qapp, LIGHT, 1.0)
    widget = Lower()
    qtbot.addWidget(widget)
    assert (widget.upper, widget.lower) == (1.0, "light")
    apply(qapp, DARK, 1.5)
    assert (widget.upper, widget.lower) == (1.5, "dark")
    apply(qapp, LIGHT, 1.0)
    assert (widget.upper, widget.lower) == (1.0, "light")


def test_following_the_style_keeps_no_widget_alive(qapp: QApplication):
    # Collection is switched off by a fixture.
    assert not gc.isenabled()
    widget = weakref.ref(Upper())
    assert widget() is None


def test_a_style_property_is_set_once(qtbot, qapp: QApplication):
    apply(qapp, LIGHT, 1.0)
    label = QLabel("1")
    qtbot.addWidget(label)
    label.ensurePolished()
    plain = label.font().pixelSize()
    assert set_style_property(label, "role", "title")
    assert label.font().pixelSize() > plain
    assert not set_style_property(label, "role", "title")
    assert not set_style_property(QLabel(), "invalid", False)

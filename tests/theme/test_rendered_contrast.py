"""Contrast by WCAG 2.2 (AA), measured on the pixels of widgets and marks: text, focus, marks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QSlider,
    QTabBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from solvers.problem.certificate import BOUND, FREE
from svmviz.colours.palettes import PALETTES
from svmviz.plane.paint.feedback import draw_focus_ring
from svmviz.plane.paint.point_shapes import draw_mark
from svmviz.plane.paint.roles import ROLES
from svmviz.plane.paint.style import Style
from svmviz.theme import LIGHT, MARKS, THEMES, apply, theme_of
from svmviz.widgets.inputs.segmented import Segmented

TEXT, PART = 4.5, 3.0
# Lines of letters are thinner than a pixel at usual sizes, so text is measured at this size.
SIZE = 2.0
TEXTS = ("", "muted", "caption", "section", "error", "warning", "good")
FIELDS = ("plane", "positive_field", "positive_band", "negative_field", "negative_band")


@pytest.fixture(autouse=True)
def _light_again(qapp: QApplication):
    yield
    apply(qapp, LIGHT, 1.0)


def pixels_of(image: QImage) -> np.ndarray:
    """Red, green and blue from 0 to 1, shape (height, width, 3)."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    data = np.array(image.constBits()).reshape(image.height(), image.width(), 4)
    return data[:, :, 2::-1] / 255.0


def luminances(pixels: np.ndarray) -> np.ndarray:
    linear = np.where(pixels <= 0.04045, pixels / 12.92, ((pixels + 0.055) / 1.055) ** 2.4)
    return linear @ (0.2126, 0.7152, 0.0722)


def contrasts(pixels: np.ndarray, ground: np.ndarray) -> np.ndarray:
    """Contrast of each pixel with the ground, a colour or as many pixels."""
    one, other = luminances(pixels) + 0.05, luminances(ground) + 0.05
    return np.maximum(one, other) / np.minimum(one, other)


def ground_of(pixels: np.ndarray) -> np.ndarray:
    """The most frequent colour, shape (3,)."""
    colours, counts = np.unique(pixels.reshape(-1, 3), axis=0, return_counts=True)
    return colours[counts.argmax()]


def text_widgets() -> dict[str, QWidget]:
    """Widgets with text; their outlines are outside the middle of their height."""
    made: dict[str, QWidget] = {}
    for role in TEXTS:
        made[f"label {role}"] = label = QLabel("Support vectors 0123")
        label.setProperty("role", role)
    made["button"], made["default"] = QPushButton("Solve it now"), QPushButton("Solve it now")
    made["default"].setProperty("role", "primary")
    made["field"] = field = QLineEdit("0.123456789")
    made["placeholder"] = empty = QLineEdit()
    empty.setPlaceholderText("none of these")
    field.setMinimumWidth(200)
    made["combo"] = combo = QComboBox()
    combo.addItem("RBF (Gaussian)")
    made["check"] = QCheckBox("Show the margins")
    made["tabs"] = tabs = QTabBar()
    tabs.addTab("Objective")
    tabs.addTab("Model")
    made["segments"] = Segmented([("a", "Light"), ("b", "Dark")])
    made["tool"] = tool = QToolButton()
    tool.setText("Explain")
    return made


def window_with(qtbot, widgets: dict[str, QWidget]) -> QWidget:
    window = QWidget()
    qtbot.addWidget(window)
    layout = QVBoxLayout(window)
    for widget in widgets.values():
        layout.addWidget(widget)
    window.show()
    window.activateWindow()
    return window


@pytest.mark.parametrize("name", THEMES)
def test_text_is_readable(qtbot, qapp: QApplication, name: str):
    apply(qapp, theme_of(name), 1.0, SIZE)
    widgets = text_widgets()
    window = window_with(qtbot, widgets)
    picture = pixels_of(window.grab().toImage())
    low = 7.0 if THEMES[name].has_high_contrast else TEXT
    for part, widget in widgets.items():
        place = widget.geometry()
        # Only the middle: a text, without the outline of its widget.
        rows = slice(place.top() + place.height() // 3, place.bottom() - place.height() // 3)
        inner = picture[rows, place.left() + 10 : place.right() - 10]
        found = contrasts(inner, ground_of(inner))
        # Strokes of letters, and not a few pixels that happen to be darker.
        assert np.mean(found >= low) > 0.004, f"{part}: {np.sort(found, axis=None)[-20]:.2f}"


@pytest.mark.parametrize("name", THEMES)
def test_focus_is_seen(qtbot, qapp: QApplication, name: str):
    apply(qapp, theme_of(name))
    made = text_widgets()
    parts = ("button", "default", "field", "combo", "check", "tool")
    widgets = {part: made[part] for part in parts}
    widgets["slider"] = QSlider(Qt.Orientation.Horizontal)
    widgets["tool"].setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    holder = QLabel("has the focus first")
    holder.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    window = window_with(qtbot, {"holder": holder, **widgets})
    qtbot.waitUntil(window.isActiveWindow)
    for part, widget in widgets.items():
        holder.setFocus(Qt.FocusReason.TabFocusReason)
        before = pixels_of(widget.grab().toImage())
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        qtbot.waitUntil(widget.hasFocus)
        after = pixels_of(widget.grab().toImage())
        around = pixels_of(window.grab().toImage())[2, 2]
        changed = (before != after).any(axis=2) & (contrasts(after, around) >= PART)
        # A line around a mark of 12 px has about 40 pixels.
        assert changed.sum() >= 40, f"{part}: {changed.sum()} pixels"


def painted(ground: str, draw: Callable[..., None], *arguments) -> tuple[np.ndarray, np.ndarray]:
    """Return the pixels of what ``draw`` draws on a ground, and of the ground alone."""
    image = QImage(96, 96, QImage.Format.Format_RGB32)
    image.fill(QColor(ground))
    alone = pixels_of(image)
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw(painter, *arguments)
    return pixels_of(image), alone


@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize("name", THEMES)
def test_marks_of_all_roles_are_seen_on_every_field(qapp: QApplication, name: str, palette: str):
    theme = theme_of(name, palette)
    style = Style(theme=theme, scale=2.0)
    # The outline of a mark is as long as that of a disc; a strong one is also wide.
    length = 2.0 * np.pi * MARKS.point_radius * style.scale
    for field in FIELDS:
        for label in (1, -1):
            for role in ROLES:
                mark, ground = painted(getattr(theme, field), draw_mark, 48, 48, label, style, role)
                least = (2.0 if role in (FREE, BOUND) else 1.0) * length
                assert (contrasts(mark, ground) >= PART).sum() > least, (field, label, role)
            for lane in theme.series:
                lanes = replace(style, outline=lane)
                mark, ground = painted(getattr(theme, field), draw_mark, 48, 48, label, lanes, FREE)
                assert (contrasts(mark, ground) >= PART).sum() > 2.0 * length, (field, lane)


@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize("name", THEMES)
def test_the_classes_have_two_shapes(qapp: QApplication, name: str, palette: str):
    style = Style(theme=theme_of(name, palette), scale=2.0)
    filled = []
    for label in (1, -1):
        mark, ground = painted(style.theme.plane, draw_mark, 48, 48, label, style)
        shape = (mark != ground).any(axis=2)
        filled.append(shape[np.ix_(shape.any(axis=1), shape.any(axis=0))].mean())
    disc, square = filled
    # A disc fills pi / 4 of its box.
    assert disc < 0.9 < 0.95 < square


@pytest.mark.parametrize("name", THEMES)
def test_the_focus_of_the_plane_is_seen(qtbot, name: str):
    style = Style(theme=theme_of(name))
    place = QRect(0, 0, 96, 96)
    for field in FIELDS:
        ring, ground = painted(getattr(style.theme, field), draw_focus_ring, place, style)
        assert (contrasts(ring, ground) >= PART).sum() > 4 * 80, field

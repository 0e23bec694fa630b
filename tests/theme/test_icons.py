"""Icons: complete, recoloured, sharp, and quickly drawn."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QIcon, QImage, QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QToolButton

from svmviz.base.resources import path
from svmviz.theme import DARK, LIGHT, apply
from svmviz.theme.icons import icon, names, render

NEEDED = """
play pause stop step-forward step-back skip-forward skip-back go-start go-end restart
next-sweep next-change select plus-class minus-class spray erase hand jitter undo redo
open save save-as export-image copy paste trash fit-view settings moon table generate help
info check warning close chevron-down chevron-right zoom-in zoom-out layers
projector keyboard camera search speed
""".split()


@pytest.fixture(autouse=True)
def _light_again(qapp: QApplication):
    yield
    apply(qapp, LIGHT, 1.0)


def inks(picture: QPixmap) -> set[str]:
    """Opaque colours of a picture."""
    image = picture.toImage().convertToFormat(QImage.Format.Format_ARGB32)
    pixels = (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height()))
    return {colour.name() for colour in pixels if colour.alpha() == 255}


def test_all_needed_icons_are_there():
    assert set(NEEDED) <= set(names())


@pytest.mark.parametrize("name", names())
def test_icon_is_drawn_in_one_style(qapp: QApplication, name: str):
    root = ET.fromstring(path(f"icons/{name}.svg").read_text(encoding="utf-8"))
    assert root.get("viewBox") == "0 0 24 24"
    assert root.get("stroke") == "currentColor"
    assert root.get("stroke-width") == "1.75"
    assert root.get("stroke-linecap") == "round"
    picture = render(name, LIGHT, LIGHT.text, 48)
    assert inks(picture), "nothing painted"


@pytest.mark.parametrize("name", names())
def test_icon_keeps_clear_of_the_edge(qapp: QApplication, name: str):
    image = render(name, LIGHT, LIGHT.text, 96).toImage()
    rim = [(x, y) for x in range(96) for y in (0, 1, 2, 93, 94, 95)]
    rim += [(y, x) for x, y in rim]
    assert all(image.pixelColor(x, y).alpha() == 0 for x, y in rim)


def test_states_have_their_colours(qapp: QApplication):
    play = icon("play", LIGHT)
    size = QSize(32, 32)
    assert LIGHT.text in inks(play.pixmap(size, QIcon.Mode.Normal, QIcon.State.Off))
    assert LIGHT.disabled in inks(play.pixmap(size, QIcon.Mode.Disabled, QIcon.State.Off))
    assert LIGHT.accent in inks(play.pixmap(size, QIcon.Mode.Normal, QIcon.State.On))
    assert DARK.on_accent in inks(icon("play", DARK, on_accent=True).pixmap(size))


def test_classes_have_the_colours_of_the_theme(qapp: QApplication):
    for theme in (LIGHT, DARK):
        assert theme.positive in inks(render("plus-class", theme, theme.text, 48))
        assert theme.negative in inks(render("minus-class", theme, theme.text, 48))
    greyed = inks(render("plus-class", LIGHT, LIGHT.disabled, 48))
    assert LIGHT.positive not in greyed


def test_icon_without_a_theme_follows_the_active_one(qapp: QApplication):
    apply(qapp, LIGHT, 1.0)
    play = icon("play")
    assert LIGHT.text in inks(play.pixmap(QSize(32, 32)))
    apply(qapp, DARK, 1.0)
    assert DARK.text in inks(play.pixmap(QSize(32, 32)))


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 2.0, 3.0])
def test_icon_is_crisp_at_every_pixel_ratio(qapp: QApplication, ratio: float):
    picture = icon("save", LIGHT).pixmap(QSize(20, 20), ratio)
    assert picture.width() == round(20 * ratio)
    assert picture.devicePixelRatio() == pytest.approx(ratio, rel=0.05)


def test_icon_paints_into_a_painter(qapp: QApplication):
    canvas = QPixmap(40, 40)
    canvas.fill(QColor("white"))
    painter = QPainter(canvas)
    icon("stop", LIGHT).paint(painter, 4, 4, 32, 32)
    painter.end()
    assert LIGHT.text in inks(canvas)


def test_icons_are_cached_and_unknown_names_refused(qapp: QApplication):
    assert icon("play", LIGHT) is icon("play", LIGHT)
    with pytest.raises(FileNotFoundError, match="no-such"):
        icon("no-such", LIGHT)


def test_icons_survive_copies_and_repaints(qtbot, qapp: QApplication):
    button = QToolButton()
    qtbot.addWidget(button)
    for k in range(500):
        button.setIcon(QIcon(icon(names()[k % 20])))
        button.setEnabled(k % 3 > 0)
        button.grab()
    copy = QIcon(icon("play"))
    copy.addPixmap(QPixmap(16, 16))  # detaches: the engine is cloned
    assert copy.pixmap(16, 16).width() == 16

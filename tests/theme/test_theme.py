"""The look: palette, style sheet, fonts, and one scale for everything."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontInfo, QFontMetricsF, QPalette, QRawFont
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QVBoxLayout, QWidget

from svmviz.base.resources import path
from svmviz.theme import (
    CONTROL_SIZES,
    DARK,
    LABEL,
    LIGHT,
    THEMES,
    TITLE,
    TYPE_SIZES,
    Metrics,
    Theme,
    active,
    apply,
    apply_style,
    font,
    palette,
    prepare,
    stylesheet,
)
from svmviz.theme.fonts import WEIGHTS, load_fonts

GLYPHS = "αβγδεζηθκλμνξπρστφχψωΓΔΘΛΣΦΨΩ₀₁₂₃ᵢⱼ²³⁻¹≤≥−×·‖∑∞→←↑↓±≈≠√∂…–—“”‘’°½"


@pytest.fixture(autouse=True)
def _light_again(qapp: QApplication):
    yield
    apply(qapp, LIGHT, 1.0)


def test_metrics_grow_together():
    for scale in CONTROL_SIZES:
        metrics = Metrics(1.0, scale)
        assert metrics.icon == metrics.px(20) == int(20 * scale + 0.5)
        assert metrics.space(2) == round(8 * scale)
    assert Metrics(0.5, 0.5).px(0.1) == 1
    with pytest.raises(ValueError, match="9"):
        Metrics(9)


def test_controls_grow_less_than_type():
    sizes = [Metrics(size) for size in TYPE_SIZES]
    assert (sizes[0].scale, sizes[-1].scale) == (0.75, 3.0)
    for one, other in pairwise(sizes):
        assert 1.0 < other.scale / one.scale <= 1.13
        assert other.controls >= one.controls
    assert 1.0 < sizes[-1].controls < sizes[-1].scale
    assert Metrics().controls == 1.0
    # In a file all sizes are in proportion.
    page = Metrics(3.0, even=True)
    assert page.controls == page.scale


@pytest.mark.parametrize("height", [700, 720, 1080])
def test_no_type_in_a_hall_is_too_low_for_the_last_row(height):
    before = 0.0
    for size in TYPE_SIZES:
        hall = Metrics(size).at_height(height)
        assert min(hall.scale, hall.controls) * LABEL >= height / 40 - 1e-9
        assert hall.scale >= max(size, before)
        before = hall.scale
    large, usual = Metrics(2.0).at_height(height), Metrics(1.0).at_height(height)
    assert large.scale > usual.scale
    assert large.controls > usual.controls


@pytest.mark.parametrize(("height", "size"), [(2880, 2.0), (3840, 1.1), (4320, 1.0)])
def test_type_in_a_very_high_window_has_the_largest_size(height, size):
    hall = Metrics(size).at_height(height)
    assert hall.scale == 8.0
    assert hall.controls * LABEL >= min(height / 40, 8.0 * LABEL) - 1e-9


@pytest.mark.parametrize(
    "metrics",
    [Metrics(0.75, 0.5), Metrics(0.5, 0.5), Metrics(4.0, 20.0), Metrics(1.0).at_height(4320)],
)
def test_all_sizes_have_the_same_limits_so_the_style_sheet_accepts_them(metrics):
    for size in (metrics.scale, metrics.controls):
        assert 0.5 <= size <= 8.0
    assert stylesheet(LIGHT, metrics.controls)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("scale", CONTROL_SIZES)
def test_style_sheet_is_filled_in(theme: Theme, scale: float):
    sheet = stylesheet(theme, scale)
    assert "@" not in sheet
    assert not re.search(r"\ddp", sheet)
    assert f"font-size: {Metrics(1.0, scale).px(15)}px" in sheet
    for file in re.findall(r'url\("([^"]+)"\)', sheet):
        assert file.endswith(".svg")
        assert path(f"qss/{file.rsplit('/', 1)[1]}").is_file()


def test_palette_has_the_colours_of_the_theme(qapp: QApplication):
    made = palette(DARK)
    assert made.color(QPalette.ColorRole.Window).name() == DARK.window
    disabled = made.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text)
    assert disabled.name() == DARK.disabled


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_apply_dresses_what_is_already_there(qtbot, qapp: QApplication, theme: Theme):
    holder = QWidget()
    qtbot.addWidget(holder)
    layout = QVBoxLayout(holder)
    button, label = QPushButton("Play"), QLabel("γ = 0.5")
    layout.addWidget(button)
    layout.addWidget(label)
    apply(qapp, LIGHT, 1.0)
    holder.show()
    small = button.sizeHint().height()
    assert apply(qapp, theme, 1.0, 2.0) is active()
    assert active().theme is theme
    assert button.sizeHint().height() == pytest.approx(2 * small, abs=4)
    assert QFontInfo(label.font()).family() == "Inter"
    assert label.font().pixelSize() == 26


def test_figures_have_one_width_even_under_the_style_sheet(qtbot, qapp: QApplication):
    apply(qapp, LIGHT, 1.0)
    label = QLabel()
    label.setProperty("role", "title")
    qtbot.addWidget(label)
    label.ensurePolished()
    assert label.font().pixelSize() == TITLE
    assert label.font().weight() == QFont.Weight.DemiBold
    measure = QFontMetricsF(label.font())
    widths = [measure.horizontalAdvance(figure) for figure in "0123456789"]
    assert max(widths) - min(widths) < 0.05  # hinting rounds to 1/64 px


@pytest.mark.parametrize("file", WEIGHTS.values())
def test_fonts_have_all_glyphs(qapp: QApplication, file: str):
    raw = QRawFont(str(path(f"fonts/{file}")), 13)
    assert raw.isValid()
    assert [glyph for glyph in GLYPHS if not raw.supportsCharacter(ord(glyph))] == []


def test_fonts_are_loaded_once_in_two_weights(qapp: QApplication):
    family = load_fonts()
    assert load_fonts() is family
    for weight in WEIGHTS:
        assert QFontInfo(font(13, weight)).weight() == weight
    assert font(13, scale=1.5).pixelSize() == Metrics(1.0, 1.5).px(13)


def test_fonts_are_small_and_licensed():
    folder = path("fonts")
    assert sum(file.stat().st_size for file in folder.iterdir()) < 2_000_000
    assert "SIL OPEN FONT LICENSE" in (folder / "OFL.txt").read_text(encoding="utf-8")


def test_focus_ring_is_visible(qtbot, qapp: QApplication):
    apply(qapp, LIGHT, 1.0)
    button = QPushButton("Play")
    qtbot.addWidget(button)
    button.show()
    before = button.grab().toImage()
    button.setFocus(Qt.FocusReason.TabFocusReason)
    button.activateWindow()
    qtbot.waitUntil(button.hasFocus)
    assert button.grab().toImage() != before


def test_a_window_made_before_the_style_sheet_looks_the_same(qapp: QApplication):
    def painted():
        widget = QWidget()
        layout = QVBoxLayout(widget)
        for part in (QLabel("γ = 1"), QPushButton("Solve")):
            layout.addWidget(part)
        return widget

    apply(qapp, DARK, 1.5, 1.5)
    usual = painted().grab().toImage()
    prepare(qapp, DARK, 1.5, 1.5)
    assert not qapp.styleSheet()
    assert active().theme is DARK
    early = painted()
    apply_style(qapp)
    assert qapp.styleSheet() == stylesheet(DARK, active().metrics.controls)
    assert early.grab().toImage() == usual

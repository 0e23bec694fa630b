"""Formulas are typeset in another thread; the old ones are pale until then."""

import threading

import numpy as np
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QVBoxLayout, QWidget

from svmviz import theme
from svmviz.base.typeset import typeset
from svmviz.widgets.formula import FormulaView

FRACTION = r"\frac{\alpha_i + 1}{\eta}"


def ink(widget) -> int:
    """How many pixels are not of the colour of the ground."""
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.asarray(image.constBits()).reshape(image.height(), -1, 4)[:, :, :3]
    return int((pixels != pixels[-1, -1]).any(axis=2).sum())


def test_a_fraction_is_higher_than_a_line():
    line, fraction = typeset("x", 16.0, "#000000"), typeset(FRACTION, 16.0, "#000000")
    assert fraction.height > 1.5 * line.height
    assert b"#000000" in fraction.svg.lower()
    assert typeset("x", 32.0, "#000000").width > 1.8 * line.width


def test_it_is_drawn_when_ready(qtbot, qapp):
    theme.apply(qapp, theme.LIGHT, 1.0)
    widget = FormulaView([FRACTION])
    qtbot.addWidget(widget)
    widget.resize(200, 80)
    widget.show()
    qtbot.waitUntil(lambda: widget.is_ready)
    assert ink(widget) > 50
    widget.set_lines([r"\alpha"])
    assert not widget.is_ready
    assert widget.lines == (r"\alpha",)
    qtbot.waitUntil(lambda: widget.is_ready)


def test_lines_that_came_and_went_are_never_set(qtbot, qapp, monkeypatch):
    seen = []

    def note(latex, size, colour):
        seen.append((latex, threading.current_thread()))
        return typeset(latex, size, colour)

    monkeypatch.setattr("svmviz.base.typeset.typeset", note)
    widget = FormulaView()
    qtbot.addWidget(widget)
    for k in range(50):
        widget.set_lines([f"x_{{{k}}}"])
    qtbot.waitUntil(lambda: widget.is_ready)
    assert [latex for latex, _ in seen] == ["x_{0}", "x_{49}"]
    assert threading.main_thread() not in {thread for _, thread in seen}


def test_room_grows_with_what_is_higher_and_stays(qtbot, qapp):
    theme.apply(qapp, theme.LIGHT, 1.0)
    holder = QWidget()
    column = QVBoxLayout(holder)
    widget = FormulaView(["x"])
    column.addWidget(widget)
    column.addStretch(1)
    qtbot.addWidget(holder)
    holder.resize(400, 400)
    holder.show()
    qtbot.waitUntil(lambda: widget.is_ready)
    usual = widget.height()
    high = rf"\left(\frac{{{FRACTION}}}{{{FRACTION}}}\right)"
    widget.set_lines([high, high])
    needed = 2.0 * typeset(high, widget._size(), theme.LIGHT.text).height
    qtbot.waitUntil(lambda: widget.is_ready and widget.height() >= needed)
    grown = widget.height()
    assert grown > 2.0 * usual
    widget.set_lines(["x"])
    qtbot.waitUntil(lambda: widget.is_ready)
    assert widget.height() == grown


def test_a_hidden_formula_follows_a_change_of_theme_when_it_is_shown(qtbot, qapp, monkeypatch):
    colours = []

    def note(latex, size, colour):
        colours.append(colour)
        return typeset(latex, size, colour)

    monkeypatch.setattr("svmviz.base.typeset.typeset", note)
    theme.apply(qapp, theme.LIGHT, 1.0)
    widget = FormulaView(["x"])
    qtbot.addWidget(widget)
    widget.show()
    qtbot.waitUntil(lambda: widget.is_ready)
    widget.hide()
    theme.apply(qapp, theme.DARK, 1.0)
    theme.apply(qapp, theme.LIGHT, 1.0)
    assert widget.is_ready
    theme.apply(qapp, theme.DARK, 1.0)
    assert widget.is_ready
    widget.show()
    assert not widget.is_ready
    qtbot.waitUntil(lambda: widget.is_ready)
    assert colours == [theme.LIGHT.text, theme.DARK.text]
    theme.apply(qapp, theme.LIGHT, 1.0)

"""Formulas are typeset in another thread; the old ones are pale until then."""

import threading

import numpy as np
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QVBoxLayout, QWidget

from svmviz import theme
from svmviz.base.typeset import typeset
from svmviz.widgets.formula import RELATIVE_SIZE, FormulaView

FRACTION = r"\frac{\alpha_i + 1}{\eta}"


def pixels(widget) -> np.ndarray:
    """The blue, green and red of the pixels, shape (height, width, 3)."""
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    # The array uses the memory of the image, which ends with this function.
    return np.asarray(image.constBits()).reshape(image.height(), -1, 4)[:, :, :3].copy()


def ink(widget) -> int:
    """How many pixels are not of the colour of the ground."""
    shown = pixels(widget)
    return int((shown != shown[-1, -1]).any(axis=2).sum())


def ground(widget) -> float:
    return float(pixels(widget)[-1, -1].mean())


def lightest(widget) -> float:
    return float(pixels(widget).mean(axis=2).max())


def test_a_fraction_is_higher_than_a_line():
    line, fraction = typeset("x"), typeset(FRACTION)
    assert fraction.height > 1.5 * line.height
    assert b'"#123456"' in fraction.coloured("#123456")
    assert 0.3 < line.width < 1.0


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

    def note(latex):
        seen.append((latex, threading.current_thread()))
        return typeset(latex)

    monkeypatch.setattr("svmviz.base.typeset.typeset", note)
    widget = FormulaView()
    qtbot.addWidget(widget)
    for k in range(50):
        widget.set_lines([f"x_{{{k}}}"])
    qtbot.waitUntil(lambda: widget.is_ready)
    # A few may have been begun, if the thread was quick.
    texts = [latex for latex, _ in seen]
    assert texts[-1] == "x_{49}"
    assert len(texts) <= 5
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
    size = RELATIVE_SIZE * theme.look_of(widget).font(theme.TEXT).pixelSize()
    needed = 2.0 * typeset(high).height * size
    qtbot.waitUntil(lambda: widget.is_ready and widget.height() >= needed)
    grown = widget.height()
    assert grown > 2.0 * usual
    widget.set_lines(["x"])
    qtbot.waitUntil(lambda: widget.is_ready)
    assert widget.height() == grown


def test_a_formula_takes_colour_and_size_of_a_style_without_being_typeset_again(
    qtbot, qapp, monkeypatch
):
    seen = []

    def note(latex):
        seen.append(latex)
        return typeset(latex)

    monkeypatch.setattr("svmviz.base.typeset.typeset", note)
    theme.apply(qapp, theme.LIGHT, 1.0)
    widget = FormulaView([FRACTION])
    qtbot.addWidget(widget)
    widget.resize(200, 160)
    widget.show()
    qtbot.waitUntil(lambda: widget.is_ready)
    height = widget.sizeHint().height()
    assert lightest(widget) < 1.05 * ground(widget)
    widget.hide()
    theme.apply(qapp, theme.DARK, 1.0, 2.0)
    widget.show()
    assert widget.is_ready
    assert widget.sizeHint().height() > 1.7 * height
    assert lightest(widget) > 2.0 * ground(widget)
    assert seen == [FRACTION]
    theme.apply(qapp, theme.LIGHT, 1.0)

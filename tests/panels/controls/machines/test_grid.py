"""Texts in narrow cells of a table."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFont, QFontMetricsF

from svmviz.panels.controls.machines.grid import _narrowed
from svmviz.panels.controls.machines.machines_panel import _short


def width_of(font, text):
    return QFontMetricsF(font).horizontalAdvance(text)


@pytest.mark.parametrize("share", [1.0, 0.85, 0.75])
def test_a_number_shrinks_until_it_fits(qapp, share):
    font = QFont()
    font.setPixelSize(40)
    width = share * width_of(font, "−0.002")
    fitting = _narrowed(font, "−0.002", width)
    assert width_of(fitting, "−0.002") <= width
    # No smaller than needed, to a pixel.
    assert fitting.pixelSize() >= int(40 * share) - 1


def test_values_of_f_are_short():
    values = [None, 0.0, 1e-16, 0.5234, -0.0234, -0.00234, -12.34, 1.0]
    assert [_short(value) for value in values] == [
        *("", "0", "0", "0.52", "−0.02", "−0.002", "−12", "1")
    ]

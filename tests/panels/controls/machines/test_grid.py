"""Texts in narrow cells of a table."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFontMetricsF

from svmviz.panels.controls.machines.grid import fitting
from svmviz.panels.controls.machines.machines_panel import _short
from svmviz.theme import LIGHT, REGULAR, Look, Metrics


def width_of(font, text):
    return QFontMetricsF(font).horizontalAdvance(text)


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("share", [1.0, 0.9, 0.8, 0.75])
def test_a_number_shrinks_until_it_fits(qapp, share, scale):
    look = Look(LIGHT, Metrics(scale))
    width = share * width_of(look.font(), "−0.002")
    fitted = fitting(look, "−0.002", REGULAR, width)
    assert width_of(fitted, "−0.002") <= width
    # No smaller than needed, to a pixel.
    assert fitted.pixelSize() >= int(look.font().pixelSize() * share) - 1


def test_values_of_f_are_short():
    values = [None, 0.0, 1e-16, 0.5234, -0.0234, -0.00234, -12.34, 1.0]
    assert [_short(value) for value in values] == [
        *("", "0", "0", "0.52", "−0.02", "−0.002", "−12", "1")
    ]

"""Panels are listed without loading what they are made of."""

from __future__ import annotations

import subprocess
import sys

import pytest
from PySide6.QtWidgets import QWidget

from solvers import Linear
from svmviz.document import Document
from svmviz.panels.registry import PANELS
from svmviz.theme import DARK, LIGHT, apply
from tests.stages import moons


def test_listing_loads_no_qt():
    code = (
        "import sys; from svmviz.panels.registry import PANELS; "
        "assert not {'PySide6', 'pyqtgraph', 'numba'} & set(sys.modules), sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("spec", PANELS.values(), ids=PANELS)
def test_every_panel_is_made_and_painted(qtbot, qapp, open_stage, spec):
    assert spec.area in ("left", "right", "bottom")
    assert spec.fits(Document()) or spec.fits(Document(kernel=Linear()))
    assert spec.title
    assert spec.help.endswith(".")
    stage = open_stage(moons(30))
    try:
        widget = spec.make(stage)
        assert isinstance(widget, QWidget)
        qtbot.addWidget(widget)
        widget.resize(300, 400)
        widget.show()
        for theme, scale in ((DARK, 2.0), (LIGHT, 1.0)):
            apply(qapp, theme, scale)
            assert not widget.grab().isNull()
    finally:
        apply(qapp, LIGHT, 1.0)


@pytest.mark.parametrize("spec", PANELS.values(), ids=PANELS)
def test_the_help_has_a_paragraph_and_a_formula_without_control_characters(spec):
    assert spec.formula
    assert len(spec.help) > 60
    assert "\n" not in spec.help
    # A tab where LaTeX's "\top" was meant would be set as the letters "op".
    for line in spec.formula:
        assert line.isprintable(), repr(line)

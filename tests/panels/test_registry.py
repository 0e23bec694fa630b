"""Panels are listed without importing their modules."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from solvers import SMO, Linear, Pegasos, Quadratic
from svmviz.document.document import Document
from svmviz.document.view_options import ViewOptions
from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.objective.badge_panel import MAX_GAP
from svmviz.panels.panel_spec import FAMILIES
from svmviz.panels.registry import PANELS, by_family, views_of
from svmviz.theme import DARK, LIGHT, apply
from svmviz.widgets.scroller import Scroller
from tests.stages import clouds, moons, sine
from tests.waiting import settle


def test_listing_loads_no_qt():
    code = (
        "import sys; from svmviz.panels.registry import PANELS; "
        "assert not {'PySide6', 'pyqtgraph', 'numba'} & set(sys.modules), sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_window_is_made_before_charts_load_pyqtgraph():
    code = "import sys, svmviz.window.main; assert 'pyqtgraph' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("spec", PANELS.values(), ids=PANELS)
def test_every_panel_is_made_and_painted(qtbot, qapp, open_stage, spec):
    assert spec.area in ("left", "right", "bottom")
    documents = Document(), Document(kernel=Linear()), clouds(3)
    assert any(spec.fits(document) for document in documents)
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
            apply(qapp, theme, 1.0, scale)
            assert not widget.grab().isNull()
    finally:
        apply(qapp, LIGHT, 1.0)


@pytest.mark.parametrize("spec", PANELS.values(), ids=PANELS)
def test_every_panel_shows_a_frame_without_a_lane(qtbot, open_stage, spec):
    """Nothing is solved on an empty plane; `draw` then gets None as the lane."""
    stage = open_stage(moons(12))
    widget = spec.make(stage)
    qtbot.addWidget(widget)
    widget.show()
    settle(qtbot, stage)
    stage.session.edit(Document(), "Clear")
    settle(qtbot, stage)
    assert stage.feed.frame.lane is None
    assert not widget.grab().isNull()


@pytest.mark.parametrize("spec", PANELS.values(), ids=PANELS)
def test_a_panel_that_was_deleted_hears_nothing_more(qtbot, open_stage, spec):
    stage = open_stage(moons(12, methods=(SMO(), Pegasos(max_steps=20))))
    widget = spec.make(stage)
    widget.show()
    settle(qtbot, stage)
    widget.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not isValid(widget)
    # An error in a slot fails the test.
    stage.playback.set_focus(1)
    stage.view.show(ViewOptions(numbers=True))
    stage.session.edit(moons(14), "Edit")
    stage.session.select([0])
    settle(qtbot, stage)


def test_a_study_takes_a_frame_of_another_task(qtbot, open_stage):
    """A panel that does not fit a new document is hidden only after the first frame of it."""
    specs = [spec for spec in PANELS.values() if "regression" not in spec.tasks]
    stage = open_stage(moons(12))
    panels = [spec.make(stage) for spec in specs]
    assert panels
    for kernel in (Linear(), Quadratic()):
        stage = open_stage(sine(12, kernel=kernel))
        qtbot.waitUntil(lambda stage=stage: stage.feed.frame.lane is not None)
        for panel in panels:
            qtbot.addWidget(panel)
            study = panel.make_study() if isinstance(panel, FramePanel) else None
            if study is not None:
                study(stage.feed.frame, stage.session.runs)


@pytest.mark.parametrize("spec", PANELS.values(), ids=PANELS)
def test_the_help_has_a_paragraph_and_a_formula_without_control_characters(spec):
    assert spec.page.formula
    assert len(spec.help) > 60
    assert "\n" not in spec.help
    # A tab where LaTeX's "\top" was meant would be set as the letters "op".
    for line in spec.page.formula:
        assert line.isprintable(), repr(line)


@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("spec", PANELS.values(), ids=PANELS)
def test_no_panel_demands_more_than_its_share(qtbot, qapp, open_stage, spec, scale):
    # Docks side by side with a plane have to fit in 1024 x 700, whatever the size of type.
    stage = open_stage(moons(30, methods=(SMO(), Pegasos(max_steps=200))))
    apply(qapp, LIGHT, 1.0, scale)
    try:
        panel = spec.make(stage)
        holder = Scroller(panel) if spec.scrolls else panel
        qtbot.addWidget(holder)
        # A panel that lies across turns upright as it becomes narrower.
        for width, height in ((900, 300), (650, 300), (400, 900), (300, 200)):
            holder.resize(width, height)
            holder.show()
            qapp.processEvents()
        hint = holder.minimumSizeHint()
        # Numbers in a table of names and values are never cut off.
        assert hint.width() <= (250 if spec.name == "model" else 190) * scale + 20
        assert hint.height() <= 130 * scale
    finally:
        apply(qapp, LIGHT, 1.0)


def test_help_states_the_rule_of_the_badge():
    rule = (
        "no point violates its KKT condition by more than the tolerance, and the gap is at most "
        "half of P"
    )
    assert MAX_GAP == 0.5
    assert rule in PANELS["objective"].help


def test_panels_stand_in_five_families_as_views_of_fewer():
    families = by_family()
    assert tuple(families) == FAMILIES
    panels = [views for group in families.values() for views in group]
    assert len(panels) <= 18
    # Each view belongs to one panel, and the order of the registry is that of the families.
    assert [name for views in panels for name in views] == list(PANELS)
    for views in panels:
        assert PANELS[views[0]].view_of == ""
        assert {PANELS[name].view_of for name in views[1:]} <= {views[0]}
        assert {PANELS[name].family for name in views} == {PANELS[views[0]].family}
        assert all(views_of(name) == views for name in views)


def test_a_view_of_an_unknown_panel_is_a_panel_of_its_own(monkeypatch):
    own, other = (
        replace(PANELS["loss"], name=n, view_of=v) for n, v in (("a", "b"), ("c", "loss"))
    )
    monkeypatch.setitem(PANELS.entries, "a", own)
    monkeypatch.setitem(PANELS.entries, "c", other)
    assert views_of("a") == ("a",)
    assert views_of("c") == ("loss", "budget", "slice", "c")
    assert ("a",) in by_family()["Cost"]

"""What is chosen in a panel is shown by every panel of its name, now and later."""

from __future__ import annotations

import pytest

from svmviz.panels.registry import PANELS
from svmviz.widgets.inputs.choice_box import ChoiceBox
from svmviz.widgets.inputs.segmented import Segmented
from tests.choosing import choose
from tests.stages import moons

# Panels, and their controls by the names of the attributes.
SHARED = {
    "feature-map": ("view", "series"),
    "components": ("matrix",),
    "quadratic-program": ("order",),
    "loss": ("source",),
    "slice": ("line",),
    "risk": ("kind",),
    "map": ("layer", "along"),
}


def control_of(panel, name) -> Segmented | ChoiceBox:
    control = getattr(panel, name)
    assert isinstance(control, Segmented | ChoiceBox)
    return control


def click(control, key):
    """Choose an entry as a user does."""
    if isinstance(control, ChoiceBox):
        choose(control, key)
    else:
        control.button(key).click()


@pytest.mark.parametrize(("name", "control"), [(n, c) for n, cs in SHARED.items() for c in cs])
def test_a_choice_is_shown_by_every_panel_of_the_name(qtbot, open_stage, name, control):
    stage = open_stage(moons(40))
    one, two = (PANELS[name].make(stage) for _ in range(2))
    for panel in (one, two):
        qtbot.addWidget(panel)
    last = control_of(one, control).keys[-1]
    assert control_of(two, control).value != last
    click(control_of(one, control), last)
    assert control_of(two, control).value == last
    later = PANELS[name].make(stage)
    qtbot.addWidget(later)
    assert control_of(later, control).value == last
    # The other way round, too.
    first = control_of(two, control).keys[0]
    click(control_of(two, control), first)
    assert [control_of(panel, control).value for panel in (one, later)] == [first, first]


def test_a_chord_that_is_dragged_moves_in_every_panel(qtbot, open_stage):
    stage = open_stage(moons(40))
    one, two = (PANELS["slice"].make(stage) for _ in range(2))
    for panel in (one, two):
        qtbot.addWidget(panel)
    one.chart.ends = [0.25, 0.75]
    one.chart.changed.emit()
    assert two.chart.ends == [0.25, 0.75]
    # What another program has written there is left out if it makes no sense.
    stage.view.choose({"slice.chord": "1 2 nan 4", "slice.line": "nothing"})
    assert two.chart.ends == [0.25, 0.75]
    assert two.line.value == one.line.value


def test_a_race_of_folds_is_chosen_from_outside(qtbot, open_stage):
    stage = open_stage(moons(40))
    panel = PANELS["folds"].make(stage)
    qtbot.addWidget(panel)
    stage.view.choose({"folds.procedure": "5x2", "folds.rival": "linear"})
    assert (panel.form.procedure.value, panel.form.rival.value) == ("5x2", "linear")
    assert panel.form.keep.isVisibleTo(panel)

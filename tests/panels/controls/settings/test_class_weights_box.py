"""The weights of the classes in the card of C: a choice, a slider per class, and refusals."""

from __future__ import annotations

from solvers import Pegasos
from svmviz.panels.controls.settings.model_panel import ModelPanel
from svmviz.widgets.inputs.number_field import NumberField
from svmviz.widgets.plain_text import words_of_tip
from tests.panels.controls.settings.test_settings_panels import type_in
from tests.stages import moons, sine


def test_weights_of_the_classes_are_edited_by_choice_and_slider(qtbot, open_stage, show):
    stage = open_stage(moons())
    panel = show(ModelPanel(stage))
    box, session = panel.weights, stage.session
    panel.more.open(True)
    assert box.choice.value == "even"
    assert not panel.more.dot.isVisible()
    type_in(qtbot, box.sliders[1], "5")
    assert session.document.class_weights == (1.0, 5.0)
    assert (box.choice.value, box.choice.differences) == (
        "own",
        ("Class weights: Own numbers, not Even",),
    )
    assert panel.more.dot.isVisible()
    type_in(qtbot, box.sliders[1], "-5")
    assert "above 0" in box.sliders[1].error_text
    assert session.document.class_weights == (1.0, 5.0)
    box.choice.chosen.emit("balanced")
    assert session.document.class_weights == "balanced"
    session.undo_stack.undo()
    assert session.document.class_weights == (1.0, 5.0)
    box.choice.chosen.emit("even")
    assert session.document.class_weights == ()


def test_a_method_without_a_box_has_no_weights(qtbot, open_stage, show):
    stage = open_stage(moons())
    panel = show(ModelPanel(stage))
    session = stage.session
    session.edit(session.document.with_method(Pegasos()), "Pegasos")
    sentence = "Pegasos has one C for all points, so the points cannot have weights."
    assert words_of_tip(panel.weights.choice) == sentence
    assert not panel.weights.sliders[0].isEnabled()
    session.edit(sine(), "Regression")
    assert panel.weights.isHidden()


def test_sliders_are_called_by_their_classes_where_no_label_stands_above(qtbot, open_stage):
    panel = ModelPanel(open_stage(moons(12)))
    qtbot.addWidget(panel)
    names = [field.accessibleName() for field in panel.findChildren(NumberField)]
    assert names[-2:] == ["Weight of the class −1", "Weight of the class +1"]

"""The part of a card that a click opens, and its dot."""

from __future__ import annotations

import pytest

from solvers import Pegasos
from svmviz.widgets.forms import SettingsForm
from svmviz.widgets.inputs.choice_box import ChoiceBox
from svmviz.widgets.more import More


@pytest.fixture
def more(qtbot):
    part = More()
    qtbot.addWidget(part)
    part.show()
    return part


def test_a_click_opens_and_closes_it(qtbot, more):
    field = more.compare(ChoiceBox("Bias", [("a", "A"), ("b", "B")], default="a"))
    assert not field.isVisible()
    with qtbot.waitSignal(more.toggled):
        more.button.click()
    assert field.isVisible()
    with qtbot.waitSignal(more.toggled):
        more.button.click()
    assert not field.isVisible()
    assert not more.is_open
    more.lay_open()
    assert field.isVisible()
    assert not more.button.isVisible()


def test_the_dot_says_what_differs_from_its_default(more):
    choice = more.compare(ChoiceBox("Bias", [("a", "A"), ("b", "B")], default="a"))
    form = more.compare(SettingsForm(Pegasos()))
    # A choice without a default differs from none.
    more.body.add(ChoiceBox("Other", [("a", "A"), ("b", "B")])).set_value("b")
    more.show_differences()
    assert not more.dot.isVisible()
    choice.set_value("b")
    form.set_instance(Pegasos(average=True, order="cyclic", max_steps=500))
    more.show_differences()
    assert more.dot.isVisible()
    lines = (
        "Not at its default:",
        "Bias: B, not A",
        "Order: cyclic, not random",
        "Averaged iterate: on, not off",
        "Steps: 500, not 20,000",
    )
    assert more.button.accessibleDescription() == "\n".join(lines)
    choice.set_value("a")
    form.set_instance(Pegasos())
    more.show_differences()
    assert not more.dot.isVisible()

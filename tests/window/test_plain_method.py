"""A method without a narration is shown in the window and on a page by its plain sentences."""

from __future__ import annotations

import pytest

from solvers import METHODS
from svmviz.base.words import tidied
from svmviz.panels.step.step_panel import StepPanel
from tests.export.html.engine import Engine
from tests.export.html.test_html import contents, recording, write
from tests.solvers.methods.plain_method import Plain
from tests.stages import moons
from tests.window.conftest import is_explaining, panel_in, settle


@pytest.fixture
def plain(monkeypatch):
    monkeypatch.setitem(METHODS, Plain.name, Plain)
    return Plain()


def test_a_page_has_its_sentences(plain, qapp, tmp_path):
    made = recording(moons(8, methods=(plain,), bias="none"))
    (lane,) = contents(write(tmp_path / "run.html", made))["lanes"]
    words = Engine("run.js").call("rowsOf(columns)", columns=lane["words"])
    run = made.runs[0]
    assert len(words) == run.steps + 1
    for step in range(1, run.steps + 1):
        assert words[step]["sentence"] == tidied(run.at(step).event.sentence)
    assert words[1]["sentence"] == "Changes α of point 1."


@pytest.mark.display
def test_the_window_steps_through_it_and_explains_it(plain, open_window):
    user = open_window(moons(8, methods=(plain,), bias="none"))
    window = user.window
    settle(user)
    user.key("F6")
    user.until(lambda: is_explaining(window))
    user.until_still(window.plane)
    for step in (1, 2):
        user.key("Right")
        user.until(lambda step=step: window.stage.feed.panel_frame.lane.step == step)
    sentence = window.stage.feed.panel_frame.lane.event.sentence
    assert sentence == "Changes α of point 2."
    panel = panel_in(window, "step")
    assert isinstance(panel, StepPanel)
    user.until(lambda: panel.sentence.text() == sentence)

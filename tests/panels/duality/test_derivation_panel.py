"""The Derivation panel walks through the lines, with the numbers of the step and lit points."""

import pytest

from svmviz.lessons.derivations import derivations
from svmviz.panels.duality.derivation_panel import DerivationPanel
from tests.stages import moons, sine
from tests.waiting import go_to


@pytest.fixture
def opened(open_stage, show, qtbot):
    stage = open_stage(moons(40))
    panel = show(DerivationPanel(stage), 420, 600)
    stage.reading.choose("weak-duality")
    go_to(qtbot, stage, 10)
    qtbot.waitUntil(lambda: panel.shown is not None and bool(panel.shown.lines))
    return stage, panel


def visible(panel):
    return [view.isVisible() for view in panel.lines]


def test_right_goes_line_by_line_and_then_step_by_step(opened, qtbot):
    stage, panel = opened
    count = len(derivations()["weak-duality"].lines)
    for line in range(1, count):
        assert visible(panel) == [True] * line + [False] * (count - line)
        stage.playback.go_on()
        assert stage.feed.frame.lane.step == 10
    assert visible(panel) == [True] * count
    assert not panel.on.isEnabled()
    stage.playback.go_on()
    qtbot.waitUntil(lambda: stage.feed.panel_frame.lane.step == 11)
    stage.playback.go_back()
    assert stage.reading.line == count - 2
    panel.hide()
    stage.playback.go_back()
    qtbot.waitUntil(lambda: stage.feed.panel_frame.lane.step == 10)


def test_the_numbers_follow_the_step_and_the_lit_points_the_line(opened, qtbot):
    stage, panel = opened
    before = panel.lines[0].numbers.lines
    lane = stage.feed.panel_frame.lane
    assert stage.spotlight.named == tuple((lane.certificate.slack > 0).nonzero()[0].tolist())
    go_to(qtbot, stage, 30)
    qtbot.waitUntil(lambda: panel.lines[0].numbers.lines != before)
    panel.on.click()
    assert stage.spotlight.named == panel.shown.lines[1].lit
    panel.hide()
    assert stage.spotlight.named == ()


def test_a_document_that_it_does_not_suit_gets_the_letters_and_a_sentence(open_stage, show, qtbot):
    stage = open_stage(sine(30))
    panel = show(DerivationPanel(stage), 420, 600)
    stage.reading.choose("weak-duality")
    qtbot.waitUntil(panel.trouble.isVisible)
    assert panel.trouble.text().startswith("Its numbers need a classification")
    assert panel.lines[0].letters.lines
    assert not panel.lines[0].numbers.isVisible()

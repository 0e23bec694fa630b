"""The step panel shows the formulas of the event on screen."""

import pytest

from solvers import SMO, Pegasos
from svmviz.panels.step_panel import NOTHING, StepPanel
from svmviz.words import tidied
from tests.panels.conftest import go_to
from tests.stages import moons

every_method = pytest.mark.parametrize("method", [SMO(), Pegasos(max_steps=300)], ids="SP")


@every_method
def test_formulas_are_those_of_the_step(qtbot, open_stage, show, method):
    stage = open_stage(moons(methods=(method,)))
    panel = show(StepPanel(stage), 480, 360)
    run = stage.session.runs[0]
    for step in (1, run.steps // 2, run.steps):
        go_to(qtbot, stage, step)
        event = run.at(step).event
        assert panel.sentence.text() == tidied(event.sentence)
        shown = [
            (a.lines[0], b.lines[0])
            for a, b in zip(panel.letters, panel.numbers, strict=True)
            if a.isVisible()
        ]
        assert shown == [(f.letters, f.numbers) for f in event.formulas()]
        rows = panel.letters + panel.numbers
        qtbot.waitUntil(lambda rows=rows: all(r.is_ready for r in rows if r.isVisible()))
    go_to(qtbot, stage, 0)
    assert panel.sentence.text() == NOTHING
    assert not any(row.isVisible() for row in panel.letters)


def test_a_narrow_panel_breaks_its_formulas(qtbot, open_stage, show):
    stage = open_stage(moons())
    panel = show(StepPanel(stage), 300, 360)
    go_to(qtbot, stage, 3)
    first, result = panel.numbers[0].lines
    whole = stage.session.runs[0].at(3).event.formulas()[0].numbers
    assert first + result.replace(r"\quad", "") == whole
    panel.resize(520, 360)
    assert panel.numbers[0].lines == (whole,)

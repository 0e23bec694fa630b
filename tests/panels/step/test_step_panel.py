"""The step panel shows the formulas of the event on screen."""

from math import ceil

import pytest

from solvers import SMO, Pegasos, WorkingSet
from svmviz.base.words import tidied
from svmviz.panels.step.step_panel import NO_STEP, StepPanel, break_lines
from svmviz.theme import LIGHT, apply
from svmviz.widgets.formula import MIN_SCALE
from tests.stages import moons, sine
from tests.waiting import go_to

every_method = pytest.mark.parametrize("method", [SMO(), Pegasos(max_steps=300)], ids="SP")


@every_method
def test_formulas_are_those_of_the_step(qtbot, open_stage, show, method):
    stage = open_stage(moons(methods=(method,)))
    panel = show(StepPanel(stage), 1000, 360)
    run = stage.session.runs[0]
    for step in (1, run.steps // 2, run.steps):
        go_to(qtbot, stage, step)
        event = run.at(step).event
        head = f"Step {step}, the last. " if step == run.steps else ""
        assert panel.sentence.text() == head + tidied(event.why or event.sentence)
        shown = [
            (a.lines[0], b.lines[0])
            for a, b in zip(panel.letters, panel.numbers, strict=True)
            if a.isVisible()
        ]
        assert shown == [(f.letters, f.numbers) for f in event.formulas]
        rows = panel.letters + panel.numbers
        qtbot.waitUntil(lambda rows=rows: all(r.is_ready for r in rows if r.isVisible()))
    go_to(qtbot, stage, 0)
    assert panel.sentence.text() == NO_STEP
    assert not any(row.isVisible() for row in panel.letters)


def test_a_narrow_panel_breaks_its_formulas(qtbot, open_stage, show):
    stage = open_stage(moons())
    panel = show(StepPanel(stage), 300, 360)
    go_to(qtbot, stage, 3)
    whole = stage.session.runs[0].at(3).event.formulas[2].numbers
    panel.resize(180, 360)
    parts = panel.numbers[2].lines
    assert len(parts) > 1
    assert "".join(parts).replace(r"\quad", "") == whole
    panel.resize(520, 360)
    assert panel.numbers[2].lines == (whole,)


@pytest.mark.parametrize("height", [600, 300, 90])
def test_where_nobody_scrolls_the_last_result_is_in_sight(qtbot, open_stage, show, height):
    stage = open_stage(moons())
    panel = StepPanel(stage)
    panel.gives_way = True
    show(panel, 460, 600)
    panel.setFixedHeight(height)
    go_to(qtbot, stage, 3)
    count = len(stage.session.runs[0].at(3).event.formulas)
    qtbot.waitUntil(lambda: all(row.is_ready for row in panel.numbers))
    last = panel.numbers[count - 1]
    qtbot.waitUntil(lambda: last.isVisible())
    place = lambda: last.mapTo(panel, last.rect().bottomLeft()).y()  # noqa: E731

    def is_laid_out():
        letters, first = panel.letters[0].isVisible(), panel.numbers[0].isVisible()
        return place() <= height and first == (height > 300) and not (letters and height < 600)

    qtbot.waitUntil(is_laid_out)


@pytest.mark.parametrize(
    ("latex", "lines"),
    [
        (r"w = a \cdot 2 = 3", (r"w = a \cdot 2 = 3",)),
        (
            r"w = 1.234 \cdot 2.345 \cdot 3.456 \cdot 4.567 = 45.67",
            (r"w = 1.234 \cdot 2.345 \cdot 3.456 \cdot 4.567", r"\quad = 45.67"),
        ),
        (r"S = \{1\}, \quad s < 1", (r"S = \{1\}", "s < 1")),
        (
            r"w_{2} = \left(1 - 0.5\right) \left(1.234,\ 5.678\right)"
            r" + 0.25 \left(9.123,\ 4.567 + 1\right) = \left(1,\ 2\right)",
            (
                r"w_{2} = \left(1 - 0.5\right) \left(1.234,\ 5.678\right)",
                r"\quad + 0.25 \left(9.123,\ 4.567 + 1\right)",
                r"\quad = \left(1,\ 2\right)",
            ),
        ),
        (
            r"w \leftarrow \left(1.234,\ 5.678\right) - 0.25 \left(9.123,\ 4.567\right) = 1",
            (
                r"w \leftarrow \left(1.234,\ 5.678\right)",
                r"\quad - 0.25 \left(9.123,\ 4.567\right) = 1",
            ),
        ),
        (r"b = 1 + 2", ("b = 1 + 2",)),
    ],
)
def test_a_formula_breaks_at_a_quad_or_a_sign(latex, lines):
    assert break_lines(latex, 19.0) == lines


def test_long_lines_are_broken_in_wide_panels_too(qtbot, open_stage, show):
    stage = open_stage(sine(60, methods=(WorkingSet(),)))
    panel = show(StepPanel(stage), 480, 400)
    # The Newton step near the end moves three variables and more.
    go_to(qtbot, stage, stage.session.runs[0].steps - 1)
    moved = panel.numbers[1]
    qtbot.waitUntil(lambda: len(moved.lines) > 1 and moved.is_ready)
    assert r"\dots" in moved.lines
    assert moved._widest() * moved._size() <= 1.1 * moved.width()


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_nothing_of_a_formula_is_cut_off(qtbot, qapp, open_stage, show, scale):
    stage = open_stage(moons(40, methods=(SMO(pair="platt"),)))
    apply(qapp, LIGHT, 1.0, scale)
    try:
        panel = show(StepPanel(stage), round(360 * scale), round(400 * scale))
        for step in (3, 9, 5):
            go_to(qtbot, stage, step)
            rows = panel.letters + panel.numbers
            qtbot.waitUntil(lambda rows=rows: all(r.is_ready for r in rows if r.isVisible()))
            qtbot.waitUntil(
                lambda rows=rows: all(
                    r.height() >= ceil(r._height() * r._size()) for r in rows if r.isVisible()
                )
            )
    finally:
        apply(qapp, LIGHT, 1.0)


def part_number(stage):
    lane = stage.feed.frame.lane
    return lane.shown_beat.number if lane is not None and lane.shown_beat else 0


@pytest.mark.parametrize("height", [600, 150, 110, 20])
def test_a_computation_is_whole_or_left_out_in_every_part(qtbot, open_stage, show, height):
    stage = open_stage(sine())
    panel = StepPanel(stage)
    panel.set_brief(True)
    panel.present()
    show(panel, 240, 400)
    panel.setFixedHeight(height)
    go_to(qtbot, stage, 2)
    stage.playback.set_by_beats(True)
    stage.playback.seek_step(2)
    shown = []
    for number, beat in enumerate(stage.session.runs[0].at(3).event.beats, 1):
        stage.playback.go_on()
        qtbot.waitUntil(lambda number=number: part_number(stage) == number)
        assert panel._count == len(beat.formulas)
        rows = panel.numbers[: panel._count]
        qtbot.waitUntil(lambda rows=rows: all(row.is_ready for row in rows))

        def is_whole(rows=rows):
            kept = [row for row in rows if row.isVisible()]
            edges = [row.mapTo(panel, row.rect().bottomLeft()).y() for row in kept]
            scales = [row.height() / (row._height() * row._size()) for row in kept]
            return all(y < height for y in edges) and all(s >= MIN_SCALE - 0.02 for s in scales)

        qtbot.waitUntil(is_whole)
        shown.append(sum(row.isVisible() for row in rows))
    assert (max(shown) > 0) == (height > 20)

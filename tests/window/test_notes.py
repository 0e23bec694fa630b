"""Rows G, L, H and S of docs/notes.md, each at its place in the window, with the numbers named."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint

from solvers import Pegasos
from svmviz.document.examples import scenes
from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.selection.share_buttons import THREE_PARTS
from svmviz.plane.overlays import names_of_overlays
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.style import Style
from svmviz.selection.background_search import State
from tests.stages import eight, moons
from tests.window.conftest import settle

pytestmark = [pytest.mark.display, pytest.mark.slow]


@pytest.fixture
def open_example(open_window):
    """Open an example by its entry in the menu; returns the user and the panel that it shows."""

    def open_one(name):
        user = open_window(eight())
        window = user.window
        choose(window.menus.submenus.examples, scenes()[name].title)
        # A scene may begin at another step.
        window.stage.playback.go_to_end()
        settle(user)
        window.plane.navigation.fit()
        return user, panel_of(user, scenes()[name].panel)

    return open_one


def choose(menu, title):
    next(action for action in menu.actions() if action.text() == title).trigger()


def panel_of(user, name):
    def shown():
        panels = user.window.findChildren(FramePanel)
        return [p for p in panels if p.name == name and not p.visibleRegion().isEmpty()]

    user.window.docks.show(name)
    user.until(shown)
    (panel,) = shown()
    user.until_still(panel)
    return panel


def place(chart, x, y):
    pixel = chart.area.pixel(x, y)
    return chart.mapToGlobal(QPoint(round(pixel.x()), round(pixel.y())))


def words_in_plane(user):
    """The names that the overlays write in the plane."""
    plane, frame = user.window.plane, user.window.stage.feed.frame
    style = Style(hovered=user.window.stage.spotlight.index)
    return [name.words for name in names_of_overlays(Canvas(frame, plane.camera, style))]


def test_rows_G(open_example):
    user, panel = open_example("own-line")
    stage, undo = user.window.stage, user.window.stage.session.undo_stack
    assert panel.words.text().endswith(
        "Its margin is 0.3123, the best is 0.7622: 41\xa0%. "
        "On the line, body mass (g) = 250 · bill depth (mm) + 400."
    )
    assert panel.numbers.text("w") == "(−1.25, 1)"
    points = stage.session.document.data.points
    user.move(user.at(*points[80]))
    user.until(lambda: "f / ‖w‖ = −0.3123" in words_in_plane(user))
    assert "w" in words_in_plane(user)
    for part, words in (("origin", "|b| / ‖w‖ = 1.249"), ("parallels", "B₊"), ("pair", "2.092")):
        switch = panel.parts.controls[part]
        switch.click()
        while part == "origin" and user.window.plane.camera.view[2] > -1.0:
            user.window.plane.navigation.zoom(0.8)
        user.until(lambda expected=words: expected in words_in_plane(user))
    user.window.plane.navigation.fit()
    values, margin = panel.shown.values, panel.shown.margin
    scale = panel.scale.instance.kappa
    field = panel.scale.controls["kappa"]
    field.released.emit(2.0 * scale)
    user.until(lambda: panel.shown.values == pytest.approx(2.0 * values))
    assert panel.shown.margin == pytest.approx(margin)
    field.released.emit(1.0)
    user.until(lambda: (panel.shown.labels * panel.shown.values).min() == pytest.approx(1.0))
    # The tool turns and shifts it; the curve turns it to the top.
    before = stage.session.document.user_line
    user.window.plane.setFocus()
    user.key("shift+l")
    user.until(lambda: user.window.planes.tool == "line")
    user.drag(user.at(16, 22), user.at(16.3, 22), user.at(17, 22))
    user.until(lambda: undo.undoText() == "Shift line")
    assert stage.session.document.user_line.w == before.w
    handle = user.window.plane._mouse.tool.feedback.handles[1]
    spot = user.window.plane.mapToGlobal(QPoint(*map(round, handle.tolist())))
    user.drag(spot, spot + QPoint(-10, 0), spot + QPoint(-60, 0))
    user.until(lambda: undo.undoText() == "Turn line")
    user.click(place(panel.angles, 153.4, 0.5))
    user.until(lambda: panel.shown.gap.margin == pytest.approx(0.762, abs=0.15))


def test_rows_G_of_six_points(open_example):
    user, panel = open_example("nearest-pair")
    assert {"2.5", "2"} <= set(words_in_plane(user))
    assert (panel.shown.gap.low, panel.shown.gap.high) == pytest.approx((-0.98, 0.69), abs=0.005)
    user.drag(*(place(panel.axis, x, 0.5) for x in (0.0, 0.2, 0.4)))
    user.until(lambda: panel.shown.line.offset == pytest.approx(0.4, abs=0.05))
    assert panel.words.text().startswith("The line separates")


def test_rows_L(open_example):
    user, panel = open_example("losses")
    user.until(lambda: panel.shown.optimum is not None)
    assert "7 of 60 misclassified" in panel.words.text()
    assert "31 right but in the margin band" in panel.words.text()
    user.until(lambda: panel.numbers.text("primal") == "13.78, optimum 6.877")
    assert panel.numbers.text("regulariser") == "0.58, optimum 2.572"
    assert panel.numbers.text("penalty") == "13.2, optimum 4.305"
    user.click_on(panel.source.button("run"))
    user.until(lambda: panel.numbers.text("primal") == "6.877, optimum 6.877")
    assert "(1/n) Σ ξ = 0.2292: P / (C n), with λ = 1 / (C n) = 0.03333" in panel.forms.text()
    user, panel = open_example("budget")
    user.until(lambda: panel.model.search.state is State.DONE)
    assert (panel.numbers.text("C"), panel.numbers.text("budget")) == ("0.5", "8.61")
    low, (_, M) = panel.chart.ranges[0][0] + 0.4, panel.chart.here
    user.drag(*(place(panel.chart, low, y) for y in (M, M + 4.0, M + 12.0)))
    user.until(lambda: user.window.stage.session.undo_stack.undoText() == "Change budget")
    user.until(lambda: float(panel.numbers.text("budget")) == pytest.approx(M + 12.0, rel=0.02))
    assert user.window.stage.session.document.C < 0.5


def test_rows_L_of_subgradients(open_example):
    user, panel = open_example("sub-gradients")
    stage = user.window.stage
    user.until(lambda: panel.chart.curve is not None)
    loss = panel_of(user, "loss")
    start, kink = loss.chart.handle, 1.0
    steep = kink - 1.2 * (kink - start[0])
    user.drag(*(place(loss.chart, x, y) for x, y in (start, (start[0], 0.8), (steep, 9.0))))
    user.until(lambda: loss.chart.slope == -1.0)
    weights = panel_of(user, "weight-space")
    user.until(lambda: weights.support is not None)
    document = stage.session.document
    stage.session.edit(document.with_method(Pegasos(order="cyclic"), 0), "Pegasos")
    settle(user)
    for step in (1, 2, 60, 61):
        event = stage.session.runs[0].at(step).event
        assert event.touched == ((step - 1) % document.n,)


def test_row_L7(open_window):
    user = open_window(eight())
    choose(user.window.menus.submenus.races, "Two starts, one optimum")
    user.window.stage.playback.go_to_end()
    settle(user)
    for run in user.window.stage.session.runs:
        assert run.certificate.primal == pytest.approx(6.877, abs=1e-3)
        assert run.expansion.w == pytest.approx((2.16, -0.69), abs=0.01)


def test_rows_H(open_example):
    user, panel = open_example("difference-set")
    stage = user.window.stage
    for step, length, gap in ((0, 1.495, None), (4, 1.23, 0.1331), (77, 0.4, 0.4)):
        stage.playback.seek(step)
        user.until(
            lambda s=step: panel.shown.hulls.of_step and stage.feed.panel_frame.lane.step == s
        )
        assert np.hypot(*panel.shown.difference) == pytest.approx(length, abs=1e-3)
        if gap is not None:
            assert panel.shown.hulls.lines.gap == pytest.approx(gap, abs=1e-3)
    assert "‖p − q‖ = width = 0.4" in words_in_plane(user)
    stop = stage.session.runs[0].stop.sentence
    assert "77 steps in 8 sweeps" in stop
    formula = stage.session.runs[0].at(4).event.formulas[-1].numbers
    assert all(part in formula for part in ("0.5629", "0.3587", "0.2316", "1.512"))
    user.window.menus.actions["hulls-half-planes"].trigger()
    assert stage.view.options.hulls == "half-planes"


def test_rows_S(open_example):
    user, panel = open_example("model-choice")
    stage = user.window.stage
    panel.bar.button.click()
    user.until(lambda: not panel.model.search.is_active and panel.model.best is not None)
    texts = [row[1] for row in panel.results.rows]
    assert [text.partition("\xa0%")[0] for text in texts] == ["15", "12.5", "7.5"]
    assert texts[-1] == "7.5\xa0% at C = 0.1, γ = 1"
    for button in (panel.take, panel.retrain, panel.test):
        user.until(button.isEnabled)
        button.click()
    user.until(lambda: stage.session.document.held_out.seen)
    settle(user)
    assert stage.session.document.n == 140
    held_out, run = stage.session.document.held_out, stage.session.runs[0]
    wrong = (run.expansion(held_out.test.points) >= 0.0) != (held_out.test.labels > 0)
    assert (wrong.mean(), len(wrong)) == (0.08, 200)
    user, split = open_example("human-overfitting")
    user.window.stage.session.reset(moons(120))
    settle(user)
    split.usual[1].buttons[THREE_PARTS[1]].click()
    session = user.window.stage.session
    user.until(lambda: session.document.held_out is not None)
    held_out = session.document.held_out
    assert (session.document.n, len(held_out.validation), len(held_out.test)) == (84, 12, 24)

"""Live pages in browsers: what is dragged, added, erased and moved is solved as by the library."""

from __future__ import annotations

import numpy as np
import pytest

from solvers import RBF, SMO, Linear, Polynomial, Problem, solve
from solvers.run.method import counted
from svmviz.base.words import number, tidied
from svmviz.document.document import Penalty
from tests import stages
from tests.export.html.chromium import wait_for

pytestmark = pytest.mark.slow


def live_problem(page):
    """The newest problem of the live page, as the library takes it, and the pairs of its run."""
    wait_for(page, "page.tools.solver.isBusy", False)
    shown = page.evaluate(
        """() => {
          const { problem, result } = page.run.lanes[0];
          const { X, y, C } = problem, { pairs, stop } = result;
          return { X, y, C, pairs, stop };
        }"""
    )
    return shown, np.array(shown["X"]), np.array(shown["y"], float)


def check_live(page, kernel):
    """The page took the pairs of the library, and its words are those of the library."""
    shown, X, y = live_problem(page)
    run = solve(Problem(X, y, kernel=kernel, C=shown["C"]), SMO())
    events = [run.trace.event(step) for step in range(1, run.steps + 1)]
    assert shown["pairs"] == [int(k) for event in events for k in (event["i"], event["j"])]
    assert shown["stop"] == "optimal"
    step = min(5, run.steps)
    page.evaluate("step => { page.goTo(step); page.draw(); }", step)
    sentence = tidied(run.at(step).event.sentence)
    if step < run.steps:
        assert page.inner_text("#narrator") == f"Step {step} {sentence}"
    page.evaluate("page.goTo(page.run.last); page.draw()")
    w = run.expansion.w
    street = (
        "" if w is None else f"the street is 2/‖w‖ = {number(2.0 / np.linalg.norm(w))} wide, with "
    )
    assert page.inner_text("#narrator").startswith(
        f"Converged after {counted(run.steps, 'step')}: {street}"
        f"{counted(len(run.expansion.support), 'support vector')}; training error "
    )


@pytest.mark.parametrize(
    ("browser", "kernel"),
    [
        ("chromium", RBF(1.0)),
        ("chromium", Linear()),
        ("chromium", Polynomial(0.5, 1.0, 3)),
        ("firefox", RBF(1.0)),
    ],
    indirect=["browser"],
)
def test_points_are_dragged_added_and_erased(opened, kernel):
    page, (run,) = opened(stages.moons(30, kernel=kernel))
    # The picture is that of the file, and waits for a hand.
    assert page.is_hidden("#transport")
    assert page.evaluate("page.run === page.fileRun && page.place === page.run.last")
    support = np.count_nonzero(run.expansion.beta)
    said = page.inner_text("#narrator")
    assert said.startswith(f"{support} of 30 points are support vectors; ")
    wrong = np.count_nonzero(
        (run.at(run.steps).expansion(run.problem.X) >= 0) != (run.problem.y > 0)
    )
    assert said.endswith(f"{wrong or 'no'} point{'s are' if wrong > 1 else ' is'} misclassified.")
    page.evaluate("page.tools.solve()")
    check_live(page, kernel)
    box = page.locator("#planes canvas").bounding_box()
    x, y = page.evaluate("page.views[0].pointPixels(4)")
    page.mouse.move(box["x"] + x, box["y"] + y)
    page.mouse.down()
    for k in range(1, 12):
        page.mouse.move(box["x"] + x + 3 * k, box["y"] + y - 4 * k)
    live_problem(page)
    # No step is replayed and no Gram matrix is computed while the hand moves.
    assert page.evaluate("page.run.gram === null && page.run.lanes[0].made === undefined")
    page.mouse.up()
    check_live(page, kernel)
    moved = page.evaluate("page.views[0].pointPixels(4)")
    np.testing.assert_allclose(moved, [x + 33, y - 44], atol=0.5)
    page.check("#live-tools input[value=plus]")
    page.mouse.click(box["x"] + 70, box["y"] + 40)
    assert len(live_problem(page)[1]) == 31
    page.check("#live-tools input[value=erase]")
    spot = page.evaluate("page.views[0].pointPixels(0)")
    page.mouse.click(box["x"] + spot[0], box["y"] + spot[1])
    check_live(page, kernel)
    assert page.evaluate("page.run.n") == 30
    for _ in range(3):
        page.click("#live-undo")
    live_problem(page)
    back = page.evaluate("page.views[0].pointPixels(4)")
    np.testing.assert_allclose(back, [x, y], atol=1e-6)


def test_C_and_gamma_are_moved_by_keys_and_a_point_too(opened):
    page, _ = opened(stages.moons(30))
    page.evaluate("page.tools.solve()")
    before = live_problem(page)[0]["C"]
    page.focus("#live-C")
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    page.focus("#live-gamma")
    for _ in range(10):
        page.keyboard.press("ArrowLeft")
    shown, _, _ = live_problem(page)
    assert shown["C"] == pytest.approx(before * 10**0.2, rel=0.01)
    gamma = page.evaluate("page.run.kernel_program.args[0][0]")
    assert gamma == pytest.approx(10**-0.1, rel=0.01)
    check_live(page, RBF(gamma))
    assert f"RBF (Gaussian), γ {number(gamma)} · C = " in page.inner_text("#model")
    page.evaluate("page.choose(3)")
    start = page.evaluate("page.run.points[6]")
    page.locator("#narrator").click()
    page.evaluate("page.choose(3)")
    page.keyboard.press("Shift+ArrowRight")
    check_live(page, RBF(gamma))
    assert page.evaluate("page.run.points[6]") > start
    # Without a class there is nothing to solve, and the page says so.
    page.evaluate("page.tools.change(() => { page.tools.labels.fill(1); })")
    live_problem(page)
    page.evaluate("page.draw()")
    assert "points of both classes" in page.inner_text("#narrator")


def test_a_drag_that_changes_nothing_leaves_the_words(opened):
    page, _ = opened(stages.moons(28, penalty=Penalty("C", 0.1)))
    page.evaluate("page.goTo(page.run.last)")
    words = "['model', 'narrator', 'legend'].map((id) => byId(id).innerText)"
    page.evaluate("page.draw()")
    before = page.evaluate(words)
    assert "training error" in before[1]
    page.evaluate("page.tools.solve()")
    live_problem(page)
    page.evaluate("page.draw()")
    assert page.evaluate(words) == before


def test_the_legend_lists_what_is_drawn(opened):
    page, _ = opened(stages.moons(30))
    page.evaluate("page.tools.solve()")
    for C, names in ((1e4, ["no"]), (0.01, ["at cap C"])):
        page.evaluate("C => page.tools.change(() => { page.tools.C = C; })", C)
        live_problem(page)
        page.evaluate("page.draw()")
        wrong, at_bound, free = page.evaluate(
            """[page.run.y.some((_, i) => page.views[0].state.slack[i] > 1),
              ...[AT_BOUND, FREE].map((kind) => page.views[0].state.kinds.includes(kind))]"""
        )
        legend = page.inner_text("#legend")
        assert ("misclassified" in legend) == wrong
        assert ("at cap C" in legend) == at_bound
        assert ("the boundary depends on it" in legend) == free
        assert ("at cap C" in names) == at_bound


def test_panels_that_wait_are_not_drawn_of_a_shorter_run(opened):
    page, _ = opened(stages.moons(30))
    page.evaluate("page.tools.solve()")
    live_problem(page)
    lengths = page.evaluate(
        """async () => {
          const long = page.run.last;
          const pause = (time) => new Promise((next) => setTimeout(next, time));
          page.goTo(long);
          // The panels wait.
          page.drawMoving();
          page.tools.change(() => { page.tools.C = 0.01; });
          while (page.run.last === long) await pause(1);
          // As if the next frame were late.
          cancelAnimationFrame(page.request);
          await pause(200);
          return [long, page.run.last];
        }"""
    )
    assert lengths[0] > lengths[1]

"""Pages in Chromium: every step shows what the program shows, by mouse, keys and touch.

Without Chromium or Playwright, which ``make test-slow`` installs, these tests are left out.
"""

from __future__ import annotations

import os
import shutil
import threading
import time
from dataclasses import replace

import numpy as np
import pytest

from solvers import (
    RBF,
    SMO,
    CoordinateAscent,
    Hulls,
    InteriorPoint,
    Linear,
    Pegasos,
    Perceptron,
    Polynomial,
    Problem,
    Subgradient,
    WorkingSet,
    certify,
    solve,
)
from svmviz.base.words import tidied
from svmviz.document.document import Document
from svmviz.export import RUN_FORMATS
from svmviz.export.runs.recording import Recording
from svmviz.export.runs.run_settings import RunSettings
from svmviz.frames.decision_field import make_field
from svmviz.frames.viewport import Grid
from svmviz.io.scene import Scene
from svmviz.panels.controls.transport.narrator import caption
from tests import stages
from tests.foreign_words import BOLD

playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
]
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
RNG = np.random.default_rng(11)
HOSTILE = "<img src=x onerror='window.stranger = 1'></script><script>window.stranger = 1</script>"
DOCUMENTS = {
    "smo": stages.moons(50),
    "platt": stages.moons(40, methods=(SMO(pair="platt"),), kernel=RBF(2.0)),
    "first-order": stages.moons(40, methods=(SMO(pair="maximal-violation"),)),
    "polynomial": stages.moons(40, kernel=Polynomial(0.5, 1.0, 3)),
    "scaled": stages.moons(40, scaling="each"),
    "working-set": stages.moons(50, methods=(WorkingSet(),)),
    "interior-point": stages.moons(40, methods=(InteriorPoint(),)),
    "coordinate-ascent": stages.moons(40, methods=(CoordinateAscent(),), bias="none"),
    "pegasos": stages.moons(40, methods=(Pegasos(max_steps=300),)),
    "subgradient": stages.moons(40, methods=(Subgradient(max_steps=200),), kernel=Linear()),
    "perceptron": stages.moons(40, methods=(Perceptron(max_steps=200),)),
    "hulls": stages.eight(methods=(Hulls(),)),
    "regression": stages.sine(40),
    "regression-interior": stages.sine(30, methods=(InteriorPoint(),)),
    "regression-linear": stages.sine(30, kernel=Linear()),
}


@pytest.fixture(scope="module")
def browser():
    # Threads of Playwright end with the browser, but their names are not of this program.
    before = set(threading.enumerate())
    environment = {k: v for k, v in os.environ.items() if not k.startswith("QT_")}
    with playwright.sync_playwright() as driver:
        made = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS, env=environment)
        yield made
        made.close()
    for thread in set(threading.enumerate()) - before:
        thread.join(5.0)


@pytest.fixture
def opened(browser, qapp, tmp_path):
    """Opens the page of a document; whatever the page reports as an error fails the test."""
    contexts, errors = [], []

    def open_page(document: Document, size=(1280, 900), **options):
        runs = tuple(solve(document.problem(), method) for method in document.methods)
        path = tmp_path / "run.html"
        recording = Recording(Scene(document), runs, caption)
        RUN_FORMATS[".html"].save(path, recording, RunSettings())
        viewport = {"width": size[0], "height": size[1]}
        context = browser.new_context(viewport=viewport, offline=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text))
        page.on("request", lambda request: _note_request(request, errors))
        page.goto(path.as_uri())
        page.wait_for_selector("body.ready")
        return page, runs

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []


def _note_request(request, errors):
    if not request.url.startswith(("file:", "blob:")):
        errors.append(request.url)


def wait_for_place(page, place):
    # Playwright's own way to wait evaluates a text in the page, which the page's policy forbids.
    deadline = time.monotonic() + 30.0
    while page.evaluate("page.place") != place:
        assert time.monotonic() < deadline
        page.wait_for_timeout(20)


def distance(points, line):
    """The distance of each point, shape (m, 2), from a polyline, shape (k, 2)."""
    start, step = line[:-1], np.diff(line, axis=0)
    offset = points[:, None] - start
    length = np.maximum((step**2).sum(-1), 1e-30)
    share = np.clip((offset * step).sum(-1) / length, 0.0, 1.0)
    return np.sqrt(((offset - share[..., None] * step) ** 2).sum(-1)).min(axis=1)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_steps_are_those_of_the_program(opened, name):
    document = DOCUMENTS[name]
    page, (run,) = opened(document)
    steps = sorted({*RNG.integers(0, run.steps + 1, 20).tolist(), run.steps})
    is_regression = document.is_regression
    places = RNG.uniform(-2.0, 3.0, (100, 2))
    points = (places / document.factors)[:, :1] if is_regression else places / document.factors
    for step in steps:
        page.evaluate("step => { page.goTo(step); page.draw(); }", step)
        shown = page.evaluate(
            """places => {
              const lane = page.run.lanes[0], state = lane.state(page.place);
              return {
                alpha: [...state.alpha], slack: [...state.slack], decision: [...state.decision],
                f: places.map(([x, y]) => page.run.valueAt(x, y, state.beta, state.bias)),
                formulas: whyOf(lane.words[page.place]).formulas,
                sentence: document.getElementById("narrator").textContent,
                boundary: page.views[0].boundary, view: page.views[0].view,
                units: page.views[0].units, math: document.querySelectorAll("#why math").length,
              };
            }""",
            places.tolist(),
        )
        snapshot = run.at(step)
        certificate = certify(run.certified_problem, snapshot.expansion)
        expansion = snapshot.expansion
        scale = 1.0 + np.abs(expansion.beta).max()
        np.testing.assert_allclose(shown["f"], expansion(points), rtol=1e-9, atol=1e-10 * scale)
        for value, expected in (
            (shown["alpha"], certificate.alpha),
            (shown["decision"], certificate.decision),
            (shown["slack"], certificate.slack),
        ):
            np.testing.assert_allclose(value, expected, rtol=1e-9, atol=1e-10 * scale)
        event = snapshot.event
        if event is not None:
            assert shown["formulas"] == [[f.letters, f.numbers] for f in event.formulas]
            assert shown["math"] > 0 or not event.formulas
            if step < run.steps:
                assert shown["sentence"] == f"Step {step:,} {tidied(event.sentence)}"
        _check_boundary(document, run, expansion, shown)


def _check_boundary(document, run, expansion, shown):
    """The boundary is within 1 px of that of a picture, on both sides."""
    grid = Grid(*shown["view"], 512, 512)
    field = make_field(run.problem, expansion, document.factors, grid)
    drawn = [np.reshape(line, (-1, 2)) / shown["units"] for line in shown["boundary"]]
    exact = [line / shown["units"] for line in field.contours[0.0]]
    if not exact:
        return
    bottom, top = (edge / shown["units"][1] for edge in shown["view"][2:])
    for lines, others in ((drawn, exact), (exact, drawn)):
        for line in lines:
            inside = (line[:, 1] > bottom + 2) & (line[:, 1] < top - 2)
            # Specks of a few pixels are too small for the grid of the page.
            if len(line) < 2 or np.ptp(line, axis=0).max() < 12 or not inside.any():
                continue
            nearest = np.min([distance(line[inside], other) for other in others], axis=0)
            assert nearest.max() < 1.0


def test_parts_of_a_step_are_walked_by_keys(opened):
    page, (run,) = opened(stages.moons(40))
    page.check("#parts")
    seen, event = [], run.at(1).event
    for _ in range(len(event.beats) + 1):
        page.keyboard.press("ArrowRight")
        page.evaluate("page.draw()")
        seen.append(page.inner_text("#narrator"))
    for number, beat in enumerate(event.beats, 1):
        assert seen[number - 1] == f"Step 1 · part {number} {tidied(beat.sentence)}"
    assert seen[len(event.beats)].startswith("Step 2 · part 1")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.evaluate("page.draw()")
    assert page.inner_text("#narrator") == seen[-3]
    page.keyboard.press("End")
    page.keyboard.press("Home")
    page.evaluate("page.draw()")
    assert "All α are 0" in page.inner_text("#narrator")


def test_play_slider_and_the_card(opened):
    page, (run,) = opened(stages.eight())
    page.keyboard.press("Space")
    wait_for_place(page, run.steps)
    assert page.inner_text("#narrator").startswith("Converged")
    page.focus("#slider")
    page.keyboard.press("Home")
    x, y = page.evaluate("page.views[0].pointPixels(2)")
    box = page.locator("#planes canvas").bounding_box()
    page.mouse.move(box["x"] + x, box["y"] + y)
    page.wait_for_selector("#card:not([hidden])")
    assert page.inner_text("#card h2") == "Point 3"
    page.mouse.move(2, 2)
    page.wait_for_selector("#card", state="hidden")


def test_a_swipe_takes_a_step(opened):
    page, _ = opened(stages.moons(40), size=(360, 740), has_touch=True)
    box = page.locator("#planes canvas").bounding_box()
    middle = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
    client = page.context.new_cdp_session(page)
    for kind, dx in (("touchStart", 0), ("touchMove", -40), ("touchMove", -90), ("touchEnd", None)):
        points = [] if dx is None else [{"x": middle[0] + dx, "y": middle[1]}]
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    wait_for_place(page, 1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_words_of_strangers_run_nothing(opened):
    document = stages.eight()
    data = replace(document.data, class_names=(HOSTILE, BOLD), axis_names=(HOSTILE, BOLD))
    page, _ = opened(replace(document, data=data))
    page.evaluate("page.choose(2); page.draw(); document.getElementById('table-panel').open = true")
    page.wait_for_timeout(200)
    assert page.evaluate("window.stranger") is None
    assert page.locator("img").count() == 0
    assert BOLD in page.inner_text("#card")
    assert page.locator("#card b").count() == 0


@pytest.mark.parametrize("size", [(360, 740), (1280, 900)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(opened, size, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page, _ = opened(stages.moons(40), size=size, color_scheme=scheme)
    page.evaluate("page.goTo(5); document.getElementById('table-panel').open = true")
    page.wait_for_timeout(200)
    found = axe.Axe().run(page).response["violations"]
    assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []


def test_a_print_is_one_page(opened, tmp_path):
    page, _ = opened(stages.moons(40), color_scheme="dark")
    page.evaluate("page.goTo(5)")
    pdf = page.pdf(format="A4")
    assert pdf.count(b"/Type /Page\n") == 1 or b"/Count 1" in pdf


def live_problem(page):
    """The problem that the live page shows, as the library takes it, and the pairs of its run."""
    shown = page.evaluate(
        """() => {
          const { problem, result } = page.run.lanes[0];
          const { X, y, C } = problem, { pairs, stop } = result;
          return { X, y, C, pairs, stop };
        }"""
    )
    return shown, np.array(shown["X"]), np.array(shown["y"], float)


def wait_for_points(page, count):
    deadline = time.monotonic() + 30.0
    while page.evaluate("page.run.lanes[0].result ? page.run.n : -1") != count:
        assert time.monotonic() < deadline
        page.wait_for_timeout(20)


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
    assert page.inner_text("#narrator").startswith(tidied(run.stop.sentence))


@pytest.mark.parametrize("kernel", [RBF(1.0), Linear(), Polynomial(0.5, 1.0, 3)])
def test_points_are_dragged_added_and_erased(opened, kernel):
    page, _ = opened(stages.moons(30, kernel=kernel))
    page.click("#live")
    wait_for_points(page, 30)
    check_live(page, kernel)
    box = page.locator("#planes canvas").bounding_box()
    x, y = page.evaluate("page.views[0].pointPixels(4)")
    page.mouse.move(box["x"] + x, box["y"] + y)
    page.mouse.down()
    for k in range(1, 12):
        page.mouse.move(box["x"] + x + 3 * k, box["y"] + y - 4 * k)
    page.mouse.up()
    page.wait_for_timeout(200)
    moved = page.evaluate("page.views[0].pointPixels(4)")
    np.testing.assert_allclose(moved, [x + 33, y - 44], atol=0.5)
    check_live(page, kernel)
    page.check("#live-tools input[value=plus]")
    page.mouse.click(box["x"] + 70, box["y"] + 40)
    wait_for_points(page, 31)
    page.check("#live-tools input[value=erase]")
    spot = page.evaluate("page.views[0].pointPixels(0)")
    page.mouse.click(box["x"] + spot[0], box["y"] + spot[1])
    wait_for_points(page, 30)
    check_live(page, kernel)
    for _ in range(3):
        page.click("#live-undo")
    page.wait_for_timeout(200)
    back = page.evaluate("page.views[0].pointPixels(4)")
    np.testing.assert_allclose(back, [x, y], atol=1e-6)


def test_C_and_gamma_are_moved_by_keys_and_a_point_too(opened):
    page, _ = opened(stages.moons(30))
    page.click("#live")
    wait_for_points(page, 30)
    before = live_problem(page)[0]["C"]
    page.focus("#live-C")
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    page.focus("#live-gamma")
    for _ in range(10):
        page.keyboard.press("ArrowLeft")
    page.wait_for_timeout(200)
    shown, _, _ = live_problem(page)
    assert shown["C"] == pytest.approx(before * 10**0.2, rel=0.01)
    gamma = page.evaluate("page.run.kernel_program.args[0][0]")
    assert gamma == pytest.approx(10**-0.1, rel=0.01)
    check_live(page, RBF(gamma))
    page.evaluate("page.choose(3)")
    start = page.evaluate("page.run.points[6]")
    page.locator("#narrator").click()
    page.evaluate("page.choose(3)")
    page.keyboard.press("Shift+ArrowRight")
    page.wait_for_timeout(200)
    assert page.evaluate("page.run.points[6]") > start
    check_live(page, RBF(gamma))
    # Without a class there is nothing to solve, and the page says so.
    page.evaluate("page.tools.change(() => { page.tools.labels.fill(1); })")
    page.wait_for_timeout(200)
    assert "points of both classes" in page.inner_text("#narrator")


def test_a_drag_keeps_pace_on_a_slow_processor(opened):
    page, _ = opened(stages.moons(100))
    page.click("#live")
    wait_for_points(page, 100)
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
    times = page.evaluate(
        """async () => {
          const times = [], { tools } = page;
          tools.dragged = 4;
          for (let k = 0; k < 60; k++) {
            const start = performance.now();
            tools.onMove([0.5 + 0.005 * k, 0.4]);
            page.draw();
            times.push(performance.now() - start);
            await new Promise((next) => requestAnimationFrame(next));
          }
          tools.onUp();
          return times;
        }"""
    )
    steps = page.evaluate(
        """() => {
          const times = [];
          page.goTo(0);
          for (let k = 0; k < 30; k++) {
            const start = performance.now();
            page.place = k;
            page.draw();
            times.push(performance.now() - start);
          }
          return times;
        }"""
    )
    print("drag", np.percentile(times, (50, 90)), "step", np.percentile(steps, (50, 90)))
    # On an idle machine it is a third of this.
    assert np.median(times) < 100.0

"""Pages in two browsers: every step shows what the program shows, by mouse, keys and touch."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from solvers import (
    RBF,
    SMO,
    Composed,
    CoordinateAscent,
    Custom,
    FullQuadratic,
    Hulls,
    InteriorPoint,
    Laplacian,
    Linear,
    Pegasos,
    Perceptron,
    Polynomial,
    Subgradient,
    WorkingSet,
    certify,
    solve,
)
from solvers.data.datasets import PointSet
from solvers.data.items import words_of
from svmviz.base.words import number, tidied
from svmviz.colours.themes import similar_theme
from svmviz.document.document import Document, Penalty
from svmviz.document.user_line import UserLine
from svmviz.document.view_options import ViewOptions
from svmviz.export import RUN_FORMATS
from svmviz.export.runs.recording import Recording
from svmviz.export.runs.run_settings import RunSettings
from svmviz.io.scene import Scene
from svmviz.plane.sentences import caption
from tests import stages
from tests.export.html.chromium import CHROMIUM_ONLY, wait_for, wait_for_place
from tests.foreign_words import BOLD

pytestmark = pytest.mark.slow
RNG = np.random.default_rng(11)
HOSTILE = "<img src=x onerror='window.stranger = 1'></script><script>window.stranger = 1</script>"
DOCUMENTS = {
    "smo": stages.moons(50),
    "platt": stages.moons(40, methods=(SMO(pair="platt", max_steps=150),), kernel=RBF(2.0)),
    "first-order": stages.moons(40, methods=(SMO(pair="maximal-violation"),)),
    "polynomial": stages.moons(40, kernel=Polynomial(0.5, 1.0, 3)),
    "scaled": stages.moons(40, scaling="each"),
    "working-set": stages.moons(50, methods=(WorkingSet(),)),
    "interior-point": stages.moons(40, methods=(InteriorPoint(),)),
    "coordinate-ascent": stages.moons(40, methods=(CoordinateAscent(max_steps=150),), bias="none"),
    "pegasos": stages.moons(40, methods=(Pegasos(max_steps=150),)),
    "subgradient": stages.moons(40, methods=(Subgradient(max_steps=100),), kernel=Linear()),
    "perceptron": stages.moons(40, methods=(Perceptron(max_steps=100),)),
    "hulls": stages.eight(methods=(Hulls(),)),
    "regression": stages.sine(40),
    "regression-interior": stages.sine(30, methods=(InteriorPoint(),)),
    "regression-linear": stages.sine(30, kernel=Linear(), methods=(SMO(max_steps=150),)),
    "regression-working-set": stages.sine(30, methods=(WorkingSet(),)),
    "quadratic": stages.moons(30, kernel=FullQuadratic(), methods=(SMO(max_steps=150),)),
    "composed": stages.moons(30, kernel=Composed("0.5*rbf(gamma=2) + linear()")),
    "formula": stages.moons(30, kernel=Custom("exp(-(x1 - z1)^2) * cos(x2 - z2)")),
    "kinks": stages.moons(30, kernel=Laplacian(3.0)),
    "bounds": stages.moons(30, penalty=Penalty("C", 0.1)),
}


def distance(points, line):
    """The distance of each point, shape (m, 2), from a polyline, shape (k, 2)."""
    start, step = line[:-1], np.diff(line, axis=0)
    offset = points[:, None] - start
    length = np.maximum((step**2).sum(-1), 1e-30)
    share = np.clip((offset * step).sum(-1) / length, 0.0, 1.0)
    return np.sqrt(((offset - share[..., None] * step) ** 2).sum(-1)).min(axis=1)


# Both browsers run the same program; they may differ in numbers as text, which every step has.
IN_BOTH = ("smo", "polynomial", "pegasos", "regression", "formula")


@pytest.mark.parametrize(
    ("browser", "name"),
    [*(("chromium", name) for name in DOCUMENTS), *(("firefox", name) for name in IN_BOTH)],
    indirect=["browser"],
)
def test_steps_are_those_of_the_program(browser, opened, name):
    document = DOCUMENTS[name]
    page, (run,) = opened(document)
    steps = sorted({*RNG.integers(0, run.steps + 1, 5).tolist(), run.steps})
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
                objectives: [state.primal, state.dual, state.gap, state.kkt],
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
        objectives = [getattr(certificate, name) for name in ("primal", "dual", "gap", "kkt")]
        if np.isfinite(objectives).all():
            np.testing.assert_allclose(shown["objectives"], objectives, rtol=1e-6)
        event = snapshot.event
        if event is not None:
            assert shown["formulas"] == [[f.letters, f.numbers] for f in event.formulas]
            assert shown["math"] > 0 or not event.formulas
            if step < run.steps:
                assert shown["sentence"] == f"Step {step:,} {tidied(event.sentence)}"
        _check_boundary(document, expansion, shown)


def _check_boundary(document, expansion, shown):
    """The boundary is within 1 px of the places at which f changes its sign, on both sides."""
    view, units, factors = np.array(shown["view"]), np.array(shown["units"]), document.factors

    def f(places):
        points = places * units
        if document.is_regression:
            return expansion(points[:, :1] / factors[0]) - points[:, 1]
        return expansion(points / factors)

    left, right, bottom, top = view / np.repeat(units, 2)
    drawn = [np.reshape(line, (-1, 2)) / units for line in shown["boundary"]]
    across = _sign_changes(lambda x, y: f(np.stack([x, y], 1)), (left, right), (bottom, top))
    along = _sign_changes(lambda y, x: f(np.stack([x, y], 1)), (bottom, top), (left, right))
    changes = np.vstack([across, along[:, ::-1]])
    if len(changes) > 0:
        assert np.min([distance(changes, line) for line in drawn], axis=0).max() < 1.0
    angles = np.arange(8) * np.pi / 4
    for line in drawn:
        inside = line[(line[:, 1] > bottom + 2) & (line[:, 1] < top - 2)]
        around = inside[:, None] + np.stack([np.cos(angles), np.sin(angles)], 1)
        signs = f(around.reshape(-1, 2)).reshape(-1, 8) >= 0
        assert (signs.any(axis=1) & ~signs.all(axis=1)).all()


def _sign_changes(f, lines, along):
    """The places (line, place), shape (m, 2), at which f changes its sign along parallel lines.

    The lines are 16 px apart. Two changes closer than 12 px are left out, because the features
    between them are too small for the grid of the page.
    """
    at = np.arange(lines[0] + 3.0, lines[1], 16.0)
    places = np.arange(along[0] + 1.0, along[1], 3.0)
    signs = f(np.repeat(at, len(places)), np.tile(places, len(at))).reshape(len(at), -1) >= 0
    line, start = np.nonzero(signs[:, 1:] != signs[:, :-1])
    low, high, below = places[start], places[start + 1], signs[line, start]
    for _ in range(8):
        middle = 0.5 * (low + high)
        is_low = (f(at[line], middle) >= 0) == below
        low, high = np.where(is_low, middle, low), np.where(is_low, high, middle)
    is_near = (np.diff(line) == 0) & (np.diff(low) < 12)
    kept = np.ones(len(line), dtype=bool)
    kept[:-1] &= ~is_near
    kept[1:] &= ~is_near
    return np.stack([at[line], low], 1)[kept]


def test_a_page_begins_at_the_step_and_with_the_layers_of_its_scene(visited, qapp, tmp_path):
    document = replace(stages.eight(), user_line=UserLine((1.0, -1.0), 0.2))
    runs = (solve(document.problem(), document.method),)
    for step, place in ((None, runs[0].steps), (2, 2)):
        options = ViewOptions(sticks=False, alpha_area=True, alpha_numbers=True)
        scene = Scene(document, options, step, speed=7.0)
        path = tmp_path / f"{place}.html"
        RUN_FORMATS[".html"].save(path, Recording(scene, runs, caption), RunSettings())
        page = visited(path)
        assert page.evaluate("[page.place, page.run.speed]") == [place, 7.0]
        layers = page.evaluate("page.run.layers")
        assert ["sticks" in layers, "alpha_area" in layers, "band" in layers] == [False, True, True]
        alphas = np.abs(runs[0].at(place).expansion.beta)
        texts = [f"α = {number(alpha, 3)}" if alpha > 0 else "" for alpha in alphas]
        assert page.evaluate("page.views[0].pointTexts()") == texts
        # Of the pixels around a place of the user's line, one has its colour.
        colours = page.evaluate(
            """() => {
              const view = page.views[0], [start, end] = lineEnds(view, page.run.line);
              const place = (k) => start[k] + 0.03 * (end[k] - start[k]);
              const at = [0, 1].map((k) => Math.round(view.ratio * place(k)) - 1);
              return [...view.context.getImageData(...at, 3, 3).data];
            }"""
        )
        wanted = similar_theme(is_dark=False, has_high_contrast=False).series[1]
        channels = [int(wanted[k : k + 2], 16) for k in (1, 3, 5)]
        # The edge of the line is mixed with the ground.
        assert np.abs(np.reshape(colours, (-1, 4))[:, :3] - channels).max(axis=1).min() < 45


def test_a_mistake_of_the_perceptron_adds_an_arrow(opened):
    document = stages.moons(40, methods=(Perceptron(max_steps=100),), kernel=Linear())
    page, (run,) = opened(document)
    for step in range(1, 12):
        page.evaluate("step => { page.goTo(step); page.draw(); }", step)
        found = page.evaluate(
            """() => {
              const { units } = page.views[0];
              return arrowsOf(page.views[0]).map(([name, , start, end]) =>
                [name, [(end[0] - start[0]) * units[0], (start[1] - end[1]) * units[1]]]);
            }"""
        )
        before, after = run.at(step - 1).expansion.w, run.at(step).expansion.w
        wanted = {"w": before, "y x": after - before, "w + y x": after}
        if not before.any():
            del wanted["w + y x"]
        elif not (after - before).any():
            wanted = {"w": after}
        # A name states the factor by which its arrow is shorter or longer than the vector.
        names = [re.sub(r"^[\d.e-]+ \(?|\)$", "", name) for name, _ in found]
        assert names == [name for name, vector in wanted.items() if vector.any()]
        vectors, expected = np.array([v for _, v in found]), np.array([wanted[n] for n in names])
        stated = re.match(r"[\d.e-]+(?= )", found[0][0])
        scale = float(stated[0]) if stated else 1.0
        np.testing.assert_allclose(vectors, scale * expected, atol=1e-9)


def test_planes_keep_their_pixels_when_others_are_hidden(opened):
    page, _ = opened(stages.moons(30, methods=(SMO(), WorkingSet(), InteriorPoint())))
    page.click("#live")
    wait_for(page, "page.run.lanes.length", 1)
    page.wait_for_timeout(200)
    width, shown = page.evaluate(
        "((c) => [c.width, c.getBoundingClientRect().width])(page.views[0].canvas)"
    )
    assert abs(width - shown) < 1


def test_words_have_no_boundary_and_no_live_page(opened):
    names = ["singing", "ringing", "singer", "ringer", HOSTILE[:12]]
    data = PointSet(np.zeros((5, 2)), [-1, -1, 1, 1, 1], items=words_of(names))
    page, (run,) = opened(Document(data=data))
    page.evaluate("page.goTo(page.run.last); page.choose(1)")
    page.wait_for_selector("#card:not([hidden])")
    assert page.inner_text("#card h2") == "Point 2: ringing"
    assert page.is_hidden("#live")
    decision = page.evaluate("[...page.run.lanes[0].state(page.place).decision]")
    expected = certify(run.certified_problem, run.expansion).decision
    np.testing.assert_allclose(decision, expected, rtol=1e-5)


def test_parts_of_a_step_are_walked_by_keys(opened):
    page, (run,) = opened(stages.moons(40))
    page.keyboard.press("Home")
    page.check("#parts")
    seen, event = [], run.at(1).event
    for _ in range(len(event.beats) + 1):
        page.keyboard.press("ArrowRight")
        page.evaluate("page.draw()")
        seen.append(page.inner_text("#narrator"))
    for part, beat in enumerate(event.beats, 1):
        head = f"Step 1 · part {part} of {len(event.beats)}"
        assert seen[part - 1] == f"{head} {tidied(beat.sentence)}"
    assert seen[len(event.beats)].startswith("Step 2 · part 1")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.evaluate("page.draw()")
    assert page.inner_text("#narrator") == seen[-3]
    # Whole steps again: the step that was explained, whose parts begin anew.
    for is_on, head in ((False, "Step 1 "), (True, "Step 1 · part 1"), (False, "Step 1 ")):
        page.set_checked("#parts", is_on)
        page.evaluate("page.draw()")
        assert page.inner_text("#narrator").startswith(head)
        assert ("part" in page.inner_text("#narrator")[:14]) == is_on
    page.keyboard.press("End")
    page.keyboard.press("Home")
    page.evaluate("page.draw()")
    assert "All α are 0" in page.inner_text("#narrator")


def test_play_slider_and_the_card(opened):
    page, (run,) = opened(stages.eight())
    page.keyboard.press("Space")
    wait_for_place(page, run.steps)
    assert page.inner_text("#narrator").startswith("Converged")
    page.evaluate("page.draw()")
    assert page.text_content("#why p").startswith(f"Step {run.steps}, the last. ")
    page.focus("#slider")
    page.keyboard.press("Home")
    x, y = page.evaluate("page.views[0].pointPixels(2)")
    box = page.locator("#planes canvas").bounding_box()
    page.mouse.move(box["x"] + x, box["y"] + y)
    page.wait_for_selector("#card:not([hidden])")
    assert page.inner_text("#card h2") == "Point 3"
    page.mouse.move(2, 2)
    page.wait_for_selector("#card", state="hidden")


@CHROMIUM_ONLY
def test_a_swipe_takes_a_step(opened):
    page, _ = opened(stages.moons(40), size=(360, 740), has_touch=True)
    page.evaluate("page.goTo(0)")
    box = page.locator("#planes canvas").bounding_box()
    # Where there is no point: a finger on a point drags it.
    place = [0.8 * box["width"], 24]
    assert page.evaluate("place => page.views[0].pointAt(...place)", place) is None
    start = [box["x"] + place[0], box["y"] + place[1]]
    client = page.context.new_cdp_session(page)
    for kind, dx in (("touchStart", 0), ("touchMove", -40), ("touchMove", -90), ("touchEnd", None)):
        points = [] if dx is None else [{"x": start[0] + dx, "y": start[1]}]
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


@CHROMIUM_ONLY
@pytest.mark.parametrize(
    ("size", "scheme", "contrast"),
    [
        ((360, 740), "light", "no-preference"),
        ((360, 740), "dark", "more"),
        ((1280, 900), "dark", "no-preference"),
        ((1280, 900), "light", "more"),
    ],
)
def test_axe_finds_nothing(opened, size, scheme, contrast):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page, _ = opened(stages.moons(40), size=size, color_scheme=scheme, contrast=contrast)
    colours = page.evaluate("page.views[0].colours")
    is_dark, has_contrast = scheme == "dark", contrast == "more"
    theme = similar_theme(is_dark=is_dark, has_high_contrast=has_contrast)
    names = ("plane", "boundary", "ring", "text")
    assert [colours[name] for name in names] == [getattr(theme, name) for name in names]
    page.evaluate(
        "page.goTo(5); document.querySelectorAll('details').forEach((d) => d.open = true)"
    )
    page.wait_for_timeout(200)
    found = axe.Axe().run(page).response["violations"]
    assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []


@CHROMIUM_ONLY
def test_a_print_is_one_page(opened, tmp_path):
    page, _ = opened(stages.moons(40), color_scheme="dark")
    # The last step of a run has the most to say.
    page.evaluate("page.goTo(page.run.last); page.draw()")
    pdf = page.pdf(format="A4")
    assert pdf.count(b"/Type /Page\n") == 1 or b"/Count 1" in pdf

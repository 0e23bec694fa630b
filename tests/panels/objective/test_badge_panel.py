"""The badge follows from certificate and tolerance, and says so in numbers."""

from __future__ import annotations

import dataclasses
import math
import threading

import numpy as np
import pytest
from PySide6.QtCore import Qt

from solvers import (
    SMO,
    CoordinateAscent,
    Custom,
    Hulls,
    InteriorPoint,
    Linear,
    Pegasos,
    Perceptron,
    Reason,
    Sigmoid,
    certify,
)
from solvers.data.datasets import PointSet
from solvers.problem import problem as problem_module
from svmviz.base.words import number
from svmviz.camera.camera import Camera
from svmviz.document.document import Document, Penalty
from svmviz.panels.controls.settings.model_panel import MercerLine
from svmviz.panels.objective.badge_panel import (
    BadgePanel,
    describe,
    gap_words,
    is_optimal,
)
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.legend_marks import entries
from svmviz.plane.paint.style import Style
from svmviz.plane.point_card import describe as hover
from svmviz.widgets.badge import BadgeState
from svmviz.widgets.plain_text import Label, words_of_tip
from tests.stages import eight, moons, sine
from tests.waiting import complete_curves, go_to


@pytest.fixture
def stage(open_stage):
    return open_stage(moons())


def words(panel):
    return panel.badge.state, panel.badge.text


def test_badge_of_an_optimum_and_before_it(qtbot, stage, show):
    panel = show(BadgePanel(stage))
    certificate = stage.feed.frame.lane.certificate
    assert words(panel) == (BadgeState.GOOD, "optimal · training error 1.2\N{NO-BREAK SPACE}%")
    tip = words_of_tip(panel.badge)
    assert f"largest KKT violation  {number(certificate.kkt, 2)}, in units of f (point " in tip
    assert f"gap P − D  {gap_words(certificate)}; the optimum lies between" in tip
    for part in ("support vectors", stage.session.runs[0].stop.sentence):
        assert part in tip
    go_to(qtbot, stage, 3)
    state, text = words(panel)
    assert state is BadgeState.NEUTRAL
    assert text == "not optimal yet · training error 14\N{NO-BREAK SPACE}%"


def test_the_tip_says_which_tolerance_was_met_and_what_the_gap_then_is(open_stage):
    overlapping = moons(60, penalty=Penalty("C", 1e6), methods=(SMO(tol=0.05),))
    for document in (moons(), overlapping):
        frame = open_stage(document).feed.frame
        certificate = frame.lane.certificate
        state, text, tip, _ = describe(frame)
        sentence, tol = tip.splitlines()[0], number(document.method.tol)
        assert f"to within {tol}" in sentence
        assert f"the gap P − D is {gap_words(certificate)}" in sentence
        is_close = certificate.relative_gap <= 0.5
        assert sentence.startswith("Optimal: ") == is_close
        assert ("no other boundary has a smaller P, not that no point is wrong." in tip) == is_close
        assert text.startswith("optimal · ") == is_close == (state is BadgeState.GOOD)
        assert text.startswith("nearly optimal · ") != is_close
    # The second document is the one whose gap is wide.
    assert not is_close
    assert "times D" in sentence


def test_a_click_asks_for_the_numbers_over_the_steps(qtbot, stage, show):
    panel = show(BadgePanel(stage))
    with qtbot.waitSignal(panel.clicked):
        qtbot.mouseClick(panel.badge, Qt.MouseButton.LeftButton)


def test_badge_shows_a_longer_text_whole_at_once(stage, show):
    panel = show(BadgePanel(stage))
    frame = stage.feed.frame
    certificate = dataclasses.replace(frame.lane.certificate, kkt=0.1)
    lane = dataclasses.replace(frame.lane, step=3, length=9, certificate=certificate)
    before = panel.badge.width()
    stage.feed.panel_frame = dataclasses.replace(frame, lanes=(lane,))
    stage.feed.panel_frame_changed.emit(stage.feed.panel_frame)
    assert panel.badge.width() == panel.badge.sizeHint().width() > before


def test_the_tip_says_by_how_much_it_misses(qtbot, open_stage, show):
    stage = open_stage(moons(methods=(Pegasos(max_steps=20_000),)))
    panel = show(BadgePanel(stage))
    complete_curves(qtbot, stage)
    certificate = stage.feed.frame.lane.certificate
    assert words(panel)[0] is BadgeState.WARN
    share = float(words_of_tip(panel.badge).partition("the gap P − D is ")[2].split()[0]) / 100
    assert certificate.gap == pytest.approx(share * certificate.dual, rel=0.06)
    exact = open_stage(moons(methods=(SMO(tol=1e-6),))).session.runs[0].certificate.primal
    assert certificate.primal <= (1 + share) * exact * 1.01


def test_badge_of_a_hard_margin(qtbot, open_stage, show):
    stage = open_stage(eight(penalty=Penalty("C", math.inf)))
    panel = show(BadgePanel(stage))
    assert words(panel)[0] is BadgeState.GOOD
    go_to(qtbot, stage, 0)
    state, text = words(panel)
    assert (state, text.partition(" · ")[0]) == (BadgeState.NEUTRAL, "not optimal yet")
    assert "gap P − D  ∞" in words_of_tip(panel.badge)


def test_badge_says_that_nothing_separates(qtbot, open_stage, show):
    stage = open_stage(moons(40, kernel=Linear(), penalty=Penalty("C", math.inf)))
    panel = show(BadgePanel(stage))
    assert stage.session.runs[0].reason is Reason.NOT_SEPARABLE
    assert words(panel)[0] is BadgeState.WARN
    assert words(panel)[1].startswith("not separable · ")


def test_badge_of_nothing(qtbot, open_stage, show):
    stage = open_stage()
    panel = show(BadgePanel(stage))
    qtbot.waitUntil(lambda: panel.badge.text == "no points yet")
    one = PointSet(np.zeros((1, 2)), np.array([1]))
    stage.session.edit(Document(data=one), "one class")
    qtbot.waitUntil(lambda: panel.badge.text == "needs both classes")
    assert "each class" in words_of_tip(panel.badge)


def test_badge_of_a_kernel_that_certifies_nothing(open_stage):
    stage = open_stage(moons(kernel=Sigmoid(0.5, 0.0), penalty=Penalty("C", 1.0)))
    state, text, tip, _ = describe(stage.feed.frame)
    assert state is BadgeState.WARN
    assert text == "not a kernel · training error 25\N{NO-BREAK SPACE}%"
    assert "which proves no optimum here" in tip.splitlines()[0]
    assert "not positive semi-definite" in tip


@pytest.mark.parametrize("kernel", [Sigmoid(0.5, 0.0), Custom("exp(-(x1-z1)^2-(x2-z2)^2)")])
def test_a_drag_checks_no_kernel_and_claims_no_optimum(
    qtbot, open_stage, show, monkeypatch, kernel
):
    stage = open_stage(moons(kernel=kernel, penalty=Penalty("C", 1.0)))
    line = show(MercerLine(stage, show(Label())))
    qtbot.waitUntil(lambda: bool(line.label.text() or line.yes.text()))
    first, checks, check = stage.feed.frame, [], problem_module.check_concavity

    def checked(*arguments):
        # SMO itself looks at a kernel with which a pair had a negative curvature.
        if threading.current_thread().name != "svmviz-runner":
            checks.append(arguments)
        return check(*arguments)

    monkeypatch.setattr(problem_module, "check_concavity", checked)
    for C in (1.1, 1.2, 1.3):
        stage.session.preview(dataclasses.replace(stage.session.document, penalty=Penalty("C", C)))
        qtbot.waitUntil(lambda: is_shown_at_its_end(stage))
        frame = stage.feed.frame
        assert frame.lane.warm
        assert frame.lane.gap_proves is None
        state, text, tip, _ = describe(frame)
        assert state is BadgeState.NEUTRAL
        assert text.startswith("stationary point · training error")
        assert "During a drag it is not checked" in tip
        assert "the optimum lies between" not in tip
    assert not checks
    stage.session.commit("Change C")
    qtbot.waitUntil(lambda: is_shown_at_its_end(stage) and not stage.feed.frame.lane.warm)
    assert stage.feed.frame.lane.gap_proves is first.lane.gap_proves
    assert describe(stage.feed.frame)[0] is describe(first)[0]


def is_shown_at_its_end(stage):
    lane, document = stage.feed.frame.lane, stage.session.document
    return lane is not None and lane.at_end and lane.problem.C == document.C


def test_badge_of_a_kernel_that_is_one_for_the_betas_of_a_free_bias(open_stage):
    # 1 - |x - z|^2 is 2 <x, z> where sum beta = 0.
    kernel = Custom("1 - (x1 - z1)^2 - (x2 - z2)^2")
    optimal = describe(open_stage(eight(kernel=kernel)).feed.frame)
    assert optimal[0] is BadgeState.GOOD
    assert "the optimum lies between D and P" in optimal[2]
    # Pegasos keeps no sum, so P may be below the optimum.
    of_pegasos = describe(open_stage(eight(kernel=kernel, methods=(Pegasos(),))).feed.frame)
    assert of_pegasos[0] is not BadgeState.GOOD
    assert "only for Σ β = 0" in of_pegasos[2]
    assert "the optimum lies between" not in of_pegasos[2]


def test_badge_of_methods_with_another_aim(qtbot, open_stage):
    # A perceptron that has converged separates the classes; it minimises no P.
    stage = open_stage(eight(methods=(Perceptron(),)))
    assert stage.feed.frame.lane.stop.reason is Reason.CONVERGED
    state, text, tip, _ = describe(stage.feed.frame)
    assert (state, text) == (BadgeState.NEUTRAL, "separates · training error 0\N{NO-BREAK SPACE}%")
    assert "does not use C or minimise P" in tip
    go_to(qtbot, stage, 0)
    assert describe(stage.feed.frame)[1].startswith("still makes mistakes · training error 50")
    # In the last sweep nothing is wrong any more.
    go_to(qtbot, stage, stage.playback.length - 1)
    assert describe(stage.feed.frame)[1].startswith("no mistakes left · training error 0")


@pytest.mark.parametrize(
    "document",
    [
        moons(),
        # The gap grows with C, and alpha, b and picture are the same.
        eight(penalty=Penalty("C", 1000.0)),
        moons(methods=(Pegasos(max_steps=500),)),
        moons(methods=(InteriorPoint(),)),
        moons(bias="augmented", methods=(CoordinateAscent(),)),
        moons(penalty=Penalty("C", 1000.0), methods=(SMO(max_steps=200),)),
        eight(methods=(Perceptron(),)),
        eight(methods=(Hulls(),), penalty=Penalty("C", math.inf)),
        # Judged by the hard margin, and by the reduced hulls, whatever C is.
        eight(methods=(Hulls(),), penalty=Penalty("C", 0.01)),
        moons(kernel=Linear(), methods=(Hulls(algorithm="mdm", mu=0.05),)),
        moons(methods=(Hulls(algorithm="wolfe", mu=0.04),)),
        sine(),
    ],
    ids=[
        *("moons", "large C", "Pegasos", "IP", "CA", "step limit", "perceptron", "hard hulls"),
        *("hulls", "reduced hulls", "reduced hulls of a kernel", "sine"),
    ],
)
def test_badge_follows_from_certificate_and_tolerance(qtbot, open_stage, document):
    stage = open_stage(document)
    run = stage.session.runs[0]
    for step in sorted({0, 1, run.steps // 2, run.steps - 1, run.steps}):
        go_to(qtbot, stage, step)
        found = certify(run.certified_problem, run.at(step).expansion)
        state, text, tip, _ = describe(stage.feed.frame)
        optimal = found.kkt <= 1.001 * getattr(run.method, "tol", 1e-3)
        assert is_optimal(found, stage.feed.frame.lane.kkt_tolerance) == optimal
        assert (state is BadgeState.GOOD) == optimal == text.startswith("optimal")
        assert f"KKT violation  {number(found.kkt if found.kkt > 1e-12 else 0.0, 2)}," in tip
        assert f"gap P − D  {gap_words(found)}" in tip
        assert "KKT" not in text
    # The badge and the sentence below it agree on the end.
    if not run.method.aim:
        assert (state is BadgeState.GOOD) == (run.reason is Reason.CONVERGED)


@pytest.mark.parametrize(
    ("primal", "dual", "words"),
    [
        (1.021, 1.0, "2.1\xa0% of D"),
        (3.4, 1.0, "2.4 times D"),
        (2.0, 0.0, "2"),
        (math.inf, 1.0, "∞"),
        (0.7, 0.7 * (1 + 1e-15), "0"),
        (0.0, 0.0, "0"),
    ],
)
def test_the_gap_is_a_multiple_of_the_dual(stage, primal, dual, words):
    known = stage.feed.frame.lane.certificate
    assert gap_words(dataclasses.replace(known, primal=primal, dual=dual)) == words


def test_the_tip_says_that_the_primal_rose(qtbot, open_stage, show):
    stage = open_stage(moons())
    panel = show(BadgePanel(stage))
    qtbot.waitUntil(lambda: any(curve.complete for curve in stage.feed.curves))
    curve = stage.feed.curves[0]
    before = np.minimum.accumulate(curve.primal)[:-1]
    rose = np.flatnonzero(curve.primal[1:] > before * (1 + 1e-6)) + 1
    fell = np.flatnonzero(curve.primal[1:] < before) + 1
    assert len(rose), "the test needs a run whose P rises"
    for steps, expected in ((rose, True), (fell, False)):
        go_to(qtbot, stage, int(curve.steps[steps[0]]))
        number = f"Step {int(curve.steps[steps[0]])} of"
        qtbot.waitUntil(lambda number=number: number in words_of_tip(panel.badge))
        assert "smaller" not in panel.badge.text
        assert ("P was smaller at an earlier step" in words_of_tip(panel.badge)) == expected


def test_badge_while_solving(stage):
    frame = stage.feed.frame
    growing = dataclasses.replace(frame.lane, stop=None)
    busy = dataclasses.replace(frame, lanes=(growing,))
    assert describe(busy)[0] is BadgeState.BUSY


def test_reduced_hulls_are_judged_by_their_own_problem(open_stage):
    """C does not matter: P and D are half squared distances, and weights have a cap."""
    seen = set()
    for C in (0.01, 1.0, 100.0):
        document = moons(
            kernel=Linear(),
            penalty=Penalty("C", C),
            methods=(Hulls(algorithm="wolfe", mu=0.05),),
        )
        frame = open_stage(document).feed.frame
        state, text, tip, _ = describe(frame)
        assert state is BadgeState.GOOD
        assert "P = ½‖p − q‖²" in tip
        assert "C is not used" in tip
        certificate = frame.lane.certificate
        weights = certificate.alpha / certificate.alpha[frame.lane.problem.y > 0].sum()
        capped = int(np.count_nonzero(weights >= 0.05 * (1 - 1e-12)))
        assert capped > 10
        shown = entries(Canvas(frame, Camera(), Style()))
        found = {entry.text: entry.count for entry in shown}
        assert found["τ at cap μ"] == capped
        assert found["support vector"] == np.count_nonzero(weights)
        notes = hover(frame, int(np.argmax(weights))).notes
        assert notes[0] == "support vector at the cap μ: τ = μ"
        seen.add((text, number(certificate.primal)))
    assert len(seen) == 1

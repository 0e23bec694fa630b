"""The transport asks, the playback answers; the narrator and the badge read the frame."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from solvers import (
    RBF,
    SMO,
    CoordinateAscent,
    Hulls,
    InteriorPoint,
    Linear,
    Pegasos,
    Perceptron,
    Reason,
    Run,
    Sigmoid,
    certify,
)
from solvers.data.datasets import PointSet
from svmviz.base.words import number
from svmviz.document.document import Document, Penalty
from svmviz.frames.frame import Frame
from svmviz.panels.badge_panel import BadgePanel, describe, gap_words, is_optimal
from svmviz.panels.transport.narrator import Narrator, compiling, sentence
from svmviz.panels.transport.speed_box import in_words
from svmviz.panels.transport.step_box import read_step
from svmviz.panels.transport.transport import Transport
from svmviz.plane.hover import tolerance
from svmviz.theme import LIGHT, apply
from svmviz.widgets.badge import State
from svmviz.widgets.inputs.scrub_bar import ScrubBar
from tests.stage_fixtures import come_to_rest, complete_curves, go_to, settle
from tests.stages import eight, moons, sine


@pytest.fixture
def stage(open_stage):
    return open_stage(moons())


@pytest.fixture
def transport(stage, show):
    return show(Transport(stage), 1000, 90)


def test_buttons_move(qtbot, stage, transport):
    player, buttons = stage.playback.player, transport.buttons
    last = stage.playback.length
    assert player.reading == last
    assert not buttons["step"].isEnabled()
    buttons["back"].click()
    assert player.reading == last - 1
    buttons["back-ten"].click()
    assert player.reading == last - 11
    buttons["on-ten"].click()
    buttons["step"].click()
    assert player.reading == last
    buttons["start"].click()
    assert player.reading == 0
    assert not buttons["back"].isEnabled()
    buttons["next-change"].click()
    assert player.reading == 1
    buttons["next-sweep"].click()
    assert player.reading > 1
    buttons["end"].click()
    qtbot.waitUntil(lambda: player.reading == last)


def test_play_and_restart(qtbot, stage, transport):
    stage.playback.set_speed(50.0)
    transport.buttons["restart"].click()
    assert stage.playback.player.playing
    qtbot.waitUntil(lambda: stage.playback.player.reading >= 3)
    transport.buttons["play"].click()
    assert not stage.playback.player.playing


def test_typing_a_step_goes_there(qtbot, stage, transport):
    field = transport.steps.field
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "12")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert stage.playback.player.reading == 12
    assert field.text() == "12"
    field.selectAll()
    qtbot.keyClicks(field, "many")
    assert field.property("invalid") is True
    assert stage.playback.player.reading == 12


@pytest.mark.parametrize("speed", [60.0, math.inf])
def test_number_bar_and_words_are_of_one_frame(qtbot, stage, transport, show, speed):
    """While playing, the player is ahead of the frame; what is read is not."""
    playback, narrator = stage.playback, show(Narrator(stage), 1000, 90)
    told = []

    def look(*_: object) -> None:
        head = narrator.text.split()
        said = head[1] if head[0] == "Step" else None
        told.append(
            (stage.feed.panel_frame.lane.step, transport.bar.step, transport.steps.field.text())
        )
        assert said in (None, transport.steps.field.text())

    playback.go_to_start()
    qtbot.waitUntil(lambda: stage.feed.frame.lane.step == 0)
    playback.set_speed(speed)
    playback.moved.connect(look)
    stage.feed.panel_frame_changed.connect(look)
    playback.play()
    qtbot.waitUntil(lambda: not playback.player.playing)
    settle(qtbot, stage)
    go_to(qtbot, stage, playback.length - 3)
    assert told[-1][0] == playback.length - 3
    assert all(step == bar == int(text) for step, bar, text in told)


def test_speed_in_words_and_by_hand(qtbot, stage, transport):
    assert transport.speed.words.text() == "8 steps/s"
    groove = transport.speed.groove
    end = QPoint(groove.width() - 1, 8)
    qtbot.mouseClick(groove, Qt.MouseButton.LeftButton, pos=end)
    assert math.isinf(stage.playback.player.speed)
    assert transport.speed.words.text() == "flat out"
    stage.playback.set_speed(1000.0)
    assert transport.speed.words.text() == in_words(1000.0) == "1,000 steps/s"
    assert in_words(0.5) == "0.5 steps/s"


def test_numbers_have_the_unit_of_their_clock(qtbot, stage, transport):
    length, speed = transport.steps.length, transport.speed.words
    assert length.text() == f"/ {stage.playback.length:,}"
    plain = length.width()
    stage.playback.set_speed(8.0)
    stage.playback.set_clock("evaluations")
    assert length.text() == f"/ {stage.playback.length:,} kernel values"
    assert speed.text() == "8 values/s"
    assert "Kernel values" in transport.steps.toolTip()
    assert length.minimumWidth() > plain
    stage.playback.set_clock("seconds")
    assert length.text() == f"/ {stage.playback.length:,} µs"
    stage.playback.set_speed(1.0)
    assert speed.text() == "1 µs/s"
    stage.playback.set_clock("steps")
    assert length.text() == f"/ {stage.playback.length:,}"
    assert speed.text() == "1 step/s"


def test_scrubbing_seeks(qtbot, stage, transport):
    bar = transport.bar
    middle = QPoint(round(bar.x_of(bar.span // 2)), 10)
    qtbot.mousePress(bar, Qt.MouseButton.LeftButton, pos=middle)
    assert stage.playback.player.reading == bar.span // 2
    qtbot.mouseMove(bar, QPoint(0, 10))
    assert stage.playback.player.reading == 0
    qtbot.mouseRelease(bar, Qt.MouseButton.LeftButton, pos=QPoint(0, 10))


def test_a_hand_on_the_bar_holds_the_scale(qtbot, show):
    bar = show(ScrubBar(), 420, 28)
    heard = []
    bar.scrubbed.connect(heard.append)
    bar.show_position(0, 100, True)
    at = QPoint(round(bar.x_of(50)), 10)
    qtbot.mousePress(bar, Qt.MouseButton.LeftButton, pos=at)
    bar.show_position(50, 1000, True)
    qtbot.mouseMove(bar, QPoint(at.x() + 1, 10))
    assert heard[0] == 50
    assert heard[-1] in (50, 51)
    qtbot.mouseRelease(bar, Qt.MouseButton.LeftButton, pos=at)
    assert bar.span == 1000


def test_marks_are_where_support_vectors_changed(stage, transport):
    trace, length = stage.session.runs[0].trace, stage.playback.length
    changed = np.flatnonzero(trace.marks(0, length) & 1)
    assert np.array_equal(np.flatnonzero(transport.bar.density), changed)


def test_stop_ends_a_long_run(qtbot, open_stage, show):
    method = Pegasos(max_steps=500_000_000)
    document = moons(kernel=RBF(1.0), methods=(method,))
    stage = open_stage()
    transport = show(Transport(stage), 1000, 90)
    stage.session.edit(document, "long")
    qtbot.waitUntil(lambda: stage.playback.length > 0)
    assert transport.stop.isVisible()
    transport.stop.click()
    settle(qtbot, stage)
    assert not transport.stop.isVisible()
    assert "by hand" in stage.session.runs[0].stop.sentence


@pytest.mark.parametrize("width", [420, 560, 1400])
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_spare_buttons_give_way(qapp, stage, show, width, scale):
    apply(qapp, LIGHT, scale)
    try:
        transport = show(Transport(stage), int(width * scale), int(90 * scale))
        room = transport.width()
        shown = [b for b in transport.buttons.values() if b.isVisible()]
        assert all(b.mapTo(transport, QPoint(b.width(), 0)).x() <= room for b in shown)
        assert transport.buttons["play"].isVisible()
        speed = transport.speed
        if transport.min_width <= width * scale:
            assert speed.mapTo(transport, QPoint(speed.width(), 0)).x() <= room
        assert transport.buttons["next-sweep"].isVisible() == (width == 1400)
    finally:
        apply(qapp, LIGHT, 1.0)


def test_steps_may_have_separators():
    assert read_step("1,234") == read_step(" 1234 ") == 1234
    assert read_step("-3") is read_step("") is read_step("2.5") is None


# Narrator


def test_narrator_reads_the_event(qtbot, stage, show):
    narrator = show(Narrator(stage), 600, 60)
    assert narrator.text == stage.session.runs[0].stop.sentence
    go_to(qtbot, stage, 5)
    sentence = stage.session.runs[0].at(5).event.sentence
    assert narrator.text == f"Step 5 {sentence}"
    go_to(qtbot, stage, 0)
    assert narrator.text.startswith("Start")


def test_narrator_tells_trouble_and_never_changes_its_height(qtbot, stage, show):
    narrator = show(Narrator(stage), 300, 60)
    height = narrator.sizeHint().height()
    stage.session.edit(Document(), "clear")
    qtbot.waitUntil(lambda: "no points" in narrator.text)
    assert narrator.sizeHint().height() == height


def test_narrator_says_that_it_compiles(qtbot, open_stage, show):
    stage = open_stage()
    narrator = Narrator(stage)
    qtbot.addWidget(narrator)
    qtbot.waitUntil(lambda: "no points" in narrator.text)
    narrator._show_frame(Frame(stage.session.document))
    qtbot.waitUntil(lambda: narrator.text.startswith(compiling("SMO", 0).rstrip("…")))
    # It goes on telling, and stops with the first step.
    qtbot.waitUntil(lambda: narrator.text.endswith(" s so far)…"))
    stage.session.edit(eight(), "points")
    qtbot.waitUntil(lambda: "Compiling" not in narrator.text)
    qtbot.wait(1100)
    assert "Compiling" not in narrator.text


def test_narrator_says_compiling_only_of_what_compiles(qtbot, stage, show, monkeypatch):
    narrator, run = show(Narrator(stage), 600, 60), stage.session.runs[0]
    assert run.is_ready
    assert not Run(run.problem, run.method).is_ready
    # The fine picture of a view at rest comes a moment later, and ends the waiting.
    come_to_rest(qtbot, stage)
    narrator._show_frame(Frame(stage.session.document))
    qtbot.waitUntil(lambda: narrator.text == "Working on the first step of SMO…")
    monkeypatch.setattr(run, "_is_ready", False)
    qtbot.waitUntil(lambda: narrator.text.startswith("Compiling SMO"))


def test_the_bar_takes_readings_of_any_length_and_tells_their_unit(qtbot, stage, transport):
    bar, heard = transport.bar, []
    bar.scrubbed.disconnect()
    bar.scrubbed.connect(heard.append)
    bar.show_position(0, 4 * 10**9, False)
    qtbot.mousePress(bar, Qt.MouseButton.LeftButton, pos=QPoint(bar.width() - 2, 10))
    qtbot.mouseRelease(bar, Qt.MouseButton.LeftButton, pos=QPoint(bar.width() - 2, 10))
    assert heard == [4 * 10**9]
    assert bar.words(1200) == "Step 1,200"
    stage.playback.set_clock("seconds")
    assert bar.words(1200) == "1,200 µs"


# Badge


def words(panel):
    return panel.badge.state, panel.badge.text


def test_badge_of_an_optimum_and_of_the_way_there(qtbot, stage, show):
    panel = show(BadgePanel(stage))
    certificate = stage.feed.frame.lane.certificate
    assert words(panel)[0] is State.GOOD
    assert words(panel)[1].startswith(f"optimal · KKT {number(certificate.kkt, 2)} · gap ")
    tip = panel.badge.toolTip()
    for part in ("gap", "KKT", "support vectors", stage.session.runs[0].stop.sentence):
        assert part in tip
    go_to(qtbot, stage, 3)
    state, text = words(panel)
    assert state is State.NEUTRAL
    assert text.startswith("not optimal yet · KKT ")


def test_badge_has_room_for_its_words_at_once(stage, show):
    panel = show(BadgePanel(stage))
    frame = stage.feed.frame
    certificate = dataclasses.replace(frame.lane.certificate, kkt=0.1)
    lane = dataclasses.replace(frame.lane, step=3, length=9, certificate=certificate)
    before = panel.badge.width()
    stage.feed.panel_frame = dataclasses.replace(frame, lanes=(lane,))
    stage.feed.panel_frame_changed.emit(stage.feed.panel_frame)
    assert panel.badge.width() == panel.badge.sizeHint().width() > before


def test_badge_says_by_how_much_it_misses(qtbot, open_stage, show):
    stage = open_stage(moons(methods=(Pegasos(max_steps=20_000),)))
    panel = show(BadgePanel(stage))
    complete_curves(qtbot, stage)
    certificate = stage.feed.frame.lane.certificate
    state, text = words(panel)
    assert state is State.WARN
    assert "%" in text
    share = float(text.partition("gap ")[2].split()[0]) / 100
    assert certificate.gap == pytest.approx(share * certificate.dual, rel=0.06)
    exact = open_stage(moons(methods=(SMO(tol=1e-6),))).session.runs[0].certificate.primal
    assert certificate.primal <= (1 + share) * exact * 1.01


def test_badge_of_a_hard_margin(qtbot, open_stage, show):
    stage = open_stage(eight(penalty=Penalty("C", math.inf)))
    panel = show(BadgePanel(stage))
    assert words(panel)[0] is State.GOOD
    go_to(qtbot, stage, 0)
    state, text = words(panel)
    assert (state, text.partition(" · ")[0]) == (State.NEUTRAL, "not optimal yet")
    assert text.endswith("gap ∞")


def test_badge_says_that_nothing_separates(qtbot, open_stage, show):
    stage = open_stage(moons(40, kernel=Linear(), penalty=Penalty("C", math.inf)))
    panel = show(BadgePanel(stage))
    assert stage.session.runs[0].reason is Reason.NOT_SEPARABLE
    assert words(panel)[0] is State.WARN
    assert words(panel)[1].startswith("not separable · ")


def test_badge_of_nothing(qtbot, open_stage, show):
    stage = open_stage()
    panel = show(BadgePanel(stage))
    qtbot.waitUntil(lambda: panel.badge.text == "no points yet")
    one = PointSet(np.zeros((1, 2)), np.array([1]))
    stage.session.edit(Document(data=one), "one class")
    qtbot.waitUntil(lambda: panel.badge.text == "cannot be solved")
    assert "each class" in panel.badge.toolTip()


def test_badge_of_a_kernel_that_certifies_nothing(open_stage):
    stage = open_stage(moons(kernel=Sigmoid(0.5, 0.0), penalty=Penalty("C", 1.0)))
    state, text, tip = describe(stage.feed.frame)
    assert state is State.WARN
    assert text.startswith("stationary point · KKT ")
    assert "not positive semi-definite" in tip


def test_badge_of_methods_with_another_aim(open_stage):
    # A perceptron that has converged separates the classes; it minimises no P.
    stage = open_stage(eight(methods=(Perceptron(),)))
    assert stage.feed.frame.lane.stop.reason is Reason.CONVERGED
    state, text, tip = describe(stage.feed.frame)
    assert (state, text) == (State.NEUTRAL, "separates")
    assert "does not minimise P" in tip


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
        sine(),
    ],
    ids=["moons", "large C", "Pegasos", "IP", "CA", "step limit", "perceptron", "hulls", "sine"],
)
def test_badge_follows_from_certificate_and_tolerance(qtbot, open_stage, document):
    stage = open_stage(document)
    run = stage.session.runs[0]
    for step in sorted({0, 1, run.steps // 2, run.steps - 1, run.steps}):
        go_to(qtbot, stage, step)
        found = certify(run.problem, run.at(step).expansion)
        state, text, _ = describe(stage.feed.frame)
        optimal = found.kkt <= 1.001 * getattr(run.method, "tol", 1e-3)
        assert is_optimal(found, tolerance(stage.feed.frame.lane)) == optimal
        assert (state is State.GOOD) == optimal == text.startswith("optimal")
        if optimal or not run.method.aim:
            assert f" · KKT {number(found.kkt if found.kkt > 1e-12 else 0.0, 2)} · gap" in text
            assert gap_words(found) in text
    # The badge and the sentence below it agree on the end.
    if not run.method.aim:
        assert (state is State.GOOD) == (run.reason is Reason.CONVERGED)


@pytest.mark.parametrize(
    ("primal", "dual", "words"),
    [
        (1.021, 1.0, "2.1 % of D"),
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


def test_badge_says_that_the_primal_rose(qtbot, open_stage, show):
    stage = open_stage(moons())
    panel = show(BadgePanel(stage))
    qtbot.waitUntil(lambda: stage.feed.curves and stage.feed.curves[0].complete, timeout=60_000)
    curve = stage.feed.curves[0]
    before = np.minimum.accumulate(curve.primal)[:-1]
    rose = np.flatnonzero(curve.primal[1:] > before * (1 + 1e-6)) + 1
    fell = np.flatnonzero(curve.primal[1:] < before) + 1
    assert len(rose), "the test needs a run whose P rises"
    for steps, expected in ((rose, True), (fell, False)):
        go_to(qtbot, stage, int(curve.steps[steps[0]]))
        number = f"Step {int(curve.steps[steps[0]])} of"
        qtbot.waitUntil(lambda number=number: number in panel.badge.toolTip())
        assert panel.badge.text.endswith(", P rose") == expected
        assert ("P was smaller at an earlier step" in panel.badge.toolTip()) == expected


def test_badge_while_solving(stage):
    frame = stage.feed.frame
    growing = dataclasses.replace(frame.lane, stop=None)
    busy = dataclasses.replace(frame, lanes=(growing,))
    assert describe(busy)[0] is State.BUSY


@pytest.mark.parametrize("pair", ["second-order", "platt"])
def test_the_start_of_a_cold_run_is_at_zero(qtbot, open_stage, pair):
    stage = open_stage(moons(methods=(SMO(pair=pair),)))
    go_to(qtbot, stage, 0)
    head, text = sentence(stage.feed.frame.lane)
    assert (head, text) == (
        "Start",
        "All α are 0, so f(x) = 0 everywhere. Play, or take a step.",
    )


@pytest.mark.parametrize(
    "method", [Hulls(algorithm="wolfe"), Hulls(algorithm="mdm"), InteriorPoint()], ids="WMI"
)
def test_the_start_of_a_method_that_does_not_start_at_zero(qtbot, open_stage, method):
    stage = open_stage(eight(methods=(method,)))
    go_to(qtbot, stage, 0)
    lane = stage.feed.frame.lane
    assert not lane.warm
    weighted = int(np.count_nonzero(lane.expansion.beta))
    assert weighted > 0
    points = "all 8" if weighted == 8 else f"{weighted} of 8"
    assert sentence(lane)[1].startswith(f"{method.label} starts with α > 0 at {points} points.")


def test_the_start_of_a_regression_is_its_bias(qtbot, open_stage):
    stage = open_stage(sine())
    go_to(qtbot, stage, 0)
    lane = stage.feed.frame.lane
    assert lane.expansion.bias != 0.0
    assert sentence(lane)[1].startswith(
        f"All β are 0, so f(x) = b = {number(lane.expansion.bias)} everywhere."
    )
    warm = dataclasses.replace(lane, warm=True, expansion=stage.session.runs[0].expansion)
    assert sentence(warm)[1].startswith("From the solution of the last run.")


def test_narrator_says_that_a_preview_continues(qtbot, stage, show):
    narrator = show(Narrator(stage), 600, 60)
    session = stage.session
    session.preview(
        dataclasses.replace(session.document, penalty=Penalty("C", 1.0001 * session.document.C))
    )
    qtbot.waitUntil(lambda: narrator.text.startswith("Continued from the last run"))
    assert "after 0 steps" not in narrator.text
    session.commit("Change C")
    qtbot.waitUntil(lambda: narrator.text == stage.session.runs[0].stop.sentence)

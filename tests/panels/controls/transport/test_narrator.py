"""The narrator describes the step, the start of a run, and what the window waits for."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import shiboken6
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF

from solvers import (
    SMO,
    Hulls,
    InteriorPoint,
    Run,
)
from svmviz import theme
from svmviz.base.words import number
from svmviz.document.document import Document, Penalty
from svmviz.frames.frame import Frame
from svmviz.panels.controls.transport.narrator import Narrator, compiling_words
from svmviz.plane.sentences import sentence
from svmviz.theme import TEXT, font
from tests.stages import eight, moons, sine
from tests.waiting import come_to_rest, go_to


@pytest.fixture
def stage(open_stage):
    return open_stage(moons())


def test_narrator_reads_the_event(qtbot, stage, show):
    narrator = show(Narrator(stage), 600, 60)
    error = "training error 1.2\N{NO-BREAK SPACE}% (1 of 80)."
    assert narrator.text.startswith(f"Converged after {stage.session.runs[0].steps} steps: ")
    assert narrator.text.endswith(f" support vectors; {error}")
    go_to(qtbot, stage, 5)
    sentence = stage.session.runs[0].at(5).event.sentence
    assert narrator.text == f"Step 5 {sentence}"
    go_to(qtbot, stage, 0)
    assert narrator.text.startswith("Start")


def test_a_narrator_that_is_gone_is_told_nothing(stage):
    # As when a presentation ends.
    narrator = Narrator(stage)
    shiboken6.delete(narrator)
    stage.prediction.set_on(True)
    stage.view.hiding_changed.emit()


def test_a_long_sentence_in_large_type_gets_smaller_and_is_whole(qtbot, qapp, stage, show):
    theme.apply(qapp, theme.LIGHT, 2.0)
    try:
        narrator = show(Narrator(stage), 700, 100)
        narrator._show("Step 1,234", "Point 17 moves to its bound. " * 5)
        largest = narrator.sizes[0]
        assert TEXT <= narrator.type_size < largest
        box = narrator._box
        measure = QFontMetricsF(font(narrator.type_size, scale=1.0))
        room = QRectF(0.0, 0.0, box.width() - narrator._head_width(narrator.type_size), 1e6)
        needed = measure.boundingRect(room, Qt.TextFlag.TextWordWrap, narrator._text)
        assert needed.height() <= 2 * measure.lineSpacing() + 1
    finally:
        theme.apply(qapp, theme.LIGHT, 1.0)


@pytest.mark.parametrize(("repeats", "is_whole"), [(5, True), (6, True), (40, False)])
def test_no_line_of_a_long_sentence_is_cut_in_half(stage, show, repeats, is_whole):
    narrator = show(Narrator(stage), 500, 100)
    narrator.resize(500, narrator.sizeHint().height())
    narrator._show("Step 1,234", "Point 17 moves to its bound. " * repeats)
    measure = QFontMetricsF(font(narrator.type_size, scale=1.0))
    room = QRectF(0.0, 0.0, narrator._box.width() - narrator._head_width(narrator.type_size), 1e6)
    needed = measure.boundingRect(room, Qt.TextFlag.TextWordWrap, narrator.shown_text)
    assert needed.height() <= narrator._box.height() + 1
    assert (narrator.shown_text == narrator._text) == is_whole
    assert narrator.shown_text.endswith("…") != is_whole


def test_narrator_shows_trouble_and_keeps_its_height(qtbot, stage, show):
    narrator = show(Narrator(stage), 300, 60)
    height = narrator.sizeHint().height()
    stage.session.edit(Document(), "clear")
    qtbot.waitUntil(lambda: "no points" in narrator.text)
    assert narrator.sizeHint().height() == height


def test_narrator_says_that_there_are_no_points_only_while_there_are_none(qtbot, open_stage, show):
    stage = open_stage()
    narrator = show(Narrator(stage), 600, 60)
    qtbot.waitUntil(lambda: narrator.text.startswith("There are no points yet"))
    # As while the solver of the first scene is compiled.
    stage.session.hold()
    stage.session.reset(moons())
    assert "no points" not in narrator.text
    qtbot.waitUntil(lambda: "SMO" in narrator.text)
    stage.session.release()
    qtbot.waitUntil(lambda: narrator.text.startswith("Converged"))


def test_narrator_says_what_it_waits_for(qtbot, open_stage, show):
    stage = open_stage()
    narrator = Narrator(stage)
    qtbot.addWidget(narrator)
    qtbot.waitUntil(lambda: "no points" in narrator.text)
    narrator._show_frame(Frame(stage.session.document))
    qtbot.waitUntil(lambda: narrator.text.startswith(compiling_words("SMO", 0).rstrip("…")))
    # It goes on telling, and stops with the first step.
    qtbot.waitUntil(lambda: narrator.text.endswith(" s so far)…"))
    stage.session.edit(eight(), "points")
    qtbot.waitUntil(lambda: "ready" not in narrator.text)
    qtbot.wait(1100)
    assert "ready" not in narrator.text


def test_narrator_distinguishes_preparing_from_working(qtbot, stage, show, monkeypatch):
    narrator, run = show(Narrator(stage), 600, 60), stage.session.runs[0]
    assert run.is_ready
    assert not Run(run.problem, run.method).is_ready
    # The fine picture of a view at rest comes a moment later, and ends the waiting.
    come_to_rest(qtbot, stage)
    narrator._show_frame(Frame(stage.session.document))
    qtbot.waitUntil(lambda: narrator.text == "Working on the first step of SMO…")
    monkeypatch.setattr(run, "_is_ready", False)
    qtbot.waitUntil(lambda: narrator.text.startswith("Getting SMO ready"))


@pytest.mark.parametrize("pair", ["second-order", "platt"])
def test_the_start_of_a_cold_run_is_at_zero(qtbot, open_stage, pair):
    stage = open_stage(moons(methods=(SMO(pair=pair),)))
    go_to(qtbot, stage, 0)
    head, text = sentence(stage.feed.frame.lane, stage.feed.frame.document)
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
    assert sentence(lane, stage.feed.frame.document)[1].startswith(
        f"{method.label} starts with α > 0 at {points} points."
    )


def test_the_start_of_a_regression_is_its_bias(qtbot, open_stage):
    stage = open_stage(sine())
    go_to(qtbot, stage, 0)
    lane = stage.feed.frame.lane
    assert lane.expansion.bias != 0.0
    assert sentence(lane, stage.feed.frame.document)[1].startswith(
        f"All β are 0, so f(x) = b = {number(lane.expansion.bias)} everywhere."
    )
    warm = dataclasses.replace(lane, warm=True, expansion=stage.session.runs[0].expansion)
    assert sentence(warm, stage.feed.frame.document)[1].startswith(
        "From the solution of the last run."
    )


def test_narrator_says_that_a_preview_continues(qtbot, stage, show):
    narrator = show(Narrator(stage), 600, 60)
    session = stage.session
    session.preview(
        dataclasses.replace(session.document, penalty=Penalty("C", 1.0001 * session.document.C))
    )
    qtbot.waitUntil(lambda: narrator.text.startswith("Continued from the last run"))
    assert "after 0 steps" not in narrator.text
    session.commit("Change C")
    qtbot.waitUntil(lambda: narrator.text.startswith("Converged after"))

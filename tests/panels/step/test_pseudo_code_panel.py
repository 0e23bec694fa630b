"""The pseudo-code of the method, with the lines of the step or beat highlighted."""

import dataclasses
import itertools

import pytest

from solvers import METHODS, SMO, Method, Perceptron
from solvers.methods.smo import smo
from solvers.run.beats import lines_of
from svmviz.base.words import tidied
from svmviz.panels.step.pseudo_code_panel import MIN_SIZE, NO_CODE, ROWS_BELOW, PseudoCodePanel
from svmviz.theme import DARK, LIGHT, TEXT, apply
from tests.stages import moons, sine
from tests.waiting import go_to

WITH_CODE = {
    name: kind for name, kind in METHODS.items() if kind.pseudo_code is not Method.pseudo_code
}


def test_a_step_lights_all_its_lines_and_a_beat_its_own(qtbot, open_stage, show):
    stage = open_stage(moons(methods=(SMO(),)))
    panel = show(PseudoCodePanel(stage), 420, 420)
    run = stage.session.runs[0]
    go_to(qtbot, stage, 0)
    assert panel.listing.code == SMO().pseudo_code(run.problem)
    assert panel.source.text() == "SMO: Fan, Chen and Lin 2005"
    assert panel.listing.highlighted == {}
    go_to(qtbot, stage, 3)
    beats = run.at(3).event.beats
    assert panel.listing.highlighted == {k: tidied(v) for k, v in lines_of(beats).items()}
    stage.playback.set_by_beats(True)
    stage.playback.seek_step(3)
    for beat in run.at(4).event.beats:
        stage.playback.go_on()
        wanted = {k: tidied(v) for k, v in beat.lines}
        qtbot.waitUntil(lambda wanted=wanted: panel.listing.highlighted == wanted)


def test_lit_lines_look_different(qtbot, open_stage, show, qapp):
    stage = open_stage(moons(methods=(SMO(),)))
    panel = show(PseudoCodePanel(stage), 420, 420)
    for theme in (LIGHT, DARK):
        apply(qapp, theme, 1.0)
        go_to(qtbot, stage, 0)
        plain = panel.listing.grab().toImage()
        go_to(qtbot, stage, 3)
        assert panel.listing.grab().toImage() != plain


@pytest.mark.parametrize("kind", WITH_CODE.values(), ids=WITH_CODE)
@pytest.mark.parametrize("size", [(360, 320), (190, 90)], ids=["low", "lowest"])
def test_lines_fit_or_those_of_the_beat_are_in_sight(qtbot, open_stage, show, kind, size):
    stage = open_stage(moons(methods=(kind(max_steps=5),), bias=kind.biases[0]))
    panel = show(PseudoCodePanel(stage), 360, 320)
    panel.set_brief(True)
    panel.setFixedSize(*size)
    listing = panel.listing
    go_to(qtbot, stage, 0)
    stage.playback.set_by_beats(True)
    for beat in stage.session.runs[0].at(1).event.beats:
        stage.playback.go_on()
        wanted = {k: tidied(v) for k, v in beat.lines}
        qtbot.waitUntil(lambda wanted=wanted: listing.highlighted == wanted)
        assert listing.type_size >= MIN_SIZE
        lit = [place for place, is_lit in places_in(listing) if is_lit]
        if lit:
            assert lit[0][0] >= -1.0
            block_fits = lit[-1][1] - lit[0][0] <= listing.height()
            assert lit[-1][1] <= listing.height() + 1.0 or not block_fits


def places_in(listing):
    """Top and bottom of each line in the listing, px, and whether it is highlighted."""
    places = listing.places()
    return [
        (place, bool(line.label) and line.label in listing.highlighted)
        for place, line in zip(places, listing.code.lines, strict=True)
    ]


def test_a_method_without_pseudo_code_says_so(qtbot, open_stage, show, monkeypatch):
    monkeypatch.setattr(SMO, "pseudo_code", lambda self, problem: None)
    stage = open_stage(moons(methods=(SMO(),)))
    panel = show(PseudoCodePanel(stage))
    go_to(qtbot, stage, 2)
    assert panel.listing.code is None
    assert panel.source.text() == NO_CODE


def test_a_method_without_beats_shows_a_step_as_one(qtbot, open_stage, show, monkeypatch):
    monkeypatch.setattr(smo, "PAIR_STEP", dataclasses.replace(smo.PAIR_STEP, beats=()))
    stage = open_stage(moons(methods=(SMO(),)))
    panel = show(PseudoCodePanel(stage))
    go_to(qtbot, stage, 2)
    stage.playback.set_by_beats(True)
    stage.playback.seek_step(2)
    stage.playback.go_on()
    qtbot.waitUntil(lambda: stage.feed.frame.lane.step == 3)
    assert stage.feed.frame.lane.shown_beat is None
    assert panel.listing.highlighted == {}
    assert stage.feed.frame.lane.marked
    stage.playback.go_back()
    qtbot.waitUntil(lambda: stage.feed.frame.lane.step == 2)


def test_the_type_is_as_large_as_fits_and_stays_during_a_step(qtbot, open_stage, show):
    stage = open_stage(moons(methods=(SMO(),)))
    panel = show(PseudoCodePanel(stage), 260, 320)
    go_to(qtbot, stage, 0)
    small = panel.listing.type_size
    panel.resize(420, 600)
    qtbot.waitUntil(lambda: panel.listing.type_size > small)
    assert panel.listing.type_size > TEXT
    go_to(qtbot, stage, 3)
    stage.playback.set_by_beats(True)
    stage.playback.seek_step(3)
    size = None
    for beat in stage.session.runs[0].at(4).event.beats:
        stage.playback.go_on()
        wanted = {k: tidied(v) for k, v in beat.lines}
        qtbot.waitUntil(lambda wanted=wanted: panel.listing.highlighted == wanted)
        # The first part of the step already leaves room for the values of all others.
        size = size or panel.listing.type_size
        assert panel.listing.type_size == size


def test_values_below_their_lines_are_given_room_for_those_of_a_beat(qtbot, open_stage, show):
    """In a regression the names of variables are long: all values of a step need more lines."""
    stage = open_stage(sine(methods=(SMO(),)))
    panel = show(PseudoCodePanel(stage), 260, 320)

    def type_sizes():
        found = []
        for width, height in itertools.product((270, 300, 330, 360), (330, 360, 390, 420)):
            panel.resize(width, height)
            found.append(panel.listing.type_size)
            is_smallest = found[-1] == MIN_SIZE
            assert panel.listing.height_at(found[-1]) <= panel.listing.height() or is_smallest
        return found

    go_to(qtbot, stage, 3)
    qtbot.waitUntil(lambda: len(panel.listing.highlighted) > ROWS_BELOW)
    whole = type_sizes()
    stage.playback.set_by_beats(True)
    stage.playback.seek_step(3)
    stage.playback.go_on()
    qtbot.waitUntil(lambda: 0 < len(panel.listing.highlighted) <= ROWS_BELOW)
    beat = type_sizes()
    assert all(one >= other for one, other in zip(beat, whole, strict=True))
    assert sum(beat) > sum(whole)


def test_a_long_source_has_several_lines(qtbot, open_stage, show):
    stage = open_stage(moons(methods=(Perceptron(),), bias=Perceptron.biases[0]))
    panel = show(PseudoCodePanel(stage), 420, 420)
    go_to(qtbot, stage, 0)
    low = panel.source.height()
    panel.resize(150, 420)
    qtbot.waitUntil(lambda: panel.source.height() > low)

"""Lectures: their stops, and the text that is read back as it was."""

import dataclasses
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers import RBF, SMO, BadInput, Linear, Pegasos
from solvers.data.datasets import DATASETS, PointSet
from svmviz.document.document import Document
from svmviz.document.pen import MAX_ALL, Stroke
from svmviz.document.step_marks import StepMarks
from svmviz.document.view_options import ViewOptions
from svmviz.io.scene import Scene
from svmviz.lessons.lecture import (
    as_lecture,
    in_one_line,
    lecture_text,
    stop_at,
    with_pen,
    with_stops,
    without_fences,
)
from svmviz.lessons.lessons import MAX_CARDS, MAX_SIZE, CardFormula, read_lesson
from svmviz.lessons.shipped import LESSONS
from svmviz.lessons.shows import Show
from tests.stages import moons


def a_scene(seed=0, **changes):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(12, 2)) * 10.0 ** rng.integers(-3, 4)
    data = PointSet(points, np.where(np.arange(12) % 3, 1, -1))
    kernel = RBF(gamma=float(rng.random() + 0.1)) if seed % 2 else Linear()
    methods = (SMO(), Pegasos()) if seed % 3 == 0 else (SMO(),)
    options = ViewOptions(numbers=bool(seed % 2))
    return Scene(Document(data=data, kernel=kernel, methods=methods), options, **changes)


def read_again(lecture):
    return as_lecture(read_lesson(lecture_text(lecture), lecture.name))


def content(lecture):
    """Return all that a lecture shows, without the rows of its text."""
    cards = [
        (
            c.title,
            c.note,
            [getattr(part, "lines", part) for part in c.body],
            dataclasses.replace(c.show, row=0),
        )
        for c in lecture.cards
    ]
    return lecture.title, cards


TEXTS = st.text(max_size=60)


@given(
    st.lists(
        st.tuples(st.integers(0, 3), TEXTS, TEXTS, st.none() | st.integers(0, 999), st.booleans()),
        min_size=1,
        max_size=6,
    )
)
def test_a_text_gives_the_same_stops_again(rows):
    stops = []
    for seed, title, note, step, explains in rows:
        show = Show(panels=("kkt", "alpha"), explains=explains)
        title = in_one_line(title, 50).rstrip("# ")
        window = (-1.0, 2.0, -3.0, 4.0) if seed else None
        stop = stop_at(a_scene(seed, step=step, window=window), show, title)
        # A note has lines, but blanks around it are left out.
        stops.append(dataclasses.replace(stop, note=without_fences(note).strip()))
    lecture = with_stops(None, stops)
    again = read_again(lecture)
    assert content(again) == content(lecture)
    assert again.is_talk


@pytest.mark.parametrize("seed", range(6))
def test_points_keep_every_bit(seed):
    scene = a_scene(seed, step=3, window=(0.0, 1.0, 0.1, 0.7))
    lecture = read_again(with_stops(None, [stop_at(scene, Show(), "One")]))
    read = lecture.cards[0].show.read_scene()
    assert read.document == scene.document
    assert read.document.data.points.tobytes() == scene.document.data.points.tobytes()
    assert (read.options, read.window) == (scene.options, scene.window)
    assert lecture.cards[0].show.step == 3


def test_an_explained_step_begins_at_the_step_before():
    stop = stop_at(a_scene(step=4), Show(explains=True), "Four")
    assert (stop.show.step, stop.show.last) == (3, 4)


def test_a_scene_of_many_points_is_written_once():
    data = moons(500).data
    scene = Scene(Document(data=data))
    one = with_stops(None, [stop_at(scene, Show(), "Start")])
    stops = [stop_at(dataclasses.replace(scene, step=k), Show(), f"Step {k}") for k in range(40)]
    forty = with_stops(None, stops)
    assert len(lecture_text(forty)) < 1.5 * len(lecture_text(one))
    assert [c.show.read_scene().document for c in read_again(forty).cards] == [scene.document] * 40


def test_forty_scenes_of_a_thousand_points_can_be_read_again():
    clouds = [DATASETS["moons"].generate(1000, 0.2, seed) for seed in range(MAX_CARDS)]
    scenes = [Scene(Document(data=data)) for data in clouds]
    lecture = with_stops(None, [stop_at(scene, Show(), "") for scene in scenes])
    text = lecture_text(lecture)
    assert len(text) <= MAX_SIZE
    assert [c.show.read_scene().document for c in as_lecture(read_lesson(text, "x")).cards] == [
        scene.document for scene in scenes
    ]


def test_a_stop_may_have_the_text_of_a_card():
    card = next(card for card in LESSONS["the-dual"].cards if card.formulas)
    stop = stop_at(a_scene(), Show(), card.title, card.body)
    again = read_again(with_stops(None, [stop])).cards[0]
    assert again.paragraphs == card.paragraphs
    assert [f.lines for f in again.formulas] == [f.lines for f in card.formulas]
    assert any(isinstance(part, CardFormula) for part in again.body)


def test_titles_are_numbers_without_words_and_too_many_stops_are_refused():
    stop = stop_at(a_scene(), Show(), "")
    assert [card.title for card in with_stops(None, [stop, stop]).cards] == ["Stop 1", "Stop 2"]
    assert with_stops(None, []) is None
    with pytest.raises(BadInput, match=f"at most {MAX_CARDS} stops"):
        with_stops(None, [stop] * (MAX_CARDS + 1))


def test_strokes_of_the_pen_belong_to_their_stop():
    strokes = (Stroke("green", ((0.1, -2.5), (1e-7, 3.0))), Stroke("violet", ((1.0, 2.0),)))
    scene = a_scene()
    drawn = stop_at(
        replace(scene, options=replace(scene.options, strokes=strokes)), Show(), "Drawn"
    )
    lecture = read_again(with_stops(None, [drawn, stop_at(scene, Show(), "Same scene")]))
    first, second = (card.show for card in lecture.cards)
    assert first.read_scene().options.strokes == strokes
    assert second.read_scene().options.strokes == ()
    # What is drawn again does not make the scene another one, which is written once.
    assert first.scene == second.scene == drawn.show.scene


def test_pictures_of_all_stops_have_the_pen_if_wished():
    lecture = with_pen(with_stops(None, [stop_at(a_scene(), Show(), "One")] * 2))
    cards = read_again(lecture).cards
    assert [card.show.read_scene().options.pen for card in cards] == [True, True]


def test_a_stop_with_a_loop_has_its_steps():
    stop = stop_at(a_scene(step=7, marks=StepMarks((3, 12))), Show(), "Loop")
    (card,) = read_again(with_stops(None, [stop])).cards
    assert (card.show.step, card.show.last) == (3, 12)
    assert card.show.read_scene().marks.loop == (3, 12)


def test_a_bad_choice_is_said_with_its_line():
    text = lecture_text(with_stops(None, [stop_at(a_scene(), Show(), "One")]))
    with pytest.raises(BadInput, match="a choice is panel"):
        read_lesson(text.replace("step end", "step end\nchoose loss squared"), "test")


def test_a_bad_stroke_is_said_with_its_line():
    text = lecture_text(with_stops(None, [stop_at(a_scene(), Show(), "One")]))
    bad = text.replace("step end", "step end\nstroke green 1 2\nstroke blue 1 2")
    line = bad.split("\n").index("stroke blue 1 2") + 1
    with pytest.raises(BadInput, match=f"Line {line}: a stroke begins with its colour") as refusal:
        read_lesson(bad, "test")
    assert "\n" not in str(refusal.value)
    long = "\nstroke green" + " 1 2" * 1000
    many = text.replace("step end", "step end" + long * (MAX_ALL // 1000 + 1))
    with pytest.raises(BadInput, match="at most 4,000 places"):
        read_lesson(many, "test")


def test_a_lesson_with_questions_is_no_lecture():
    with pytest.raises(BadInput, match="has questions"):
        as_lecture(LESSONS["perceptron"])


def test_a_note_has_no_letters_that_a_text_cannot_hold():
    assert without_fences("a\x00b\n```c\u2028d") == "a b\nc d"

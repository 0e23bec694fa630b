"""Fresh points: drawn from a seed, sound, with numbers that can be found by hand."""

import re

import numpy as np
import pytest

from solvers.errors import BadInput
from svmviz.lessons.check import check_lesson
from svmviz.lessons.fresh import (
    card_with_numbers,
    fill,
    has_numbers,
    trouble_with_fresh,
    with_numbers,
)
from svmviz.lessons.lessons import read_lesson
from svmviz.lessons.shipped import LESSONS
from tests.lessons.test_lessons import CARD, HEAD

FRESH = [
    (lesson.name, index)
    for lesson in LESSONS.values()
    for index, card in enumerate(lesson.cards)
    if card.show.fresh is not None
]
EIGHT = "```show\nscene eight-points\nfresh 1\n"


def points_of(card):
    return card.show.read_scene().document.data.points


@pytest.mark.parametrize(("name", "index"), FRESH)
def test_fresh_cards_are_sound_and_short(name, index):
    lesson = LESSONS[name]
    seen = {points_of(lesson.cards[index]).tobytes()}
    for version in range(1, 5):
        card = card_with_numbers(lesson, index, version)
        points = points_of(card)
        seen.add(points.tobytes())
        assert (points == np.round(points)).all()
        assert check_lesson(read_like(lesson, card)) == []
        for text in card.texts:
            assert "@" not in text
            assert not re.search(r"\.\d{4}|·10[⁰¹²³⁴-⁹⁻]|∞", text)
        # The same version has the same points, also if the program was started again.
        assert card_with_numbers(lesson, index, version) == card
    assert len(seen) == 5


def read_like(lesson, card):
    ready = with_numbers(lesson)
    return type(lesson)(ready.name, ready.title, ready.help, ready.source, (card,))


def test_version_0_has_the_points_of_the_text():
    for name, index in FRESH:
        lesson = LESSONS[name]
        ready = with_numbers(lesson)
        assert ready.cards[index].show == lesson.cards[index].show
        assert ready.written is lesson
        others = [k for k, card in enumerate(lesson.cards) if not has_numbers(card)]
        assert all(ready.cards[k] is lesson.cards[k] for k in others)


def test_numbers_and_words_are_written_into_a_text():
    values = {"a": -0.5, "w": np.array([1.0, -2.0]), "tiny": 1e-17}
    assert fill("x = @{a}, 1 − @{a}", values) == "x = −0.5, 1 − (−0.5)"
    assert fill("w = @{w}, @{tiny}", values) == "w = (1, −2), 0"
    assert fill("@{a < 0|below|above} 0", values) == "below 0"
    assert fill("@{a > 0|below|above} 0", values) == "above 0"
    assert fill("@{a / 3}", values) == "−0.1667"
    with pytest.raises(BadInput):
        fill("@{a / 3}", values, is_exact=True)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HEAD + "# One\nIt is @{w.x}.\n```show\nscene eight-points\n```\n", "Line 4"),
        (HEAD + "# One\nIt is @{n|a}.\n```show\nscene eight-points\n```\n", "two bars"),
        (HEAD + "# One\nIt is @{n}.\n", "the card needs a scene"),
        (CARD + "```show\nfresh 1\n```\n", "Line 7: a card with fresh points has a scene"),
        (CARD + "```show\nscene eight-points\nfresh 0\n```\n", "Line 8: fresh is a number above 0"),
        (CARD + EIGHT + "```\n# Two\nWords.\n", "Line 10: after a card with fresh points"),
    ],
)
def test_wrong_lines_are_named(text, words):
    with pytest.raises(BadInput) as caught:
        read_lesson(text, "a")
    assert words in str(caught.value)


def test_points_that_are_never_sound_are_found_by_the_check(monkeypatch):
    monkeypatch.setattr("svmviz.lessons.fresh.MAX_DRAWS", 5)
    lesson = read_lesson(CARD + EIGHT + "keep n == 9\n```\n", "a")
    (trouble,) = trouble_with_fresh(lesson)
    assert trouble == "Line 6: of 5 sets of fresh points none is sound."
    # The card has its own points then.
    (card,) = with_numbers(lesson, 3).cards
    assert card == lesson.cards[0]

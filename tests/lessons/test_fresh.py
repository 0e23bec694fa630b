"""Fresh points: drawn from a seed, sound, with numbers that can be found by hand."""

import re
from typing import Any

import numpy as np
import pytest

from solvers.errors import BadInput
from svmviz.lessons.answers import NumberKey
from svmviz.lessons.check import Stand, check_lesson
from svmviz.lessons.fresh import (
    card_with_numbers,
    fill,
    has_numbers,
    trouble_with_fresh,
    with_numbers,
)
from svmviz.lessons.lessons import read_lesson
from svmviz.lessons.shipped import LESSONS
from svmviz.lessons.tasks import show_task
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


def gaps(data, w, b, alpha, C):
    """Return (C - alpha) xi of points with slack, and alpha (y f - 1) of the others."""
    margins = data.labels * (data.points @ w + b)
    return np.where(margins < 1.0, (C - alpha) * (1.0 - margins), alpha * (margins - 1.0))


def numbers_after(word, text):
    """Return the numbers of a text from a word to the end of its sentence or bracket."""
    tail = text.replace("−", "-").partition(word)[2]
    return [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", re.split(r"\)|\. |\.$", tail)[0])]


def answers_of(card) -> list[Any]:
    """Return the right numbers of a card's questions, as the program has them."""
    frame, runs = Stand(card.show.read_scene().document, card.show.step).frame()
    keys: list[Any] = [show_task(task, frame, frame, runs).key for task in card.tasks]
    return [key.numbers if isinstance(key, NumberKey) else key.places for key in keys]


@pytest.mark.parametrize("version", range(4))
def test_the_parts_of_the_gap_follow_from_the_numbers_of_the_text(version):
    card = card_with_numbers(LESSONS["gap-by-point"], 2, version)
    data, text = card.show.read_scene().document.data, card.paragraphs[0]
    alpha = np.array(numbers_after("α = ", text)[:5])
    w = np.array(numbers_after("w = (", text))
    terms = gaps(data, w, numbers_after("b = ", text)[0], alpha, 1.0)
    first, fourth, largest = answers_of(card)
    assert (first[0], fourth[0]) == pytest.approx((terms[0], terms[3]))
    assert largest == (frozenset([int(terms.argmax())]),)
    margins = data.labels * (data.points @ w + numbers_after("b = ", text)[0])
    primal = 0.5 * w @ w + np.maximum(0.0, 1.0 - margins).sum()
    assert primal - (alpha.sum() - 0.5 * w @ w) == pytest.approx(terms.sum())


@pytest.mark.parametrize("version", range(4))
def test_three_steps_of_pegasos_are_those_of_the_formula(version):
    card = card_with_numbers(LESSONS["sub-gradients"], 5, version)
    data, (w, coordinates) = card.show.read_scene().document.data, (np.zeros(2), [])
    for t in range(1, 7):
        x, y = data.points[(t - 1) % 3], data.labels[(t - 1) % 3]
        w = (1.0 - 1.0 / t) * w + (3.0 / t) * (y * x if y * (w @ x) < 1.0 else 0.0)
        coordinates.append(w)
    found = [numbers[0] for numbers in answers_of(card)]
    expected = [coordinates[3][0], coordinates[4][1], coordinates[5][0]]
    assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("version", range(4))
def test_a_pair_is_clipped_as_in_the_formula(version):
    card = card_with_numbers(LESSONS["clipping"], 3, version)
    data, text = card.show.read_scene().document.data, card.paragraphs[0]
    alpha, y = np.array(numbers_after("α is ", text)), data.labels
    i, j = (int(n) - 1 for n in re.findall(r"\d+", card.tasks[0].ask)[:2])
    f = data.points @ ((alpha * y) @ data.points)
    eta = ((data.points[i] - data.points[j]) ** 2).sum()
    low, high = max(0.0, alpha[j] - alpha[i]), min(1.0, 1.0 + alpha[j] - alpha[i])
    if y[i] == y[j]:
        low, high = max(0.0, alpha[i] + alpha[j] - 1.0), min(1.0, alpha[i] + alpha[j])
    new = np.clip(alpha[j] + y[j] * (f[i] - y[i] - f[j] + y[j]) / eta, low, high)
    other = alpha[i] + y[i] * y[j] * (alpha[j] - new)
    found = [n for numbers in answers_of(card) for n in numbers]
    assert found == pytest.approx([eta, low, high, new, other], abs=1e-9)


@pytest.mark.parametrize("version", range(4))
def test_beta_of_the_tube_proves_itself(version):
    card = card_with_numbers(LESSONS["tube-dual"], 5, version)
    x, y = card.show.read_scene().document.data.points.T
    beta = np.zeros(4)
    third, fourth, primal = (numbers[0] for numbers in answers_of(card))
    beta[2], beta[3], beta[1] = third, fourth, -third - fourth
    w = beta @ x
    b = y[1] - w * x[1] - np.sign(beta[1])
    rest = y - w * x - b
    assert primal == pytest.approx(0.5 * w**2 + 0.5 * np.maximum(0.0, np.abs(rest) - 1.0).sum())
    # The gap is 0, so both are the optimum.
    assert y @ beta - np.abs(beta).sum() - 0.5 * w**2 == pytest.approx(primal)


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
    lesson = read_lesson(CARD + EIGHT + "keep x1[1] == 0.2\n```\n", "a")
    (trouble,) = trouble_with_fresh(lesson)
    assert trouble == "Line 6: of 5 sets of fresh points none is sound."
    # The card has its own points then.
    (card,) = with_numbers(lesson, 3).cards
    assert card == lesson.cards[0]
    for text, trouble in (
        ("n == 9", "Line 6: keep n == 9 is not true of the points of the scene."),
        ("foo > 2", "Line 6: There is no 'foo' here: 'foo > 2'."),
    ):
        assert trouble_with_fresh(read_lesson(f"{CARD}{EIGHT}keep {text}\n```\n", "a")) == [trouble]

"""A beat declares its questions where it declares its sentence."""

import math

import pytest

from solvers.run.beats import BeatQuestion, Candidates, candidates
from solvers.run.fields import Index
from solvers.run.templates import step_template

TEMPLATE = step_template(
    r"""
    Point $i.

    # Look
    It comes to $i.
    asks point i: Which is next?
    asks number L=low H=high: With a = $a and b = $b, what are L and H?
    missed: L = a − b.
    slip a: That is a.
    size: a b
    asks number w=w: What is w, if $nothing? || What is w at $i?
    asks case big: Is a big? yes | no
    missed: a = $a.
    asks case place: Where is it? left | middle | right
    asks point pair: Which two?
    """,
    sums={"low": lambda a, b: a - b},
)
VALUES = {
    "i": Index(2),
    "a": 1.000049,
    "b": 1.0,
    "low": 1.000049 - 1.0,
    "high": math.inf,
    "w": (1.0, -2.0),
    "nothing": None,
    "big": False,
    "place": 2,
    "pair": (Candidates((1, 2)), candidates((3, 4), (0.5, 0.1), 1, name="may rise")),
}


def questions(**changes):
    (beat,) = TEMPLATE.fill({**VALUES, **changes}, [2]).beats
    return beat.questions


def test_each_kind_is_filled():
    point, ends, w, big, place, pair = questions()
    assert point == BeatQuestion("point", "Which is next?", candidates=(Candidates((2,)),))
    assert (ends.numbers, ends.labels) == (pytest.approx((4.9e-5, math.inf)), ("L", "H"))
    assert (ends.missed, ends.slips) == ("L = a − b.", ((1.000049, "That is a."),))
    assert ends.slack == pytest.approx(1.000049e-3)
    assert (w.ask, w.labels, w.numbers, w.named) == (
        "What is w at 3?",
        ("w₁", "w₂"),
        (1.0, -2.0),
        (2,),
    )
    assert (big.ask, big.choices, big.right) == ("Is a big?", ("yes", "no"), 1)
    assert (place.choices[place.right], place.missed) == ("right", "")
    assert [group.points for group in pair.candidates] == [(1, 2), (3, 4)]
    assert pair.candidates[1].best == 0.1


def test_terms_have_the_digits_that_their_sum_needs():
    assert "a = 1.000049" in questions()[1].ask


def test_a_question_without_its_answer_or_a_value_is_left_out():
    assert [q.kind for q in questions(big=None, a=None, w=None)] == ["point", "case", "point"]

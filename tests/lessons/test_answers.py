"""Right answers are accepted, ties are, and a reply names the comparison that was missed."""

import math

import pytest

from solvers.run.beats import BeatQuestion, Candidates, candidates
from svmviz.lessons.answers import PointKey, is_right, right_points
from svmviz.lessons.replies import accepts, answer_in_words, reply_to

ERRORS = candidates(
    (0, 2, 4, 6),
    (-1.0, -1.005, 0.3, -0.9),
    1,
    name="may rise",
    quantity="E",
    extreme="smallest",
)


@pytest.mark.parametrize(
    ("answer", "number", "right"),
    [
        (0.33, 1 / 3, True),
        (0.32, 1 / 3, False),
        (-0.5, 0.5, False),
        (0.0, 0.0, True),
        (1e-3, 0.0, False),
        (math.inf, math.inf, True),
        (1e300, math.inf, False),
        (math.inf, 5.0, False),
        (3.0, 3.0, True),
        (4.0, 3.0, False),
    ],
)
def test_a_number_is_right_within_one_percent(answer, number, right):
    assert is_right(answer, number) is right


def test_noise_of_large_terms_is_zero():
    assert is_right(0.0, 1e-9, scale=10.0)
    assert not is_right(0.0, 1e-3, scale=10.0)


def test_points_that_tie_are_all_right():
    assert right_points(ERRORS) == {0, 2}
    assert right_points(Candidates((3, 5))) == {3, 5}


def test_several_points_are_right_in_any_order_but_not_one_for_two():
    key = PointKey((frozenset({1, 2}), frozenset({2, 3})))
    assert key.accepts((3, 1))
    assert key.accepts((1, 2))
    assert not key.accepts((1, 1))
    assert not key.accepts((1,))


def test_a_reply_says_which_comparison_a_point_missed():
    question = BeatQuestion("point", "Which?", candidates=(ERRORS,))
    assert accepts(question, (0,))
    assert accepts(question, (2,))
    assert answer_in_words(question) == "point 1 or 3"
    reply = reply_to(question, (4,))
    assert reply == "No. Point 5 has E = 0.3; the smallest is −1.005."
    assert reply_to(question, (1,)) == "No: point 2 is not one of those that may rise."


def test_a_reply_says_which_number_is_wrong_and_knows_a_slip():
    ends = BeatQuestion("number", "Ends?", numbers=(0.5, 2.0), labels=("L", "H"), missed="Look.")
    assert accepts(ends, (0.5, 2.01))
    assert reply_to(ends, (0.5, 3.0)) == "Not yet: H is wrong. Look."
    assert reply_to(ends, (1.0, 3.0)) == "No. Look."
    clip = BeatQuestion(
        "number", "α?", numbers=(1.0,), labels=("α",), missed="Clip.", slips=((2.5, "The top."),)
    )
    assert answer_in_words(clip) == "α = 1"
    assert reply_to(clip, (2.5,)) == "No. The top."
    assert reply_to(clip, (2.2,)) == "No. Clip."


def test_a_choice():
    question = BeatQuestion("case", "Is it?", choices=("yes", "no"), right=1, missed="0.3 < 1.")
    assert accepts(question, 1)
    assert not accepts(question, 0)
    assert reply_to(question, 0) == "No. 0.3 < 1."
    assert answer_in_words(question) == "no"

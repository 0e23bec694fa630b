"""Expressions in texts are read as Python reads them, and nothing is run."""

import math

import numpy as np
import pytest

from solvers.errors import BadInput
from svmviz.lessons.expressions import read

VALUES = {
    "P": 1e6,
    "C": 2.0,
    "alpha": np.array([0.0, 0.5, 2.0]),
    "y": np.array([1.0, -1.0, 1.0]),
    "K": np.array([[1.0, 0.25, 0.0], [0.25, 1.0, 0.5], [0.0, 0.5, 1.0]]),
    "free": 1.0,
    "task": "classification",
    "hard": math.inf,
}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2**3**2", 512.0),
        ("1 - 2 - 3", -4.0),
        ("-alpha[2]**2", -0.25),
        ("sum(alpha * y)", 1.5),
        ("dot(alpha, y) == sum(alpha*y)", True),
        ("K[2, 3]", 0.5),
        ("dot(alpha, K @ alpha)", 5.25),
        ("count(alpha == C)", 1.0),
        ("count((alpha > 0) and (alpha < C)) == free", True),
        ("not free == 1 or P > 3", True),
        ('task == "classification"', True),
        ('task != "classification"', False),
        ("0 <= alpha[1] < alpha[2] < C", True),
        ("smallest(alpha) + largest(alpha)", 2.0),
        ("mean(y)", pytest.approx(1 / 3)),
        ("all(alpha <= C) and any(alpha == C)", True),
        ("norm(y)", pytest.approx(math.sqrt(3))),
        ("1 / 0 == hard", True),
        # What decides is asked first, and then nothing else.
        ("free == 2 and nothing > 1", False),
        ("free == 1 or nothing", True),
    ],
)
def test_values(text, value):
    assert read(text).value(VALUES) == value


def test_vectors_are_compared_by_entry():
    np.testing.assert_array_equal(read("alpha > 0").value(VALUES), [False, True, True])
    assert not read("alpha > 0").holds(VALUES)
    assert read("alpha >= 0").holds(VALUES)


def test_numbers_that_only_rounding_separates_are_equal():
    values = {"a": 0.1 + 0.2, "b": 0.3, "P": 1e6, "D": 1e6 + 1e-9}
    assert read("a == b").holds(values)
    assert read("a <= b and b <= a and not a > b").holds(values)
    # Relative to the largest number on the way, not to the result.
    assert read("D - P == 0").holds(values)
    assert not read("a - b == 1e-6").holds(values)
    assert read("D - P").rounded_value(values) == 0.0
    assert read("a").rounded_value(values) == 0.1 + 0.2


def test_a_condition_has_parts():
    condition = read("free == 1 and P >= 2 >= C")
    assert [part.text for part in condition.parts()] == ["free == 1", "P >= 2 >= C"]
    assert condition.holds(VALUES)


@pytest.mark.parametrize(
    "text",
    [
        '__import__("os")', "alpha.T", "[1, 2]", "lambda: 1", "1 if 2 else 3", "alpha[1:2]", "1j",
        "b'x'", "x := 1", "sum(alpha, y)", "max(*alpha)", "exp(x=1)", "open(1)", "f'{P}'", "1;2",
        "", "(" * 300, "1 +", "~1", "alpha[0]", "alpha[4]", "alpha[1.5]", "K[1]", "alpha[1, 1]",
        "nothing", '"a" + 1', "alpha + dot(alpha, C) + K[9, 9]", "alpha + y[1] * K @ 3", "x" * 500,
        "+".join("1" * 190) + "+" + "(" * 60, "not task", "task and C", "C and task", "9" * 350,
    ],
)  # fmt: skip
def test_everything_else_is_refused_in_one_sentence(text):
    with pytest.raises(BadInput) as refusal:
        read(text).value(VALUES)
    assert str(refusal.value).endswith((".", "…", "..."))
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("text", ["task", '"a"'])
def test_a_text_is_no_condition(text):
    with pytest.raises(BadInput, match="A text is neither true nor false"):
        read(text).holds(VALUES)


@pytest.mark.parametrize(
    ("text", "tied", "number"),
    [
        # Finite numbers are not as large as an infinite one.
        ("at_largest(1 / alpha)", [True, False, False], 1.0),
        ("at_smallest(-1 / alpha)", [True, False, False], 1.0),
        ("at_smallest(log(alpha))", [True, False, False], 1.0),
        ("at_largest(log(alpha))", [False, False, True], 3.0),
        ("at_largest(0 / alpha)", [False, False, False], math.nan),
    ],
)
def test_the_largest_of_infinite_numbers(text, tied, number):
    np.testing.assert_array_equal(read(text).tied_value(VALUES), tied)
    np.testing.assert_equal(read(text).value(VALUES), number)
    if any(tied):
        assert read(text).lead(VALUES) in (math.inf, pytest.approx(1 + math.log(2) / math.log(2)))


def test_huge_numbers_are_infinite_and_cost_nothing():
    assert read("9**9**9**9").value({}) == math.inf
    assert read("1e999 > 5").holds({})

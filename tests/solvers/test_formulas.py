"""Formulas: the numbers put in are those of the step, and they can be typeset."""

import math
import re

import pytest

from solvers import SMO, Pegasos, Problem, solve
from solvers.formulas import bracketed, number
from tests.solvers.problems import cloud


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (2.95812, "2.958"),
        (-0.25, "{-}0.25"),
        (1.2e-5, r"1.2 \times 10^{-5}"),
        (-3e7, r"{-}3 \times 10^{7}"),
        (math.inf, r"\infty"),
    ],
)
def test_numbers(value, text):
    assert number(value) == text


def test_factors_with_a_sign_are_in_brackets():
    assert bracketed(2.0) == "2"
    assert bracketed(-2.0) == r"\left({-}2\right)"
    assert bracketed(1e9).startswith(r"\left(")
    with pytest.raises(ValueError, match="not a number"):
        number(math.nan)


def value_of(latex: str) -> float:
    """The number a line ends with."""
    text = latex.rsplit("=", 1)[1].replace("{-}", "-").strip()
    mantissa, _, power = text.partition(r" \times 10^{")
    return float(mantissa) * 10.0 ** int(power.rstrip("}") or 0)


def test_the_update_of_smo_gives_what_it_says():
    run = solve(Problem(*cloud(30, 1), C=2.0), SMO())
    for step in range(1, run.steps + 1):
        event = run.at(step).event
        second, first = event.formulas()
        assert value_of(second.numbers) == pytest.approx(event.new[1], rel=1e-3, abs=1e-9)
        assert value_of(first.numbers) == pytest.approx(event.new[0], rel=1e-3, abs=1e-9)
        old, top, bottom, low, high = numbers_in(second.numbers)
        unclipped = old + top / bottom
        assert unclipped == pytest.approx(event.unclipped[1], rel=2e-3, abs=2e-3)
        assert min(max(unclipped, low), high) == pytest.approx(event.new[1], rel=2e-3, abs=2e-3)


def numbers_in(latex: str) -> tuple[float, float, float, float, float]:
    """Old alpha, numerator, denominator, L and H of a clipped update."""
    plain = re.sub(r" \\times 10\^\{(-?\d+)\}", r"e\1", latex.replace("{-}", "-"))
    plain = plain.replace(r"\left(", "(").replace(r"\right)", ")")
    found = re.search(
        r"clip\}\((\S+) \+ \\frac\{(\S+) \\cdot (\S+)\}\{(\S+)\},\\ (\S+),\\ (\S+)\) =", plain
    )
    old, sign, errors, eta, low, high = (float(part.strip("()")) for part in found.groups())
    return old, sign * errors, eta, low, high


def test_pegasos_says_its_step():
    run = solve(Problem(*cloud(30, 1), C=2.0), Pegasos(max_steps=50, project=True))
    for step in range(1, 51):
        event = run.at(step).event
        formulas = event.formulas()
        assert rf"w_{{{step + 1}}}" in formulas[0].numbers
        assert ("sum" in formulas[0].numbers) == bool(event.violating)
        assert (len(formulas) == 2) == (event.projected < 1.0)

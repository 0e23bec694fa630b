"""Formulas contain the numbers of the step, and can be typeset."""

import math
import re

import pytest

from solvers import SMO, Hulls, Linear, Pegasos, Perceptron, Problem, Regression, solve
from solvers.methods.interior_point.words import _fraction_in_words
from solvers.run.formulas import (
    bracketed,
    compared_with_one,
    digits_of_change,
    latex_compared_with_one,
    near_one,
    number,
    vector,
)
from tests.solvers.latex import holds
from tests.solvers.problems import cloud, separated, wave


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (2.95812, "2.958"),
        (-0.25, "{-}0.25"),
        (1.2e-5, r"1.2 \cdot 10^{-5}"),
        (-3e7, r"{-}3 \cdot 10^{7}"),
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
    """Return the number at the end of a line."""
    text = latex.rsplit("=", 1)[1].replace("{-}", "-").strip()
    mantissa, _, power = text.partition(r" \cdot 10^{")
    return float(mantissa) * 10.0 ** int(power.rstrip("}") or 0)


def test_the_formulas_of_smo_are_correct():
    run = solve(Problem(*cloud(30, 1), C=2.0), SMO())
    for step in range(1, run.steps + 1):
        event = run.at(step).event
        values = event.values
        _, _, wanted, _, second, first, _ = event.formulas
        assert value_of(wanted.numbers) == pytest.approx(values["unclipped"], rel=1e-2, abs=1e-9)
        assert value_of(second.numbers) == pytest.approx(values["new_j"], rel=1e-2, abs=1e-9)
        assert value_of(first.numbers) == pytest.approx(values["new_i"], rel=1e-2, abs=1e-9)
        assert holds(wanted.numbers)
        assert holds(second.numbers)
        assert holds(first.numbers)


def test_the_formulas_of_pegasos_are_correct():
    problem = Problem(*cloud(30, 1), Linear(), C=2.0, bias="none")
    run = solve(problem, Pegasos(max_steps=50, project=True))
    for step in range(1, 51):
        event = run.at(step).event
        values = event.values
        formulas = event.formulas
        rate, inside, moved, *others = formulas
        (i,) = values["batch"]
        assert inside.numbers.startswith(rf"y_{{{i + 1}}} f(x_{{{i + 1}}}) = ")
        assert inside.numbers.endswith("< 1") == bool(values["violating"])
        assert value_of(rate.numbers) == pytest.approx(values["rate"], rel=6e-3)
        assert moved.numbers.startswith(rf"w_{{{step + 1}}} =")
        assert (" + " in moved.numbers) == bool(values["violating"])
        assert any("lambda" in f.letters and "min" in f.letters for f in others) == (
            values["projection"] < 1.0
        )


def test_the_update_of_a_regression_names_its_two_kinds_of_variables():
    run = solve(Regression(*wave(20, 1), C=2.0, epsilon=0.1), SMO())
    kinds = set()
    for step in range(1, run.steps + 1):
        event = run.at(step).event
        values = event.values
        _, _, wanted, _, second, first, _ = event.formulas
        assert value_of(wanted.numbers) == pytest.approx(values["unclipped"], rel=1e-2, abs=1e-9)
        assert "s_j" in wanted.letters
        assert value_of(second.numbers) == pytest.approx(values["new_j"], rel=1e-3, abs=1e-9)
        assert value_of(first.numbers) == pytest.approx(values["new_i"], rel=1e-3, abs=1e-9)
        kinds.add((values["i"] < run.problem.n, values["j"] < run.problem.n))
        for place, formula in ((0, first), (1, second)):
            point = run.problem.point_of((values["i"], values["j"])[place]) + 1
            star = r"*\," if (values["i"], values["j"])[place] < run.problem.n else ""
            name = rf"\alpha_{{{point}}}^{{{star}\mathrm{{new}}}}"
            assert formula.numbers.startswith(name)
    assert len(kinds) > 1


def test_the_formulas_of_the_perceptron_are_correct():
    run = solve(Problem(*separated(20, 1), C=1.0), Perceptron(zero="mistake"))
    for step in range(1, run.steps + 1):
        event = run.at(step).event
        formulas = event.formulas
        values = event.values
        assert ("leq" in formulas[0].numbers) == (not values["kept"])
        assert len(formulas) == (2 if values["kept"] else 3)
        if not values["kept"]:
            assert value_of(formulas[2].numbers.replace(r"\leftarrow", "")) == values["b"]
            assert values["b"] == run.at(step).expansion.bias
            beta = run.at(step).expansion.beta[values["i"]]
            assert formulas[1].numbers.startswith(rf"\beta_{{{values['i'] + 1}}} \leftarrow")
            assert formulas[1].numbers.endswith(f"= {number(beta)}")


def last_numbers(latex: str) -> list[float]:
    """Return the number at the end of each part of a line."""
    return [value_of(part) for part in latex.split(r", \quad ")]


@pytest.mark.parametrize(
    ("margin", "text"),
    [
        (-0.0, "0 < 1"),
        (0.28674, "0.287 < 1"),
        (0.99987, "0.9999 < 1"),
        (1.0, "1 ≥ 1"),
        (1.0003, "1.0003 ≥ 1"),
        (-813.58, "-814 < 1"),
    ],
)
def test_a_margin_near_one_has_the_digit_that_distinguishes_it(margin, text):
    assert compared_with_one(margin) == text


@pytest.mark.parametrize("step", range(1, 17))
@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_however_near_to_one_a_margin_is_not_shown_as_one(step, side):
    margin = 1.0 + side * 2.5 * 10.0**-step
    for text in (compared_with_one(margin), latex_compared_with_one(margin)):
        shown, relation, one = text.split()
        assert (relation == "<", one) == (margin < 1.0, "1")
        assert (float(shown) < 1.0) == (margin < 1.0)
        assert float(shown) != 1.0


def test_a_margin_of_one_is_shown_as_one():
    assert compared_with_one(1.0) == "1 ≥ 1"
    assert latex_compared_with_one(1.0) == r"1 \geq 1"


def test_nearly_all_of_the_way_is_not_called_1():
    assert [_fraction_in_words(part) for part in (0.7356, 0.9997)] == [
        "0.74 of the way",
        "nearly the whole way",
    ]


@pytest.mark.parametrize("algorithm", ["pairwise", "mdm"])
def test_the_hulls_move_by_delta(algorithm):
    run = solve(Problem(*separated(20, 1), C=1.0), Hulls(algorithm=algorithm))
    for step in range(1, min(run.steps, 60) + 1):
        event = run.at(step).event
        values = event.values
        # The last formula, on the distance, is left out while p and q do not exist.
        formulas = event.formulas if values["distance"] is None else event.formulas[:-1]
        *_, delta, moved = formulas
        assert value_of(delta.numbers) == pytest.approx(values["delta"], rel=6e-3)
        assert last_numbers(moved.numbers) == pytest.approx(
            (values["new_i"], values["new_j"]), rel=6e-3, abs=1e-12
        )
        if algorithm == "pairwise":
            assert values["delta"] == max(values["low"], values["unclipped"])
            top = re.search(r"frac\{1 - (.*)\}\{(.*)\}\\right", delta.numbers)
            assert top is not None


@pytest.mark.parametrize(
    ("value", "text"), [(1.0, "1"), (0.5, "0.5"), (1.0 + 1.11e-5, "1.0000111"), (1.0004, "1.0004")]
)
def test_a_number_near_one_has_the_digits_of_the_difference(value, text):
    assert near_one(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (9999.4, "9999"),
        (9999.97, "10000"),
        (99995.0, "99995"),
        (99999.7, r"1 \cdot 10^{5}"),
        (1e5, r"1 \cdot 10^{5}"),
    ],
)
def test_a_number_rounded_up_to_a_power_of_ten_is_written_like_this_power(value, text):
    assert number(value) == text


def test_a_change_is_shown_with_the_digits_that_tell_its_size():
    for old, new in ((0.16247, 0.16254), (1.5741, 1.5800), (0.0, 0.183), (3.0, 2.0), (1e-7, 2e-3)):
        digits = digits_of_change(old, new)
        shown = float(f"{new:.{digits}g}") - float(f"{old:.{digits}g}")
        assert shown == pytest.approx(new - old, rel=0.25)
    assert digits_of_change(0.0, 0.183) == 3
    assert digits_of_change(0.5, 0.5) == 3
    assert digits_of_change(0.5, 0.5 + 1e-15) == 3
    assert digits_of_change(1.0, math.inf) == 3


def test_noise_in_a_vector_is_0():
    assert vector((3.456e-9, 1.0)) == r"\left(0,\ 1\right)"
    assert vector((1e6, 1e-6)) == r"\left(1 \cdot 10^{6},\ 1 \cdot 10^{-6}\right)"

r"""Formulas of a step as LaTeX: in letters, and with the numbers of the step.

Points are numbered from 1, as everywhere on screen.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from inspect import signature
from typing import TYPE_CHECKING, Any

from solvers.rounding import EPS, without_noise

if TYPE_CHECKING:
    from solvers.problem.problem import Problem


# For the name of a result, the function that computes it; its parameters are names of values.
Sums = Mapping[str, Callable[..., float]]
# Maximum number of digits of two numbers that differ little.
MAX_DIGITS = 9
# Maximum number of entries of a vector that are shown.
MAX_ENTRIES = 4
# The result of a sum or difference counts as rounding error, and is shown as 0, if its size is at
# most this fraction of the largest term.
ROUNDING = 64 * EPS
# A pair of variables moves by an amount proportional to the difference of their errors E. An E
# smaller than this, relative to the difference, hardly changes the step, and is shown as 0. Such an
# E is common: if a step solves linear equations that set E of the free points to 0, rounding error
# remains.
NEGLIGIBLE = 1e-7


@dataclass(frozen=True)
class Formula:
    """One equation.

    Attributes
    ----------
    letters : str
        LaTeX in the notation of the method's source; the same at all steps of the same kind.
    numbers : str
        The same equation with this step's numbers.
    """

    letters: str
    numbers: str


def number(value: float, digits: int = 4) -> str:
    r"""Write a number in LaTeX with ``digits`` significant digits.

    Tiny and huge numbers have one digit less and a power of ten: ``1.23 \cdot 10^{-5}``.
    """
    if math.isnan(value):
        raise ValueError("a formula has no place for a value that is not a number")
    if math.isinf(value):
        return r"\infty" if value > 0 else r"{-}\infty"
    mantissa, _, power = _decimal_text(value, digits).partition("e")
    if power:
        return _signed(rf"{mantissa} \cdot 10^{{{int(power)}}}")
    return _signed(mantissa)


def _decimal_text(value: float, digits: int) -> str:
    """Write a number as Python does: ``0.001234``, and with an exponent ``1.23e-05``."""
    size = abs(value)
    if math.isinf(size):
        return str(value)
    if size and not 1e-3 <= size < max(1e5, 10.0 ** (digits - 1)):
        mantissa, power = f"{value:.{digits - 2}e}".split("e")
        mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
        return f"{mantissa}e{power}"
    # All digits before the decimal point are shown.
    text = f"{value:.{max(digits, 5) if size >= 1e4 else digits}g}"
    if "e" in text:
        # Rounding has made the number longer by a digit, as from 9999.9 to 10000.
        return _decimal_text(float(text), digits)
    return "0" if text == "-0" else text


def without_rounding(result: float, terms: Sequence[float]) -> float:
    """Return the result of a sum; 0 if the result is only rounding error of its terms."""
    largest = max((abs(term) for term in terms if math.isfinite(term)), default=0.0)
    return 0.0 if abs(result) <= ROUNDING * largest else result


def digits_of_sum(terms: Sequence[float], result: float, combine: Callable[..., float]) -> int:
    """Return the number of digits that the terms of a sum need, so that a reader can check it.

    It is 4, or more if terms cancel: the sum of the rounded terms must differ from the result by
    less than one unit of the result's fourth digit. ``combine`` computes the sum from its terms.
    """
    sizes = [abs(term) for term in terms if term and math.isfinite(term)]
    digits = 4
    if math.isfinite(result):
        unit = 1e-4 * min(sizes, default=1.0)
        if result:
            unit = 10.0 ** (math.floor(math.log10(abs(result))) - 3)
        while digits < 16:
            rounded_terms = (float(_decimal_text(term, digits)) for term in terms)
            if abs(combine(*rounded_terms) - result) < unit:
                break
            digits += 1
    return digits


def digits_of_change(old: float, new: float, least: int = 3) -> int:
    """Return the digits with which two numbers show by how much one differs from the other.

    The difference of the rounded numbers has a relative error of at most 1/4. If ``MAX_DIGITS``
    digits do not suffice, ``least`` is returned.
    """
    change = new - old
    if math.isfinite(change):
        for digits in range(least, MAX_DIGITS + 1):
            shown = float(f"{new:.{digits}g}") - float(f"{old:.{digits}g}")
            if abs(shown - change) <= 0.25 * abs(change):
                return digits
    return least


def digits_of_sums(
    named: Sequence[str], values: Mapping[str, Any], sums: Sums
) -> tuple[Mapping[str, Any], dict[str, int]]:
    """Return values, and the digits that their terms need, to check the sums among ``named``.

    A sum that is only rounding error of its terms becomes 0. A result may be a vector, whose terms
    are vectors and numbers. A term that is None is left out of the formula, and counts as 0.
    """
    digits: dict[str, int] = {}
    for result, combine in sums.items():
        if result not in named or values[result] is None:
            continue
        names = _parameters(combine)
        sides = [_entries(values[result]), *(_entries(values[name]) for name in names)]
        cleaned = []
        for entry in range(len(sides[0])):
            value, *terms = (side[entry] if len(side) > 1 else side[0] for side in sides)
            cleaned.append(without_rounding(value, terms))
            if entry < MAX_ENTRIES:
                needed = digits_of_sum(terms, cleaned[-1], combine)
                digits |= {name: max(needed, digits.get(name, 0)) for name in names}
        is_vector = isinstance(values[result], tuple)
        values = {**values, result: tuple(cleaned) if is_vector else cleaned[0]}
    return values, digits


def _entries(value: Any) -> Sequence[float]:
    if isinstance(value, tuple):
        return value
    return (0.0 if value is None else value,)


@cache
def _parameters(function: Callable[..., float]) -> tuple[str, ...]:
    return tuple(signature(function).parameters)


def near_one(value: float) -> str:
    """Write a number as :func:`number` does, but show that it is not 1 if rounding makes it "1".

    In this case three digits of the difference from 1 are shown: ``0.9999634`` for a difference of
    3.66e-5.
    """
    return _show_difference_from_one(value, number(value), digits=3)


def compared_with_one(margin: float) -> str:
    """Return a text such as ``0.9996 < 1`` for a sentence.

    If the difference from 1 is tiny, one digit of it is shown.
    """
    # Adding 0 turns minus zero into zero.
    text = _show_difference_from_one(margin, f"{margin + 0.0:.3g}", digits=1)
    return f"{text} {'<' if margin < 1.0 else '≥'} 1"


def latex_compared_with_one(margin: float) -> str:
    r"""Return ``0.9999634 < 1`` or ``1.2 \geq 1`` in LaTeX, with the digits of :func:`near_one`."""
    return near_one(margin) + (" < 1" if margin < 1.0 else r" \geq 1")


def _show_difference_from_one(value: float, text: str, digits: int) -> str:
    """Return ``text``, the rounded value; but if rounding made it "1", show the difference from 1.

    In this case the value is written with ``digits`` digits of its difference from 1.
    """
    if text != "1" or value == 1.0:
        return text
    places = digits - 1 - math.floor(math.log10(abs(value - 1.0)))
    return f"{value:.{min(places, 16)}f}".rstrip("0")


def bracketed(value: float, digits: int = 4) -> str:
    """Write a number for use as a factor or after a sign: see :func:`in_brackets`."""
    return in_brackets(number(value, digits))


def in_brackets(text: str) -> str:
    """Return a number in LaTeX, in brackets if it has a sign or a power of ten."""
    return rf"\left({text}\right)" if text.startswith("{") or "cdot" in text else text


def alpha(problem: Problem, variable: int) -> str:
    r"""Write the name of a dual variable: ``\alpha_{3}`` for the variable of the third point.

    In a regression the variable that raises f has a star: ``\alpha_{3}^{*}``.
    """
    star = "^{*}" if problem.task == "regression" and problem.sign[variable] > 0 else ""
    return rf"\alpha_{{{problem.point_of(variable) + 1}}}{star}"


def variable_set(problem: Problem, variables: Sequence[int], max_entries: int = 6) -> str:
    r"""Write a set of dual variables: by the points, or in a regression by their names.

    A classification has one variable per point. Dots replace all after the first ``max_entries``.
    """
    if problem.task == "classification":
        return point_set(variables, max_entries)
    names = [alpha(problem, variable) for variable in variables[:max_entries]]
    dots = [r"\dots"] if len(variables) > max_entries else []
    return rf"\{{{', '.join(names + dots)}\}}"


def vector(values: Sequence[float], digits: int = 4) -> str:
    """Write a vector in brackets; dots replace all entries after the first ``MAX_ENTRIES``."""
    entries = [number(value, digits) for value in without_noise(values)[:MAX_ENTRIES]]
    dots = [r"\dots"] if len(values) > MAX_ENTRIES else []
    return r"\left(" + r",\ ".join(entries + dots) + r"\right)"


def point_set(points: Sequence[int], max_points: int = 6) -> str:
    r"""Write a set of points by their numbers from 1: ``\{3, 7, 12\}``.

    ``points`` are indices from 0. Dots replace all points after the first ``max_points``.
    """
    numbers = [str(point + 1) for point in points[:max_points]]
    dots = [r"\dots"] if len(points) > max_points else []
    return rf"\{{{', '.join(numbers + dots)}\}}"


def _signed(text: str) -> str:
    """Put a leading sign in braces, so that LaTeX does not set it as an operator, with a space."""
    return "{-}" + text[1:] if text.startswith("-") else text

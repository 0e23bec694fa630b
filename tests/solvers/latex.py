"""Evaluation of LaTeX formulas, independent of the code that writes them."""

from __future__ import annotations

import math
import re

import numpy as np

# Relative rounding error of a number with four digits, and with three and a power of ten.
ROUNDING, COARSER = 6e-4, 6e-3
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e-?\d+)?(?!\w)")
_VECTOR = re.compile(r"\(((?:[^(),]+, )+[^(),]+)\)")
_NAMES = {
    "clip": lambda value, low, high: min(max(value, low), high),
    "inf": math.inf,
    "max": max,
    "min": min,
    "sqrt": math.sqrt,
    "array": lambda *entries: np.array(entries),
}


def equation(latex: str) -> tuple[str, str] | None:
    """Return both sides of the last equals sign as Python; None if they contain letters."""
    parts = re.split(r" = |\\leftarrow|,? ?\\quad ?", latex)
    parts = [part for part in parts if part.strip()]
    if len(parts) < 2 or not re.search(r"= [^=]*$", latex):
        return None
    left, right = (plain(part) for part in parts[-2:])
    names = re.findall(r"[A-Za-z_\\]\w*", left + " " + right)
    known = all(name in _NAMES or re.fullmatch(r"e-?\d*", name) for name in names)
    return (left, right) if known else None


def plain(latex: str) -> str:
    """Convert LaTeX to a Python expression."""
    text = re.sub(r" \\cdot 10\^\{(-?\d+)\}", r"e\1", latex.replace("{-}", "-"))
    text = text.replace(r"\left(", "(").replace(r"\right)", ")")
    text = text.replace(r"\cdot", "*").replace(r"\,", " ").replace(r"\ ", " ")
    text = re.sub(r"\\mathrm\{clip\}", "clip", text)
    text = text.replace(r"\max", "max").replace(r"\min", "min").replace(r"\infty", "inf")
    while r"\frac" in text:
        text = _without_a_fraction(text)
    text = re.sub(r"\^(\d)", r"**\1", text)
    text = re.sub(r"  +", " ", text).strip()
    # A vector follows the name of a function only in clip, max and min.
    text = re.sub(rf"(?<!clip)(?<!max)(?<!min){_VECTOR.pattern}", r"array(\1)", text)
    return re.sub(r"(?<=[\d)]) (?=array|\()|(?<=\))(?=\(|array)", " * ", text)


def _without_a_fraction(text: str) -> str:
    start = text.rindex(r"\frac")
    top, after = _braced(text, start + len(r"\frac"))
    bottom, end = _braced(text, after)
    return f"{text[:start]}(({top})/({bottom})){text[end:]}"


def _braced(text: str, start: int) -> tuple[str, int]:
    depth = 0
    for place in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return text[start + 1 : place], place + 1
    raise ValueError(text)


def evaluate(expression: str) -> np.ndarray:
    """Return the value of an expression, a number or a vector."""
    return np.atleast_1d(eval(expression, {"__builtins__": {}}, dict(_NAMES)))


def spread(expression: str) -> np.ndarray:
    """Return a bound on the error of the value, whose numbers are rounded."""
    value, total = evaluate(expression), 0.0
    for found in _NUMBER.finditer(expression):
        share = COARSER if "e" in found.group() else ROUNDING
        for sign in (1.0, -1.0):
            other = repr(float(found.group()) * (1.0 + sign * share))
            changed = expression[: found.start()] + other + expression[found.end() :]
            total = total + np.abs(evaluate(changed) - value)
    return total


def holds(latex: str) -> bool | None:
    """Return whether each equation of a line holds; None if all contain letters."""
    found = [_comes_out(part) for part in re.split(r",? ?\\quad ?", latex)]
    told = [one for one in found if one is not None]
    return all(told) if told else None


def _comes_out(latex: str) -> bool | None:
    """Return whether both sides are equal up to rounding; None if they contain letters."""
    sides = equation(latex)
    if sides is None:
        return None
    left, right = (evaluate(side) for side in sides)
    if np.isinf(left).any() or np.isinf(right).any():
        return bool((left == right).all())
    room = spread(sides[0]) + spread(sides[1]) + 1e-9
    return bool((np.abs(left - right) <= room).all())

"""Expressions in texts, such as ``norm**2 / 2 + C * sum(xi)`` or ``free == 2 and errors == 0``.

The syntax is Python's. Python's parser reads a text into a tree, and this module evaluates the
tree; no text is ever executed. A value is a number, a truth value, a text, a vector (a float64
array with an entry for each point or coordinate) or the kernel matrix. Arithmetic and comparisons
of vectors are by entry. ``alpha[3]`` is the entry of point 3, ``K[1, 2]`` the kernel of points 1
and 2: points are counted from 1, as on screen. ``K @ beta`` is a product with the matrix.

Two numbers count as equal if they differ only by rounding error, that is, by at most ``TOLERANCE``
times the largest number that occurred while they were computed. So ``P - D == 0`` can hold for a
large P.
"""

from __future__ import annotations

import ast
import math
import operator
import sys
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from solvers.errors import BadInput, shorten
from svmviz.base.strict_json import suggest

Value = float | bool | str | np.ndarray

MAX_LENGTH = 400
MAX_DEPTH = 40
TOLERANCE = 1e-9
# Entries tie with the largest one if they differ from it by at most this fraction of it, because a
# run ends at a tolerance.
TIE = 0.01
# A result is shown as 0 if it is at most this fraction of the largest number that occurred while it
# was computed.
NOISE = 1e-13

ARITHMETIC: dict[type[ast.operator], Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
    ast.Pow: np.power,
    ast.MatMult: np.matmul,
}
# For each comparison, its result for numbers that are equal up to rounding, and the function that
# compares all other numbers.

COMPARISONS: dict[type[ast.cmpop], tuple[bool, Callable[..., np.ndarray]]] = {
    ast.Eq: (True, operator.eq),
    ast.NotEq: (False, operator.ne),
    ast.Lt: (False, operator.lt),
    ast.LtE: (True, operator.le),
    ast.Gt: (False, operator.gt),
    ast.GtE: (True, operator.ge),
}


def _dot(u: np.ndarray, v: np.ndarray) -> float:
    return float(np.dot(u, v))


def _first(is_it: np.ndarray) -> float:
    """Return the number, from 1, of the first entry that is True; NaN if none is."""
    return float(np.argmax(is_it)) + 1.0 if np.any(is_it) else math.nan


# Functions of one to three arguments; each argument may be a number or a vector.
FUNCTIONS: dict[str, tuple[int, Callable[..., Value]]] = {
    "sum": (1, lambda v: float(np.sum(v))),
    "mean": (1, lambda v: float(np.mean(v)) if np.size(v) else math.nan),
    "smallest": (1, lambda v: float(np.min(v, initial=math.inf))),
    "largest": (1, lambda v: float(np.max(v, initial=-math.inf))),
    # The number, from 1, of the smallest or largest entry; if several tie, of the first one.
    "at_smallest": (1, lambda v: _first(v == np.min(v))),
    "at_largest": (1, lambda v: _first(v == np.max(v))),
    "count": (1, lambda v: float(np.count_nonzero(v))),
    "all": (1, lambda v: bool(np.all(v))),
    "any": (1, lambda v: bool(np.any(v))),
    "abs": (1, np.abs),
    "sqrt": (1, np.sqrt),
    "exp": (1, np.exp),
    "log": (1, np.log),
    "norm": (1, lambda v: float(np.linalg.norm(v))),
    "dot": (2, _dot),
    "min": (2, np.minimum),
    "max": (2, np.maximum),
    "where": (3, np.where),
}


@dataclass(frozen=True)
class Expression:
    """An expression, as :func:`read` returns it."""

    text: str
    tree: ast.expr

    def value(self, values: Mapping[str, Value]) -> Value:
        """Return the value of the expression, given the values of its names.

        Raises
        ------
        BadInput
            If a name has no value here, or an operation does not fit its operands.
        """
        return _Evaluation(self.text, values).value_of(self.tree)

    def rounded_value(self, values: Mapping[str, Value]) -> Value:
        """Return the value with 0 in place of numbers that are only rounding errors."""
        evaluation = _Evaluation(self.text, values)
        value = evaluation.value_of(self.tree)
        if isinstance(value, bool | str):
            return value
        noise = NOISE * evaluation.largest
        return np.where(np.abs(value) <= noise, 0.0, value)

    def tied_value(self, values: Mapping[str, Value]) -> Value:
        """Return the value; for ``at_largest`` and ``at_smallest``, which entries tie for it."""
        match self.tree:
            case ast.Call(ast.Name("at_largest" | "at_smallest" as name), [argument]):
                evaluation = _Evaluation(self.text, values)
                vector = np.atleast_1d(evaluation.number(argument))
                best = vector.max() if name == "at_largest" else vector.min()
                if math.isinf(best):
                    return vector == best
                return np.abs(vector - best) <= TIE * abs(best) + TOLERANCE * evaluation.largest
        return self.value(values)

    def lead(self, values: Mapping[str, Value]) -> float:
        """Return the lead of ``at_largest`` or ``at_smallest`` over the next entry.

        The lead is a fraction of the larger of the two entries; entries that tie are left out. It
        is infinite if there is no other entry, and for any other expression.
        """
        match self.tree:
            case ast.Call(ast.Name("at_largest" | "at_smallest"), [argument]):
                vector = np.atleast_1d(_Evaluation(self.text, values).number(argument))
                is_best = np.asarray(self.tied_value(values))
                best, others = vector[is_best][0], vector[~is_best]
                sizes = np.maximum(np.abs(others), abs(best))
                # The lead of an infinite number is infinite.
                is_finite = np.isfinite(sizes)
                shares = np.abs(others - best)[is_finite] / sizes[is_finite]
                return float(shares.min(initial=math.inf))
        return math.inf

    def holds(self, values: Mapping[str, Value]) -> bool:
        """Return whether the condition holds; for a vector, whether it holds at every entry."""
        return bool(np.all(_Evaluation(self.text, values).truth(self.tree)))

    def check_names(self, values: Mapping[str, Value]) -> None:
        """Raise BadInput if a name has no value here, even if the condition is decided before."""
        evaluation = _Evaluation(self.text, values)
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Name) and node.id not in FUNCTIONS:
                evaluation.check_name(node.id)

    def parts(self) -> tuple[Expression, ...]:
        """Return the conditions that the outermost ``and`` joins; without one, this expression."""
        if isinstance(self.tree, ast.BoolOp) and isinstance(self.tree.op, ast.And):
            return tuple(
                Expression(ast.get_source_segment(self.text, node) or "", node)
                for node in self.tree.values
            )
        return (self,)


def read(text: str) -> Expression:
    """Return the expression that a text contains.

    Raises
    ------
    BadInput
        If the text is not an expression, or contains something that the language lacks.
    """
    text = " ".join(text.split())
    if len(text) > MAX_LENGTH:
        raise BadInput(f"An expression has at most {MAX_LENGTH} characters: {shorten(text)}")
    try:
        with warnings.catch_warnings():
            # Python warns of texts such as "1and 2", but reads them.
            warnings.simplefilter("ignore")
            tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise BadInput(f"This is no expression: {shorten(text)!r}.") from None
    _check(tree, text)
    return Expression(text, tree)


def _check(tree: ast.expr, text: str, depth: int = 0) -> None:
    """Raise BadInput if a tree contains something that the language lacks."""
    if depth > MAX_DEPTH:
        raise BadInput(f"This is nested too deeply: {shorten(text)!r}.")
    for node in _operands(tree, text):
        _check(node, text, depth + 1)


def _operands(tree: ast.expr, text: str) -> list[ast.expr]:
    """Return the operands of an operation; raise BadInput if the language lacks the operation."""
    match tree:
        case ast.Constant(value=int(number)) if abs(number) > sys.float_info.max:
            raise BadInput(f"A number is too large: {shorten(text)!r}.")
        case ast.Constant(value=bool() | int() | float() | str()) | ast.Name():
            return []
        case ast.BinOp(left, op, right) if type(op) in ARITHMETIC:
            return [left, right]
        case ast.UnaryOp(ast.USub() | ast.Not(), operand):
            return [operand]
        case ast.BoolOp(_, operands):
            return operands
        case ast.Compare(left, signs, operands) if all(type(sign) in COMPARISONS for sign in signs):
            return [left, *operands]
        case ast.Subscript(array, index):
            return [array, *_indices(index)]
        case ast.Call(ast.Name(name), arguments, []) if name in FUNCTIONS:
            if len(arguments) != FUNCTIONS[name][0]:
                raise BadInput(f"{name} takes {FUNCTIONS[name][0]} values: {shorten(text)!r}.")
            return arguments
    segment = ast.get_source_segment(text, tree) or text
    raise BadInput(f"An expression cannot contain {shorten(segment)!r}.")


def _indices(index: ast.expr) -> list[ast.expr]:
    return index.elts if isinstance(index, ast.Tuple) else [index]


class _Evaluation:
    """An evaluation of a tree; ``largest`` is the largest number since it was last set to 0."""

    def __init__(self, text: str, values: Mapping[str, Value]) -> None:
        self._text = text
        self._values = values
        self.largest = 0.0

    def check_name(self, name: str) -> None:
        if name not in self._values:
            hint = suggest(name, list(self._values), "")
            end = f"; {hint}" if hint else "."
            raise BadInput(f"There is no {name!r} here: {shorten(self._text)!r}{end}")

    def value_of(self, node: ast.expr) -> Value:
        value = self._raw_value(node)
        if not isinstance(value, str | bool):
            finite = np.abs(np.asarray(value, dtype=np.float64))
            finite = finite[np.isfinite(finite)]
            self.largest = max(self.largest, float(finite.max(initial=0.0)))
        return value

    def _raw_value(self, node: ast.expr) -> Value:
        match node:
            case ast.Constant(value):
                # `_check` lets only numbers and texts through.
                return value if isinstance(value, bool | str) else float(value)  # pyright: ignore[reportArgumentType]
            case ast.Name(name):
                self.check_name(name)
                return self._values[name]
            case ast.BinOp(left, op, right):
                return self._apply(ARITHMETIC[type(op)], self.number(left), self.number(right))
            case ast.UnaryOp(ast.USub(), operand):
                return self._apply(np.negative, self.number(operand))
            case ast.UnaryOp(_, operand):
                return self._as_value(np.logical_not(self.truth(operand)))
            case ast.BoolOp(op, operands):
                return self._joined(isinstance(op, ast.And), operands)
            case ast.Compare():
                holds = self._holds(node)
                return self._apply(lambda *all_values: _reduced(np.logical_and, all_values), *holds)
            case ast.Subscript(array, index):
                return self._entry(self.number(array), list(map(self.number, _indices(index))))
            case ast.Call(ast.Name(name), arguments):
                return self._apply(FUNCTIONS[name][1], *map(self.number, arguments))
        raise AssertionError(node)

    def _joined(self, is_and: bool, operands: list[ast.expr]) -> Value:
        """Return ``a and b`` or ``a or b``; operands after one that decides are not evaluated."""
        combine, result = np.logical_and if is_and else np.logical_or, np.asarray(is_and)
        for operand in operands:
            result = np.asarray(self._apply(combine, result, self.truth(operand)))
            if result.ndim == 0 and bool(result) != is_and:
                break
        return self._as_value(result)

    def _holds(self, node: ast.Compare) -> list[np.ndarray]:
        """Return whether each comparison of a chain such as ``P >= L >= D`` holds."""
        before, self.largest = self.largest, 0.0
        sides = [self.value_of(side) for side in (node.left, *node.comparators)]
        tolerance, self.largest = TOLERANCE * self.largest, max(before, self.largest)
        return [
            self._compared(sign, left, right, tolerance)
            for left, sign, right in zip(sides, node.ops, sides[1:])
        ]

    def _compared(self, sign: ast.cmpop, left: Value, right: Value, tolerance: float) -> np.ndarray:
        if_equal, compare = COMPARISONS[type(sign)]
        if isinstance(left, str) or isinstance(right, str):
            return np.asarray(compare(str(left), str(right)))
        a, b = np.asarray(left, dtype=np.float64), np.asarray(right, dtype=np.float64)
        with np.errstate(invalid="ignore"):
            # The difference of two infinite numbers may be NaN, so these are compared directly.
            is_equal = (np.abs(a - b) <= tolerance) | (a == b)
        return np.where(is_equal, if_equal, compare(a, b))

    def number(self, node: ast.expr) -> np.ndarray:
        value = self.value_of(node)
        if isinstance(value, str):
            raise BadInput(f"A text is no number: {shorten(self._text)!r}.")
        return np.asarray(value, dtype=np.float64)

    def truth(self, node: ast.expr) -> np.ndarray:
        """Return whether a value, or each of its entries, is true; a number is true unless 0."""
        value = self.value_of(node)
        if isinstance(value, str):
            raise BadInput(f"A text is neither true nor false: {shorten(self._text)!r}.")
        return np.asarray(value).astype(bool)

    def _entry(self, array: np.ndarray, indices: list[np.ndarray]) -> Value:
        if array.ndim != len(indices):
            raise BadInput(f"{len(indices)} indices do not fit here: {shorten(self._text)!r}.")
        place = []
        for index, length in zip(indices, array.shape, strict=True):
            if index.ndim or index != np.floor(index) or not 1 <= index <= length:
                wanted = str(index).removesuffix(".0")
                raise BadInput(f"There is no number {wanted} here: {shorten(self._text)!r}.")
            place.append(int(index) - 1)
        return self._as_value(array[tuple(place)])

    def _apply(self, function: Callable[..., Value], *operands: np.ndarray) -> Value:
        try:
            with np.errstate(all="ignore"):
                return self._as_value(function(*operands))
        except (ValueError, TypeError):
            raise BadInput(f"These lengths do not fit: {shorten(self._text)!r}.") from None

    @staticmethod
    def _as_value(value: Value | np.generic) -> Value:
        if isinstance(value, bool | np.bool_):
            return bool(value)
        array = np.asarray(value)
        if array.ndim:
            return array
        return bool(array) if array.dtype == bool else float(array)


def _reduced(combine: Callable[..., np.ndarray], values: tuple[np.ndarray, ...]) -> np.ndarray:
    result = values[0].astype(bool)
    for value in values[1:]:
        result = combine(result, value)
    return result

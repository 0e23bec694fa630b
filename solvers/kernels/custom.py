"""A kernel written as a formula in the coordinates of two points: ``(1 + x1*z1 + x2*z2)^2``.

The point x is ``(x1, x2)``, and the point z is ``(z1, z2)``. The functions are ``exp log sqrt abs
sin cos tanh``, and ``min max pow`` of two numbers; ``pi`` is a constant. Points for which the
formula has no value, or is not symmetric, are refused before a run. At other points, such as nodes
of a grid, a function outside of its domain has its value at the border of the domain, and a
quotient by 0 is 0.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from solvers.errors import BadInput, shorten
from solvers.kernels import programs
from solvers.kernels.expressions import (
    Binary,
    Call,
    Minus,
    Name,
    Number,
    Tree,
    make_text_check,
    parse,
)
from solvers.kernels.kernel import MAX_CHECKED_POINTS, Kernel, refuse_values, sample_of
from solvers.kernels.programs import BOUND, CONSTANT, X_, Z_, Program
from solvers.settings import setting

# For each variable: the operation that pushes it on the stack, and the index of the coordinate.
VARIABLES = {"x1": (X_, 0), "x2": (X_, 1), "z1": (Z_, 0), "z2": (Z_, 1)}
# For each function: operation of a program, number of arguments, numpy function, and why the
# function may have no value.
FUNCTIONS = {
    "exp": (programs.EXP, 1, np.exp, "exp of a number that is too large"),
    "log": (programs.LOG, 1, np.log, "log of a number that is not positive"),
    "sqrt": (programs.SQRT, 1, np.sqrt, "sqrt of a negative number"),
    "abs": (programs.ABS, 1, np.abs, ""),
    "sin": (programs.SIN, 1, np.sin, ""),
    "cos": (programs.COS, 1, np.cos, ""),
    "tanh": (programs.TANH, 1, np.tanh, ""),
    "min": (programs.MINIMUM, 2, np.minimum, ""),
    "max": (programs.MAXIMUM, 2, np.maximum, ""),
    "pow": (programs.RAISE, 2, np.power, "a power that is no number"),
}
# For each operator: operation of a program, numpy function, and why the result may have no value.
SIGNS = {
    "+": (programs.ADD, np.add, "a sum that is too large"),
    "-": (programs.SUBTRACT, np.subtract, "a difference that is too large"),
    "*": (programs.MULTIPLY, np.multiply, "a product that is too large"),
    "/": (programs.DIVIDE, np.divide, "a division by 0"),
    "^": (programs.RAISE, np.power, "a power that is no number"),
}
# A word for each function in the menu that inserts functions into a formula.
MEANINGS = {
    "exp": "exponential",
    "log": "logarithm",
    "sqrt": "square root",
    "abs": "absolute value",
    "sin": "sine",
    "cos": "cosine",
    "tanh": "hyperbolic tangent",
}
# k(x, z) and k(z, x) count as equal if they differ by at most this fraction of the largest |k|,
# which allows for rounding errors.
MAX_ASYMMETRY = 1e-9


class NoValue(Exception):
    """Raised if a part of a formula has no value for some points.

    Attributes
    ----------
    tree : Tree
        The part of the formula.
    reason : str
        Why this part has no value; may be empty.
    has_no_value : bool array
        For which pairs of points the part has no value. If the part does not depend on both x and
        z, the array has fewer entries, and broadcasts to the shape of all pairs.
    """

    def __init__(self, tree: Tree, reason: str, has_no_value: np.ndarray) -> None:
        super().__init__(reason)
        self.tree, self.reason, self.has_no_value = tree, reason, has_no_value


@functools.lru_cache(maxsize=100)
def formula_of(text: str) -> tuple[Tree, Program]:
    """Return the tree of a formula, and its program.

    Raises
    ------
    Misread
        If the text is not a formula.
    """
    tree = parse(text)
    return tree, _program(tree).then(Program.of(BOUND))


def _program(tree: Tree) -> Program:
    """Return the program of a formula; raise :class:`Misread` if it has an unknown name."""
    if isinstance(tree, Number):
        return Program.of(CONSTANT, tree.value)
    if isinstance(tree, Minus):
        return _program(tree.operand).then(Program.of(programs.NEGATE))
    if isinstance(tree, Binary):
        operation = Program.of(SIGNS[tree.sign][0])
        return _program(tree.left).then(_program(tree.right), operation)
    if isinstance(tree, Name):
        if tree.name == "pi":
            return Program.of(CONSTANT, math.pi)
        if tree.name not in VARIABLES:
            tree.fail(
                f"there is no '{shorten(tree.name)}'; there are {', '.join(VARIABLES)} and pi"
            )
        operation, axis = VARIABLES[tree.name]
        return Program.of(operation, axis)
    assert isinstance(tree, Call)
    if tree.name not in FUNCTIONS:
        tree.fail(f"there is no function '{shorten(tree.name)}'; there are {', '.join(FUNCTIONS)}")
    operation, count, _, _ = FUNCTIONS[tree.name]
    if len(tree.arguments) != count or any(key for key, _ in tree.arguments):
        takes = "one number" if count == 1 else "two numbers"
        tree.fail(f"{tree.name} takes {takes}")
    first, *others = (_program(argument) for _, argument in tree.arguments)
    return first.then(*others, Program.of(operation))


def _values(tree: Tree, names: Mapping[str, np.ndarray], strict: bool) -> np.ndarray:
    """Evaluate a formula in numpy; if ``strict``, a value not finite raises :class:`NoValue`."""
    if isinstance(tree, Number):
        return np.array(tree.value)
    if isinstance(tree, Name):
        return names[tree.name]
    reason = ""
    if isinstance(tree, Minus):
        result = -_values(tree.operand, names, strict)
    elif isinstance(tree, Binary):
        _, function, reason = SIGNS[tree.sign]
        left, right = _values(tree.left, names, strict), _values(tree.right, names, strict)
        result = function(left, right)
    else:
        assert isinstance(tree, Call)
        _, _, function, reason = FUNCTIONS[tree.name]
        result = function(*(_values(part, names, strict) for _, part in tree.arguments))
    if strict and not np.isfinite(result).all():
        raise NoValue(tree, reason, ~np.isfinite(result))
    return result


@dataclass(frozen=True)
class Custom(Kernel):
    """A kernel given by a formula, for points in the plane; see :mod:`solvers.kernels.custom`."""

    name: ClassVar[str] = "custom"
    label: ClassVar[str] = "Custom formula"
    notation: ClassVar[str] = "k(x₁, x₂, z₁, z₂)"
    help: ClassVar[str] = (
        "Any symmetric formula; the Mercer check tests on the points whether it is a kernel."
    )

    # The default formula shows the effect of a kernel that is not positive semi-definite. The
    # formula 1 - ||x - z||^2 would not show this with a free bias: since sum beta = 0, the dual is
    # the same as with 2 <x, z>, which is positive semi-definite.
    formula: str = setting(
        "-(x1*z1 + x2*z2)",
        "k(x, z) =",
        "A formula in x1, x2, z1, z2 with + - * / ^, exp, log, sqrt, abs, sin, cos, tanh, "
        "min, max, pow and pi.",
        check=make_text_check(formula_of),
        inserts=(
            ("(x1*z1 + x2*z2)", "inner product ⟨x, z⟩"),
            ("((x1 - z1)^2 + (x2 - z2)^2)", "squared distance ‖x − z‖²"),
            ("(abs(x1 - z1) + abs(x2 - z2))", "distance along the axes"),
            ("(min(x1, z1) + min(x2, z2))", "smaller coordinates"),
            ("", ""),
            ("-(…)", "negative"),
            ("(…)^2", "to a power"),
            *((f"{name}(…)", MEANINGS[name]) for name in MEANINGS),
        ),
    )

    @property
    def mercer(self) -> bool:
        """Return False, because no formula is proved to be positive semi-definite."""
        return False

    def __call__(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        A, B = _plane_points(A), _plane_points(B)
        return self._evaluate(A[:, None, :], B[None, :, :], strict=False)

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        X = _plane_points(X)
        return self._evaluate(X, X, strict=False)

    def program(self) -> Program:
        return formula_of(self.formula)[1]

    def check(self, X: np.ndarray, max_points: int = MAX_CHECKED_POINTS) -> None:
        X, indices = sample_of(_plane_points(X), max_points)
        try:
            K = self._evaluate(X[:, None, :], X[None, :, :], strict=True)
        except NoValue as error:
            has_no_value = np.broadcast_to(error.has_no_value, (len(X), len(X)))
            i, j = indices[np.argwhere(has_no_value)[0]] + 1
            raise BadInput(
                f"The formula has no value for points {i} and {j}: "
                f"{error.reason or 'a number that is too large'} at character {error.tree.at}."
            ) from None
        refuse_values(self, X, max_points)
        asymmetry = np.abs(K - K.T)
        if asymmetry.max() > MAX_ASYMMETRY * np.abs(K).max():
            i, j = np.unravel_index(int(asymmetry.argmax()), asymmetry.shape)
            raise BadInput(
                f"The formula is not symmetric: for points {indices[i] + 1} and {indices[j] + 1} "
                f"k(x, z) is {K[i, j]:.4g}, but k(z, x) is {K[j, i]:.4g}."
            )

    def _evaluate(self, x: np.ndarray, z: np.ndarray, strict: bool) -> np.ndarray:
        """Return k for arrays of points whose last axis has the two coordinates.

        If ``strict``, raise :class:`NoValue` if a value of a part of the formula is not finite.
        """
        names = {"x1": x[..., 0], "x2": x[..., 1], "z1": z[..., 0], "z2": z[..., 1]}
        shape = np.broadcast_shapes(x.shape, z.shape)[:-1]
        with np.errstate(all="ignore"):
            tree, _ = formula_of(self.formula)
            values = _values(tree, names | {"pi": np.array(math.pi)}, strict)
        return np.array(np.broadcast_to(values, shape))


def _plane_points(X: np.ndarray) -> np.ndarray:
    """Return points as floats, shape (n, 2); refuse points with another number of coordinates."""
    X = np.asarray(X, float)
    if X.shape[1] != 2:
        raise BadInput(
            f"A formula in x1, x2, z1, z2 needs points with 2 coordinates: these have {X.shape[1]}."
        )
    return X

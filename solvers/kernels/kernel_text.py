"""A kernel written as an expression: ``0.5*rbf(gamma=2) + linear()``.

The leaves of an expression are kernels of this library. They are written by name, with ``_``
instead of ``-``, and with their settings as arguments; ``poly`` is short for ``polynomial``. An RBF
kernel may have the width sigma as argument instead of gamma, as in ``rbf(sigma=0.5)``.

Kernels are combined by ``+  -  *  /  ^`` and numbers, by ``exp(k)``, and by ``scale(f, k)``, which
is ``f(x) k(x, z) f(z)``. The function f is ``one``, ``norm``, ``squared_norm``, ``inverse_norm`` or
``gaussian`` (:mod:`solvers.kernels.combinations`).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from solvers.errors import BadInput, shorten
from solvers.kernels.combinations import (
    Constant,
    Exponential,
    Power,
    Product,
    Scaled,
    Sum,
)
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
from solvers.kernels.kernel import MAX_CHECKED_POINTS, Kernel, Part, refuse_values
from solvers.kernels.programs import BOUND, GAUSSIAN, INVERSE_NORM, NORM, SQUARED_NORM, Program
from solvers.kernels.quadratics import FullQuadratic, HomogeneousQuadratic, Quadratic
from solvers.kernels.standard import RBF, Laplacian, Linear, Polynomial, Sigmoid
from solvers.settings import setting, settings_of

# The kernels that are leaves of expressions, in the order of the registry.
LEAF_KERNELS: tuple[type[Kernel], ...] = (
    Linear,
    Polynomial,
    RBF,
    Sigmoid,
    Laplacian,
    Quadratic,
    HomogeneousQuadratic,
    FullQuadratic,
)
# The kernel class of each name in an expression.
LEAVES = {kind.name.replace("-", "_"): kind for kind in LEAF_KERNELS} | {"poly": Polynomial}
# The positional arguments of a kernel, if they are not in the order in which its class defines the
# settings. So the 2 of ``poly(2)`` is the degree.
POSITIONAL_ORDER: dict[type[Kernel], tuple[str, ...]] = {Polynomial: ("degree", "gamma", "coef0")}
# The number of each function f of ``scale(f, k)``.
SCALINGS = {
    "norm": NORM,
    "squared_norm": SQUARED_NORM,
    "inverse_norm": INVERSE_NORM,
    "gaussian": GAUSSIAN,
}
# Maximum exponent of a kernel.
MAX_POWER = 10
# The value of an expression: a number, or a kernel.
Value = float | Part


@functools.lru_cache(maxsize=100)
def compose(text: str) -> Part:
    """Return the kernel that an expression describes.

    Raises
    ------
    Misread
        If the text is not a kernel expression.
    """
    tree = parse(text)
    return _part(_value(tree))


def _part(value: Value) -> Part:
    """Return a kernel unchanged, and a number as a constant kernel."""
    return value if isinstance(value, Part) else Constant(value)


def _value(tree: Tree) -> Value:
    """Return the value of a tree: a number or a kernel."""
    if isinstance(tree, Number):
        return tree.value
    if isinstance(tree, Minus):
        return _times(tree, -1.0, _value(tree.operand))
    if isinstance(tree, Binary):
        return OPERATORS[tree.sign](tree, _value(tree.left), _value(tree.right))
    if isinstance(tree, Name):
        return _call(Call(tree.name, (), at=tree.at))
    assert isinstance(tree, Call)
    return _call(tree)


def _finite(tree: Tree, compute: Callable[[], float]) -> float:
    """Return the number that ``compute`` returns; raise :class:`Misread` if it is not finite."""
    try:
        number = compute()
    except (OverflowError, ZeroDivisionError):
        number = math.inf
    if isinstance(number, complex) or not math.isfinite(number):
        tree.fail("this number cannot be computed")
    return number


def _plus(tree: Tree, left: Value, right: Value) -> Value:
    if not isinstance(left, Part) and not isinstance(right, Part):
        return _finite(tree, lambda: left + right)
    return Sum(_part(left), _part(right))


def _minus(tree: Tree, left: Value, right: Value) -> Value:
    return _plus(tree, left, _times(tree, -1.0, right))


def _times(tree: Tree, left: Value, right: Value) -> Value:
    if not isinstance(left, Part) and not isinstance(right, Part):
        return _finite(tree, lambda: left * right)
    if not isinstance(right, Part):
        left, right = right, left
    return Product(_part(left), _part(right))


def _over(tree: Tree, left: Value, right: Value) -> Value:
    if isinstance(right, Part):
        tree.fail("a kernel can only be divided by a number")
    if right == 0.0:
        tree.fail("this is a division by 0")
    if not isinstance(left, Part):
        return _finite(tree, lambda: left / right)
    return _times(tree, _finite(tree, lambda: 1.0 / right), left)


def _power(tree: Tree, left: Value, right: Value) -> Value:
    if isinstance(right, Part):
        tree.fail("the exponent must be a number")
    if not isinstance(left, Part):
        return _finite(tree, lambda: left**right)
    if right != int(right) or not 1 <= right <= MAX_POWER:
        tree.fail(f"a kernel can be raised to 1, 2, ... {MAX_POWER}, not to {right:g}")
    return Power(left, int(right))


# The function that computes the value of each operator.
OPERATORS = {"+": _plus, "-": _minus, "*": _times, "/": _over, "^": _power}


def _call(tree: Call) -> Value:
    """Return the value of ``exp(k)`` or ``scale(f, k)``, or the kernel of a leaf."""
    if tree.name == "exp":
        value = _value(_single_argument(tree))
        if not isinstance(value, Part):
            return _finite(tree, lambda: math.exp(value))
        return Exponential(value)
    if tree.name == "scale":
        return _scaled(tree)
    if tree.name in LEAVES:
        return _leaf(tree)
    if tree.name in SCALINGS or tree.name == "one":
        tree.fail(f"{tree.name} is a function of x; write scale({tree.name}, k)")
    known = ", ".join([*LEAVES, "exp", "scale"])
    tree.fail(f"there is no kernel '{shorten(tree.name)}'; there are {known}")


def _single_argument(tree: Call) -> Tree:
    """Return the only argument of a function."""
    if len(tree.arguments) != 1 or tree.arguments[0][0]:
        tree.fail(f"{tree.name} takes one kernel, {tree.name}(k)")
    return tree.arguments[0][1]


def _scaled(tree: Call) -> Value:
    """Return the kernel of ``scale(f, k)``."""
    if len(tree.arguments) != 2 or any(key for key, _ in tree.arguments):
        tree.fail("scale takes a function and a kernel, as in scale(norm, linear())")
    (_, function), (_, inner) = tree.arguments
    part = _part(_value(inner))
    name = function.name if isinstance(function, Name | Call) else ""
    arguments = function.arguments if isinstance(function, Call) else ()
    if name == "one" and not arguments:
        return part
    if name not in SCALINGS:
        function.fail(f"the function of scale must be {', '.join(SCALINGS)} or one")
    is_gaussian_of_one = name == "gaussian" and len(arguments) == 1 and arguments[0][0] in ("", "g")
    if arguments and not is_gaussian_of_one:
        function.fail("only gaussian takes a number, as in gaussian(0.5)")
    g = _number(arguments[0][1]) if arguments else 0.5
    if g < 0.0:
        function.fail(f"g must be at least 0: got {g:g}")
    return Scaled(SCALINGS[name], g, part)


def _leaf(tree: Call) -> Kernel:
    """Return the kernel of a call such as ``rbf(gamma=2)``."""
    kind = LEAVES[tree.name]
    specs = settings_of(kind)
    twins = {spec.twin.name: name for name, spec in specs.items() if spec.twin}
    order = POSITIONAL_ORDER.get(kind, tuple(specs))
    values: dict[str, Any] = {}
    # The name by which each setting is given: its own or that of its twin.
    given: dict[str, str] = {}
    for position, (key, argument) in enumerate(tree.arguments):
        if not key and position >= len(order):
            takes = f"at most {len(order)}" if order else "none"
            argument.fail(f"too many numbers for {tree.name}, which takes {takes}")
        written = key or order[position]
        name, number = twins.get(written, written), _number(argument)
        if name not in specs:
            known = ", ".join([*order, *twins]) or "none"
            argument.fail(f"{tree.name} has no setting '{shorten(key)}'; it has {known}")
        if name in values:
            earlier = given[name]
            argument.fail(
                f"{written} is given twice"
                if written == earlier
                else f"{earlier} and {written} set the same number, so only one can be given"
            )
        given[name] = written
        try:
            twin = specs[name].twin
            values[name] = twin.setting_from(number) if twin and written == twin.name else number
            kind(**values)
        except BadInput as error:
            argument.fail(str(error).removeprefix(f"{kind.title()}: ").rstrip("."))
    return kind(**values)


def _number(tree: Tree) -> float:
    """Return the value of a tree that must be a number."""
    value = _value(tree)
    if isinstance(value, Part):
        tree.fail("expected a number, but this is a kernel")
    return value


@dataclass(frozen=True)
class Composed(Kernel):
    """A kernel given by an expression; see :mod:`solvers.kernels.kernel_text`."""

    name: ClassVar[str] = "composed"
    label: ClassVar[str] = "Composed"
    notation: ClassVar[str] = "k₁ + k₂, k₁ k₂, exp(k)"
    help: ClassVar[str] = (
        "An expression in kernels. Their sums, products, powers, exp and scalings are kernels too."
    )

    expression: str = setting(
        "0.5*rbf(gamma=2) + linear()",
        "k(x, z) =",
        "Kernels such as rbf(gamma=2), poly(2) or linear(), joined by + - * / ^, exp(k) and "
        "scale(f, k) = f(x) k(x, z) f(z), where f is "
        "norm, squared_norm, inverse_norm, gaussian or one (the constant 1).",
        check=make_text_check(compose),
        inserts=(
            ("linear()", "linear"),
            ("poly(2)", "polynomial of degree 2"),
            ("rbf(gamma=1)", "Gaussian"),
            ("laplacian(gamma=1)", "pointed bumps"),
            ("sigmoid(0.5)", "not a Mercer kernel"),
            ("quadratic()", "features x₁, x₂, ‖x‖²"),
            ("homogeneous_quadratic()", "⟨x, z⟩²"),
            ("full_quadratic()", "1 + ⟨x, z⟩ + ⟨x, z⟩²"),
            ("", ""),
            ("2*(…)", "times a number"),
            ("(…)*rbf(gamma=1)", "times a kernel"),
            ("(…) + 1", "plus a constant"),
            ("(…)^2", "to a power"),
            ("exp(…)", "exponential"),
            ("", ""),
            ("scale(inverse_norm, …)", "divided by ‖x‖ ‖z‖"),
            ("scale(gaussian, …)", "times exp(−(‖x‖² + ‖z‖²)/2)"),
            ("scale(norm, …)", "times ‖x‖ ‖z‖"),
        ),
    )

    @property
    def part(self) -> Part:
        """Return the kernel that the expression describes."""
        return compose(self.expression)

    @property
    def mercer(self) -> bool:
        """Return whether the closure rules prove that the kernel is positive semi-definite."""
        return self.part.mercer

    def __call__(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore", invalid="ignore"):
            return self.part(np.asarray(A, float), np.asarray(B, float))

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore", invalid="ignore"):
            return self.part.diagonal(X)

    def program(self) -> Program:
        return self.part.program().then(Program.of(BOUND))

    def feature_map(self, X: np.ndarray) -> np.ndarray | None:
        """Return the features, shape (n, m), or None; see :meth:`Kernel.feature_map`.

        The features of a sum are those of both kernels. The features of a product are all products
        of a feature of the left kernel and a feature of the right kernel.
        """
        return self.part.feature_map(np.asarray(X, float))

    def check(self, X: np.ndarray, max_points: int = MAX_CHECKED_POINTS) -> None:
        refuse_values(self, X, max_points)

    def on_grid(
        self, beta: np.ndarray, S: np.ndarray, xs: np.ndarray, ys: np.ndarray
    ) -> np.ndarray:
        with np.errstate(over="ignore", invalid="ignore"):
            return np.nan_to_num(self.part.on_grid(beta, S, xs, ys))

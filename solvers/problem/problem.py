"""The problem: points, labels, kernel, penalty and bias. All are checked here, not by methods."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, NamedTuple

import numpy as np

from solvers.data.coordinates import refuse_coordinates
from solvers.errors import BadInput, short_repr
from solvers.jit.signatures import FixedVector, Indices, Matrix, Vector
from solvers.kernels.kernel import MAX_KERNEL_VALUE, Kernel
from solvers.kernels.kernel_rows import Rows, make_rows
from solvers.kernels.mercer import Concavity, check_concavity
from solvers.kernels.programs import Program, plus_one
from solvers.kernels.standard import RBF, Linear
from solvers.problem.expansion import Expansion, freeze
from solvers.problem.origin import origin_of, without_large_constant

# Limits of C. With them all sums and products of a run are finite, even the largest, C^2 k(x, x).
MIN_C, MAX_C = 1e-75, 1e75

BIASES = {
    "free": "free bias b, not regularised: only w is kept small, as in textbooks",
    "none": "no bias: f passes through the origin of the feature space",
    "augmented": "bias by the augmentation trick k + 1: b is kept small (regularised) with w",
}
# Codes of the biases for compiled loops.
NO_BIAS, FREE_BIAS, AUGMENTED = range(3)
BIAS_CODES = {"none": NO_BIAS, "free": FREE_BIAS, "augmented": AUGMENTED}


class DualForm(NamedTuple):
    """The dual for compiled loops, in N signed variables ``beta_v = sign_v alpha_v``.

    Maximise ``sum target_v beta_v - 1/2 beta' K beta`` subject to ``lower <= beta <= upper``, and
    to ``sum beta = 0`` if the bias is free. Classification has one variable per point: N = n, and
    ``sign = y``. Regression has two variables per point: N = 2 n, and X contains each point twice.

    Attributes
    ----------
    X : float64 array, shape (N, d)
    target, lower, upper, diagonal : float64 arrays, shape (N,)
    ops, args : the kernel as a program, see :mod:`solvers.kernels.programs`
    """

    X: Matrix
    target: FixedVector
    lower: Vector
    upper: Vector
    diagonal: Vector
    ops: Indices
    args: Matrix

    def make_rows(self, cache_bytes: int) -> Rows:
        """Allocate memory for rows of K; see :func:`solvers.kernels.kernel_rows.make_rows`."""
        return make_rows(self.X, Program(self.ops, self.args), cache_bytes, in_blocks=False)


@dataclass(frozen=True, eq=False)
class Problem:
    """Soft-margin classification: ``min 1/2 ||w||^2 + C sum_i s_i max(0, 1 - y_i f(x_i))``.

    The dual of a classification has one variable per point, with ``sign = y``. The dual of a
    regression (:class:`solvers.problem.regression.Regression`) has two variables per point. The
    functions ``to_variables``, ``sum_per_point``, ``variables_of``, ``max_per_point``, ``point_of``
    and ``name_of`` map between points and variables. So methods and the certificate need no branch
    for the task: a method works on the ``n_variables`` variables of ``dual_form``, and sums its
    result per point. The slack of a variable is ``max(0, sign (target - f))``; in classification
    this is ``max(0, 1 - y f)``.

    Parameters
    ----------
    X : array, shape (n, d)
        Points, in the coordinates in which the kernel is computed. (The window divides each axis of
        its data by a factor first, and calls the results solver units.)
    y : array, shape (n,)
        Labels -1 and +1; both must occur.
    kernel : Kernel
    C : float
        Penalty, in [1e-75, 1e75]; ``inf`` is the hard margin. ``lam`` is ``1 / (C n)``.
    bias : {"free", "none", "augmented"}
        "augmented" adds 1 to the kernel, so that the bias is regularised like w.
    weights : array, shape (n,), optional
        ``s_i``, above 0: each point has its own penalty ``C_i = C s_i``, the upper bound of its
        alpha. None means 1 for all points.

    Raises
    ------
    BadInput
        If the input is invalid; the message is one sentence.
    """

    task: ClassVar[str] = "classification"
    # The end of the message that there are no points: which points the problem needs.
    need: ClassVar[str] = "a classification needs one of each class"
    # True only for the problem of the nearest points of two reduced hulls, where the weights of the
    # points have an upper bound (see reduced_hulls.py).
    capped: ClassVar[bool] = False

    X: np.ndarray
    y: np.ndarray
    kernel: Kernel = RBF()  # noqa: RUF009 - frozen
    C: float = 1.0
    bias: str = "free"
    weights: np.ndarray | None = field(default=None, kw_only=True)
    # Set by __post_init__. With a free bias, `origin`, shape (d,), is subtracted from points far
    # from 0, and a large constant is left out of the kernel (see origin.py). For other problems
    # `origin` is None. Methods and certificates compute with `centered`, shape (n, d), and
    # `used_kernel`.
    origin: np.ndarray | None = field(init=False, repr=False)
    centered: np.ndarray = field(init=False, repr=False)
    used_kernel: Kernel = field(init=False, repr=False)
    # k(x_i, x_i), shape (n,): computed by __post_init__, which checks it, and used by `dual_form`.
    _diagonal: np.ndarray = field(init=False, repr=False)
    # `centered` again, writable: compiled code, which only reads it, is compiled for this type.
    _points: np.ndarray = field(init=False, repr=False)

    def __post_init__(self) -> None:
        points = _checked_points(self.X, self.need)
        X = freeze(points.view())
        _set(self, "X", X)
        _set(self, "y", self._checked_y(self.y, len(X)))
        _set(self, "C", _checked_C(self.C))
        if self.weights is not None:
            _set(self, "weights", _checked_weights(self.weights, len(X), self.C))
        if not isinstance(self.kernel, Kernel):
            raise BadInput(
                f"kernel must be a kernel such as RBF(gamma=1): got {short_repr(self.kernel)}."
            )
        if not isinstance(self.bias, str) or self.bias not in BIASES:
            raise BadInput(f"bias must be one of {', '.join(BIASES)}: got {short_repr(self.bias)}.")
        self.kernel.check(X)
        is_free = self.bias == "free"
        origin = origin_of(X) if is_free and self.linear else None
        kernel = without_large_constant(self.kernel, X) if is_free else self.kernel
        points = points if origin is None else points - origin
        _set(self, "origin", origin)
        _set(self, "_points", points)
        _set(self, "centered", X if origin is None else freeze(points.view()))
        _set(self, "used_kernel", kernel)
        with np.errstate(over="ignore"):
            diagonal = kernel.diagonal(points)
        _set(self, "_diagonal", diagonal)
        if not _are_within(diagonal, MAX_KERNEL_VALUE):
            worst = int(np.argmax(np.abs(diagonal)))
            raise BadInput(
                f"The kernel is too large at point {worst + 1} {tuple(X[worst].tolist())}: "
                "scale the points, or lower the kernel's parameters."
            )

    def __reduce__(self) -> tuple[Any, ...]:
        """Return a call that makes the problem again: pickled arrays are no longer read-only."""
        values = {part.name: getattr(self, part.name) for part in fields(self) if part.init}
        return functools.partial(type(self), **values), ()

    @property
    def n(self) -> int:
        """Return the number of points."""
        return len(self.X)

    @property
    def lam(self) -> float:
        """Return the regulariser ``1 / (C n)``; 0 for the hard margin."""
        return 0.0 if math.isinf(self.C) else 1.0 / (self.C * self.n)

    @property
    def hard(self) -> bool:
        """Return whether the margin is hard (C infinite)."""
        return math.isinf(self.C)

    @functools.cached_property
    def bounds(self) -> np.ndarray:
        """Return the upper bound of each variable's alpha, ``C_i = C s_i``, shape (N,)."""
        one = np.ones(self.n) if self.weights is None else self.weights
        return freeze(self.to_variables(self.C * one))

    @property
    def caps(self) -> np.ndarray:
        """Return the upper bound of each point's alpha, ``C_i = C s_i``, shape (n,)."""
        return self.max_per_point(self.bounds)

    def weights_of(self, rows: np.ndarray) -> np.ndarray | None:
        """Return the weights of some points, or None."""
        return None if self.weights is None else self.weights[rows]

    def weighted_sum(self, losses: np.ndarray) -> float:
        """Return ``sum_i s_i loss_i`` of losses per point, shape (n,), or variable, (N,)."""
        if self.weights is None:
            return float(losses.sum())
        return float((losses.reshape(-1, self.n) @ self.weights).sum())

    @property
    def linear(self) -> bool:
        """Return whether the kernel is ``<x, z>``, so that ``f(x) = <w, x> + b`` with w in R^d."""
        return isinstance(self.kernel, Linear)

    def expansion(self, beta: np.ndarray, b: float) -> Expansion:
        """Return ``f(x) = sum_i beta_i k(x_i, x) + b``, computed as this problem computes.

        beta, shape (n,), becomes read-only. b belongs to ``centered``, as methods compute it;
        :attr:`Expansion.bias` belongs to the user's coordinates.
        """
        kernel = self.used_kernel
        if self.origin is None:
            return Expansion(kernel, self.X, freeze(beta), b)
        bias = b - float((beta @ self.centered) @ self.origin)
        return Expansion(kernel, self.X, freeze(beta), bias, self.origin, b)

    @property
    def n_variables(self) -> int:
        """Return N, the number of variables of the dual."""
        return self.n

    @property
    def sign(self) -> np.ndarray:
        """Return the sign of each variable, +1 or -1, shape (N,): ``alpha = sign beta``."""
        return self.y

    @property
    def target(self) -> np.ndarray:
        """Return the value of f at which the slack of each variable becomes 0, shape (N,)."""
        return self.y

    def to_variables(self, values: np.ndarray) -> np.ndarray:
        """Return values of the points, shape (n, ...), repeated per variable: shape (N, ...)."""
        return values

    def sum_per_point(self, values: np.ndarray) -> np.ndarray:
        """Return the sum of each point's variables, shape (n,), from values of shape (N,)."""
        return values

    def variables_of(self, beta: np.ndarray) -> np.ndarray:
        """Return values of the variables, shape (N,), whose sum per point is ``beta``."""
        return beta

    def max_per_point(self, values: np.ndarray) -> np.ndarray:
        """Return the largest value among each point's variables, shape (n,)."""
        return values

    def shortfall(self, decision: np.ndarray, beta: np.ndarray) -> np.ndarray:
        """Return the shortfall of each variable, ``sign (target - f)``, shape (N,).

        By KKT the shortfall is at most 0 if alpha = 0, at least 0 if alpha = C_i, and otherwise 0.
        """
        return self.sign * (self.target - self.to_variables(decision))

    def objectives(self, decision: np.ndarray, alpha: np.ndarray) -> tuple[float, float] | None:
        """Return P and D if this problem has its own objectives, otherwise None.

        None means that :func:`solvers.problem.certificate.certify` computes P and D of the soft or
        hard margin. ``decision`` and ``alpha`` have shape (n,).
        """
        return None

    def point_of(self, variable: int) -> int:
        """Return the index of the point that a variable belongs to."""
        return variable

    def name_of(self, variable: int) -> str:
        """Return the name of a variable for sentences, with the number of its point from 1."""
        return f"α of point {variable + 1}"

    @property
    def kkt_corners(self) -> np.ndarray:
        """Return the corners of the KKT staircase (:mod:`solvers.problem.kkt`), shape (m, 2).

        The coordinates are ``(y f, alpha)``. The staircase has ``alpha = 0`` for ``y f > 1``, any
        alpha for ``y f = 1``, and ``alpha = C`` for ``y f < 1``. If the points have weights,
        ``alpha / s`` takes the place of alpha.
        """
        return np.array([(math.inf, 0.0), (1.0, 0.0), (1.0, self.C), (-math.inf, self.C)])

    def kkt_coordinates(self, decision: np.ndarray, beta: np.ndarray) -> np.ndarray:
        """Return ``(y_i f(x_i), alpha_i)`` of each point, shape (n, 2)."""
        return np.column_stack([self.y * decision, self._per_weight(self.y * beta + 0.0)])

    def _per_weight(self, alpha: np.ndarray) -> np.ndarray:
        """Return ``alpha / s``, shape (n,), exactly C at the bound."""
        if self.weights is None:
            return alpha
        is_bound = np.abs(alpha) >= self.caps
        return np.where(is_bound, np.copysign(self.C, alpha), alpha / self.weights)

    def _checked_y(self, labels: Any, n: int) -> np.ndarray:
        return _checked_labels(labels, n)

    @functools.cached_property
    def concavity(self) -> Concavity:
        """Return whether the dual is concave, on at most 400 points; this takes O(n^3) time.

        Raises
        ------
        BadInput
            If the kernel has no value on some points.
        """
        return check_concavity(self.kernel, self.X, self.bias)

    @property
    def is_concave(self) -> bool | None:
        """Return whether the dual is concave, so that each of its maxima is the largest.

        None if only a sample of the points was checked, or the kernel has no value on some.
        """
        try:
            return self.concavity.concave
        except BadInput:
            return None

    @functools.cached_property
    def dual_form(self) -> DualForm:
        """Return the dual for compiled loops."""
        program = _program(self.used_kernel)
        X, sign = self.to_variables(self._points), self.sign
        diagonal = self.to_variables(self._diagonal)
        if self.bias == "augmented":
            program = plus_one(program)
            diagonal = diagonal + 1.0
        bound = self.bounds * sign
        return DualForm(
            X=X,
            target=self.target,
            lower=np.minimum(bound, 0.0),
            upper=np.maximum(bound, 0.0),
            diagonal=diagonal,
            ops=program.ops,
            args=program.args,
        )


def _set(problem: Problem, name: str, value: Any) -> None:
    object.__setattr__(problem, name, value)


@functools.lru_cache(maxsize=32)
def _program(kernel: Kernel) -> Program:
    """Return the program of a kernel; problems share it, since compiled loops only read it."""
    return kernel.program()


def _are_within(values: np.ndarray, limit: float) -> bool:
    """Return whether all values are numbers of at most ``limit`` in size, and not NaN.

    The sum of squares is compared first. It is faster to compute than the maximum, and if it is at
    most ``limit^2``, so is every square.
    """
    return bool(np.vdot(values, values) <= limit * limit or np.abs(values).max() <= limit)


def _checked_points(points: Any, need: str) -> np.ndarray:
    X = numbers(points)
    if X is None:
        raise BadInput("X must be an array of numbers, one row per point.")
    if X.shape[:1] == (0,):
        raise BadInput(f"There are no points yet: {need}.")
    if X.ndim != 2 or X.shape[1] == 0:
        raise BadInput(f"X must have shape (n, d): got {X.shape}.")
    refuse_coordinates(X)
    return X


def numbers(values: Any) -> np.ndarray | None:
    """Return a copy as a float64 array, or None if the values are not real numbers."""
    if isinstance(values, np.ndarray) and values.dtype == np.float64:
        return np.array(values, dtype=np.float64, order="C")
    try:
        array = np.array(values)
        return None if np.iscomplexobj(array) else array.astype(np.float64, order="C")
    except (TypeError, ValueError, OverflowError):
        return None


def one_per_point(values: Any, n: int, noun: str, description: str, name: str = "y") -> np.ndarray:
    """Return values as float64, shape (n,); the three texts name and describe them in errors.

    Raises
    ------
    BadInput
        If the values are not n real numbers.
    """
    y = numbers(values)
    if y is None:
        raise BadInput(f"{name} must be an array of {description}.")
    y = y.ravel()
    if len(y) != n:
        raise BadInput(f"There must be as many {noun} as points: got {len(y)} and {n}.")
    return y


def _checked_labels(labels: Any, n: int) -> np.ndarray:
    y = one_per_point(labels, n, "labels", "-1 and +1")
    # With few points, counting takes much less time than all() and max().
    n_positive, n_negative = np.count_nonzero(y == 1.0), np.count_nonzero(y == -1.0)
    if n_positive + n_negative != n:
        raise BadInput(f"Labels must be -1 or +1: got {y[np.abs(y) != 1.0][0]:g}.")
    if n_positive == n or n_negative == n:
        raise BadInput(
            f"All points have the label {y[0]:+.0f}: at least one of each class is needed."
        )
    y.setflags(write=False)
    return y


def _checked_C(value: Any) -> float:
    try:
        C = math.nan if isinstance(value, bool | str) else float(value)
    except (TypeError, ValueError, OverflowError):
        C = math.nan
    if math.isnan(C):
        raise BadInput(f"C must be a number above 0: got {short_repr(value)}.")
    if not C > 0:
        raise BadInput(f"C must be above 0 (infinite is the hard margin): got {C:g}.")
    if not math.isinf(C) and not MIN_C <= C <= MAX_C:
        raise BadInput(f"C must be between {MIN_C:g} and {MAX_C:g}, or infinite: got {C:g}.")
    return C


def _checked_weights(values: Any, n: int, C: float) -> np.ndarray:
    weights = one_per_point(values, n, "weights", "numbers above 0", "weights")
    with np.errstate(all="ignore"):
        is_valid = (weights > 0.0) & (weights < math.inf)
        penalties = C * weights
        is_valid &= np.isinf(C) | ((penalties >= MIN_C) & (penalties <= MAX_C))
    if not is_valid.all():
        first = int(np.argmin(is_valid))
        raise BadInput(
            f"The weight of point {first + 1} must be above 0, and C times it between {MIN_C:g} and"
            f" {MAX_C:g}: got {weights[first]:g}."
        )
    return freeze(weights)

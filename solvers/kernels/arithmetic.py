"""Arithmetic on the operands of a kernel program, in compiled code.

An operand is a row of numbers, one for each point.
Every operation has a value everywhere, because compiled code must not produce NaN. Operands are
limited to 1e150 in size. Outside of the domain of a function, its value at the border of the domain
is used, and a quotient by 0 is 0. Before a run, kernels refuse points for which one of these rules
would change a value.
"""

from __future__ import annotations

import math

import numpy as np

from solvers.jit.compiled import inner
from solvers.jit.signatures import Vector
from solvers.jit.simd import larger, smaller
from solvers.kernels.exponentials import fast_exp
from solvers.kernels.programs import (
    ABS,
    ADD,
    COS,
    DIVIDE,
    EXP,
    LOG,
    MAX_OPERAND,
    MAXIMUM,
    MINIMUM,
    MULTIPLY,
    NEGATE,
    RAISE,
    SIN,
    SINGLE,
    SQRT,
    SUBTRACT,
    TANH,
)

# For a smaller number, log returns the logarithm of this number.
MIN_LOG_ARGUMENT = 1e-300
# Powers with integer exponents from 1 to this number are computed as products, which is ten times
# as fast as pow.
MAX_PRODUCT_EXPONENT = 10.0


@inner
def bounded(v: float) -> float:
    """Return v, limited to the interval from -1e150 to 1e150."""
    return smaller(larger(v, -MAX_OPERAND), MAX_OPERAND)


@inner
def apply_operation(op: int, under: Vector, above: Vector) -> None:
    """Set ``under <- under op above``, entry by entry; unary operations ignore ``above``.

    For a binary operation, ``above`` is the topmost operand of a stack, and ``under`` is the
    operand below it. For a unary operation, both are the topmost operand.
    """
    n = len(under)
    if op in (ADD, SUBTRACT):
        sign = 1.0 if op == ADD else -1.0
        for j in range(n):
            under[j] = bounded(under[j]) + sign * bounded(above[j])
    elif op == MULTIPLY:
        for j in range(n):
            under[j] = bounded(under[j]) * bounded(above[j])
    elif op == EXP:
        for j in range(n):
            under[j] = fast_exp(under[j])
    else:
        for j in range(n):
            under[j] = value_of(op, bounded(under[j]), bounded(above[j]))


@inner
def value_of(op: int, u: float, v: float) -> float:  # noqa: C901 - one line per operation
    """Return ``u op v`` for operations without a loop of their own; unary ones ignore v."""
    if op == DIVIDE:
        return u / v if v != 0.0 else 0.0
    if op == RAISE and v == math.floor(v) and 1.0 <= v <= MAX_PRODUCT_EXPONENT:
        product = u
        for _ in range(int(v) - 1):
            product = bounded(product) * u
        return product
    if op == RAISE:
        defined = u > 0.0 or (u == 0.0 and v >= 0.0) or (u < 0.0 and v == math.floor(v))
        return math.pow(u, v) if defined else 0.0
    if op == MINIMUM:
        return smaller(u, v)
    if op == MAXIMUM:
        return larger(u, v)
    if op == NEGATE:
        return -u
    if op == LOG:
        return math.log(larger(u, MIN_LOG_ARGUMENT))
    if op == SQRT:
        return math.sqrt(larger(u, 0.0))
    if op == ABS:
        return abs(u)
    if op == TANH:
        return math.tanh(u)
    if op == SINGLE:
        return np.float64(np.float32(u))  # type: ignore[return-value] - compiled code has no float
    if op == SIN:
        return math.sin(u)
    return math.cos(u) if op == COS else u

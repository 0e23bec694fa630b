"""Arithmetic of kernel programs in compiled code: exp, tanh, and the operations on operands.

exp and tanh have neither branches nor tables, so that LLVM can vectorise loops that call them.

An operand is a row of numbers, one for each point. Every operation has a value everywhere, because
compiled code must not produce NaN. Operands are limited to 1e150 in size. Outside of the domain of
a function, its value at the border of the domain is used, and a quotient by 0 is 0. Before a run,
kernels refuse points for which one of these rules would change a value.
"""

from __future__ import annotations

import math

import numpy as np

from solvers.jit.compiled import compiled, inner
from solvers.jit.signatures import Vector
from solvers.jit.simd import bits_of, float_of, larger, multiply_add, smaller
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

LOG2_E = 1.0 / math.log(2.0)
# log 2 as a sum of two numbers. With both, no digits of x - k log 2 are lost (Cody and Waite 1980).
LN2_HIGH = 6.93147180369123816490e-01
LN2_LOW = 1.90821492927058770002e-10
# 1.5 * 2^52. Adding it to a float of size below 2^51 rounds the float to an integer, and the low
# bits of the sum are this integer.
ROUND = 6755399441055744.0
# For a smaller number, log returns the logarithm of this number.
MIN_LOG_ARGUMENT = 1e-300
# Powers with integer exponents from 1 to this number are computed as products, which is ten times
# as fast as pow.
MAX_PRODUCT_EXPONENT = 10.0


@inner
def _exp_remainder(r: float) -> float:
    """Return ``(exp(r) - 1 - r) / r^2`` for ``|r| <= log 2 / 2``, computed by a polynomial."""
    p = multiply_add(2.5110037605963777e-08, r, 2.763263963904103e-07)
    p = multiply_add(p, r, 2.755724091857897e-06)
    p = multiply_add(p, r, 2.4801485482328494e-05)
    p = multiply_add(p, r, 0.00019841269890047113)
    p = multiply_add(p, r, 0.0013888888952314775)
    p = multiply_add(p, r, 0.008333333333319601)
    p = multiply_add(p, r, 0.0416666666664881)
    p = multiply_add(p, r, 0.1666666666666668)
    return multiply_add(p, r, 0.5000000000000019)


@compiled
def fast_exp(x: float) -> float:
    """Return ``exp(x)`` with a relative error of 2e-16; 0 for x <= -708, exp(709) for x > 709.

    There is no branch and no table. Let ``x = k log 2 + r`` with an integer k and ``|r| <= log 2 /
    2``. A polynomial computes ``exp(r)``, and k is added to the exponent bits of the result. The
    polynomial interpolates exp at the twelve Chebyshev points of the interval of r. It is as
    accurate as a Taylor polynomial of degree 13.
    """
    limited = smaller(larger(x, -708.0), 709.0)
    shifted = multiply_add(limited, LOG2_E, ROUND)
    k = shifted - ROUND
    r = multiply_add(-k, LN2_LOW, multiply_add(-k, LN2_HIGH, limited))
    p = multiply_add(_exp_remainder(r), r, 1.0)
    p = multiply_add(p, r, 1.0)
    return float_of(bits_of(p) + (bits_of(shifted) << 52)) if x > -708.0 else 0.0


@compiled
def fast_tanh(x: float) -> float:
    """Return ``tanh(x)`` with a relative error of 4e-16, also for tiny x; without branch or table.

    ``tanh x = m / (m + 2)`` with ``m = exp(2x) - 1 = 2^k (exp(r) - 1) + (2^k - 1)``, where k and r
    are those of :func:`fast_exp` for 2x. For tiny x, k is 0 and ``m = exp(r) - 1``, which the
    polynomial gives without a subtraction. So no digits cancel.
    """
    # For |x| > 20, tanh(x) rounds to 1 or -1.
    twice = smaller(larger(2.0 * x, -40.0), 40.0)
    shifted = multiply_add(twice, LOG2_E, ROUND)
    k = shifted - ROUND
    r = multiply_add(-k, LN2_LOW, multiply_add(-k, LN2_HIGH, twice))
    power = float_of(bits_of(1.0) + (bits_of(shifted) << 52))
    m = multiply_add(power, multiply_add(_exp_remainder(r) * r, r, r), power - 1.0)
    return m / (m + 2.0)


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

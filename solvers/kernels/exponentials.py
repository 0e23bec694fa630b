"""exp and tanh without branches or tables, so that LLVM can vectorise loops that call them."""

from __future__ import annotations

import math

from solvers.jit.compiled import compiled, inner
from solvers.jit.simd import bits_of, float_of, larger, multiply_add, smaller

LOG2_E = 1.0 / math.log(2.0)
# log 2 as a sum of two numbers. With both, no digits of x - k log 2 are lost (Cody and Waite 1980).
LN2_HIGH = 6.93147180369123816490e-01
LN2_LOW = 1.90821492927058770002e-10
# 1.5 * 2^52. Adding it to a float of size below 2^51 rounds the float to an integer, and the low
# bits of the sum are this integer.
ROUND = 6755399441055744.0


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
    bounded = smaller(larger(x, -708.0), 709.0)
    shifted = multiply_add(bounded, LOG2_E, ROUND)
    k = shifted - ROUND
    r = multiply_add(-k, LN2_LOW, multiply_add(-k, LN2_HIGH, bounded))
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

"""Arithmetic on the rows of a kernel program, in compiled code.

Every operation has a value everywhere, since compiled code may not meet a NaN: operands are kept
within 1e150, and outside the domain of a function its value at the border counts (a quotient by 0
is 0). Kernels refuse points at which that would happen before a run.
"""

from __future__ import annotations

import math

from solvers.jit.compiled import compiled, inlined
from solvers.jit.separate import compiled_when_reached
from solvers.jit.signatures import Vector
from solvers.jit.simd import fast_exp, larger, smaller
from solvers.kernels.programs import (
    ABS,
    ADD,
    COS,
    DIVIDE,
    EXP,
    GREATEST,
    LARGEST_OPERAND,
    LEAST,
    LOG,
    MULTIPLY,
    NEGATE,
    RAISE,
    SIN,
    SQRT,
    SUBTRACT,
    TANH,
)

SMALLEST_LOG = 1e-300
# Whole exponents up to this are products: ten times as quick as the general power.
MOST_PRODUCTS = 10.0


@inlined
def bounded(v):
    """The operand, at most 1e150 in size."""
    return smaller(larger(v, -LARGEST_OPERAND), LARGEST_OPERAND)


@compiled_when_reached
def put_together(op: int, under: Vector, above: Vector) -> None:
    """``under <- under op above``, number by number; a function of one number ignores ``above``."""
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


@compiled
def value_of(op, u, v):  # noqa: C901 - one line an operation
    """An operation that is rare enough to be chosen number by number."""
    if op == DIVIDE:
        return u / v if v != 0.0 else 0.0
    if op == RAISE and v == math.floor(v) and 1.0 <= v <= MOST_PRODUCTS:
        product = u
        for _ in range(int(v) - 1):
            product = bounded(product) * u
        return product
    if op == RAISE:
        defined = u > 0.0 or (u == 0.0 and v >= 0.0) or (u < 0.0 and v == math.floor(v))
        return math.pow(u, v) if defined else 0.0
    if op == LEAST:
        return smaller(u, v)
    if op == GREATEST:
        return larger(u, v)
    if op == NEGATE:
        return -u
    if op == LOG:
        return math.log(larger(u, SMALLEST_LOG))
    if op == SQRT:
        return math.sqrt(larger(u, 0.0))
    if op == ABS:
        return abs(u)
    if op == TANH:
        return math.tanh(u)
    if op == SIN:
        return math.sin(u)
    return math.cos(u) if op == COS else u

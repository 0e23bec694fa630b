"""The evaluator of kernel programs, in compiled code.

Solvers, certificates and decision functions all call the evaluator, so nothing is compiled again
when a kernel changes. Inner loops run over contiguous rows, so LLVM can vectorise them.
"""

from __future__ import annotations

import math

from solvers.jit.compiled import compiled
from solvers.jit.separate import compiled_apart, compiled_when_reached
from solvers.jit.signatures import Indices, Matrix, Vector
from solvers.jit.simd import fast_exp, fast_tanh
from solvers.kernels.arithmetic import apply_operation
from solvers.kernels.programs import (
    ADD,
    BOUND,
    CONSTANT,
    INVERSE_NORM,
    LAPLACIAN_,
    LINEAR,
    NORM,
    POLYNOMIAL,
    QUADRATIC_,
    RBF_,
    SCALING_,
    SIGMOID,
    SQUARED_NORM,
    X_,
)


@compiled_apart
def inner_products(XT: Matrix, x: Vector, out: Vector) -> None:
    """Compute ``out_j = <x, x_j>``; ``XT`` has shape (d, n)."""
    d, n = XT.shape
    first, x0 = XT[0], x[0]
    for j in range(n):
        out[j] = x0 * first[j]
    for c in range(1, d):
        column, xc = XT[c], x[c]
        for j in range(n):
            out[j] += xc * column[j]


@compiled
def squared_distances(XT, x, out):
    """Compute ``out_j = ||x - x_j||^2``."""
    d, n = XT.shape
    first, x0 = XT[0], x[0]
    for j in range(n):
        difference = x0 - first[j]
        out[j] = difference * difference
    for c in range(1, d):
        column, xc = XT[c], x[c]
        for j in range(n):
            difference = xc - column[j]
            out[j] += difference * difference


@compiled_when_reached
def polynomial_row(
    XT: Matrix, x: Vector, gamma: float, coef0: float, degree: int, out: Vector, base: Vector
) -> None:
    """Compute ``out_j = (coef0 + gamma <x, x_j>)^degree``; ``base`` is working memory."""
    inner_products(XT, x, base)
    n = len(out)
    for j in range(n):
        base[j] = coef0 + gamma * base[j]
        out[j] = base[j]
    for _ in range(degree - 1):
        for j in range(n):
            out[j] *= base[j]


@compiled_apart
def rbf_row(XT: Matrix, x: Vector, gamma: float, out: Vector) -> None:
    """Compute ``out_j = exp(-gamma ||x - x_j||^2)``.

    The exponential takes most of the time, so :func:`fast_exp` is used: it has no branch, so LLVM
    can vectorise the loop.
    """
    squared_distances(XT, x, out)
    for j in range(len(out)):
        out[j] = fast_exp(-gamma * out[j])


@compiled_when_reached
def sigmoid_row(XT: Matrix, x: Vector, gamma: float, coef0: float, out: Vector) -> None:
    """Compute ``out_j = tanh(gamma <x, x_j> + coef0)``."""
    inner_products(XT, x, out)
    for j in range(len(out)):
        out[j] = fast_tanh(gamma * out[j] + coef0)


@compiled_when_reached
def rare_row(op: int, a: Vector, XT: Matrix, x: Vector, out: Vector) -> None:
    """Compute ``out_j`` for an operation that has no function of its own in this file.

    These operations are CONSTANT, X_, Z_, LAPLACIAN_, QUADRATIC_ and SCALING_; ``a`` contains the
    arguments of the operation.
    """
    d, n = XT.shape
    if op >= CONSTANT:
        axis = int(a[0])
        for j in range(n):
            out[j] = a[0] if op == CONSTANT else (x[axis] if op == X_ else XT[axis, j])
        return
    for j in range(n):
        out[j] = 0.0
    squared_norm = 0.0
    for c in range(d):
        column, xc = XT[c], x[c]
        squared_norm += xc * xc
        for j in range(n):
            z = column[j]
            out[j] += abs(xc - z) if op == LAPLACIAN_ else (xc if op == QUADRATIC_ else z) * z
    factor = rare_value(op, a, squared_norm) if op == SCALING_ else 1.0
    for j in range(n):
        out[j] = factor * rare_value(op, a, out[j])


@compiled
def rare_value(op, a, v):
    """Return one value of an operation of :func:`rare_row`, from a number v.

    v is the distance ``||x - z||_1`` for LAPLACIAN_, ``<x, z>`` for QUADRATIC_, and the squared
    norm of x or of z for SCALING_.
    """
    if op == LAPLACIAN_:
        return fast_exp(-a[0] * v)
    if op == QUADRATIC_:
        return a[0] + v * (a[1] + a[2] * v)
    if a[0] == SQUARED_NORM:
        return v
    if a[0] == NORM:
        return math.sqrt(v)
    if a[0] == INVERSE_NORM:
        return 1.0 / math.sqrt(v) if v > 0.0 else 0.0
    return fast_exp(-a[1] * v)


@compiled_apart
def evaluate(ops: Indices, args: Matrix, XT: Matrix, x: Vector, out: Vector, stack: Matrix) -> None:
    """Run a kernel program for one point: ``out_j = k(x, x_j)``, shape (n,).

    Operand 0 of the postfix stack is ``out``, and operand k is ``stack[k - 1]``. The first unused
    row of ``stack`` is working memory.
    """
    depth = 0
    for step in range(len(ops)):
        op = ops[step]
        a = args[step]
        if op < ADD:
            top = out if depth == 0 else stack[depth - 1]
            if op == LINEAR:
                inner_products(XT, x, top)
            elif op == POLYNOMIAL:
                polynomial_row(XT, x, a[0], a[1], int(a[2]), top, stack[depth])
            elif op == RBF_:
                rbf_row(XT, x, a[0], top)
            elif op == SIGMOID:
                sigmoid_row(XT, x, a[0], a[1], top)
            else:
                rare_row(op, a, XT, x, top)
            depth += 1
        elif op < BOUND:
            depth -= 1
            apply_operation(op, out if depth == 1 else stack[depth - 2], stack[depth - 1])
        else:
            top = out if depth == 1 else stack[depth - 2]
            apply_operation(op, top, top)


@compiled
def combine(
    ops: Indices,
    args: Matrix,
    XT: Matrix,
    S: Matrix,
    weights: Matrix,
    out: Matrix,
    row: Vector,
    stack: Matrix,
) -> None:
    """Compute ``out_rj = sum_i weights_ri k(s_i, x_j)`` for support points ``S``, shape (m, d).

    ``weights`` has shape (r, m), ``out`` shape (r, n). Several sums take hardly more time than one,
    since most of the time is spent on kernel values. ``row``, shape (n,), and ``stack`` are working
    memory.
    """
    for r in range(len(weights)):
        for j in range(out.shape[1]):
            out[r, j] = 0.0
    for i in range(len(S)):
        evaluate(ops, args, XT, S[i], row, stack)
        for r in range(len(weights)):
            weight, total = weights[r, i], out[r]
            if weight != 0.0:
                for j in range(len(row)):
                    total[j] += weight * row[j]

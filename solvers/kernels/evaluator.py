"""The evaluators of kernel programs, in compiled code.

Each computes a row of kernel values, ``out_j = k(x, x_j)``. A program of one operation, perhaps
with an added constant, has an evaluator of its own, so that only the kernel in use is compiled. All
other programs are run by :func:`evaluate`. Solvers, certificates and decision functions call the
evaluator of their kernel by its address (:func:`evaluator_of`), so neither depends on the other.
Inner loops run over contiguous rows, so LLVM can vectorise them.

The parameters of every evaluator:

* ``ops``, ``args``: the program (:mod:`solvers.kernels.programs`)
* ``XT``: the points x_j, shape (d, n)
* ``x``: the point x, shape (d,)
* ``out``: the result, shape (n,)
* ``stack``: working memory, one row more than the program has operations; each of n numbers
"""

from __future__ import annotations

import math

import numpy as np

from solvers.jit.compiled import CalledByAddress, called_by_address, compiled, inner
from solvers.jit.signatures import Indices, Matrix, Vector
from solvers.jit.simd import call_at
from solvers.kernels.arithmetic import apply_operation
from solvers.kernels.exponentials import fast_exp, fast_tanh
from solvers.kernels.programs import (
    ADD,
    BOUND,
    CONSTANT,
    GIVEN_,
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


@inner
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


@inner
def add_constant(ops: Indices, args: Matrix, out: Vector) -> None:
    """Add the constant of a program ``[leaf, CONSTANT, ADD]``; do nothing if there is none."""
    if len(ops) > 1:
        constant = args[1, 0]
        for j in range(len(out)):
            out[j] += constant


@called_by_address
def linear_row(
    ops: Indices, args: Matrix, XT: Matrix, x: Vector, out: Vector, stack: Matrix
) -> None:
    """Compute ``out_j = <x, x_j>``."""
    inner_products(XT, x, out)
    add_constant(ops, args, out)


@called_by_address
def polynomial_row(
    ops: Indices, args: Matrix, XT: Matrix, x: Vector, out: Vector, stack: Matrix
) -> None:
    """Compute ``out_j = (coef0 + gamma <x, x_j>)^degree``."""
    gamma, coef0, degree, base = args[0, 0], args[0, 1], int(args[0, 2]), stack[0]
    inner_products(XT, x, base)
    n = len(out)
    for j in range(n):
        base[j] = coef0 + gamma * base[j]
        out[j] = base[j]
    for _ in range(degree - 1):
        for j in range(n):
            out[j] *= base[j]
    add_constant(ops, args, out)


@called_by_address
def rbf_row(ops: Indices, args: Matrix, XT: Matrix, x: Vector, out: Vector, stack: Matrix) -> None:
    """Compute ``out_j = exp(-gamma ||x - x_j||^2)``.

    The exponential takes most of the time, so :func:`fast_exp` is used: it has no branch, so LLVM
    can vectorise the loop.
    """
    d, n = XT.shape
    gamma, first, x0 = args[0, 0], XT[0], x[0]
    for j in range(n):
        difference = x0 - first[j]
        out[j] = difference * difference
    for c in range(1, d):
        column, xc = XT[c], x[c]
        for j in range(n):
            difference = xc - column[j]
            out[j] += difference * difference
    for j in range(n):
        out[j] = fast_exp(-gamma * out[j])
    add_constant(ops, args, out)


@called_by_address
def sigmoid_row(
    ops: Indices, args: Matrix, XT: Matrix, x: Vector, out: Vector, stack: Matrix
) -> None:
    """Compute ``out_j = tanh(gamma <x, x_j> + coef0)``."""
    gamma, coef0 = args[0, 0], args[0, 1]
    inner_products(XT, x, out)
    for j in range(len(out)):
        out[j] = fast_tanh(gamma * out[j] + coef0)
    add_constant(ops, args, out)


@called_by_address
def given_row(
    ops: Indices, args: Matrix, XT: Matrix, x: Vector, out: Vector, stack: Matrix
) -> None:
    """Compute the entry of x at the number of x_j; see :mod:`solvers.kernels.items.given`."""
    numbers, last = XT[0], len(x) - 2
    for j in range(len(out)):
        # A number out of range must not read other memory.
        out[j] = x[1 + min(max(int(numbers[j]), 0), last)]
    add_constant(ops, args, out)


@called_by_address
def rare_row(ops: Indices, args: Matrix, XT: Matrix, x: Vector, out: Vector, stack: Matrix) -> None:
    """Compute ``out_j`` for an operation that has no function of its own in this file.

    These operations are CONSTANT, X_, Z_, LAPLACIAN_, QUADRATIC_ and SCALING_.
    """
    op, a = ops[0], args[0]
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
    add_constant(ops, args, out)


@inner
def rare_value(op: int, a: Vector, v: float) -> float:
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


@called_by_address
def evaluate(ops: Indices, args: Matrix, XT: Matrix, x: Vector, out: Vector, stack: Matrix) -> None:
    """Run any program.

    Operand 0 of the postfix stack is ``out``, and operand k is ``stack[k - 1]``. The rows of
    ``stack`` after the operands are working memory.
    """
    depth = 0
    for step in range(len(ops)):
        op = ops[step]
        if op < ADD:
            one, a, free = ops[step : step + 1], args[step : step + 1], stack[depth:]
            top = out if depth == 0 else stack[depth - 1]
            if op == LINEAR:
                linear_row(one, a, XT, x, top, free)
            elif op == POLYNOMIAL:
                polynomial_row(one, a, XT, x, top, free)
            elif op == RBF_:
                rbf_row(one, a, XT, x, top, free)
            elif op == SIGMOID:
                sigmoid_row(one, a, XT, x, top, free)
            elif op == GIVEN_:
                given_row(one, a, XT, x, top, free)
            else:
                rare_row(one, a, XT, x, top, free)
            depth += 1
        elif op < BOUND:
            depth -= 1
            apply_operation(op, out if depth == 1 else stack[depth - 2], stack[depth - 1])
        else:
            top = out if depth == 1 else stack[depth - 2]
            apply_operation(op, top, top)


# The operations with an evaluator of their own.
EVALUATORS = {
    LINEAR: linear_row,
    POLYNOMIAL: polynomial_row,
    RBF_: rbf_row,
    SIGMOID: sigmoid_row,
    LAPLACIAN_: rare_row,
    QUADRATIC_: rare_row,
    GIVEN_: given_row,
}


def evaluator_of(ops: np.ndarray) -> CalledByAddress:
    """Return the evaluator of a program with the operations ``ops``."""
    first, *others = ops.tolist()
    is_single = others in ([], [CONSTANT, ADD])
    return EVALUATORS.get(first, evaluate) if is_single else evaluate


@compiled
def combine(
    evaluator: int,
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

    ``evaluator`` is the address of the program's evaluator. ``weights`` has shape (r, m), ``out``
    shape (r, n). Several sums take hardly more time than one, since most of the time is spent on
    kernel values. ``row``, shape (n,), and ``stack`` are working memory.
    """
    for r in range(len(weights)):
        for j in range(out.shape[1]):
            out[r, j] = 0.0
    for i in range(len(S)):
        call_at(evaluator, (ops, args, XT, S[i], row, stack), None)
        for r in range(len(weights)):
            weight, total = weights[r, i], out[r]
            if weight != 0.0:
                for j in range(len(row)):
                    total[j] += weight * row[j]

"""The evaluators of kernel programs, in compiled code.

Each computes a block of rows of a kernel matrix, ``K_rj = k(s_r, x_j)``, for every kernel and any
number of features. A program of one operation, perhaps with an added constant, has an evaluator of
its own, so that only the kernel in use is compiled. All other programs are run by :func:`evaluate`.
Solvers, certificates and decision functions call the evaluator of their kernel by its address
(:func:`evaluator_of`), so their machine code does not depend on the kernel.

A row does not depend on the other rows of its block: each of its numbers is computed by the same
operations in the same order, however many rows there are.

The parameters of every evaluator:

* ``ops``, ``args``: the program (:mod:`solvers.kernels.programs`)
* ``XT``: the points x_j, shape (d, n)
* ``S``: the points of which the s_r are chosen, shape (any, d)
* ``chosen``: the indices of the points s_r in S, shape (m,)
* ``out``: the result, row after row, shape (m n,)
* ``stack``: working memory, as many rows as the program has operations; each of m n numbers or more

d is even: if it is odd, a feature of zeros is added (:func:`padded_features`).
"""

from __future__ import annotations

import math

import numpy as np

from solvers.jit.compiled import CalledByAddress, Inner, called_by_address, compiled, inner
from solvers.jit.signatures import Indices, Matrix, Vector
from solvers.jit.simd import call_at
from solvers.kernels.arithmetic import apply_operation, fast_exp, fast_tanh
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
    SIGMOID,
    SQUARED_NORM,
    X_,
    Program,
)

# Number of points s_r, and of features, that are summed at a time.
FOUR = 4
# Maximum number of points x_j per call of an evaluator: a row stays in the processor's cache. With
# 1024, all rows would begin at the same offset in a page of memory. Then loads can wait for stores
# to other addresses with that offset, and a call takes up to 60 % longer.
BLOCK = 1008


def padded_features(X: np.ndarray) -> np.ndarray:
    """Return points, shape (n, d), with a further feature of zeros if d is odd, otherwise X."""
    n, d = X.shape
    if d % 2 == 0:
        return X
    padded = np.zeros((n, d + d % 2))
    padded[:, :d] = X
    return padded


@inner
def product(x: float, z: float, total: float) -> float:
    """Add the term of one feature in ``<x, z>``.

    A product is rounded before it is added, so that the result does not depend on the processor.
    """
    return total + x * z


@inner
def squared_difference(x: float, z: float, total: float) -> float:
    """Add the term of one feature in ``||x - z||^2``."""
    return total + (x - z) * (x - z)


def sums_of(term: Inner) -> Inner:
    """Return a compiled function that sums a term over the features, for all pairs of points.

    Four points of ``S`` and four features at a time stay in registers. The remaining points and
    features are summed with one point and two features at a time. With 100 and with 400 features,
    an entry takes a quarter of the time that it takes with one point and one feature at a time.

    A matrix product by BLAS is not used. With 100 and with 400 features it is 1.3 to 1.5 times as
    fast, and with up to 20 features it is slower. But its entries depend on the shapes of its
    factors, and a squared distance that is computed from products loses digits.
    """

    @inner
    def sums(XT: Matrix, S: Matrix, chosen: Indices, out: Vector) -> None:
        n_features, n = XT.shape
        whole = n_features // FOUR * FOUR
        fours = len(chosen) // FOUR * FOUR if whole > 0 else 0
        for j in range(fours * n):
            out[j] = 0.0
        for r in range(0, fours, FOUR):
            rows = out[r * n : (r + FOUR) * n]
            a, b, c, d = chosen[r], chosen[r + 1], chosen[r + 2], chosen[r + 3]
            row_0, row_1 = rows[:n], rows[n : 2 * n]
            row_2, row_3 = rows[2 * n : 3 * n], rows[3 * n :]
            for k in range(0, whole, FOUR):
                a_0, a_1, a_2, a_3 = S[a, k], S[a, k + 1], S[a, k + 2], S[a, k + 3]
                b_0, b_1, b_2, b_3 = S[b, k], S[b, k + 1], S[b, k + 2], S[b, k + 3]
                c_0, c_1, c_2, c_3 = S[c, k], S[c, k + 1], S[c, k + 2], S[c, k + 3]
                d_0, d_1, d_2, d_3 = S[d, k], S[d, k + 1], S[d, k + 2], S[d, k + 3]
                Z_0, Z_1, Z_2, Z_3 = XT[k], XT[k + 1], XT[k + 2], XT[k + 3]
                for j in range(n):
                    z_0, z_1, z_2, z_3 = Z_0[j], Z_1[j], Z_2[j], Z_3[j]
                    total = term(a_1, z_1, term(a_0, z_0, row_0[j]))
                    row_0[j] = term(a_3, z_3, term(a_2, z_2, total))
                    total = term(b_1, z_1, term(b_0, z_0, row_1[j]))
                    row_1[j] = term(b_3, z_3, term(b_2, z_2, total))
                    total = term(c_1, z_1, term(c_0, z_0, row_2[j]))
                    row_2[j] = term(c_3, z_3, term(c_2, z_2, total))
                    total = term(d_1, z_1, term(d_0, z_0, row_3[j]))
                    row_3[j] = term(d_3, z_3, term(d_2, z_2, total))
        for r in range(len(chosen)):
            a, row = chosen[r], out[r * n : (r + 1) * n]
            for k in range(whole if r < fours else 0, n_features, 2):
                a_0, a_1, Z_0, Z_1, is_first = S[a, k], S[a, k + 1], XT[k], XT[k + 1], k == 0
                for j in range(n):
                    row[j] = term(a_1, Z_1[j], term(a_0, Z_0[j], 0.0 if is_first else row[j]))

    return sums


inner_products, squared_distances = sums_of(product), sums_of(squared_difference)


@inner
def raise_to_power(a: Vector, out: Vector, base: Vector) -> None:
    """Turn ``<x, z>`` into ``(coef0 + gamma <x, z>)^degree``; ``base`` is working memory."""
    for j in range(len(out)):
        base[j] = out[j] = a[1] + a[0] * out[j]
    for _ in range(int(a[2]) - 1):
        for j in range(len(out)):
            out[j] *= base[j]


@inner
def apply_exp(a: Vector, out: Vector) -> None:
    """Turn a distance into ``exp(-gamma distance)``.

    With few features this takes most of the time, so :func:`fast_exp` is used: it has no branch, so
    LLVM can vectorise the loop.
    """
    for j in range(len(out)):
        out[j] = fast_exp(-a[0] * out[j])


@inner
def add_constant(ops: Indices, args: Matrix, out: Vector) -> None:
    """Add the constant of a program ``[leaf, CONSTANT, ADD]``; do nothing if there is none."""
    if len(ops) > 1:
        constant = args[1, 0]
        for j in range(len(out)):
            out[j] += constant


@called_by_address
def linear_rows(
    ops: Indices,
    args: Matrix,
    XT: Matrix,
    S: Matrix,
    chosen: Indices,
    out: Vector,
    stack: Matrix,
) -> None:
    """Compute ``<s_r, x_j>``."""
    inner_products(XT, S, chosen, out)
    add_constant(ops, args, out)


@called_by_address
def polynomial_rows(
    ops: Indices,
    args: Matrix,
    XT: Matrix,
    S: Matrix,
    chosen: Indices,
    out: Vector,
    stack: Matrix,
) -> None:
    """Compute ``(coef0 + gamma <s_r, x_j>)^degree``."""
    inner_products(XT, S, chosen, out)
    raise_to_power(args[0], out, stack[0])
    add_constant(ops, args, out)


@called_by_address
def rbf_rows(
    ops: Indices,
    args: Matrix,
    XT: Matrix,
    S: Matrix,
    chosen: Indices,
    out: Vector,
    stack: Matrix,
) -> None:
    """Compute ``exp(-gamma ||s_r - x_j||^2)``."""
    squared_distances(XT, S, chosen, out)
    apply_exp(args[0], out)
    add_constant(ops, args, out)


@inner
def rare_row(op: int, a: Vector, XT: Matrix, x: Vector, out: Vector) -> None:
    """Compute one row of LAPLACIAN_, SCALING_, GIVEN_, CONSTANT, X_ or Z_.

    The value of GIVEN_ is the entry of x at the number of x_j
    (:mod:`solvers.kernels.items.given`).
    """
    if op >= GIVEN_:
        axis, last = int(a[0]), len(x) - 2
        for j in range(len(out)):
            if op == GIVEN_:
                # A number out of range must not read other memory.
                out[j] = x[1 + min(max(int(XT[0, j]), 0), last)]
            elif op == CONSTANT:
                out[j] = a[0]
            else:
                out[j] = x[axis] if op == X_ else XT[axis, j]
        return
    squared_norm = 0.0
    for j in range(len(out)):
        out[j] = 0.0
    for k in range(len(x)):
        column, x_k = XT[k], x[k]
        squared_norm += x_k * x_k
        for j in range(len(out)):
            z = column[j]
            out[j] += abs(x_k - z) if op == LAPLACIAN_ else z * z
    if op == LAPLACIAN_:
        apply_exp(a, out)
    else:
        factor = scale(a, squared_norm)
        for j in range(len(out)):
            out[j] = factor * scale(a, out[j])


@inner
def scale(a: Vector, squared_norm: float) -> float:
    """Return f of a point with this squared norm; SCALING_ is ``f(x) f(z)``."""
    if a[0] == SQUARED_NORM:
        return squared_norm
    if a[0] == NORM:
        return math.sqrt(squared_norm)
    if a[0] == INVERSE_NORM:
        return 1.0 / math.sqrt(squared_norm) if squared_norm > 0.0 else 0.0
    return fast_exp(-a[1] * squared_norm)


@inner
def operand(
    op: int, a: Vector, XT: Matrix, S: Matrix, chosen: Indices, out: Vector, base: Vector
) -> None:
    """Compute the rows of an operation that pushes an operand; ``base`` is working memory."""
    if op == RBF_:
        squared_distances(XT, S, chosen, out)
        apply_exp(a, out)
    elif op in (LINEAR, POLYNOMIAL, SIGMOID, QUADRATIC_):
        inner_products(XT, S, chosen, out)
        if op == POLYNOMIAL:
            raise_to_power(a, out, base)
        elif op == SIGMOID:
            for j in range(len(out)):
                out[j] = fast_tanh(a[0] * out[j] + a[1])
        elif op == QUADRATIC_:
            for j in range(len(out)):
                out[j] = a[0] + out[j] * (a[1] + a[2] * out[j])
    else:
        n = XT.shape[1]
        for r in range(len(chosen)):
            rare_row(op, a, XT, S[chosen[r]], out[r * n : (r + 1) * n])


@called_by_address
def evaluate(
    ops: Indices,
    args: Matrix,
    XT: Matrix,
    S: Matrix,
    chosen: Indices,
    out: Vector,
    stack: Matrix,
) -> None:
    """Run any program.

    Operand 0 of the postfix stack is ``out``, and operand k is ``stack[k - 1]``. The row of
    ``stack`` after the operands is working memory.
    """
    size, depth = len(out), 0
    for step in range(len(ops)):
        op = ops[step]
        if op < ADD:
            top = out if depth == 0 else stack[depth - 1, :size]
            operand(op, args[step], XT, S, chosen, top, stack[depth, :size])
            depth += 1
        else:
            above = out if depth == 1 else stack[depth - 2, :size]
            if op < BOUND:
                depth -= 1
            under = out if depth == 1 else stack[depth - 2, :size]
            apply_operation(op, under, above)


# The operations with an evaluator of their own.
EVALUATORS = {LINEAR: linear_rows, POLYNOMIAL: polynomial_rows, RBF_: rbf_rows}


def evaluator_of(ops: np.ndarray) -> CalledByAddress:
    """Return the evaluator of a program with the operations ``ops``."""
    first, *others = ops.tolist()
    is_single = others in ([], [CONSTANT, ADD])
    return EVALUATORS.get(first, evaluate) if is_single else evaluate


def kernel_sums(
    program: Program, S: np.ndarray, weights: np.ndarray, points: np.ndarray
) -> np.ndarray:
    """Return ``sum_i weights_ri k(s_i, x_j)`` at points x_j, shape (r, n).

    S has shape (m, d), ``weights`` (r, m) and ``points`` (n, d). Several sums take hardly more time
    than one, since most of the time is spent on kernel values.
    """
    ops, args, evaluator = program.ops, program.args, evaluator_of(program.ops).address
    support = np.flatnonzero(weights.any(axis=0))
    # Always copy, so that compiled code always gets the same types: writable and contiguous arrays.
    # A function that copies only if needed would not copy a read-only block of one point.
    S, weights = (np.array(part, order="C") for part in (S[support], weights[:, support]))
    S = padded_features(S)
    chosen, sums = np.arange(len(S)), np.zeros((len(weights), len(points)))
    for start in range(0, len(points), BLOCK):
        XT = np.array(padded_features(points[start : start + BLOCK]).T, order="C")
        total = np.zeros((len(weights), XT.shape[1]))
        values = np.empty((len(ops) + 1, FOUR * XT.shape[1]))
        combine(evaluator, ops, args, XT, S, chosen, weights, total, values)
        sums[:, start : start + BLOCK] = total
    return sums


@compiled
def combine(
    evaluator: int,
    ops: Indices,
    args: Matrix,
    XT: Matrix,
    S: Matrix,
    chosen: Indices,
    weights: Matrix,
    sums: Matrix,
    stack: Matrix,
) -> None:
    """Add ``sum_i weights_ri k(s_i, x_j)`` to ``sums_rj``, shape (r, n).

    ``evaluator`` is the address of the program's evaluator, and ``weights`` has shape (r, m). The
    last row of ``stack`` is for kernel values, and so has room for FOUR rows of them.
    """
    n, values = XT.shape[1], stack[len(ops)]
    for i in range(0, len(chosen), FOUR):
        few = chosen[i : i + FOUR]
        block = values[: len(few) * n]
        call_at(evaluator, (ops, args, XT, S, few, block, stack), None)
        for r in range(len(weights)):
            total = sums[r]
            for s in range(len(few)):
                weight, row = weights[r, i + s], block[s * n : (s + 1) * n]
                if weight != 0.0:
                    for j in range(n):
                        total[j] += weight * row[j]

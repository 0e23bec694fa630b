"""Rows of the Gram matrix for compiled loops: the one place that computes and caches them.

Cached rows are working memory, and not part of the state of a run. Whether a row is cached, and
with which others it is computed, cannot change a result.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solvers.jit.compiled import called_by_address, inner
from solvers.jit.signatures import Indices, Matrices, Matrix, Table, Vector
from solvers.jit.simd import PAD, call_at, padded
from solvers.kernels.evaluator import BLOCK, FOUR, evaluator_of, padded_features
from solvers.kernels.programs import Program

# Maximum size of the cache, in bytes, if a caller sets no other: that of scikit-learn.
CACHE_BYTES = 200_000_000
# Maximum size of a block of points, in numbers: it stays in the processor's cache while rows are
# computed.
MAX_BLOCK_NUMBERS = 100_000
# The rows of Rows.slots, and their number. SLOT: the slot of row i, or -1, or ELSEWHERE if the row
# will be copied from a larger Gram matrix before slot_of is called for it. OWNER: the row in slot
# s, or -1. LAST_USE: when subtract_rows last used slot s, or -1. PLAN, MISSING: for one call.
SLOT, OWNER, LAST_USE, PLAN, MISSING, SLOT_ROWS = range(6)
ELSEWHERE = -2
# Rows of the last column of Rows.slots. They contain the slot to replace next, the slot that
# slot_of returned last, and the number of calls of subtract_rows.
NEXT, RETURNED, CALLS = SLOT, OWNER, LAST_USE


class Rows(NamedTuple):
    """Points, their kernel, and working memory for rows of their Gram matrix.

    A *slot* is memory for one row. If there are n slots, :func:`slot_of` puts row i in slot i. If
    there are fewer, the row that was computed longest ago is replaced. :func:`subtract_rows` fills
    slots in order, so that little memory is touched if few rows are needed.

    Attributes
    ----------
    compute, evaluator : int
        The addresses of :func:`compute` and of the kernel's evaluator.
    ops, args : the kernel as a program, see :mod:`solvers.kernels.programs`
    X : float64 array, shape (n, d), with d padded by :func:`padded_features`
    blocks : float64 array, shape (number of blocks, d, width)
        The same points, transposed; the last block is padded with zeros.
    cached : float64 array, shape (number of slots, number of blocks * width)
    slots : int64 array, shape (SLOT_ROWS, n + 1)
        Which rows are cached, and working memory.
    stack : float64 array, shape (depth + 1, FOUR * width)
        Working memory of the evaluator. The last row is for kernel values.
    together : int
        If a row is needed, up to this number of missing rows are computed: 1, or FOUR if there are
        n slots.
    """

    compute: int
    evaluator: int
    ops: Indices
    args: Matrix
    X: Matrix
    blocks: Matrices
    cached: Matrix
    slots: Table
    stack: Matrix
    together: int


def make_rows(
    X: np.ndarray, program: Program, cache_bytes: int, in_blocks: bool = True, min_width: int = 0
) -> Rows:
    """Allocate :class:`Rows` for points (n, d), and load or compile the evaluator of the kernel.

    The cache takes at most ``cache_bytes``, but always has room for two rows. Without
    ``in_blocks``, there is one block, and a row has n entries. The working memory of the evaluator
    is large enough for blocks of ``min_width`` points.
    """
    X, n, ops = padded_features(X), len(X), program.ops
    blocks = _in_blocks(X, min(BLOCK, MAX_BLOCK_NUMBERS // X.shape[1]) if in_blocks else n)
    size = len(blocks) * blocks.shape[2]
    n_slots = min(n, max(2, cache_bytes // (8 * size)))
    return Rows(
        compute.address,
        evaluator_of(ops).address,
        ops,
        program.args,
        X,
        blocks,
        np.empty((n_slots, size)),
        no_slots(n),
        np.empty((len(ops) + 1, FOUR * max(blocks.shape[2], min_width))),
        1,
    )


def no_slots(n: int) -> np.ndarray:
    """Return :attr:`Rows.slots` for n points without a cached row."""
    slots = np.empty((SLOT_ROWS, n + 1), dtype=np.int64)
    slots[:PLAN] = -1
    slots[:, n] = 0
    return slots


def _in_blocks(X: np.ndarray, block: int) -> np.ndarray:
    """Return points (n, d), transposed, in blocks of equal width: shape (number, d, width)."""
    (n, d), number = X.shape, -(-len(X) // max(block, PAD))
    if number == 1:
        return np.array(X.T, order="C")[None]
    width = padded(-(-n // number))
    blocks = np.zeros((number, d, width))
    for k in range(number):
        points = X[k * width : (k + 1) * width]
        blocks[k, :, : len(points)] = points.T
    return blocks


@inner
def slot_of(rows: Rows, i: int) -> int:
    """Return the slot that has row i of the Gram matrix; compute the row if it is not cached.

    The row is still valid after one more call; a second call may replace it.
    """
    slot = rows.slots[SLOT, i]
    if slot < 0:
        slot = call_at(rows.compute, (rows, i), 0)
    rows.slots[RETURNED, len(rows.X)] = slot
    return slot


@called_by_address
def compute(rows: Rows, i: int) -> int:
    """Compute row i of the Gram matrix, perhaps with others, and return its slot."""
    slots, n, n_slots = rows.slots, len(rows.X), len(rows.cached)
    slot = i
    if n_slots < n:
        slot = slots[NEXT, n]
        if slot == slots[RETURNED, n]:
            slot = slot + 1 if slot + 1 < n_slots else 0
        slots[NEXT, n] = slot + 1 if slot + 1 < n_slots else 0
    give_slot(slots, slot, i)
    few, count, k = slots[MISSING], 1, i + 1
    few[0] = i
    while count < rows.together and k < n:
        if slots[SLOT, k] == -1:
            few[count] = k
            give_slot(slots, k, k)
            count += 1
        k += 1
    width, values = rows.blocks.shape[2], rows.stack[len(rows.ops)]
    for b in range(len(rows.blocks)):
        out = rows.cached[slot, b * width : (b + 1) * width]
        if count > 1:
            out = values[: count * width]
        program, points = (rows.ops, rows.args), (rows.blocks[b], rows.X, few[:count])
        call_at(rows.evaluator, (*program, *points, out, rows.stack), None)
        for r in range(count if count > 1 else 0):
            stored = rows.cached[slot if r == 0 else few[r], b * width : (b + 1) * width]
            for k in range(width):
                stored[k] = out[r * width + k]
    return slot


@inner
def give_slot(slots: Table, slot: int, i: int) -> None:
    """Give a slot to row i instead of the row that it contains."""
    if slots[OWNER, slot] >= 0:
        slots[SLOT, slots[OWNER, slot]] = -1
    slots[OWNER, slot], slots[SLOT, i] = i, slot


@inner
def subtract_rows(rows: Rows, indices: Indices, weights: Vector, count: int, F: Vector) -> None:
    """Subtract ``sum_r weights_r K_r`` from F, where r runs over the first ``count`` indices.

    Entry r of row PLAN of ``rows.slots`` says whether row r may replace another row in the cache: 1
    or 0. F is updated block by block: a block of F stays in the processor's cache. Rows are
    subtracted in the order of ``indices``, whether they are cached or not.
    """
    n_missing = plan_slots(rows, indices, count)
    plan, missing, width = rows.slots[PLAN], rows.slots[MISSING], rows.blocks.shape[2]
    n_slots, values = len(rows.cached), rows.stack[len(rows.ops)]
    for b in range(len(rows.blocks)):
        begin, n_computed = b * width, 0
        F_block = F[begin : begin + width]
        for r in range(count):
            slot, weight = plan[r], weights[r]
            row = values[:width]
            if 0 <= slot < n_slots:
                row = rows.cached[slot, begin : begin + width]
            else:
                place = n_computed % FOUR
                if place == 0:
                    few = missing[n_computed : min(n_computed + FOUR, n_missing)]
                    out = values[: len(few) * width]
                    call_at(
                        rows.evaluator,
                        (rows.ops, rows.args, rows.blocks[b], rows.X, few, out, rows.stack),
                        None,
                    )
                row = values[place * width : (place + 1) * width]
                n_computed += 1
                if slot >= 0:
                    stored = rows.cached[slot - n_slots, begin : begin + width]
                    for k in range(width):
                        stored[k] = row[k]
            for k in range(len(F_block)):
                F_block[k] -= weight * row[k]


@inner
def plan_slots(rows: Rows, indices: Indices, count: int) -> int:
    """Decide for :func:`subtract_rows` where each row comes from, and return how many are missing.

    Set entry r of row PLAN to s, if slot s contains row r; to s plus the number of slots, if row r
    must be computed and stored in slot s; to -1, if row r gets no slot. Row MISSING gets the
    missing rows. A row gets a slot that is empty or, if it may replace another one, a slot that
    this call has not used. Of these, the slot whose row was computed longest ago is taken.
    """
    slots, n, n_slots = rows.slots, len(rows.X), len(rows.cached)
    plan, last_use = slots[PLAN], slots[LAST_USE]
    call = slots[CALLS, n] = slots[CALLS, n] + 1
    for r in range(count):
        slot = slots[SLOT, indices[r]]
        if slot >= 0:
            last_use[slot] = call
    n_missing, n_tried, next_slot = 0, 0, slots[NEXT, n]
    for r in range(count):
        i, may_replace = indices[r], plan[r] == 1
        plan[r] = slots[SLOT, i]
        if plan[r] < 0:
            slots[MISSING, n_missing] = i
            n_missing += 1
            while n_tried < n_slots and last_use[next_slot] == call:
                n_tried, next_slot = n_tried + 1, (next_slot + 1) % n_slots
            is_empty = slots[OWNER, next_slot] < 0
            if n_tried < n_slots and (is_empty or may_replace):
                give_slot(slots, next_slot, i)
                last_use[next_slot] = call
                plan[r] = n_slots + next_slot
                n_tried, next_slot = n_tried + 1, (next_slot + 1) % n_slots
    slots[NEXT, n] = next_slot
    return n_missing

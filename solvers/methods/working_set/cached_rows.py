"""The update of F of all points after a round, from rows of the kernel matrix.

F is updated block by block. A block of F stays in the processor's cache while the terms of all
changed variables are subtracted from it.

The rows of free variables (whose beta is strictly between its bounds) are stored, because a
variable that is free at the end of a round mostly moves again in the next round. The row of a
variable that ends a round at a bound is not stored, because it mostly stays at the bound.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from solvers.jit.compiled import inner
from solvers.jit.signatures import Contiguous, Indices, Matrices, Matrix, Table, Vector
from solvers.jit.simd import call_at, padded
from solvers.kernels.evaluator import evaluator_of
from solvers.problem.problem import DualForm
from solvers.run.records import new_record

# Memory for stored rows, in bytes. Reading rows from a larger memory would be slower than computing
# them again.
MAX_CACHED_BYTES = 2_000_000
# Points per block.
BLOCK = 1024
# What the working memory of a run (state.Work) contains. round: the number of the round whose set
# was last copied into the working memory, or -1 if none was. has_all: 1 if that set contains all
# points, otherwise 0. next_slot: the index at which the next search among the slots of CachedRows
# begins.
LOADED = np.dtype([("round", "i8"), ("has_all", "i8"), ("next_slot", "i8")])
Loaded = Annotated[np.ndarray, Contiguous(LOADED, 1)]


class CachedRows(NamedTuple):
    """The points in blocks, and cached rows of the Gram matrix; never part of a state.

    A *slot* is memory for one row. ``width`` is the number of points per block.

    Attributes
    ----------
    evaluator : int
        The address of the kernel's evaluator.
    blocks : float64 array, shape (number of blocks, d, width)
        All points, transposed; padded with zeros.
    rows : float64 array, shape (number of slots, number of blocks * width)
        The row in each slot.
    slots : int64 array, shape (2, number of slots)
        Row 0: the variable whose kernel row is in the slot, or -1. Row 1: the last round that used
        the slot.
    slot_codes : int64 array, shape (2, n)
        Row 0 has an entry per variable: the slot that contains its kernel row, or -1. Row 1 begins
        with an entry per variable that this round changed: s, if slot s contains its kernel row; s
        plus the number of slots, if the row must still be computed and stored in slot s; -1 if the
        row gets no slot.
    """

    evaluator: int
    blocks: Matrices
    rows: Matrix
    slots: Table
    slot_codes: Table


NO_ROWS, NO_SLOTS = np.empty((0, 0)), np.empty((2, 0), dtype=np.int64)


def make_loaded() -> np.ndarray:
    """Return a :data:`LOADED` record for working memory without a set."""
    loaded = new_record(LOADED)
    loaded["round"][0] = -1
    return loaded


def make_cached_rows(dual_form: DualForm) -> CachedRows:
    """Return the points in blocks, and as many empty slots as MAX_CACHED_BYTES allows."""
    blocks = _in_blocks(dual_form.XT)
    n, size = dual_form.XT.shape[1], blocks.shape[0] * blocks.shape[2]
    slots = min(n, MAX_CACHED_BYTES // (8 * size))
    return CachedRows(
        evaluator_of(dual_form.ops).address,
        blocks,
        np.empty((slots, size)),
        np.full((2, slots), -1),
        np.full((2, n), -1),
    )


def no_cached_rows(dual_form: DualForm) -> CachedRows:
    """Return the points in blocks, without slots."""
    evaluator = evaluator_of(dual_form.ops).address
    return CachedRows(evaluator, _in_blocks(dual_form.XT), NO_ROWS, NO_SLOTS, NO_SLOTS)


def _in_blocks(XT: np.ndarray) -> np.ndarray:
    """Return the points in blocks of at most BLOCK, shape (number, d, width), zero-padded."""
    d, n = XT.shape
    if n <= BLOCK:
        return XT[None]
    number = -(-n // BLOCK)
    width = padded(-(-n // number))
    full = np.zeros((d, number * width))
    full[:, :n] = XT
    return np.ascontiguousarray(full.reshape(d, number, width).swapaxes(0, 1))


@inner
def find_slots(cached, loaded, dual_form, beta, indices, n_changed, number):
    """Fill in ``cached.slot_codes`` for the first ``n_changed`` variables of ``indices``.

    A variable whose row is cached keeps its slot. A free variable without a cached row gets a slot
    that this round has not used, if there is one. ``beta`` is the one after the round, and
    ``number`` is the number of the round.
    """
    n_slots, owner, last_use = len(cached.rows), cached.slots[0], cached.slots[1]
    slot_of, slot_code = cached.slot_codes[0], cached.slot_codes[1]
    for r in range(n_changed):
        slot_code[r] = slot_of[indices[r]]
        if slot_code[r] >= 0:
            last_use[slot_code[r]] = number
    n_tried, slot = 0, loaded[0].next_slot
    for r in range(n_changed):
        k = indices[r]
        if slot_code[r] < 0 and dual_form.lower[k] < beta[k] < dual_form.upper[k]:
            # The search visits the slots in a circle, and passes over slots that this round uses.
            # So of the rows that this round does not use, the one that was computed longest ago is
            # replaced: it is the least likely to be needed again.
            while n_tried < n_slots and last_use[slot] == number:
                n_tried, slot = n_tried + 1, (slot + 1) % n_slots
            if n_tried < n_slots:
                if owner[slot] >= 0:
                    slot_of[owner[slot]] = -1
                owner[slot], last_use[slot], slot_of[k] = k, number, slot
                slot_code[r] = n_slots + slot
    loaded[0].next_slot = slot


@inner
def subtract_rows(
    dual_form: DualForm,
    cached: CachedRows,
    loaded: Loaded,
    beta: Vector,
    F: Vector,
    change: tuple[Indices, Vector, int],
    scratch: Matrix,
    number: int,
) -> None:
    """Subtract ``delta_r K_r`` from F for every changed variable r, block by block.

    ``change`` contains the indices of the changed variables, the changes delta of their beta, and
    their number. ``scratch`` has rows of at least the width of a block: the last is for a row of K
    that is not cached, the others are for the kernel's evaluator. ``number`` is the number of the
    round.
    """
    (indices, delta, n_changed), n_slots = change, len(cached.rows)
    if n_slots > 0:
        find_slots(cached, loaded, dual_form, beta, indices, n_changed, number)
    width, uncached_row = cached.blocks.shape[2], scratch[len(scratch) - 1]
    for b in range(len(cached.blocks)):
        begin, F_block = b * width, F[b * width : (b + 1) * width]
        for r in range(n_changed):
            code, weight = cached.slot_codes[1, r] if n_slots > 0 else -1, delta[r]
            row = uncached_row[:width]
            if code >= 0:
                slot = code if code < n_slots else code - n_slots
                row = cached.rows[slot, begin : begin + width]
            if code < 0 or code >= n_slots:
                x, ops, args = dual_form.X[indices[r]], dual_form.ops, dual_form.args
                call_at(cached.evaluator, (ops, args, cached.blocks[b], x, row, scratch), None)
            for k in range(len(F_block)):
                F_block[k] -= weight * row[k]

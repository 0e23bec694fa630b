"""The update of F of all points after a round, by kernel rows; those of free variables are cached.

A block of points stays in the fastest memory while the terms of all changed variables are
subtracted from it. A variable that is free at the end of a round is in the next set too and moves
again, whereas one at a bound mostly stays there. So only rows of free variables are worth their
memory.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from solvers.jit.compiled import compiled
from solvers.jit.separate import compiled_apart
from solvers.jit.signatures import Contiguous, Indices, Matrices, Matrix, Table, Vector
from solvers.jit.simd import padded
from solvers.kernels.kernel_rows import compute_row
from solvers.problem.problem import DualForm
from solvers.run.records import new_record

# Memory for cached rows: what stays in fast memory, and is cheap to recompute.
MAX_CACHED_BYTES = 2_000_000
# Points per block.
BLOCK = 1024
# What working memory holds now: the round whose set is loaded, or -1; whether that set contains
# all points, 0 or 1; the slot of CachedRows to try next.
LOADED = np.dtype([("round", "i8"), ("has_all", "i8"), ("next_slot", "i8")])
Loaded = Annotated[np.ndarray, Contiguous(LOADED, 1)]


class CachedRows(NamedTuple):
    """The points in blocks, and rows of the Gram matrix: working memory, never part of a state.

    Attributes
    ----------
    blocks : float64 array, shape (b, d, width)
        All points, transposed; padded with zeros.
    rows : float64 array, shape (slots, b width)
    slots : int64 array, shape (2, slots)
        The point that a row belongs to, or -1, and the last round that used the row.
    places : int64 array, shape (2, n)
        The slot with the row of a point, or -1. Then, for each change, the slot with its row; or
        that plus the number of slots, if the row is still to be computed; or -1.
    """

    blocks: Matrices
    rows: Matrix
    slots: Table
    places: Table


NO_ROWS, NO_SLOTS = np.empty((0, 0)), np.empty((2, 0), dtype=np.int64)


def make_loaded() -> np.ndarray:
    """Return :data:`LOADED` with no set loaded."""
    loaded = new_record(LOADED)
    loaded["round"][0] = -1
    return loaded


def make_cached_rows(dual_form: DualForm) -> CachedRows:
    """Allocate as many rows as MAX_CACHED_BYTES allows."""
    blocks = _in_blocks(dual_form.XT)
    n, size = dual_form.XT.shape[1], blocks.shape[0] * blocks.shape[2]
    slots = min(n, MAX_CACHED_BYTES // (8 * size))
    return CachedRows(blocks, np.empty((slots, size)), np.full((2, slots), -1), np.full((2, n), -1))


def no_cached_rows(dual_form: DualForm) -> CachedRows:
    """Return the points in blocks, without room for rows."""
    return CachedRows(_in_blocks(dual_form.XT), NO_ROWS, NO_SLOTS, NO_SLOTS)


def _in_blocks(XT: np.ndarray) -> np.ndarray:
    """Return the points in blocks of at most BLOCK, shape (blocks, d, width), padded with zeros."""
    d, n = XT.shape
    if n <= BLOCK:
        return XT[None]
    number = -(-n // BLOCK)
    width = padded(-(-n // number))
    full = np.zeros((d, number * width))
    full[:, :n] = XT
    return np.ascontiguousarray(full.reshape(d, number, width).swapaxes(0, 1))


@compiled
def find_rows(cached, loaded, dual_form, beta, chosen, changed, number):
    """Store the slot of each changed variable's row; give free variables a slot, if one is left.

    ``number`` is that of the round.
    """
    slots, owner, used = len(cached.rows), cached.slots[0], cached.slots[1]
    slot_of, place = cached.places[0], cached.places[1]
    for r in range(changed):
        place[r] = slot_of[chosen[r]]
        if place[r] >= 0:
            used[place[r]] = number
    tried, slot = 0, loaded[0].next_slot
    for r in range(changed):
        k = chosen[r]
        if place[r] < 0 and dual_form.lower[k] < beta[k] < dual_form.upper[k]:
            # The slots are tried in a circle, since the oldest row is least likely to be needed
            # again.
            while tried < slots and used[slot] == number:
                tried, slot = tried + 1, (slot + 1) % slots
            if tried < slots:
                if owner[slot] >= 0:
                    slot_of[owner[slot]] = -1
                owner[slot], used[slot], slot_of[k], place[r] = k, number, slot, slots + slot
    loaded[0].next_slot = slot


@compiled_apart
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
    """Subtract ``sum_r delta_r K_r`` over the changed variables from F, block by block.

    ``change`` holds the changed variables, their changes, and how many they are; ``number`` is
    that of the round.
    """
    (chosen, delta, changed), slots = change, len(cached.rows)
    if slots > 0:
        find_rows(cached, loaded, dual_form, beta, chosen, changed, number)
    width, spare = cached.blocks.shape[2], scratch[len(scratch) - 1]
    for b in range(len(cached.blocks)):
        begin, part = b * width, F[b * width : (b + 1) * width]
        for r in range(changed):
            place, weight = cached.places[1, r] if slots > 0 else -1, delta[r]
            row = spare[:width]
            if place >= 0:
                row = cached.rows[place if place < slots else place - slots, begin : begin + width]
            if place < 0 or place >= slots:
                x = dual_form.X[chosen[r]]
                compute_row(dual_form.ops, dual_form.args, cached.blocks[b], x, row, scratch, False)
            for k in range(len(part)):
                part[k] -= weight * row[k]

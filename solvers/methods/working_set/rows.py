"""F of all points after a round, by kernel rows; those of free variables are kept.

A block of points stays in the fastest memory while all changed variables are taken out of it. Who
is free at the end of a round is in the next set too and moves again, whereas who stands on a wall
mostly stays there: so rows of free variables are worth their memory, and only theirs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solvers.jit.compiled import compiled
from solvers.jit.separate import compiled_apart
from solvers.jit.signatures import Indices, Matrices, Matrix, Table, Vector
from solvers.jit.simd import padded
from solvers.kernels.rows import compute_row
from solvers.problem.problem import DualForm

# Memory for rows that are kept: what stays in fast memory, and is cheap to be had anew.
KEPT_BYTES = 2_000_000
# Points in a block.
BLOCK = 1024


class KeptRows(NamedTuple):
    """The points in blocks, and rows of the Gram matrix: working memory, never part of a state.

    Attributes
    ----------
    blocks : float64 array, shape (b, d, width)
        All points, transposed; padded with zeros.
    rows : float64 array, shape (slots, b width)
    slots : int64 array, shape (2, slots)
        Whose row it is, or -1, and the last round that used it.
    places : int64 array, shape (2, n)
        Where the row of a point is, or -1. Of each change: where its row is; as many more as there
        are slots where it is still to be computed; or -1.
    """

    blocks: Matrices
    rows: Matrix
    slots: Table
    places: Table


NO_ROWS, NO_SLOTS = np.empty((0, 0)), np.empty((2, 0), dtype=np.int64)


def make_kept_rows(form: DualForm) -> KeptRows:
    """Room for as many rows as memory allows."""
    blocks = _in_blocks(form.XT)
    n, size = form.XT.shape[1], blocks.shape[0] * blocks.shape[2]
    slots = min(n, KEPT_BYTES // (8 * size))
    return KeptRows(blocks, np.empty((slots, size)), np.full((2, slots), -1), np.full((2, n), -1))


def no_kept_rows(form: DualForm) -> KeptRows:
    """Room for none."""
    return KeptRows(_in_blocks(form.XT), NO_ROWS, NO_SLOTS, NO_SLOTS)


def _in_blocks(XT: np.ndarray) -> np.ndarray:
    """The points in blocks of at most BLOCK, shape (blocks, d, width), padded with zeros."""
    d, n = XT.shape
    if n <= BLOCK:
        return XT[None]
    number = -(-n // BLOCK)
    width = padded(-(-n // number))
    full = np.zeros((d, number * width))
    full[:, :n] = XT
    return np.ascontiguousarray(full.reshape(d, number, width).swapaxes(0, 1))


@compiled
def find_rows(kept, held, form, beta, chosen, changed, now):
    """Note where the row of each change is or will be; free ones get a slot if there is one."""
    slots, owner, used = len(kept.rows), kept.slots[0], kept.slots[1]
    slot_of, place = kept.places[0], kept.places[1]
    for r in range(changed):
        place[r] = slot_of[chosen[r]]
        if place[r] >= 0:
            used[place[r]] = now
    tried, hand = 0, held[2]
    for r in range(changed):
        k = chosen[r]
        if place[r] < 0 and form.lower[k] < beta[k] < form.upper[k]:
            # Round about, since the oldest row is the one least likely to come again.
            while tried < slots and used[hand] == now:
                tried, hand = tried + 1, (hand + 1) % slots
            if tried < slots:
                if owner[hand] >= 0:
                    slot_of[owner[hand]] = -1
                owner[hand], used[hand], slot_of[k], place[r] = k, now, hand, slots + hand
    held[2] = hand


@compiled_apart
def take_out_rows(
    form: DualForm,
    kept: KeptRows,
    held: Indices,
    beta: Vector,
    F: Vector,
    change: tuple[Indices, Vector, int],
    scratch: Matrix,
    now: int,
) -> None:
    """``F -= sum_r delta_r K_r`` over the changed variables, a block of points at a time.

    ``change`` says which variables have changed, by how much, and how many they are.
    """
    (chosen, delta, changed), slots = change, len(kept.rows)
    if slots > 0:
        find_rows(kept, held, form, beta, chosen, changed, now)
    width, spare = kept.blocks.shape[2], scratch[len(scratch) - 1]
    for b in range(len(kept.blocks)):
        begin, part = b * width, F[b * width : (b + 1) * width]
        for r in range(changed):
            place, weight = kept.places[1, r] if slots > 0 else -1, delta[r]
            row = spare[:width]
            if place >= 0:
                row = kept.rows[place if place < slots else place - slots, begin : begin + width]
            if place < 0 or place >= slots:
                x = form.X[chosen[r]]
                compute_row(form.ops, form.args, kept.blocks[b], x, row, scratch, False)
            for k in range(len(part)):
                part[k] -= weight * row[k]

"""F of all points after a round, by kernel rows; those of free variables are kept.

A block of points stays in the fastest memory while all changed variables are taken out of it. Who
is free at the end of a round is in the next set too and moves again, whereas who stands on a wall
mostly stays there: so rows of free variables are worth their memory, and only theirs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solvers.compiled import compiled
from solvers.problem import DualForm
from solvers.rows import compute_row

# Memory for rows that are kept: what stays in fast memory, and is cheap to be had anew.
KEPT_BYTES = 2_000_000
# Points in a block.
BLOCK = 1024
# Blocks are padded to a multiple of this: no loop has a scalar remainder.
PAD = 16


class KeptRows(NamedTuple):
    """The points in blocks, and rows of the Gram matrix: working memory, never part of a state.

    Attributes
    ----------
    blocks : float64 array, shape (b, d, width)
        All points, transposed; padded with zeros.
    rows : float64 array, shape (slots, b width)
    owner, used : int64 arrays, shape (slots,)
        Whose row it is, or -1, and the last round that used it.
    slot : int64 array, shape (n,)
        Where the row of a point is, or -1.
    place : int64 array, shape (n,)
        Of each change: where its row is; ``slots`` more where it is still to be computed; or -1.
    hand : int64 array, shape (1,)
        The slot that is looked at next for room.
    """

    blocks: np.ndarray
    rows: np.ndarray
    owner: np.ndarray
    used: np.ndarray
    slot: np.ndarray
    place: np.ndarray
    hand: np.ndarray


def make_kept_rows(form: DualForm, needed: bool) -> KeptRows:
    """Room for as many rows as memory allows; for none where a set is everything."""
    blocks = _in_blocks(form.XT)
    n, size = form.XT.shape[1], blocks.shape[0] * blocks.shape[2]
    slots = min(n, KEPT_BYTES // (8 * size)) if needed else 0
    return KeptRows(
        blocks=blocks,
        rows=np.empty((slots, size)),
        owner=np.full(slots, -1),
        used=np.full(slots, -1),
        slot=np.full(n, -1),
        place=np.empty(n, dtype=np.int64),
        hand=np.zeros(1, dtype=np.int64),
    )


def _in_blocks(XT: np.ndarray) -> np.ndarray:
    """The points in blocks of at most BLOCK, shape (blocks, d, width), padded with zeros."""
    d, n = XT.shape
    if n <= BLOCK:
        return XT[None]
    number = -(-n // BLOCK)
    width = -(-n // (number * PAD)) * PAD
    full = np.zeros((d, number * width))
    full[:, :n] = XT
    return np.ascontiguousarray(full.reshape(d, number, width).swapaxes(0, 1))


@compiled
def find_rows(kept, form, beta, chosen, changed, now):
    """Note where the row of each change is or will be; the free ones get a slot if there is one."""
    slots = len(kept.rows)
    for r in range(changed):
        slot = kept.slot[chosen[r]]
        kept.place[r] = slot
        if slot >= 0:
            kept.used[slot] = now
    tried = 0
    for r in range(changed):
        k = chosen[r]
        if kept.place[r] < 0 and form.lower[k] < beta[k] < form.upper[k]:
            # Round about, since the oldest row is the one least likely to come again.
            while tried < slots and kept.used[kept.hand[0]] == now:
                tried += 1
                kept.hand[0] = (kept.hand[0] + 1) % slots
            if tried < slots:
                slot = kept.hand[0]
                if kept.owner[slot] >= 0:
                    kept.slot[kept.owner[slot]] = -1
                kept.owner[slot], kept.slot[k], kept.used[slot] = k, slot, now
                kept.place[r] = slots + slot


@compiled
def take_out_rows(kept, form, beta, chosen, delta, changed, now, work, F):
    """``F -= sum_r delta_r K_r`` over the changed variables, a block of points at a time."""
    find_rows(kept, form, beta, chosen, changed, now)
    d, width, slots = form.XT.shape[0], kept.blocks.shape[2], len(kept.rows)
    x, spare = work.x, work.scratch[len(work.scratch) - 1][:width]
    for b in range(len(kept.blocks)):
        begin, part = b * width, F[b * width : (b + 1) * width]
        for r in range(changed):
            k, place, weight = chosen[r], kept.place[r], delta[r]
            row = spare
            if place >= 0:
                slot = place if place < slots else place - slots
                row = kept.rows[slot, begin : begin + width]
            if place < 0 or place >= slots:
                for c in range(d):
                    x[c] = form.XT[c, k]
                compute_row(form.ops, form.args, kept.blocks[b], x, row, work.scratch, False)
            for k in range(len(part)):
                part[k] -= weight * row[k]

"""Rows of the Gram matrix for compiled loops, cached or computed again.

Cached rows are working memory, and not part of the state of a run. Whether a row is cached cannot
change a result.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solvers.jit.compiled import inner
from solvers.jit.signatures import Indices, Matrix
from solvers.jit.simd import call_at
from solvers.kernels.evaluator import evaluator_of

# Maximum size of the cache, in bytes. If all n rows fit, each row is computed once. If not, the
# cache has as many slots as fit, in two halves of h slots each. Row i is stored in slot i modulo h
# of one half.
MAX_CACHED_BYTES = 128_000_000


class Rows(NamedTuple):
    """Points, their kernel, and working memory for rows of their Gram matrix.

    Attributes
    ----------
    cached : float64 array, shape (p, n)
        A row of the Gram matrix in each of p slots. If p < n, even slots form one half and odd
        slots the other, so that two rows can be used at the same time.
    owner : int64 array, shape (p,)
        The index of the row in each slot; -1 for an empty slot.
    stack : float64 array, shape (depth + 1, n)
        Working memory of the evaluator.
    evaluator : int
        The address of the kernel's evaluator.
    ops, args : the kernel as a program, see :mod:`solvers.kernels.programs`
    X : float64 array, shape (n, d), and its transpose XT, shape (d, n)
    """

    cached: Matrix
    owner: Indices
    stack: Matrix
    evaluator: int
    ops: Indices
    args: Matrix
    X: Matrix
    XT: Matrix


def make_rows(
    X: np.ndarray, XT: np.ndarray, ops: np.ndarray, args: np.ndarray, large_cache: bool
) -> Rows:
    """Allocate :class:`Rows`, and load or compile the evaluator of the kernel.

    ``large_cache`` allows a cache of many rows; otherwise there are two slots.
    """
    n = len(X)
    max_slots = MAX_CACHED_BYTES // (8 * n)
    slots = (n if n <= max_slots else max_slots // 2 * 2) if large_cache else 2
    slots = max(2, slots)
    return Rows(
        cached=np.empty((slots, n)),
        owner=np.full(slots, -1, dtype=np.int64),
        # The stack of a program cannot be deeper than the number of its operations.
        stack=np.empty((len(ops) + 1, n)),
        evaluator=evaluator_of(ops).address,
        ops=ops,
        args=args,
        X=X,
        XT=XT,
    )


@inner
def slot_of(rows: Rows, i: int, half: int) -> int:
    """Return the slot that has row i of the Gram matrix; compute the row if it is not cached.

    ``half``, 0 or 1, is the half of the slots in which the row is stored if not all rows fit. The
    row stays valid until the next call with the same ``half``.
    """
    slots, n = rows.cached.shape
    slot = i
    if slots < n:
        slot = half + 2 * (i % (slots // 2))
    if rows.owner[slot] != i:
        row, x = rows.cached[slot], rows.X[i]
        call_at(rows.evaluator, (rows.ops, rows.args, rows.XT, x, row, rows.stack), None)
        rows.owner[slot] = i
    return slot

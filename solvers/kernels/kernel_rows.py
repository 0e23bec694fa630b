"""Rows of the Gram matrix for compiled loops, cached or computed again.

Cached rows are working memory, and not part of the state of a run. Whether a row is cached cannot
change a result.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solvers.jit.compiled import inlined
from solvers.jit.separate import compiled_apart
from solvers.jit.signatures import Indices, Matrix, Switches, Vector
from solvers.kernels.evaluator import evaluate

# Maximum size of the cache, in bytes. If all n rows fit, each row is computed once. If not, the
# cache has as many slots as fit, in two halves of h slots each. Row i is stored in slot i modulo h
# of one half.
MAX_CACHED_BYTES = 128_000_000


class Rows(NamedTuple):
    """Working memory for kernel rows.

    Attributes
    ----------
    cached : float64 array, shape (p, n)
        A row of the Gram matrix in each of p slots. If p < n, even slots form one half and odd
        slots the other, so that two rows can be used at the same time.
    owner : int64 array, shape (p,)
        The index of the row in each slot; -1 for an empty slot.
    stack : float64 array, shape (depth + 1, n)
        Working memory of the evaluator.
    single : bool array, shape (1,)
        Whether rows are rounded to single precision, as in LIBSVM.
    """

    cached: Matrix
    owner: Indices
    stack: Matrix
    single: Switches


def make_rows(n: int, depth: int, large_cache: bool, single: bool = False) -> Rows:
    """Allocate :class:`Rows` for n points.

    ``depth`` is the number of operations of the kernel's program. The stack of the program cannot
    be deeper than this. ``large_cache`` allows a cache of many rows; otherwise there are two slots.
    """
    max_slots = MAX_CACHED_BYTES // (8 * n)
    slots = (n if n <= max_slots else max_slots // 2 * 2) if large_cache else 2
    slots = max(2, slots)
    return Rows(
        np.empty((slots, n)),
        np.full(slots, -1, dtype=np.int64),
        np.empty((depth + 1, n)),
        np.array([single]),
    )


@compiled_apart
def compute_row(
    ops: Indices, args: Matrix, XT: Matrix, x: Vector, row: Vector, stack: Matrix, single: bool
) -> None:
    """Compute ``row_j = k(x, x_j)``, rounded to single precision if ``single``."""
    evaluate(ops, args, XT, x, row, stack)
    if single:
        for j in range(len(row)):
            row[j] = np.float64(np.float32(row[j]))


@inlined
def kernel_row(dual_form, rows, i, half):
    """Return row i of the Gram matrix, shape (n,); compute the row if it is not cached.

    ``half``, 0 or 1, is the half of the slots in which the row is stored if not all rows fit. The
    row stays valid until the next call with the same ``half``.
    """
    slots, n = rows.cached.shape
    slot = i
    if slots < n:
        slot = half + 2 * (i % (slots // 2))
    row = rows.cached[slot]
    if rows.owner[slot] != i:
        compute_row(
            dual_form.ops,
            dual_form.args,
            dual_form.XT,
            dual_form.X[i],
            row,
            rows.stack,
            rows.single[0],
        )
        rows.owner[slot] = i
    return row

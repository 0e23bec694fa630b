"""Rows of the Gram matrix in compiled loops, cached or computed again.

Rows are working memory, not part of a state: whether a row is cached cannot change a result.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solvers.jit.compiled import inlined
from solvers.jit.separate import compiled_apart
from solvers.jit.signatures import Indices, Matrix, Switches, Vector
from solvers.kernels.evaluator import evaluate

# Limit of the cache. If all rows fit into it, each is computed once. Otherwise the cache holds as
# many rows as fit, and row i is stored at i modulo their number.
CACHED_BYTES = 128_000_000


class Rows(NamedTuple):
    """Working memory for kernel rows.

    Attributes
    ----------
    cached : float64 array, shape (p, n)
        If p < n, rows with ``half = 0`` are stored in one half of it, those with ``half = 1`` in
        the other.
    owner : int64 array, shape (p,); the point of each cached row, or -1
    stack : float64 array, shape (depth, n)
    single : bool array, shape (1,); whether rows are rounded to single precision, as LIBSVM's are
    """

    cached: Matrix
    owner: Indices
    stack: Matrix
    single: Switches


def make_rows(n: int, depth: int, large_cache: bool, single: bool = False) -> Rows:
    """Allocate :class:`Rows`; ``large_cache`` allows a cache of many rows."""
    most = CACHED_BYTES // (8 * n)
    places = (n if n <= most else most // 2 * 2) if large_cache else 2
    places = max(2, places)
    return Rows(
        np.empty((places, n)),
        np.full(places, -1, dtype=np.int64),
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
        for k in range(len(row)):
            row[k] = np.float64(np.float32(row[k]))


@inlined
def kernel_row(dual_form, rows, i, half):
    """Return row i of the Gram matrix, shape (n,), from the cache or computed.

    A row stays valid until the next call with the same ``half``, 0 or 1.
    """
    places, n = rows.cached.shape
    place = i
    if places < n:
        place = half + 2 * (i % (places // 2))
    row = rows.cached[place]
    if rows.owner[place] != i:
        compute_row(
            dual_form.ops,
            dual_form.args,
            dual_form.XT,
            dual_form.X[i],
            row,
            rows.stack,
            rows.single[0],
        )
        rows.owner[place] = i
    return row

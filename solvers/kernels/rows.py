"""Rows of the Gram matrix in compiled loops, kept or computed again.

Rows are working memory and no part of a state: whether one is still kept cannot change a result.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solvers.jit.compiled import inlined
from solvers.jit.separate import compiled_apart
from solvers.jit.signatures import Indices, Matrix, Switches, Vector
from solvers.kernels.evaluator import evaluate

# Up to n^2 doubles (128 MB) each row is kept once computed; beyond, as many rows as fit into this
# share the places: row i may only be at place i modulo their number.
CACHED_BYTES = 128_000_000


class Rows(NamedTuple):
    """Working memory for kernel rows; never part of a state, so it cannot change a result.

    Attributes
    ----------
    kept : float64 array, shape (p, n)
        Two halves: a row asked for as spare 0 is never overwritten by one asked for as spare 1.
        With p = n they are one.
    owner : int64 array, shape (p,); whose row is kept at each place, or -1
    stack : float64 array, shape (depth, n)
    single : bool array, shape (1,); whether rows are rounded to single precision, as LIBSVM's are
    """

    kept: Matrix
    owner: Indices
    stack: Matrix
    single: Switches


def make_rows(n: int, depth: int, keep: bool, single: bool = False) -> Rows:
    """Allocate :class:`Rows`; ``keep`` allows a cache of many rows."""
    most = CACHED_BYTES // (8 * n)
    places = (n if n <= most else most // 2 * 2) if keep else 2
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
    """``row_j = k(x, x_j)``, in single precision if asked for."""
    evaluate(ops, args, XT, x, row, stack)
    if single:
        for k in range(len(row)):
            row[k] = np.float64(np.float32(row[k]))


@inlined
def kernel_row(form, rows, i, spare):
    """Row i of the Gram matrix, shape (n,), kept or computed.

    Two rows are good at the same time if they were asked for with different ``spare`` (0 and 1).
    """
    places, n = rows.kept.shape
    place = i
    if places < n:
        place = spare + 2 * (i % (places // 2))
    row = rows.kept[place]
    if rows.owner[place] != i:
        compute_row(form.ops, form.args, form.XT, form.X[i], row, rows.stack, rows.single[0])
        rows.owner[place] = i
    return row

"""Rows of the Gram matrix in compiled loops, kept or computed again."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solvers.compiled import inlined
from solvers.evaluator import evaluate

# Up to here rows are recomputed (cheaper than a cache miss); beyond, each is kept once computed.
RECOMPUTE_UP_TO = 200
# n^2 doubles: 128 MB. Beyond, rows are recomputed again.
CACHE_UP_TO = 4000


class Rows(NamedTuple):
    """Working memory for kernel rows; never part of a state, so it cannot change a result.

    Attributes
    ----------
    kept : float64 array, shape (n, n) when rows are kept, else (2, n)
    known : bool array, shape (n,); which rows are kept
    stack : float64 array, shape (depth, n)
    """

    kept: np.ndarray
    known: np.ndarray
    stack: np.ndarray


def make_rows(n: int, depth: int, keep: bool) -> Rows:
    """Allocate :class:`Rows`; ``keep`` allows a cache of n^2 numbers."""
    keep = keep and RECOMPUTE_UP_TO < n <= CACHE_UP_TO
    return Rows(
        np.empty((n, n) if keep else (2, n)),
        np.zeros(n, dtype=np.bool_),
        np.empty((depth + 1, n)),
    )


@inlined
def kernel_row(form, rows, i, spare):
    """Row i of the Gram matrix, shape (n,), kept or computed into row ``spare`` of ``rows``."""
    keeps = rows.kept.shape[0] > 2
    place = i if keeps else spare
    row = rows.kept[place]
    if not (keeps and rows.known[i]):
        evaluate(form.ops, form.args, form.XT, form.X[i], row, rows.stack)
        if keeps:
            rows.known[i] = True
    return row

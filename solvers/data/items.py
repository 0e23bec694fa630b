"""Items without coordinates: words, or items of which only the Gram matrix is given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from solvers.data.lines import file_prefix
from solvers.errors import BadInput, quote

# Maximum number of items. At each change of the kernel, placing them in the plane takes n^3
# operations, which is 50 ms for this number.
MAX_ITEMS = 400
# Maximum number of letters of a word. The edit distance of two words takes as many operations as
# the product of their lengths.
MAX_LETTERS = 50
# K_ij and K_ji count as equal if they differ by at most this fraction of the largest |K|. The
# digits of a printed matrix may be rounded differently.
MAX_ASYMMETRY = 1e-6
WORDS, MATRIX = "words", "matrix"


@dataclass(frozen=True, eq=False)
class Items:
    """n items, of which a kernel compares any two.

    Two objects are equal if they have the same kind, names and matrix, bit for bit.

    Parameters
    ----------
    kind : str
        "words" or "matrix", the domain of the kernels that compare the items.
    names : tuple of n str
        The words, or the names of the rows of the matrix.
    K : array, shape (n, n), or None
        The given matrix; None for words.
    """

    kind: str
    names: tuple[str, ...]
    K: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.names)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Items) and self._key() == other._key())

    def __hash__(self) -> int:
        return hash((self.kind, self.names))

    def _key(self) -> tuple[Any, ...]:
        return self.kind, self.names, None if self.K is None else self.K.tobytes()

    def gram(self, kernel: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> np.ndarray:
        """Return the matrix that is given, or that a kernel of words computes, shape (n, n)."""
        if self.K is not None:
            return self.K
        words = np.array(self.names, dtype=str)
        return kernel(words, words)

    def at(self, indices: Sequence[int] | np.ndarray) -> Items:
        """Return some of the items."""
        rows = np.asarray(indices, dtype=int)
        names = tuple(self.names[row] for row in rows.tolist())
        return Items(
            self.kind, names, None if self.K is None else _frozen(self.K[np.ix_(rows, rows)])
        )


def words_of(names: Sequence[str], source: str = "") -> Items:
    """Return words as items.

    Raises
    ------
    BadInput
        If there are too many words, or one is empty or too long.
    """
    _check_number(len(names), "words", source)
    for number, name in enumerate(names, start=1):
        if not name:
            raise BadInput(f"{file_prefix(source)}word {number} is empty.")
        if len(name) > MAX_LETTERS:
            raise BadInput(
                f"{file_prefix(source)}word {number} has {len(name):,} letters; at most "
                f"{MAX_LETTERS} are possible: {quote(name)}."
            )
        if "\0" in name:
            raise BadInput(f"{file_prefix(source)}word {number} has a NUL character.")
    return Items(WORDS, tuple(names))


def matrix_items(K: np.ndarray, names: Sequence[str] = (), source: str = "") -> Items:
    """Return the items of a Gram matrix, shape (n, n); rounding errors are made symmetric.

    ``names`` are those of the rows; by default 1, 2, ...

    Raises
    ------
    BadInput
        If the matrix is too large, not square, not finite or not symmetric.
    """
    prefix = file_prefix(source)
    rows, columns = K.shape
    if rows != columns:
        raise BadInput(
            f"{prefix}a kernel matrix must be square, but it has {rows:,} rows and {columns:,} "
            "columns of numbers."
        )
    _check_number(rows, "rows of a kernel matrix", source)
    if not (np.abs(K) <= 1e100).all():
        i, j = np.argwhere(~(np.abs(K) <= 1e100))[0] + 1
        raise BadInput(f"{prefix}the entry in row {i} and column {j} is not finite or too large.")
    asymmetry = np.abs(K - K.T)
    if asymmetry.max(initial=0.0) > MAX_ASYMMETRY * np.abs(K).max(initial=0.0):
        i, j = np.unravel_index(int(asymmetry.argmax()), K.shape)
        raise BadInput(
            f"{prefix}a kernel matrix must be symmetric, but the entry in row {i + 1} and column "
            f"{j + 1} is {K[i, j]:.6g}, and that in row {j + 1} and column {i + 1} is "
            f"{K[j, i]:.6g}."
        )
    chosen = tuple(names) or tuple(map(str, range(1, rows + 1)))
    return Items(MATRIX, chosen, _frozen(0.5 * (K + K.T)))


def _check_number(count: int, noun: str, source: str) -> None:
    if count > MAX_ITEMS:
        raise BadInput(
            f"{file_prefix(source)}there are {count:,} {noun}; at most {MAX_ITEMS} are possible."
        )


def _frozen(K: np.ndarray) -> np.ndarray:
    matrix = np.array(K, dtype=np.float64, order="C")
    matrix.setflags(write=False)
    return matrix

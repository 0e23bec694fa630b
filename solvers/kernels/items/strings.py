"""Kernels of words: the p-spectrum, and exp of minus the edit distance.

Words have no coordinates. A string kernel computes the Gram matrix of words, and the kernel
:class:`solvers.kernels.items.given.Given` makes it a problem:

>>> import numpy as np
>>> from solvers import Given, Problem, Spectrum, given_rows
>>> words = np.array(["singing", "ringing", "singer", "ringer"])
>>> K = Spectrum(p=2)(words, words)
>>> problem = Problem(given_rows(K), [-1, -1, 1, 1], kernel=Given())

Sources: Leslie, Eskin and Noble 2002 (spectrum kernel); Levenshtein 1966 (edit distance);
Wagner and Fischer 1974 (its computation).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from solvers.errors import BadInput
from solvers.kernels.kernel import MAX_CHECKED_POINTS, Kernel
from solvers.settings import setting


class StringKernel(Kernel):
    """The base class of kernels of words; arrays of words take the place of points (n, d).

    A string kernel has no program for compiled loops: these read its Gram matrix.
    """

    domain: ClassVar[str] = "words"

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return np.array([float(self(X[i : i + 1], X[i : i + 1])[0, 0]) for i in range(len(X))])

    def check(self, X: np.ndarray, max_points: int = MAX_CHECKED_POINTS) -> None:
        raise BadInput(
            f"The kernel {self.name} compares words: give the problem the points given_rows(K) and "
            "the kernel Given()."
        )


@dataclass(frozen=True)
class Spectrum(StringKernel):
    """``k(s, t) = sum_u count_u(s) count_u(t)`` over all substrings u of p letters.

    The features of a word are the numbers of times that each u occurs in it.
    """

    name: ClassVar[str] = "spectrum"
    label: ClassVar[str] = "p-spectrum"
    notation: ClassVar[str] = "Σᵤ countᵤ(s) countᵤ(t), |u| = p"
    help: ClassVar[str] = "Counts the substrings of p letters that two words share."

    p: int = setting(
        2,
        "p",
        "Number of letters of the substrings that are counted.",
        low=1,
        high=5,
        hard_low=1,
        hard_high=50,
    )

    def __call__(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        K = np.zeros((len(A), len(B)))
        words_of_b = _words_by_substring(B, self.p)
        for substring, (rows, counts) in _words_by_substring(A, self.p).items():
            columns, other_counts = words_of_b.get(substring, ([], []))
            K[np.ix_(rows, columns)] += np.outer(counts, other_counts)
        return K


@dataclass(frozen=True)
class EditDistance(StringKernel):
    """``k(s, t) = exp(-gamma d(s, t))`` with the edit distance d; no Mercer kernel in general.

    ``d(s, t)`` is the smallest number of letters to insert, delete or replace that turns s into t.
    """

    name: ClassVar[str] = "edit-distance"
    label: ClassVar[str] = "Edit distance"
    notation: ClassVar[str] = "exp(−γ d(s, t))"
    help: ClassVar[str] = (
        "d(s, t) is the number of letters to insert, delete or replace that turns s into t."
    )

    gamma: float = setting(
        0.5,
        "γ",
        "Narrowness in exp(−γ d(s, t)), in 1 / letters.",
        low=1e-3,
        high=1e2,
        scale="log",
        hard_low=0.0,
        open_low=True,
    )

    @property
    def mercer(self) -> bool:
        """Return False, because the edit distance is no squared distance in a feature space."""
        return False

    def __call__(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        # Overflow to infinity is harmless, since exp(-infinity) is 0.
        with np.errstate(over="ignore"):
            return np.exp(-self.gamma * edit_distances(tuple(map(str, A)), tuple(map(str, B))))


@lru_cache(maxsize=4)
def edit_distances(A: tuple[str, ...], B: tuple[str, ...]) -> np.ndarray:
    """Return the edit distances of words, int, shape (m, n), read-only.

    ``d_ij = min(d_(i-1)j + 1, d_i(j-1) + 1, d_(i-1)(j-1) + [s_i != t_j])`` for the first i letters
    of s and the first j letters of t. Each operation computes it for all pairs of words.
    """
    letters_of_a, letters_of_b = _letters(A)[:, :, None], _letters(B)[:, None, :]
    lengths_of_a = np.array([len(word) for word in A], dtype=np.int64)
    lengths_of_b = np.array([len(word) for word in B], dtype=np.int64)
    columns = np.arange(len(B))
    # A distance is at most the length of the longer word. Small integers are four times as fast.
    small = max(len(letters_of_a), len(letters_of_b)) < 255
    distances = np.zeros((len(A), len(B)), dtype=np.uint8 if small else np.int32)
    row = [np.full_like(distances, j) for j in range(len(letters_of_b) + 1)]
    for i in range(len(letters_of_a) + 1):
        if i:
            above, row = row, [np.full_like(distances, i)]
            for j in range(1, len(above)):
                replaced = above[j - 1] + (letters_of_a[i - 1] != letters_of_b[j - 1])
                row.append(np.minimum(np.minimum(above[j], row[j - 1]) + 1, replaced))
        ends = np.flatnonzero(lengths_of_a == i)
        if len(ends):
            distances[ends] = np.stack([cells[ends] for cells in row])[lengths_of_b, :, columns].T
    distances.setflags(write=False)
    return distances


def _letters(words: Sequence[str]) -> np.ndarray:
    """Return the code of each letter of each word, padded by -1, int, shape (length, n)."""
    codes = np.full((max(map(len, words), default=0), len(words)), -1, dtype=np.int32)
    for k, word in enumerate(words):
        codes[: len(word), k] = [ord(letter) for letter in word]
    return codes


def _words_by_substring(words: np.ndarray, p: int) -> dict[str, tuple[list[int], list[int]]]:
    """Return for each substring of p letters the words with it, and how often it occurs in each."""
    found: dict[str, tuple[list[int], list[int]]] = {}
    for index, word in enumerate(map(str, words)):
        counts = Counter(word[k : k + p] for k in range(len(word) - p + 1))
        for substring, count in counts.items():
            indices, numbers = found.setdefault(substring, ([], []))
            indices.append(index)
            numbers.append(count)
    return found

"""Problems of several classes as binary problems, and the class that their solutions decide for.

A *machine* is a binary problem among k classes: some classes against others. It is a row of a code
matrix, with +1 for a class on its positive side, -1 for one on its negative side, and 0 for a class
whose points it does not see. There are two usual matrices. *One against one* has a machine for
each pair of classes, which are k (k - 1) / 2; *one against the rest* has k machines, each on all
points. Dietterich and Bakiri (1995) use further rows, of error-correcting codes; Allwein, Schapire
and Singer (2000) treat all of them alike, as is done here.

The decision is the same for every matrix. A machine with ``f >= 0`` votes for the classes on its
positive side, otherwise for those on its negative side. Most votes decide; among classes with
equally many, the largest sum of the f in their favour. With one machine per class against the
rest, this is the class whose machine has the largest f.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from solvers.errors import BadInput

ONE_AGAINST_ONE, ONE_AGAINST_REST = "one-against-one", "one-against-rest"
# The reductions by their names, with their titles.
REDUCTION_TITLES = {
    ONE_AGAINST_ONE: "one against one",
    ONE_AGAINST_REST: "one against the rest",
}
REDUCTIONS = tuple(REDUCTION_TITLES)


@dataclass(frozen=True)
class Machine:
    """One binary problem among several classes.

    Parameters
    ----------
    code : tuple of int
        For each class the side of its points: +1, -1, or 0 for a class that is left out.

    Raises
    ------
    BadInput
        If one of the sides has no class.
    """

    code: tuple[int, ...]

    def __post_init__(self) -> None:
        if not set(self.code) <= {-1, 0, 1}:
            raise BadInput(f"The code of a machine consists of -1, 0 and +1: got {self.code}.")
        if not {-1, 1} <= set(self.code):
            raise BadInput("A machine needs a class on each side: one with +1 and one with -1.")

    @property
    def positive(self) -> tuple[int, ...]:
        """The classes whose points have the label +1."""
        return tuple(k for k, side in enumerate(self.code) if side > 0)

    @property
    def negative(self) -> tuple[int, ...]:
        """The classes whose points have the label -1."""
        return tuple(k for k, side in enumerate(self.code) if side < 0)

    @property
    def is_against_rest(self) -> bool:
        """Whether one class is against all others, of which there are at least two."""
        return len(self.positive) == 1 and len(self.negative) == len(self.code) - 1 > 1

    def labels(self, classes: np.ndarray) -> np.ndarray:
        """Return the labels +1 and -1 of points of these classes, and 0 for points left out.

        ``classes`` are indices of classes, shape (n,); so is the result, as int8.
        """
        return np.array(self.code, dtype=np.int8)[classes]

    def side_names(self, class_names: Sequence[str]) -> tuple[str, str]:
        """Return the names of the negative and of the positive side, in this order."""
        positive = ", ".join(class_names[k] for k in self.positive)
        if self.is_against_rest:
            return ("the rest" if positive != "the rest" else f"not {positive}"), positive
        return ", ".join(class_names[k] for k in self.negative), positive

    def name(self, class_names: Sequence[str]) -> str:
        """Return the name of the machine, such as "Adelie against Gentoo"."""
        negative, positive = self.side_names(class_names)
        return f"{positive} against {negative}"


def machines_of(reduction: str, k: int) -> tuple[Machine, ...]:
    """Return the machines of a reduction of k classes, whose name is in ``REDUCTIONS``.

    In a pair, the first class is the positive one.
    """
    if reduction not in REDUCTIONS:
        raise BadInput(f"A reduction is {' or '.join(REDUCTIONS)}: got {reduction}.")
    if reduction == ONE_AGAINST_REST:
        return tuple(Machine(tuple(1 if c == m else -1 for c in range(k))) for m in range(k))
    return tuple(
        Machine(tuple(1 if c == i else -1 if c == j else 0 for c in range(k)))
        for i, j in itertools.combinations(range(k), 2)
    )


def reduction_of(machines: Sequence[Machine]) -> str | None:
    """Return the name of the reduction that has these machines in this order, or None."""
    k = len(machines[0].code)
    return next((name for name in REDUCTIONS if machines_of(name, k) == tuple(machines)), None)


def equal_classes(machines: Sequence[Machine]) -> tuple[int, int] | None:
    """Return two classes that no machine separates, so that no vote tells them apart, or None."""
    codes = np.array([machine.code for machine in machines])
    for i, j in itertools.combinations(range(codes.shape[1]), 2):
        if not (codes[:, i] * codes[:, j] < 0).any():
            return i, j
    return None


@dataclass(frozen=True, eq=False)
class Decision:
    """What several machines say together about m places; see :func:`decide`.

    Attributes
    ----------
    codes : int array, shape (number of machines, k)
    weights : int array, shape (number of machines, k)
        :func:`decision_weights` of the machines.
    values : array, shape (m, number of machines)
        f of each machine at the places.
    """

    codes: np.ndarray
    weights: np.ndarray
    values: np.ndarray

    @cached_property
    def votes(self) -> np.ndarray:
        """Number of machines that vote for each class, shape (m, k), int."""
        is_positive = self.values >= 0.0
        for_positive, for_negative = self.codes > 0, self.codes < 0
        return is_positive @ for_positive.astype(int) + ~is_positive @ for_negative.astype(int)

    @cached_property
    def sums(self) -> np.ndarray:
        """For each class the sum of the f in its favour, shape (m, k).

        It has f of a machine with the class on its positive side, and -f of one with the class on
        its negative side. With one machine per class against the rest it is f of that machine,
        which has the same order and no rounding errors.
        """
        sums = np.zeros((len(self.values), self.codes.shape[1]))
        # One machine after the other, since the bits of a matrix product depend on the BLAS.
        for weights, f in zip(self.weights, self.values.T, strict=True):
            for k in np.flatnonzero(weights):
                sums[:, k] += f * weights[k]
        return sums

    @cached_property
    def _has_most(self) -> np.ndarray:
        return self.votes == self.votes.max(axis=1, keepdims=True)

    @cached_property
    def classes(self) -> np.ndarray:
        """The class decided for, shape (m,): most votes, then the largest sum, then the first."""
        return np.where(self._has_most, self.sums, -np.inf).argmax(axis=1)

    @cached_property
    def first_classes(self) -> np.ndarray:
        """The class by LIBSVM's rule, shape (m,): most votes, then the first of the classes."""
        return self._has_most.argmax(axis=1)

    @cached_property
    def undecided(self) -> np.ndarray:
        """Whether several classes have most votes, so that the sums must decide, shape (m,)."""
        return self._has_most.sum(axis=1) > 1

    @cached_property
    def lead(self) -> np.ndarray:
        """How far the decision is from losing a vote, shape (m,), at least 0.

        It is the smallest f in favour of the class decided for, or 0 if a machine votes against it.
        In one against one that is its lead over the second class. It is continuous and 0 at the
        edge of a region, while sums of f, which grow far from all points, are not.
        """
        least = np.full(len(self.values), np.inf)
        for code, f in zip(self.codes, self.values.T, strict=True):
            # The side of the class decided for, of each place.
            side = code[self.classes]
            least = np.where(side != 0, np.minimum(least, f * side), least)
        return np.maximum(least, 0.0)


def decide(machines: Sequence[Machine], values: np.ndarray) -> Decision:
    """Return the decision at m places.

    Parameters
    ----------
    machines : sequence of Machine
        The rows of a code matrix, for k classes.
    values : array, shape (m, number of machines)
        f of each machine at the places.
    """
    codes = np.array([machine.code for machine in machines], dtype=np.int64)
    return Decision(codes, decision_weights(machines), np.asarray(values, dtype=np.float64))


def decision_weights(machines: Sequence[Machine]) -> np.ndarray:
    """Return the weight of each machine's f in each class's sum, shape (number of machines, k).

    The weights are the code matrix; with one machine per class against the rest, they are 1 for the
    machine of a class and 0 for the others.
    """
    codes = np.array([machine.code for machine in machines], dtype=np.int64)
    own = [machine.positive[0] for machine in machines if machine.is_against_rest]
    if sorted(own) == list(range(codes.shape[1])) and len(own) == len(machines):
        return np.maximum(codes, 0)
    return codes


def confusion(true: np.ndarray, decided: np.ndarray, k: int) -> np.ndarray:
    """Return how many points of each true class (row) are decided for each class (column)."""
    table = np.zeros((k, k), dtype=np.int64)
    np.add.at(table, (true, decided), 1)
    return table


def number_wrong(table: np.ndarray) -> int:
    """Return the number of points of a confusion matrix that are decided for another class."""
    return int(table.sum() - np.trace(table))

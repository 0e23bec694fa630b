"""Splits of the points of a problem into parts on which models are trained, compared and tested.

A part is an array of *rows*, which are indices of points, ascending. In a *stratified* split, the
classes have the same proportions in each part as in all points, up to one point per class. In a
regression, the sorted targets are divided into fifths, which take the role of the classes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from solvers.errors import BadInput, shorten
from solvers.problem.many_classes import AnyProblem
from solvers.problem.problem import Problem
from solvers.run.method import counted

# Number of groups into which the sorted targets are divided, for stratified splits of a regression.
TARGET_STRATA = 5


@dataclass(frozen=True, eq=False)
class Classes:
    """The class of each point, of several classes.

    Attributes
    ----------
    y : int array, shape (n,)
        Indices of ``names``.
    names : tuple of str
        Names of the classes.
    """

    y: np.ndarray
    names: tuple[str, ...]
    task: ClassVar[str] = "classification"

    @property
    def n(self) -> int:
        """Number of points."""
        return len(self.y)


# What a split depends on.
Targets = AnyProblem | Classes


def _no_rows() -> np.ndarray:
    return np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Split:
    """Rows to train on and rows to test on, disjoint.

    Attributes
    ----------
    train, test : int arrays
    validation : int array
        Rows on which models are compared, disjoint from ``train`` and ``test``; may be empty.
    """

    train: np.ndarray
    test: np.ndarray
    validation: np.ndarray = field(default_factory=_no_rows)


class LeaveOneOutSplit(Split):
    """A split whose test part is one of n points.

    The training part is computed from the test part, since storing n such parts would take n^2
    numbers.
    """

    def __init__(self, n: int, left_out: int) -> None:
        object.__setattr__(self, "_n", n)
        object.__setattr__(self, "test", np.array([left_out]))
        object.__setattr__(self, "validation", _no_rows())

    @property
    def train(self) -> np.ndarray:
        """Return all rows but the one in ``test``, as a new array each time."""
        return np.delete(np.arange(vars(self)["_n"]), self.test)


def hold_out_split(problem: Targets, test: float, seed: int, stratified: bool) -> Split:
    """Return a random split.

    ``test`` is the size of the test part: a fraction of all points, below 1, or a number of points.
    """
    n_test = part_size(test, problem.n, "test")
    order = _random_order(problem, seed, stratified)
    split = Split(np.sort(order[n_test:]), np.sort(order[:n_test]))
    return _check_training_parts(problem, [split])[0]


def three_part_split(
    problem: Targets, validation: float, test: float, seed: int, stratified: bool
) -> Split:
    """Return a random split with a validation part.

    ``validation`` and ``test`` are the sizes of these parts: fractions of all points, below 1, or
    numbers of points.
    """
    n_test = part_size(test, problem.n, "test")
    n_held_out = n_test + part_size(validation, problem.n, "validation")
    order = _random_order(problem, seed, stratified)
    split = Split(
        train=np.sort(order[n_held_out:]),
        test=np.sort(order[:n_test]),
        validation=np.sort(order[n_test:n_held_out]),
    )
    return _check_training_parts(problem, [split])[0]


def fold_splits(
    problem: Targets,
    folds: int,
    seed: int | Sequence[int],
    stratified: bool,
    rows: np.ndarray | None = None,
) -> list[Split]:
    """Divide rows into folds; return one split per fold, whose test part is the fold.

    ``rows`` are all points by default.

    Raises
    ------
    BadInput
        If there are fewer than two folds, or more folds than points or than points of a class.
    """
    rows = np.arange(problem.n) if rows is None else rows
    _refuse_folds(problem, folds, rows)
    rng = np.random.default_rng(seed)
    order = rows[rng.permutation(len(rows))]
    if stratified:
        order = order[np.argsort(_strata(problem)[order], kind="stable")]
    # Successive points go to successive folds. So the sizes of any two folds differ by at most one.
    # If stratified, the numbers of points of a class in two folds also differ by at most one.
    parts = [np.sort(order[k::folds]) for k in range(folds)]
    return _check_training_parts(problem, [Split(np.setdiff1d(rows, part), part) for part in parts])


def leave_one_out_splits(problem: Targets) -> Sequence[Split]:
    """Return one split per point, whose test part is that point.

    Raises
    ------
    BadInput
        If there is only one point, or only one in a class.
    """
    if problem.n < 2:
        raise BadInput("Leave-one-out needs at least two points.")
    for name, count in _class_counts(problem, np.arange(problem.n)):
        if count < 2:
            left = "one class" if isinstance(problem, Problem) else "none of it"
            raise BadInput(
                f"Class {name} has one point: leaving it out leaves {left}, so"
                " leave-one-out needs at least two points of each class."
            )
    return [LeaveOneOutSplit(problem.n, i) for i in range(problem.n)]


def part_size(size: float, n: int, part: str) -> int:
    """Return the number of points in a part of n points.

    ``size`` is a fraction below 1, which is rounded to whole points, or a number of points.
    ``part`` is the name of the part in messages.

    Raises
    ------
    BadInput
        If ``size`` is not above 0, is neither below 1 nor a whole number, or rounds to no point.
    """
    if not (size > 0 and math.isfinite(size)):
        raise BadInput(f"The {part} part must have a size above 0: got {size:g}.")
    if size >= 1 and size != int(size):
        raise BadInput(
            f"The size of the {part} part must be a fraction below 1 or a whole number of points:"
            f" got {size:g}."
        )
    count = int(size) if size >= 1 else math.floor(size * n + 0.5)
    if count == 0:
        raise BadInput(
            f"The {part} part would be empty: {size:g} of {counted(n, 'point')} rounds to none."
        )
    return count


def _random_order(problem: Targets, seed: int, stratified: bool) -> np.ndarray:
    """Return all rows in random order; if stratified, the classes are evenly mixed.

    Then each stretch of this order has about the proportions of classes of all points.
    """
    rng = np.random.default_rng(seed)
    order = rng.permutation(problem.n)
    if not stratified:
        return order
    strata = _strata(problem)[order]
    # Spread the points of each stratum evenly over the interval from 0 to 1.
    position = np.empty(problem.n)
    for stratum in np.unique(strata):
        members = np.flatnonzero(strata == stratum)
        position[members] = (np.arange(len(members)) + 0.5) / len(members)
    return order[np.argsort(position, kind="stable")]


def _strata(problem: Targets) -> np.ndarray:
    """Return the stratum of each point: its class, or the fifth that contains its target."""
    if problem.task == "classification":
        return np.unique(problem.y, return_inverse=True)[1]
    ranks = np.argsort(np.argsort(problem.y, kind="stable"), kind="stable")
    return ranks * TARGET_STRATA // problem.n


def _refuse_folds(problem: Targets, folds: int, rows: np.ndarray) -> None:
    if folds < 2:
        raise BadInput(f"There must be at least two folds: got {folds}.")
    if folds > len(rows):
        raise BadInput(
            f"There are {folds:,} folds, but only {counted(len(rows), 'point')}: a part would be"
            " empty."
        )
    for name, count in _class_counts(problem, rows):
        if folds > count:
            raise BadInput(
                f"There are {folds:,} folds, but only {counted(count, 'point')} of class {name}."
            )


def _class_counts(problem: Targets, rows: np.ndarray) -> Iterable[tuple[str, int]]:
    """Return name and number of points of each class in ``rows``; empty in a regression."""
    if problem.task != "classification":
        return ()
    counts = [(label, int((problem.y[rows] == label).sum())) for label in np.unique(problem.y)]
    if isinstance(problem, Problem):
        return [(f"{label:+.0f}", count) for label, count in counts]
    return [(shorten(problem.names[int(label)]), count) for label, count in counts]


def _check_training_parts(problem: Targets, splits: list[Split]) -> list[Split]:
    """Return the splits; raise :class:`BadInput` if a training part is empty or lacks a class."""
    for number, split in enumerate(splits, start=1):
        part = "The training part" if len(splits) == 1 else f"The training part of split {number}"
        if not len(split.train):
            raise BadInput(f"{part} would be empty: the other parts take all points.")
        absent = [name for name, count in _class_counts(problem, split.train) if not count]
        if absent:
            lack = "points of one class only"
            if not isinstance(problem, Problem):
                lack = f"no point of class {absent[0]}"
            raise BadInput(f"{part} has {lack}: stratify the split, or draw it with another seed.")
    return splits

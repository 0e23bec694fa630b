"""Repeated hold-out: the learning curve of a model, and the distribution of its risk.

The functions yield streams of results, like those in :mod:`solvers.selection.procedures`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from solvers.errors import BadInput
from solvers.problem.problem import Problem
from solvers.selection.models import Models
from solvers.selection.search import Results, Search
from solvers.selection.splits import Split, hold_out_split


def repeated_hold_out(
    problem: Problem,
    models: Models | None = None,
    seed: int = 0,
    *,
    repeats: int = 100,
    test: float = 0.2,
    stratified: bool = False,
    **search_options: Any,
) -> Results:
    """Repeat hold-out with the seeds ``seed + r`` for r = 0, 1, ...; ``Result.part`` is r.

    For the parameters see :func:`solvers.selection.procedures.hold_out`.
    """
    search = Search(problem, models, **search_options)
    yield from search.test(hold_out_splits(problem, seed, repeats, test, stratified))


def learning_curve(
    problem: Problem,
    models: Models | None = None,
    seed: int = 0,
    *,
    sizes: Sequence[int],
    repeats: int = 20,
    test: float = 0.2,
    stratified: bool = False,
    **search_options: Any,
) -> Results:
    """Train on more and more points of the training part of a hold-out split, and test each time.

    This is done for ``repeats`` hold-out splits. ``sizes`` are the numbers of points to train on.
    In each hold-out split, a smaller training set is a subset of every larger one. In a
    classification, each training set has points of both classes, since the two points that are in
    all of them have different labels. ``Result.part`` is ``r * len(sizes) + k`` for ``sizes[k]``
    and the seed ``seed + r``.

    For the other parameters see :func:`solvers.selection.procedures.hold_out`.

    Raises
    ------
    BadInput
        If a size is below 2 or above the number of training points.
    """
    search = Search(problem, models, **search_options)
    splits: list[Split] = []
    for r, split in enumerate(hold_out_splits(problem, seed, repeats, test, stratified)):
        if not 2 <= min(sizes) <= max(sizes) <= len(split.train):
            raise BadInput(f"Sizes must be from 2 to {len(split.train):,}, the training part.")
        order = _random_order(problem, np.random.default_rng((seed + r, 1)), split.train)
        splits += [Split(np.sort(order[:size]), split.test) for size in sizes]
    yield from search.test(splits)


def hold_out_splits(
    problem: Problem, seed: int, repeats: int, test: float, stratified: bool
) -> list[Split]:
    """Return the hold-out splits of ``repeats`` successive seeds."""
    return [hold_out_split(problem, test, seed + r, stratified) for r in range(repeats)]


def curve_sizes(n: int, count: int = 12) -> list[int]:
    """Return up to ``count`` sizes from 4 to n in about equal ratios; all from 2 to n if n < 4."""
    if n < 4:
        return list(range(2, n + 1))
    return sorted({round(size) for size in np.geomspace(4, n, count).tolist()})


def _random_order(problem: Problem, rng: np.random.Generator, rows: np.ndarray) -> np.ndarray:
    """Return rows in random order; in a classification the first two have different labels."""
    order = rng.permutation(rows)
    if problem.task != "classification":
        return order
    first_other_label = int(np.argmax(problem.y[order] != problem.y[order[0]]))
    order[[1, first_other_label]] = order[[first_other_label, 1]]
    return order

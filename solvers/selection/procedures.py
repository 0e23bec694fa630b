"""Procedures of model selection, such as k-fold validation, and studies that repeat hold-out.

A procedure is a generator function of a problem, models (a method, a model or a list of them) and a
seed. It yields a stream of results (:class:`solvers.selection.search.Result`). Nothing is computed
before the first result is requested. After the stream is closed, at most the fits that were already
passed to workers are computed. :func:`solvers.selection.estimate.estimate` computes the summary of
a stream.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from solvers.errors import BadInput
from solvers.problem.many_classes import AnyProblem
from solvers.selection.leave_one_out import leave_out_each
from solvers.selection.models import Models
from solvers.selection.paired_test import REPLICATIONS
from solvers.selection.search import Results, Search
from solvers.selection.splits import (
    Split,
    fold_splits,
    hold_out_split,
    leave_one_out_splits,
    three_part_split,
)


def hold_out(
    problem: AnyProblem,
    models: Models | None = None,
    seed: int = 0,
    *,
    test: float = 0.2,
    stratified: bool = False,
    **search_options: Any,
) -> Results:
    """Train the models on one part of the points, and test them on the other part.

    Parameters
    ----------
    problem : Problem or ManyClassProblem
    models : Method, Model or list of them
        By default SMO with its default settings.
    seed : int
    test : float
        Size of the test part: a fraction below 1, or a number of points.
    stratified : bool
        Whether the classes have the same proportions in each part as in all points.
    **search_options
        The parameters ``risk``, ``pool`` and ``store`` of :class:`solvers.selection.search.Search`.
    """
    search = Search(problem, models, **search_options)
    split = hold_out_split(problem, test, seed, stratified)
    yield from search.test([split])


def validation(
    problem: AnyProblem,
    models: Models | None = None,
    seed: int = 0,
    *,
    validation: float = 0.1,
    test: float = 0.2,
    retrain: bool = False,
    stratified: bool = False,
    **search_options: Any,
) -> Results:
    """Choose the model with the lowest risk on the validation part, and test it on the test part.

    If ``retrain``, the chosen model is trained again on the training and the validation part before
    the test. ``validation`` and ``test`` are the sizes of these parts: fractions of all points,
    below 1, or numbers of points. For the other parameters see :func:`hold_out`.
    """
    search = Search(problem, models, **search_options)
    split = three_part_split(problem, validation, test, seed, stratified)
    best = yield from search.choose([split])
    final = _merge_validation(split) if retrain else split
    for result in search.test([final], [best]):
        yield replace(result, split=split, chosen=True)


def leave_one_out(
    problem: AnyProblem,
    models: Models | None = None,
    seed: int = 0,
    **search_options: Any,
) -> Results:
    """Leave out each point once: train on all other points, and test on the point left out.

    For each model, the first result is that of a fit on all points. If f of this fit is the only
    optimum, leaving out a point with alpha = 0 does not change f. Then no fit is computed for such
    a point, and for the 0-1 risk the first result has bounds on the error.

    For the parameters see :func:`hold_out`. The seed is not used, since nothing is random.
    """
    search = Search(problem, models, **search_options)
    splits = leave_one_out_splits(problem)
    for model in search.all_models:
        yield from leave_out_each(search, model, splits)


def k_fold(
    problem: AnyProblem,
    models: Models | None = None,
    seed: int = 0,
    *,
    folds: int = 5,
    stratified: bool = False,
    **search_options: Any,
) -> Results:
    """Divide the points into folds; on each fold, test the models trained on the other folds.

    For the parameters see :func:`hold_out`.
    """
    search = Search(problem, models, **search_options)
    splits = fold_splits(problem, folds, seed, stratified)
    yield from search.test(splits)


def five_by_two(
    problem: AnyProblem,
    models: Models | None = None,
    seed: int = 0,
    *,
    stratified: bool = False,
    **search_options: Any,
) -> Results:
    """Divide the points into halves, five times; on each half, test models trained on the other.

    The results with ``part`` 2 r and 2 r + 1 belong to replication r, as the paired test expects.
    For the parameters see :func:`hold_out`.
    """
    search = Search(problem, models, **search_options)
    splits: list[Split] = []
    for replication in range(REPLICATIONS):
        splits += fold_splits(problem, 2, (seed, replication), stratified)
    yield from search.test(splits)


def nested(
    problem: AnyProblem,
    models: Models | None = None,
    seed: int = 0,
    *,
    folds: int = 5,
    stratified: bool = False,
    **search_options: Any,
) -> Results:
    """On each fold, test the model that k-fold validation chooses on the other points.

    The folds of all points are the outer folds. Each validation divides the other points into inner
    folds. The mean risk of the chosen models is an unbiased estimate of the risk of a model that is
    chosen by k-fold validation. All models are tested on the outer folds, so the results also show
    which model has the lowest mean risk over all points. For the parameters see :func:`hold_out`.
    """
    search = Search(problem, models, **search_options)
    outer = fold_splits(problem, folds, seed, stratified)
    for number, fold in enumerate(outer):
        best = 0
        if len(search.models) > 1:
            inner = fold_splits(problem, folds, (seed, 1 + number), stratified, fold.train)
            # The models are compared on the test parts of the inner folds.
            inner_splits = [Split(split.train, fold.test, split.test) for split in inner]
            best = yield from search.choose(inner_splits, number)
        for result in search.test([fold]):
            yield replace(result, part=number, chosen=result.model == best)


def result_count(procedure: str, n: int, models: int, folds: int = 5) -> int:
    """Return how many results a procedure yields for n points and ``models`` models."""
    inner = folds * folds if models > 1 else 0
    return {
        "hold-out": models,
        "validation": models + 1,
        "leave-one-out": models * (n + 1),
        "k-fold": models * folds,
        "5x2": models * 2 * REPLICATIONS,
        "nested": models * (inner + folds),
    }[procedure]


def _merge_validation(split: Split) -> Split:
    """Return the split with the validation part added to the training part."""
    return Split(np.union1d(split.train, split.validation), split.test)


def repeated_hold_out(
    problem: AnyProblem,
    models: Models | None = None,
    seed: int = 0,
    *,
    repeats: int = 100,
    test: float = 0.2,
    stratified: bool = False,
    **search_options: Any,
) -> Results:
    """Repeat hold-out with the seeds ``seed + r`` for r = 0, 1, ...; ``Result.part`` is r.

    For the parameters see :func:`hold_out`.
    """
    search = Search(problem, models, **search_options)
    yield from search.test(hold_out_splits(problem, seed, repeats, test, stratified))


def learning_curve(
    problem: AnyProblem,
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

    For the other parameters see :func:`hold_out`.

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
    problem: AnyProblem, seed: int, repeats: int, test: float, stratified: bool
) -> list[Split]:
    """Return the hold-out splits of ``repeats`` successive seeds."""
    return [hold_out_split(problem, test, seed + r, stratified) for r in range(repeats)]


def curve_sizes(n: int, count: int = 12) -> list[int]:
    """Return up to ``count`` sizes from 4 to n in about equal ratios; all from 2 to n if n < 4."""
    if n < 4:
        return list(range(2, n + 1))
    return sorted({round(size) for size in np.geomspace(4, n, count).tolist()})


def _random_order(problem: AnyProblem, rng: np.random.Generator, rows: np.ndarray) -> np.ndarray:
    """Return rows in random order; in a classification the first two have different labels."""
    order = rng.permutation(rows)
    if problem.task != "classification":
        return order
    first_other_label = int(np.argmax(problem.y[order] != problem.y[order[0]]))
    order[[1, first_other_label]] = order[[first_other_label, 1]]
    return order


# The procedures, by the names that commands and the window use.
PROCEDURES: dict[str, Callable[..., Results]] = {
    "hold-out": hold_out,
    "validation": validation,
    "leave-one-out": leave_one_out,
    "k-fold": k_fold,
    "5x2": five_by_two,
    "nested": nested,
}

"""Parts of a split: disjoint, complete, of the size asked for, in proportion if stratified."""

import numpy as np
import pytest

from solvers import BadInput, Problem, Regression
from solvers.selection.splits import (
    fold_splits,
    hold_out_split,
    leave_one_out_splits,
    part_size,
    three_part_split,
)
from tests.solvers.problems import cloud, wave


def uneven(n, positive, seed=0):
    """A problem with some points of class +1, all others of class -1."""
    rng = np.random.default_rng(seed)
    y = np.where(rng.permutation(n) < positive, 1.0, -1.0)
    return Problem(rng.normal(size=(n, 2)), y)


def covers(problem, *parts):
    return np.array_equal(np.sort(np.concatenate(parts)), np.arange(problem.n))


@pytest.mark.parametrize(("size", "count"), [(0.2, 10), (0.5, 25), (0.1, 5), (7, 7), (1, 1)])
def test_hold_out_has_the_size_asked_for(size, count):
    problem = uneven(50, 20)
    split = hold_out_split(problem, size, 3, False)
    assert len(split.test) == count
    assert covers(problem, split.train, split.test)


def test_three_parts_are_fractions_of_all():
    problem = uneven(100, 50)
    split = three_part_split(problem, 0.1, 0.2, 0, False)
    assert [len(split.train), len(split.validation), len(split.test)] == [70, 10, 20]
    assert covers(problem, split.train, split.validation, split.test)


@pytest.mark.parametrize("folds", [2, 3, 7, 10])
@pytest.mark.parametrize("stratified", [False, True])
def test_folds_cover_all_points_once(folds, stratified):
    problem = uneven(53, 20)
    splits = fold_splits(problem, folds, 0, stratified)
    assert covers(problem, *(split.test for split in splits))
    sizes = [len(split.test) for split in splits]
    assert max(sizes) - min(sizes) <= 1
    assert all(covers(problem, split.train, split.test) for split in splits)


@pytest.mark.parametrize("seed", range(5))
def test_stratified_parts_keep_the_proportions_up_to_a_point(seed):
    problem = uneven(97, 23, seed)
    positive = problem.y > 0
    folds = [positive[split.test].sum() for split in fold_splits(problem, 5, seed, True)]
    assert max(folds) - min(folds) <= 1
    split = three_part_split(problem, 0.2, 0.3, seed, True)
    for part in (split.train, split.validation, split.test):
        assert abs(positive[part].sum() - 23 / 97 * len(part)) <= 1


def test_a_stratified_regression_spreads_its_targets():
    X, y = wave(100, 1)
    problem = Regression(X, y)
    ranks = np.argsort(np.argsort(y))
    for split in fold_splits(problem, 4, 0, True):
        assert np.bincount(ranks[split.test] // 20).tolist() == [5] * 5


def test_the_seed_decides():
    problem = uneven(40, 20)
    first, again, other = (hold_out_split(problem, 0.3, seed, False) for seed in (1, 1, 2))
    assert first.test.tolist() == again.test.tolist() != other.test.tolist()


def test_leave_one_out_leaves_out_each_point():
    problem = uneven(9, 4)
    splits = leave_one_out_splits(problem)
    assert [split.test.tolist() for split in splits] == [[i] for i in range(9)]
    assert all(covers(problem, split.train, split.test) for split in splits)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda p: hold_out_split(p, 0.001, 0, False), "rounds to none"),
        (lambda p: hold_out_split(p, 20, 0, False), "take all points"),
        (lambda p: hold_out_split(p, 500, 0, False), "take all points"),
        (lambda p: hold_out_split(p, -1, 0, False), "above 0"),
        (lambda p: hold_out_split(p, 2.5, 0, False), "whole number of points"),
        (lambda p: three_part_split(p, 0.5, 0.5, 0, False), "take all points"),
        (lambda p: fold_splits(p, 1, 0, False), "at least two folds"),
        (lambda p: fold_splits(p, 21, 0, False), "only 20 points"),
        (lambda p: fold_splits(p, 5, 0, False), "only 4 points of class \\+1"),
        (lambda p: hold_out_split(uneven(30, 1), 0.6, 0, True), "one class only"),
        (lambda p: leave_one_out_splits(uneven(9, 1)), "Class \\+1 has one point"),
    ],
)
def test_refusals_are_one_sentence(call, sentence):
    with pytest.raises(BadInput, match=sentence) as refused:
        call(uneven(20, 4))
    assert str(refused.value).endswith(".")


def test_a_size_of_one_is_a_number():
    assert part_size(1.0, 10, "test") == 1


def test_a_fold_that_would_train_on_one_class_is_refused():
    X, _ = cloud(40, 0)
    problem = Problem(X, np.where(np.arange(40) < 2, 1.0, -1.0))
    orders = [np.random.default_rng(seed).permutation(40) for seed in range(20)]
    seed = next(seed for seed, order in enumerate(orders) if not _divides(order))
    with pytest.raises(BadInput, match=r"of split \d has points of one class only"):
        fold_splits(problem, 2, seed, False)
    assert fold_splits(problem, 2, seed, True)


def _divides(order):
    """Whether the two points of class +1 are dealt to different halves."""
    places = np.flatnonzero(order < 2)
    return places[0] % 2 != places[1] % 2

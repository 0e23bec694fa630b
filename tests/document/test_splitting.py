"""The parts of a split: as the library draws them, and edited by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from solvers import BadInput
from solvers.data.datasets import DATASETS
from solvers.selection.splits import hold_out_split, three_part_split
from svmviz.document.document import Document
from svmviz.document.held_out import TEST, TRAINING, VALIDATION, Shares
from svmviz.document.limits import MAX_SHOWN_POINTS
from svmviz.document.source import Source
from svmviz.document.splitting import (
    MIN_FRESH,
    joined,
    moved_to,
    split,
    split_alike,
    with_fresh_test,
)

SOURCE = Source("moons", 0.2, 3)
WHOLE = Document(DATASETS["moons"].generate(50, 0.2, 3))


def test_the_parts_are_those_of_the_library_and_nothing_is_lost():
    drawn = split(WHOLE, Shares(0.2, 0.3, seed=4))
    expected = three_part_split(WHOLE.problem(), 0.2, 0.3, 4, True)
    assert drawn.held_out is not None
    assert drawn.held_out.rows == (tuple(expected.validation), tuple(expected.test))
    assert (drawn.data.points == WHOLE.data.points[expected.train]).all()
    assert drawn.all_points == WHOLE.data
    assert joined(drawn) == WHOLE
    for shares, part in ((Shares(0.0, 0.3), TEST), (Shares(0.3, 0.0), VALIDATION)):
        rows = hold_out_split(WHOLE.problem(), 0.3, 0, True).test
        assert np.flatnonzero(split(drawn, shares).parts == part).tolist() == rows.tolist()
    assert split(drawn, Shares(0.0, 0.0)) == WHOLE


def test_other_seeds_and_shares_draw_from_all_points():
    drawn = split(replace(WHOLE, source=SOURCE), Shares(0.0, 0.2, seed=1))
    again = split(drawn, Shares(0.0, 0.2, seed=2))
    assert again.all_points == WHOLE.data
    assert (again.parts != drawn.parts).any()
    assert again.source == SOURCE
    # A larger part of the same draw keeps the points that it has.
    larger = split(drawn, Shares(0.0, 0.4, seed=1))
    assert (larger.parts[drawn.parts == TEST] == TEST).all()


def test_points_move_between_the_parts():
    drawn = split(WHOLE, Shares(0.2, 0.2))
    moved = moved_to(drawn, TEST, [0, 1], [0])
    parts = drawn.parts
    changed = [*np.flatnonzero(parts == TRAINING)[:2], np.flatnonzero(parts == VALIDATION)[0]]
    parts[changed] = TEST
    assert (moved.parts == parts).all()
    assert moved.all_points == WHOLE.data
    back = moved_to(moved, TRAINING, [], range(moved.held_out.n if moved.held_out else 0))
    assert back == WHOLE
    # Without a split, the points that move begin one.
    begun = moved_to(WHOLE, VALIDATION, [3])
    assert begun.held_out is not None
    assert begun.held_out.rows == ((3,), ())


def test_training_points_come_and_go_beside_held_out_ones():
    drawn = split(WHOLE, Shares(0.2, 0.2))
    fewer = drawn.removed(range(drawn.n - 2))
    assert fewer.held_out is not None
    assert fewer.held_out.n == 20
    assert len(fewer.all_points) == 22
    assert fewer.all_points.points[fewer.parts == TEST].tolist() == (
        drawn.held_out.test.points.tolist() if drawn.held_out else None
    )
    more = drawn.added(np.array([[9.0, 9.0]]), [1])
    assert more.all_points.points[-1].tolist() == [9.0, 9.0]


def test_fresh_test_points_leave_the_training_part_alone():
    drawn = split(replace(WHOLE, source=SOURCE), Shares(0.2, 0.2))
    assert drawn.held_out is not None
    opened = replace(drawn.held_out, seen=True, used=True, at_opening=0.1)
    seen = replace(drawn, held_out=opened)
    fresh = with_fresh_test(seen, 0.05)
    held_out = fresh.held_out
    assert held_out is not None
    assert fresh.data == drawn.data
    assert held_out.validation == drawn.held_out.validation
    assert held_out.test == DATASETS["moons"].generate(MIN_FRESH, 0.2, 4)
    assert not held_out.seen
    assert not held_out.used
    assert (held_out.at_opening, held_out.tuned) == (None, 0.05)
    assert fresh.source == SOURCE.after()
    second = with_fresh_test(fresh, None).held_out
    assert second is not None
    assert second.test != held_out.test


def test_what_cannot_be_drawn_is_said():
    with pytest.raises(BadInput, match="rounds to none"):
        split(WHOLE, Shares(0.0, 0.001))
    with pytest.raises(BadInput, match="need a source"):
        with_fresh_test(split(WHOLE, Shares()), None)
    no_fresh = replace(split(WHOLE, Shares()), source=Source("mixture", 0.2, 0))
    with pytest.raises(BadInput, match="another seed draws from another distribution"):
        with_fresh_test(no_fresh, None)
    many = replace(WHOLE, data=SOURCE.draw(MAX_SHOWN_POINTS), source=SOURCE)
    with pytest.raises(BadInput, match="there would be 50,150 points; the window shows at most"):
        with_fresh_test(split(many, Shares(test=0.001)), None)
    with pytest.raises(BadInput, match="below 1"):
        Shares(test=1.0)


def test_new_points_are_split_as_the_last_ones_were():
    drawn = split(WHOLE, Shares(0.2, 0.2, seed=7))
    new = replace(drawn, data=DATASETS["circles"].generate(80, 0.1, 0))
    alike = split_alike(new, drawn)
    assert alike.held_out is not None
    assert (len(alike.held_out.test), alike.held_out.shares.seed) == (16, 7)
    assert len(alike.all_points) == 80
    # Too few points for a part: all of them train.
    few = replace(drawn, data=DATASETS["circles"].generate(2, 0.1, 0))
    assert split_alike(few, drawn).held_out is None

"""Edits of code matrices."""

from __future__ import annotations

import pytest

from solvers import BadInput
from solvers.problem.machines import ONE_AGAINST_REST, Machine, equal_classes, machines_of
from svmviz.panels.controls.machines.codes import (
    with_new_row,
    with_next_code,
    without_row,
    words_on_skip,
)
from tests.stages import clouds


def codes(many):
    return [machine.code for machine in many.machines]


def test_a_cell_goes_round_and_skips_what_is_no_machine():
    many = clouds(3).many.with_machines([Machine((1, -1, 1))])
    seen = []
    for _ in range(3):
        many = with_next_code(many, 0, 2)
        seen.append(many.machines[0].code[2])
    assert seen == [-1, 0, 1]
    # The only class with -1 cannot leave its side, whichever value comes next.
    with pytest.raises(BadInput, match="no class of the machine would have −1"):
        with_next_code(many, 0, 1)
    # A code that another row has is skipped, which is said.
    pairs = clouds(3).many.with_machines([Machine((1, -1, 0)), Machine((1, -1, 1))])
    assert codes(with_next_code(pairs, 0, 2)) == [(1, -1, -1), (1, -1, 1)]
    rows = clouds(3).many.with_machines([Machine((1, -1, -1)), Machine((1, -1, 0))])
    assert words_on_skip(rows, 0, 2) == "0 was skipped: with it, it would equal machine 2."
    assert words_on_skip(many, 0, 2) == ""


def test_a_code_that_splits_the_votes_of_another_row_is_skipped_or_refused():
    # (−1, +1, −1) is (+1, −1, +1) with its sides swapped.
    many = clouds(3).many
    rows = many.with_machines([Machine((0, 1, -1)), Machine((1, -1, 1))])
    assert codes(with_next_code(rows, 0, 0))[0] == (1, 1, -1)
    swapped = many.with_machines([Machine((1, 1, -1)), Machine((1, -1, 1))])
    assert codes(with_next_code(swapped, 0, 0))[0] == (0, 1, -1)
    assert words_on_skip(swapped, 0, 0) == (
        "−1 was skipped: with it, it would be machine 2 with +1 and −1 swapped, so vote like it."
    )
    both = many.with_machines([*swapped.machines, Machine((0, 1, -1))])
    with pytest.raises(BadInput, match=r"machine 2 with .* swapped.*equal machine 3"):
        with_next_code(both, 0, 0)


def test_a_new_row_separates_what_is_not_told_apart_and_is_looked_at():
    many = clouds(3).many.with_machines([Machine((1, -1, -1))])
    assert equal_classes(many.machines) == (1, 2)
    grown = with_new_row(many)
    assert equal_classes(grown.machines) is None
    assert grown.shown == 1
    assert codes(without_row(grown)) == [(1, -1, -1)]


def test_rows_can_be_added_until_every_code_is_there_and_all_but_one_removed():
    many = clouds(3).many
    for _ in range(3):
        many = with_new_row(many)
    with pytest.raises(BadInput, match="Every code"):
        with_new_row(many)
    # A code and its opposite are the same machine.
    every = set(codes(many))
    assert not {tuple(-c for c in code) for code in every} & every
    assert len(every) == 6
    while len(many.machines) > 1:
        many = without_row(many)
    with pytest.raises(BadInput, match="last machine"):
        without_row(many)
    rest = clouds(6).many.with_machines(machines_of(ONE_AGAINST_REST, 6))
    assert sorted(map(abs, with_new_row(rest).machine.code)) == [0, 0, 0, 0, 1, 1]

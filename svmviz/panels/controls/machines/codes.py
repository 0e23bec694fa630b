"""Edits of a code matrix: a cell that goes round, and rows that come and go."""

from __future__ import annotations

import itertools

from solvers import BadInput
from solvers.problem.machines import Machine, equal_classes
from svmviz.document.many_classes import MAX_MACHINES, ManyClasses

# The value that follows each value of a cell.
NEXT = {1: -1, -1: 0, 0: 1}


def with_next_code(many: ManyClasses, row: int, column: int) -> ManyClasses:
    """Return the machines with the next code in a cell: +1, −1 and 0 go round.

    A code that leaves a side without a class, or that another row has, is skipped.

    Raises
    ------
    BadInput
        If no other code is left for the cell.
    """
    code = list(many.machines[row].code)
    for _ in range(2):
        code[column] = NEXT[code[column]]
        if {-1, 1} <= set(code):
            machine = Machine(tuple(code))
            if machine not in many.machines:
                machines = (*many.machines[:row], machine, *many.machines[row + 1 :])
                return many.with_machines(machines).looked_at(row)
    raise BadInput(
        "This cell cannot change: each machine needs a class with +1 and one with −1, and no two "
        "machines are equal. Change another cell of the row first."
    )


def with_new_row(many: ManyClasses) -> ManyClasses:
    """Return the machines with one more, which is then looked at.

    It separates two classes that are not told apart, or is the first code that no row has: pairs,
    then a class against the rest, then all others.
    """
    if len(many.machines) >= MAX_MACHINES:
        raise BadInput(f"There are {MAX_MACHINES} machines; there cannot be more.")
    k = many.k
    equal = equal_classes(many.machines)
    codes = itertools.product((0, 1, -1), repeat=k)
    ordered = sorted(codes, key=lambda code: (code.count(-1) + code.count(1) != 2, -code.count(1)))
    for code in ordered:
        is_new = {-1, 1} <= set(code) and not any(
            machine.code in (code, tuple(-c for c in code)) for machine in many.machines
        )
        if is_new and (equal is None or code[equal[0]] * code[equal[1]] < 0):
            grown = many.with_machines((*many.machines, Machine(code)))
            return grown.looked_at(len(many.machines))
    raise BadInput("Every code is in the matrix already.")


def without_row(many: ManyClasses) -> ManyClasses:
    """Return the machines without the one looked at."""
    if len(many.machines) < 2:
        raise BadInput("The last machine cannot be removed.")
    rest = tuple(m for i, m in enumerate(many.machines) if i != many.shown)
    return many.with_machines(rest).looked_at(min(many.shown, len(rest) - 1))

"""Edits of a code matrix: a cell that goes round, and rows that come and go."""

from __future__ import annotations

import itertools

from solvers import BadInput
from solvers.problem.machines import Machine, equal_classes
from svmviz.document.many_classes import MAX_MACHINES, ManyClasses

# The value that follows each value of a cell.
NEXT = {1: -1, -1: 0, 0: 1}
SIGNS = {1: "+1", -1: "−1", 0: "0"}


def with_next_code(many: ManyClasses, row: int, column: int) -> ManyClasses:
    """Return the machines with the next code in a cell: +1, −1 and 0 go round.

    A code is skipped if it leaves a side without a class, or if another row has it or its opposite,
    which would split the same votes twice.

    Raises
    ------
    BadInput
        If no other code is left for the cell.
    """
    code = many.machines[row].code
    reasons: dict[str, str] = {}
    for _ in range(2):
        code = _with_next(code, column)
        reason = _why_not(many, row, code)
        if not reason:
            machines = (*many.machines[:row], Machine(code), *many.machines[row + 1 :])
            return many.with_machines(machines).looked_at(row)
        with_it = f"with {SIGNS[code[column]]}"
        reasons[reason] = f"{reasons[reason]} and {with_it}" if reason in reasons else with_it
    why = "; ".join(f"{with_it}, {reason}" for reason, with_it in reasons.items())
    raise BadInput(f"This cell cannot change: {why}. Change another cell of the row first.")


def words_on_skip(many: ManyClasses, row: int, column: int) -> str:
    """Return why the next value of a cell is skipped; "" if it is not."""
    code = _with_next(many.machines[row].code, column)
    reason = _why_not(many, row, code)
    return f"{SIGNS[code[column]]} was skipped: with it, {reason}." if reason else ""


def _with_next(code: tuple[int, ...], column: int) -> tuple[int, ...]:
    return (*code[:column], NEXT[code[column]], *code[column + 1 :])


def _why_not(many: ManyClasses, row: int, code: tuple[int, ...]) -> str:
    """Return why a row of the matrix cannot have a code; "" if it can."""
    for side in (1, -1):
        if side not in code:
            return f"no class of the machine would have {SIGNS[side]}"
    for other, machine in enumerate(many.machines):
        if other != row and machine.code == code:
            return f"it would equal machine {other + 1}"
        if other != row and machine.code == _opposite(code):
            return f"it would be machine {other + 1} with +1 and −1 swapped, so vote like it"
    return ""


def _opposite(code: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(-c for c in code)


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
            machine.code in (code, _opposite(code)) for machine in many.machines
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

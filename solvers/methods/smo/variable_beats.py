"""Functions that make a beat about some variables from their points, names and values.

A *beat* is one of the parts in which a step is explained (:mod:`solvers.run.beats`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solvers.methods.smo.pair_choice import name_in_sentence
from solvers.problem.problem import Problem
from solvers.run.beats import Beat, ComparedPoints, PairPart, subscript
from solvers.run.formulas import Formula


def beat_of(
    problem: Problem,
    name: str,
    sentence: str,
    variables: Sequence[int],
    notes: Sequence[tuple[int, str]] = (),
    others: Sequence[int] | np.ndarray = (),
    lines: tuple[tuple[str, str], ...] = (),
    formulas: tuple[Formula, ...] = (),
    pair: PairPart = PairPart.NOTHING,
    compared: tuple[ComparedPoints, ...] = (),
) -> Beat:
    """Return a beat about some variables.

    The points of ``variables`` are marked strongly, those of ``others`` lightly; ``others`` are
    variables too. ``notes`` contains pairs of a variable and a text. Each text is written beside
    the variable's point, and is also a row of the beat's table. The other parameters are fields of
    :class:`.Beat`.
    """
    points = points_of(problem, variables)
    points_of_others = points_of(problem, others)
    return Beat(
        name=name,
        sentence=sentence,
        points=points,
        others=tuple(point for point in points_of_others if point not in points),
        notes=tuple((problem.point_of(k), note) for k, note in notes),
        lines=lines,
        values=tuple((point_name(problem, k), note) for k, note in notes),
        formulas=formulas,
        pair=pair,
        compared=compared,
    )


def points_of(problem: Problem, variables: Sequence[int] | np.ndarray) -> tuple[int, ...]:
    """Return the points of some variables, each once."""
    return tuple(dict.fromkeys(problem.point_of(int(k)) for k in variables))


def point_name(problem: Problem, variable: int) -> str:
    """Return the name of a variable within a sentence, such as ``point 3``."""
    return name_in_sentence(problem, variable, "point")


def alpha_of(problem: Problem, variable: int) -> str:
    """Return a variable as α with the number of its point as subscript; α* has a star."""
    star = "*" if problem.task == "regression" and problem.sign[variable] > 0 else ""
    return f"α{subscript(problem.point_of(variable) + 1)}{star}"


def compared_group(
    problem: Problem,
    name: str,
    variables: np.ndarray,
    errors: np.ndarray,
    selected: int | None = None,
) -> ComparedPoints:
    """Return a group of variables with their errors, for a chart; the group is called ``name``.

    ``selected`` is the variable of the group that the method selects.
    """
    positions = np.flatnonzero(variables == selected).tolist() if selected is not None else []
    points = tuple(problem.point_of(k) for k in variables.tolist())
    return ComparedPoints(name, points, tuple(errors.tolist()), positions[0] if positions else None)

"""Names of the variables of SMO in sentences; a regression has two variables per point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from solvers.problem.problem import Problem
from solvers.run.beats import ComparedPoints, subscript
from solvers.run.formulas import alpha

# Notes of a beat: points, the names of their rows in the table of values, and texts.
Notes = list[tuple[int, str, str]]


def variable_noun(problem: Problem) -> str:
    """Return the word by which variables are counted: a regression has two for each point."""
    return "point" if problem.task == "classification" else "variable"


def short_name(problem: Problem, variable: int) -> str:
    """Return the number of a variable's point, such as ``3``; in a regression its full name."""
    point = f"{problem.point_of(variable) + 1}"
    return point if problem.task == "classification" else problem.name_of(variable)


def point_name(problem: Problem, variable: int) -> str:
    """Return the name of a variable in sentences, such as ``point 3``; or its full name."""
    is_point = problem.task == "classification"
    return f"point {variable + 1}" if is_point else problem.name_of(variable)


def alpha_symbol(problem: Problem, variable: int) -> str:
    """Return α, or α* for a variable of a regression that raises f."""
    return "α*" if problem.task == "regression" and problem.sign[variable] > 0 else "α"


def alpha_name(problem: Problem, variable: int) -> str:
    """Return a variable as α with the number of its point as subscript; α* has a star."""
    star = alpha_symbol(problem, variable)[1:]
    return f"α{subscript(problem.point_of(variable) + 1)}{star}"


def labelled(problem: Problem, variable: int, text: str) -> str:
    """Return a text beside the point of a variable; in a regression it says which variable.

    A point of a regression has two variables, so ``E = 1`` beside a point would not say whose E.
    """
    return (
        text if problem.task == "classification" else f"{alpha_symbol(problem, variable)}: {text}"
    )


def named_like_alpha(problem: Problem, variable: int, letter: str) -> str:
    r"""Return a letter in LaTeX with the marks of a variable's alpha, such as ``E_{3}^{*}``."""
    return alpha(problem, variable).replace(r"\alpha", letter)


def points_of(problem: Problem, variables: Sequence[int] | np.ndarray) -> list[int]:
    """Return the points of some variables, each once."""
    return list(dict.fromkeys(points_of_each(problem, np.asarray(variables, dtype=np.int64))))


def points_of_each(problem: Problem, variables: np.ndarray) -> list[int]:
    """Return the point of each variable; a point may occur twice."""
    # As `Problem.point_of` for each, but fast for thousands of them.
    return (variables % problem.n).tolist()


def notes_of(problem: Problem, texts: Sequence[tuple[int, str]]) -> Notes:
    """Return notes on variables: pairs of a variable and a text."""
    return [(problem.point_of(k), point_name(problem, k), text) for k, text in texts]


def compared_group(
    problem: Problem,
    name: str,
    variables: np.ndarray,
    errors: np.ndarray,
    selected: int | None = None,
    rises: Any = (),
) -> ComparedPoints:
    """Return a group of variables with their errors, for a chart; the group is called ``name``.

    ``selected`` is the variable of the group that the method selects. ``rises`` are the predicted
    rises of the dual, if the method predicts them.
    """
    positions = np.flatnonzero(variables == selected).tolist() if selected is not None else []
    points = tuple(points_of_each(problem, variables))
    selected = positions[0] if positions else None
    return ComparedPoints(name, points, tuple(errors.tolist()), selected, tuple(rises))

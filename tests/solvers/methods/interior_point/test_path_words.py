"""What is said of an iteration can be checked with the digits that are shown."""

import re

import numpy as np
import pytest

from solvers import RBF, Cursor, InteriorPoint, Linear, Problem, Regression, solve
from tests.solvers.latex import equation, evaluate
from tests.solvers.problems import cloud, separated, wave

GRID = np.round(np.linspace(-2.0, 2.0, 9), 1)[:, None]
TARGETS = np.round(np.sin(1.5 * GRID[:, 0]) + 0.3 * np.cos(7.0 * GRID[:, 0]), 2)
PROBLEMS = {
    "classes": Problem(*cloud(40, 2), RBF(1.0), C=2.0),
    "line": Problem(*cloud(30, 3, noise=1.0), Linear(), C=5.0),
    "hard": Problem(*separated(20, 3), Linear(), C=np.inf),
    "regression": Regression(*wave(25, 1), RBF(0.8), C=2.0, epsilon=0.1),
    "corner": Regression(GRID, TARGETS, Linear(), C=0.5, epsilon=0.2),
}
every_problem = pytest.mark.parametrize("name", PROBLEMS)


def events_of(run):
    cursor = Cursor(run)
    return [cursor.seek(step).event for step in range(1, run.steps + 1)]


@every_problem
def test_sums_and_ratios_come_out_to_the_digits_of_their_results(name):
    checked = 0
    for event in events_of(solve(PROBLEMS[name], InteriorPoint())):
        for formula in event.formulas:
            for part in re.split(r",? ?\\quad ?", formula.numbers):
                sides = equation(part)
                if sides is None or part.startswith(r"\omega"):
                    continue
                left, right = (float(evaluate(side)[0]) for side in sides)
                if not np.isfinite(right):
                    continue
                checked += 1
                digits = 2 if right and abs(right) < 1e-3 else 3
                unit = 10.0 ** (np.floor(np.log10(abs(right))) - digits) if right else 1e-4
                assert abs(left - right) <= 1.5 * unit, formula.numbers
    assert checked > 10


@every_problem
def test_letters_have_a_star_in_a_regression_only(name):
    for event in events_of(solve(PROBLEMS[name], InteriorPoint())):
        for formula in event.formulas:
            if r"\alpha_i" in formula.letters:
                starred = r"\alpha_i^{(*)}" in formula.letters
                assert starred == (PROBLEMS[name].task == "regression")


@every_problem
def test_the_variables_at_their_bounds_are_counted_up_to_rounding(name):
    problem = PROBLEMS[name]
    run = solve(problem, InteriorPoint())
    end = events_of(run)[-1]
    alpha = np.abs(problem.variables_of(run.expansion.beta))
    largest = alpha.max()
    at_zero = int((alpha <= 1e-13 * largest).sum())
    at_C = 0 if problem.hard else int((alpha >= problem.C - 1e-13 * largest).sum())
    between = problem.n_variables - at_zero - at_C
    assert end.sentence.endswith(f"{at_zero} α at 0, {at_C} at C, {between} between.")
    assert not ((alpha > 0.0) & (alpha <= 1e-13 * largest)).any()


def test_a_free_variable_that_is_solved_to_a_bound_is_set_to_it():
    """Without this, alpha* = 3e-17 of the last point counts as a support vector."""
    run = solve(PROBLEMS["corner"], InteriorPoint())
    assert run.reason.value == "converged"
    assert run.certificate.kkt <= 1e-6
    beta = np.abs(run.expansion.beta)
    assert set(np.unique(beta[beta > 0.4])) == {0.5}
    assert not ((beta > 0.0) & (beta < 1e-10)).any()

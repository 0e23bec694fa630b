"""What is said of a set and of a Newton step is true of the numbers of the run."""

import re

import numpy as np
import pytest

from solvers import RBF, Cursor, Problem, Regression, WorkingSet, solve
from tests.solvers.latex import evaluate, holds, plain
from tests.solvers.problems import cloud, wave

TASKS = {
    "classes": Problem(*cloud(80, 2, noise=0.8), RBF(0.8), C=5.0),
    "regression": Regression(*wave(60, 1), RBF(0.8), C=5.0, epsilon=0.1),
}
every_task = pytest.mark.parametrize("task", TASKS)


def steps_of(run, most=150):
    states, cursor = Cursor(run), Cursor(run)
    for step in range(1, min(run.steps, most) + 1):
        yield states.state(step - 1), states.state(step), cursor.seek(step).event


def variables_of(problem, latex):
    """Return the variables of a set in a formula, which is not shortened by dots."""
    inside = re.search(r"\\\{(.*?)\\\}", latex)[1]
    if problem.task == "classification":
        return {int(number) - 1 for number in inside.split(", ")}
    found = re.findall(r"\\alpha_\{(\d+)\}(\^\{\*\})?", inside)
    return {int(number) - 1 + (0 if star else problem.n) for number, star in found}


@every_task
@pytest.mark.parametrize("choice", ["fast", "worst", "osuna"])
def test_the_members_of_a_set_are_those_that_its_formula_names(task, choice):
    problem, told = TASKS[task], set()
    run = solve(problem, WorkingSet(choice=choice, size=6))
    for before, after, event in steps_of(run):
        if event.kind != "set":
            continue
        chosen = after.points[: after.round["size"][0]]
        formula = event.formulas[-1]
        if r"\dots" not in formula.numbers:
            assert variables_of(problem, formula.numbers) == set(chosen.tolist())
        told.add(formula.letters)
        last = before.points[: before.round["size"][0]]
        is_first = after.round["number"][0] == 1
        assert ("last } B" in formula.letters) == (not is_first and choice != "worst")
        assert ("evenly spaced" in formula.letters) == (is_first and choice == "osuna")
        if choice == "osuna" and not is_first:
            kept = last[before.beta[last] != 0.0]
            assert set(kept.tolist()) <= set(chosen.tolist())
    assert len(told) == (1 if choice == "worst" else 2)


@every_task
def test_a_set_of_all_is_not_said_to_be_chosen(task):
    problem = TASKS[task]
    for choice in ("fast", "worst", "osuna"):
        run = solve(problem, WorkingSet(choice=choice, size=200))
        (formula,) = (f for f in run.at(1).event.formulas if f.letters.startswith("B"))
        assert "all, since all fit" in formula.letters
        assert formula.numbers.endswith(f"|B| = {problem.n_variables}")
        test = next(e for _, _, e in steps_of(run, run.steps) if e.kind == "test")
        assert "outside B" in test.beats[0].sentence
        assert "is updated" not in test.beats[0].sentence


@every_task
def test_a_newton_step_shows_alpha_with_letters_of_alpha(task):
    problem, parts = TASKS[task], set()
    run = solve(problem, WorkingSet(tol=1e-6))
    lines = {line.label: line.text for line in run.method.pseudo_code(problem).lines}
    assert "β" not in lines["scaled"]
    for before, after, event in steps_of(run, run.steps):
        if event.kind != "newton":
            continue
        assert "s =" not in " ".join(f.numbers + f.letters for f in event.formulas)
        formula = event.formulas[-1]
        assert r"\beta" not in formula.letters + formula.numbers
        assert (r"y_k \Delta_k" in formula.letters) == (problem.task == "classification")
        assert holds(formula.numbers)
        # alpha of the variables that are named, from beta before and after the step.
        for part in formula.numbers.split(r", \quad "):
            if not part.startswith(r"\alpha"):
                continue
            star = "*" in part.split(r"\leftarrow")[0]
            point = int(re.search(r"\d+", part)[0]) - 1
            k = point if star or problem.task == "classification" else point + problem.n
            old, new = (abs(float(state.beta[k])) for state in (before, after))
            shown = re.split(r"\\leftarrow | = ", part)
            terms = re.split(r" (?=[+-] )", shown[1])
            assert evaluate(plain(terms[0]))[0] == pytest.approx(old, rel=1e-3, abs=1e-8)
            assert evaluate(plain(shown[-1]))[0] == pytest.approx(new, rel=6e-3, abs=1e-8)
        fraction = event.values["fraction"]
        parts.add(fraction == 1.0)
        at_bound = np.isin(np.abs(after.beta), (0.0, problem.C)) & (after.beta != before.beta)
        assert at_bound.any() == (event.values["limiting"] is not None)
    assert parts


def test_a_regression_counts_variables_in_a_round():
    problem = TASKS["regression"]
    run = solve(problem, WorkingSet(size=8))
    for before, _, event in steps_of(run):
        text = " ".join([event.sentence, *(beat.sentence for beat in event.beats)])
        assert "all points" not in text
        if event.kind == "test":
            size = before.round["size"][0]
            changed = np.count_nonzero(before.local_beta[:size] != before.old_beta[:size])
            assert f"{changed} α" in event.sentence

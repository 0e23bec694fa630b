"""The numbers in the formulas of a step: each equation holds, and gives the result of the step."""

from __future__ import annotations

import dataclasses
import json
import re

import numpy as np
import pytest

from solvers import (
    METHODS,
    RBF,
    SMO,
    CoordinateAscent,
    Cursor,
    Hulls,
    InteriorPoint,
    Linear,
    Pegasos,
    Perceptron,
    Problem,
    Regression,
    Subgradient,
    WorkingSet,
    certify,
    solve,
)
from tests.solvers.latex import equation, evaluate, holds, plain
from tests.solvers.problems import cloud, is_one_sentence, separated, wave

METHODS_SEEN = {
    **{
        f"smo {pair}": SMO(pair=pair)
        for pair in ("second-order", "maximal-violation", "platt", "random")
    },
    **{f"set {choice}": WorkingSet(choice=choice, size=8) for choice in ("fast", "worst", "osuna")},
    "interior": InteriorPoint(),
    "ascent": CoordinateAscent(max_steps=400),
    "ascent cyclic": CoordinateAscent(order="cyclic", max_steps=400),
    "pegasos": Pegasos(max_steps=300),
    "pegasos batch": Pegasos(max_steps=200, batch_size=5, project=True),
    "pegasos theta": Pegasos(max_steps=200, form="theta"),
    "pegasos theta ball": Pegasos(max_steps=200, form="theta", batch_size=3, project=True),
    "pegasos mean": Pegasos(max_steps=200, average=True, batch_size=2),
    "subgradient": Subgradient(max_steps=200),
    "subgradient constant": Subgradient(max_steps=200, rate="constant", eta0=0.5, best=True),
    "subgradient root": Subgradient(max_steps=200, rate="root"),
    "perceptron": Perceptron(),
    "perceptron random": Perceptron(order="random"),
    "hulls pairwise": Hulls(algorithm="pairwise"),
    "hulls mdm": Hulls(algorithm="mdm"),
    "hulls mdm reduced": Hulls(algorithm="mdm", mu=0.3),
    "hulls wolfe": Hulls(algorithm="wolfe"),
}
# A method without an entry above is tested with its defaults.
METHODS_SEEN |= {
    name: kind(max_steps=400)
    for name, kind in METHODS.items()
    if not any(isinstance(method, kind) for method in METHODS_SEEN.values())
}
FITTED = {"smo second-order", "smo maximal-violation", "set fast", "set worst", "set osuna",
          "interior"}  # fmt: skip


def cases():
    for name, method in METHODS_SEEN.items():
        for kernel in (Linear(), RBF(0.8)):
            X, y = separated(24, 3) if name.split()[0] in ("hulls", "perceptron") else cloud(30, 2)
            for bias in method.biases:
                problem = Problem(X, y, kernel, C=2.0, bias=bias)
                yield pytest.param(method, problem, id=f"{name}, {kernel.name}, {bias}")
        if name in FITTED:
            problem = Regression(*wave(25, 1), RBF(0.8), C=2.0, epsilon=0.1)
            yield pytest.param(method, problem, id=f"{name}, regression")


def steps_of(run):
    """Return the first steps, some random ones, and the last."""
    drawn = np.random.default_rng(3).integers(1, run.steps + 1, 25).tolist()
    return sorted({*range(1, min(run.steps, 12) + 1), *drawn, run.steps})


@pytest.mark.parametrize(("method", "problem"), list(cases()))
def test_the_numbers_of_every_formula_are_equal(method, problem):
    run = solve(problem, method)
    cursor, told, lines = Cursor(run), 0, 0
    for step in steps_of(run):
        event = cursor.seek(step).event
        for formula in event.formulas:
            lines += 1
            found = holds(formula.numbers)
            assert found is not False, f"both sides differ: {formula.numbers}"
            told += found is True
    # The other lines list the points of a set, or say that nothing moves, as is frequent with the
    # perceptron.
    assert told > (0.0 if method.name == "perceptron" else 0.05 * lines)


@pytest.mark.parametrize("task", ["classes", "regression"])
@pytest.mark.parametrize("pair", ["second-order", "maximal-violation", "platt", "random"])
def test_smo_explains_the_choice_of_the_pair_and_the_end_of_the_step(pair, task):
    method = SMO(pair=pair)
    problem = Problem(*cloud(30, 2), RBF(0.8), C=1.0)
    if task == "regression":
        problem = Regression(*wave(25, 1), RBF(0.8), C=1.0, epsilon=0.1)
        if task not in method.tasks:
            return
    run = solve(problem, method)
    X, n = problem.to_variables(problem.X), problem.n
    K = problem.kernel(X, X)
    cursor, ends = Cursor(run), set()
    for step in range(1, run.steps + 1):
        beta = cursor.state(step - 1).beta
        event = cursor.seek(step).event
        values = event.values
        assert is_one_sentence(event.why)
        F = problem.target - K @ beta
        up, low = beta < problem.dual_form.upper, beta > problem.dual_form.lower
        names = [
            problem.name_of(k) if task == "regression" else f"oint {k % n + 1}"
            for k in (values["i"], values["j"])
        ]
        assert all(name in event.why or pair in ("platt", "random") for name in names)
        if pair in ("second-order", "maximal-violation"):
            assert F[values["i"]] == pytest.approx(F[up].max(), abs=1e-9)
        if pair == "maximal-violation":
            assert F[values["j"]] == pytest.approx(F[low].min(), abs=1e-9)
        if pair == "second-order":
            eta = np.maximum(
                K[values["i"], values["i"]] + np.diag(K) - 2 * K[values["i"]],
                1e-12,
            )
            gain = np.where(low, np.maximum(F[values["i"]] - F, 0.0) ** 2 / eta, 0.0)
            assert gain[values["j"]] == pytest.approx(gain.max(), rel=1e-6)
        outside = abs(values["new_j"] - values["unclipped"]) > 1e-9
        assert ("outside the box" in event.why) == outside
        ends.add(outside)
    assert ends == {True, False}


def last_value(formula):
    """Return the value after the last equals sign of a formula."""
    return evaluate(equation(formula.numbers)[1])


@pytest.mark.parametrize("bias", ["free", "none", "augmented"])
@pytest.mark.parametrize(
    "method",
    [
        Pegasos(max_steps=200),
        Pegasos(max_steps=200, batch_size=4),
        Subgradient(max_steps=100),
        Perceptron(),
        CoordinateAscent(max_steps=150),
    ],
    ids=repr,
)
def test_w_in_formulas_is_the_w_shown(method, bias):
    if bias not in method.biases:
        return
    X, y = separated(24, 3) if isinstance(method, Perceptron) else cloud(30, 2)
    run = solve(Problem(X, y, Linear(), C=2.0, bias=bias), method)
    told = 0
    for step in steps_of(run):
        after = run.at(step)
        line = [f for f in after.event.formulas if f.letters.startswith("w")]
        if line and equation(line[0].numbers):
            told += 1
            assert last_value(line[0]) == pytest.approx(after.expansion.w, rel=6e-3, abs=1e-9)
        shift = [f for f in after.event.formulas if f.letters.startswith("b")]
        if shift:
            assert last_value(shift[0])[0] == pytest.approx(after.expansion.bias, rel=6e-3)
    assert told


@pytest.mark.parametrize(
    "method", [Pegasos(max_steps=200), Subgradient(max_steps=100), Perceptron()], ids=repr
)
def test_beta_in_formulas_is_the_beta_shown(method):
    X, y = separated(24, 3) if isinstance(method, Perceptron) else cloud(30, 2)
    run = solve(Problem(X, y, RBF(0.8), C=2.0), method)
    told = 0
    for step in steps_of(run):
        after = run.at(step)
        for formula in after.event.formulas:
            if r"\beta_i" in formula.letters:
                parts = formula.numbers.removesuffix(r", \quad \dots").split(r", \quad ")
                for one, part in zip(after.event.values["coefficients"], parts):
                    told += 1
                    i = one["i"]
                    assert part.startswith(rf"\beta_{{{i + 1}}} ")
                    value = evaluate(plain(re.split(r" = |arrow ", part)[-1]))[0]
                    shown = after.expansion.beta[i]
                    assert value == pytest.approx(shown, rel=6e-3, abs=1e-9)
    assert told


def test_a_projection_ends_in_the_ball():
    problem = Problem(*cloud(30, 2), Linear(), C=2.0)
    run = solve(problem, Pegasos(max_steps=200, project=True))
    seen = 0
    for step in range(1, 60):
        after = run.at(step)
        if after.event.values["projection"] < 1.0:
            seen += 1
            shrunk = next(f for f in after.event.formulas if r"\|w_{t+1}\|" in f.letters)
            assert last_value(shrunk) == pytest.approx(after.expansion.w, rel=6e-3)
            length = np.hypot(*after.expansion.w)
            assert length == pytest.approx(1.0 / np.sqrt(problem.lam), rel=1e-9)
    assert seen


@pytest.mark.parametrize("choice", ["fast", "worst", "osuna"])
def test_the_end_of_a_round_gives_the_violation_of_all_points(choice):
    run = solve(Problem(*cloud(40, 2), RBF(1.0), C=2.0), WorkingSet(choice=choice, size=8))
    problem = run.problem
    told = 0
    for step in range(1, run.steps + 1):
        event = run.at(step).event
        if event.kind not in ("set", "test"):
            continue
        told += 1
        beta = run.at(step).expansion.beta
        F = problem.y - problem.kernel(problem.X, problem.X) @ beta
        alpha = problem.y * beta
        up = np.where(problem.y > 0, alpha < problem.C, alpha > 0)
        low = np.where(problem.y > 0, alpha > 0, alpha < problem.C)
        assert event.values["m"] == pytest.approx(F[up].max(), abs=1e-9)
        assert pytest.approx(F[low].min(), abs=1e-9) == event.values["M"]
    assert told > 2


def test_the_interior_point_gives_the_remaining_gap():
    run = solve(Problem(*cloud(40, 2), RBF(1.0), C=2.0), InteriorPoint())
    for step in range(1, run.steps + 1):
        after = run.at(step)
        gap = certify(run.problem, after.expansion).gap
        left = after.event.formulas[-1]
        assert left.numbers.startswith("P - D")
        value = float(left.numbers.rsplit("=", 1)[1].replace(r" \cdot 10^{", "e").rstrip("}")
                      .replace("{-}", "-"))  # fmt: skip
        assert value == pytest.approx(gap, rel=6e-3, abs=1e-9 * run.certificate.primal)


def test_the_weights_of_wolfe_are_those_of_the_step():
    run = solve(Problem(*separated(24, 3), Linear(), C=2.0), Hulls(algorithm="wolfe"))
    cursor = Cursor(run)
    for step in range(1, run.steps + 1):
        before, after = (run.method.weights(run.problem, cursor.state(k)) for k in (step - 1, step))
        for row in run.at(step).event.values["moved"]:
            i = row["i"]
            assert (row["old"], row["new"]) == pytest.approx((before[i], after[i]), abs=1e-12)


@pytest.mark.parametrize("method", METHODS_SEEN.values(), ids=METHODS_SEEN)
def test_the_values_of_a_step_are_numbers_and_texts(method):
    """They can be written as JSON, for programs that show steps elsewhere."""
    X, y = separated(24, 3)
    bias = "free" if "free" in method.biases else method.biases[0]
    for kernel in (Linear(), RBF(0.8)):
        run = solve(Problem(X, y, kernel, C=2.0, bias=bias), method)
        for step in steps_of(run):
            values = run.at(step).event.values
            assert values
            json.dumps(values, default=dataclasses.asdict)


def units_off(formula_text):
    """Return the units of the last digit by which the sides differ; None if there are letters."""
    sides = equation(formula_text)
    if sides is None:
        return None
    left, right = (evaluate(side).astype(float) for side in sides)
    worst = 0.0
    for one, other in zip(left, right, strict=True):
        if one != other:
            size = abs(other)
            digits = 3 if size < 1e-3 or size >= 1e5 else 4
            unit = 10.0 ** (np.floor(np.log10(size)) - digits + 1) if other else 1e-3
            worst = max(worst, abs(one - other) / unit)
    return worst


@pytest.mark.parametrize(("method", "problem"), list(cases()))
def test_a_result_comes_out_to_the_digits_shown(method, problem):
    """Also a sum whose terms cancel, and a vector."""
    run = solve(problem, method)
    cursor = Cursor(run)
    for step in steps_of(run):
        for formula in cursor.seek(step).event.formulas:
            for part in re.split(r",? ?\\quad ?", formula.numbers):
                off = units_off(part)
                assert off is None or off <= 2.0, (
                    "the terms shown give another result: with a function for it in the `sums` of"
                    f" step_template they get enough digits: {formula.numbers}"
                )
            assert not re.search(r"10\^\{-1[4-9]\}", formula.numbers), formula.numbers


@pytest.mark.parametrize("pair", ["second-order", "maximal-violation", "platt"])
@pytest.mark.parametrize("task", ["classes", "regression"])
def test_why_of_smo_adds_up_to_the_digits_shown(pair, task):
    problem = Problem(*cloud(40, 2, noise=0.8), RBF(0.8), C=30.0)
    if task == "regression":
        problem = Regression(*wave(25, 1), RBF(0.8), C=30.0, epsilon=0.1)
    run = solve(problem, SMO(pair=pair, tol=1e-6))
    cursor, seen, cancelled = Cursor(run), set(), 0
    for step in steps_of(run):
        before, event = cursor.seek(step - 1), cursor.seek(step).event
        values = event.values
        for formula in event.formulas:
            for part in re.split(r",? ?\\quad ?", formula.numbers):
                off = units_off(part)
                if off is not None:
                    seen.add(formula.letters.split(" ")[0])
                    assert off <= 1.5, formula.numbers
                    cancelled += bool(re.search(r"\d\.\d{5,}", part))
                assert not re.search(r"10\^\{-1[3-9]\}", part), formula.numbers
        f = before.expansion(problem.X)
        for place, variable in enumerate((values["i"], values["j"])):
            found = f[problem.point_of(variable)] - problem.target[variable]
            assert (values["E_i"], values["E_j"])[place] == pytest.approx(found, abs=1e-8)
    names = {name.replace("^{(*)}", "").replace(r"(*)\,", "") for name in seen}
    assert {"E_k", r"\eta", r"\alpha_j^{\mathrm{top}}", "L"} <= names
    assert cancelled

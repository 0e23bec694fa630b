"""Beats of every method are true, and they highlight only lines that were carried out."""

import functools
import itertools
import re

import numpy as np
import pytest

from solvers import (
    KERNELS,
    METHODS,
    RBF,
    SMO,
    Cursor,
    Linear,
    Method,
    Problem,
    WorkingSet,
    certify,
    solve,
)
from solvers.problem.expansion import Expansion
from solvers.run.beats import PairPart, lines_of
from tests.solvers.methods.test_contract import DATA, can_solve, run_of, variants_of
from tests.solvers.problems import is_one_sentence, kernels_of

STEPS = 40
# The methods whose steps are explained in parts.
EXPLAINED = {
    name: kind for name, kind in METHODS.items() if kind.pseudo_code is not Method.pseudo_code
}
# The defaults on all combinations, a variant on a third of them: with each kernel, and on each
# kind of data.
CASES = [
    pytest.param(method, kernel, bias, data, id=f"{kind.name}{number}-{kernel.name}-{bias}-{data}")
    for kind in EXPLAINED.values()
    for number, method in enumerate(variants_of(kind))
    for place, kernel in enumerate(
        kernels_of(KERNELS[name])[-1] for name in ("linear", "rbf", "sigmoid")
    )
    for turn, (bias, data) in enumerate(itertools.product(kind.biases, DATA))
    if can_solve(method, bias, data) and (number == 0 or (number + place + turn) % 3 == 0)
]
every_case = pytest.mark.parametrize(("method", "kernel", "bias", "data"), CASES)


def steps_of(run):
    """Yield the state before, the state after, and the snapshot after, of the first steps."""
    cursor, states = Cursor(run), Cursor(run)
    for step in range(1, min(run.steps, STEPS) + 1):
        before, after = states.state(step - 1), states.state(step)
        yield before, after, cursor.seek(step)


@every_case
def test_beats_are_true(method, kernel, bias, data):
    """The steps of a run are walked through once, and everything is checked at each of them."""
    run = run_of(method, kernel, bias, data)
    problem, again = run.problem, Cursor(run)
    labels = {line.label for line in method.pseudo_code(problem).lines} - {""}
    expansion = again.seek(0).expansion
    for step, (before, after, snapshot) in enumerate(steps_of(run), 1):
        event = snapshot.event
        check_belongs(event, labels, problem.n)
        if step in (1, STEPS // 2):
            assert again.seek(step).event.beats == event.beats
        CHECKS[method.name](run, before, after, lines_of(event.beats), event)
        check_margins(problem, expansion, snapshot.expansion, event.beats)
        expansion = snapshot.expansion


def check_belongs(event, labels, n):
    """Beats belong to their step."""
    assert event.beats
    # Each formula belongs to one beat.
    shown = [formula for beat in event.beats for formula in beat.formulas]
    assert sorted(map(repr, shown)) == sorted(map(repr, event.formulas))
    parts = [beat.pair for beat in event.beats]
    assert parts == sorted(parts)
    assert parts[-1] is PairPart.NEW
    for beat in event.beats:
        assert beat.name
        assert is_one_sentence(re.sub("[<>]", "", beat.sentence)), beat.sentence
        assert "$" not in beat.name + beat.sentence
        assert "nan" not in beat.sentence.replace("dominant", "")
        assert {label for label, _ in beat.lines} <= labels
        points = {*beat.points, *beat.others, *(point for point, _ in beat.notes)}
        assert points <= set(range(n))
        assert not set(beat.points) & set(beat.others)
        assert all(text for _, text in (*beat.notes, *beat.values))
        check_compared(beat, n)


def check_compared(beat, n):
    """Selected points are extreme in their group."""
    for group in beat.compared:
        assert len(group.points) == len(group.errors)
        assert set(group.points) <= set(range(n))
        assert len(group.rises) in (0, len(group.points))
        assert np.isfinite(group.errors).all()
        if group.selected is None:
            continue
        own = group.errors[group.selected]
        if group.name == "may rise":
            assert own == min(group.errors)
        if group.name == "may fall" and not group.rises:
            assert own == max(group.errors)
        if group.rises and any(label == "second" for label, _ in beat.lines):
            assert group.rises[group.selected] >= max(group.rises) * (1.0 - 1e-9)
        if beat.name == "Why this pair":
            assert group.points[group.selected] in beat.points


def smo_lines(run, before, after, lit, event):
    problem, form = run.problem, run.problem.dual_form
    change = after.beta - before.beta
    i, j = int(change.argmax()), int(change.argmin())
    F, low = before.F, before.beta > form.lower
    K = problem.kernel(form.X[[i]], form.X)[0]
    eta = K[i] + form.diagonal[j] - 2.0 * K[j]
    free = (F[i] - F[j]) / eta if eta > 0.0 else np.inf
    room = min(form.upper[i] - before.beta[i], before.beta[j] - form.lower[j])
    if abs(free - room) > 1e-6 * max(free, room) and np.isfinite(room):
        assert ("clip" in lit) == (free > room)
    assert {"eta", "top", "box", "other"} <= lit.keys()
    choice = run.method.pair
    check_bias_line(run, after, lit, (i, j))
    if choice in ("second-order", "maximal-violation"):
        active = np.flatnonzero(before.active) if len(before.active) else np.arange(len(F))
        up = active[(before.beta < form.upper)[active]]
        down = active[low[active]]
        assert F[i] == F[up].max()
        assert lit["rise"].startswith(f"i = {problem.point_of(i) + 1}") or problem.task[0] == "r"
        if choice == "maximal-violation":
            assert ("first" in lit) == (F[j] == F[down].min())
        else:
            eta = form.diagonal[i] + form.diagonal[down] - 2.0 * K[down]
            gain = np.maximum(F[i] - F[down], 0.0) ** 2 / np.where(eta > 0.0, eta, 1e-12)
            own = gain[down == j][0]
            assert ("second" in lit) == (own >= gain.max() * (1.0 - 1e-9))
        return
    hows = {"drawn"} if choice == "random" else {"furthest", "next-free", "next-of-all"}
    assert len(hows & lit.keys()) == 1
    if choice == "platt" and problem.task == "classification":
        second = int(after.scalars["sweep_position"][0]) - 1
        first = i if j == second else j
        free_ones = low & (before.beta < form.upper)
        assert ("next-of-all" in lit) == (not free_ones[first])
        if "furthest" in lit:
            others = free_ones & (np.arange(len(F)) != second)
            assert abs(F[first] - F[second]) == np.abs(F - F[second])[others].max()


def check_bias_line(run, after, lit, pair):
    """One line of b is lit, and its rule gives this b."""
    (rule,) = {"free", "mean", "middle"} & lit.keys()
    form, b = run.problem.dual_form, run.method.expand(run.problem, after)[1]
    free = (after.beta > form.lower) & (after.beta < form.upper)
    up, low = after.beta < form.upper, after.beta > form.lower
    if rule == "middle":
        m, M = (after.scalars[name][0] for name in ("m", "M"))
        assert b == pytest.approx(0.5 * (m + M), abs=1e-12)
        if not len(after.active):
            assert b == pytest.approx(0.5 * (after.F[up].max() + after.F[low].min()), abs=1e-12)
    if run.method.pair in ("platt", "random"):
        if rule == "free":
            assert b in [after.F[k] for k in pair if free[k]]
        if rule == "mean":
            assert not free[list(pair)].any()
            assert b == pytest.approx(after.F[list(pair)].mean(), abs=1e-12)
        return
    assert rule == ("free" if free.any() else "middle")
    if rule == "free":
        assert b == after.F[free].mean()


def perceptron_lines(run, before, after, lit, event):
    added = (after.counts != before.counts).any()
    assert ("w" in lit) == added
    assert ("b" in lit) == (added and run.problem.bias != "none")
    assert ("plus" in lit) == (run.method.zero == "positive")


def pegasos_lines(run, before, after, lit, event):
    grown = after.counts * after.scalars["scale"] != before.counts * before.scalars["scale"]
    inside = [margin < 1.0 for margin in event.values["margins"]]
    assert ("add" in lit or "theta" in lit) == any(inside)
    if any(inside):
        assert grown.any()
    assert ("bias" in lit) == (any(inside) and run.problem.bias == "free")
    means = {"first-step": "mean", "start": "mean-1"}
    expected = {means[run.method.mean_from]} if run.method.average else set()
    assert lit.keys() & set(means.values()) == expected
    assert ("turn" in lit) == (run.method.order == "cyclic") == ("draw" not in lit)
    assert ("scale" in lit) == (run.method.form != "w") == ("shrink" not in lit)
    problem = run.problem
    beta, bias = run.method.expand(problem, after)
    norm = certify(problem, Expansion(problem.kernel, problem.X, beta, bias)).norm
    if "ball" in lit:
        assert run.method.project
        assert norm * np.sqrt(problem.lam) == pytest.approx(1.0, rel=1e-7)
    elif run.method.project:
        assert norm * np.sqrt(problem.lam) <= 1.0 + 1e-7


def subgradient_lines(run, before, after, lit, event):
    assert ("add" in lit) == bool(before.inside.any())
    assert ("bias" in lit) == (bool(before.inside.any()) and run.problem.bias == "free")
    better = after.scalars["best_objective"][0] < before.scalars["best_objective"][0]
    assert ("best" in lit) == (run.method.best and better)
    assert run.method.rate in lit


def coordinate_lines(run, before, after, lit, event):
    moved = np.abs(after.beta - before.beta) > 1e-12 * (1.0 + np.abs(before.beta))
    assert ("w" in lit) == ("alpha" in lit)
    assert ("b" in lit) == ("w" in lit and run.problem.bias == "augmented")
    if "stay" not in lit:
        assert ("w" in lit) == bool((after.beta != before.beta).any())
    assert ("stay" in lit) == ("top" not in lit)
    i, y = event.values["i"], run.problem.y[event.values["i"]]
    alpha = y * after.beta[i]
    if "stay" in lit:
        assert not moved.any()
    if "clip" in lit:
        assert alpha in (0.0, run.problem.C)
        assert not 0.0 <= event.values["unclipped"] <= run.problem.C
    elif "top" in lit:
        assert alpha == pytest.approx(event.values["unclipped"], rel=1e-9, abs=1e-12)


def hull_lines(run, before, after, lit, event):
    moved = np.flatnonzero(before.tau != after.tau)
    assert ("move" in lit) == bool(len(moved))
    if run.method.algorithm == "wolfe":
        gained, lost = after.free & ~before.free, before.free & ~after.free
        assert ("join" in lit) == bool(event.values["added"])
        if gained.any():
            assert "join" in lit
        if lost.any():
            assert "drop" in lit
        return
    at_bound = np.isin(after.tau[moved], (0.0, run.method.mu)).any()
    if "clip" in lit:
        assert at_bound
    else:
        gradient_left = event.values["delta"] == pytest.approx(event.values["unclipped"], rel=1e-9)
        assert gradient_left


def working_set_lines(run, before, after, lit, event):
    new_round = after.round["number"][0] > before.round["number"][0]
    choices = {"fast", "worst-first", "osuna"} & lit.keys()
    assert bool(choices) == bool(new_round)
    own = {"fast": "fast", "worst": "worst-first", "osuna": "osuna"}[run.method.choice]
    assert choices <= {own}
    moved = np.count_nonzero(after.beta != before.beta)
    assert ("move" in lit or "scaled" in lit) == (moved > 0)
    if "other" in lit:
        assert moved <= 2
    assert ("rest" in lit) == (not new_round and moved == 0)


def interior_point_lines(run, before, after, lit, event):
    assert ("end" in lit) == bool(after.scalars["is_done"][0])
    assert ("move" in lit) == (not after.scalars["is_done"][0])


CHECKS = {
    "smo": smo_lines,
    "perceptron": perceptron_lines,
    "pegasos": pegasos_lines,
    "subgradient": subgradient_lines,
    "coordinate-ascent": coordinate_lines,
    "hulls": hull_lines,
    "working-set": working_set_lines,
    "interior-point": interior_point_lines,
}


def check_margins(problem, before, after, beats):
    """The last beat has the picture after the step, all others the one before it.

    If a beat says that a margin changes, it begins where the last one ended.
    """
    # Evaluated at most once per step, for all points, and only if a beat states a margin.
    present, margins = {}, functools.cache(lambda f: problem.y * f(problem.X))
    for number, beat in enumerate(beats, 1):
        for point, text in beat.notes:
            # The text says if a margin is that of another iterate, as of the last w beside a mean.
            if found := MARGIN.fullmatch(text.removeprefix("mean: ")):
                check_margin(found[1], margins(after if number == len(beats) else before)[point])
            elif found := CHANGED_MARGIN.fullmatch(text):
                check_margin(found[1], present.get(point, margins(before)[point]))
                present[point] = float(found[2].replace(",", ""))
                if number == len(beats):
                    check_margin(found[2], margins(after)[point])


NUMBER = r"([-−]?[\d,]+(?:\.\d+)?(?:e[-+]\d+)?)"
MARGIN, CHANGED_MARGIN = re.compile(f"y·f = {NUMBER}"), re.compile(f"y·f {NUMBER} → {NUMBER}")


def check_margin(text, margin):
    shown = float(text.replace("−", "-").replace(",", ""))
    assert shown == pytest.approx(margin, rel=0.01, abs=0.006)


def test_every_method_has_pseudo_code_that_is_checked():
    assert CHECKS.keys() == EXPLAINED.keys()
    for kind, bias in itertools.product(EXPLAINED.values(), ("free", "none", "augmented")):
        for method in variants_of(kind) if bias in kind.biases else ():
            code = method.pseudo_code(tiny_problem(bias))
            assert code.source
            labels = [line.label for line in code.lines if line.label]
            assert len(labels) == len(set(labels))
            # A regularised b is one of the weights, except for the perceptron.
            if kind.name in ("pegasos", "subgradient"):
                assert ("bias" in labels) == (bias == "free")
            if kind.name == "perceptron":
                assert ("b" in labels) == (bias != "none")


def tiny_problem(bias):
    return Problem(np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([1.0, -1.0]), Linear(), 1.0, bias)


def test_each_choice_of_the_pair_names_its_own_source():
    assert [
        SMO(pair=choice).pseudo_code(tiny_problem("free")).source
        for choice in ("second-order", "maximal-violation", "platt", "random")
    ] == [
        "Fan, Chen and Lin 2005",
        "Keerthi et al. 2001",
        "Platt 1998",
        "Platt 1998, simplified",
    ]


@pytest.mark.parametrize("kind", EXPLAINED.values(), ids=EXPLAINED)
def test_every_line_can_be_lit(kind):
    """Every line of a method is highlighted for some setting, kernel and data."""
    wanted, found = set(), set()
    for case in CASES:
        method, kernel, bias, data = case.values
        if type(method) is not kind:
            continue
        run = run_of(method, kernel, bias, data)
        wanted |= {line.label for line in method.pseudo_code(run.problem).lines} - {""}
        if not wanted <= found:
            for _, _, snapshot in steps_of(run):
                found |= lines_of(snapshot.event.beats).keys()
    assert wanted <= found


def test_errors_that_only_rounding_separates_are_shown_as_0():
    """After linear equations were solved for the free points, their E is 1e-11, not 0."""
    rng = np.random.default_rng(7)
    X = rng.normal(size=(24, 2)) * (1.3, 1.0)
    y = np.where(X[:, 0] + 0.6 * X[:, 1] + 0.9 * rng.normal(size=24) > 0.0, 1.0, -1.0)
    run = solve(Problem(X, y, kernel=RBF(gamma=0.5), C=5.0), WorkingSet())
    cursor, after_newton, ties = Cursor(run), False, 0
    for step in range(1, run.steps + 1):
        event = cursor.seek(step).event
        if after_newton:
            texts = [text for beat in event.beats for _, text in beat.notes]
            texts += [x.numbers for beat in event.beats for x in beat.formulas]
            assert not [text for text in texts if re.search(r"e-1\d|10\^\{-1\d", text)]
            ties += "rounding decides" in event.beats[0].sentence
        after_newton = event.kind == "newton"
    assert ties

"""The contract of every registered method: every variant, on every kernel and kind of problem."""

import dataclasses
import functools
import itertools
import math
import re

import numpy as np
import pytest
import ziamath

from solvers import (
    KERNELS,
    METHODS,
    Cursor,
    Method,
    Problem,
    Reason,
    Regression,
    Run,
    certify,
    solve,
)
from solvers.problem.problem import BIASES
from solvers.run.method import GUARANTEES
from solvers.run.trace import SUPPORT_CHANGED
from solvers.settings import settings_of
from tests.solvers.problems import (
    cloud,
    contradictory,
    is_one_sentence,
    kernels_of,
    separated,
    wave,
)
from tests.solvers.states import same_state

# One kernel of each kind: with w, without, not positive semi-definite, of several
# operations. A method sees no more of a kernel than its values; test_kernels.py solves with every
# one of them.
REPRESENTATIVE = ("linear", "rbf", "sigmoid", "composed")
# Number of steps of each run that are checked one by one, and of those whose events are checked.
LOOKED_AT, TOLD = 150, 60
# Problems except for kernel and bias.
DATA = {
    "overlapping": functools.partial(Problem, *cloud(17, 1), C=3.7311),
    "contradictory": functools.partial(Problem, *contradictory(14, 2), C=0.2717),
    "two": functools.partial(Problem, [[0.3, 0.1], [1.1, 0.9]], [-1.0, 1.0], C=141.3),
    "hard": functools.partial(Problem, *separated(12, 3), C=math.inf),
    "wave": functools.partial(Regression, *wave(13, 4), C=2.317, epsilon=0.15),
}


def variants_of(kind: type[Method]) -> list[Method]:
    """Return the defaults, and each choice, switch and integer changed once."""
    changes: list[dict] = [{}]
    for name, spec in settings_of(kind).items():
        if spec.scale == "choice":
            changes += [{name: value} for value, _ in spec.choices[1:]]
        elif spec.scale == "switch":
            changes.append({name: not getattr(kind(), name)})
        elif spec.scale == "integer" and name != "max_steps":
            changes.append({name: int(spec.low) + 4})
    return [kind(**change, max_steps=10_000) for change in changes]


def can_solve(method: Method, bias: str, data: str) -> bool:
    if DATA[data].func.task not in method.tasks:
        return False
    return bias in method.biases and (data != "hard" or method.hard_margin)


# The defaults are tested on all combinations; a variant on each kernel, bias and kind of data, and
# on a third of the combinations, to limit the time of the suite.
CASES = [
    pytest.param(method, kernel, bias, data, id=f"{kind.name}{number}-{kernel.name}-{bias}-{data}")
    for kind in METHODS.values()
    for number, method in enumerate(variants_of(kind))
    for place, kernel in enumerate(kernels_of(KERNELS[name])[-1] for name in REPRESENTATIVE)
    for turn, (bias, data) in enumerate(itertools.product(BIASES, DATA))
    if can_solve(method, bias, data) and (number == 0 or (number + place + turn) % 3 == 0)
]
every_case = pytest.mark.parametrize(("method", "kernel", "bias", "data"), CASES)
every_method = pytest.mark.parametrize("kind", METHODS.values(), ids=METHODS)


@functools.cache
def run_of(method, kernel, bias, data) -> Run:
    return solve(DATA[data](kernel=kernel, bias=bias), method)


# Checks of the guarantees. Each gets a run, its snapshots and its certificates.


def box_is_exact(run, snapshots, certificates):
    for certificate in certificates:
        assert certificate.alpha.min() >= 0.0
        assert certificate.alpha.max() <= run.problem.C


def stays_strictly_inside(run, snapshots, certificates):
    for snapshot, certificate in zip(snapshots, certificates):
        if run.reason is Reason.CONVERGED and snapshot.step == run.steps:
            continue
        assert certificate.alpha.max() < run.problem.C
        # In a regression alpha is the difference of two that are inside: it may be 0.
        assert certificate.alpha.min() > 0.0 or run.problem.task == "regression"


def sums_are_equal(run, snapshots, certificates):
    if run.problem.bias != "free":
        return
    for snapshot in snapshots:
        beta = snapshot.expansion.beta
        scale = run.problem.C if not run.problem.hard else np.abs(beta).max()
        assert abs(beta.sum()) <= 1e-9 * scale * run.problem.n


def dual_never_falls(run, snapshots, certificates):
    for before, after in itertools.pairwise(certificates):
        assert after.dual >= before.dual - 1e-12 * (1.0 + after.alpha.sum())


def converges_within_tolerance(run, snapshots, certificates):
    if run.reason is Reason.CONVERGED:
        assert run.certificate.kkt <= run.method.tol * (1 + 1e-6)
    else:
        # Only an inseparable hard margin or an indefinite kernel may take so long.
        assert run.problem.hard or not run.problem.kernel.mercer


def stays_in_ball(run, snapshots, certificates):
    if run.method.project:
        for certificate in certificates:
            assert certificate.norm * math.sqrt(run.problem.lam) <= 1 + 1e-7


def counts_are_whole(run, snapshots, certificates):
    if run.method.project or run.method.average:
        return
    for snapshot in snapshots[1:]:
        unit = 1.0 / (run.problem.lam * snapshot.step * run.method.batch_size)
        count = run.problem.y * snapshot.expansion.beta / unit
        assert count.min() >= 0.0
        assert np.abs(count - np.round(count)).max() <= 1e-9 * max(1.0, count.max())
        assert round(count.sum()) <= snapshot.step * run.method.batch_size


def mistakes_are_whole(run, snapshots, certificates):
    for before, after in itertools.pairwise(snapshots):
        count = run.problem.y * after.expansion.beta
        assert count.min() >= 0.0
        assert (count == np.round(count)).all()
        more = count - run.problem.y * before.expansion.beta
        assert more.min() >= 0.0
        assert more.sum() <= after.step - before.step


def converged_separates(run, snapshots, certificates):
    if run.reason is Reason.CONVERGED:
        assert run.method.is_correct(run.problem, certificates[-1].decision).all()
        if getattr(run.method, "zero", "mistake") == "mistake":
            assert (run.problem.y * certificates[-1].decision).min() > 0.0


def best_never_rises(run, snapshots, certificates):
    if run.method.best:
        for before, after in itertools.pairwise(certificates):
            assert after.primal <= before.primal * (1 + 1e-9)
        assert run.certificate.primal < certificates[0].primal


def alpha_is_nonnegative(run, snapshots, certificates):
    for certificate in certificates:
        assert certificate.alpha.min() >= 0.0


def hull_objective_never_rises(run, snapshots, certificates):
    K = run.problem.kernel(run.problem.X, run.problem.X)
    betas = [snapshot.expansion.beta for snapshot in snapshots]
    dual = [np.abs(beta).sum() - 0.5 * beta @ K @ beta for beta in betas]
    for before, after, beta in zip(dual, dual[1:], betas[1:]):
        size = np.abs(beta).sum()
        assert after >= before - 1e-12 * (size + size**2 * np.abs(K).max())


CHECKS = {
    "box": box_is_exact,
    "strictly-inside": stays_strictly_inside,
    "equality": sums_are_equal,
    "dual-rises": dual_never_falls,
    "converges": converges_within_tolerance,
    "ball": stays_in_ball,
    "best-falls": best_never_rises,
    "counts": counts_are_whole,
    "mistakes": mistakes_are_whole,
    "nonnegative": alpha_is_nonnegative,
    "objective-falls": hull_objective_never_rises,
    "separates": converged_separates,
}


def test_every_guarantee_has_a_check():
    assert CHECKS.keys() == GUARANTEES.keys()


@every_method
def test_every_method_guarantees_something(kind):
    assert kind.guarantees
    assert set(kind.guarantees) <= GUARANTEES.keys()


@every_method
def test_a_method_declares_what_its_tolerance_measures(kind):
    assert bool(kind.tol_measures) == ("tol" in settings_of(kind))
    if kind.tol_measures == "kkt":
        assert kind(tol=0.0123).kkt_tolerance == 0.0123
    else:
        assert kind().kkt_tolerance is None


@every_case
def test_a_run_keeps_the_contract(method, kernel, bias, data):
    """A run is walked through once; all checks look at the same snapshots."""
    run = run_of(method, kernel, bias, data)
    cursor = Cursor(run)
    steps = [*range(min(run.steps, LOOKED_AT) + 1), run.steps]
    snapshots = [cursor.seek(step, with_event=step <= TOLD) for step in steps]
    check_iterates(run, snapshots)
    check_events(run, snapshots[: TOLD + 1])
    check_repeatable(run)
    check_end(run)


def check_iterates(run, snapshots):
    """Every iterate keeps the guarantees of its method, and has a bias of its kind."""
    certificates = [certify(run.problem, snapshot.expansion) for snapshot in snapshots]
    for name in run.method.guarantees:
        CHECKS[name](run, snapshots, certificates)
    if run.problem.bias == "none":
        assert {snapshot.expansion.bias for snapshot in snapshots} == {0.0}
    if run.problem.bias == "augmented":
        for snapshot in snapshots:
            assert snapshot.expansion.bias == pytest.approx(snapshot.expansion.beta.sum())


def check_events(run, snapshots):
    """Events describe what happened."""
    assert snapshots[0].event is None
    # The last one may be there twice.
    for before, after in itertools.pairwise(snapshots):
        if before.step == after.step:
            continue
        assert is_one_sentence(after.event.sentence.replace("<", ""))
        assert set(after.event.touched) <= set(range(run.problem.n))
        formulas = after.event.formulas
        assert formulas, "a step has no formula: the template of a registered method has one"
        assert all(formula.letters and formula.numbers for formula in formulas)
        assert "nan" not in "".join(formula.numbers for formula in formulas)
        gained = set(after.expansion.support) ^ set(before.expansion.support)
        assert gained <= set(after.event.touched), "an event lists all points that a step changed"
        marked = bool(run.trace.marks(after.step - 1, after.step)[0] & SUPPORT_CHANGED)
        assert marked == bool(gained), (
            f"step {after.step}: SUPPORT_CHANGED is in its mark exactly if the set of support"
            " vectors changed"
        )
        assert after.evaluations >= before.evaluations


def check_repeatable(first):
    """The same problem gives the same run, and solving does not change it."""
    method, before = first.method, (first.problem.X.tobytes(), first.problem.y.tobytes())
    again = solve(dataclasses.replace(first.problem), method)
    assert (again.steps, again.stop) == (first.steps, first.stop)
    one, two = Cursor(first), Cursor(again)
    for step in {0, 1, first.steps // 2, first.steps}:
        assert same_state(one.state(step), two.state(step))
    assert first.trace.segments == again.trace.segments
    for segment, other in (
        (first.trace.segment(k), again.trace.segment(k)) for k in range(first.trace.segments)
    ):
        assert segment.events.tobytes() == other.events.tobytes() or not method.keeps_events
        assert segment.marks.tobytes() == other.marks.tobytes()
    assert before == (first.problem.X.tobytes(), first.problem.y.tobytes())


def check_end(run):
    """A finished state is a fixed point."""
    method, steps, stop = run.method, run.steps, run.stop
    assert not run.advance()
    assert (run.steps, run.stop) == (steps, stop)
    assert is_one_sentence(stop.sentence)
    if stop.reason is Reason.STEP_LIMIT:
        assert steps == method.max_steps
        return
    state = Cursor(run).state(steps)
    before = Cursor(run).state(steps)
    events, marks = np.zeros(3, method.event_dtype), np.zeros(3, np.uint8)
    work = method.workspace(run.problem, cache_bytes=0)
    taken, code = method.advance(run.problem, state, work, events, marks)
    assert taken == 0, "advance takes a step after the end of the run"
    assert method.stop(code, run.problem, state) == stop
    assert same_state(before, state), "advance changes the state after the end of the run"


@pytest.mark.parametrize(
    ("kind", "bias", "data"),
    [
        pytest.param(kind, bias, data, id=f"{kind.name}-{bias}-{data}")
        for kind in METHODS.values()
        for bias, data in itertools.product(BIASES, DATA)
        if can_solve(kind(), bias, data)
    ],
)
def test_a_guess_from_another_problem_is_repaired(kind, bias, data):
    problem = DATA[data](kernel=KERNELS["rbf"](), bias=bias)
    # Guesses from other targets, another C, other units; and an empty one.
    other = np.random.default_rng(0).normal(size=problem.n)
    method = kind(max_steps=10_000)
    cold = solve(problem, method)
    for guess in (other, -1e3 * other, np.full(problem.n, 1e9), cold.expansion.beta):
        run = solve(problem, method, guess)
        first = run.at(0)
        start = certify(problem, first.expansion)
        for name in kind.guarantees:
            if name in ("box", "strictly-inside", "equality", "nonnegative", "mistakes"):
                CHECKS[name](run, [first], [start])
        assert np.isfinite(first.expansion.beta).all()
        if "converges" in kind.guarantees and cold.reason is Reason.CONVERGED:
            assert run.reason is Reason.CONVERGED
            assert run.certificate.dual == pytest.approx(cold.certificate.dual, rel=0.02)
    assert "guess" in str(kind.start.__doc__), "the docstring of start says what becomes of a guess"


# Formulas differ mostly in their digits.
@functools.cache
def size_of(latex):
    return ziamath.Latex(latex, size=16).getsize()


@pytest.mark.parametrize(
    "method", [m for kind in METHODS.values() for m in variants_of(kind)], ids=repr
)
def test_formulas_can_be_typeset(method):
    for data in ("overlapping", "hard", "wave"):
        if not can_solve(method, method.biases[0], data):
            continue
        run = run_of(method, kernels_of(KERNELS["linear"])[-1], method.biases[0], data)
        cursor, looked_at = Cursor(run), set()
        # One step of each kind of event, and the last one.
        for step in (*range(1, min(run.steps, LOOKED_AT) + 1), run.steps):
            event = cursor.seek(step).event
            if event is None or (type(event) in looked_at and step < run.steps):
                continue
            looked_at.add(type(event))
            for formula in event.formulas:
                for line in (formula.letters, formula.numbers):
                    width, height = size_of(re.sub(r"\d+", "0", line))
                    assert width > 0
                    assert height > 0

"""The questions of beats: an answer computed another way is right, a wrong one is refused.

For every method, option, task and kind of kernel, random steps are asked about. What is right is
computed here from the states around the step and the kernel matrix, or from beta and b.
"""

import functools
import itertools
import math
import random
import re
from dataclasses import replace

import numpy as np
import pytest

from solvers import Cursor
from solvers.problem.expansion import Expansion
from solvers.run.beats import BeatQuestion, candidates
from svmviz.lessons.answers import right_points
from svmviz.lessons.replies import accepts, answer_in_words, key_of, reply_to, wrong_numbers
from tests.solvers.methods.test_beats import CASES, EXPLAINED
from tests.solvers.methods.test_contract import run_of

STEPS = 20
every_case = pytest.mark.parametrize(("method", "kernel", "bias", "data"), CASES)


class Step:
    """A step with the states around it, and the quantities that questions ask for."""

    def __init__(self, run, cursor, states, number):
        self.run, self.problem, self.method, self.number = run, run.problem, run.method, number
        self.before, self.after = states.state(number - 1), states.state(number)
        self.event = cursor.seek(number).event
        self.sign = self.problem.sign

    @functools.cached_property
    def K(self):
        """The kernel matrix of the variables of the dual, without what a bias adds."""
        points = [self.problem.point_of(k) for k in range(self.problem.n_variables)]
        return self.problem.kernel(self.problem.X, self.problem.X)[np.ix_(points, points)]

    @functools.cached_property
    def alpha(self):
        """alpha of the variables before and after the step."""
        return [self.sign * state.beta for state in (self.before, self.after)]

    def f(self, state):
        """The last iterate's f at all points."""
        method = self.method
        if hasattr(method, "average"):
            method = replace(method, average=False)
        if getattr(method, "best", False):
            method = replace(method, best=False)
            state = state._replace(best=np.zeros(0))
        beta, b = method.expand(self.problem, state)
        return Expansion(self.problem.kernel, self.problem.X, beta, b)(self.problem.X)

    def w(self, state):
        method = self.method
        if hasattr(method, "average"):
            method = replace(method, average=False)
        beta = method.expand(self.problem, state)[0]
        if self.method.name == "subgradient":
            beta = state.beta
        return beta @ self.problem.X

    def dual_along(self, i, j, t):
        """D after alpha_j moves by t, and alpha_i as the equality constraint demands."""
        beta = self.before.beta.copy()
        beta[j] += self.sign[j] * t
        beta[i] -= self.sign[j] * t
        epsilon = getattr(self.problem, "epsilon", 0.0)
        linear = self.problem.y if epsilon == 0.0 else self.problem.target
        return linear @ beta - 0.5 * beta @ self.K @ beta


def moved(step):
    """The variables whose beta grew most and shrank most in a step of SMO."""
    change = step.after.beta - step.before.beta
    return int(change.argmax()), int(change.argmin())


def candidates_of_smo(step):
    """E of the variables, and which of the compared variables may rise and may fall."""
    before, form = step.before, step.problem.dual_form
    E = step.K @ before.beta - step.problem.target
    looked = np.ones(len(E), dtype=bool)
    if step.method.name == "smo" and len(before.active):
        looked = before.active.astype(bool)
    if step.method.name == "working-set":
        looked = np.zeros(len(E), dtype=bool)
        looked[before.points[: before.round["size"][0]]] = True
        if step.event.kind == "set":
            looked[:] = True
    return E, looked & (before.beta < form.upper), looked & (before.beta > form.lower)


def tied(step, values, best):
    size = np.abs(values[np.isfinite(values)]).max()
    ties = np.isclose(values, best, rtol=1e-7, atol=1e-9 * size)
    return {step.problem.point_of(k) for k in np.flatnonzero(ties).tolist()}


def smallest_that_may_rise(step):
    E, rises, _ = candidates_of_smo(step)
    return tied(step, np.where(rises, E, np.inf), E[rises].min())


def largest_that_may_fall(step):
    E, _, falls = candidates_of_smo(step)
    return tied(step, np.where(falls, E, -np.inf), E[falls].max())


def best_partner(step):
    E, _, falls = candidates_of_smo(step)
    i = moved(step)[0]
    eta = np.diag(step.K) + step.K[i, i] - 2.0 * step.K[i]
    gain = np.where(falls & (E[i] < E), (E - E[i]) ** 2 / np.where(eta > 0.0, eta, 1e-12), -1.0)
    return tied(step, gain, gain.max())


def ordered_pair(step):
    """i and j as the words name them."""
    return step.event.values["i"], step.event.values["j"]


def curvature(step):
    i, j = ordered_pair(step)
    D = [step.dual_along(i, j, t) for t in (-1.0, 0.0, 1.0)]
    return -(D[0] - 2.0 * D[1] + D[2])


def top(step):
    i, j = ordered_pair(step)
    D = [step.dual_along(i, j, t) for t in (-1.0, 0.0, 1.0)]
    return step.alpha[0][j] + 0.5 * (D[2] - D[0]) / -(D[0] - 2.0 * D[1] + D[2])


def ends(step):
    """The smallest and largest alpha_j for which both variables of the pair are in the box."""
    i, j = ordered_pair(step)
    (a_i, a_j), C = step.alpha[0][[i, j]], step.problem.C
    slope = -1.0 if step.sign[i] == step.sign[j] else 1.0
    others = sorted((0.0 - a_i, C - a_i) if slope > 0 else (a_i - C, a_i))
    low, high = max(0.0, a_j + others[0]), min(C, a_j + others[1])
    return (low, high) if math.isfinite(high) else (low,)


def has_free(step):
    form, beta = step.problem.dual_form, step.after.beta
    free = (beta > form.lower) & (beta < form.upper)
    if step.method.name == "working-set":
        members = np.zeros(len(beta), dtype=bool)
        members[step.before.points[: step.before.round["size"][0]]] = True
        free &= members
    return bool(free.any())


def margin(step):
    values = step.event.values
    i = values["batch"][0] if "batch" in values else values["i"]
    return float(step.problem.y[i] * step.f(step.before)[i])


def where_alpha_goes(step):
    i = step.event.values["i"]
    change = float(step.alpha[1][i] - step.alpha[0][i])
    # At the top of its parabola, α moves by rounding errors only.
    is_at_top = abs(margin(step) - 1.0) < 1e-12
    return 2 if change == 0.0 or is_at_top else int(change < 0.0)


def new_weight(step, state_of=lambda step: step.after):
    w = step.w(state_of(step))
    if step.method.name == "pegasos":
        w = w / step.event.values["projection"]
    return tuple(w.tolist())


def batch_inside(step):
    y, f = step.problem.y, step.f(step.before)
    return sum(y[i] * f[i] < 1.0 for i in step.event.values["batch"])


def all_inside(step):
    return int((step.problem.y * step.f(step.before) < 1.0).sum())


def moved_weights(step):
    change = step.after.tau - step.before.tau
    return {int(change.argmax())}, {int(change.argmin())}


# By method: the kind of a question, its symbols, and words of it, and what is right.
PAIR_ORACLES = {
    ("point", "", "has the smallest"): smallest_that_may_rise,
    ("point", "", "largest error E"): largest_that_may_fall,
    ("point", "", "promises most"): best_partner,
    ("number", "η", ""): curvature,
    ("number", "αⱼ", "top of D"): top,
    ("number", "L,H", ""): ends,
    ("number", "L", ""): ends,
    ("number", "αⱼ", "Where"): lambda step: step.alpha[1][ordered_pair(step)[1]],
    ("number", "αᵢ", ""): lambda step: step.alpha[1][ordered_pair(step)[0]],
}
BY_ERRORS = {**PAIR_ORACLES, ("case", "", "How is b"): lambda step: int(not has_free(step))}
ORACLES = {
    "smo": PAIR_ORACLES,
    "working-set": {
        **BY_ERRORS,
        ("case", "", "Does the run end"): lambda step: int(step.number != step.run.steps),
    },
    "pegasos": {
        ("number", "ηₜ", ""): lambda step: 1.0 / (step.problem.lam * step.number),
        ("number", "y·f", ""): margin,
        ("case", "", "added"): lambda step: int(batch_inside(step) == 0),
        ("number", "|B⁺|", ""): batch_inside,
        ("number", "w₁,w₂", ""): new_weight,
        ("number", "factor", "First w"): lambda step: 1.0 - 1.0 / step.number,
    },
    "subgradient": {
        ("number", "|B⁺|", ""): all_inside,
        ("number", "w₁,w₂", ""): new_weight,
    },
    "coordinate-ascent": {
        ("number", "y·f", ""): margin,
        ("case", "", "Where does its α go"): where_alpha_goes,
        ("number", "α", "Where does"): lambda step: step.alpha[1][step.event.values["i"]],
    },
    "perceptron": {
        ("number", "y·f", ""): margin,
        ("case", "", "mistake"): lambda step: int((step.after.counts == step.before.counts).all()),
        ("number", "w₁,w₂", ""): new_weight,
        ("number", "b", ""): lambda step: step.method.expand(step.problem, step.after)[1],
    },
    "interior-point": {},
    "hulls": {
        ("number", "δ", "How far"): lambda step: float(
            (step.after.tau - step.before.tau)[step.event.values["i"]]
        ),
        ("point", "", "Click both"): moved_weights,
        ("case", "", "meet its bound"): lambda step: int(
            not (step.before.free & ~step.after.free).any() and not step.event.values["dropped"]
        ),
    },
}


# Questions whose answers are not computed another way, by method, kind and symbols.
WITHOUT_ORACLE = {
    ("smo", "point", ""),
    ("smo", "case", ""),
    ("working-set", "point", ""),
    ("working-set", "case", ""),
    ("working-set", "number", "|S|"),
    ("coordinate-ascent", "number", "α"),
    ("pegasos", "number", "factor"),
    ("pegasos", "number", "part"),
    ("pegasos", "number", "β"),
    ("pegasos", "number", "θ₁,θ₂"),
    ("subgradient", "number", "ηₜ"),
    ("subgradient", "number", "factor"),
    ("subgradient", "number", "times"),
    ("subgradient", "case", ""),
    ("perceptron", "point", ""),
    ("interior-point", "number", "ω"),
    ("interior-point", "number", "s"),
    ("interior-point", "number", "α"),
    ("interior-point", "number", "n"),
    ("hulls", "number", "δ"),
    ("hulls", "number", "M"),
    ("hulls", "point", ""),
}


def key_of_kind(question):
    return question.kind, ",".join(question.labels)


def oracle_of(name, question):
    """Return the function that computes what is right, and its key; None if there is none."""
    for key, compute in ORACLES[name].items():
        kind, labels, words = key
        if (kind, labels) == key_of_kind(question) and words in question.ask:
            return compute, (name, *key)
    return None


def steps_asked(method, kernel, bias, data):
    """Yield random steps of a run, in their order."""
    run = run_of(method, kernel, bias, data)
    cursor, states = Cursor(run), Cursor(run)
    chosen = random.Random(f"{method}{data}").sample(range(run.steps), min(STEPS, run.steps))
    for number in sorted(chosen):
        yield Step(run, cursor, states, number + 1)


def check_right(question, expected):
    """An answer that was computed another way is accepted."""
    if question.kind == "number":
        expected = expected if isinstance(expected, tuple) else (expected,)
        assert accepts(question, tuple(map(float, expected))), (question, expected)
    elif question.kind == "case":
        assert accepts(question, expected), (question, expected)
    elif isinstance(expected, tuple):
        for points in itertools.product(*expected):
            assert accepts(question, points), (question, expected)
            assert accepts(question, points[::-1]), (question, expected)
    else:
        # All that tie are right.
        for point in expected:
            assert accepts(question, (point,)), (question, expected)


def check_wrong(question, n):
    """A wrong answer is refused, and the reply says what it missed."""
    if question.kind == "number":
        scale = max(map(abs, question.numbers))
        answer = tuple(
            x + 0.05 * (scale if math.isfinite(scale) else 1.0) + 0.01 + 2.0 * question.slack
            for x in question.numbers
        )
        assert wrong_numbers(question, answer)
    elif question.kind == "case":
        answer = (question.right + 1) % len(question.choices)
    else:
        allowed = set().union(*map(right_points, question.candidates))
        wrong = [point for point in range(n) if point not in allowed]
        if len(question.candidates) > 1 or not wrong:
            return
        # One of the candidates, if possible: its value is compared.
        compared = [point for point in wrong if point in question.candidates[0].points]
        answer = ((compared or wrong)[0],)
    assert not accepts(question, answer), (question, answer)
    reply = reply_to(question, answer)
    assert len(reply) > len("No. ")
    if question.kind == "point" and question.candidates[0].values:
        assert "smallest" in reply or "largest" in reply or "not one of those that" in reply


@every_case
def test_an_answer_computed_another_way_is_right_and_a_wrong_one_is_refused(
    method, kernel, bias, data
):
    for step in steps_asked(method, kernel, bias, data):
        for beat in step.event.beats:
            for question in beat.questions:
                assert question.ask[-1] in "?."
                assert "$" not in question.ask
                assert not re.search(r"\b(nan|None|inf)\b", question.ask + question.missed)
                assert answer_in_words(question)
                own = {
                    "number": question.numbers,
                    "case": question.right,
                    "point": tuple(
                        group.points[group.values.index(group.best)]
                        if group.values
                        else group.points[0]
                        for group in question.candidates
                    ),
                }[question.kind]
                assert accepts(question, own), question
                check_wrong(question, step.problem.n)
                if found := oracle_of(method.name, question):
                    check_right(question, found[0](step))


@pytest.mark.parametrize("kind", EXPLAINED.values(), ids=EXPLAINED)
def test_every_option_asks_and_every_oracle_is_used(kind):
    used = set()
    for case in CASES:
        method, kernel, bias, data = case.values
        if type(method) is not kind:
            continue
        steps = list(steps_asked(method, kernel, bias, data))
        questions = [q for step in steps for beat in step.event.beats for q in beat.questions]
        assert questions or not steps, f"{case.id}: no beat asks a question"
        used |= {found[1] for q in questions if (found := oracle_of(kind.name, q))}
        for q in questions:
            assert oracle_of(kind.name, q) or (kind.name, *key_of_kind(q)) in WITHOUT_ORACLE, (
                f"the answer is not computed another way: add a function to ORACLES for {q.ask!r}"
            )
    assert used == {(kind.name, *key) for key in ORACLES[kind.name]}


def test_a_point_that_ties_within_rounding_is_right():
    group = candidates((3, 5, 8), (-1.0, -1.0 - 1e-12, 0.5), 0, name="may rise", extreme="smallest")
    question = BeatQuestion("point", "Which?", candidates=(group,))
    assert key_of(question).accepts((5,))
    assert not key_of(question).accepts((8,))

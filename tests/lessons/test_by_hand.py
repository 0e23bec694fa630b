"""*Do it yourself*: the marks of simulated students, against an independent computation.

What is right at a step is computed here from the states around it: from alpha, E and the kernel
matrix, w and b, or the weights of the hulls. Students answer right, by a tie, wrong, or give up.
"""

import itertools
import math
import random
import re
from dataclasses import replace

import numpy as np
import pytest

from solvers import RBF, Cursor, Linear, Problem, solve
from solvers.registry import METHODS
from svmviz.lessons.answers import NumberKey
from svmviz.lessons.by_hand import (
    GIVEN_UP,
    NEARER,
    RIGHT,
    TIED,
    WRONG,
    judge,
    steps_by_hand,
    why_not_by_hand,
)
from svmviz.lessons.exercise import Attempt
from svmviz.lessons.questions import REACH

STEPS = 6
HARD = {"C": math.inf}
# Name of a case: method, its settings, kernel, and settings of the problem.
CASES = {
    "smo": ("smo", {}, Linear(), {}),
    "smo of first order": ("smo", {"pair": "maximal-violation"}, Linear(), {"C": 0.05}),
    "platt": ("smo", {"pair": "platt"}, RBF(gamma=0.5), {"C": 2.0}),
    "perceptron": ("perceptron", {}, Linear(), {}),
    "perceptron, random": ("perceptron", {"order": "random"}, RBF(gamma=0.5), {}),
    "pegasos": ("pegasos", {}, Linear(), {}),
    "pegasos, cyclic": ("pegasos", {"order": "cyclic", "project": True}, Linear(), {}),
    "pegasos, theta": ("pegasos", {"form": "theta"}, RBF(gamma=0.5), {"bias": "none"}),
    "ascent": ("coordinate-ascent", {}, Linear(), {"bias": "augmented"}),
    "ascent, cyclic": (
        "coordinate-ascent",
        {"order": "cyclic", "shrinking": False},
        RBF(gamma=0.5),
        {"bias": "none", "C": 0.6},
    ),
    "mdm": ("hulls", {"algorithm": "mdm", "mu": 0.6}, Linear(), HARD),
    "mdm, RBF": ("hulls", {"algorithm": "mdm"}, RBF(gamma=0.5), HARD),
    "pairwise": ("hulls", {"algorithm": "pairwise"}, Linear(), HARD),
    "wolfe": ("hulls", {"algorithm": "wolfe"}, Linear(), HARD),
}


def points(seed):
    """Points of a grid, so that many values tie, in two classes that a line separates."""
    draw = np.random.default_rng(seed)
    X = draw.permutation([*itertools.product(range(-3, 4), repeat=2)])[:12].astype(float)
    y = np.where(X @ [1.0, 0.7] > 0.2, 1.0, -1.0)
    return X, y


def run_of(name, seed):
    method, settings, kernel, more = CASES[name]
    X, y = points(seed)
    problem = Problem(X, y, kernel, **{"C": 1.0, **more})
    return solve(problem, METHODS[method](**settings))


class Truth:
    """What is right at the decisions of a step, from the states before and after it."""

    def __init__(self, run, step):
        self.run, self.problem, self.method = run, run.problem, run.method
        self.step = step
        cursor = Cursor(run)
        self.before, self.after = cursor.state(step - 1), cursor.state(step)
        self.K = self.problem.kernel(self.problem.X, self.problem.X)
        self.y = self.problem.y

    def answers(self):
        """For each decision: the sets of points, the choices, the numbers, or the place."""
        return getattr(
            self, {"coordinate-ascent": "ascent"}.get(self.method.name, self.method.name)
        )()

    def smo(self):
        alpha, new = (self.y * state.beta for state in (self.before, self.after))
        C, y, K = self.problem.C, self.y, self.K
        E = K @ (y * alpha) - y
        up = np.where(y > 0, alpha < C, alpha > 0)
        down = np.where(y > 0, alpha > 0, alpha < C)
        changed = np.flatnonzero(self.after.beta != self.before.beta)
        rising = int(max(changed, key=lambda k: (self.after.beta - self.before.beta)[k]))
        falling = int(next(k for k in changed if k != rising))
        found, i, j = [], rising, falling
        if self.method.pair == "platt":
            b = float(self.before.scalars["b"][0])
            start = int(self.after.scalars["sweep_position"][0]) - 1
            margin = y * (K @ (y * alpha) + b)
            violates = ((margin < 1) & (alpha < C)) | ((margin > 1) & (alpha > 0))
            assert violates[start]
            found.append([{start}])
            i, j = (rising, falling) if falling == start else (falling, rising)
            free = {int(k) for k in np.flatnonzero((alpha > 0) & (alpha < C))} - {j}
            if free:
                most = max(abs(E[k] - E[j]) for k in free)
                if i in free and math.isclose(abs(E[i] - E[j]), most, rel_tol=1e-9):
                    found.append([{k for k in free if near(abs(E[k] - E[j]), most)}])
        else:
            least, most = E[up].min(), E[down].max()
            rises = {int(k) for k in np.flatnonzero(up) if near(E[k], least)}
            falls = {int(k) for k in np.flatnonzero(down) if near(E[k], most)}
            if self.method.pair == "maximal-violation":
                found.append([rises, falls])
            else:
                eta = K[i, i] + np.diag(K) - 2.0 * K[i]
                eta[i] = 1.0
                gain = np.where(down & (E[i] < E), (E - E[i]) ** 2 / eta, 0.0)
                found += [
                    [rises],
                    [{int(k) for k in np.flatnonzero(down) if near(gain[k], gain.max())}],
                ]
        return [*found, *self.move(alpha, new, E, i, j)]

    def move(self, alpha, new, E, i, j):
        """Whether the box stops the step of a pair, and where both alpha go."""
        C, y, K = self.problem.C, self.y, self.K
        eta = K[i, i] + K[j, j] - 2.0 * K[i, j]
        top = alpha[j] + y[j] * (E[i] - E[j]) / eta
        s = y[i] * y[j]
        # The ends by the definition: all of the line that lies in the box.
        ends = sorted(alpha[j] - s * (bound - alpha[i]) for bound in (0.0, C))
        low, high = max(0.0, ends[0]), min(C, ends[1])
        moved = min(max(top, low), high)
        size = max(alpha[i], alpha[j], new[i], new[j])
        ends = [end for end in (low, high) if math.isfinite(end)]
        is_on_end = any(abs(top - end) <= 1e-3 * max(end, size) for end in ends)
        cases = {0, 1} if is_on_end else {int(low <= top <= high)}
        result = (alpha[i] - s * (moved - alpha[j]), moved)
        assert np.allclose(result, (new[i], new[j]), atol=1e-9)
        return [cases, result]

    def decision_function(self, method):
        beta, b = method.expand(self.problem, self.before)
        return self.K @ beta + b, beta @ self.problem.X, b

    def visited(self, order, in_turn):
        at = (self.step - 1) % self.problem.n
        return [[{at}]] if order == "cyclic" and in_turn else []

    def perceptron(self):
        f, w, b = self.decision_function(self.method)
        event = Cursor(self.run).seek(self.step).event
        i = event.touched[0]
        found = self.visited(self.method.order, True)
        is_mistake = f[i] < 0 if self.y[i] > 0 else f[i] >= 0
        found.append({int(not is_mistake)})
        if is_mistake and isinstance(self.problem.kernel, Linear):
            found.append((*(w + self.y[i] * self.problem.X[i]), b + self.y[i]))
        elif is_mistake:
            found.append((self.y[i] * (self.before.counts[i] + 1),))
        return found

    def pegasos(self):
        f, w, b = self.decision_function(self.method)
        i = Cursor(self.run).seek(self.step).event.values["batch"][0]
        t, lam = self.step, 1.0 / (self.problem.C * self.problem.n)
        found = self.visited(self.method.order, True)
        adds = self.y[i] * f[i] < 1.0 - 1e-12
        found.append({int(not adds)})
        share = adds * self.y[i] / (lam * t)
        if isinstance(self.problem.kernel, Linear):
            w = (1.0 - 1.0 / t) * w + share * self.problem.X[i]
            if self.method.project:
                w *= min(1.0, 1.0 / (math.sqrt(lam) * max(np.linalg.norm(w), 1e-300)))
            found.append((*w, b + share))
        else:
            beta = self.method.expand(self.problem, self.before)[0]
            found.append(((1.0 - 1.0 / t) * beta[i] + share,))
        return found

    def ascent(self):
        beta = self.before.beta
        extra = 1.0 if self.problem.bias == "augmented" else 0.0
        Q = self.K + extra
        i = Cursor(self.run).seek(self.step).event.touched[0]
        alpha, C = float(self.y[i] * beta[i]), self.problem.C
        G = float(self.y[i] * (Q[i] @ beta)) - 1.0
        top = alpha - G / Q[i, i]
        moved = min(max(top, 0.0), C)
        found = self.visited(self.method.order, not self.method.shrinking)
        if abs(moved - alpha) < 1e-12:
            return [*found, {2}]
        is_on_end = any(abs(top - end) <= 1e-3 * max(end, moved, alpha) for end in (0.0, C))
        found.append({0, 1} if is_on_end else {int(moved != top)})
        return [*found, (moved,)]

    def hulls(self):
        tau, after, y, _X, K = self.before.tau, self.after.tau, self.y, self.problem.X, self.K
        mu, name = self.method.mu, self.method.algorithm
        beta = y * tau
        g = y * (K @ beta)
        if name == "wolfe":
            found = []
            new = [k for k in range(len(y)) if self.after.free[k] and not self.before.free[k]]
            event = Cursor(self.run).seek(self.step).event.values
            added = event["added"]
            if len(added) == 1:
                (k,) = added
                same = (y == y[k]) & ~self.before.free & ((tau < mu) == (tau[k] < mu))
                found.append([{int(x) for x in np.flatnonzero(same & np.isclose(g, g[k]))}])
                assert set(new) <= {k}
            if np.any(after != tau):
                found.append({int(not event["dropped"])})
            return found + self.place(tau, after)
        changed = [int(k) for k in np.flatnonzero(after != tau)]
        if name == "pairwise":
            i, j = sorted(changed, key=lambda k: -y[k])
            eta = K[i, i] + K[j, j] - 2.0 * K[i, j]
            top = (1.0 - (K[i] - K[j]) @ beta) / eta
            low = max(-tau[i], -tau[j])
            delta = max(low, top)
            is_on_end = abs(top - low) <= 1e-3 * max(tau[i], tau[j])
            return [{0, 1} if is_on_end else {int(top >= low)}, (tau[i] + delta, tau[j] + delta)]
        i = next(k for k in changed if after[k] > tau[k])
        j = next(k for k in changed if after[k] < tau[k])
        gaps = {}
        for label in (1.0, -1.0):
            own = y == label
            gaps[label] = g[own & (tau > 0)].max() - g[own & (tau < mu)].min()
        pairs = [
            (a, c)
            for label in gaps
            if math.isclose(gaps[label], max(gaps.values()), rel_tol=1e-9)
            for a in np.flatnonzero((y == label) & (tau < mu)).tolist()
            for c in np.flatnonzero((y == label) & (tau > 0)).tolist()
            if near(g[a], g[(y == label) & (tau < mu)].min(), np.abs(g).max())
            and near(g[c], g[(y == label) & (tau > 0)].max(), np.abs(g).max())
        ]
        assert (i, j) in pairs
        eta = K[i, i] + K[j, j] - 2.0 * K[i, j]
        top, low = abs(g[i] - g[j]) / eta, min(tau[j], mu - tau[i])
        is_on_end = abs(top - low) <= 1e-3 * max(tau[i], tau[j])
        found = [pairs, {0, 1} if is_on_end else {int(top <= low)}]
        place = self.place(tau, after)
        return found + (place or [(min(top, low),)])

    def place(self, tau, after):
        """Where p goes or, if it stays, q; nothing if the places are not in the plane."""
        if not isinstance(self.problem.kernel, Linear):
            return []
        for label in (1.0, -1.0):
            own, X = self.y == label, self.problem.X
            old, new = tau[own] @ X[own] / tau[own].sum(), after[own] @ X[own] / after[own].sum()
            if np.any(old != new):
                reach = min(REACH * np.ptp(X, axis=0).max(), NEARER * math.dist(old, new))
                return [("place", tuple(new), reach)]
        return []


def near(value, best, size=0.0):
    """Whether a student who computes with 1 % sees both numbers as equal."""
    return abs(value - best) <= 0.01 * abs(best) + 1e-9 + 1e-9 * size


def is_right(truth, answer):
    """Whether an answer to a decision is right."""
    if isinstance(truth, set):
        return answer in truth
    if isinstance(truth, list) and truth and isinstance(truth[0], tuple):
        return tuple(answer) in truth or tuple(answer)[::-1] in truth
    if isinstance(truth, list):
        orders = itertools.permutations(answer)
        return any(all(p in s for p, s in zip(order, truth, strict=True)) for order in orders)
    if truth[0] == "place":
        _, place, reach = truth
        return math.dist(place, answer) <= reach or is_right(place, answer)
    size = max(map(abs, truth))
    return all(
        abs(x - t) <= 0.0100001 * abs(t) + 1e-9 * size for x, t in zip(answer, truth, strict=True)
    )


def answers_of(decision, truth, n, draw):
    """Return a right, a tied and a wrong answer; the tied one is None if there is none."""
    if isinstance(truth, set):
        own = decision.own
        assert own in truth
        tied = next(iter(truth - {own}), None)
        wrong = [k for k in range(len(decision.question.choices)) if k not in truth]
        return own, tied, wrong[0] if wrong else None
    if isinstance(truth, list):
        own = tuple(decision.own)
        count = len(own)
        every = list(itertools.combinations(range(n), count))
        draw.shuffle(every)
        tied = next((x for x in every if is_right(truth, x) and set(x) != set(own)), None)
        wrong = next((x for x in every if not is_right(truth, x)), None)
        return own, tied, wrong
    numbers = truth[1] if truth[0] == "place" else truth
    wrong = tuple(x + 0.3 * (abs(x) + 1.0) * draw.choice((-1.0, 1.0)) for x in numbers)
    return tuple(x * (1.0 + draw.uniform(-0.008, 0.008)) for x in numbers), None, wrong


@pytest.mark.parametrize("name", CASES)
def test_the_decisions_are_those_of_the_formulas(name):
    run = run_of(name, 1)
    for step in steps_by_hand(run, 0, STEPS, run.problem.X):
        truths = Truth(run, step.step).answers()
        assert len(truths) == len(step.decisions), step
        for decision, truth in zip(step.decisions, truths, strict=True):
            if isinstance(truth, set):
                assert decision.key.right == truth, decision
            elif isinstance(truth, list):
                count = len(tuple(decision.own))
                for answer in itertools.combinations(range(run.problem.n), count):
                    verdict = judge(decision, answer)[0] != WRONG
                    assert verdict == is_right(truth, answer), (decision, answer, truth)
            elif truth[0] == "place":
                assert decision.place is not None
                assert (decision.place.x, decision.place.y) == pytest.approx(truth[1])
                assert decision.place.reach == pytest.approx(truth[2])
            else:
                assert decision.question.numbers == pytest.approx(truth, abs=1e-9)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("at_end", [False, True])
def test_marks_of_simulated_students(name, at_end):
    """15 students for each of 14 methods, half of them with verdicts at the end: 210."""
    outcomes = set()
    for student in range(at_end, 15, 2):
        draw = random.Random(f"{name} {student}")
        run = run_of(name, student % 3)
        steps = steps_by_hand(run, 0, STEPS, run.problem.X)
        attempt, expected, wrong = Attempt(steps, at_end), [], 0
        truths = {step.step: Truth(run, step.step).answers() for step in steps}
        while (decision := attempt.decision) is not None:
            step = steps[attempt.done]
            index = step.decisions.index(decision)
            right, tied, bad = answers_of(decision, truths[step.step][index], run.problem.n, draw)
            kind = draw.choice((RIGHT, RIGHT, TIED, WRONG, GIVEN_UP))
            if (kind == TIED and tied is None) or (kind == WRONG and bad is None):
                kind = RIGHT
            if kind == GIVEN_UP:
                expected += [(step.step, GIVEN_UP)] * (len(step.decisions) - index)
                attempt.show_model()
                continue
            expected.append((step.step, kind))
            why = attempt.answer({RIGHT: right, TIED: tied, WRONG: bad}[kind])
            assert bool(why) == (kind == WRONG and not at_end)
            wrong += kind == WRONG
            if why:
                # A second try does not change the mark.
                assert attempt.answer(right) == ""
        assert [(mark.step, mark.outcome) for mark in attempt.marks] == expected
        assert attempt.wrong == wrong
        outcomes |= {outcome for _, outcome in expected}
        good = sum(outcome in (RIGHT, TIED) for _, outcome in expected)
        assert attempt.summary().startswith(f"{good} of {len(expected)} right at first try")
    assert outcomes >= {RIGHT, WRONG, GIVEN_UP}


def test_a_model_answer_after_a_wrong_one_is_wrong_for_that_decision_only():
    run = run_of("smo", 0)
    attempt = Attempt(steps_by_hand(run, 0, 2, run.problem.X))
    decision = attempt.decision
    wrong = next(k for k in range(run.problem.n) if judge(decision, (k,))[0] == WRONG)
    assert attempt.answer((wrong,))
    attempt.show_model()
    assert [mark.outcome for mark in attempt.marks] == [WRONG, GIVEN_UP, GIVEN_UP, GIVEN_UP]
    assert attempt.done == 1
    assert attempt.shown_step == 1
    assert not attempt.is_right


@pytest.mark.parametrize("back", [1, 3, 6])
def test_the_answer_follows_from_the_numbers_of_the_question(back):
    """Near the optimum the two E differ in their last digits, and four would not do."""
    run = run_of("smo", 2)
    decision = steps_by_hand(run, run.steps - back, 1, run.problem.X)[0].decisions[-1]
    assert isinstance(decision.key, NumberKey)
    numbers = [float(x) for x in re.findall(r"= ([-+]?\d+(?:\.\d+)?(?:e-?\d+)?)", decision.ask)]
    old_i, y_i, E_i, old_j, y_j, E_j, K_ii, K_jj, K_ij, C = numbers
    top = old_j + y_j * (E_i - E_j) / (K_ii + K_jj - 2.0 * K_ij)
    line = [old_j - y_i * y_j * (bound - old_i) for bound in (0.0, C)]
    new_j = min(max(top, 0.0, min(line)), C, max(line))
    new_i = old_i + y_i * y_j * (old_j - new_j)
    assert judge(decision, (new_i, new_j))[0] == RIGHT


def test_only_some_methods_can_be_done_by_hand():
    X, y = points(0)
    problem = Problem(X, y, Linear(), C=1.0)
    assert not why_not_by_hand(solve(problem, METHODS["smo"]()))
    run = solve(problem, METHODS["subgradient"](max_steps=5))
    assert why_not_by_hand(run)
    assert not steps_by_hand(run, 0, 2, X)[0].decisions


def test_without_the_same_points_in_the_plane_p_is_only_typed():
    run = run_of("mdm", 0)
    steps = steps_by_hand(run, 0, 1, replace(run.problem, X=run.problem.X).X + 1.0)
    assert all(decision.place is None for decision in steps[0].decisions)


def test_the_question_on_b_of_pegasos_says_its_rule_before_an_answer():
    run = run_of("pegasos", 0)
    asked = [
        decision
        for step in steps_by_hand(run, 0, 3, run.problem.X)
        for decision in step.decisions
        if "w and b" in decision.ask
    ]
    assert asked
    for decision in asked:
        assert "b changes as w does, with y in place of y·x" in decision.ask
        assert ("not multiplied" in decision.ask) == (run.problem.bias == "free")

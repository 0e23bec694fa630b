"""Platt's choice and the random one, against naive versions and scikit-learn."""

import itertools
import re

import numpy as np
import pytest

from solvers import RBF, SMO, Cursor, Linear, Problem, Reason, certify, solve
from solvers.methods.smo.choice import MIN_MOVE
from solvers.run.random_numbers import draw
from tests.solvers.methods.smo.test_smo import libsvm
from tests.solvers.problems import cloud, define_gram, random_problem, separated


def random_index(seed, t, r, n):
    with np.errstate(over="ignore"):
        return int(draw.python(seed, t, r, n))


class Naive:
    """Take Platt's takeStep on alpha, y, E = f - y and b, as printed except for f = w.x + b.

    Two points that moved as a pair have the same E up to rounding, so rounding decides which of
    them is the furthest. ``ties`` has the point to take in this case, by step.
    """

    def __init__(self, K, y, C, tol, ties):
        self.K, self.y, self.C, self.tol, self.ties = K, y, C, tol, ties
        self.alpha, self.b, self.pairs = np.zeros(len(y)), 0.0, []

    def error(self):
        return self.K @ (self.alpha * self.y) + self.b - self.y

    def free(self, k):
        return 1e-9 * self.C < self.alpha[k] < self.C * (1 - 1e-9)

    def violates(self, k):
        r = self.y[k] * self.error()[k]
        grows, shrinks = self.alpha[k] < self.C * (1 - 1e-9), self.alpha[k] > 1e-9 * self.C
        return (r < -self.tol and grows) or (r > self.tol and shrinks)

    def take_step(self, i1, i2):
        K, y, C, a, E = self.K, self.y, self.C, self.alpha, self.error()
        if i1 == i2:
            return False
        low, high = max(0.0, a[i2] - a[i1]), min(C, C + a[i2] - a[i1])
        if y[i1] == y[i2]:
            low, high = max(0.0, a[i1] + a[i2] - C), min(C, a[i1] + a[i2])
        eta = max(K[i1, i1] + K[i2, i2] - 2 * K[i1, i2], 1e-300)
        new = np.clip(a[i2] + y[i2] * (E[i1] - E[i2]) / eta, low, high)
        if abs(new - a[i2]) <= MIN_MOVE * (a[i1] + a[i2]) + 1e-9 * C:
            return False
        a[i1] += y[i1] * y[i2] * (a[i2] - new)
        a[i2] = new
        F = y - K @ (a * y)
        beta = a * y
        room = 1e-9 * C
        m = F[beta < np.where(y > 0, C, 0.0) - room].max()
        M = F[beta > np.where(y > 0, 0.0, -C) + room].min()
        self.b = F[i1] if self.free(i1) else F[i2] if self.free(i2) else (F[i1] + F[i2]) / 2
        self.b = (m + M) / 2 if m - M < self.tol else self.b
        self.pairs.append((i1, i2))
        return True

    def platt(self, seed, most):
        n, everyone, moved = len(self.y), True, 1
        while (moved or everyone) and len(self.pairs) < most:
            moved = 0
            for i2 in range(n):
                if (everyone or self.free(i2)) and self.violates(i2):
                    moved += any(self.take_step(i1, i2) for i1 in self.hierarchy(i2, seed))
            everyone = not everyone and moved == 0
        return self.pairs

    def hierarchy(self, i2, seed):
        n, t, E = len(self.y), len(self.pairs), self.error()
        free = [k for k in range(n) if self.free(k) and k != i2]
        if free:
            most = max(abs(E[k] - E[i2]) for k in free)
            equal = [k for k in free if abs(E[k] - E[i2]) > most - 1e-9]
            wanted = self.ties[t] if t < len(self.ties) else set()
            yield next((k for k in equal if k in wanted), equal[0])
        for stage in (0, 1):
            first = random_index(seed, t, 2 * i2 + stage, n) + stage
            for k in range(1 - stage, n + 1 - stage):
                i1 = (first + k) % n
                if stage or self.free(i1):
                    yield i1

    def at_random(self, seed, most):
        n, sweep, idle = len(self.y), 0, 0
        while idle < 10 and len(self.pairs) < most:
            before = len(self.pairs)
            for i in range(n):
                if self.violates(i):
                    j = random_index(seed, sweep, i, n - 1)
                    self.take_step(i, j + (j >= i))
            idle = idle + 1 if len(self.pairs) == before else 0
            sweep += 1
        return self.pairs


@pytest.mark.parametrize("pair", ["platt", "random"])
@pytest.mark.parametrize("seed", range(6))
def test_pairs_are_those_of_the_naive_version(pair, seed):
    X, y = cloud(25, seed, noise=0.7)
    kernel = RBF(0.8) if seed % 2 else Linear()
    run = solve(Problem(X, y, kernel=kernel, C=2.5), SMO(pair=pair, seed=seed, tol=1e-2))
    events = [run.trace.event(k) for k in range(1, min(60, run.steps) + 1)]
    mine = [{int(e["i"]), int(e["j"])} for e in events]
    naive = Naive(define_gram(kernel, X, X), y, 2.5, 1e-2, mine)
    pairs = naive.platt(seed, 60) if pair == "platt" else naive.at_random(seed, 60)
    most = min(60, len(pairs), run.steps)
    mine, expected = mine[:most], [set(p) for p in pairs[:most]]
    assert most > 20
    assert mine == expected
    if run.steps == len(pairs):
        np.testing.assert_allclose(run.certificate.alpha, naive.alpha, atol=1e-6)


@pytest.mark.parametrize("seed", range(0, 40))
def test_agree_with_scikit_learn(seed):
    problem = random_problem(seed)
    best = certify(problem, libsvm(problem, 1e-6)[0])
    platt = solve(problem, SMO(pair="platt", tol=1e-6))
    assert platt.reason is Reason.CONVERGED
    assert platt.certificate.kkt <= 1e-6 * (1 + 1e-6)
    assert platt.certificate.dual >= best.dual * (1 - 1e-6)
    random = solve(problem, SMO(pair="random", tol=1e-4, max_steps=200_000))
    if random.reason is Reason.CONVERGED:
        assert random.certificate.kkt <= 1e-4 * (1 + 1e-6)
        assert random.certificate.dual == pytest.approx(best.dual, rel=1e-2)


def test_random_partners_mostly_converge():
    runs = [solve(random_problem(seed), SMO(pair="random", tol=1e-3)) for seed in range(12)]
    assert sum(run.reason is Reason.CONVERGED for run in runs) >= 8


def test_random_partners_say_when_they_give_up():
    # Few of 300 partners of a violating point can move with it: ten sweeps find none at some time.
    X, y = separated(300, 3)
    problem = Problem(X, y, kernel=Linear(), C=100.0)
    ends = [solve(problem, SMO(pair="random", tol=1e-6, seed=s)) for s in range(6)]
    assert Reason.STALLED in {run.reason for run in ends}
    for run in ends:
        if run.reason is Reason.STALLED:
            words = r"point (\d+) violates its KKT condition by ([\d.e+-]+);"
            found = re.search(words, run.stop.sentence)
            short = run.certificate.violation[int(found[1]) - 1]
            assert short == pytest.approx(float(found[2]), rel=0.1)
            assert "need not reach an optimum" in run.stop.sentence
    assert len({run.steps for run in ends}) > 1


@pytest.mark.parametrize("pair", ["platt", "random"])
@pytest.mark.parametrize("seed", range(4))
def test_sentences_are_true(pair, seed):
    X, y = cloud(30, seed, noise=0.7)
    problem = Problem(X, y, kernel=RBF(0.5), C=1.5)
    run = solve(problem, SMO(pair=pair, seed=seed))
    cursor = Cursor(run)
    said = set()
    for k in range(1, min(run.steps, 200) + 1):
        state, sentence = cursor.state(k - 1), cursor.seek(k).event.sentence
        words = re.match(r"Point (\d+) violates KKT by ([\d.e+-]+); partner (\d+) (.*): ", sentence)
        second, broken, first = int(words[1]) - 1, float(words[2]), int(words[3]) - 1
        violation = certify(problem, run.at(k - 1).expansion).violation[second]
        assert broken == pytest.approx(violation, rel=0.06)
        assert broken > run.method.tol * 0.9
        free = (state.beta > problem.dual_form.lower) & (state.beta < problem.dual_form.upper)
        said.add(why := re.sub(r", [\d.e+-]+$", "", words[4]))
        if why.startswith("has the largest"):
            away = np.where(free, np.abs(state.F - state.F[second]), -1.0)
            assert away[first] == away.max()
            assert float(words[4].split(", ")[1]) == pytest.approx(away[first], rel=0.06)
        elif "free" in why:
            assert free[first]
    assert said >= (
        {"is drawn at random"}
        if pair == "random"
        else {"has the largest |Eᵢ − Eⱼ| of the free points"}
    )


def test_sweeps_of_platt_are_marked():
    X, y = cloud(40, 2, noise=0.7)
    run = solve(Problem(X, y), SMO(pair="platt"))
    marks = run.trace.marks(0, run.steps) & 2
    sweeps = [int(Cursor(run).state(k).scalars["sweep"][0]) for k in range(1, run.steps + 1)]
    assert marks[0]
    assert [bool(m) for m in marks[1:]] == [b != a for a, b in itertools.pairwise(sweeps)]

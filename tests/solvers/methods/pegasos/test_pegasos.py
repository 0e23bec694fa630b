"""Pegasos against twenty naive lines, against its rate, and with large numbers."""

import dataclasses
import math
import re

import numpy as np
import pytest

from solvers import (
    RBF,
    SMO,
    Cursor,
    Linear,
    Pegasos,
    Polynomial,
    Problem,
    Sigmoid,
    certify,
    solve,
)
from solvers.run.formulas import number, vector
from solvers.run.random_numbers import draw
from tests.solvers.problems import cloud, define_gram

KERNELS = [Linear(), Polynomial(0.5, 1.0, 2), RBF(0.8), Sigmoid(0.3, 0.1)]


def run_naively(problem, method, steps):
    """Run the printed algorithm on beta instead of w; yield (beta, b) after each step."""
    y, lam, k = problem.y, problem.lam, method.batch_size
    K = define_gram(problem.kernel, problem.X, problem.X) + (problem.bias == "augmented")
    beta, b = np.zeros(problem.n), 0.0
    sum_beta, sum_b = np.zeros(problem.n), 0.0
    for t in range(1, steps + 1):
        f = K @ beta + b
        batch = [draw(method.seed, t, r, problem.n) for r in range(k)]
        if method.order == "cyclic":
            batch = [((t - 1) * k + r) % problem.n for r in range(k)]
        inside = [i for i in batch if y[i] * f[i] < 1]
        beta = (1 - 1 / t) * beta
        for i in inside:
            beta[i] += y[i] / (lam * t * k)
        if problem.bias == "free":
            b += sum(y[i] for i in inside) / (lam * t * k)
        length = math.sqrt(max(beta @ K @ beta, 0.0) * lam)
        if method.project and length > 1:
            beta = beta / length
        sum_beta, sum_b = sum_beta + beta, sum_b + b
        # The sum has t iterates; w_1 = 0 adds nothing to it.
        count = t if method.mean_from == "first-step" else t + 1
        shown, shown_b = (sum_beta / count, sum_b / count) if method.average else (beta, b)
        yield shown, shown.sum() if problem.bias == "augmented" else shown_b


@pytest.mark.parametrize("bias", ["free", "none", "augmented"])
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
@pytest.mark.parametrize("project", [False, True], ids=["", "projected"])
@pytest.mark.parametrize("average", [False, True], ids=["last", "averaged"])
@pytest.mark.parametrize(("batch", "C"), [(1, 0.731), (4, 31.7), (3, 4711.3)])
def test_equals_the_naive_version(bias, kernel, project, average, batch, C):
    X, y = cloud(23, 2, noise=1.0)
    problem = Problem(X, y, kernel=kernel, C=C, bias=bias)
    method = Pegasos(batch_size=batch, project=project, average=average, max_steps=300, seed=5)
    run = solve(problem, method)
    cursor = Cursor(run)
    for t, (beta, b) in enumerate(run_naively(problem, method, 300), start=1):
        expansion = cursor.seek(t, with_event=False).expansion
        size = np.abs(beta).max()
        np.testing.assert_allclose(expansion.beta, beta, atol=1e-8 * size)
        assert expansion.bias == pytest.approx(b, abs=1e-8 * (size + abs(b)))


@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize("bias", ["free", "augmented"])
def test_points_in_turn_and_means_from_the_start_equal_the_naive_version(bias, batch):
    X, y = cloud(23, 2, noise=1.0)
    problem = Problem(X, y, kernel=RBF(0.8), C=2.0, bias=bias)
    method = Pegasos(
        batch_size=batch, order="cyclic", average=True, mean_from="start", max_steps=60
    )
    run = solve(problem, method)
    for t, (beta, b) in enumerate(run_naively(problem, method, 60), 1):
        expansion = run.at(t).expansion
        assert expansion.beta == pytest.approx(beta, rel=1e-9, abs=1e-12)
        assert expansion.bias == pytest.approx(b, rel=1e-9, abs=1e-12)
    event = run.at(25).event
    assert event.values["batch"] == [(24 * batch + r) % 23 for r in range(batch)]
    assert "in turn" in event.beats[0].sentence
    assert r"\frac{1}{t + 1}" in event.formulas[-1].letters


def test_many_projections_lose_no_digits():
    # The running scale would fall below 1e-300, unless it is multiplied out in time.
    X, y = cloud(30, 3, noise=1.5)
    for kernel in (Linear(), RBF()):
        problem = Problem(X, y, kernel=kernel, C=1e5, bias="augmented")
        for average in (False, True):
            method = Pegasos(project=True, average=average, max_steps=4000)
            run = solve(problem, method)
            *_, (beta, b) = run_naively(problem, method, 4000)
            size = np.abs(beta).max()
            np.testing.assert_allclose(run.expansion.beta, beta, atol=1e-6 * size)
            assert run.expansion.bias == pytest.approx(b, abs=1e-6 * size * problem.n)
            assert run.certificate.norm * math.sqrt(problem.lam) <= 1 + 1e-7


@pytest.mark.parametrize("C", [1e-75, 1e30, 1e75])
@pytest.mark.parametrize("kernel", [Linear(), RBF()], ids=lambda kernel: kernel.name)
@pytest.mark.parametrize("project", [False, True])
def test_penalties_at_the_limits(C, kernel, project):
    X, y = cloud(30, 3)
    run = solve(Problem(X, y, kernel=kernel, C=C), Pegasos(project=project, max_steps=5000))
    certificate = run.certificate
    assert np.isfinite(run.expansion.beta).all()
    assert math.isfinite(run.expansion.bias)
    assert math.isfinite(certificate.primal)
    assert certificate.gap >= 0.0


@pytest.mark.parametrize("bias", ["free", "none", "augmented"])
def test_events_describe_the_step(bias):
    X, y = cloud(23, 2, noise=1.0)
    problem = Problem(X, y, kernel=RBF(0.8), C=3.1, bias=bias)
    run = solve(problem, Pegasos(batch_size=3, project=True, max_steps=150, seed=9))
    cursor = Cursor(run)
    before = cursor.seek(0)
    for t in range(1, 151):
        after = cursor.seek(t)
        event = after.event
        assert event.values["t"] == t
        assert event.values["batch"] == [draw(9, t, r, problem.n) for r in range(3)]
        f = certify(problem, before.expansion).decision
        np.testing.assert_allclose(event.values["margins"], (y * f)[event.values["batch"]])
        drawn = zip(event.values["batch"], event.values["margins"], strict=True)
        violating = [i for i, m in drawn if m < 1]
        assert event.values["violating"] == violating
        moved = before.expansion.beta * (1 - 1 / t)
        for i in violating:
            moved[i] += y[i] * event.values["rate"] / 3
        np.testing.assert_allclose(
            after.expansion.beta, event.values["projection"] * moved, atol=1e-12
        )
        assert event.values["projection"] <= 1.0
        before = after


@pytest.mark.parametrize("form", ["w", "theta"])
def test_sentences_on_a_batch_count_its_violators(form):
    problem = Problem(*cloud(23, 2, noise=1.0), kernel=Linear(), C=3.1)
    cursor = Cursor(solve(problem, Pegasos(batch_size=3, form=form, max_steps=100)))
    counts = set()
    for t in range(1, 101):
        event = cursor.seek(t).event
        inside = len(event.values["violating"])
        counts.add(inside)
        where = "is inside its margin line" if inside == 1 else "are inside their margin lines"
        assert event.sentence.startswith(f"{inside} of 3 drawn points {where}: ")
        margin = next(beat.sentence for beat in event.beats if beat.name == "Their y·f")
        verb, mark = "has" if inside == 1 else "have", ":" if inside else ","
        assert margin.startswith(f"{inside} of 3 drawn points {verb} y·f < 1{mark} ")
        letter = "w" if form == "w" else "θ"
        assert (f"y·x of it is added to {letter}" in margin) == (inside == 1)
        if form == "w":
            only = "" if inside else "only "
            assert f"w is {only}multiplied by 1 − 1/{t}" in event.sentence
            assert ("y·x of this point is added" in event.sentence) == (inside == 1)
            assert ("y·x of each of these is added" in event.sentence) == (inside > 1)
        else:
            assert (" + 1/3 of y·x" in event.sentence) == (inside == 1)
            assert (" + 1/3 of the sum of their y·x" in event.sentence) == (inside > 1)
    assert counts >= {0, 1, 2}


@pytest.mark.parametrize("bias", ["free", "none", "augmented"])
@pytest.mark.parametrize("project", [False, True])
@pytest.mark.parametrize("batch", [1, 3])
def test_theta_is_the_same_step(bias, project, batch):
    # w(t+1) = theta(t+1) / (lam t), where theta is the sum of y x over the counted points.
    X, y = cloud(23, 2, noise=1.0)
    problem = Problem(X, y, kernel=Linear(), C=3.1, bias=bias)
    method = Pegasos(batch_size=batch, project=project, max_steps=200)
    told_of_w = Cursor(solve(problem, method))
    cursor = Cursor(solve(problem, dataclasses.replace(method, form="theta")))
    for t in range(1, 201):
        snapshot, other = cursor.seek(t), told_of_w.seek(t)
        event, values = snapshot.event, snapshot.event.values
        assert snapshot.expansion.beta.tobytes() == other.expansion.beta.tobytes()
        assert values["theta"] == other.event.values["theta"]
        added = sum((y[i] * X[i] for i in values["violating"]), np.zeros(2))
        grown = np.array(values["theta_before"]) + added / batch
        np.testing.assert_allclose(values["theta"], values["projection"] * grown, atol=1e-9)
        w = snapshot.expansion.beta @ X
        np.testing.assert_allclose(w, np.array(values["theta"]) / (problem.lam * t), atol=1e-9)
        assert f"w = {values['rate']:.3g} θ({t + 1})" in event.sentence
        assert "θ" not in other.event.sentence
        formulas = {formula.letters[:15]: formula for formula in event.formulas}
        counted, read_off = formulas.get(r"\theta_{t+1} = "), formulas[r"w_{t+1} = \frac"]
        scaled = formulas.get(r"\theta_{t+1} \l")
        assert (scaled is not None) == (values["projection"] < 1.0)
        if scaled:
            assert scaled.numbers.endswith(vector(np.array(values["theta"]) + 0.0))
        assert (counted is not None) == bool(values["violating"])
        if counted:
            assert counted.numbers.startswith(rf"\theta_{{{t + 1}}} = \left(")
            assert counted.numbers.endswith(vector(grown + 0.0))
        assert read_off.numbers.endswith(vector(w / values["projection"] + 0.0))
        assert read_off.letters == r"w_{t+1} = \frac{1}{\lambda t}\, \theta_{t+1}"


@pytest.mark.parametrize("bias", ["free", "none", "augmented"])
@pytest.mark.parametrize("kernel", [Linear(), RBF()], ids=lambda kernel: kernel.name)
@pytest.mark.parametrize("project", [False, True])
def test_the_notation_of_lectures_has_indices_one_lower(bias, kernel, project):
    problem = Problem(*cloud(23, 2, noise=1.0), kernel=kernel, C=3.1, bias=bias)
    method = Pegasos(form="theta", project=project, average=True, max_steps=40)
    own, lecture = (
        Cursor(solve(problem, dataclasses.replace(method, form=form)))
        for form in ("theta", "lecture")
    )
    for t in range(1, 41):
        one, other = own.seek(t), lecture.seek(t)
        assert one.expansion.beta.tobytes() == other.expansion.beta.tobytes()
        assert f"θ({t}) = θ({t - 1})" in other.event.sentence
        assert f"θ({t + 1}) = θ({t})" in one.event.sentence
        (said,) = [b.sentence for b in other.event.beats if "Pegasos' own" in b.sentence]
        assert f"w({t}) is θ({t})/(λ · {t})" in said
        assert f"one higher: w({t + 1}) = θ({t + 1})/(λ · {t})" in said
        pairs = list(zip(one.event.formulas, other.event.formulas, strict=True))
        for theirs, ours in pairs:
            assert "t+1" not in ours.letters.replace("t + 1", "")
            lower = re.sub(r"_\{(\d+)\}", "", theirs.numbers)
            # Only the indices differ, none of the numbers.
            assert re.sub(r"_\{(\d+)\}", "", ours.numbers) == lower
        if problem.linear:
            assert any(rf"w_{{{t}}} = " in ours.numbers for _, ours in pairs)
    lines = {line.label: line.text for line in lecture.run.method.pseudo_code(problem).lines}
    assert lines["scale"].strip() == "w(t) ← θ(t) / (λt)"
    assert lines["theta"].strip().startswith("θ(t) ← θ(t−1) +")


@pytest.mark.parametrize("batch", [1, 4])
def test_theta_of_a_nonlinear_kernel_is_shown_as_counts(batch):
    problem = Problem(*cloud(9, 2), kernel=RBF(), C=1.0)
    cursor = Cursor(solve(problem, Pegasos(form="theta", batch_size=batch, max_steps=60)))
    counts = np.zeros(9)
    for t in range(1, 61):
        after = cursor.seek(t)
        event = after.event
        assert (event.values["theta_before"], event.values["theta"]) == (None, None)
        old = counts.copy()
        np.add.at(counts, list(event.values["violating"]), 1)
        *counted, read_off = (
            f.numbers.split(r", \quad ") for f in event.formulas if "count" in f.letters
        )
        assert bool(counted) == bool(event.values["violating"])
        for place, one in enumerate(event.values["coefficients"][:3]):
            i = one["i"]
            if counted:
                assert counted[0][place].endswith(f"= {number(counts[i])}")
                assert rf"\leftarrow {number(old[i])} +" in counted[0][place]
            beta = problem.y[i] * counts[i] / (problem.lam * t * batch)
            assert beta == pytest.approx(after.expansion.beta[i])
            assert read_off[place].startswith(rf"\beta_{{{i + 1}}} ")
            assert read_off[place].endswith(f"= {number(beta)}")


@pytest.mark.parametrize("kernel", [Linear(), RBF(0.8)], ids=lambda kernel: kernel.name)
@pytest.mark.parametrize("bias", ["free", "none", "augmented"])
def test_the_mean_in_formulas_is_the_mean_shown(kernel, bias):
    problem = Problem(*cloud(15, 2), kernel=kernel, C=1.0, bias=bias)
    cursor = Cursor(solve(problem, Pegasos(average=True, project=True, max_steps=40)))
    for t in range(1, 41):
        after = cursor.seek(t)
        values, shown = after.event.values, after.expansion
        name = "" if kernel.name == "linear" else "_beta"
        before, last, mean = (
            np.array(values[f"{which}{name}"]) for which in ("mean_before", "mean_last", "mean")
        )
        assert mean == pytest.approx(shown.beta[values["visited"]] if name else shown.w)
        assert mean == pytest.approx((1 - 1 / t) * before + last / t, abs=1e-12)
        if bias != "none":
            assert values["mean_b"] == pytest.approx(shown.bias)
        assert after.event.formulas[-1].numbers.startswith(r"\bar{")


def test_draws_are_uniform_and_repeatable():
    n = 13
    draws = np.array([draw(7, t, r, n) for t in range(1, 2001) for r in range(3)])
    assert draws.min() == 0
    assert draws.max() == n - 1
    counts = np.bincount(draws, minlength=n)
    # Chi-squared with 12 degrees of freedom is above 40 once in 10,000 seeds.
    assert ((counts - 6000 / n) ** 2 / (6000 / n)).sum() < 40
    assert draw(7, 5, 0, n) == draws[12]
    others = [[draw(seed, t, 0, 1000) for t in range(50)] for seed in (0, 1, 2**31 - 1)]
    assert len({tuple(other) for other in others}) == 3


@pytest.mark.parametrize("bias", ["none", "augmented"])
def test_the_average_approaches_the_optimum(bias):
    # O(log T / (lam T)) holds without a bias, and with a regularised one.
    X, y = cloud(60, 4, noise=1.0)
    problem = Problem(X, y, kernel=Linear(), C=1 / 60 / 0.05, bias=bias)
    gaps = [
        solve(problem, Pegasos(average=True, max_steps=steps)).certificate.relative_gap
        for steps in (300, 10_000, 200_000)
    ]
    assert gaps[0] > gaps[1] > gaps[2]
    assert gaps[2] < 0.03


def test_free_bias_comes_near_the_optimum_of_smo():
    X, y = cloud(60, 4, noise=1.0)
    problem = Problem(X, y, kernel=Linear(), C=0.5)
    best = solve(problem, SMO(tol=1e-6)).certificate.primal
    run = solve(problem, Pegasos(average=True, max_steps=100_000))
    assert best <= run.certificate.primal < 1.02 * best
    # The repaired alpha bounds the same optimum from below.
    assert run.certificate.repaired
    assert run.certificate.dual <= best * (1 + 1e-9)

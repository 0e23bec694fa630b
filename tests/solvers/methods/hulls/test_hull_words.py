"""What is said of a step of the hulls is true of p, q and the weights, computed here anew."""

import math
import re

import numpy as np
import pytest

from solvers import RBF, Cursor, Hulls, Linear, Problem, solve
from tests.solvers.latex import equation, evaluate
from tests.solvers.problems import separated

X, Y = separated(18, 9, gap=0.5)
KERNELS = {"linear": Linear(), "rbf": RBF(0.8)}
METHODS = {
    "pairwise": Hulls(),
    "means": Hulls(initial="means"),
    "mdm": Hulls(algorithm="mdm", tol=1e-6),
    "mdm reduced": Hulls(algorithm="mdm", mu=0.3),
    "wolfe": Hulls(algorithm="wolfe", tol=1e-9),
    "wolfe reduced": Hulls(algorithm="wolfe", mu=0.3, tol=1e-9),
}
every_method = pytest.mark.parametrize("name", METHODS)
every_kernel = pytest.mark.parametrize("kernel", KERNELS)


def steps_of(name, kernel, most=80):
    problem = Problem(X, Y, KERNELS[kernel], C=math.inf)
    run = solve(problem, METHODS[name])
    states, cursor = Cursor(run), Cursor(run)
    K = problem.kernel(X, X)
    for step in range(1, min(run.steps, most) + 1):
        before, after = (run.method.weights(problem, states.state(k)) for k in (step - 1, step))
        yield K, before, after, cursor.seek(step).event


def distance(K, tau):
    return math.sqrt(max((Y * tau) @ K @ (Y * tau), 0.0))


def true_gap(K, tau, mu):
    """Return the most by which half the squared distance can fall, from the inner products."""
    g, total = Y * (K @ (Y * tau)), 0.0
    for label in (1.0, -1.0):
        own = label == Y
        total += max(0.0, g[own & (tau > 0.0)].max() - g[own & (tau < mu)].min(initial=np.inf))
    return total


@pytest.mark.parametrize("name", ["wolfe", "wolfe reduced"])
@every_kernel
def test_the_gap_and_what_it_bounds_are_true(name, kernel):
    told, smallest = set(), math.inf
    steps = list(steps_of(name, kernel))
    best = 0.5 * min(distance(K, after) for K, _, after, _ in steps) ** 2
    for K, _, after, event in steps:
        half, gap = 0.5 * distance(K, after) ** 2, true_gap(K, after, METHODS[name].mu)
        formula = next(f for f in event.formulas if r"\max_{\tau_i > 0}" in f.letters)
        assert r"\max\left(0,\ \max_{\tau_i > 0}" in formula.letters
        assert (r"\varphi(x_i)" in formula.letters) == (kernel == "rbf")
        shown = event.values["gap"]
        assert shown == 0.0 or shown > 1e-14
        assert shown == pytest.approx(gap, rel=1e-6, abs=1e-12)
        left, right = (float(evaluate(side)[0]) for side in equation(formula.numbers))
        assert left == pytest.approx(right, rel=2e-3, abs=1e-12)
        assert half - best <= shown + 1e-9
        sentence = event.beats[0 if event.values["idle"] else -1].sentence
        bounds = re.search(r"‖p − q‖²/2 = ([\d.e-]+) can still fall by at most ", sentence)
        told.add("falls" if bounds else "nothing" if "but it is only" in sentence else "zero")
        if bounds:
            assert shown < half
            assert float(bounds[1]) == pytest.approx(half, rel=6e-3)
        elif shown:
            assert shown >= half
        smallest = min(smallest, shown)
    assert "falls" in told
    assert smallest < 1e-6


@every_method
@every_kernel
def test_two_distances_that_differ_are_written_differently(name, kernel):
    for K, before, after, event in steps_of(name, kernel):
        old, new = distance(K, before), distance(K, after)
        for text in (event.sentence, *(beat.sentence for beat in event.beats)):
            for first, second in re.findall(r"(\d[\d.e-]*)(?: to | → )(\d[\d.e-]*\d)", text):
                if "‖p − q‖" in text or "distance of p" in text:
                    assert first != second, text
            found = re.search(r"‖p − q‖: ([\d.]+) → ([\d.]+\d)", text)
            if found:
                assert float(found[1]) == pytest.approx(old, rel=1e-3)
                assert float(found[2]) == pytest.approx(new, rel=1e-3)
                assert (float(found[2]) < float(found[1])) == (new < old)


@pytest.mark.parametrize("name", ["pairwise", "means"])
@every_kernel
def test_the_weights_that_become_0_are_named(name, kernel):
    seen = set()
    for _, before, after, event in steps_of(name, kernel, 300):
        i, j = event.values["i"], event.values["j"]
        empty = [k + 1 for k in (i, j) if after[k] == 0.0 and before[k] > 0.0]
        if event.values["clipped"]:
            clause = "both are 0" if len(empty) == 2 else f"ζ of point {empty[0]} is 0"
            assert f", until {clause};" in event.sentence
            seen.add(len(empty))
        else:
            assert "until" not in event.sentence
    assert seen


@every_method
@every_kernel
def test_points_of_a_nonlinear_kernel_are_images_in_its_space(name, kernel):
    for _, _, _, event in steps_of(name, kernel, 20):
        texts = [f.letters for f in event.formulas] + [beat.sentence for beat in event.beats]
        inner = [text for text in texts if r"\langle p - q,\ x_i" in text or "sums of ζx" in text]
        images = [text for text in texts if "varphi" in text or "φ(x)" in text]
        assert not (inner if kernel == "rbf" else images)
    code = METHODS[name].pseudo_code(Problem(X, Y, KERNELS[kernel], C=math.inf))
    text = " ".join(line.text for line in code.lines)
    assert ("φ(x" in text) == (kernel == "rbf" and "wolfe" not in name)


@pytest.mark.parametrize("name", ["wolfe", "wolfe reduced"])
def test_weights_of_the_corral_add_up_to_the_digits_shown(name):
    checked = 0
    for _, _, _, event in steps_of(name, "rbf"):
        for formula in event.formulas:
            for part in re.split(r", \\quad ", formula.numbers):
                if r"\tau" not in part:
                    continue
                checked += 1
                left, right = (float(evaluate(side)[0]) for side in equation(part))
                assert left == pytest.approx(right, rel=2e-3, abs=1e-12)
    assert checked

"""What the methods that add points to w say is true of w, b and the margins of the step."""

import re

import numpy as np
import pytest

from solvers import (
    RBF,
    CoordinateAscent,
    Cursor,
    Linear,
    Pegasos,
    Perceptron,
    Problem,
    Subgradient,
    solve,
)
from tests.solvers.problems import cloud

KERNELS = {"linear": Linear(), "rbf": RBF(0.8)}
METHODS = {
    "pegasos": Pegasos(max_steps=40),
    "theta": Pegasos(max_steps=40, form="theta"),
    "batch": Pegasos(max_steps=40, batch_size=3),
    "ball": Pegasos(max_steps=40, form="theta", project=True),
    "mean": Pegasos(max_steps=40, average=True),
    "subgradient": Subgradient(max_steps=40),
    "perceptron": Perceptron(),
    "ascent": CoordinateAscent(max_steps=60),
}
every_method = pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)


def problem_of(kernel, bias, method):
    bias = bias if bias in method.biases else "augmented"
    return Problem(*cloud(20, 2, noise=0.8), KERNELS[kernel], C=2.0, bias=bias)


def steps_of(run, most=40):
    states, cursor = Cursor(run), Cursor(run)
    for step in range(1, min(run.steps, most) + 1):
        yield step, states.state(step - 1), states.state(step), cursor.seek(step)


def texts_of(event):
    texts = [event.sentence, event.why]
    for beat in event.beats:
        texts += [beat.sentence, *(text for _, text in (*beat.notes, *beat.lines))]
    return texts


@every_method
@pytest.mark.parametrize("kernel", KERNELS)
def test_what_is_added_is_x_or_its_image_in_the_feature_space(method, kernel):
    run = solve(problem_of(kernel, "free", method), method)
    lines = [line.text for line in run.method.pseudo_code(run.problem).lines]
    assert any("yᵢφ(xᵢ)" in line for line in lines) == (kernel == "rbf")
    assert any("yᵢxᵢ" in line for line in lines) == (kernel == "linear")
    told = False
    for _, _, _, snapshot in steps_of(run):
        for text in texts_of(snapshot.event):
            told = told or "y·φ(x)" in text
            assert "y·x" not in text or kernel == "linear"
            assert "φ" not in text or kernel == "rbf"
    assert told == (kernel == "rbf")


@pytest.mark.parametrize("form", ["w", "theta"])
@pytest.mark.parametrize("bias", ["free", "none", "augmented"])
@pytest.mark.parametrize("kernel", KERNELS)
def test_a_projection_says_the_norm_it_measures_and_scales_theta_too(kernel, bias, form):
    method = Pegasos(max_steps=40, project=True, form=form)
    problem, seen = problem_of(kernel, bias, method), 0
    run = solve(problem, method)
    K = problem.kernel(problem.X, problem.X)
    whole = {line.label: line.text for line in method.pseudo_code(problem).lines}["ball"]
    assert ("θ" in whole) == (form == "theta")
    assert ("(w, b)" in whole) == (bias == "augmented")
    for t, before, after, snapshot in steps_of(run):
        beats = {beat.name: beat for beat in snapshot.event.beats}
        assert not re.search(
            r"count\}_\{\d+\}", " ".join(f.numbers for f in snapshot.event.formulas)
        )
        if "Project" not in beats:
            continue
        seen += 1
        found = re.match(r"(‖\(w, b\)‖|‖w‖) = ([\d.e+]+) is beyond", beats["Project"].sentence)
        assert found[1] == ("‖(w, b)‖" if bias == "augmented" else "‖w‖")
        factor = snapshot.event.values["projection"]
        beta = snapshot.expansion.beta / factor
        squared = beta @ K @ beta + (beta.sum() ** 2 if bias == "augmented" else 0.0)
        assert float(found[2]) == pytest.approx(np.sqrt(squared), rel=6e-3)
        assert ("θ" in beats["Project"].sentence) == (form == "theta")
        if form == "theta":
            scaled = [f for f in beats["Project"].formulas if r"\theta_{t+1} \l" in f.letters]
            assert len(scaled) == 1
            # The next step starts from this theta: lam t w, or the counts.
            value = snapshot.event.values
            if kernel == "linear":
                expected = problem.lam * t * (snapshot.expansion.beta @ problem.X)
                assert value["theta"] == pytest.approx(expected, rel=1e-6, abs=1e-12)
            else:
                i = value["coefficients"][0]["i"]
                count = abs(snapshot.expansion.beta[i]) * problem.lam * t
                assert value["count_projected"] == pytest.approx(count, rel=1e-6, abs=1e-12)
        del before, after
    assert seen


@pytest.mark.parametrize("mean_from", ["first-step", "start"])
def test_beside_a_mean_a_margin_says_whose_it_is(mean_from):
    method = Pegasos(max_steps=40, average=True, mean_from=mean_from, project=True)
    problem = problem_of("rbf", "free", method)
    cursor, iterates = (
        Cursor(solve(problem, method)),
        Cursor(solve(problem, Pegasos(max_steps=40, project=True))),
    )
    for t in range(1, 41):
        mean, last, old = cursor.seek(t), iterates.seek(t).expansion, None
        *others, end = mean.event.beats
        assert end.name == "Mean"
        old = iterates.seek(t - 1).expansion
        for beat in others:
            for point, text in beat.notes:
                assert text.startswith("last w: y·f ")
                first = float(re.search(r"y·f (?:= )?([-\d.e]+)", text)[1])
                if "→" not in text:
                    expected = problem.y[point] * old(problem.X[[point]])[0]
                    assert first == pytest.approx(expected, rel=6e-3, abs=1e-9)
        point, text = end.notes[0]
        shown = float(text.removeprefix("mean: y·f = "))
        expected = problem.y[point] * mean.expansion(problem.X[[point]])[0]
        assert shown == pytest.approx(expected, rel=6e-3, abs=1e-9)
        changed = [text for beat in others for p, text in beat.notes if "→" in text and p == point]
        after = float(changed[-1].rsplit(" ", 1)[1])
        assert after == pytest.approx(problem.y[point] * last(problem.X[[point]])[0], rel=6e-3)
        assert "for the last w" in mean.event.sentence
        share = re.search(r"moves 1/(\d+) of the way", end.sentence)
        if t == 1 and mean_from == "first-step":
            assert share is None
        else:
            assert int(share[1]) == t + (mean_from == "start")


@pytest.mark.parametrize("method", [METHODS["batch"], METHODS["pegasos"]], ids=["batch", "one"])
def test_titles_speak_of_one_point_or_of_a_batch(method):
    event = solve(problem_of("linear", "free", method), method).at(1).event
    one = method.batch_size == 1
    assert [beat.name for beat in event.beats[:2]] == (
        ["The point drawn", "Its y·f"] if one else ["The batch drawn", "Their y·f"]
    )


@every_method
def test_a_factor_is_not_read_as_a_number_of_times(method):
    run = solve(problem_of("linear", "free", method), method)
    for _, _, _, snapshot in steps_of(run):
        assert not [text for text in texts_of(snapshot.event) if re.search(r"\d times to", text)]


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("rate", ["inverse", "constant", "root"])
def test_rounding_of_b_is_not_shown_by_the_subgradient(kernel, rate):
    method = Subgradient(max_steps=200, rate=rate, eta0=0.7)
    X = np.array([[0.1, 0.2], [-0.3, 0.1], [0.2, -0.4], [-0.1, -0.1]])
    problem = Problem(X, np.array([1.0, -1.0, 1.0, -1.0]), KERNELS[kernel], C=3.3, bias="augmented")
    for _, _, _, snapshot in steps_of(solve(problem, method), 200):
        for formula in snapshot.event.formulas:
            if formula.letters.startswith("b_{t+1}"):
                assert not re.search(r"10\^\{-1[3-9]\}", formula.numbers), formula.numbers


@pytest.mark.parametrize("bias", ["none", "augmented"])
def test_coordinate_ascent_stays_for_the_reason_of_its_line(bias):
    problem = Problem(*cloud(24, 2, noise=0.8), RBF(0.8), C=0.7, bias=bias)
    run = solve(problem, CoordinateAscent(shrinking=False))
    (stay,) = (x.text for x in run.method.pseudo_code(problem).lines if x.label == "stay")
    assert stay.strip() == "if G = 0 or −G points out of [0, C]: next i"
    reasons = set()
    for _, before, after, snapshot in steps_of(run, run.steps):
        values = snapshot.event.values
        if not values["stays"]:
            continue
        assert (before.beta == after.beta).all()
        G, alpha = values["gradient"], values["old"]
        assert G == 0.0 or (alpha == 0.0 and G > 0.0) or (alpha == problem.C and G < 0.0)
        reasons.add("top" if G == 0.0 else "bound")
    assert "bound" in reasons

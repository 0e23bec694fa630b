"""What the beats of a step say is what the step computed."""

import re

import numpy as np
import pytest

from solvers import (
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
    solve,
)
from svmviz.window.help.contents import pages
from tests.solvers.methods.test_beats import EXPLAINED
from tests.solvers.methods.test_contract import variants_of
from tests.solvers.problems import cloud, contradictory, separated, wave

PAIR_METHODS = [SMO(), SMO(pair="maximal-violation"), WorkingSet(), WorkingSet(choice="osuna")]
by_pairs = pytest.mark.parametrize("method", PAIR_METHODS, ids=repr)


def beats_of(run, steps=60):
    """Yield each step, its event and its beats by their names."""
    cursor = Cursor(run)
    for step in range(1, min(run.steps, steps) + 1):
        event = cursor.seek(step).event
        yield step, event, {beat.name: beat for beat in event.beats}


@by_pairs
@pytest.mark.parametrize("points", [cloud(30, 2), contradictory(24, 1)], ids=["cloud", "twins"])
def test_the_rule_that_breaks_a_tie_is_true_of_the_points_named(method, points):
    ties = 0
    for _, _, beats in beats_of(solve(Problem(*points, RBF(1.0), C=1.0), method)):
        for name in ("Which may rise", "Which may fall"):
            if name not in beats:
                continue
            sentence = beats[name].sentence
            found = re.search(r", at point (\d+) \(tied with ([\d, ]+).*; (.*?)\)", sentence)
            if found is None:
                continue
            ties += 1
            own, rule = int(found[1]), found[3]
            others = [int(number) for number in found[2].rstrip(", ").split(", ")]
            if rule == "the lower number goes first":
                assert own < min(others), sentence
            assert rule != "the higher number goes first"
    assert ties


@pytest.mark.parametrize("method", PAIR_METHODS[:2], ids=repr)
def test_the_point_named_as_m_is_the_first_with_the_largest_error(method):
    problem = Problem(*contradictory(24, 1), RBF(1.0), C=1.0)
    run = solve(problem, method)
    states = Cursor(run)
    for step, _, beats in beats_of(run):
        before, sentence = states.state(step - 1), beats["Which may fall"].sentence
        falling = np.flatnonzero(before.beta > problem.dual_form.lower)
        m = falling[np.argmin(before.F[falling])]
        assert f", at point {m + 1}" in sentence


@by_pairs
def test_a_regression_counts_variables_and_names_the_errors_that_it_compares(method):
    problem = Regression(*wave(24, 1), RBF(0.8), C=2.0, epsilon=0.2)
    run = solve(problem, method)
    cursor, checked = Cursor(run), 0
    for step, event, beats in beats_of(run):
        texts = [event.sentence, *(beat.sentence for beat in event.beats)]
        counts = [int(n) for text in texts for n in re.findall(r"(\d+) points", text)]
        assert max(counts, default=0) <= problem.n
        for text in texts:
            assert not re.search(r"points (form|may)", text), text
        if "Which may rise" not in beats:
            continue
        rise = beats["Which may rise"].sentence
        found = re.search(r"is ([-\d.e]+), at α(\*?) of point (\d+)", rise)
        k, side = int(found[3]) - 1, 1.0 if found[2] else -1.0
        if isinstance(method, SMO):
            f = cursor.seek(step - 1).expansion(problem.X[[k]])[0]
            expected = f - problem.y[k] + side * problem.epsilon
            assert float(found[1]) == pytest.approx(expected, rel=6e-3, abs=1e-4)
            checked += 1
    assert checked or isinstance(method, WorkingSet)
    # y is a target in a regression, so it is not the sign of a variable.
    lines = [line.text for line in method.pseudo_code(problem).lines]
    assert not any("yⱼ" in line or "αy" in line for line in lines)
    assert any("s = +1 for α*" in line for line in lines)


def test_new_values_of_a_regression_name_their_variables():
    run = solve(Regression(*wave(24, 1), RBF(0.8), C=2.0, epsilon=0.2), SMO())
    names = set()
    for _, event, beats in beats_of(run):
        values, last = event.values, list(beats.values())[-1]
        for (_, note), variable in zip(last.notes, (values["i"], values["j"]), strict=True):
            assert note.startswith("α* ") == (variable < run.problem.n)
            names.add(note[:2])
    assert names == {"α*", "α "}


def test_the_pairwise_sweep_has_two_names_for_its_two_weights():
    run = solve(Problem(*separated(18, 9), Linear(), C=1.0), Hulls())
    states = Cursor(run)
    for step, event, beats in beats_of(run):
        weights = run.method.weights(run.problem, states.state(step))
        values, last = event.values, beats["The step"]
        assert values["share_i"] == pytest.approx(weights[values["i"]])
        assert values["share_j"] == pytest.approx(weights[values["j"]])
        assert all(note.startswith("ζ") for _, note in last.notes)
        assert [f"{weights[values[k]]:.3g}" for k in "ij"] == [x for _, x in last.values[2:4]]
        assert "u and v are the sums of ζx" in beats["The segment"].sentence


@pytest.mark.parametrize("bias", ["none", "augmented"])
def test_coordinate_ascent_divides_by_the_number_of_its_line(bias):
    problem = Problem(*cloud(20, 2), RBF(0.8), C=2.0, bias=bias)
    method = CoordinateAscent(max_steps=60)
    lines = {line.label: line.text for line in method.pseudo_code(problem).lines}
    assert lines["top"].endswith("G / (Kᵢᵢ + 1)" if bias == "augmented" else "G / Kᵢᵢ")
    assert ("b" in lines) == (bias == "augmented")
    for _, event, beats in beats_of(solve(problem, method)):
        lit = {label: text for beat in beats.values() for label, text in beat.lines}
        if bias == "augmented" and event.values["moved_by"]:
            assert lit["b"] == f"b = {event.values['b'] + 0.0:.3g}"


def test_the_corrector_of_the_interior_point_has_the_terms_of_its_step():
    problem = Problem(*cloud(20, 2), RBF(0.8), C=2.0)
    lines = {line.label: line.text for line in InteriorPoint().pseudo_code(problem).lines}
    assert "min(1, μᵃᶠᶠ / μ)³" in lines["center"]
    # The second-order error of the predictor; C - alpha falls if alpha rises.
    assert lines["correct"].endswith("αu = ωμ − ΔᵃᶠᶠαΔᵃᶠᶠu,")
    assert lines["correct-v"].endswith("(C − α)v = ωμ + ΔᵃᶠᶠαΔᵃᶠᶠv")
    run = solve(problem, InteriorPoint())
    for step in range(1, run.steps):
        values = run.at(step).event.values
        ratio = values["mu_affine"] / values["mu"]
        assert values["sigma"] == pytest.approx(min(1.0, ratio) ** 3)


@pytest.mark.parametrize("changes", [{}, {"form": "theta"}, {"project": True}, {"average": True}])
def test_the_last_beat_of_pegasos_notes_what_the_picture_shows(changes):
    """The last beat is drawn after the step, so the numbers beside its points are those then."""
    problem = Problem(*cloud(20, 2, noise=0.8), RBF(0.8), C=2.0)
    run = solve(problem, Pegasos(max_steps=40, batch_size=2, **changes))
    cursor = Cursor(run)
    for step, event, _ in beats_of(run, 40):
        shown = cursor.seek(step).expansion
        for point, note in event.beats[-1].notes:
            expected = problem.y[point] * shown(problem.X[[point]])[0]
            assert float(note.rsplit(" ", 1)[1]) == pytest.approx(expected, rel=6e-3, abs=1e-9)


@pytest.mark.parametrize(
    "method",
    [
        SMO(),
        WorkingSet(),
        InteriorPoint(),
        CoordinateAscent(max_steps=300),
        Pegasos(max_steps=300),
        Subgradient(max_steps=100),
        Perceptron(),
        Hulls(),
    ],
    ids=lambda method: method.name,
)
@pytest.mark.parametrize("kernel", [Linear(), RBF(0.8)], ids=lambda kernel: kernel.name)
def test_rounding_noise_is_not_shown(method, kernel):
    points = separated(20, 3) if method.name in ("hulls", "perceptron") else cloud(24, 2)
    bias = "free" if "free" in method.biases else "augmented"
    for _, event, _ in beats_of(solve(Problem(*points, kernel, C=1.0, bias=bias), method), 300):
        for beat in event.beats:
            values = [float(text[4:]) for _, text in beat.lines if text.startswith("b = ")]
            assert all(value == 0.0 or abs(value) > 1e-13 for value in values), beat.lines
        for formula in event.formulas:
            assert not re.search(r"\b1 - .{0,8}[\d.]+ \\cdot 10\^\{-1[5-9]\}", formula.numbers)
            if formula.letters.startswith("b"):
                assert not re.search(r"= .{0,3}[\d.]+ \\cdot 10\^\{-1[4-9]\}$", formula.numbers)


@pytest.mark.parametrize("kind", EXPLAINED.values(), ids=EXPLAINED)
def test_every_letter_of_a_method_is_among_its_symbols(kind):
    """Greek letters and capitals; C, D, K and others are letters of the mathematics only."""
    page = pages()[f"method:{kind.name}"]
    meanings = " ".join(f"{name} {meaning}" for name, meaning in page.symbols)
    assert all(meaning for _, meaning in page.symbols)
    assert len({name for name, _ in page.symbols}) == len(page.symbols)
    texts = list(page.paragraphs)
    for method in variants_of(kind):
        for problem in problems_of(kind):
            texts += [line.text for line in method.pseudo_code(problem).lines]
    words = re.sub(r"\b[A-Z][a-z]+|\b[A-Z]{2,}|A |KKT|M\b", " ", " ".join(texts))
    letters = set(re.findall(r"[Α-Ωα-ω]|(?<![A-Za-z])[B-Z](?![A-Za-z])", words)) - {"I"}
    unsaid = sorted(letters - set(meanings))
    assert not unsaid, f"assets/help/methods/{kind.name}.md does not say in symbols: {unsaid}"


def problems_of(kind):
    """Yield a small problem for each task and bias of a method."""
    for bias in kind.biases:
        yield Problem(*cloud(6, 1), Linear(), C=1.0, bias=bias)
        if "regression" in kind.tasks:
            yield Regression(*wave(6, 1), Linear(), C=1.0, epsilon=0.1, bias=bias)


@pytest.mark.parametrize("method", [*PAIR_METHODS, SMO(pair="platt"), CoordinateAscent()], ids=repr)
def test_what_d_is_is_said_where_it_first_stands(method):
    bias = "free" if "free" in method.biases else method.biases[0]
    run = solve(Problem(*cloud(30, 2), RBF(1.0), 1.0, bias=bias), method)
    for step, _, beats in beats_of(run, 4):
        words = [beat.sentence for beat in beats.values() if re.search(r"\bD\b", beat.sentence)]
        assert all(re.search("dual objective|lower bound", said) for said in words[:1]), step

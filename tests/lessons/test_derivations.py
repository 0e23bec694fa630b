"""Derivations are read from texts, and every line of every derivation holds at every step."""

import textwrap
from pathlib import Path

import numpy as np
import pytest

from solvers import (
    RBF,
    SMO,
    Custom,
    HomogeneousQuadratic,
    Hulls,
    InteriorPoint,
    Linear,
    Pegasos,
    Perceptron,
    Polynomial,
    Sigmoid,
    solve,
)
from solvers.errors import BadInput
from svmviz.document.document import Penalty
from svmviz.frames.lane_reader import make_frame
from svmviz.frames.viewport import Grid
from svmviz.lessons.derivations import derivations, read_derivation, show
from svmviz.lessons.values import NAMES, FrameValues
from svmviz.window.help.contents import pages
from tests.plane.frames import fitted, solved
from tests.stages import eight, moons, sine

CONDITIONAL = Custom("1 - (x1 - z1)^2 - (x2 - z2)^2")
SCENES = {
    "eight": eight(),
    "eight, Pegasos": eight(methods=(Pegasos(max_steps=300),)),
    "eight, hard margin": eight(penalty=Penalty("C", np.inf)),
    "eight, hulls": eight(methods=(Hulls(algorithm="pairwise"),), penalty=Penalty("C", np.inf)),
    "moons": moons(40),
    "moons, linear": moons(40, kernel=Linear(), penalty=Penalty("C", 1.0)),
    "moons, cubic": moons(40, kernel=Polynomial(gamma=0.5, coef0=1.0, degree=3)),
    "moons, Pegasos": moons(40, methods=(Pegasos(max_steps=500),)),
    "moons, no bias": moons(40, methods=(Pegasos(max_steps=200),), bias="none"),
    "moons, perceptron": moons(40, methods=(Perceptron(),), kernel=RBF(3.0)),
    "moons, interior point": moons(40, methods=(InteriorPoint(),)),
    "moons, quadratic": moons(40, kernel=HomogeneousQuadratic()),
    "moons, Pegasos with a regularised bias": moons(
        40, methods=(Pegasos(max_steps=500, average=True),), bias="augmented"
    ),
    "moons, random pairs": moons(40, methods=(SMO(pair="random"),)),
    "moons, Platt": moons(40, methods=(SMO(pair="platt"),), penalty=Penalty("C", 0.5)),
    "sine": sine(30),
    "sine, linear": sine(30, kernel=Linear()),
    "sine, quadratic": sine(30, kernel=HomogeneousQuadratic()),
    "moons, Pegasos with projection": moons(
        40, methods=(Pegasos(max_steps=200, project=True),), bias="augmented"
    ),
    "eight, perceptron without a bias": eight(methods=(Perceptron(),), bias="none"),
    "moons, no kernel": moons(40, kernel=Sigmoid(1.0, -1.0)),
    "moons, no kernel, hard margin": moons(
        40, kernel=Sigmoid(1.0, -1.0), penalty=Penalty("C", np.inf)
    ),
    "moons, no kernel, perceptron": moons(40, kernel=CONDITIONAL, methods=(Perceptron(),)),
    "moons, a kernel for a free bias": moons(40, kernel=CONDITIONAL),
    "moons, a kernel for a free bias, Pegasos": moons(
        40, kernel=CONDITIONAL, methods=(Pegasos(max_steps=200),)
    ),
}


def frames_of(document, steps):
    """Yield the frames of the first, the last and some random steps."""
    run = solve(document.problem(), document.method)
    grid = Grid(*fitted(document).view, 8, 8)
    random = np.random.default_rng(run.steps).integers(0, run.steps + 1, steps - 2)
    for step in np.unique([0, run.steps, *random]).tolist():
        yield make_frame(document, (run,), step, grid)


def check(scene, steps):
    # A frame takes longer than all derivations of it.
    for frame in frames_of(SCENES[scene], steps):
        for derivation in derivations().values():
            check_at(derivation, frame)


def check_at(derivation, frame):
    shown = show(derivation, frame)
    if shown.trouble:
        assert shown.trouble == f"Its numbers need {derivation.suits}.", derivation.title
        return
    for number, line in enumerate(shown.lines, 1):
        place = derivation.title, number, line.numbers, frame.lane.step
        assert line.holds in (True, None), place
        assert "nan" not in line.numbers, place
        assert all(0 <= i < frame.lane.problem.n for i in line.lit), place


@pytest.mark.parametrize("scene", SCENES)
def test_every_line_holds(scene):
    check(scene, 4)


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES)
def test_every_line_holds_at_many_steps(scene):
    check(scene, 50)


@pytest.mark.parametrize("name", derivations())
def test_every_derivation_has_numbers_somewhere(name):
    ends = (solved(document, fitted(document), nodes=8) for document in SCENES.values())
    assert any(not show(derivations()[name], frame).trouble for frame in ends)


def test_the_values_are_those_of_the_certificate():
    frame = solved(moons(40), fitted(moons(40)), 20, nodes=8)
    values, certificate = FrameValues(frame), frame.lane.certificate
    assert (values["P"], values["D"]) == (certificate.primal, certificate.dual)
    assert values["free"] + values["at_C"] == values["support"]
    np.testing.assert_array_equal(values["feasible"], certificate.alpha)
    assert set(values) == set(NAMES)


def test_the_lagrange_function_is_0_at_step_0_and_agrees_with_its_definition():
    document = moons()
    values = FrameValues(solved(document, fitted(document), 0, nodes=8))
    assert values["L"] == values["D"] == 0.0
    values = FrameValues(solved(document, fitted(document), 20, nodes=8))
    alpha, xi = values["feasible"], np.maximum(0.0, 1.0 - values["yf"])
    subtracted = alpha @ (values["yf"] - 1.0 + xi) + (values["C"] - alpha) @ xi
    assert values["L"] == pytest.approx(values["P"] - subtracted, rel=1e-12)


def test_without_the_projection_sub_gradients_are_bounded_by_2_R_and_not_by_root_lambda_plus_R():
    # Pegasos from its formula on two places with contradicting classes.
    X, y, lam = np.array([[3.0, 0.0], [3.0, 0.1]]), np.array([1.0, -1.0]), 0.05
    longest = np.linalg.norm(X, axis=1).max()
    w, largest = np.zeros(2), 0.0
    for t in range(1, 200):
        i = (t - 1) % 2
        is_inside = y[i] * (w @ X[i]) < 1.0
        gradient = lam * w - is_inside * y[i] * X[i]
        largest = max(largest, float(np.linalg.norm(gradient)))
        w = w - gradient / (lam * t)
    assert np.sqrt(lam) + longest < largest <= 2.0 * longest


def test_an_alpha_that_is_not_feasible_is_made_so_and_has_the_dual_value_of_the_certificate():
    document = moons(40, methods=(Pegasos(max_steps=200),))
    frame = solved(document, fitted(document), 150, nodes=8)
    lane = frame.lane
    assert lane.certificate.repaired
    alpha, problem = FrameValues(frame)["feasible"], lane.problem
    assert alpha @ problem.y == pytest.approx(0.0, abs=1e-9)
    assert 0.0 <= alpha.min() <= alpha.max() <= problem.C
    beta = alpha * problem.y
    dual = alpha.sum() - 0.5 * beta @ problem.kernel(problem.X, problem.X) @ beta
    assert dual == pytest.approx(lane.certificate.dual, rel=1e-9)


@pytest.mark.parametrize("name", derivations())
@pytest.mark.parametrize(
    ("scene", "has_numbers"),
    [("moons, no kernel", False), ("moons, a kernel for a free bias", True)],
)
def test_a_length_below_0_is_not_shown(name, scene, has_numbers):
    # Of a K that is not positive semi-definite where it counts, ||w||^2 may be below 0.
    document = SCENES[scene]
    frame = solved(document, fitted(document), nodes=8)
    assert frame.lane.gap_proves is has_numbers
    if name in ("dual", "gap", "kkt", "weak-duality", "representer", "hulls"):
        assert bool(show(derivations()[name], frame).trouble) is not has_numbers


HEAD = "---\ntitle: T\n---\n"
LINE = "```line\nletters a = b\n"


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("no head", "Line 1"),
        ("---\ntitle: T", "ends with a line ---"),
        ("---\ncolour: red\n---\n", "Line 2"),
        (HEAD + "only words", "at least one"),
        ("---\nneeds: 1 == 1\n---\n" + LINE + "```\n", "title"),
        (HEAD + "# A heading\n" + LINE + "```\n", "Line 4"),
        (HEAD + LINE + "wrong a\n```\n", "Line 6"),
        (HEAD + LINE + "holds a +\n```\n", "Line 6"),
        (HEAD + LINE + "numbers @{import os}\n```\n", "Line 6"),
        (HEAD + "```line\nholds 1 == 1\n```\n", "Line 4"),
        (HEAD + "x" * 200_000, "characters"),
    ],
)
def test_a_wrong_text_is_refused_with_its_line(text, where):
    with pytest.raises(BadInput, match=where):
        read_derivation(text, "test")


def test_numbers_after_a_sign_are_bracketed_and_noise_is_0():
    text = HEAD + "```line\nletters a\nnumbers @{a} = 1 - @{a} + @{0.1 + 0.2 - 0.3}\n```\nWhy.\n"
    (line,) = read_derivation(text, "test").lines
    assert line.numbers_at({"a": -2.0}) == r"{-}2 = 1 - \left({-}2\right) + 0"
    assert line.sentence == "Why."


def test_the_example_of_the_page_on_writing_is_true():
    page = (Path(__file__).parents[2] / "docs" / "derivations.md").read_text(encoding="utf-8")
    text = textwrap.dedent("\n".join(
        row for row in page.splitlines() if not row or row.startswith("    ")
    )).strip()  # fmt: skip
    derivation = read_derivation(text, "example")
    assert set(derivation.concerns) <= pages().keys()
    for frame in frames_of(SCENES["eight"], 6):
        shown = show(derivation, frame)
        if frame.lane.step:
            assert shown.lines[1].holds
    assert shown.lines[1].lit == (2, 4, 6)
    assert derivation.lines[1].sentence.endswith("two lines.")

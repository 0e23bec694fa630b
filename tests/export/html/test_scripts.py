"""The scripts of a page compute what the program computes."""

import numpy as np
import pytest

from solvers import KERNELS, METHODS, RBF, Cursor, Linear, solve
from solvers.cancelling import no_report
from solvers.data.datasets import PointSet
from solvers.kernels.arithmetic import fast_exp
from svmviz.base.words import number, vector_text
from svmviz.camera.ticks import linear_ticks
from svmviz.document.document import Document
from svmviz.export.html.contents import contents_of, program_of
from svmviz.export.html.packing import changes_of
from svmviz.export.runs.recording import Recording
from svmviz.frames.lane_reader import position_after
from svmviz.io.scene import Scene
from svmviz.lessons.pages import page_of
from tests import stages
from tests.export.html.engine import Engine
from tests.solvers.problems import kernels_of

RNG = np.random.default_rng(5)


@pytest.fixture(scope="module")
def engine(qapp):
    return Engine()


def test_numbers_are_written_as_in_the_window(engine):
    sizes = 10.0 ** RNG.uniform(-12, 12, 600)
    values = [*(sizes * RNG.choice([-1, 1], 600)).tolist(), *np.arange(-40, 40, 0.125).tolist()]
    values += [0.0, -0.0, 1e7, 9999999.0, 1e-4, 99995.0, 0.99995, 1e22, 12345678.0, 1234.5, 2.5e-5]
    for digits in (3, 4, 6):
        written = engine.call(f"values.map((v) => number(v, {digits}))", values=values)
        assert written == [number(value, digits) for value in values]
    assert engine.run("number(NaN) + number(Infinity) + number(-Infinity)").toString() == "–∞−∞"


def test_ticks_have_the_texts_of_the_window(engine):
    for low, high in [(-1, 4), (1.7e9, 1.7e9 + 3), (0, 2e7), (1e-6, 5e-6), (3e5, 9e5), (1, 1.0004)]:
        ticks = linear_ticks(low, high, 6)
        assert engine.call("tickTexts(values)", values=ticks.values) == list(ticks.labels)


def test_vectors_are_written_as_in_the_window(qapp):
    engine = Engine("numbers.js", "run.js", "goals.js")
    for vector in [(3.456e-9, 1.0), (1e6, 1e-6), (-2e-11, 0.5, -0.25), (0.0, 0.0)]:
        assert engine.call("vectorText(vector)", vector=vector) == vector_text(vector)


@pytest.mark.parametrize("offset", [0.0, 1e3, 1.7e9])
def test_a_page_takes_far_points_from_the_origin_of_the_library(engine, offset):
    document = Document(
        PointSet(np.round(RNG.normal(size=(12, 2)), 3) + offset, [-1, 1] * 6), kernel=Linear()
    )
    run = solve(document.problem(), document.method)
    contents = contents_of(Recording(Scene(document), (run,)), [run.steps], no_report)
    # The engine has no flatMap.
    engine.run("Array.prototype.flatMap = function (f) { return [].concat(...this.map(f)); }")
    found = engine.call(
        "((page) => ((state) => ({ origin: page.origin, X: page.X, f: [...state.decision],"
        " b: state.bias - page.shiftOf(state), at: page.valueAt(...place, state.beta, state.bias)"
        " }))(page.lanes[0].state(0)))(new RunOfPage(contents))",
        contents=contents,
        place=document.data.points[3].tolist(),
    )
    problem, expansion = run.problem, run.expansion
    assert found["origin"] == (None if problem.origin is None else problem.origin.tolist())
    assert found["X"] == problem.centered.tolist()
    np.testing.assert_allclose(found["f"], run.certificate.decision, rtol=1e-12, atol=1e-12)
    assert found["at"] == pytest.approx(run.certificate.decision[3], rel=1e-12, abs=1e-12)
    assert found["b"] == pytest.approx(expansion.bias, rel=1e-14, abs=1e-12)


def test_the_exponential_has_the_bits_of_the_library(engine):
    values = [*RNG.uniform(-30, 1, 2000).tolist(), 0.0, -707.9, -708.0, -1e9, 1e-300, 700.0]
    assert engine.call("values.map(exactExp)", values=values) == [fast_exp(v) for v in values]


@pytest.mark.parametrize("d", [1, 2])
@pytest.mark.parametrize("name", KERNELS)
def test_kernels_are_those_of_the_library(engine, name, d):
    for kernel in kernels_of(KERNELS[name]):
        if kernel.domain != "points" or (d == 1 and name == "custom"):
            continue
        A, B = RNG.normal(size=(8, d)), RNG.normal(size=(9, d))
        values = engine.call(
            "A.map((x) => B.map((z) => kernelOf({ ops, args })(x, z)))",
            A=A.tolist(),
            B=B.tolist(),
            **program_of(kernel),
        )
        np.testing.assert_allclose(values, kernel(A, B), rtol=1e-12, atol=1e-13)


def test_contours_go_through_the_level(engine):
    xs, ys = np.linspace(-2, 2, 41), np.linspace(-2, 2, 31)
    values = xs[None, :] ** 2 + ys[:, None] ** 2
    (ring,) = engine.call("ringsAbove(values, 41, 31, -1)", values=(-values).ravel().tolist())
    columns, rows = np.array(ring).reshape(-1, 2).T
    radii = np.hypot(-2 + 0.1 * columns, -2 + 4 / 30 * rows)
    np.testing.assert_allclose(radii, 1.0, atol=0.005)
    # A contour that leaves the grid: of its ring only the part inside is a contour.
    slope = (xs[None, :] + 0 * ys[:, None]).ravel().tolist()
    pieces = engine.call("insidePieces(ringsAbove(values, 41, 31, 0.55), 41, 31)", values=slope)
    across = {round(x, 9) for piece in pieces for x in piece[::2]}
    assert across == {25.5}
    assert sum(len(piece) // 2 - 1 for piece in pieces) == 30


def test_contours_have_the_corners_of_a_function_with_kinks(engine):
    """The contour of |x| + |y| is a square, of which the grid alone cuts the corners."""
    f = "(c, r) => 7.3 - Math.abs(c - 10.4) - Math.abs(r - 9.7)"
    ring = engine.call(
        f"(() => {{ const f = {f};"
        " const values = Array.from({ length: 400 }, (_, k) => f(k % 20, Math.floor(k / 20)));"
        " const [ring] = ringsAbove(values, 20, 20, 0);"
        " return refinedRing(ring, 20, 20, f); })()"
    )
    corners = np.array(ring).reshape(-1, 2)
    sums = np.abs(corners - (10.4, 9.7)).sum(axis=1)
    np.testing.assert_allclose(sums, 7.3, atol=1e-9)
    for corner in ((17.7, 9.7), (3.1, 9.7), (10.4, 17.0), (10.4, 2.4)):
        assert np.hypot(*(corners - corner).T).min() < 0.3


def test_saddles_and_ends_of_the_range(engine):
    saddle = [1.0, -1.0, -1.0, 1.0]
    assert len(engine.call("ringsAbove(values, 2, 2, 0)", values=saddle)) in (1, 2)
    assert engine.call("ringsAbove(values, 2, 2, 5)", values=saddle) == []
    (border,) = engine.call("ringsAbove(values, 2, 2, -5)", values=saddle)
    assert engine.call("insidePieces([ring], 2, 2)", ring=border) == []


def test_every_command_in_the_formulas_of_methods_is_known(engine):
    """A command that is not known would be shown as its name."""
    latex = set()
    for name, kind in METHODS.items():
        for task in kind.tasks:
            document = (stages.sine if task == "regression" else stages.moons)(20)
            run = solve(document.with_methods((kind(),)).problem(), kind())
            cursor = Cursor(run)
            for step in range(1, min(run.steps, 12) + 1):
                event = cursor.seek(step).event
                latex |= {t for f in event.formulas for t in (f.letters, f.numbers)}
        latex |= set(page_of("methods", name).formula)
        assert latex, name
    trees = engine.call("texts.map((text) => formulaParts(text))", texts=sorted(latex))

    def words_of(tree):
        for child in tree[2:] if isinstance(tree[0], str) else tree:
            if isinstance(child, list):
                yield from words_of(child)
        if tree[0] == "mi" and "mathvariant" not in tree[1] and len(tree[2]) > 1:
            yield tree[2]

    assert {word for part in trees for word in words_of(part)} <= {"max", "min"}


def test_a_formula_is_read(engine):
    parts = engine.call("formulaParts(latex)", latex=r"\frac{a}{2}_i^{\mathrm{new}} = {-}1")
    script, (equals, minus, one) = parts[0][0], parts[1]
    assert script[0] == "msubsup"
    assert script[2][:2] == ["mfrac", {}]
    assert script[4] == ["mi", {"mathvariant": "normal"}, "new"]
    assert (equals[2], minus[2], one) == ("=", "−", ["mn", {}, "1"])


@pytest.mark.parametrize(
    "betas",
    [
        [np.zeros(6), *RNG.normal(size=(80, 6))],
        # As Pegasos: all shrink, and one changes.
        np.cumprod(np.full((90, 30), 0.97), axis=0) * np.eye(30)[:1].repeat(90, 0) + 0.0,
        [np.zeros(3), np.zeros(3)],
    ],
)
def test_coefficients_come_back(engine, betas):
    changes = changes_of(list(betas))
    engine.run(f"(new Function('return this'))().coefficients = new Coefficients({changes!r})")
    for place in [*RNG.permutation(len(betas)).tolist(), 0, len(betas) - 1]:
        beta = engine.call(f"[...coefficients.at({place})]")
        np.testing.assert_allclose(beta, betas[place], rtol=1e-11, atol=0)


def test_steps_that_multiply_all_coefficients_are_small():
    rng = np.random.default_rng(1)
    beta, betas = np.zeros(100), []
    for step in range(1, 400):
        beta = beta * (1 - 1 / (step + 1))
        beta[rng.integers(100)] += 1 / step
        betas.append(beta.copy())
    assert len(changes_of(betas)["values"]) < 400 * 20


def test_beats_are_walked_as_in_the_window(engine):
    counts = [1, *RNG.integers(1, 5, 9).tolist()]
    for place in range(10):
        for beats in range(-12, 13):
            expected = position_after(counts.__getitem__, 9, place, beats)
            found = engine.call(
                f"positionAfter((k) => counts[k], 9, {place}, {beats})", counts=counts
            )
            assert (found["place"], found["beat"]) == expected


def test_f_is_that_of_the_expansion(engine):
    document = stages.moons(30, kernel=RBF(0.7))
    run = solve(document.problem(), document.method)
    expansion = run.at(9).expansion
    places = RNG.uniform(-2, 3, (100, 2))
    values = engine.call(
        "places.map(([x, y]) => points.reduce((sum, z, i) =>"
        " sum + beta[i] * kernelOf({ ops, args })(z, [x, y]), bias))",
        beta=expansion.beta.tolist(),
        bias=expansion.bias,
        places=places.tolist(),
        points=document.data.points.tolist(),
        **program_of(document.kernel),
    )
    np.testing.assert_allclose(values, expansion(places), rtol=1e-10, atol=1e-12)

"""Typed kernels are read, printed and read again, or refused with the position of the error."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers import (
    RBF,
    SMO,
    BadInput,
    Composed,
    Custom,
    Expansion,
    FullQuadratic,
    Laplacian,
    Linear,
    Polynomial,
    Problem,
    Quadratic,
    solve,
)
from solvers.kernels.evaluator import kernel_sums
from solvers.kernels.expressions import (
    MAX_DEPTH,
    MAX_LENGTH,
    STRENGTH,
    Binary,
    Call,
    Minus,
    Misread,
    Name,
    Number,
    parse,
    write,
)
from tests.solvers.problems import cloud, is_one_sentence

A, _ = cloud(8, 1)
B, _ = cloud(11, 2)


def rows_of(kernel, A, B):
    return kernel_sums(kernel.program(), A, np.eye(len(A)), B)


# The parser.

NAMES = st.sampled_from(["rbf", "x1", "a_b", "e1", "scale"])
TREES = st.recursive(
    st.one_of(
        st.floats(0, 1e300, allow_nan=False).map(Number),
        st.integers(0, 99).map(lambda n: Number(float(n))),
        NAMES.map(Name),
    ),
    lambda inner: st.one_of(
        inner.map(Minus),
        st.builds(Binary, st.sampled_from(sorted(STRENGTH)), inner, inner),
        st.builds(
            Call,
            NAMES,
            st.lists(st.tuples(st.sampled_from(["", "gamma"]), inner), max_size=3).map(tuple),
        ),
    ),
    max_leaves=8,
)


@given(TREES)
def test_a_printed_expression_can_be_read(tree):
    text = write(tree)
    if len(text) <= MAX_LENGTH:
        assert parse(text) == tree
        assert parse(f"  {text} ".replace("^", " ** ")) == tree


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 - 2 - 3", -4),
        ("2^3^2", 512),
        ("-2^2", -4),
        ("(-2)^2", 4),
        ("2*-3", -6),
        ("1/2/2", 0.25),
        ("2 + 3*4^2/8", 8),
        ("6·2 − 1×3", 9),
        (".5e1", 5),
    ],
)
def test_precedence(text, value):
    assert Composed(text)(A[:1], A[:1]).item() == value
    assert Custom(text)(A[:1], A[:1]).item() == value


ALPHABET = "rbfxz12lineargama=().,+-*/^ \n\t#π²'\"\\{}%eE_"


@given(st.one_of(st.text(alphabet=ALPHABET, max_size=40), st.text(max_size=60)))
def test_any_text_is_read_or_refused_in_a_sentence(text):
    for kind in (Composed, Custom):
        try:
            kernel = kind(text)
        except BadInput as error:
            said = str(error)
            assert said.endswith(".")
            assert "\n" not in said
            assert "cannot be read at character " in said
        else:
            K = kernel(A, A)
            assert K.shape == (len(A), len(A))
            assert rows_of(kernel, A, A).shape == K.shape


@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        ("", 1, "expected a number, a name or '(', but the text ends"),
        ("rbf(", 5, "the text ends"),
        ("rbf(1", 6, "expected ',' or ')', but the text ends"),
        ("(rbf", 5, "expected ')'"),
        ("rbf linear", 5, "expected an operator such as + or *, but found 'linear'"),
        ("rbf + # 1", 7, "'#' has no meaning here"),
        ("1e999", 1, "too large"),
        ("(" * (MAX_DEPTH + 5), MAX_DEPTH + 1, "nested too deeply"),
        ("1+" * MAX_LENGTH + "1", MAX_LENGTH + 1, "too long"),
        ("linear + rbff(1)", 10, "there is no kernel 'rbff'"),
        ("rbf(gamma=-1)", 11, "gamma must be above 0"),
        ("rbf(sigma=0)", 11, "sigma must be above 0"),
        ("rbf(sigma=1e-300)", 11, "sigma must be above 0 and neither tiny nor huge: got 1e-300"),
        ("rbf(gama=1)", 10, "rbf has no setting 'gama'; it has gamma, sigma"),
        ("rbf(1, 2)", 8, "too many numbers for rbf, which takes at most 1"),
        ("rbf(1, gamma=2)", 14, "gamma is given twice"),
        ("rbf(sigma=1, sigma=2)", 20, "sigma is given twice"),
        ("rbf(sigma=1, gamma=2)", 20, "sigma and gamma set the same number, so only one can"),
        ("rbf(1, sigma=2)", 14, "gamma and sigma set the same number, so only one can"),
        ("rbf(linear)", 5, "this is a kernel"),
        ("poly(2.5)", 6, "degree must be a whole number"),
        ("linear^0.5", 7, "1, 2, ... 10, not to 0.5"),
        ("linear^linear", 7, "exponent must be a number"),
        ("1/rbf", 2, "divided by a number"),
        ("rbf/0", 4, "division by 0"),
        ("10^400*rbf", 3, "cannot be computed"),
        ("(-1)^0.5*rbf", 5, "cannot be computed"),
        ("exp()", 1, "exp takes one kernel"),
        ("scale(rbf)", 1, "scale takes a function and a kernel"),
        ("scale(nrm, rbf)", 7, "must be norm, squared_norm"),
        ("scale(norm(2), rbf)", 7, "only gaussian takes a number"),
        ("scale(gaussian(-1), rbf)", 7, "g must be at least 0"),
        ("norm", 1, "norm is a function of x"),
    ],
)
def test_errors_of_expressions_name_the_place(text, place, reason):
    refuses(Composed, "Composed: expression", text, place, reason)


@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        ("x1*x3", 4, "there is no 'x3'"),
        ("sinh(x1)", 1, "there is no function 'sinh'"),
        ("max(x1)", 1, "max takes two numbers"),
        ("exp(x1, z1)", 1, "exp takes one number"),
        ("exp(x=1)", 1, "exp takes one number"),
        ("__import__(1)", 1, "there is no function"),
    ],
)
def test_errors_of_formulas_name_the_place(text, place, reason):
    refuses(Custom, "Custom: formula", text, place, reason)


def refuses(kind, setting, text, place, reason):
    """Assert that a kernel refuses a text in one sentence with the position and the reason."""
    with pytest.raises(BadInput) as refusal:
        kind(text)
    sentence = str(refusal.value)
    assert sentence.startswith(f"{setting} cannot be read at character {place}: ")
    assert reason in sentence
    assert is_one_sentence(sentence)


def test_misread_is_one_sentence():
    with pytest.raises(Misread, match=r"^At character 2: expected .* the text ends\.$"):
        parse("(")


# What expressions mean.


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("linear", lambda A, B: Linear()(A, B)),
        ("poly(2)", lambda A, B: Polynomial(degree=2)(A, B)),
        ("polynomial(3, 0.5, 2)", lambda A, B: Polynomial(0.5, 2.0, 3)(A, B)),
        ("rbf(sigma=0.5)", lambda A, B: RBF(2.0)(A, B)),
        ("rbf(1/4)", lambda A, B: RBF(0.25)(A, B)),
        ("-laplacian(2)/4", lambda A, B: -Laplacian(2.0)(A, B) / 4),
        ("2 - rbf", lambda A, B: 2 - RBF()(A, B)),
        ("rbf(1)*rbf(2)", lambda A, B: RBF(3.0)(A, B)),
        ("(1 + linear)^3", lambda A, B: Polynomial(1.0, 1.0, 3)(A, B)),
        ("1 + linear + homogeneous_quadratic", lambda A, B: FullQuadratic()(A, B)),
        ("linear + scale(squared_norm, 1)", lambda A, B: Quadratic()(A, B)),
        ("scale(one, rbf)", lambda A, B: RBF()(A, B)),
        ("scale(gaussian, exp(linear()))", lambda A, B: RBF(0.5)(A, B)),
        ("exp(1)*rbf", lambda A, B: math.e * RBF()(A, B)),
        (
            "scale(inverse_norm, linear)",
            lambda A, B: A @ B.T / np.outer(np.hypot(*A.T), np.hypot(*B.T)),
        ),
        ("scale(norm, 1)", lambda A, B: np.outer(np.hypot(*A.T), np.hypot(*B.T))),
        ("scale(gaussian(2), 1)", lambda A, B: np.outer(bell(A), bell(B))),
        ("scale(gaussian(2), poly(2)*rbf)", None),
        ("quadratic*full_quadratic*rbf", None),
        ("exp(rbf) * scale(norm, sigmoid) - 0.1", None),
        ("poly(10)*poly(9)", None),
        ("(linear + rbf)^2 * laplacian", None),
    ],
)
def test_every_way_to_a_value_is_the_same(text, meant):
    kernel = Composed(text)
    K = kernel(A, B)
    size = np.abs(K).max()
    if meant is not None:
        np.testing.assert_allclose(K, meant(A, B), rtol=1e-12, atol=1e-13 * size)
    np.testing.assert_allclose(rows_of(kernel, A, B), K, rtol=1e-11, atol=1e-13 * size)
    np.testing.assert_allclose(kernel.diagonal(A), np.diag(kernel(A, A)), rtol=1e-12)
    features = kernel.feature_map(A)
    if features is not None:
        np.testing.assert_allclose(features @ kernel.feature_map(B).T, K, atol=1e-12 * size)
    xs, ys = np.linspace(-2, 2, 9), np.linspace(-1, 3, 7)
    beta = np.linspace(-1, 2, len(A))
    nodes = np.array([(x, y) for y in ys for x in xs])
    expected = kernel(nodes, A) @ beta
    grid = Expansion(kernel, A, beta, 0.0).on_grid(xs, ys)
    atol = 1e-12 * np.abs(kernel(nodes, A)).max()
    np.testing.assert_allclose(grid.ravel(), expected, atol=atol)


def bell(X: np.ndarray) -> np.ndarray:
    return np.exp(-2.0 * (X**2).sum(axis=1))


def test_features_of_composed_kernels():
    x = np.array([[2.0, 3.0]])
    for text, features in (
        ("linear + 4", [2, 3, 2]),
        ("linear*linear", [4, 6, 6, 9]),
        ("linear^2", [4, 6, 6, 9]),
        ("9*quadratic", [6, 9, 39]),
    ):
        found = Composed(text).feature_map(x)
        assert found is not None
        assert found.tolist() == [features]
    assert Composed("rbf + linear").feature_map(x) is None
    assert Composed("linear - 1").feature_map(x) is None
    assert Composed("linear^10").feature_map(x) is None


# Points for which a kernel has no value.

LABELS = np.array([1.0, -1.0, 1.0, -1.0])
SQUARE = np.array([[1.0, 2.0], [-1.0, 0.0], [2.0, -3.0], [0.5, 0.5]])


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("log(x1*z1)", "log of a number that is not positive at character 1"),
        ("1 + sqrt(x1*z1)", "sqrt of a negative number at character 5"),
        ("1/(x1 - z1)", "a division by 0 at character 2"),
        ("exp(1000*x1*z1)", "exp of a number that is too large"),
        ("(x1*z1)^0.5", "a power that is no number"),
        ("1e200*x1*z1*1e200", "a product that is too large"),
        ("0*log(x1*z1)", "log of a number that is not positive"),
        ("1e101", "too large, for points 1 and 1"),
        ("x1", "not symmetric"),
        ("x1*z2", "not symmetric"),
    ],
)
def test_formulas_without_a_value_are_refused_before_a_run(formula, said):
    with pytest.raises(BadInput) as refusal:
        Problem(SQUARE, LABELS, kernel=Custom(formula))
    assert said in str(refusal.value)
    assert is_one_sentence(str(refusal.value))


def test_formulas_are_for_the_plane():
    with pytest.raises(BadInput, match="2 coordinates: these have 3"):
        Problem(np.ones((4, 3)), LABELS, kernel=Custom())
    with pytest.raises(BadInput, match="2 coordinates: these have 1"):
        Custom()(np.ones((4, 1)), np.ones((4, 1)))


@pytest.mark.parametrize("text", ["exp(linear)", "exp(exp(linear)) - 1", "poly(10)^10*rbf"])
def test_kernels_that_overflow_are_refused_before_a_run(text):
    with pytest.raises(BadInput, match="too large"):
        Problem(1e4 * SQUARE, LABELS, kernel=Composed(text))


@pytest.mark.parametrize(
    "formula", ["log(x1*z1)", "sqrt(x1*z1)", "1/(x1*z1)", "pow(x1*z1, 0.3)", "exp(200*x1*z1)"]
)
def test_pictures_have_a_value_everywhere(formula):
    # The points are all in one quadrant, where the formulas have values; the picture is larger.
    X = np.abs(SQUARE[[0, 2, 3]]) / 4 + 0.01
    run = solve(Problem(X, LABELS[:3], kernel=Custom(formula)), SMO(max_steps=100))
    grid = run.expansion.on_grid(np.linspace(-2, 2, 11), np.linspace(-2, 2, 9))
    assert np.isfinite(grid).all()
    assert np.isfinite(run.expansion(np.array([[-1.0, -1.0], [0.0, 0.0]]))).all()


def test_texts_are_kept_except_for_white_space():
    assert Composed("  rbf(\n 1) ").expression == "rbf( 1)"
    assert hash(Composed("rbf")) == hash(Composed(" rbf"))

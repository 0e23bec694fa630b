"""Degenerate and extreme input, for every method: it ends, with a true reason, and never a NaN.

Extremes of SMO's and coordinate ascent's own choices are in their own tests.
"""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers import (
    METHODS,
    RBF,
    SMO,
    BadInput,
    Composed,
    Cursor,
    Custom,
    HomogeneousQuadratic,
    Hulls,
    InteriorPoint,
    Linear,
    Perceptron,
    Problem,
    Reason,
    Regression,
    Sigmoid,
    WorkingSet,
    separation,
    solve,
)
from solvers.settings import settings_of
from tests.solvers.extremes import extreme_points, kernels, penalties
from tests.solvers.problems import is_one_sentence, nothing_is_nan

MAX_STEPS = 400
every_method = pytest.mark.parametrize("kind", METHODS.values(), ids=METHODS)


def choices_of(kind):
    """Return every combination of a method's choices and switches, with few steps."""
    wishes: dict[str, st.SearchStrategy] = {"max_steps": st.just(MAX_STEPS)}
    for name, spec in settings_of(kind).items():
        if spec.scale == "choice":
            wishes[name] = st.sampled_from([value for value, _ in spec.choices])
        elif spec.scale == "switch":
            wishes[name] = st.booleans()
    return st.builds(lambda **values: values, **wishes)


def check_end(run):
    """Assert what must hold at the end of any run."""
    problem, certificate, expansion = run.problem, run.certificate, run.expansion
    assert is_one_sentence(run.stop.sentence)
    assert np.isfinite(expansion.beta).all()
    assert math.isfinite(expansion.bias)
    assert nothing_is_nan(certificate.primal, certificate.dual, certificate.gap, certificate.kkt)
    assert nothing_is_nan(certificate.decision, certificate.slack, certificate.norm)
    # f is only known up to the rounding error of its sum.
    K = np.abs(problem.kernel(problem.X, problem.X)) + (problem.bias == "augmented")
    rounding = 1e-13 * ((K @ np.abs(expansion.beta)).max() + abs(expansion.bias))
    if run.reason is Reason.STEP_LIMIT:
        assert run.steps == run.method.max_steps
    elif run.reason is Reason.NOT_SEPARABLE:
        check_inseparable(run)
    elif run.reason is Reason.CONVERGED:
        if "converges" in run.method.guarantees:
            # Either the rounding error is below the tolerance, or the certificate decided.
            tol = run.method.tol
            assert certificate.kkt <= tol * (1 + 1e-6) + min(rounding, tol)
        if "separates" in run.method.guarantees:
            assert (problem.y * certificate.decision).min() > -rounding
    else:
        assert run.reason is Reason.STALLED


def check_inseparable(run):
    problem = run.problem
    assert problem.hard or run.method.name in ("perceptron", "hulls")
    if "coincide" in run.stop.sentence:
        assert len(np.unique(problem.X, axis=0)) < problem.n
    else:
        # Wolfe's method finds no distance above rounding error either.
        mu = getattr(run.method, "mu", 1.0)
        assert separation(problem, mu, exact=True).separable is not True


@every_method
@settings(max_examples=60)
@given(st.data())
def test_extreme_input_ends_with_a_true_reason(kind, data):
    X, y = data.draw(extreme_points())
    kernel, C = data.draw(kernels), data.draw(penalties)
    bias = data.draw(st.sampled_from(kind.biases))
    method = kind(**data.draw(choices_of(kind)))
    try:
        problem = Problem(X, y, kernel=kernel, C=C, bias=bias)
        run = solve(problem, method)
    except BadInput as refusal:
        refused = str(refusal)
    else:
        refused = ""
        check_all(run)
    assert not refused or is_one_sentence(refused)


def check_all(run):
    """Return the end, and some steps before it."""
    check_end(run)
    cursor = Cursor(run)
    for step in {0, 1, run.steps // 2, run.steps}:
        snapshot = cursor.seek(step)
        assert nothing_is_nan(snapshot.expansion.beta, snapshot.expansion.bias)
        if snapshot.event:
            assert is_one_sentence(snapshot.event.sentence.replace("<", ""))


# Single cases that failed once.
LINE = np.array([[0.0, 0.0], [1.0, 2.0], [2.0, 4.0], [3.0, 6.0], [4.0, 8.0], [5.0, 10.0]])
SIX = np.array([[0.3, 1.2], [-0.7, 0.4], [1.9, -0.6], [-1.1, -1.3], [0.8, 0.2], [-0.2, 1.7]])
SIGNS = np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0])
DEGENERATE = {
    "two": (SIX[:2], SIGNS[:2]),
    "opposite-duplicates": (np.repeat(SIX[:3], 2, axis=0), SIGNS),
    "collinear": (LINE, SIGNS),
    "collinear-sorted": (LINE, np.sort(SIGNS)),
    "all-equal": (np.full((6, 2), 0.7), SIGNS),
    "all-at-origin": (np.zeros((6, 2)), SIGNS),
    "tiny": (SIX * 1e-9, SIGNS),
    "huge": (SIX * 1e9, SIGNS),
    "times-a-million": (SIX * 1e6, SIGNS),
    "far-away": (SIX + 1e6, SIGNS),
}
every_degenerate = pytest.mark.parametrize("name", DEGENERATE)


@every_method
@every_degenerate
def test_degenerate_points_end_with_a_true_reason(kind, name):
    X, y = DEGENERATE[name]
    for kernel in (Linear(), RBF(1e-9), RBF(1.0), RBF(1e9)):
        for C in (1e-6, 1.0, 1e6, math.inf):
            if math.isinf(C) and not kind.hard_margin:
                continue
            for bias in kind.biases:
                problem = Problem(X, y, kernel=kernel, C=C, bias=bias)
                check_end(solve(problem, kind(max_steps=MAX_STEPS)))


@pytest.mark.parametrize("kind", [k for k in METHODS.values() if "regression" in k.tasks])
@every_degenerate
def test_degenerate_regressions_end_with_a_true_reason(kind, name):
    X, y = DEGENERATE[name]
    for C in (1e-6, 1.0, 1e6):
        for bias in kind.biases:
            for target in (y, 1e9 * X[:, 0], np.zeros(len(y))):
                problem = Regression(X, target, kernel=RBF(1.0), C=C, bias=bias)
                check_end(solve(problem, kind(max_steps=MAX_STEPS)))


@every_method
def test_separable_data_is_never_called_inseparable(kind):
    for bias in kind.biases:
        C = math.inf if kind.hard_margin else 1.0
        for X, kernel in ((SIX[:, :1] + 4 * SIGNS[:, None], Linear()), (SIX, RBF(30.0))):
            problem = Problem(X, SIGNS, kernel=kernel, C=C, bias=bias)
            run = solve(problem, kind(max_steps=50_000))
            assert run.reason in (Reason.CONVERGED, Reason.STEP_LIMIT)


@every_method
def test_inseparable_hard_margins_end_soon(kind):
    if not kind.hard_margin:
        with pytest.raises(BadInput, match="finite C"):
            solve(Problem(LINE, SIGNS, kernel=Linear(), C=math.inf, bias=kind.biases[0]), kind())
        return
    for bias in kind.biases:
        run = solve(Problem(LINE, SIGNS, kernel=Linear(), C=math.inf, bias=bias), kind())
        assert run.stop is not None
        assert run.reason is Reason.NOT_SEPARABLE
        assert run.steps <= 1000
        assert is_one_sentence(run.stop.sentence)
        assert math.isinf(run.certificate.primal)


def test_weights_that_grow_without_bound_are_no_nearest_points():
    # With an indefinite kernel, pairs may increase the weights without bound.
    X = [[-1, 1e9, -1], [0, -1, -1], [1e9, 0, -1], [0, 1e-9, 1e-9], [1e-9, 1e-9, 1e9]]
    X += [[-1, 1e-9, 0], [1e9, 1e-9, 1e9]]
    kernel, y = Sigmoid(7.496699863056938e-07, -2.6260554111472185), [1, -1, -1, 1, -1, 1, -1]
    run = solve(Problem(X, y, kernel=kernel), Hulls(algorithm="pairwise", tol=1e-6))
    check_end(run)
    assert run.reason is not Reason.CONVERGED


@pytest.mark.parametrize("far", [1e3, 1e9])
def test_the_interior_point_ends_where_one_point_is_far_and_one_at_the_origin(far):
    # The multiplier of the point at the origin is larger than the effect of its alpha on f there.
    problem = Problem([[far], [1.0 / far]], [1.0, -1.0], kernel=Linear(), C=math.inf)
    run = solve(problem, InteriorPoint())
    assert run.reason is Reason.CONVERGED
    assert run.certificate.relative_gap < 1e-9


def test_cancellation_in_beta_counts_as_rounding():
    # Both alphas of each point are C / 2; the rounding error of their difference times 1e17 is f.
    X = [[-292751330.6545716], [-292751330.6545716], [-292751330.6545716], [-472894295.7595084]]
    problem = Regression(X, np.zeros(4), kernel=Composed(), C=1.0, epsilon=0.0)
    run = solve(problem, InteriorPoint())
    check_end(run)
    assert run.reason is Reason.CONVERGED or run.certificate.kkt > run.method.tol


@pytest.mark.parametrize(
    ("X", "y", "words"),
    [
        (np.zeros((0, 2)), [], "There are no points yet"),
        ([[1.0, 2.0]], [1.0], "All points have the label"),
        (SIX, np.ones(6), "All points have the label"),
        ([[0.0, math.nan], [1.0, 1.0]], [1.0, -1.0], "Point 1 has a coordinate that is not finite"),
        ([[0.0, 0.0], [math.inf, 1.0]], [1.0, -1.0], "Point 2 has a coordinate that is not finite"),
        (SIX, [1.0, -1.0, 1.0, -1.0, math.nan, 1.0], "Labels must be"),
    ],
    ids=["none", "one", "one-class", "nan", "infinite", "nan-label"],
)
def test_problems_that_cannot_be_solved_are_refused_in_a_sentence(X, y, words):
    with pytest.raises(BadInput, match=words) as refusal:
        Problem(X, y)
    assert is_one_sentence(str(refusal.value))


@pytest.mark.parametrize("C", [math.nan, 0.0, -1.0])
def test_impossible_penalties_are_refused_in_a_sentence(C):
    with pytest.raises(BadInput, match="C must be"):
        Problem(SIX, SIGNS, C=C)


def test_digits_lost_in_large_targets_count_as_rounding():
    # f is about 1e9, so a violation of 1e-8 is far below its last digit.
    X = [-0.6229993976038397, 1.0314418461357928, 0.265557863545107]
    X = np.array([*X, 1.4521544387462582, 2.279101840184742])[:, None]
    for gamma, C in itertools.product((2.754960516947307e-08, 1.0), (0.7, 1.0)):
        problem = Regression(X, 1e9 * X[:, 0], kernel=RBF(gamma), C=C, epsilon=1e-9)
        for method in (SMO(tol=1e-8), WorkingSet(tol=1e-8), InteriorPoint(tol=1e-8)):
            run = solve(problem, method)
            check_end(run)
            assert run.reason is not Reason.CONVERGED or run.certificate.kkt <= 1e-8


def test_a_perceptron_says_that_it_separates_only_if_the_certificate_agrees():
    # With this kernel the second point is on the boundary of every f that separates the others.
    X = [[-2e9, -2e9], [0.0, -1e9], [1e9, -1e9], [2e9, 0.0]]
    problem = Problem(X, [1, -1, 1, 1], kernel=HomogeneousQuadratic())
    run = solve(problem, Perceptron(max_steps=1500))
    assert (problem.y * run.certificate.decision).min() < 0.0
    assert run.reason is Reason.STALLED
    assert run.stop is not None
    assert is_one_sentence(run.stop.sentence)


@pytest.mark.filterwarnings("error")
def test_the_interior_point_starts_where_an_indefinite_kernel_has_no_diagonal():
    X = 1e30 * np.array([[0.0, -2.0], [-2.0, 1.0], [1.0, 1.0], [2.0, 0.0], [-1.0, 2.0]])
    problem = Problem(X, [1, -1, 1, -1, 1], kernel=Custom("abs(x1 - z1)"), C=math.inf, bias="none")
    check_end(solve(problem, InteriorPoint()))


def test_the_interior_point_ends_where_alpha_would_overflow():
    problem = Problem([[0.0], [4.6e-155]], [1.0, -1.0], kernel=Linear(), C=math.inf)
    run = solve(problem, InteriorPoint())
    check_all(run)
    assert run.reason is Reason.STALLED

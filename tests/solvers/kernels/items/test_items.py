"""String kernels against brute force, and a given matrix through every method."""

import functools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers import (
    ITEM_KERNELS,
    METHODS,
    RBF,
    SMO,
    BadInput,
    EditDistance,
    Given,
    Problem,
    Spectrum,
    given_rows,
    solve,
)
from solvers.kernels.evaluator import kernel_sums
from solvers.kernels.mercer import check_mercer
from solvers.kernels.programs import SINGLE, Program, plus_one
from tests.solvers.problems import cloud

WORDS = st.lists(st.text("abé😀", max_size=7), min_size=1, max_size=6)


def problem_of(X: Any, y: Any, **model: Any) -> Problem:
    """A problem whose points are compared by a given matrix."""
    return Problem(X, y, kernel=Given(), **model)


@functools.cache
def distance(s: str, t: str) -> int:
    """The edit distance by its definition: the cheapest of all first operations."""
    if not s or not t:
        return len(s) + len(t)
    if s[0] == t[0]:
        return distance(s[1:], t[1:])
    return 1 + min(distance(s[1:], t), distance(s, t[1:]), distance(s[1:], t[1:]))


def shared(s: str, t: str, p: int) -> int:
    """The number of pairs of positions at which the same p letters begin."""
    return sum(
        s[i : i + p] == t[j : j + p] for i in range(len(s) - p + 1) for j in range(len(t) - p + 1)
    )


@given(WORDS, WORDS, st.integers(1, 4))
def test_spectrum_counts_the_pairs_of_equal_substrings(A, B, p):
    K = Spectrum(p=p)(np.array(A), np.array(B))
    assert K.tolist() == [[shared(s, t, p) for t in B] for s in A]
    assert Spectrum(p=p).diagonal(np.array(A)).tolist() == [shared(s, s, p) for s in A]


@given(WORDS, WORDS, st.floats(0.01, 5.0))
def test_edit_distance_is_the_cheapest_sequence_of_edits(A, B, gamma):
    K = EditDistance(gamma=gamma)(np.array(A), np.array(B))
    brute = [[math.exp(-gamma * distance(s, t)) for t in B] for s in A]
    np.testing.assert_allclose(K, brute, rtol=1e-14)


def test_known_values():
    words = np.array(["kitten", "sitting", "banana"])
    assert EditDistance(gamma=1.0)(words[:1], words[1:2])[0, 0] == pytest.approx(math.exp(-3.0))
    long = np.array(["a" * 300, "b"])
    assert np.rint(-100 * np.log(EditDistance(gamma=0.01)(long, long)))[0, 1] == 300
    # "an" and "na" occur twice in banana, "ba" once.
    assert Spectrum(p=2)(words[2:3], words[2:3])[0, 0] == 9.0


def test_words_that_refute_the_edit_distance_kernel():
    words = np.array(["a", "ab", "ba", "bb", "aba"])
    verdict = check_mercer(Given(), given_rows(EditDistance(gamma=0.2)(words, words)))
    assert verdict.smallest == pytest.approx(-0.0278, abs=1e-4)
    assert verdict.refuted
    assert not check_mercer(Given(), given_rows(Spectrum(p=1)(words, words))).refuted


@pytest.mark.parametrize("wrap", [lambda p: p, plus_one, lambda p: p.then(Program.of(SINGLE))])
def test_compiled_rows_are_the_matrix(wrap):
    points, _ = cloud(9, 1)
    K = RBF()(points, points)
    X = given_rows(K)[[4, 0, 7, 2]]
    program = wrap(Given().program())
    out = kernel_sums(program, X, np.eye(4), X)
    expected = Given()(X, X)
    assert expected.tolist() == K[np.ix_([4, 0, 7, 2], [4, 0, 7, 2])].tolist()
    if wrap is plus_one:
        expected = expected + 1.0
    np.testing.assert_allclose(out, expected, rtol=1e-7)


@pytest.mark.parametrize("method", METHODS.values(), ids=lambda method: method.name)
def test_every_method_goes_the_same_way_by_the_matrix(method):
    (X, y), kernel = cloud(30, 2), RBF(gamma=0.5)
    model = {"C": 2.0, "bias": method.biases[0]}
    first = solve(Problem(X, y, kernel=kernel, **model), method())
    second = solve(problem_of(given_rows(kernel(X, X)), y, **model), method())
    assert second.reason == first.reason
    np.testing.assert_allclose(second.certificate.primal, first.certificate.primal, rtol=1e-4)
    if not math.isnan(first.certificate.dual):
        np.testing.assert_allclose(second.certificate.dual, first.certificate.dual, rtol=1e-4)


def test_matrix_with_a_negative_eigenvalue_is_solved_and_refuted():
    K = np.array([[1.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    problem = problem_of(given_rows(K), [-1, 1, 1], C=1.0)
    assert check_mercer(problem.kernel, problem.X).smallest == pytest.approx(-1.0)
    assert solve(problem, SMO()).stop is not None


@pytest.mark.parametrize(
    ("make", "part"),
    [
        (lambda: given_rows([[1.0, 2.0]]), "must be square"),
        (lambda: given_rows([["a"]]), "array of numbers"),
        (lambda: given_rows([[1j]]), "array of numbers"),
        (lambda: problem_of([[0.5, 1.0], [1.0, 1.0]], [-1, 1]), "given_rows"),
        (lambda: problem_of([[0.0], [1.0]], [-1, 1]), "given_rows"),
        (lambda: problem_of(given_rows([[1, 2], [3, 1]]), [-1, 1]), "not symmetric"),
        (lambda: problem_of(given_rows([[1, np.nan], [3, 1]]), [-1, 1]), "not finite"),
        (lambda: Problem(np.eye(2), np.array([1, -1]), kernel=Spectrum()), "compares words"),
        (lambda: Spectrum(p=0), "p must be"),
        (lambda: EditDistance(gamma=0.0), "gamma must be"),
    ],
)
def test_bad_input_gets_one_sentence(make, part):
    with pytest.raises(BadInput, match=part) as error:
        make()
    assert "\n" not in str(error.value)


def test_numbers_out_of_range_read_no_other_memory():
    run = solve(problem_of(given_rows(np.eye(4)), [-1, 1, -1, 1]), SMO())
    for points in (np.full((3, 2), 1e9), np.full((3, 1), -5.0), np.full((3, 5), np.nan)):
        assert np.isfinite(run.expansion(points)).all()


def test_registry_names_the_kernels_and_what_they_compare():
    assert {name: kind.name for name, kind in ITEM_KERNELS.items()} == {
        name: name for name in ITEM_KERNELS
    }
    assert {kind.domain for kind in ITEM_KERNELS.values()} == {"words", "matrix"}
    assert RBF.domain == "points"

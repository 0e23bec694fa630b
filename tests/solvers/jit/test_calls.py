"""Calls among compiled functions: plain ones, calls by address, and what is refused."""

from typing import Annotated, Any

import numpy as np
import pytest

from solvers import RBF, SMO, Linear, Problem, WorkingSet
from solvers.geometry.min_norm_point import Corral, Hull, Weights, first_weights, make_corral
from solvers.geometry.separation import make_hull, separation_form
from solvers.jit.compiled import called_by_address, compiled, inner
from solvers.jit.signatures import FixedVector, Matrix, Vector, kind_of, signature_of
from solvers.jit.simd import call_at
from solvers.methods.smo.steps import Points
from solvers.methods.working_set.state import Work
from solvers.problem.problem import DualForm
from tests.solvers.jit.test_compiled import python

PLACE = np.dtype([("place", np.int32)])
Place = Annotated[Any, PLACE]


@inner
def add_scaled(factor: float, source: FixedVector, target: Matrix) -> None:
    """Add ``factor * source`` to each row."""
    for r in range(len(target)):
        for k in range(len(source)):
            target[r, k] += factor * source[k]


@inner
def first_of(values, place):
    """Have no signature."""
    return values[place]


@compiled
def add_twice(source: FixedVector, target: Matrix) -> None:
    """Call it at two places."""
    add_scaled(2.0, source, target)
    add_scaled(0.5, source, target)


@compiled
def add_column(sources: Matrix, target: Matrix) -> None:
    """Pass an array that is not contiguous."""
    add_scaled(1.0, sources[:, 0], target)


@called_by_address
def value_at(
    values: Vector, pair: tuple[Matrix, int], record: Place, negated: bool
) -> tuple[float, int]:
    """Return a value, and the sum of the record's place and two numbers of the pair."""
    matrix, shift = pair
    value = first_of(values, record.place)
    return -value if negated else value, record.place + shift + int(first_of(matrix[1], 0))


@compiled
def sum_of_two(address: int, values: Vector, matrix: Matrix, record: Place) -> tuple[float, int]:
    """Call it by its address, and as it is."""
    first, _ = call_at(address, (values, (matrix, 10), record, False), (0.0, 0))
    second, number = value_at(values, (matrix, 20), record, True)
    return first - 2.0 * second, number


@compiled
def misled(address: int, values: Vector) -> None:
    """Call no function of this library: none takes one vector."""
    call_at(address, (values,), None)


def test_a_compiled_function_calls_others_with_arrays_that_may_be_read_only():
    source, target = np.array([1.0, -2.0, 4.0]), np.zeros((2, 3))
    source.setflags(write=False)
    add_twice(source, target)
    np.testing.assert_array_equal(target, 2.5 * np.stack([source, source]))


def test_python_cannot_call_what_is_for_compiled_code():
    with pytest.raises(TypeError, match="add_scaled is for compiled code only: call it in a"):
        add_scaled(3.0, np.array([1.0, 2.0]), np.ones((1, 2)))
    with pytest.raises(TypeError, match="value_at is for compiled code only"):
        value_at(np.ones(1), (np.ones((2, 1)), 1), np.zeros(1, dtype=PLACE)[0], False)
    with pytest.raises(TypeError, match="call_at can only be called by compiled code"):
        call_at(0, (), None)


def test_noncontiguous_arrays_are_refused_when_compiling():
    from numba.core.errors import TypingError

    with pytest.raises(TypingError):
        add_column(np.ones((3, 2)), np.zeros((1, 3)))


def test_a_call_by_address_passes_tuples_and_records_and_returns_values():
    record = np.zeros(1, dtype=PLACE)
    record["place"] = 2
    values, matrix = np.array([1.0, 2.0, 4.0]), np.array([[0.0], [100.0]])
    assert sum_of_two(value_at.address, values, matrix, record[0]) == (12.0, 122)


def test_a_call_by_address_whose_arguments_fit_no_function_is_refused_when_compiling():
    from numba.core.errors import TypingError

    with pytest.raises(TypingError):
        misled(value_at.address, np.ones(1))


def test_a_kernel_is_compiled_only_when_it_is_used():
    code = """
from solvers import Linear, Problem, solve
from solvers.kernels import evaluator
solve(Problem([[0, 0], [1, 1]], [-1, 1], kernel=Linear()))
rows = (evaluator.linear_rows, evaluator.rbf_rows, evaluator.evaluate)
print([row._function is not None for row in rows])
"""
    assert python(code).strip() == "[True, False, False]"


def test_annotations_of_tuples_match_the_arguments_from_python():
    from numba import typeof

    for kernel, bias in ((Linear(), "free"), (RBF(), "augmented"), (RBF(), "none")):
        problem = Problem([[0, 0], [1, 1], [2, 1]], [-1, 1, 1], kernel=kernel, bias=bias)
        assert kind_of(DualForm) == typeof(problem.dual_form) == typeof(separation_form(problem))
        assert kind_of(Hull) == typeof(make_hull(problem, 1.0))
        assert kind_of(Weights) == typeof(first_weights(make_hull(problem, 1.0), np.ones(3)))
        assert kind_of(Corral) == typeof(make_corral(problem.dual_form, 10**6))
        assert kind_of(Points) == typeof(SMO().workspace(problem, 10**6).all_points)
        assert kind_of(Work) == typeof(WorkingSet().workspace(problem, 10**6))


def test_a_missing_or_unknown_annotation_is_an_error_in_words():
    def half(values: Vector, place) -> float:
        return values[place] / 2

    def named(name: str) -> None:
        print(name)

    with pytest.raises(TypeError, match="half has no annotation of place"):
        signature_of(half)
    with pytest.raises(TypeError, match="no type for the annotation <class 'str'>"):
        signature_of(named)

"""Functions compiled separately: one machine code for all callers, found through a pointer."""

from typing import Annotated, Any

import numpy as np
import pytest

from solvers import RBF, SMO, Linear, Problem
from solvers.geometry.min_norm_point import Corral, Hull, Weights, first_weights, make_corral
from solvers.geometry.separation import make_hull, separation_form
from solvers.jit.compiled import compiled
from solvers.jit.separate import compiled_apart, compiled_when_reached
from solvers.jit.signatures import FixedVector, Matrix, Vector, kind_of, signature_of
from solvers.methods.smo.state import Points
from solvers.problem.problem import DualForm
from tests.solvers.jit.test_compiled import python


@compiled_apart
def add_scaled(factor: float, source: Vector, target: Matrix) -> None:
    """Add ``factor * source`` to each row."""
    for r in range(len(target)):
        for k in range(len(source)):
            target[r, k] += factor * source[k]


@compiled
def add_twice(source: FixedVector, target: Matrix) -> None:
    """Call it at two places."""
    add_scaled(2.0, source, target)
    add_scaled(0.5, source, target)


@compiled
def add_column(sources: Matrix, target: Matrix) -> None:
    """Pass an array that is not contiguous."""
    add_scaled(1.0, sources[:, 0], target)


def test_compiled_code_calls_it_with_arrays_that_may_be_read_only():
    source, target = np.array([1.0, -2.0, 4.0]), np.zeros((2, 3))
    add_twice(source, target)
    np.testing.assert_array_equal(target, 2.5 * np.stack([source, source]))
    source.setflags(write=False)
    add_twice(source, target)
    np.testing.assert_array_equal(target, 5.0 * np.stack([source, source]))


def test_python_cannot_call_it():
    with pytest.raises(TypeError, match="add_scaled is for compiled code only: call it in a"):
        add_scaled(3.0, np.array([1.0, 2.0]), np.ones((1, 2)))


def test_noncontiguous_arrays_are_refused_when_compiling():
    from numba.core.errors import TypingError

    with pytest.raises(TypingError):
        add_column(np.ones((3, 2)), np.zeros((1, 3)))


def test_kernels_are_compiled_only_when_they_are_used():
    code = """
from solvers import Linear, Problem, solve
from solvers.kernels import evaluator
solve(Problem([[0, 0], [1, 1]], [-1, 1], kernel=Linear()))
rows = evaluator.evaluate, evaluator.rbf_row, evaluator.sigmoid_row, evaluator.rare_row
print([row.is_loaded for row in rows])
"""
    assert python(code).strip() == "[True, True, False, False]"


@compiled_when_reached
def negate(values: Vector) -> None:
    """Change every sign."""
    for k in range(len(values)):
        values[k] = -values[k]


@compiled
def negate_all(values: Vector) -> None:
    """Call it."""
    negate(values)


def test_a_failure_to_compile_is_raised_where_python_called(monkeypatch):
    failure = KeyboardInterrupt()

    def fail():
        raise failure

    values = np.ones(3)
    with monkeypatch.context() as broken:
        broken.setattr(negate, "load", fail)
        with pytest.raises(KeyboardInterrupt) as caught:
            negate_all(values)
    assert caught.value is failure
    np.testing.assert_array_equal(values, np.ones(3))
    negate_all(values)
    np.testing.assert_array_equal(values, -np.ones(3))


PLACE = np.dtype([("place", np.int32)])
Place = Annotated[Any, PLACE]


@compiled_apart
def value_at(values: Vector, place: int, negated: bool) -> tuple[float, int]:
    """Return the value, and the next one."""
    return -values[place] if negated else values[place], place + 1


@compiled
def sum_of_two(values: Vector, record: Place) -> tuple[float, int]:
    """Call it with an index of four bytes, and with a literal one."""
    first, following = value_at(values, record.place, False)
    second, _ = value_at(values, 0, True)
    return first + second, following


def test_it_returns_values_and_takes_smaller_numbers():
    record = np.zeros(1, dtype=PLACE)
    record["place"] = 2
    assert sum_of_two(np.array([1.0, 2.0, 4.0]), record[0]) == (3.0, 3)


def test_annotations_of_tuples_match_the_arguments_from_python():
    from numba import typeof

    for kernel, bias in ((Linear(), "free"), (RBF(), "augmented"), (RBF(), "none")):
        problem = Problem([[0, 0], [1, 1], [2, 1]], [-1, 1, 1], kernel=kernel, bias=bias)
        assert kind_of(DualForm) == typeof(problem.dual_form) == typeof(separation_form(problem))
        assert kind_of(Hull) == typeof(make_hull(problem, 1.0))
        assert kind_of(Weights) == typeof(first_weights(make_hull(problem, 1.0), np.ones(3)))
        assert kind_of(Corral) == typeof(make_corral(3, 2, large_cache=True))
        assert kind_of(Points) == typeof(SMO().workspace(problem, True).all_points)


def test_a_missing_or_unknown_annotation_is_an_error_in_words():
    def half(values: Vector, place) -> float:
        return values[place] / 2

    def named(name: str) -> None:
        print(name)

    with pytest.raises(TypeError, match="half has no annotation of place"):
        signature_of(half)
    with pytest.raises(TypeError, match="no type for the annotation <class 'str'>"):
        signature_of(named)

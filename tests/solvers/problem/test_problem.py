"""Problems, and the sentences with which they refuse bad input."""

import math

import numpy as np
import pytest

from solvers import RBF, BadInput, Linear, Polynomial, Problem
from tests.solvers.problems import is_one_sentence

X = [[0.0, 0.0], [1.0, 1.0], [2.0, 0.0]]
Y = [-1, 1, 1]

BAD = {
    "no points": ({"X": [], "y": []}, "no points yet"),
    "no rows": ({"X": np.zeros((0, 2)), "y": []}, "no points yet"),
    "flat": ({"X": [1.0, 2.0, 3.0]}, "shape"),
    "no columns": ({"X": np.zeros((3, 0))}, "shape"),
    "deep": ({"X": np.zeros((3, 2, 1))}, "shape"),
    "ragged": ({"X": [[1, 2], [3], [4, 5]]}, "array of numbers"),
    "words": ({"X": [["a", "b"]] * 3}, "array of numbers"),
    "complex": ({"X": np.array(X) + 1j}, "array of numbers"),
    "nothing": ({"X": None}, "shape"),
    "nan": ({"X": [[0, 0], [1, math.nan], [2, 0]]}, "Point 2 has a coordinate that is not finite"),
    "infinite": ({"X": [[0, 0], [1, 1], [-math.inf, 0]]}, "Point 3"),
    "too far": ({"X": [[0, 0], [1e101, 1], [2, 0]]}, "Point 2 has a coordinate beyond 1e+100"),
    "one class": ({"y": [1, 1, 1]}, "All points have the label +1"),
    "other class": ({"y": [-1, -1, -1]}, "All points have the label -1"),
    "zero and one": ({"y": [0, 1, 1]}, "Labels must be -1 or +1: got 0"),
    "label nan": ({"y": [math.nan, 1, -1]}, "Labels must be -1 or +1: got nan"),
    "label word": ({"y": ["no", "yes", "yes"]}, "y must be an array of -1 and +1"),
    "few labels": ({"y": [1, -1]}, "got 2 and 3"),
    "C zero": ({"C": 0}, "above 0"),
    "C negative": ({"C": -math.inf}, "above 0"),
    "C nan": ({"C": math.nan}, "number above 0"),
    "C word": ({"C": "1"}, "number above 0: got '1'"),
    "C none": ({"C": None}, "number above 0"),
    "C true": ({"C": True}, "number above 0"),
    "C tiny": ({"C": 1e-300}, "between 1e-75 and 1e+75"),
    "C huge": ({"C": 1e300}, "between 1e-75 and 1e+75"),
    "kernel class": ({"kernel": RBF}, "kernel must be a kernel"),
    "kernel name": ({"kernel": "rbf"}, "kernel must be a kernel"),
    "bias": ({"bias": "some"}, "free, none, augmented: got 'some'"),
    "bias list": ({"bias": ["free"]}, "free, none, augmented"),
    "overflow": (
        {"X": [[0, 0], [1e60, 0], [2, 0]], "kernel": Linear()},
        "The kernel is too large at point 2 (1e+60, 0.0)",
    ),
    "overflow to inf": (
        {"X": [[0, 0], [1e50, 0], [2, 0]], "kernel": Polynomial(degree=10)},
        "The kernel is too large at point 2",
    ),
}


@pytest.mark.parametrize(("change", "said"), BAD.values(), ids=BAD)
def test_bad_input_is_refused_in_one_sentence(change, said):
    with pytest.raises(BadInput) as refusal:
        Problem(**{"X": X, "y": Y, **change})
    message = str(refusal.value)
    assert said in message
    # A class is shown as Python shows it.
    assert is_one_sentence(message.replace("<class", "").replace("'>", ""))


def test_arrays_are_copied_and_frozen():
    given, labels = np.array(X), np.array(Y)
    problem = Problem(given, labels)
    given[:] = labels[:] = 7
    assert problem.X.tolist() == X
    assert problem.y.tolist() == Y
    for array in (problem.X, problem.y):
        assert array.dtype == float
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0.0


def test_any_memory_order_is_accepted():
    fortran = np.asfortranarray(X)
    strided = np.repeat(np.array(X), 2, axis=0)[::2]
    for points in (fortran, strided, np.array(X, dtype=np.int32), tuple(map(tuple, X))):
        problem = Problem(points, np.array(Y)[:, None])
        assert problem.X.tolist() == X
        assert problem.X.flags.c_contiguous
        assert problem.dual_form.X.flags.c_contiguous


@pytest.mark.parametrize("d", [1, 2, 5])
def test_dual_form(d):
    points = np.arange(3.0 * d).reshape(3, d)
    dual_form = Problem(points, Y, kernel=Linear(), C=2.5).dual_form
    assert dual_form.lower.tolist() == [-2.5, 0, 0]
    assert dual_form.upper.tolist() == [0, 2.5, 2.5]
    assert dual_form.target.tolist() == Y
    assert dual_form.X.tolist() == points.tolist()
    assert dual_form.diagonal.tolist() == (points**2).sum(axis=1).tolist()
    # Compiled code is compiled once for all d.
    assert dual_form.X.flags.writeable


def test_lambda_and_the_hard_margin():
    problem = Problem(X, Y, C=4.0)
    assert (problem.n, problem.lam, problem.hard) == (3, 1 / 12, False)
    problem = Problem(X, Y, C=math.inf)
    assert (problem.lam, problem.hard) == (0.0, True)
    assert problem.dual_form.upper.tolist() == [0, math.inf, math.inf]
    assert problem.dual_form.lower.tolist() == [-math.inf, 0, 0]


def test_values_at_the_limits_are_accepted():
    for C in (1e-75, 1e75, math.inf):
        assert Problem(X, Y, C=C).C == C
    assert Problem([[1e100], [-1e100]], [1, -1], kernel=RBF()).X.max() == 1e100

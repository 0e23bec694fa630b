"""Documents are frozen and define the problem to solve."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers import SMO, BadInput, Pegasos
from svmviz.document.document import Document, Penalty
from tests.stages import eight


@given(st.floats(1e-6, 1e6), st.integers(1, 10_000))
def test_c_and_lambda_are_tied(value, n):
    assert Penalty("C", value).lam(n) == pytest.approx(1.0 / (value * n))
    assert Penalty("lambda", value).C(n) == pytest.approx(1.0 / (value * n))
    assert Penalty("lambda", value).lam(n) == value


def test_the_one_set_last_stays_when_points_come():
    more = eight(penalty=Penalty("lambda", 0.1)).added([[3.0, 3.0]], [1])
    assert more.lam == 0.1
    assert pytest.approx(1.0 / (0.1 * 9)) == more.C


def test_hard_margin_is_infinite_c_and_lambda_zero():
    assert Penalty("C", math.inf).lam(5) == 0.0
    assert math.isinf(Penalty("lambda", 0.0).C(5))


@pytest.mark.parametrize(
    ("kind", "value"),
    [("C", 0.0), ("C", -1.0), ("C", math.nan), ("lambda", math.inf), ("D", 1.0)],
)
def test_bad_penalties_are_refused(kind, value):
    with pytest.raises(BadInput):
        Penalty(kind, value)


@pytest.mark.parametrize("value", [-1.0, math.inf, math.nan])
def test_the_refusal_of_a_lambda_says_which_values_are_allowed(value):
    with pytest.raises(BadInput, match=f"lambda must be finite and at least 0: got {value:g}"):
        Penalty("lambda", value)


def test_edits_leave_the_original_alone():
    document = eight()
    before = document.data.points.copy()
    document.moved([0, 3], (1.0, 1.0))
    document.removed([0])
    document.added([[0.0, 0.0]], [1])
    document.relabelled([0], 1)
    assert (document.data.points == before).all()
    with pytest.raises(ValueError, match="read-only"):
        document.data.points[0, 0] = 5.0


def test_a_bias_the_method_cannot_solve_becomes_one_it_can():
    document = eight(methods=(Pegasos(),), bias="augmented")
    assert document.with_method(SMO()).bias == "free"
    assert document.with_method(Pegasos(batch_size=4)).bias == "augmented"


def test_scaling_divides_by_the_spread():
    document = eight(scaling="each")
    assert np.allclose(document.problem().X.std(axis=0), 1.0)
    common = eight(scaling="common")
    assert common.factors[0] == common.factors[1]
    assert np.allclose(common.problem().X * common.factors, common.data.points)


def test_equal_documents_are_equal():
    assert eight() == eight()
    assert eight() != eight().moved([0], (1e-12, 0.0))
    assert Document() == Document()

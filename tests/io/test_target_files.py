"""Points of a regression come back from text as they were, whatever their columns are called."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.data.datasets import PointSet
from svmviz.io.target_files import parse_targets, write_targets
from tests.solvers.data.test_point_files import coordinates, two_names


@given(st.lists(st.tuples(coordinates, coordinates), min_size=1), two_names)
def test_targets_come_back(rows, axis_names):
    data = PointSet(np.array(rows), np.ones(len(rows)), axis_names=axis_names)
    assert parse_targets(write_targets(data)) == data


@pytest.mark.parametrize(
    "names",
    [("1", "2"), ("y", "x"), ("target", "y"), ("nan", "?"), ("a", "0 0 0"), ("−1", "0 0 0")],
)
def test_columns_that_could_be_taken_for_something_else(names):
    data = PointSet(np.array([[0.3, 4.0]]), np.ones(1), axis_names=names)
    assert parse_targets(write_targets(data)) == data


def test_a_table_without_header_comes_back():
    data = parse_targets("5,6\n7,8\n")
    assert parse_targets(write_targets(data)) == data

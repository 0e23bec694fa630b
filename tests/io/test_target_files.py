"""Points of a regression come back from text as they were, whatever their columns are called."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers import BadInput
from solvers.data.datasets import PointSet
from solvers.data.point_files import MissingValues
from svmviz.io.open_and_save import open_file, open_scene
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


@pytest.mark.parametrize(
    ("text", "task"),
    [
        ("x,y\n1,2\n3,4\n", "regression"),
        ("1;2\n3;4\n", "regression"),
        ("-2.4 1:3\n1.5 1:4\n2 1:5\n", "regression"),
        ("1,2,a\n3,4,b\n", "classification"),
        ("1,2,-1\n3,4,1\n", "classification"),
        ("word,label\nab,1\nac,2\n", "classification"),
        ("-1 1:3\n+1 1:4\n", "classification"),
    ],
)
def test_a_table_is_read_for_the_task_that_suits_it(tmp_path, text, task):
    path = tmp_path / "a.csv"
    path.write_text(text)
    assert open_scene(path).document.task == task
    # The task of the document goes first, but it does not keep a file from being opened.
    for tasks in (("classification", "regression"), ("regression", "classification")):
        assert open_file(path, tasks=tasks).points.shape[1] == 2
    if task == "regression":
        with pytest.raises(BadInput):
            open_file(path, tasks=("classification",))


def test_what_a_curve_lacks_is_said_of_the_curve(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x,y\n1,2\n3,\n5,6\n")
    with pytest.raises(MissingValues, match='line 3, column "y": the value is missing'):
        open_file(path)
    assert open_file(path, skip_missing=True).points.tolist() == [[1.0, 2.0], [5.0, 6.0]]
    path.write_text("1,2\n3,4,5\n")
    with pytest.raises(BadInput, match="line 2: the number of cells is 3"):
        open_file(path)
    path.write_text("x,class\n1,2\n3,4\n")
    with pytest.raises(BadInput, match="two columns of numbers and one of labels are needed"):
        open_file(path)


def test_one_of_many_columns_is_the_coordinate(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("a,b,c\n1,2,3\n4,5,6\n")
    found = open_file(path, tasks=("regression",), x="b", labels="a")
    assert found.points.tolist() == [[2.0, 1.0], [5.0, 4.0]]
    assert found.axis_names == ("b", "a")
    with pytest.raises(BadInput, match='column "b" cannot be used twice'):
        open_file(path, tasks=("regression",), x="b", labels="b")
    with pytest.raises(BadInput, match="needs two columns of numbers, x and y"):
        open_file(path, tasks=("regression",))

"""Tables with a number to predict."""

import numpy as np
import pytest

from solvers import BadInput
from solvers.data.targets import read_targets

TABLE = """\
age,name,height,weight
1,Ann,80.5,10
2,Bob,-90,12.5
"""


def test_the_last_column_of_numbers_is_the_target():
    found = read_targets(TABLE)
    assert found.X.tolist() == [[1.0, 80.5], [2.0, -90.0]]
    assert found.y.tolist() == [10.0, 12.5]
    assert (found.names, found.target) == (("age", "height"), "weight")


@pytest.mark.parametrize("target", ["age", "AGE", "1"])
def test_another_target_by_name_or_number(target):
    found = read_targets(TABLE, target=target)
    assert found.y.tolist() == [1.0, 2.0]
    assert found.names == ("height", "weight")


def test_a_column_with_the_name_is_the_target():
    found = read_targets("y;a;b\n1;2;3\n4;5;6")
    assert (found.target, found.y.tolist()) == ("y", [1.0, 4.0])
    assert np.array_equal(found.X, [[2, 3], [5, 6]])


def test_without_a_header_columns_have_numbers():
    found = read_targets("1 2\n3 4")
    assert (found.names, found.target) == (("1",), "2")


@pytest.mark.parametrize(
    ("text", "target", "words"),
    [
        ("a\n1\n2", None, "f.csv: a column of targets and at least one more"),
        ("a,b\nx,y", None, "f.csv"),
        (TABLE, "length", 'f.csv: there is no column "length"'),
        (TABLE, "name", 'f.csv, line 2, column "name"'),
        ("a,b\n1,2\n3,\n5,6", None, 'f.csv, line 3, column "b"'),
        ("a,b\n1,2\n3,inf", None, 'f.csv, line 3, column "b"'),
        ("", None, "there are no points"),
    ],
)
def test_refusals(text, target, words):
    with pytest.raises(BadInput, match=words):
        read_targets(text, target=target, source="f.csv")

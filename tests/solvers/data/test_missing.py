"""Rows with missing values are refused, or left out on request."""

import pytest

from solvers import BadInput
from solvers.data.point_files import MissingValues, parse_points
from solvers.data.targets import read_targets

TABLE = "u,v,kind\n0,5,p\n1,NA,q\n2,7,q\n3,8,\n,,\n4,9,p\n"


def test_the_first_missing_value_and_the_number_of_rows_are_named():
    with pytest.raises(MissingValues, match='line 3, column "v": the value is missing') as raised:
        parse_points(TABLE)
    assert raised.value.rows == 2


def test_rows_with_missing_values_are_left_out():
    found = parse_points(TABLE, skip_missing=True)
    assert found.points.tolist() == [[0, 5], [2, 7], [4, 9]]
    assert found.labels.tolist() == [-1, 1, -1]
    assert found.class_names == ("p", "q")


def test_rows_of_other_classes_may_miss_values():
    text = TABLE + "5,,r\n"
    assert len(parse_points(text, classes=("p", "r"), skip_missing=True)) == 2
    with pytest.raises(MissingValues) as raised:
        parse_points(text, classes=("p", "r"))
    assert raised.value.rows == 1


def test_other_faults_are_not_skipped():
    text = TABLE + "x,1,p\n"
    for skip in (False, True):
        with pytest.raises(BadInput) as raised:
            parse_points(text, skip_missing=skip)
        assert not isinstance(raised.value, MissingValues)


def test_a_table_without_a_complete_row_is_refused():
    with pytest.raises(BadInput, match="missing") as raised:
        parse_points("u,v,kind\n1,,p\n2,3,\n", skip_missing=True)
    assert not isinstance(raised.value, MissingValues)


def test_targets_are_left_out_too():
    text = "x,y\n0,1\n1,\n2,3\n"
    with pytest.raises(MissingValues) as raised:
        read_targets(text)
    assert raised.value.rows == 1
    assert read_targets(text, skip_missing=True).y.tolist() == [1, 3]


def test_the_number_of_rows_left_out_is_told_whatever_else_is_asked():
    said = []
    text = "a;b;label\n0,5;1;1\n2;;-1\n3;1,5;-1\n;2;1\n"
    options = {"source": "t.csv", "skip_missing": True, "decimal": "comma"}
    points = parse_points(text, **options, on_guess=said.append)
    assert len(points) == 2
    assert said[-1].sentence == "t.csv: 2 rows with missing values were left out."

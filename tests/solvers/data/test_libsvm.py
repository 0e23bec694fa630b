"""LIBSVM text is read, or refused in a sentence."""

import pytest

from solvers.data.point_files import parse_points, read_libsvm
from solvers.errors import BadInput


def test_libsvm():
    text = "# comment\n+1 1:0.5 2:-3 # first\n-1 2:1e1\r\n\n-1\n1 1:2\n"
    expected = [(0.5, -3, 1), (0, 10, -1), (0, 0, -1), (2, 0, 1)]
    for read in (read_libsvm, parse_points):
        found = read(text)
        pairs = zip(found.points.tolist(), found.labels.tolist())
        assert [(x, y, k) for (x, y), k in pairs] == expected
        assert read(text).class_names == ("-1", "+1")


@pytest.mark.parametrize(
    ("labels", "signs"),
    [("01", [-1, 1]), ("12", [-1, 1]), ("21", [1, -1]), ("1", [1]), ("0", [-1])],
)
def test_libsvm_labels(labels, signs):
    text = "".join(f"{label} 1:1 2:2\n" for label in labels)
    assert read_libsvm(text).labels.tolist() == signs


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there are no points."),
        ("1 1:2\n0 5:1\n", "line 2: feature 5, but only 1 and 2 fit into the plane."),
        ("1 0:2\n", "line 1: feature 0, but only 1 and 2 fit into the plane."),
        ("1 1:2 1:3\n", "line 1: feature 1 is there twice."),
        ("1 1:2 x\n", 'line 1: "x" is not of the form index:value.'),
        ("1 1:abc\n", 'line 1, feature 1: "abc" is not a number.'),
        ("1 1:\n", "line 1, feature 1: the value is missing."),
        ("1 1:inf\n", 'line 1, feature 1: "inf" is not a finite number.'),
        ("a 1:1\n", 'line 1, label: "a" is not a number.'),
        ("1 1:1\n2 1:1\n3 1:1", 'there are 3 labels, not two: "1", "2", "3".'),
    ],
)
def test_libsvm_refusals(text, message):
    with pytest.raises(BadInput) as caught:
        read_libsvm(text)
    assert str(caught.value) == message


def test_a_typographic_minus_is_read_in_labels_and_values():
    pointset = read_libsvm("\N{MINUS SIGN}3 1:1 2:\N{MINUS SIGN}2\n2 1:3 2:4\n")
    assert pointset.class_names == ("\N{MINUS SIGN}3", "2")
    assert pointset.points.tolist() == [[1.0, -2.0], [3.0, 4.0]]

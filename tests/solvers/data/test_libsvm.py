"""LIBSVM text is read, or refused in a sentence."""

import contextlib

import numpy as np
import pytest

from solvers.data.libsvm import is_libsvm
from solvers.data.lines import read_lines
from solvers.data.numerals import UnclearNumbers
from solvers.data.point_files import UnclearColumns, parse_points, write_libsvm
from solvers.data.targets import is_curve, read_targets
from solvers.errors import BadInput


def test_libsvm():
    text = "# comment\n+1 1:0.5 2:-3 # first\n-1 2:1e1\r\n\n-1\n1 1:2\n"
    expected = [(0.5, -3, 1), (0, 10, -1), (0, 0, -1), (2, 0, 1)]
    for read in (parse_points, parse_points):
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
    assert parse_points(text).labels.tolist() == signs


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there are no points."),
        ("1 1:2 1:3\n", "line 1: feature 1 is there twice."),
        ("1 1:2 x\n", 'line 1: "x" is not of the form index:value.'),
        ("1 1:abc\n", 'line 1, feature 1: "abc" is not a number.'),
        ("1 1:\n", "line 1, feature 1: the value is missing."),
        ("1 1:inf\n", 'line 1, feature 1: "inf" is not a finite number.'),
        ("a 1:1\n", 'line 1, label: "a" is not a number.'),
        ("1 qid:1 1:1\n1 qid:a 1:1", 'line 2: "qid:a" is not of the form index:value.'),
        ("1 1:1 qid:2", 'line 1: "qid:2" is not of the form index:value.'),
        ("1 1:0,5 2:1.5", 'line 1, feature 1: "0,5" is not a number (decimals need a point).'),
        ("1,2 1:0.5", 'line 1, label: "1,2" is not a number (decimals need a point).'),
        (
            "1 1:1\n2 1:1\n3 1:1",
            'there are 3 labels, not two ("1", "2", "3"), which may be the targets of a '
            "regression.",
        ),
        (
            "0.5 1:1 2:1\n2 1:1\n3 1:1",
            'there are 3 labels, not two ("0.5", "2", "3"); if they are the targets of a '
            "regression, the plane shows one feature (--x), and svmviz solve --task regression "
            "takes all 2.",
        ),
        (
            "1 0:1 1:4 2:1\n-1 0:2 1:3 2:4",
            "a kernel matrix must be symmetric, but the entry in row 1 and column 2 is 1, and that"
            " in row 2 and column 1 is 3.",
        ),
    ],
)
def test_libsvm_refusals(text, message):
    with pytest.raises(BadInput) as caught:
        parse_points(text)
    assert str(caught.value) == message


def test_a_typographic_minus_is_read_in_labels_and_values():
    pointset = parse_points("\N{MINUS SIGN}3 1:1 2:\N{MINUS SIGN}2\n2 1:3 2:4\n")
    assert pointset.class_names == ("\N{MINUS SIGN}3", "2")
    assert pointset.points.tolist() == [[1.0, -2.0], [3.0, 4.0]]


SAME = [[0.5, -3.0], [0.0, 10.0], [2.0, 0.25]]


@pytest.mark.parametrize(
    "text",
    [
        "+1 qid:1 1:0.5 2:-3\n-1 qid:1 2:1e1 # doc\n+1 qid:2 1:2 2:.25\n",
        "+1 1:0.5 2:-3\n-1 qid:7 2:1e1\n+1 1:2 2:.25\n",
        "+1 1: 0.5 2: -3\n-1 2: 1e1\n+1 1: 2 2: .25\n",
        "+1 1 : 0.5 2 : -3\n-1 2 :1e1\n+1 1: 2 2:.25\n",
        "+1 1:0.5, 2:-3\n-1 2:1e1,\n+1 1:2, 2:.25\n",
        "+1,1:0.5,2:-3\n-1,2:1e1\n+1,1:2,2:.25\n",
        "+1; 1:0.5; 2:-3\n-1; 2:1e1\n+1; 1:2; 2:.25\n",
        "+1 1:0,5 2:-3\n-1 2:1e1\n+1 1:2 2:,25\n",
        "+1 1:0,5, 2:-3\n-1 2:1e1\n+1 1:2, 2:0,25\n",
        "+1,1:0,5,2:-3\n-1,2:1e1\n+1,1:2,2:0,25\n",
        "\n+1 1:0.5 2:-3\r\n-1 2:1e1\r\n+1 1:2 2:.25",
    ],
)
def test_what_people_write_between_pairs_is_read(text):
    for read in (parse_points, parse_points):
        found = read(text)
        assert found.points.tolist() == SAME
        assert found.labels.tolist() == [1, -1, 1]
        assert found.axis_names == ("x1", "x2")


def test_features_are_counted_from_0_if_the_file_does():
    found = parse_points("0 0:1.5 1:2\n1 1:3\n")
    assert found.points.tolist() == [[1.5, 2.0], [0.0, 3.0]]
    assert found.axis_names == ("x0", "x1")
    assert parse_points("0 0:1.5\n1 0:2\n").points.tolist() == [[1.5, 0.0], [2.0, 0.0]]
    assert parse_points("0 2:1.5\n1 2:2\n").points.tolist() == [[0.0, 1.5], [0.0, 2.0]]
    assert parse_points("0 5:1.5\n1 5:2\n").points.tolist() == [[0.0, 1.5], [0.0, 2.0]]


def test_two_of_many_features_are_chosen_by_their_numbers():
    text = "-1 1:1 5:2 13:3\n+1 1:4 5:5\n"
    with pytest.raises(UnclearColumns, match=r'x and y may be any of "x1", "x5", "x13"') as caught:
        parse_points(text)
    assert caught.value.numeric[:3] == ["x1", "x5", "x13"]
    assert caught.value.label_values["label"] == ["-1", "+1"]
    for x, y in (("5", "13"), ("x5", "x13")):
        found = parse_points(text, x=x, y=y)
        assert found.points.tolist() == [[2.0, 3.0], [5.0, 0.0]]
        assert found.axis_names == ("x5", "x13")
    with pytest.raises(
        BadInput, match='there is no feature "3"; the columns are "x1", "x5", "x13"'
    ):
        parse_points(text, x="3", y="5")


def test_several_classes_are_read_and_two_of_them_can_be_chosen():
    text = "1 1:1 2:2\n3 1:5 2:6\n2 1:3 2:4\n"
    whole = parse_points(text)
    assert (whole.class_names, whole.labels.tolist()) == (("1", "2", "3"), [0, 2, 1])
    assert parse_points(write_libsvm(whole)) == whole
    rows = []
    found = parse_points(text, classes=("3", "1"), on_rows=rows.append)
    assert (found.class_names, found.labels.tolist()) == (("3", "1"), [1, -1])
    assert rows[0].tolist() == [0, 1]


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [2, 0, 3, 1], [3, 1]])
def test_a_kernel_matrix_of_any_order_of_rows(order):
    K = np.array([[4.0, 1, 0, 2], [1, 5, 0.5, 1], [0, 0.5, 6, 0], [2, 1, 0, 7]])
    labels = np.array([1, -1, 1, -1])
    lines = [
        f"{labels[row]} 0:{row + 1} " + " ".join(f"{k + 1}:{K[row, k]}" for k in range(4))
        for row in order
    ]
    found = parse_points("\n".join(lines))
    assert found.items.kind == "matrix"
    assert found.items.K.tolist() == K[np.ix_(order, order)].tolist()
    assert found.labels.tolist() == labels[order].tolist()
    # Zeros may be left out of a whole matrix.
    if len(order) == 4:
        assert parse_points("\n".join(lines).replace(" 1:0.0", "").replace(" 3:0.0", "")) == found


def test_targets_are_labels_of_one_or_more_features():
    text = "-2,4 1:-1\n1,2 1:0,5 7:2\n3 7:1\n"
    found = read_targets(text)
    assert found.X.tolist() == [[-1.0, 0.0], [0.5, 2.0], [0.0, 1.0]]
    assert (found.y.tolist(), found.names, found.target) == ([-2.4, 1.2, 3], ("x1", "x7"), "target")
    assert read_targets(text, x="7").X.tolist() == [[0.0], [2.0], [1.0]]
    with pytest.raises(BadInput, match="a kernel matrix needs the labels of two classes"):
        read_targets("1 0:1 1:2 2:1\n2 0:2 1:1 2:2\n")


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("-2.4 1:3\n1 1:4\n2 1:5\n", True),
        ("-2.4 1:3 2:1\n1 1:4\n2 1:5\n", False),
        ("1,2\n3,4\n", True),
        ("x,y\n3,4\n", True),
        ("x,class\n3,4\n", False),
        ("x,y\n3,a\n", False),
        ("1,2,3\n3,4,5\n", False),
    ],
)
def test_a_curve_has_two_columns_of_numbers(text, is_one):
    assert is_curve(text) == is_one


def test_a_table_with_times_is_no_libsvm_text():
    for text in ("a,12:30,13:45\nb,12:31,13:46\n", "5,12:30,a\n", "noon 12:30,5\n"):
        assert not is_libsvm(read_lines(text))
    assert is_libsvm(read_lines("5,12:30\n"))


def test_long_lines_of_separators_take_no_time():
    for run in (" ", ",", ", ", ":", " :", ";"):
        with contextlib.suppress(BadInput):
            parse_points("1 1:1 2:2" + run * 40_000 + "3\n")


def test_thousands_are_read_as_in_tables():
    guesses = []
    found = parse_points("1 1:1,250 2:0.5\n-1 1:950 2:1\n", on_guess=guesses.append)
    assert found.points.tolist() == [[1250.0, 0.5], [950.0, 1.0]]
    assert [guess.sentence for guess in guesses] == [
        '"1,250" is read as 1250: commas separate thousands.'.capitalize()
    ]
    found = parse_points("1 1:1,250 2:0,5\n-1 1:9,5 2:1\n")
    assert found.points.tolist() == [[1.25, 0.5], [9.5, 1.0]]
    text = "1 1:1,250 2:2,500\n-1 1:950 2:1\n"
    with pytest.raises(UnclearNumbers, match='line 1: "1,250" can be'):
        parse_points(text)
    assert parse_points(text, decimal="point").points[0].tolist() == [1250.0, 2500.0]
    assert parse_points(text, decimal="comma").points[0].tolist() == [1.25, 2.5]
    assert read_targets("1,250 1:3\n2 1:4\n0 1:5\n", decimal="comma").y.tolist() == [1.25, 2, 0]

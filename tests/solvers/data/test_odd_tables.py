"""Tables as programs write them: indices, error values, cells with spaces, lines below."""

import pytest

from solvers.data.point_files import MissingValues, UnclearColumns, parse_points
from solvers.data.targets import read_targets
from solvers.errors import BadInput


def read(text, **options):
    """The points, labels, names of the classes, and guesses of a text."""
    guesses = []
    found = parse_points(text, on_guess=guesses.append, **options)
    said = [guess.sentence for guess in guesses]
    return found.points.tolist(), found.labels.tolist(), found.class_names, said


def test_an_index_that_pandas_wrote_twice_is_left_out():
    points, labels, _, said = read(
        "Unnamed: 0.1,Unnamed: 0,width,depth,fate\n0,4,3.5,0.5,a\n1,2,2.5,2,b\n2,9,3,0.25,a\n"
    )
    assert points == [[3.5, 0.5], [2.5, 2], [3, 0.25]]
    assert labels == [-1, 1, -1]
    assert said == ["The first 2 columns, which only count the rows, are left out."]


@pytest.mark.parametrize(
    ("name", "cells", "is_left_out"),
    [
        ("id", ("1001", "1002", "1003"), True),
        ("patient_id", ("842", "917", "331"), True),
        ("Sample ID", ("7", "3", "9"), True),
        ("nr", ("12", "13", "14"), True),
        ("id", ("5", "5", "9"), False),
        ("nr", ("12", "19", "14"), False),
        ("fluid", ("1001", "1002", "1003"), False),
        ("id", ("0.5", "1.5", "2.5"), False),
    ],
)
def test_columns_that_number_the_rows(name, cells, is_left_out):
    rows = zip(cells, (0.5, 2.5, 0.25), (1.5, 3, 1), "aba")
    text = f"{name},p,q,kind\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)
    if is_left_out:
        assert read(text)[0] == [[0.5, 1.5], [2.5, 3], [0.25, 1]]
    else:
        with pytest.raises(UnclearColumns, match="x and y may be any of"):
            read(text)


def test_an_identifier_is_a_coordinate_if_no_other_is_left():
    assert read("id,p,kind\n3,0.5,a\n1,2.5,b\n9,0.25,a\n")[0] == [[3, 0.5], [1, 2.5], [9, 0.25]]


@pytest.mark.parametrize(
    "cell", ["#DIV/0!", "#NV", "#WERT!", "#NOM?", "#N/A", "-", ".", "NULL", ""]
)
def test_cells_without_a_number_are_missing(cell):
    text = f"p;q;kind\n1,5;2;a\n{cell};3;b\n2,5;4;b\n0,5;1;a\n"
    with pytest.raises(MissingValues, match=r'line 3, column "p": the value is missing') as caught:
        read(text)
    assert caught.value.rows == 1
    assert read(text, skip_missing=True)[0] == [[1.5, 2], [2.5, 4], [0.5, 1]]


def test_dashes_are_classes_and_a_comment_is_a_comment():
    assert read("p,q,kind\n#note, of 3\n1,2,-\n3,4,+\n#5 of 9\n5,7,-\n")[:3] == (
        [[1, 2], [3, 4], [5, 7]],
        [1, -1, 1],
        ("+", "-"),
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("p;q;r\n12,5\u00a0%;3\u00a0%;u\n8\u00a0%;1\u00a0%;v\n", '"12,5 %" is not a number'),
        ("p,q,r\n12.5 cm,310 g,u\n30 cm,12 g,v\n", '"12.5 cm" is not a number'),
        ("p,q,r\n12.5 cm,310,u\n30 cm,12,v\n", '"12.5 cm" is not a number'),
    ],
)
def test_spaces_within_cells_do_not_divide_them(text, sentence):
    with pytest.raises(BadInput, match=rf'line 2, column "p": {sentence}'):
        read(text)


def test_white_space_divides_words_with_commas():
    assert read("1.5 2.5 a,b\n0.5 1 c\n2 3 a,b\n")[2] == ("a,b", "c")
    assert read("0,5 1,5 a\n2,5 1 b\n")[0] == [[0.5, 1.5], [2.5, 1]]


def test_lakhs_are_groups_of_two_digits():
    points, _, _, said = read('p,q,r\n"4,50,000","95,000",u\n"12,00,000.5","1,20,000",v\n')
    assert points == [[450000, 95000], [1200000.5, 120000]]
    assert said == ['"4,50,000" is read as 450000: commas separate thousands.']
    with pytest.raises(BadInput, match='"4,5,000" is not a number'):
        read('p,q,r\n"4,5,000",1,u\n2,3,v\n')


def test_labels_with_an_exponent_have_short_names():
    text = "1.5e+00 2.0e+00 1.000000000000000000e+00\n-5.0e-01 3.0e+00 -1.000000000000000000e+00\n"
    assert read(text)[1:3] == ([1, -1], ("-1", "1"))
    assert read(text, classes=("1", "-1"))[1:3] == ([-1, 1], ("1", "-1"))
    # Numbers that differ in the last digit only are two classes.
    close = "1 2 1.0000000000000002e+00\n1 3 1.0000000000000004e+00\n"
    assert read(close)[2] == ("1.0000000000000002", "1.0000000000000004")


def test_one_cell_of_words_below_a_table_is_left_out():
    points, _, _, said = read(
        " ph  | sand | from\n-----+------+-----\n 6.5 | 1.25 | well\n 7.5 | 0.5  | tap\n(2 rows)\n"
    )
    assert points == [[6.5, 1.25], [7.5, 0.5]]
    assert said == ['Line 5 ("(2 rows)") is left out.']
    with pytest.raises(BadInput, match="line 3: the number of cells is 1, but in line 1 it is 3"):
        read("1,2,a\n3,4,b\n5\n")


@pytest.mark.parametrize(
    "text",
    [
        "1,0.2,0.8\n0.2,1,0.3\n0.8,0.3,1\n",
        ",a,b,c,d\na,1,0.3,-0.2,0.1\nb,0.3,1,0.5,0\nc,-0.2,0.5,1,0.4\nd,0.1,0,0.4,1\n",
    ],
)
def test_a_kernel_matrix_without_labels_is_named(text):
    with pytest.raises(BadInput, match=r"like a kernel matrix, but a last column .* is missing"):
        read(text)


def test_a_symmetric_table_of_points_is_no_matrix():
    assert read("1,2,0\n2,3,1\n0,1,1\n")[0] == [[1, 2], [2, 3], [0, 1]]


def test_json_is_named():
    with pytest.raises(BadInput, match="this is JSON"):
        read('[{"x": 1.5, "y": 2, "label": "a"}]')
    with pytest.raises(BadInput, match="this is JSON"):
        read("[[1.5, 2, 1],\n [0.5, 1, -1]]")


def test_a_regression_says_which_column_is_the_target_if_the_last_has_no_numbers():
    guesses = []
    text = 'area,age,price\n85,12,"$250"\n120,3,"$410"\n64,40,"$155"\n'
    found = read_targets(text, on_guess=guesses.append)
    assert found.target == "age"
    assert [guess.sentence for guess in guesses] == [
        'Column "age" is read as the target, because "$250" in column "price" is not a number.'
    ]
    read_targets("area,age,town\n85,12,a\n120,3,b\n64,40,c\n", on_guess=guesses.append)
    assert len(guesses) == 1

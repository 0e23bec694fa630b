"""Tables as programs write them: indices, error values, cells with spaces, lines below."""

import pytest

from solvers.data.point_files import MissingValues, UnclearColumns, UnclearNumbers, parse_points
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
    ("text", "points", "said"),
    [
        (
            "p;q;r\n12,5\u00a0%;3\u00a0%;u\n8\u00a0%;\u22121,5\u00a0%;v\n",
            [[12.5, 3], [8, -1.5]],
            ['"12,5 %" is read as 12.5, without its unit.'],
        ),
        (
            "p,q,r\n12.5 cm,310 g,u\n30 cm,1200 g,v\n9 cm,7 g,v\n",
            [[12.5, 310], [30, 1200], [9, 7]],
            ['"12.5 cm" is read as 12.5, without its unit.'],
        ),
        (
            'p,q,r\n"$1,250.50",$3.00,u\n"($45.10)",-$2,v\n',
            [[1250.5, 3], [-45.1, -2]],
            ['"$1,250.50" is read as 1250.5: commas separate thousands.'],
        ),
        (
            "p;q;r\n1.250,50 €;2;u\n12,25 €;3;v\n",
            [[1250.5, 2], [12.25, 3]],
            ['"1.250,50 €" is read as 1250.5: points separate thousands.'],
        ),
        (
            "p;q;r\n12,5 cm;3,5 kg;u\n30,25 cm;12,5 kg;v\n30 cm;1 kg;v\n",
            [[12.5, 3.5], [30.25, 12.5], [30, 1]],
            ['"12,5 cm" is read as 12.5, without its unit.'],
        ),
        (
            "p;q;r\nCHF 1’250;2;u\nCHF 80;3;v\nCHF 7;3;v\n",
            [[1250, 2], [80, 3], [7, 3]],
            ['"CHF 1’250" is read as 1250: apostrophes separate thousands.'],
        ),
    ],
)
def test_a_unit_in_each_cell_is_left_out(text, points, said):
    assert read(text)[0] == points
    assert read(text)[3] == said


def test_units_that_differ_or_name_classes_are_words():
    with pytest.raises(BadInput, match=r'line 3, column "p": "30 m" is not a number'):
        read("p,q,r\n12.5,1,u\n30 m,2,v\n9,3,u\n")
    with pytest.raises(BadInput, match=r'line 2, column "p": "12\.5 cm" is not a number'):
        read("p,q,r\n12.5 cm,1,u\n30 m,2,v\n9 cm,3,u\n")
    assert read("5 mg,1,2\n10 mg,3,1\n5 mg,4,5\n")[2] == ("10 mg", "5 mg")
    # Labels keep their units.
    text = "1,2,5 mg\n3,4,10 mg\n5,6,20 mg\n"
    assert read(text, classes=("5 mg", "20 mg"))[:2] == ([[1, 2], [5, 6]], [-1, 1])


def test_an_unclear_number_with_a_unit_is_asked_about():
    text = "p;q;r\n1.250 €;2;u\n3.500 €;3;v\n7.125 €;3;v\n"
    with pytest.raises(UnclearNumbers, match=r'"1.250" can be 1250 .* or 1.25 '):
        read(text)
    assert read(text, decimal="comma")[0] == [[1250, 2], [3500, 3], [7125, 3]]


def test_spaces_within_cells_do_not_divide_them():
    with pytest.raises(BadInput, match=r'line 2, column "p": "12\.5 cm" is not a number'):
        read("p,q,r\n12.5 cm,310,u\n30 m,12,v\n", x="p", y="q", labels="r")


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
    text = "area,age,price\n85,12,$250\n120,3,€410\n64,40,$155\n"
    found = read_targets(text, on_guess=guesses.append)
    assert found.target == "age"
    assert [guess.sentence for guess in guesses] == [
        'Column "age" is read as the target, because "$250" in column "price" is not a number.'
    ]
    read_targets("area,age,town\n85,12,a\n120,3,b\n64,40,c\n", on_guess=guesses.append)
    assert len(guesses) == 1

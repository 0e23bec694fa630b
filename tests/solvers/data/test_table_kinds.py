"""Tables as programs write them: thousands, headers of numbers, columns that count, preambles."""

import pytest

from solvers import BadInput
from solvers.data.point_files import UnclearColumns, UnclearNumbers, parse_points
from solvers.data.targets import read_targets

NBSP, THIN, NARROW, QUOTE = "\xa0", "\u2009", "\u202f", "\u2019"


def read(text, **options):
    """Return the points, the names of the axes, and the sentences on what was guessed."""
    guesses = []
    found = parse_points(text, on_guess=guesses.append, **options)
    return found.points.tolist(), found.axis_names, [guess.sentence for guess in guesses]


def table(*rows, delimiter=";"):
    return "\n".join(delimiter.join(row) for row in rows) + "\n"


HEAD = ("rent", "pop", "moved")

# Thousands


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        # By groups of three: more than one group, or another mark behind them.
        (("1.012.400", "950", "999.800", "800"), (1012400, 950, 999800, 800)),
        (("1.012,5", "950", "2.500", "800"), (1012.5, 950, 2500, 800)),
        (("1,012.5", "950", "2,500", "800"), (1012.5, 950, 2500, 800)),
        (("1,012,400", "950", "2,500", "800"), (1012400, 950, 2500, 800)),
        # By the other cells.
        (("1.250", "950", "0,5", "800"), (1250, 950, 0.5, 800)),
        (("1,250", "950", "0.5", "800"), (1250, 950, 0.5, 800)),
        (("2,500", "950", "0,5", "800"), (2.5, 950, 0.5, 800)),
        (("2.500", "950", "0.5", "800"), (2.5, 950, 0.5, 800)),
        (("-1.250", "950", "-0,5", "1e3"), (-1250, 950, -0.5, 1000)),
        (("\N{MINUS SIGN}1.250", "+950", ",5", "800"), (-1250, 950, 0.5, 800)),
        # Spaces and apostrophes only separate groups.
        (("1 250", "1 012 400", "950,5", "800"), (1250, 1012400, 950.5, 800)),
        ((f"1{NBSP}250", f"1{NBSP}012,25", "950", "800"), (1250, 1012.25, 950, 800)),
        ((f"1{THIN}250", f"1{NARROW}012.25", "950", "800"), (1250, 1012.25, 950, 800)),
        (("1'250", "1'012.5", "950", "800"), (1250, 1012.5, 950, 800)),
        ((f"1{QUOTE}250", f"1{QUOTE}012,5", "950", "800"), (1250, 1012.5, 950, 800)),
        (("1 250", "12,400", "950", "800"), (1250, 12.4, 950, 800)),
        (("1'250", "12.400", "950", "800"), (1250, 12.4, 950, 800)),
    ],
)
@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_groups_of_three_digits(cells, numbers, delimiter):
    text = table(HEAD, (*cells[:2], "no"), (*cells[2:], "yes"), delimiter=delimiter)
    assert read(text)[0] == [list(numbers[:2]), list(numbers[2:])]


@pytest.mark.parametrize("cells", [('"950"', '"12,400"', '"1,250"', "800")])
def test_quoted_commas_between_commas_separate_thousands(cells):
    text = table(HEAD, (*cells[:2], "no"), (*cells[2:], "yes"), delimiter=",")
    points, _, guesses = read(text)
    assert points == [[950, 12400], [1250, 800]]
    assert guesses == ['"1,250" is read as 1250: commas separate thousands.']
    assert read(text, decimal="comma")[0] == [[950, 12.4], [1.25, 800]]


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (("1.250", "950", "0,5", "80"), '"1.250" is read as 1250: points separate thousands.'),
        (("1 250", "950", "5", "80"), '"1 250" is read as 1250: spaces separate thousands.'),
        (("1'250,5", "950", "5", "80"), '"1\'250,5" is read as 1250.5: apostrophes separate'),
        (("2,500", "950", "0,5", "80"), '"2,500" is read as 2.5: the comma is decimal.'),
    ],
)
def test_what_was_guessed_is_said(cells, said):
    (guess,) = read(table(HEAD, (*cells[:2], "no"), (*cells[2:], "yes")))[2]
    assert guess.startswith(said)


def test_evident_numbers_are_no_guess():
    assert read("x,y,label\n1.250,9.5,a\n2.125,0.5,b\n")[2] == []
    assert read("x;y;label\n1,25;9,5;a\n2,12;0,5;b\n")[2] == []


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
@pytest.mark.parametrize("mark", [".", ","])
def test_open_numbers_are_asked_about(delimiter, mark):
    rows = [("950", "12.400", "no"), ("1.250", "9.800", "yes"), ("2.980", "800", "yes")]
    text = table(HEAD, *rows, delimiter=delimiter).replace(".", mark)
    with pytest.raises(UnclearNumbers) as caught:
        read(text, source="a.csv")
    with_comma, with_point = ("1250", "1.25") if mark == "." else ("1.25", "1250")
    assert str(caught.value) == (
        f'a.csv, line 3, column "rent": "1{mark}250" can be {with_comma} (with a decimal comma) '
        f"or {with_point} (with a decimal point)."
    )
    thousands, decimals = ("comma", "point") if mark == "." else ("point", "comma")
    assert read(text, decimal=thousands)[0] == [[950, 12400], [1250, 9800], [2980, 800]]
    assert read(text, decimal=decimals)[0] == [[950, 12.4], [1.25, 9.8], [2.98, 800]]


def test_open_numbers_in_a_column_that_is_not_used_do_not_matter():
    text = "a;b;c;label\n950;1;2;p\n1.250;3;4;q\n"
    assert read(text, x="b", y="c")[0] == [[1, 2], [3, 4]]


def test_three_decimals_in_each_cell_are_decimals():
    assert read("x,y,label\n1.250,9.800,a\n2.980,3.125,b\n")[0] == [[1.25, 9.8], [2.98, 3.125]]
    assert read("x y label\n1.250 9.800 a\n2.980 3.125 b\n")[0] == [[1.25, 9.8], [2.98, 3.125]]


def test_contradictory_numbers_are_refused():
    with pytest.raises(BadInput, match=r'line 3, column "x": "1.250,5" is not a number'):
        read("x;y;label\n1,250.5;2;a\n1.250,5;3;b\n")


def test_labels_keep_their_own_spelling():
    text = 'x,y,label\n"1,250",0.5,"2,500"\n3,4,"1,000"\n'
    assert parse_points(text).class_names == ("1,000", "2,500")


def test_targets_have_thousands_too():
    found = read_targets('x,price\n0.5,"1,250"\n1.5,950\n')
    assert found.y.tolist() == [1250, 950]
    with pytest.raises(UnclearNumbers):
        read_targets("x;price\n5;1.250\n15;950\n")
    assert read_targets("x;price\n5;1.250\n15;950\n", decimal="comma").y.tolist() == [1250, 950]


# Delimiters, and where the table begins


@pytest.mark.parametrize(
    "text",
    [
        "sep=;\nx;y;label\n1;2;a\n3;4;b\n",
        '"sep=;"\nx;y;label\n1;2;a\n3;4;b\n',
        "sep=,\nx,y,label\n1,2,a\n3,4,b\n",
        "SEP=|\nx|y|label\n1|2|a\n3|4|b\n",
        "\ufeffsep=:\r\nx:y:label\r\n1:2:a\r\n3:4:b\r\n",
        "sep=;;;\nx;y;label\n1;2;a\n3;4;b\n",
        "x|y|label\n1|2|a\n3|4|b\n",
        "| x | y | label |\n|---|:--|------:|\n| 1 | 2 | a |\n| 3 | 4 | b |\n",
        " x | y | label \n---+---+-------\n 1 | 2 | a \n 3 | 4 | b \n",
        "x,y,label\n1,2,a,\n3,4,b,\n",
        "x,y,label,\n1,2,a\n3,4,b\n",
        "x;y;label\n1;2;a;;\n3;4;b;;\n",
        "x\ty\tlabel\n1\t2\ta\t\n3\t4\tb\t\n",
        "Exported by Lab 3.2\n2024-01-01\n\nx,y,label\n1,2,a\n3,4,b\n",
        "Lab report;;\nx;y;label\n1;2;a\n3;4;b\n",
        "% toy\n@RELATION toy\n\n@attribute x numeric\n@attribute y REAL\n"
        "@attribute label {a,b}\n@data\n1,2,a\n% more\n3,4,b\n",
        "@relation 'a b'\n@attribute 'x' numeric\n@attribute \"y\" numeric\n"
        "@attribute label {'a','b'}\n@DATA\n1,2,'a'\n3, 4, 'b'\n",
    ],
)
def test_where_the_table_is(text):
    for name in (text, text.replace("\n", "\r\n")):
        points, axes, _ = read(name)
        assert points == [[1, 2], [3, 4]]
        assert axes == ("x", "y")
        assert parse_points(name).class_names == ("a", "b")


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("1,25;2,5;a\n3,5;4,75;b\n", [[1.25, 2.5], [3.5, 4.75]]),
        ("1,25 2,5 a\n3,5 4,75 b\n", [[1.25, 2.5], [3.5, 4.75]]),
        ("1,25\t2,5\ta\n3,5\t4,75\tb\n", [[1.25, 2.5], [3.5, 4.75]]),
        ("1 250;2 500;a\n3 500;4 750;b\n", [[1250, 2500], [3500, 4750]]),
        ("1,2,a; b\n3,4,c; d\n", [[1, 2], [3, 4]]),
        (f"1{NBSP}250 2 a\n950 4 b\n", [[1250, 2], [950, 4]]),
    ],
)
def test_the_delimiter_is_the_one_that_leaves_numbers(text, points):
    assert read(text)[0] == points


def test_a_preamble_is_named():
    guesses = read("Lab 3.2\nmade in May\nx,y,label\n1,2,a\n3,4,b\n", source="f.csv")[2]
    assert guesses == [
        'f.csv: lines 1 to 2 (from "Lab 3.2") are left out: the table begins in line 3.'
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1,2\n3,4,a\n5,6,b\n", "line 1: the number of cells is 2, but in line 2 it is 3."),
        ("x,y,label\n1,2,a\n3,4\n5,6,b\n", "line 3: the number of cells is 2, but in line"),
        ("x,y,label\n1,2,a\n3,4,b,c\n", "line 3: the number of cells is 4, but in line 1 it is 3."),
        ("@relation r\n@attribute x numeric\n@data\n{0 1}\n", "line 4: sparse rows of ARFF"),
        ("@relation r\n@attribute x numeric\nx,y\n", 'line 3: "x,y" is not a declaration of ARFF'),
        ("@relation r\n@attribute x numeric\n@data\n", "there are no points"),
    ],
)  # fmt: skip
def test_refusals(text, message):
    with pytest.raises(BadInput) as caught:
        read(text)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("text", "axes"),
    [
        ('"bill\nlength","bill\ndepth",kind\n1,2,a\n3,4,b\n', ("bill length", "bill depth")),
        ('"bill\r\nlength";"a ""b""\r\nc";kind\r\n1;2;a\r\n3;4;b\r\n', ("bill length", 'a "b" c')),
        ('u,v,"kind\n\nof\nbird"\n1,2,"a\nc"\n3,4,b\n', ("u", "v")),
    ],
)
def test_line_breaks_within_quotes(text, axes):
    assert read(text)[:2] == ([[1, 2], [3, 4]], axes)


def test_lines_keep_their_numbers_after_a_line_break_in_quotes():
    with pytest.raises(BadInput, match="line 5"):
        read('"bill\nlength",v,kind\n1,2,a\n3,4,b\nx,6,b\n')
    # A quotation mark within a cell begins no cell.
    assert parse_points('1,2,5" pipe\n3,4,6" pipe\n').class_names == ('5" pipe', '6" pipe')


# Headers


@pytest.mark.parametrize(
    ("text", "axes"),
    [
        ("0,1,2\n-1.1,0.3,1\n-0.9,-0.4,1\n1.2,0.5,2\n", ("0", "1")),
        ("1,2,3\n-1.1,0.3,1\n-0.9,-0.4,1\n1.2,0.5,2\n", ("1", "2")),
        ("0,1,label\n-1.1,0.3,0\n0.9,-0.4,1\n", ("0", "1")),
        ("0,1,label\n5,7,up\n6,2,down\n", ("0", "1")),
        ("0,1,group\n-1.1,0.3,0\n0.9,-0.4,1\n", ("0", "1")),
        ("0,1,kind\n-1.1,0.3,p\n0.9,-0.4,q\n0.7,-0.4,q\n", ("0", "1")),
        ("10,20,kind\n1.1,0.3,0\n0.9,0.4,1\n", ("10", "20")),
        ("2019,2020,label\n3.5,2.1,a\n4.5,7.2,b\n", ("2019", "2020")),
        ("2019;2020;winner\n350;210;a\n450;720;b\n", ("2019", "2020")),
        ("2019,2020,2021\n1.5,2.1,0\n4.5,7.2,1\n", ("2019", "2020")),
        (",0,1,label\n0,1.5,2.1,0\n1,4.5,7.2,1\n", ("0", "1")),
        (",0,1,2\n7,1.5,2.1,0\n3,4.5,7.2,1\n5,4.5,7.2,1\n", ("0", "1")),
        ("u,v,kind\n5,7,0\n6,8,1\n", ("u", "v")),
    ],
)
def test_headers_of_numbers(text, axes):
    assert read(text)[1] == axes


@pytest.mark.parametrize(
    "text",
    [
        "1,2,a\n3,4,b\n",
        "1,2,a\n3.5,4.5,b\n2.5,1.5,a\n",
        "0,1,1\n1,0,1\n",
        "1,2,1\n2,5,1\n3,8,2\n",
        "0.5,1,a\n2,3,b\n",
        "1,2,3,9\n4,5,6,8\n",
        "1990,1.5,a\n1991,2.5,b\n",
    ],
)
def test_rows_that_are_no_header(text):
    assert len(read(text, x="1", y="2")[0]) == text.count("\n")


def test_a_typing_error_in_the_first_row_makes_no_header():
    with pytest.raises(BadInput, match='line 1, column "1": "abc" is not a number'):
        read("abc,2,a\n3,4,b\n")


def test_a_regression_that_begins_at_one_has_no_header():
    assert len(read_targets("1,2\n2,4\n3,7\n").y) == 3
    assert len(read_targets("0,1\n0.1,0.2\n0.5,0.9\n").y) == 2
    assert len(read_targets("0,1\n1,3\n2,5\n", header=True).y) == 2


def test_a_header_of_numbers_is_said_and_can_be_declined():
    text = "0,1,2\n-1.1,0.3,1\n-0.9,-0.4,2\n"
    guesses = []
    parse_points(text, on_guess=guesses.append)
    assert [guess.sentence for guess in guesses] == [
        "Line 1 (0, 1, 2) is read as the names of the columns."
    ]
    assert guesses[0].options == {"header": False}
    assert len(parse_points(text.replace("2\n-", "1\n-"), header=False)) == 3


# Columns


@pytest.mark.parametrize(
    "text",
    [
        ",x,y,label\n0,1,2,0\n1,3,4,1\n",
        ",x,y,label\n17,1,2,0\n4,3,4,1\n",
        "Unnamed: 0,x,y,label\n0,1,2,a\n1,3,4,b\n",
        "id,x,y,label\n1,1,2,a\n2,3,4,b\n3,3,4,b\n",
        "Index;x;y;label\n0;1;2;a\n1;3;4;b\n2;3;4;b\n",
        "id,x,y,label\ns1,1,2,a\ns2,3,4,b\n",
        ",x,y,label\nfirst,1,2,0\nsecond,3,4,1\n",
        '"x" "y" "label"\n"1" 1 2 "a"\n"2" 3 4 "b"\n',
        "x,y,label\nr1,1,2,0\nr2,3,4,1\n",
    ],
)
def test_a_column_that_counts_or_names_the_rows_is_left_out(text):
    points, axes, guesses = read(text)
    assert points[:2] == [[1, 2], [3, 4]]
    assert axes == ("x", "y")
    assert "rows, is left out." in guesses[-1]


def test_a_count_that_is_needed_stays():
    assert read(",y,label\n0,2,a\n1,4,b\n")[1] == ("1", "y")
    assert read("1,5,a\n2,7,b\n3,1,a\n")[0][0] == [1, 5]
    assert read(",x,y,label\n0,1,2,0\n1,3,4,1\n", x="1", y="x")[1] == ("1", "x")
    # A time is no count of the rows, even if it counts.
    with pytest.raises(UnclearColumns):
        read("t,x,y,label\n0,1,2,a\n1,3,4,b\n2,5,5,a\n3,5,5,a\n")


def test_a_count_is_no_coordinate_of_a_regression():
    guesses = []
    found = read_targets(",x,y\n0,0.1,0.2\n1,0.5,0.9\n2,1.0,2.1\n", on_guess=guesses.append)
    assert (found.names, found.target) == (("x",), "y")
    assert [guess.sentence for guess in guesses] == [
        "The first column, which only counts the rows, is left out."
    ]
    assert read_targets(",y\n0,0.2\n1,0.9\n").names == ("1",)


@pytest.mark.parametrize(
    ("text", "axes"),
    [
        ("x,y,group\n0.5,1,0\n2,3,1\n4,5,1\n", ("x", "y")),
        ("X,Y,cluster\n0,0,0\n0,1,1\n1,0,1\n1,1,0\n", ("X", "Y")),
        ("group,x,y\n0,0.5,1\n1,2,3\n1,4,5\n", ("x", "y")),
        ("x,z,y\n0.5,1,0\n2,3,1\n4,5,1\n", ("x", "z")),
        ("x1,x2,y\n0.5,1,0\n2,3,1\n4,5,1\n", ("x1", "x2")),
    ],
)
def test_y_beside_x_is_a_coordinate(text, axes):
    assert read(text)[1] == axes


def test_two_columns_of_one_name():
    text = "x,x,x,label\n1,2,3,a\n4,5,6,b\n"
    assert read(text, x="3", y="1")[:2] == ([[3, 1], [6, 4]], ("x (3)", "x (1)"))
    with pytest.raises(BadInput, match=r'no column "x"; the columns are "x \(1\)", "x \(2\)"'):
        read(text, x="x")
    assert read("x,x,label\n1,2,a\n4,5,b\n")[1] == ("x (1)", "x (2)")
    assert read('"",x,column 1,1\n9,2,3,0\n8,3,5,1\n', x="2", y="3", header=True)[1] == (
        "x",
        "column 1",
    )


def test_a_long_list_of_columns_is_a_whole_sentence():
    head = ",".join("abcdefghijkl")
    with pytest.raises(UnclearColumns) as caught:
        read(f"{head},label\n{','.join('123456789012')},p\n{','.join('234567890123')},q\n")
    assert str(caught.value).endswith('"i", "j" and 2 more.')
    assert caught.value.guess == (None, None, "label")


# Matrices

K = [[1.0, 0.25, 0.5], [0.25, 1.0, 0.75], [0.5, 0.75, 1.0]]


def matrix(header, rows):
    lines = [",".join(map(str, row)) for row in ([header] if header else []) + rows]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("note", ["", "# kernel matrix\n"])
@pytest.mark.parametrize(
    ("header", "firsts", "names"),
    [
        (["id", "u", "v", "w", "label"], ["u", "v", "w"], ("u", "v", "w")),
        (["", "u", "v", "w", "label"], ["u", "v", "w"], ("u", "v", "w")),
        (["", "0", "1", "2", "label"], ["0", "1", "2"], ("0", "1", "2")),
        (["", "0", "1", "2", "label"], ["p", "q", "r"], ("p", "q", "r")),
        (["0", "1", "2", "label"], None, ("0", "1", "2")),
        ([], ["u", "v", "w"], ("u", "v", "w")),
    ],
)
def test_kernel_matrices_with_names_of_rows(note, header, firsts, names):
    rows = [[*row, label] for row, label in zip(K, "pqp", strict=True)]
    if firsts:
        rows = [[first, *row] for first, row in zip(firsts, rows, strict=True)]
    items = parse_points(note + matrix(header, rows)).items
    assert items is not None
    assert items.K is not None
    assert items.K.tolist() == K
    assert items.names == names


def test_a_matrix_whose_columns_are_in_another_order():
    rows = [[name, row[2], row[0], row[1], "p"] for name, row in zip("uvw", K, strict=True)]
    rows[1][-1] = "q"
    points = parse_points(matrix(["", "w", "u", "v", "label"], rows))
    assert points.items is not None
    assert points.items.K is not None
    assert points.items.K.tolist() == K
    assert points.items.names == ("u", "v", "w")


def test_units_below_the_header_are_left_out():
    points, axes, guesses = read("x;y;label\nmm;°C;-\n1,5;2;a\n3;4,5;b\n")
    assert points == [[1.5, 2], [3, 4.5]]
    assert axes == ("x", "y")
    assert guesses == ["Line 2 (mm, °C, -) is left out."]
    with pytest.raises(BadInput, match="line 2"):
        read("x,y,label\nabc,2,a\n3,4,b\n5,6,b\n")

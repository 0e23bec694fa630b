import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.data.datasets import DATASETS, PointSet
from solvers.data.point_files import (
    MissingValues,
    UnclearColumns,
    parse_points,
    readable_name,
    write_csv,
    write_libsvm,
)
from solvers.errors import BadInput

PENGUINS = Path(__file__).parents[3] / "assets" / "penguins.csv"
THREE_CLASSES = "depth,mass,species\n1,2,Gentoo\n3,4,Adelie\n5,6,Chinstrap\n7,8,Adelie\n"
WIDE = "length,depth,mass,species\n1,2,3,a\n4,5,6,b\n"

coordinates = st.floats(-1e100, 1e100)
# Names that are difficult for a reader, in addition to arbitrary ones.
STUMBLING = """
    a|B|0|1|1.0|+1|-1|\N{MINUS SIGN}1|2|NA|nan|inf|1,5|y|label|Class|x1|not a
    #1|#N/A|a,b|a;b|say "hi"|"|'|\ufeffx|ß|# negative class: a
"""
names = st.sampled_from(re.split(r"\s*[|\n]\s*", STUMBLING.strip())) | st.text(min_size=1)


def tidy(name: str) -> str:
    return " ".join(name.split())


two_names = st.tuples(names, names).filter(
    lambda pair: tidy(pair[0]) != tidy(pair[1]) and all(map(tidy, pair))
)


class_names = st.lists(names.filter(tidy), min_size=2, max_size=6, unique_by=tidy).map(tuple)


@st.composite
def pointsets(draw) -> PointSet:
    names = draw(class_names)
    labels = [-1, 1] if len(names) == 2 else range(len(names))
    rows = draw(st.lists(st.tuples(coordinates, coordinates, st.sampled_from(labels)), min_size=1))
    values = np.array(rows)
    return PointSet(values[:, :2], values[:, 2], names, draw(two_names))


def rows_of(pointset: PointSet) -> list[tuple[float, float, int]]:
    return [(x, y, k) for (x, y), k in zip(pointset.points.tolist(), pointset.labels.tolist())]


def refusal(function, *arguments, **options) -> str:
    with pytest.raises(BadInput) as caught:
        function(*arguments, **options)
    return str(caught.value)


# Round trips


@given(pointsets())
def test_csv_round_trip(pointset):
    text = write_csv(pointset)
    assert parse_points(text) == pointset
    assert parse_points(text.replace("\n", "\r\n")) == pointset


@given(pointsets())
def test_libsvm_round_trip(pointset):
    text = write_libsvm(pointset)
    found = parse_points(text)
    assert parse_points(text) == found
    assert found.points.tobytes() == pointset.points.tobytes()
    # The format has no names; of more than two classes, those without points are lost.
    numbers = sorted(set((pointset.classes + 1).tolist()))
    if len(pointset.class_names) == 2:
        assert found == PointSet(pointset.points, pointset.labels)
    elif len(numbers) > 2:
        assert found.class_names == tuple(map(str, numbers))
    assert [found.class_names[k] for k in found.classes] == [
        line.split()[0] for line in text.splitlines()
    ]


@pytest.mark.parametrize("name", DATASETS)
def test_generated_sets_are_written_without_notes(name):
    pointset = DATASETS[name].generate(20, 0.1, 0)
    text = write_csv(pointset)
    assert text.startswith("x1,x2,label\n")
    assert parse_points(text) == pointset


def test_swapped_classes_are_noted():
    pointset = PointSet(np.eye(2), np.array([-1, 1]), ("Gentoo", "Adelie"))
    text = write_csv(pointset)
    assert text.startswith("# negative class: Gentoo\n# positive class: Adelie\nx1,x2,label\n")
    assert parse_points(text) == pointset


# Reading CSV


def test_penguins():
    pointset = parse_points(PENGUINS.read_text(encoding="utf-8"))
    assert len(pointset) == 274
    assert pointset.class_names == ("Adelie", "Gentoo")
    assert (pointset.labels == -1).sum() == 151
    assert pointset.points[0].tolist() == [18.7, 3750.0]
    assert pointset.axis_names == ("bill_depth_mm", "body_mass_g")
    assert [readable_name(name) for name in pointset.axis_names] == [
        "bill depth (mm)",
        "body mass (g)",
    ]
    assert parse_points(write_csv(pointset)) == pointset


@pytest.mark.parametrize(
    "text",
    [
        "0.5,1,a\n-2e1,.5,b\n",
        "0.5, 1, a\n-2e1, .5, b",
        "0.5;1;a\r\n-2e1;.5;b\r\n",
        '"0.5";"1";"a"\n"-2e1";".5";"b"\n',
        "0.5\t1\ta\n-2e1\t.5\tb\n",
        "0.5 1 a\n  -2e1   .5  b \n",
        "0.5 1\ta\n-2e1 .5\tb\n",
        "\ufeff0.5,1,a\n-2e1,.5,b",
        "# made by hand\n\n0.5,1,a\n   \n # more\n-2e1,.5,b\n,,\n",
        "0.5,1,a,\n-2e1,.5,b,\n",
        "a,0.5,1\nb,-2e1,.5\n",
        "0.5,a,1\n\N{MINUS SIGN}2e1,b,.5\n",
        "0.5,1,a\r-2e1,.5,b\r",
    ],
)
def test_plain_files(text):
    for read in (parse_points, parse_points):
        pointset = read(text)
        assert rows_of(pointset) == [(0.5, 1.0, -1), (-20.0, 0.5, 1)]
        assert pointset.class_names == ("a", "b")
        assert pointset.axis_names == ("x1", "x2")


@pytest.mark.parametrize(
    ("header", "axis_names"),
    [
        ("u,v,kind", ("u", "v")),
        ('"u, in m","v ""w""",kind', ("u, in m", 'v "w"')),
        ('"u; m",v,kind', ("u; m", "v")),
        (" u  u , v,kind", ("u u", "v")),
        (",v,kind", ("1", "v")),
        ("y,x,kind", ("y", "x")),
    ],
)
def test_headers(header, axis_names):
    pointset = parse_points(f"{header}\n1,2,b\n3,4,a\n")
    assert pointset.axis_names == axis_names
    assert rows_of(pointset) == [(1, 2, 1), (3, 4, -1)]


@pytest.mark.parametrize(
    ("text", "labels", "class_names"),
    [
        ("1,2,0\n3,4,1\n", [-1, 1], ("0", "1")),
        ("1,2,10\n3,4,9\n", [1, -1], ("9", "10")),
        ("1,2,+1\n3,4,-1\n5,6,1\n7,8,1.0", [1, -1, 1, 1], ("-1", "+1")),
        ("x,y,label\n1,2,1\n3,4,2\n", [-1, 1], ("1", "2")),
        ("1,2,\N{MINUS SIGN}1\n3,4,1", [-1, 1], ("\N{MINUS SIGN}1", "1")),
        ("1,2,a\n", [-1], ("a", "not a")),
        ("1,2,0\n", [-1], ("0", "+1")),
        ("1,2,3\n", [1], ("-1", "3")),
        ("# negative class: b\n1,2,a\n3,4,b\n", [1, -1], ("b", "a")),
        ("# Positive Class: a\n1,2,a\n3,4,b\n", [1, -1], ("b", "a")),
        ("# positive class: a\n1,2,a\n", [1], ("not a", "a")),
        ("# negative class: other column\n1,2,a\n3,4,b\n", [-1, 1], ("a", "b")),
    ],
)
def test_labels(text, labels, class_names):
    pointset = parse_points(text)
    assert pointset.labels.tolist() == labels
    assert pointset.class_names == class_names


@pytest.mark.parametrize(
    ("header", "label"),
    [("label,a,b", 0), ("a,Class,b", 1), ("target,y,b", 0), ("a,y,b", 1), ("a,b,c", 2)],
)
def test_label_column_of_numbers(header, label):
    pointset = parse_points(f"{header}\n1,2,3\n4,5,6\n")
    left = [name for k, name in enumerate(header.split(",")) if k != label]
    assert pointset.axis_names == tuple(left)


def test_named_label_column_wins_among_words():
    text = "id,species,u,v\np,b,1,2\nq,a,3,4\nr,a,5,6\n"
    assert rows_of(parse_points(text)) == [(1, 2, 1), (3, 4, -1), (5, 6, -1)]


def test_given_columns():
    pointset = parse_points(WIDE, x="mass", y="LENGTH")
    assert pointset.axis_names == ("mass", "length")
    assert rows_of(pointset) == [(3, 1, -1), (6, 4, 1)]
    assert parse_points(WIDE, x="3", y="1", labels="4") == pointset
    assert parse_points(WIDE, x="mass", y="length") == pointset
    assert parse_points("1,2,3,9\n4,5,6,8\n", labels="1", x="3", y="2").points.tolist() == [
        [3, 2],
        [6, 5],
    ]


def test_the_other_axis_is_chosen_if_one_is_given():
    assert parse_points("u,v,kind\n1,2,a\n3,4,b\n", x="v").axis_names == ("v", "u")


def test_chosen_classes():
    pointset = parse_points(THREE_CLASSES, labels="species", classes=("Gentoo", "Adelie"))
    assert pointset.class_names == ("Gentoo", "Adelie")
    assert rows_of(pointset) == [(1, 2, -1), (3, 4, 1), (7, 8, 1)]


def test_rows_of_other_classes_may_be_incomplete():
    text = "1,2,a\n3,4,b\nNA,6,c\n7,8,NA\n"
    assert len(parse_points(text, classes=("a", "b"))) == 2


# Choices


def test_more_than_two_labels_are_as_many_classes_in_sorted_order():
    guesses = []
    found = parse_points(THREE_CLASSES, on_guess=guesses.append)
    assert found.class_names == ("Adelie", "Chinstrap", "Gentoo")
    assert rows_of(found) == [(1, 2, 2), (3, 4, 0), (5, 6, 1), (7, 8, 0)]
    assert not guesses
    chosen = parse_points(THREE_CLASSES, classes=("Gentoo", "Chinstrap", "Adelie"))
    assert chosen.class_names == ("Gentoo", "Chinstrap", "Adelie")
    assert chosen.classes.tolist() == [0, 2, 1, 2]


def test_of_more_than_six_classes_those_with_most_points_are_read():
    # Class k has k points, and "i" as many as "h": the first in sorted order is read.
    letters = "".join(letter * k for k, letter in enumerate("abcdefgh", start=1)) + "i" * 3
    text = "".join(f"{k},{k * k % 7},{letter}\n" for k, letter in enumerate(letters))
    guesses, rows = [], []
    found = parse_points(text, source="a.csv", on_guess=guesses.append, on_rows=rows.append)
    assert found.class_names == ("c", "d", "e", "f", "g", "h")
    assert len(found) == sum(range(3, 9))
    assert [letters[row] for row in rows[0]] == [found.class_names[k] for k in found.classes]
    assert guesses[0].sentence == (
        'a.csv: column "3" has 9 labels; the 6 with the most points are read '
        '("c", "d", "e", "f", "g", "h"), and 6 points of the others are left out.'
    )
    assert parse_points(write_csv(found)) == found
    # A row without a label stays a question, whatever its class may be.
    with pytest.raises(MissingValues):
        parse_points(text + "1,1,\n")


@pytest.mark.parametrize(
    ("labels", "reason"),
    [
        ("0.5 0.7 0.5 0.7 0.9 0.9", "3 labels that are not whole numbers"),
        ("1 2 3 4", "4 labels for 4 points"),
        (" ".join(map(str, range(51))) + " 1" * 99, "51 labels, not two to 6"),
        (" ".join(f"name{k}" for k in range(51)) + " name1" * 99, "51 labels, not two to 6"),
        ("a b c d e f g", "7 labels for 7 points"),
    ],
)
def test_labels_that_may_be_no_classes_are_asked_about(labels, reason):
    rows = "".join(f"{k},{k % 3},{label}\n" for k, label in enumerate(labels.split()))
    with pytest.raises(UnclearColumns) as caught:
        parse_points("depth,mass,amount\n" + rows, source="birds.csv")
    assert str(caught.value).startswith(f'birds.csv: column "amount" has {reason} (')
    assert caught.value.asks_for == "classes"
    assert caught.value.columns == ["depth", "mass", "amount"]
    assert caught.value.label_values["mass"] == ["0", "1", "2"]
    first, second = sorted(set(labels.split()))[:2]
    assert parse_points("depth,mass,amount\n" + rows, classes=(second, first)).class_names == (
        second,
        first,
    )


def test_whole_numbers_in_a_column_of_labels_are_classes_however_few_the_points_are():
    assert parse_points("u,v,label\n1,2,3\n3,4,1\n5,6,2\n").class_names == ("1", "2", "3")


def test_more_than_two_numeric_columns():
    with pytest.raises(UnclearColumns) as caught:
        parse_points(WIDE)
    assert str(caught.value).startswith('x and y may be any of "length", "depth", "mass".')
    assert caught.value.asks_for == "axes"
    assert caught.value.numeric == ["length", "depth", "mass"]
    assert caught.value.label_values["species"] == ["a", "b"]


def test_several_columns_of_words():
    with pytest.raises(UnclearColumns, match='may be in any of "sex", "island"'):
        parse_points("sex,island,u,v\nm,p,1,2\nf,q,3,4\n")
    assert parse_points("sex,u,v,island\nm,1,2,p\nf,3,4,q\n").class_names == ("p", "q")


def test_columns_of_many_values_are_no_choice():
    text = "".join(f"{k},{k % 7},p{k}\n" for k in range(60))
    with pytest.raises(UnclearColumns) as caught:
        parse_points(text)
    assert '"p0", "p1", "p10"' in str(caught.value)
    assert len(str(caught.value)) < 250
    assert list(caught.value.label_values) == ["2"]


# Errors


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there are no points."),
        ("\n# only words\n", "there are no points."),
        (",,\n", "there are no points."),
        ("u,v,kind\n", "there is a header but there are no points."),
        ("u,v,kind\n1,2,a\n3,abc,b\n", 'line 3, column "v": "abc" is not a number.'),
        ("abc,2,a\n3,4,b\n", 'line 1, column "1": "abc" is not a number.'),
        ("# one\n\n1,2,a\n3,,b\n", 'line 4, column "2": the value is missing.'),
        ("1,2,a\n3,NaN,b\n", 'line 2, column "2": the value is missing.'),
        ("NA,NA,a\n3,4,b\n", 'line 1, column "1": the value is missing.'),
        ("#N/A,2,a\n3,4,b\n", 'line 1, column "1": the value is missing.'),
        ("1,2,a\n3,-inf,b\n", 'line 2, column "2": "-inf" is not a finite number.'),
        ("1,2,a\n3,1e999,b\n", 'line 2, column "2": "1e999" is beyond 1e+100, too large to use.'),
        ("1,2,a\n3,1_000,b\n", 'line 2, column "2": "1_000" is not a number.'),
        ("1,2,a\n3,4,\n", 'line 2, column "3": the label is missing.'),
        ("1,2,\n3,4,a\n", 'line 1, column "3": the label is missing.'),
        ("1,2,3\n3,4,nan\n", 'line 2, column "3": the label is missing.'),
        ("u,v,label\n1,2,NA\n", 'line 2, column "label": the label is missing.'),
        ("1,2,a\n3,4\n", "line 2: the number of cells is 2, but in line 1 it is 3."),
        ('1,2,a\n3,"4,b\n', "line 2: the quotes do not match (unexpected end of data)."),
        ("1.;2;a\n1,5;2;b\n", 'line 2, column "1": "1,5" is not a number (decimals need a point).'),
        (
            "1,2\n3,4\n",
            'two columns of numbers and one of labels are needed, but the columns are "1", "2".',
        ),
        (
            "some words in a line",
            "there is a header but there are no points.",
        ),
    ],
)
def test_refusals(text, message):
    assert refusal(parse_points, text) == message
    assert refusal(parse_points, text) == message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"x": "weight"}, 'there is no column "weight"; the columns are "length", "depth"'),
        ({"x": "5"}, 'there is no column "5"'),
        ({"x": "mass", "y": "mass"}, 'column "mass" cannot be used twice'),
        ({"x": "mass", "labels": "mass"}, 'column "mass" cannot be used twice'),
        ({"x": "mass", "y": "species"}, 'column "species" cannot be used|is not a number'),
        (
            {"x": "mass", "y": "depth", "classes": ("a", "c")},
            'no label "c"; the labels are "a", "b"',
        ),
        ({"x": "mass", "y": "depth", "classes": ("a", "a")}, "Two to 6 different classes"),
        ({"x": "mass", "y": "depth", "classes": ("a",)}, "Two to 6 different classes"),
    ],
)
def test_bad_choices(options, message):
    with pytest.raises(BadInput, match=message):
        parse_points(WIDE, **options)


def test_source_is_named():
    assert refusal(parse_points, "1,2,a\n3,x,b", source="a.csv").startswith(
        'a.csv, line 2, column "2"'
    )
    assert refusal(parse_points, "1 1:x", source="a.txt").startswith("a.txt, line 1, feature 1:")


def test_long_cells_are_shortened():
    assert len(refusal(parse_points, f"1,2,a\n3,{'x' * 1000},b\n")) < 100


# LIBSVM


# Arbitrary text


@pytest.mark.parametrize(
    ("name", "pretty_name"),
    [
        ("bill_depth_mm", "bill depth (mm)"),
        ("time_s", "time (s)"),
        ("x1", "x1"),
        ("mm", "mm"),
        ("sepal length (cm)", "sepal length (cm)"),
        ("_", "_"),
    ],
)
def test_pretty(name, pretty_name):
    assert readable_name(name) == pretty_name


CELLS = """1 -2.5 1e9 nan inf ınf 1_0 a b NA x label " ' # : 1: 2:3 1,2,a 1,2,b ٣ a,b,c"""
SEPARATORS = [",", ";", "\t", " ", "\n", "\r\n", "\x00", "\x85", "\ufeff", "1 1:2 2:3\n"]
NOTES = ["# label column: x\n", "# negative class: a\n", "# positive class: a\n"]
pieces = st.sampled_from([*CELLS.split(), *SEPARATORS, *NOTES])
grids = st.builds(
    lambda rows, separator: "\n".join(separator.join(row) for row in rows),
    st.lists(st.lists(st.sampled_from(CELLS.split()[:14]), min_size=3, max_size=3), max_size=4),
    st.sampled_from([",", ";", "\t", " "]),
)
messy = grids | st.text() | st.lists(pieces, max_size=40).map("".join)
column = st.none() | st.sampled_from(["1", "2", "3", "a", "x", ""])
chosen = st.none() | st.sampled_from([("a", "b"), ("1", "1.0"), ("a", "b", "1"), ("a",), ()])


def read_or_refuse(read, text, **options) -> PointSet | None:
    """Return the points, or None after a refusal in one sentence; raise other exceptions."""
    refused = None
    try:
        return read(text, **options)
    except BadInput as error:
        refused = str(error)
    assert refused.endswith(".")
    assert len(refused.splitlines()) == 1
    return None


@given(messy, column, column, column, chosen)
def test_any_text_is_read_or_refused(text, labels, x, y, classes):
    for read in (parse_points, parse_points):
        pointset = read_or_refuse(read, text, labels=labels, x=x, y=y, classes=classes)
        if pointset is not None:
            assert len(pointset) > 0
            assert parse_points(write_csv(pointset)) == pointset


@given(messy)
def test_any_text_is_libsvm_or_refused(text):
    pointset = read_or_refuse(parse_points, text)
    assert pointset is None or len(pointset) > 0


def test_large_files():
    pointset = DATASETS["blobs"].generate(20_000, 0.4, 0)
    assert parse_points(write_csv(pointset)) == pointset

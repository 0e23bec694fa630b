"""Words and Gram matrices as text: what is read, what is refused, and what is written."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers import BadInput
from solvers.data.datasets import PointSet
from solvers.data.items import MAX_ITEMS, MAX_LETTERS, Items, matrix_items, words_of
from solvers.data.point_files import (
    UnclearColumns,
    parse_points,
    write_csv,
    write_libsvm,
)

WORDS = "singing,verb\nringing,verb\nsinger,noun\nringer,noun\n"
SQUARE = "2,1,0,a\n1,2,1,b\n0,1,2,a\n"
MARK = "# kernel matrix\n"


def items_of(text: str, **options) -> tuple[Items, PointSet]:
    points = parse_points(text, **options)
    assert points.items is not None
    return points.items, points


@pytest.mark.parametrize(
    "text",
    [
        WORDS,
        "word,class\n" + WORDS,
        "name,kind\n" + WORDS,
        "label,text\n" + "".join(",".join(line.split(",")[::-1]) + "\n" for line in WORDS.split()),
        WORDS.replace(",", ";"),
        WORDS.replace(",", "\t"),
        "\ufeff" + WORDS.replace("\n", "\r\n"),
    ],
)
def test_words_with_labels(text):
    items, points = items_of(text)
    assert (items.kind, items.names) == ("words", ("singing", "ringing", "singer", "ringer"))
    assert points.class_names == ("noun", "verb")
    assert points.labels.tolist() == [1, 1, -1, -1]


def test_words_of_digits_need_a_header():
    items, points = items_of("word,y\n0101,1\n1100,-1\n")
    assert items.names == ("0101", "1100")
    assert points.labels.tolist() == [1, -1]
    with pytest.raises(BadInput):
        parse_points("0101,1\n1100,-1\n")


def test_chosen_classes_leave_words_out():
    text = WORDS + "sung,participle\n"
    items, points = items_of(text, classes=("verb", "participle"))
    assert items.names == ("singing", "ringing", "sung")
    assert points.labels.tolist() == [-1, -1, 1]


@pytest.mark.parametrize("text", [SQUARE, "u,v,w,class\n" + SQUARE, MARK + SQUARE])
def test_matrix_with_labels(text):
    items, points = items_of(text)
    assert items.K is not None
    assert items.K.tolist() == [[2, 1, 0], [1, 2, 1], [0, 1, 2]]
    assert items.names == (("u", "v", "w") if "class" in text else ("1", "2", "3"))
    assert points.labels.tolist() == [-1, 1, -1]


def test_labels_in_the_first_column_as_numbers():
    items, points = items_of("1,2.5,1,0\n-1,1,2.5,1\n1,0,1,2.5\n")
    assert items.K is not None
    assert items.K[0].tolist() == [2.5, 1, 0]
    assert points.labels.tolist() == [1, -1, 1]


def test_rounding_is_made_symmetric():
    items, _ = items_of(SQUARE.replace("2,1,0", "2,1.0000005,0"))
    assert items.K is not None
    assert (items.K == items.K.T).all()


def test_two_points_are_no_matrix():
    assert parse_points("1,2,a\n2,3,b\n").items is None
    assert parse_points("x,y,label\n1,2,a\n2,1,b\n").items is None


def test_a_table_of_other_numbers_is_no_matrix():
    with pytest.raises(UnclearColumns):
        parse_points("1,2,3,a\n4,5,6,b\n7,8,9,a\n")
    assert parse_points(SQUARE, x="1", y="2").items is None


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "no points"),
        ("singing,verb\n", "no points"),
        ("word,label\nsinging,verb\nringing,\n", "line 3.*label is missing"),
        ("word,label\n,verb\nringing,noun\n", "word 1 is empty"),
        (WORDS + "".join(f"{'s' * k}ung,kind{k}\n" for k in range(5)), "7 labels for 9 points"),
        (f"word,label\n{'a' * (MAX_LETTERS + 1)},x\nb,y\n", "51 letters"),
        ("word,label\n" + "abc,x\nabd,y\n" * 5000, "10,000 words"),
        (MARK + "1,2,a\n", "square"),
        (MARK + "1,2,a\n2,1,b\n3,4,a\n", "3 rows and 2 columns"),
        (MARK + "1,2,a\n3,1,b\n", "symmetric.*row 1 and column 2 is 2.*is 3"),
        (SQUARE.replace("2,1,0,a", "2,5,0,a"), "symmetric"),
        (SQUARE.replace("0,1,2,a", "0,1,2,"), "label is missing"),
        (SQUARE.replace("0,1,2,a", "0,1,NaN,a"), "line 3.*missing"),
        (SQUARE.replace("0,1,2,a", "0,1,inf,a"), "not a finite number"),
        (SQUARE.replace("0,1,2,a", "0,1,1e400,a"), "too large"),
        (MARK + "1,1j,a\n1j,1,b\n", "not a number"),
        (SQUARE.replace("0,1,2,a", "0,1,2,2.5").replace("a", "3").replace("b", "4"), "not whole"),
        (MARK + "1,2,3\n2,1,4\n3,4,1\n", "first or the last column"),
        (MARK + "\n".join(",".join(["1"] * 401 + ["a"]) for _ in range(401)), "401 rows"),
    ],
)
def test_refused_in_one_sentence(text, part):
    with pytest.raises(BadInput, match=part) as error:
        parse_points(text, source="file.csv")
    assert "\n" not in str(error.value)
    assert not isinstance(error.value, UnclearColumns)
    assert len(str(error.value)) < 250


@given(
    st.lists(st.text(min_size=1, max_size=8), min_size=2, max_size=6),
    st.sampled_from([("-1", "+1"), ("a b", 'c"d'), ("label", "word"), ("nan", "x,y")]),
)
def test_words_are_written_and_read_again(words, names):
    words = [" ".join(word.split()) for word in words]
    words = [word for word in words if word and "\0" not in word and word.isprintable()]
    if len(words) < 2:
        return
    labels = np.where(np.arange(len(words)) % 2, 1, -1)
    points = PointSet(np.zeros((len(words), 2)), labels, names, items=words_of(words))
    assert parse_points(write_csv(points)) == points


@given(st.integers(2, 5), st.integers(0, 99), st.booleans())
def test_matrices_are_written_and_read_again(n, seed, named):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(n, n))
    items = matrix_items(A + A.T, [f"item {k}" for k in range(n)] if named else ())
    labels = np.where(np.arange(n) % 2, 1, -1)
    points = PointSet(np.zeros((n, 2)), labels, ("no", "yes"), items=items)
    assert parse_points(write_csv(points)) == points


def test_items_have_no_coordinates_to_write_or_to_add_to():
    points = parse_points(WORDS)
    with pytest.raises(BadInput, match="LIBSVM"):
        write_libsvm(points)
    with pytest.raises(BadInput, match="no coordinates"):
        PointSet(np.zeros((5, 2)), np.ones(5), items=points.items)
    some = points.at(np.array([2, 0]))
    assert some.items is not None
    assert some.items.names == ("singer", "singing")
    assert parse_points(SQUARE).at(np.array([True, False, True])).items == matrix_items(
        np.array([[2.0, 0.0], [0.0, 2.0]]), ("1", "3")
    )


def test_limits():
    with pytest.raises(BadInput, match="at most 400"):
        matrix_items(np.eye(MAX_ITEMS + 1))
    with pytest.raises(BadInput, match="NUL"):
        words_of(["a\0b"])


@pytest.mark.parametrize("names", [("ann", "bob", "3"), ("1", "x", "3"), ("1", "2", "3")])
def test_rows_without_a_name_are_numbered(names):
    K = np.array([[2.0, 1.0, 0.0], [1.0, 2.0, 1.0], [0.0, 1.0, 2.0]])
    points = PointSet(
        np.zeros((3, 2)), np.array([-1, 1, -1]), ("a", "b"), items=matrix_items(K, names)
    )
    assert parse_points(write_csv(points)).items == points.items

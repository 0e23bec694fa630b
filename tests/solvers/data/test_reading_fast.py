"""The fast path for plain files compared with the general one, and the limits of reading."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.data import csv_rows, lines, tables
from solvers.data.cells import plain_numbers, to_number, to_numbers
from solvers.data.csv_rows import Rows
from solvers.data.lines import Lines
from solvers.data.point_files import parse_points, read_csv, read_libsvm
from solvers.errors import BadInput

CELLS = """1 -2.5 .5 1. 1e9 1e999 nan inf -inf ınf 1_0 1,5 −3 a b NA ? x "a" "a;b" "a,b" "" " ' # ٣
    "a""b" "1" a"b""".split()
BLANKS = ["", " ", "  ", "\t", "\x0b", "\xa0"]
cells = st.builds(
    "{}{}{}".format, st.sampled_from(BLANKS), st.sampled_from(CELLS), st.sampled_from(BLANKS)
)


@st.composite
def table_texts(draw):
    """Generate rows of mostly one length with one delimiter, some blank, some comments."""
    width = draw(st.integers(1, 4))
    mark = draw(st.sampled_from([",", ";", "\t", " "]))
    pool = draw(st.lists(cells, min_size=1, max_size=5))
    row = st.lists(st.sampled_from(pool), min_size=width, max_size=width).map(mark.join)
    odd = st.sampled_from(["", " ", "# note", mark * (width - 1), mark, "1"])
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    return end.join(draw(st.lists(row | row | row | odd, max_size=12)))


def table_of(text, careful, block):
    """Return all rows of a text, or the reason why it is refused."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "BLOCK", block)
        if careful:
            patch.setattr(Rows, "_split_simple", lambda *_: None)
        try:
            found = list(Rows(Lines(text)))
        except BadInput as error:
            return str(error)
    numbers = [number for part in found for number in part.line_numbers]
    return numbers, [row for part in found for row in zip(*part.columns)]


@given(table_texts())
def test_the_fast_path_splits_as_the_general_one(text):
    # In one block, so that both find the same first error.
    assert table_of(text, False, 10_000) == table_of(text, True, 10_000)


@given(table_texts())
def test_block_borders_do_not_matter(text):
    whole, pieces = table_of(text, True, 10_000), table_of(text, True, lines.MAX_LINE_LENGTH + 7)
    assert whole == pieces
    # Blocks of a few characters cut long lines, which are then refused; these are short.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "MAX_LINE_LENGTH", 100)
        small = table_of(text, False, 120)
    if not isinstance(whole, str):
        assert small == whole


@given(st.lists(st.sampled_from(CELLS) | st.text(max_size=5), max_size=6))
def test_numbers_read_at_once_are_those_read_one_by_one(some):
    one_by_one = [to_number(cell) for cell in some]
    assert to_numbers(some) == one_by_one
    plain = plain_numbers(some)
    assert plain is None or plain == one_by_one


def libsvm_of(text, careful):
    with pytest.MonkeyPatch.context() as patch:
        if careful:
            patch.setattr("solvers.data.libsvm._plain_block", lambda _: None)
        try:
            return read_libsvm(text)
        except BadInput as error:
            return str(error)


TOKENS = [
    "1:1",
    "2:2",
    "1:.5",
    "2:-1e3",
    "2:1e999",
    "1:1e200",
    "1:x",
    "2:",
    "3:1",
    "x",
    "#",
    "1:1_0",
]
libsvm_lines = st.builds(
    lambda label, tokens: " ".join([label, *tokens]),
    st.sampled_from(["1", "-1", "+1", "1.0", "a", "inf", "1e999", "nan"]),
    st.lists(st.sampled_from(TOKENS), max_size=3) | st.just(["1:1", "2:2"]),
)


@given(st.lists(libsvm_lines, max_size=6).map("\n".join))
def test_libsvm_read_at_once_is_as_line_by_line(text):
    assert libsvm_of(text, False) == libsvm_of(text, True)


def test_a_long_row_of_digits_takes_linear_time():
    # It took two minutes when two parts of the pattern matched the same digits.
    with pytest.raises(BadInput, match='line 1, column "1": "111'):
        parse_points("1" * 80_000 + ",2,a")


@pytest.mark.parametrize(
    ("limit", "value", "text", "message"),
    [
        ("lines.MAX_CHARACTERS", 10, "1,2,a\n3,4,b\n", "the text has more than 10 characters."),
        (
            "lines.MAX_LINE_LENGTH",
            10,
            "1,2,a\n3,4,bbbbbbbbb",
            "line 2 has more than 10 characters.",
        ),
        ("lines.MAX_LINES", 2, "1,2,a\n\n3,4,b\n", "there are more than 2 lines."),
        ("tables.MAX_POINTS", 1, "1,2,a\n3,4,b\n", "there are more than 1 points."),
        ("tables.MAX_POINTS", 1, "x,y,z\n1,2,a\n3,4,b\n", "there are more than 1 points."),
        ("libsvm.MAX_POINTS", 1, "1 1:1\n2 1:2\n", "there are more than 1 points."),
        (
            "csv_rows.MAX_COLUMNS",
            2,
            "1,2,a",
            "line 1 has 3 cells, but a table can have at most 2 col",
        ),
        ("tables.MAX_CELLS", 5, "1,2,a\n3,4,b\n", "there are more than 5 cells in 3 columns; l"),
        ("columns.MAX_LABELS", 1, "1,2,a\n3,4,b\n", 'column "3" has more than 1 labels, not two;'),
        ("libsvm.MAX_LABELS", 1, "1 1:1\n2 1:2\n", "there are more than 1 labels, not two."),
    ],
)
def test_texts_that_would_take_too_long_are_refused(monkeypatch, limit, value, text, message):
    monkeypatch.setattr(f"solvers.data.{limit}", value)
    with pytest.raises(BadInput) as caught:
        parse_points(text)
    assert str(caught.value).startswith(message)


def test_a_line_longer_than_a_block_is_refused(monkeypatch):
    # A blank line too: cut, it would count as several lines.
    for character in "x ":
        text = "1,2,a\n" + character * 3 * lines.BLOCK + "\n1,2,a"
        with pytest.raises(BadInput, match=r"line 2 has more than 100,000 characters"):
            read_csv(text)
    with pytest.raises(BadInput, match=r"line 1 has more than 100,000 characters"):
        read_csv("x" * 3 * lines.BLOCK)


@pytest.mark.parametrize("row", ["{0}.5,{0},a\n", "1 1:{0} 2:2\n"])
def test_reading_reports_progress_and_can_be_cancelled(row):
    text = "".join(row.format(k) for k in range(60_000))
    shares = []
    parse_points(text, report=shares.append)
    assert shares == sorted(shares)
    assert len(shares) > 3
    assert 0.0 < shares[0] < 0.2
    assert 0.3 < shares[-1] <= 1.0

    class GaveUp(Exception):
        pass

    def give_up(share):
        if share > 0.1:
            raise GaveUp

    with pytest.raises(GaveUp):
        parse_points(text, report=give_up)


def test_limits_are_consistent():
    # A block consists of whole lines, and the csv module can read any cell of them.
    assert lines.MAX_LINE_LENGTH < lines.BLOCK
    assert lines.MAX_LINE_LENGTH < 131_072
    assert csv_rows.MAX_COLUMNS * 2 < lines.MAX_LINE_LENGTH
    assert tables.MAX_CELLS > 3 * tables.MAX_POINTS

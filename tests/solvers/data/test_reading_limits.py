"""The limits of reading: what is too large is refused at once, and reading can be cancelled."""

import time

import pytest

from solvers.data import lines, rows
from solvers.data.point_files import parse_points
from solvers.errors import BadInput


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
        ("lines.MAX_ROWS", 1, "1,2,a\n3,4,b\n", "there are more than 1 points."),
        ("lines.MAX_ROWS", 1, "x,y,z\n1,2,a\n3,4,b\n", "there are more than 1 points."),
        ("lines.MAX_ROWS", 1, "1 1:1\n2 1:2\n", "there are more than 1 points."),
        (
            "rows.MAX_COLUMNS",
            2,
            "1,2,a",
            "line 1 has 3 cells, but a table can have at most 2 col",
        ),
        ("rows.MAX_CELLS", 5, "1,2,a\n3,4,b\n", "there are more than 5 cells in 3 columns; l"),
        (
            "columns.MAX_LABELS",
            1,
            "1,2,a\n3,4,b\n",
            'column "3" has more than 1 labels, not two to 6.',
        ),
        ("columns.MAX_LABELS", 1, "1 1:1\n2 1:2\n", 'column "label" has more than 1 labels, not'),
        (
            "libsvm.MAX_COLUMNS",
            2,
            "1 1:1 2:1\n2 1:2\n",
            "there are 2 features of 2 points; at most 1",
        ),
        (
            "libsvm.MAX_CELLS",
            5,
            "1 1:1 2:1\n2 1:2\n",
            "there are 2 features of 2 points; at most 999",
        ),
    ],
)
def test_texts_that_would_take_too_long_are_refused(monkeypatch, limit, value, text, message):
    monkeypatch.setattr(f"solvers.data.{limit}", value)
    with pytest.raises(BadInput) as caught:
        parse_points(text)
    assert str(caught.value).startswith(message)


def test_a_long_line_is_refused_even_if_it_is_blank():
    for character in "x ":
        text = "1,2,a\n" + character * (lines.MAX_LINE_LENGTH + 1) + "\n1,2,a"
        with pytest.raises(BadInput, match=r"line 2 has more than 100,000 characters"):
            parse_points(text)


@pytest.mark.parametrize("text", ["1,2,a\n" * 1_500_000, "1,2,3,4,5,6\n" * 390_000])
def test_files_of_a_million_rows_are_refused_at_once(text):
    start = time.perf_counter()
    with pytest.raises(BadInput, match="there are more than"):
        parse_points(text)
    # A loop over all lines takes seconds; counting takes some milliseconds.
    assert time.perf_counter() - start < 2.0


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
    # The csv module can read any cell of a line.
    assert lines.MAX_LINE_LENGTH < 131_072
    assert rows.MAX_COLUMNS * 2 < lines.MAX_LINE_LENGTH
    assert rows.MAX_CELLS > 3 * lines.MAX_ROWS

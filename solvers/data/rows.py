"""The rows of a table: finding its delimiter, splitting its lines, and finding where it begins."""

from __future__ import annotations

import csv
import math
import re
from collections import Counter
from statistics import median
from typing import NamedTuple

from solvers.cancelling import Report
from solvers.data.cells import is_missing, tidy
from solvers.data.guesses import Guess
from solvers.data.lines import LINES_PER_REPORT, Lines, file_prefix, line_prefix
from solvers.data.numerals import is_numeral
from solvers.data.units import split_unit
from solvers.errors import BadInput, quote

# Maximum number of columns, and of cells.
MAX_COLUMNS = 1_000
MAX_CELLS = 2_000_000
# Delimiters; a space stands for any white space.
_DELIMITERS = "\t;|, "
# Number of lines from which the delimiter is found.
_SAMPLE = 50
_QUOTED = re.compile(r'"[^"]*"?')
# Maximum number of lines before a table.
_MAX_PREAMBLE = 20
# A line of a table that is drawn with letters, such as |---|---|.
_RULE = re.compile(r"[\s|+:=-]*[=-]{2}[\s|+:=-]*")
_SPACES = re.compile(r"[ \t\v\f]+")


class TableRows(NamedTuple):
    """The rows of a table, all of the same length.

    Attributes
    ----------
    numbers : list of int
        The number of each row's line.
    cells : list of lists of str
    delimiter : str
    guesses : list of Guess
    """

    numbers: list[int]
    cells: list[list[str]]
    delimiter: str
    guesses: list[Guess]


def read_rows(lines: Lines, report: Report) -> TableRows:
    """Return the rows that have a cell that is not empty.

    Lines before the table are left out, and so are empty cells behind its last column.

    Raises
    ------
    BadInput
        If there are no rows or too many cells, if rows differ in length, or if quotes do not match.
    """
    delimiter = lines.notes.get("delimiter") or _delimiter(lines.texts[:_SAMPLE])
    rows = TableRows([], [], delimiter, [])
    for k, (number, line) in enumerate(zip(lines.numbers, lines.texts)):
        if k % LINES_PER_REPORT == 0:
            report(0.3 + 0.7 * k / len(lines.texts))
        if delimiter == "|" and _RULE.fullmatch(line):
            continue
        row = _cells(line, delimiter, line_prefix(lines.source, number))
        if not any(row):
            continue
        if not rows.cells:
            _check_size(len(row), len(lines.texts), number, lines.source)
        rows.numbers.append(number)
        rows.cells.append(row)
    if not rows.cells:
        raise BadInput(f"{file_prefix(lines.source)}there are no points.")
    return _with_equal_lengths(rows, lines.source)


def _delimiter(texts: list[str]) -> str:
    """Return the delimiter of lines: a tab, semicolon, bar, comma, or a space for white space.

    It is the one that leaves the fewest cells that are no numbers, and splits most lines into
    equally many cells. White space is the last choice. csv.Sniffer is not used: it counts
    characters, and mistakes decimal commas and letters for delimiters.
    """
    plain = [_QUOTED.sub(_plain_cell, text) for text in texts]

    def misfit(delimiter: str) -> tuple[float, bool, int, int]:
        rows = [_split_line(text, delimiter) for text in plain]
        width, _ = Counter(map(len, rows)).most_common(1)[0]
        if width < 2:
            return math.inf, delimiter == " ", 0, 0
        # The median ignores the words of a header and of lines before it.
        words = [sum(_wordiness(cell, delimiter) for cell in row) for row in rows]
        unequal = sum(len(row) != width for row in rows)
        return median(words), delimiter == " ", unequal, -width

    best = min(_DELIMITERS, key=misfit)
    # Without a delimiter that splits most lines, the first line decides.
    if misfit(best)[0] == math.inf:
        best = max("\t;|,", key=plain[0].count)
        best = best if best in plain[0] or len(plain[0].split()) < 2 else " "
    return best


def _wordiness(cell: str, delimiter: str) -> float:
    """Return 0 for a number or a missing value, at least 1 for a word.

    A word that contains another delimiter counts more, such as "cm;3" if "12 cm;3 %" is split at
    white space.
    """
    if is_missing(cell) or is_numeral(cell):
        return 0
    number, unit = split_unit(cell)
    # A unit that begins with a letter could be a label in the next cell, if the delimiter is wrong.
    if unit and not unit[0].isalpha() and is_numeral(number):
        return 0
    return 1 + sum(map(cell.count, ";|," if delimiter == " " else ";|")) / 2


def _plain_cell(quoted: re.Match[str]) -> str:
    """Return a number or a word to replace a cell in quotes, which may contain delimiters."""
    return "0" if is_numeral(tidy(quoted[0].strip('"'))) else "q"


def _split_line(line: str, delimiter: str) -> list[str]:
    if delimiter != " ":
        return list(map(tidy, line.split(delimiter)))
    # A no-break space does not end a cell, unless there are no other spaces.
    cells = _SPACES.split(line.strip())
    return list(map(tidy, cells)) if len(cells) > 1 else line.split()


def _cells(line: str, delimiter: str, position: str) -> list[str]:
    """Return the cells of a line; ``position`` names it in messages."""
    if '"' not in line:
        return _split_line(line, delimiter)
    if delimiter == " ":
        line = _SPACES.sub(" ", line.strip())
    reader = csv.reader([line], delimiter=delimiter, skipinitialspace=delimiter != " ", strict=True)
    try:
        return list(map(tidy, next(reader, [])))
    except csv.Error as error:
        raise BadInput(f"{position}: the quotes do not match ({error}).") from None


def _check_size(columns: int, rows: int, number: int, source: str) -> None:
    """Refuse tables with too many columns or cells; ``number`` is the line of the first row."""
    if columns > MAX_COLUMNS:
        raise BadInput(
            f"{line_prefix(source, number)} has {columns:,} cells, "
            f"but a table can have at most {MAX_COLUMNS:,} columns."
        )
    if columns * rows > MAX_CELLS:
        raise BadInput(
            f"{file_prefix(source)}there are more than {MAX_CELLS:,} cells in {columns:,} "
            "columns; leave out columns that are not needed."
        )


def _with_equal_lengths(rows: TableRows, source: str) -> TableRows:
    """Return rows of equal length, without the lines before the table."""
    lengths = list(map(len, rows.cells))
    usual, _ = Counter(lengths).most_common(1)[0]
    width = max(_used(row) for row in rows.cells if len(row) == usual)
    fits = [length >= width for length in lengths]
    for k, length in enumerate(lengths):
        if length > width and fits[k]:
            fits[k] = _used(rows.cells[k]) <= width
    start = fits.index(True)
    if start != 1 or not _lacks_corner(rows.cells, width):
        start = max(start, _header_after_words(rows.cells, fits, width))
        fits[:start] = [False] * start
    if start == 1 and _lacks_corner(rows.cells, width):
        rows.cells[0].insert(0, "")
        fits[0], start = True, 0
    if start and width > 1 and _is_preamble(rows.cells, start):
        first, last = rows.numbers[0], rows.numbers[start - 1]
        text = " ".join(filter(None, rows.cells[0]))
        which = f"lines {first} to {last} (from {quote(text)}) are"
        if start == 1:
            which = f"line {first} ({quote(text)}) is"
        sentence = f"{which} left out: the table begins in line {rows.numbers[start]}."
        rows.guesses.append(Guess(sentence))
        del rows.cells[:start], rows.numbers[:start], fits[:start]
        start = 0
    _leave_out_foot(rows, fits)
    if not all(fits):
        wrong = fits.index(False)
        raise BadInput(
            f"{line_prefix(source, rows.numbers[wrong])}: the number of cells is "
            f"{len(rows.cells[wrong])}, but in line {rows.numbers[start]} it is {width}."
        )
    _check_size(width, len(rows.cells), rows.numbers[0], source)
    for row in rows.cells:
        del row[width:]
    return rows


def _leave_out_foot(rows: TableRows, fits: list[bool]) -> None:
    """Leave out a last row of another length if it is one cell of words, such as "(4 rows)"."""
    foot = list(filter(None, rows.cells[-1]))
    if fits[-1] or not all(fits[:-1]) or len(foot) != 1 or is_numeral(foot[0]):
        return
    rows.guesses.append(Guess(f"line {rows.numbers[-1]} ({quote(foot[0])}) is left out."))
    del rows.cells[-1], rows.numbers[-1], fits[-1]


def _header_after_words(cells: list[list[str]], fits: list[bool], width: int) -> int:
    """Return the index of the header if rows before it are words, not data; otherwise 0."""
    for k in range(1, min(_MAX_PREAMBLE, len(cells) - 2) + 1):
        row, below = cells[k][:width], cells[k + 1][:width]
        is_header = fits[k] and all(row[1:]) and not any(map(is_numeral, row))
        if is_header and any(map(is_numeral, below)):
            # A row of data has numbers where the next row has some.
            numeric = [j for j, cell in enumerate(below) if is_numeral(cell)]
            before = [[row[j] for j in numeric if j < len(row)] for row in cells[:k]]
            first = cells[0]
            could_be_header = fits[0] and all(first[1:width]) and not any(map(is_numeral, first))
            is_data = any(row and all(map(is_numeral, row)) for row in before)
            return 0 if is_data or could_be_header else k
    return 0


def _used(row: list[str]) -> int:
    """Return the number of cells of a row; empty cells at its end do not count."""
    used = len(row)
    while used and not row[used - 1]:
        used -= 1
    return used


def _lacks_corner(cells: list[list[str]], width: int) -> bool:
    """Return whether the first row is a header without a name for the first column, as R writes."""
    return (
        len(cells[0]) == width - 1
        and len(cells) > 2
        and not any(map(is_numeral, cells[0]))
        and len({row[0] for row in cells[1:]}) == len(cells) - 1
    )


def _is_preamble(cells: list[list[str]], start: int) -> bool:
    """Return whether the rows before ``start`` are words before a table, not damaged rows."""
    if not any(map(is_numeral, cells[start])) and len(cells) > start + 1:
        return True
    before = [list(filter(None, row)) for row in cells[:start]]
    return all(len(row) == 1 and not is_numeral(row[0]) for row in before)

"""Text as a table: named columns of cells. Reading a point file begins with this."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from solvers.data.cells import is_missing, is_number, tidy, to_number, with_decimal_point
from solvers.data.lines import (
    LINES_PER_REPORT,
    Lines,
    Report,
    check_rows,
    file_prefix,
    line_prefix,
    no_report,
)
from solvers.errors import BadInput, quote

# Maximum number of columns, and of cells.
MAX_COLUMNS = 1_000
MAX_CELLS = 2_000_000


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of text cells, all of the same length, with at least one row.

    Attributes
    ----------
    names : tuple of str
        Names of the columns, all different; "1", "2", ... without a header.
    kinds : tuple of str
        For each column "empty" if all its cells stand for missing values, "number" if at least
        half of its cells with a value are numbers, otherwise "text".
    lines : list of int
        Line number of each row in the text, from 1.
    has_header : bool
    notes : dict
        See :class:`solvers.data.lines.Lines`.
    source : str
        Name of the file for messages, or empty.
    columns : list of lists of str
        The cells of each column.
    """

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    lines: list[int]
    has_header: bool
    notes: dict[str, str]
    source: str
    columns: list[list[str]] = field(repr=False)

    def __len__(self) -> int:
        return len(self.lines)

    def words(self, column: int) -> tuple[np.ndarray, list[str]]:
        """Return the cells of a column as ``(codes, words)``: cell k is ``words[codes[k]]``.

        ``codes`` has shape (n,), and ``words`` contains the different cells.
        """
        words: dict[str, int] = {}
        codes = [words.setdefault(cell, len(words)) for cell in self.columns[column]]
        return np.array(codes, dtype=np.int64), list(words)

    def values(self, columns: Sequence[int]) -> np.ndarray:
        """Return the numbers of k columns, shape (n, k); NaN for a cell that is not a number."""
        cells = [list(map(to_number, self.columns[column])) for column in columns]
        return np.array(cells, dtype=np.float64).T

    def missing(self, columns: Sequence[int]) -> np.ndarray:
        """Return which cells of k columns are missing, bool, shape (n, k)."""
        return np.array([list(map(is_missing, self.columns[column])) for column in columns]).T

    def distinct_cells(self, max_cells: int) -> list[list[str] | None]:
        """Return for each column its different cells, in order of occurrence.

        Cells that stand for a missing value are left out. The entry of a column is None if it has
        more than ``max_cells`` different cells.
        """
        found = [
            [cell for cell in dict.fromkeys(column) if not is_missing(cell)]
            for column in self.columns
        ]
        return [words if len(words) <= max_cells else None for words in found]

    def cell_prefix(self, row: int, column: int) -> str:
        """Return the beginning of a message about a cell: file, line and column."""
        return f"{line_prefix(self.source, self.lines[row])}, column {quote(self.names[column])}"


def read_table(lines: Lines, report: Report = no_report) -> Table:
    """Split lines into columns, at the delimiter that fits the first row.

    The delimiter is a comma, semicolon, tab or white space. Rows and columns of empty cells are
    left out. The first row is a header if none of its cells is a number or a word for a missing
    value, or if it contains the name of the label column that a comment line gives. Numbers may
    have decimal commas if no number has a decimal point.

    Parameters
    ----------
    lines : Lines
    report : callable(float)
        Called with the fraction read, 0 to 1. It may raise an exception to cancel.

    Raises
    ------
    BadInput
        If there are no rows or too many cells, if rows differ in length, if quotes do not match,
        or if two columns have the same name.
    """
    source = lines.source
    numbers, rows = _split(lines, report)
    first_row = rows[0]
    # If any cell of the first row is a number or a word such as "NA", the row is data, even if
    # another cell has a typing error.
    has_header = not any(is_number(cell) or (cell and is_missing(cell)) for cell in first_row)
    has_header = has_header or lines.notes.get("label column") in first_row
    if has_header and len(rows) == 1:
        raise BadInput(f"{file_prefix(source)}there is a header but there are no points.")
    first_line = numbers[0]
    if has_header:
        del numbers[0], rows[0]
    check_rows(len(rows), source)
    columns = [list(column) for column in zip(*rows)]
    used = [k for k, column in enumerate(columns) if first_row[k] or any(column)]
    header = [first_row[k] if has_header else "" for k in used]
    names = [cell or str(k) for k, cell in enumerate(header, start=1)]
    for name, count in Counter(names).items():
        if count > 1:
            line = line_prefix(source, first_line)
            raise BadInput(f"{line}: two columns are named {quote(name)}.")
    columns = [columns[k] for k in used]
    kinds = tuple(map(_kind, columns))
    return Table(tuple(names), kinds, numbers, has_header, lines.notes, source, columns)


def _split(lines: Lines, report: Report) -> tuple[list[int], list[list[str]]]:
    """Return the line number and the cells of each row that has a cell that is not empty."""
    delimiter = _delimiter(lines.texts[0])
    numbers: list[int] = []
    rows: list[list[str]] = []
    for k, (number, line) in enumerate(zip(lines.numbers, lines.texts)):
        if k % LINES_PER_REPORT == 0:
            report(0.3 + 0.7 * k / len(lines.texts))
        row = _cells(line, delimiter, line_prefix(lines.source, number))
        if not any(row):
            continue
        if not rows:
            _check_size(len(row), len(lines.texts), number, lines.source)
        elif len(row) != len(rows[0]):
            raise BadInput(
                f"{line_prefix(lines.source, number)}: the number of cells is {len(row)}, "
                f"but in line {numbers[0]} it is {len(rows[0])}."
            )
        numbers.append(number)
        rows.append(row)
    if not rows:
        raise BadInput(f"{file_prefix(lines.source)}there are no points.")
    # If any number has a decimal point, commas are not replaced: they may separate thousands.
    has_commas = any("," in cell for row in rows for cell in row)
    if has_commas and not any("." in cell and is_number(cell) for row in rows for cell in row):
        rows = [list(map(with_decimal_point, row)) for row in rows]
    return numbers, rows


def _cells(line: str, delimiter: str, position: str) -> list[str]:
    """Return the cells of a line; ``position`` names it in messages."""
    if delimiter == " ":
        line = tidy(line)
    if '"' not in line:
        return list(map(tidy, line.split(delimiter)))
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


def _delimiter(line: str) -> str:
    """Return the delimiter of a line: a tab, a semicolon, a comma, or a space for white space.

    Of tab, semicolon and comma, the one that splits the line into the most cells is chosen; if two
    give the same number, the first of this list. If this number is below three and white space
    gives more cells, white space is chosen. csv.Sniffer is not used: it counts characters, and
    mistakes decimal commas and letters for delimiters.
    """
    without_quotes = re.sub(r'"[^"]*"?', "q", line)
    best = max("\t;,", key=without_quotes.count)
    cells = without_quotes.count(best) + 1
    return " " if cells < 3 and len(without_quotes.split()) > cells else best


def _kind(column: list[str]) -> str:
    """Return the kind of a column; see ``Table.kinds``."""
    present = numbers = 0
    for cell, count in Counter(column).items():
        if not is_missing(cell):
            present += count
            numbers += count * is_number(cell)
    if not present:
        return "empty"
    return "number" if 2 * numbers >= present else "text"

"""Text as a table: named columns of cells. Reading a point file begins with this.

A table stores its text and the line numbers of its rows. It does not store the cells, which would
take ten times the memory. It reads the text once to find the kinds of its columns, and again each
time that cells are needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from solvers.data.cells import is_missing, is_number, plain_numbers, to_numbers
from solvers.data.csv_rows import Rows
from solvers.data.datasets import MAX_POINTS
from solvers.data.lines import Lines, Report, file_prefix, line_prefix, no_report
from solvers.errors import BadInput, quote

# Maximum number of cells. Up to this number reading takes at most some seconds.
MAX_CELLS = 5_000_000


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
    lines : int64 array, shape (n,)
        Line number of each row in the text, from 1.
    has_header : bool
    notes : dict
        Values of comment lines such as ``# negative class: Gentoo``. The keys are "label column",
        "negative class" and "positive class".
    source : str
        Name of the file for messages, or empty.
    """

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    lines: np.ndarray
    has_header: bool
    notes: dict[str, str]
    source: str
    _rows: Rows = field(repr=False)
    # For each column of the table, the index of its cell in a row of `_rows`. Such a row may have
    # more cells than the table has columns, since empty columns are left out of the table.
    _cell_indices: tuple[int, ...] = field(repr=False)

    def __len__(self) -> int:
        return len(self.lines)

    def words(self, column: int, max_words: int) -> tuple[np.ndarray, list[str]] | None:
        """Return the cells of a column as ``(codes, words)``: cell k is ``words[codes[k]]``.

        ``codes`` has shape (n,), and ``words`` contains the different cells. Return None if there
        are more than ``max_words`` different cells.
        """
        index = self._cell_indices[column]
        words: dict[str, int] = {}
        codes: list[np.ndarray] = []
        for cells in self._blocks():
            codes.append(
                np.array([words.setdefault(c, len(words)) for c in cells[index]], dtype=np.int64)
            )
            if len(words) > max_words:
                return None
        return np.concatenate(codes), list(words)

    def values(self, columns: Sequence[int]) -> np.ndarray:
        """Return the numbers of k columns, shape (n, k); NaN for a cell that is not a number."""
        indices = [self._cell_indices[column] for column in columns]
        blocks = [
            np.array([to_numbers(cells[index]) for index in indices], dtype=np.float64)
            for cells in self._blocks()
        ]
        return np.concatenate(blocks, axis=1).T

    def missing(self, columns: Sequence[int]) -> np.ndarray:
        """Return which cells of k columns are missing, bool, shape (n, k)."""
        indices = [self._cell_indices[column] for column in columns]
        blocks = [
            np.array([list(map(is_missing, cells[index])) for index in indices], dtype=bool)
            for cells in self._blocks()
        ]
        return np.concatenate(blocks, axis=1).T

    def cell(self, row: int, column: int) -> str:
        """Return one cell; this reads the text again."""
        for cells in self._blocks():
            if row < len(cells[0]):
                return cells[self._cell_indices[column]][row]
            row -= len(cells[0])
        raise IndexError(row)

    def distinct_cells(self, max_cells: int) -> list[list[str] | None]:
        """Return for each column its different cells, in order of occurrence.

        Cells that stand for a missing value are left out. The entry of a column is None if it has
        more than ``max_cells`` different cells.
        """
        # Dictionaries keep the order of insertion.
        distinct: list[dict[str, None] | None] = [{} for _ in self.names]
        for cells in self._blocks():
            for k, index in enumerate(self._cell_indices):
                words = distinct[k]
                if words is not None:
                    in_block = dict.fromkeys(cells[index])
                    words.update(dict.fromkeys(cell for cell in in_block if not is_missing(cell)))
                    distinct[k] = words if len(words) <= max_cells else None
        return [None if words is None else list(words) for words in distinct]

    def cell_prefix(self, row: int, column: int) -> str:
        """Return the beginning of a message about a cell: file, line and column."""
        return (
            f"{line_prefix(self.source, int(self.lines[row]))}, column {quote(self.names[column])}"
        )

    def _blocks(self) -> Iterator[list[Sequence[str]]]:
        """Yield the cells of each block, column by column, without the header."""
        skips_first_row = self.has_header
        for cells in self._rows:
            yield [column[1:] for column in cells.columns] if skips_first_row else cells.columns
            skips_first_row = False


def read_table(text: str, source: str = "", report: Report = no_report) -> Table:
    """Split text into columns, at the delimiter that fits the first row.

    The delimiter is a comma, semicolon, tab or white space. Blank lines, rows of empty cells,
    columns of empty cells and lines that start with # are left out. The first row is a header if
    none of its cells is a number or a word for a missing value, or if it contains the name of the
    label column that a comment line gives. Numbers may have decimal commas if no number has a
    decimal point.

    Raises
    ------
    BadInput
        If there are no rows or too many rows, if rows differ in length, if quotes do not match, or
        if two columns have the same name.
    """
    rows = Rows(Lines(text, source, report))
    survey = _Survey(rows)
    first_row, notes = survey.first_row, dict(rows.notes)
    # If any cell of the first row is a number or a word such as "NA", the row is data, even if
    # another cell has a typing error.
    has_header = not any(is_number(cell) or (cell and is_missing(cell)) for cell in first_row)
    has_header = has_header or notes.get("label column") in first_row
    if has_header and len(survey.lines) == 1:
        raise BadInput(f"{file_prefix(source)}there is a header but there are no points.")
    tallies = survey.tallies
    if not has_header:
        if len(survey.lines) > MAX_POINTS:
            raise _too_many_points(source)
        tallies = [tally + _tally([cell]) for tally, cell in zip(tallies, first_row)]
    indices = [k for k, tally in enumerate(tallies) if first_row[k] or tally.filled]
    header = [first_row[index] if has_header else "" for index in indices]
    names = [cell or str(k) for k, cell in enumerate(header, start=1)]
    for name, count in Counter(names).items():
        if count > 1:
            line = line_prefix(source, int(survey.lines[0]))
            raise BadInput(f"{line}: two columns are named {quote(name)}.")
    return Table(
        tuple(names),
        tuple(tallies[index].kind for index in indices),
        survey.lines[1:] if has_header else survey.lines,
        has_header,
        notes,
        source,
        rows,
        tuple(indices),
    )


class _Survey:
    """What is found when all rows are read for the first time.

    Attributes
    ----------
    first_row : sequence of str
    tallies : list of _Tally
        Counts of each column, over all rows but the first.
    lines : int64 array
        Line numbers of all rows.
    """

    def __init__(self, rows: Rows) -> None:
        self.first_row: Sequence[str] = ()
        self.tallies: list[_Tally] = []
        lines: list[np.ndarray] = []
        count = 0
        for numbers, columns in rows:
            lines.append(np.asarray(numbers, dtype=np.int64))
            count += len(numbers)
            self._check_size(count, len(columns), rows.source)
            if not self.first_row:
                self.first_row = [column[0] for column in columns]
                self.tallies = [_Tally() for _ in columns]
                columns = [column[1:] for column in columns]
            if columns[0]:
                self.tallies = [
                    tally + _tally(cells) for tally, cells in zip(self.tallies, columns)
                ]
        if not lines:
            raise BadInput(f"{file_prefix(rows.source)}there are no points.")
        self.lines = np.concatenate(lines)

    @staticmethod
    def _check_size(count: int, columns: int, source: str) -> None:
        """Refuse tables with too many rows or cells."""
        # One row more than MAX_POINTS is accepted, since the first row may be a header.
        if count > MAX_POINTS + 1:
            raise _too_many_points(source)
        if count * columns > MAX_CELLS:
            raise BadInput(
                f"{file_prefix(source)}there are more than {MAX_CELLS:,} cells in {columns:,} "
                "columns; leave out columns that are not needed."
            )


@dataclass(frozen=True)
class _Tally:
    """Counts of the cells of a column.

    Attributes
    ----------
    present : int
        Number of cells that do not stand for a missing value.
    numbers : int
        Number of cells that are numbers.
    filled : bool
        Whether any cell is not empty; a word such as "NA" is not empty.
    """

    present: int = 0
    numbers: int = 0
    filled: bool = False

    def __add__(self, other: _Tally) -> _Tally:
        return _Tally(
            self.present + other.present, self.numbers + other.numbers, self.filled or other.filled
        )

    @property
    def kind(self) -> str:
        if not self.present:
            return "empty"
        return "number" if 2 * self.numbers >= self.present else "text"


def _too_many_points(source: str) -> BadInput:
    return BadInput(f"{file_prefix(source)}there are more than {MAX_POINTS:,} points.")


def _tally(cells: Sequence[str]) -> _Tally:
    """Count the cells of a column."""
    if plain_numbers(cells) is not None:
        return _Tally(len(cells), len(cells), True)
    present = numbers = 0
    counts = Counter(cells)
    for cell, count in counts.items():
        if not is_missing(cell):
            present += count
            numbers += count * is_number(cell)
    return _Tally(present, numbers, any(counts))

"""Text as a table: named columns of cells. Reading a point file begins with this."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from solvers.cancelling import Report, no_report
from solvers.data.arff import is_arff, table_of_arff
from solvers.data.cells import is_missing, is_missing_number
from solvers.data.guesses import Guess
from solvers.data.headers import index_width, is_header, names_of
from solvers.data.lines import Lines, check_rows, file_prefix, line_prefix
from solvers.data.numerals import (
    DECIMALS,
    PLAIN,
    Numerals,
    UnclearNumbers,
    is_numeral,
    is_open,
    numerals_of,
)
from solvers.data.rows import read_rows
from solvers.data.units import unit_guess, units_of
from solvers.errors import BadInput, quote, shorten


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of text cells, all of the same length, with at least one row.

    Attributes
    ----------
    names : tuple of str
        Names of the columns, all different; "1", "2", ... without a header. If the header has a
        name twice, the numbers of the columns are added.
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
        The cells of each column, as they are in the text.
    numerals : Numerals
        How its numbers are written.
    header : tuple of str
        The cells of the header; empty without one.
    index_width : int
        The number of first columns that only count or name the rows.
    guesses : list of Guess
        The guesses so far. Functions that use the table add theirs.
    """

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    lines: list[int]
    has_header: bool
    notes: dict[str, str]
    source: str
    columns: list[list[str]] = field(repr=False)
    numerals: Numerals = PLAIN
    header: tuple[str, ...] = ()
    index_width: int = 0
    guesses: list[Guess] = field(default_factory=list)

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
        """Return the numbers of k columns, shape (n, k); NaN for a cell that is not a number.

        Raises
        ------
        UnclearNumbers
            If a cell can be read in two ways, and no other cell tells which is right.
        """
        if self.numerals.is_open:
            for column in columns:
                for row, cell in enumerate(map(self.numerals.bare, self.columns[column])):
                    if is_open(cell):
                        raise UnclearNumbers(self.cell_prefix(row, column), cell)
        cells = [list(map(self.numerals.number, self.columns[column])) for column in columns]
        return np.array(cells, dtype=np.float64).T

    def missing(self, columns: Sequence[int]) -> np.ndarray:
        """Return which cells of k columns of numbers are missing, bool, shape (n, k)."""
        return np.array([list(map(is_missing_number, self.columns[k])) for k in columns]).T

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

    def note_numbers(self, columns: Sequence[int]) -> None:
        """Add the guesses on how the numbers of some columns are written, if any were made."""
        numerals = self.numerals
        plain = [cell for column in columns for cell in self.columns[column]]
        guesses: list[Guess | None] = []
        if numerals.units:
            with_unit = [cell for cell in plain if numerals.bare(cell) != cell]
            plain = [cell for cell in plain if numerals.bare(cell) == cell]
            guesses = [numerals.guess(with_unit)]
            if with_unit and guesses == [None]:
                guesses = [unit_guess(with_unit[0], numerals.shown(with_unit[0]))]
        guesses.append(numerals.guess(plain))
        self.guesses.extend(guess for guess in guesses if guess is not None)

    def without_index(self, minimum: int) -> list[int]:
        """Return the columns without those that only count the rows.

        If fewer than ``minimum`` columns of numbers would be left, return all columns.
        """
        columns = list(range(len(self.names)))
        others = columns[self.index_width :]
        if [self.kinds[k] for k in others].count("number") < minimum:
            return columns
        return others

    def cell_prefix(self, row: int, column: int) -> str:
        """Return the beginning of a message about a cell: file, line and column."""
        return f"{line_prefix(self.source, self.lines[row])}, column {quote(self.names[column])}"


def read_table(
    lines: Lines,
    report: Report = no_report,
    *,
    decimal: str | None = None,
    header: bool | None = None,
) -> Table:
    """Split lines into columns, at the delimiter that fits them (:mod:`solvers.data.rows`).

    Rows and columns of empty cells are left out. The first row may be a header
    (:func:`solvers.data.headers.is_header`); it is one if it contains the name of the label column
    that a comment line gives.

    Parameters
    ----------
    lines : Lines
        Lines of a table, or of ARFF.
    report : callable(float)
        Called with the fraction read, 0 to 1. It may raise an exception to cancel.
    decimal : str, optional
        The decimal mark, "point" or "comma"; by default the cells tell it.
    header : bool, optional
        Whether the first row is a header.

    Raises
    ------
    BadInput
        If there are no rows or too many cells, if rows differ in length, or if quotes do not match.
    """
    source = lines.source
    if is_arff(lines):
        lines, header = table_of_arff(lines), True
    numbers, rows, delimiter, guesses = read_rows(lines, report)
    first = rows[0]
    below = [list(column) for column in zip(*rows[1:])]
    units = units_of(below)
    bare = Numerals(units=units).bare
    numerals = numerals_of([list(map(bare, column)) for column in zip(*rows)], delimiter)
    if decimal is not None:
        numerals = Numerals(DECIMALS[decimal])
    numerals = numerals._replace(units=units)
    has_header = header
    if has_header is None:
        has_header = lines.notes.get("label column") in first
        if not has_header:
            has_header = is_header(first, below or [()] * len(first), numerals)
            if has_header and any(numerals.number(cell) is not None for cell in first):
                guesses.append(_header_guess(first, numbers[0]))
    if has_header and not below:
        raise BadInput(f"{file_prefix(source)}there is a header but there are no points.")
    columns = below
    if has_header:
        del numbers[0]
        _leave_out_units(columns, numbers, numerals, guesses)
    else:
        columns = [list(column) for column in zip(*rows)]
    check_rows(len(numbers), source)
    used = [k for k, column in enumerate(columns) if (has_header and first[k]) or any(column)]
    columns = [columns[k] for k in used]
    header_cells = tuple(first[k] for k in used) if has_header else ()
    names = names_of(header_cells or ("",) * len(used))
    kinds = tuple(_kind(column, numerals) for column in columns)
    return Table(
        tuple(names), kinds, numbers, has_header, lines.notes, source, columns, numerals,
        header_cells, index_width(header_cells, columns), guesses,
    )  # fmt: skip


def _leave_out_units(
    columns: list[list[str]], numbers: list[int], numerals: Numerals, guesses: list[Guess]
) -> None:
    """Remove the first row below a header if it has words, such as units, above all numbers."""
    if len(numbers) < 3:
        return
    numeric = [
        column
        for column in columns
        if all(is_missing(cell) or numerals.number(cell) is not None for cell in column[1:])
        and any(numerals.number(cell) is not None for cell in column[1:])
    ]
    cells = [column[0] for column in columns]
    if numeric and not any(is_missing(c[0]) or numerals.number(c[0]) is not None for c in numeric):
        guesses.append(Guess(f"line {numbers[0]} ({shorten(', '.join(cells))}) is left out."))
        del numbers[0]
        for column in columns:
            del column[0]


def _header_guess(first: list[str], line: int) -> Guess:
    cells = ", ".join(filter(None, first[:4])) + (", ..." if len(first) > 4 else "")
    sentence = f"line {line} ({shorten(cells)}) is read as the names of the columns."
    # Words among the numbers could not be data.
    if any(cell and not is_numeral(cell) for cell in first):
        return Guess(sentence)
    return Guess(sentence, "Read it as data", {"header": False})


def _kind(column: list[str], numerals: Numerals) -> str:
    """Return the kind of a column; see ``Table.kinds``."""
    present = numbers = 0
    for cell, count in Counter(column).items():
        if not is_missing(cell):
            present += count
            numbers += count * (numerals.number(cell) is not None)
    if not present:
        return "empty"
    return "number" if 2 * numbers >= present else "text"

"""Rows of a table: lines of text, split into cells."""

from __future__ import annotations

import csv
import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from solvers.data.cells import is_number, tidy, with_decimal_point
from solvers.data.lines import Block, Lines, file_prefix, line_prefix
from solvers.errors import BadInput

# Maximum number of columns of a table.
MAX_COLUMNS = 1_000

# White space that `tidy` would change. The pattern is for a text of all cells of a row, joined by
# NUL.
_UNTIDY = re.compile(r"[^\S ]|  |^ | $|\0 | \0")
# A cell in quotes.
_QUOTED = re.compile('"[^"]*"')
# Every number with a decimal point contains this. Other text, such as a date, may contain it too.
_POINT = re.compile(r"[0-9]\.|\.[0-9]")
# For each delimiter, a pattern of the characters that count as white space within a cell, except
# the space itself.
_ODD_BLANK = dict.fromkeys(" ,;", re.compile(r"[^\S \n]")) | {"\t": re.compile(r"[^\S \n\t]")}


class Cells(NamedTuple):
    """Some successive rows: the line number of each row, and the cells of each column."""

    line_numbers: Sequence[int]
    columns: list[Sequence[str]]


class Rows:
    """The nonempty rows of a text, all with the same number of cells.

    The delimiter is a comma, semicolon, tab or white space, whichever fits the first row. White
    space around cells is removed. If no number has a decimal point, decimal commas are replaced by
    points.

    Parameters
    ----------
    lines : Lines

    Raises
    ------
    BadInput
        If the text has no rows. During iteration: if quotes do not match, or if a row and the first
        row have different numbers of cells.
    """

    def __init__(self, lines: Lines) -> None:
        self.source = lines.source
        self._lines = lines
        # Line number and number of cells of the first row that is not empty; None before it is
        # read.
        self._first_row: tuple[int, int] | None = None
        self._has_decimal_commas = False
        first_block = next(iter(lines), None)
        if first_block is None:
            raise BadInput(f"{file_prefix(self.source)}there are no points.")
        self._delimiter = _delimiter(first_block.lines[0])
        # If the delimiter is a comma, only cells in quotes can contain a comma.
        can_contain_comma = self._delimiter != "," or '"' in lines.text
        # If any number has a decimal point, commas are not replaced: they may separate thousands.
        self._has_decimal_commas = (
            can_contain_comma and "," in lines.text and not self._has_decimal_points()
        )

    @property
    def notes(self) -> dict[str, str]:
        """Return the values of comment lines; they are complete after all rows have been read."""
        return self._lines.notes

    def __iter__(self) -> Iterator[Cells]:
        """Yield the rows block by block; each block has at least one row."""
        for block in self._lines:
            cells = self._split_simple(block) or self._split_any(block)
            if cells.line_numbers:
                yield cells

    def _has_decimal_points(self) -> bool:
        """Return whether any number has a decimal point."""
        for block in self._lines:
            if _POINT.search(block.text):
                cells = self._split_simple(block) or self._split_any(block)
                for column in cells.columns:
                    if any("." in cell and is_number(cell) for cell in dict.fromkeys(column)):
                        return True
        return False

    def _split_simple(self, block: Block) -> Cells | None:
        """Return the cells of a block of simple rows, fast; None if the rows are not simple.

        Rows are simple if quotes can just be removed (see :func:`_unquoted`), if each has as many
        cells as the first row of the text, and if none has only empty cells.
        """
        delimiter = self._delimiter
        text = _unquoted(block.text, delimiter)
        if text is None:
            return None
        text = _tidied(text, delimiter)
        lines = text.split("\n")
        counts = set(map(str.count, lines, itertools.repeat(delimiter)))
        count = counts.pop() + 1
        if counts or count != (self._first_row or self._begin(block.line_numbers[0], count))[1]:
            return None
        cells = text.replace("\n", delimiter).split(delimiter)
        columns: list[Sequence[str]] = [cells[k::count] for k in range(count)]
        if "" in columns[0] and not all(map(any, zip(*columns))):
            return None
        return Cells(block.line_numbers, self._with_decimal_points(columns, text))

    def _split_any(self, block: Block) -> Cells:
        """Return the cells of any block, by csv.reader; leave out rows with only empty cells."""
        rows = self._split(block)
        nonempty = [(number, row) for number, row in zip(block.line_numbers, rows) if any(row)]
        if not nonempty:
            return Cells([], [])
        first, count = self._first_row or self._begin(nonempty[0][0], len(nonempty[0][1]))
        for number, row in nonempty:
            if len(row) != count:
                raise BadInput(
                    f"{line_prefix(self.source, number)}: the number of cells is {len(row)}, "
                    f"but in line {first} it is {count}."
                )
        line_numbers, rows = zip(*nonempty)
        return Cells(line_numbers, self._with_decimal_points(list(zip(*rows)), block.text))

    def _begin(self, number: int, count: int) -> tuple[int, int]:
        """Store and return the line number of the first row, and its number of cells."""
        if count > MAX_COLUMNS:
            raise BadInput(
                f"{line_prefix(self.source, number)} has {count:,} cells, "
                f"but a table can have at most {MAX_COLUMNS:,} columns."
            )
        self._first_row = number, count
        return self._first_row

    def _with_decimal_points(self, columns: list[Sequence[str]], text: str) -> list[Sequence[str]]:
        if not self._has_decimal_commas or "," not in text:
            return columns
        return [list(map(with_decimal_point, column)) for column in columns]

    def _split(self, block: Block) -> list[list[str]]:
        """Return the cells of each line."""
        spaces = self._delimiter == " "
        lines = list(map(tidy, block.lines)) if spaces else block.lines
        try:
            rows = list(self._reader(lines))
        except csv.Error:
            rows = []
        if len(rows) != len(lines):
            # The quotes do not match within some line. The lines are now read one by one, so that
            # the error names the first such line.
            rows = list(map(self._cells, lines, block.line_numbers))
        return [list(map(tidy, row)) if _UNTIDY.search("\0".join(row)) else row for row in rows]

    def _cells(self, line: str, number: int) -> list[str]:
        """Return the cells of a line; ``number`` is its line number."""
        try:
            return next(self._reader([line]), [])
        except csv.Error as error:
            raise BadInput(
                f"{line_prefix(self.source, number)}: the quotes do not match ({error})."
            ) from None

    def _reader(self, lines: list[str]) -> Iterator[list[str]]:
        return csv.reader(
            lines,
            delimiter=self._delimiter,
            skipinitialspace=self._delimiter != " ",
            strict=True,
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


def _unquoted(text: str, delimiter: str) -> str | None:
    """Return text without the quotes around cells; None if it would then split differently."""
    quotes = text.count('"')
    if not quotes:
        return text
    # If the delimiter is white space, removing the quotes of an empty cell would remove the cell.
    if delimiter == " ":
        return None
    # Every quote must begin or end a cell: there must be as many opening as closing quotes, and no
    # other quotes.
    lines = f"\n{text}\n"
    opening = lines.count(f'{delimiter}"') + lines.count('\n"')
    closing = lines.count(f'"{delimiter}') + lines.count('"\n')
    if not (2 * opening == 2 * closing == quotes):
        return None
    without_quotes = _QUOTED.sub("", text)
    if any(without_quotes.count(mark) != text.count(mark) for mark in (delimiter, "\n")):
        return None
    return text.replace('"', "")


def _tidied(text: str, delimiter: str) -> str:
    """Remove white space around cells, and replace white space within cells by single spaces."""
    if delimiter in ",;" and "\n".join(text.split()) == text:
        return text
    tidied = _ODD_BLANK[delimiter].sub(" ", text)
    while "  " in tidied:
        tidied = tidied.replace("  ", " ")
    for edge in (delimiter, "\n"):
        tidied = tidied.replace(f" {edge}", edge).replace(f"{edge} ", edge)
    return tidied.strip(" ")

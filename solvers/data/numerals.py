"""Notations of numbers: decimal marks, and marks between groups of three digits.

All numbers of a table are written in the same way. So a cell that can be read in only one way
decides how the others are read: beside ``0,5`` the comma of ``2,500`` is decimal, and beside
``0.5`` it separates thousands. Spaces and apostrophes between groups of three digits always
separate thousands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from solvers.data.cells import is_missing, to_number
from solvers.data.guesses import Guess
from solvers.data.units import split_unit
from solvers.errors import BadInput, quote

# The two decimal marks by name, as a user chooses them.
DECIMALS = {"point": ".", "comma": ","}
# Names of marks between groups of digits.
_GROUP_WORDS = {",": "commas", ".": "points", " ": "spaces", "'": "apostrophes"}
# Digits in groups of three: sign, digits with the marks between groups, decimal mark, decimals.
_GROUPED = re.compile(
    r"([+-]?)([1-9][0-9]{0,2}(?:([,. '])[0-9]{3})(?:\3[0-9]{3})*)(?:([.,])([0-9]*))?", re.ASCII
)
# Groups as in India: the last group has three digits, the others two, as in 12,34,567.
_LAKHS = re.compile(r"[+-]?[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3}(?:(\.)[0-9]*)?", re.ASCII)
# A number with one decimal mark. No two parts match the same digits; see `cells`.
_DECIMAL = re.compile(
    r"[+-]?(?:[0-9]+([.,])[0-9]*|([.,])[0-9]+)(?:e[+-]?[0-9]+)?", re.IGNORECASE | re.ASCII
)
_SPELLINGS = str.maketrans({"\N{MINUS SIGN}": "-", "\N{RIGHT SINGLE QUOTATION MARK}": "'"})
_MARK = re.compile("[,. '\N{RIGHT SINGLE QUOTATION MARK}]")
# One comma and no other mark. If commas are decimal, no search for groups is needed.
_ONE_COMMA = re.compile("[^,. '\N{RIGHT SINGLE QUOTATION MARK}]*,[0-9][^,. ']*")
# A mark before three digits.
_GROUP = re.compile("[0-9][,. '\N{RIGHT SINGLE QUOTATION MARK}][0-9]{3}(?![0-9])")
_OTHER_MARK = re.compile("[, '\N{RIGHT SINGLE QUOTATION MARK}]")


class UnclearNumbers(BadInput):
    """Raised if a number can be read in two ways; the option ``decimal`` decides.

    Attributes
    ----------
    cell : str
    readings : dict of str to str
        For each name of :data:`DECIMALS`, the number in the cell if this mark is decimal.
    """

    def __init__(self, position: str, cell: str) -> None:
        readings = {name: Numerals(mark).shown(cell) for name, mark in DECIMALS.items()}
        super().__init__(
            f"{position}: {quote(cell)} can be {readings['comma']} (with a decimal comma) or "
            f"{readings['point']} (with a decimal point)."
        )
        self.cell, self.readings = cell, readings


class DigitMarks(NamedTuple):
    """The marks in a cell: between groups and before decimals, "" for none.

    If ``is_open``, the cell has one mark that may be either, and both fields contain it.
    """

    group: str
    decimal: str
    is_open: bool = False


class Numerals(NamedTuple):
    """The way in which the numbers of a table are written.

    Attributes
    ----------
    decimal : str
        The decimal mark, "." or ",".
    is_open : bool
        Whether nothing decides which mark is decimal.
    is_likely : bool
        Whether no cell decides it, but the delimiter makes it likely.
    is_plain : bool
        Whether no cell has another mark than a decimal point. Such cells are read faster.
    units : frozenset of str
        Units that are left out of cells (:mod:`solvers.data.units`).
    """

    decimal: str = "."
    is_open: bool = False
    is_likely: bool = False
    is_plain: bool = False
    units: frozenset[str] = frozenset()

    def bare(self, cell: str) -> str:
        """Return a cell without its unit."""
        number, unit = split_unit(cell) if self.units else (cell, "")
        return number if unit in self.units else cell

    def number(self, cell: str) -> float | None:
        """Return the value of a cell, infinite if it overflows; None if it is not a number."""
        cell = self.bare(cell)
        if self.is_plain or not _MARK.search(cell):
            return to_number(cell)
        if self.decimal == "," and _ONE_COMMA.fullmatch(cell):
            return to_number(cell.replace(",", "."))
        plain = cell.translate(_SPELLINGS)
        marks = marks_of(plain)
        if marks is None:
            return to_number(cell)
        if marks.decimal == self.decimal:
            group = "" if marks.is_open else marks.group
        elif marks.group and (marks.is_open or not marks.decimal):
            group = marks.group
            if group == self.decimal:
                return None
        else:
            return None
        return to_number(plain.replace(group, "").replace(self.decimal, "."))

    def shown(self, cell: str) -> str:
        """Return the value of a cell without groups, with a decimal point."""
        value = self.number(cell)
        return "" if value is None else f"{value:.15g}"

    def guess(self, cells: Iterable[str]) -> Guess | None:
        """Return the guess about the first cell whose reading was guessed; None if none was."""
        for cell in () if self.is_plain else cells:
            has_groups = _GROUP.search(cell)
            marks = marks_of(self.bare(cell).translate(_SPELLINGS)) if has_groups else None
            if marks is None or not marks.group or self.number(cell) is None:
                continue
            if not marks.is_open or marks.decimal != self.decimal:
                why = f"{_GROUP_WORDS[marks.group]} separate thousands"
            elif self.decimal == ",":
                why = "the comma is decimal"
            else:
                continue
            sentence = f"{quote(cell)} is read as {self.shown(cell)}: {why}."
            if not (marks.is_open and self.is_likely):
                return Guess(sentence)
            other = next(name for name, mark in DECIMALS.items() if mark != self.decimal)
            reading = self._replace(decimal=DECIMALS[other]).shown(cell)
            return Guess(sentence, f"Read {reading}", {"decimal": other})
        return None


# Decimal points, and no other marks.
PLAIN = Numerals(is_plain=True)


def marks_of(cell: str) -> DigitMarks | None:
    """Return the marks in a number; None if it has none, or is no number."""
    grouped = _GROUPED.fullmatch(cell)
    if grouped and grouped[3] != grouped[4]:
        group, decimal = grouped[3], grouped[4] or ""
        if not decimal and group in ".," and grouped[2].count(group) == 1:
            return DigitMarks(group, group, True)
        return DigitMarks(group, decimal)
    if "," in cell and (lakhs := _LAKHS.fullmatch(cell)):
        return DigitMarks(",", lakhs[1] or "")
    found = _DECIMAL.fullmatch(cell)
    # "5." is a number, "5," is not.
    if found and not cell.endswith(","):
        return DigitMarks("", found[1] or found[2])
    return None


def is_numeral(cell: str) -> bool:
    """Return whether a cell is a number in some way of writing."""
    return to_number(cell) is not None or marks_of(cell.translate(_SPELLINGS)) is not None


def is_open(cell: str) -> bool:
    """Return whether a cell can be read in two ways."""
    marks = marks_of(cell.translate(_SPELLINGS))
    return marks is not None and marks.is_open


def numerals_of(columns: Sequence[Sequence[str]], delimiter: str) -> Numerals:
    """Return how the numbers of a table are written; all cells and the delimiter decide this."""
    if not any(_OTHER_MARK.search(cell) for column in columns for cell in column) and any(
        marks is not None and marks.decimal == "." and not marks.is_open
        for column in columns
        for marks in map(marks_of, column)
    ):
        return PLAIN
    decimals: set[str] = set()
    groups: set[str] = set()
    unclear: set[str] = set()
    is_mixed = False
    for cells in _numeric_columns(columns):
        found = [(cell, marks) for cell, marks in cells if marks is not None]
        for _, marks in found:
            if marks.is_open:
                unclear.add(marks.group)
            else:
                decimals.add(marks.decimal)
                groups.add(marks.group)
        # If 1.250 and 950 are in one column, the point separates thousands: programs that omit
        # zeros at the end would not write 1.250, and programs that write three decimals would not
        # write 950.
        has_zeros = any(marks.is_open and cell.endswith("0") for cell, marks in found)
        is_mixed = is_mixed or (has_zeros and len(found) < len(cells))
    decimals.discard("")
    if decimals:
        return Numerals("." if "." in decimals else ",")
    for group, decimal in ((",", "."), (".", ",")):
        if group in groups:
            return Numerals(decimal)
    if not unclear:
        return Numerals()
    if len(unclear) == 1 and groups & {" ", "'"}:
        return Numerals(unclear.pop())
    if unclear == {","}:
        # If the comma is the delimiter, it is not decimal as well.
        return Numerals(".", is_open=delimiter != ",", is_likely=True)
    # If the delimiter is a comma or a space, three decimals are usual. Others decide nothing.
    return Numerals(".", is_open=is_mixed or delimiter not in ", " or "," in unclear)


def _numeric_columns(
    columns: Sequence[Sequence[str]],
) -> Iterator[list[tuple[str, DigitMarks | None]]]:
    """Yield the different numbers of each column that is numeric and has marks in its cells."""
    for column in columns:
        if not any(map(_MARK.search, column)):
            continue
        cells = [cell for cell in dict.fromkeys(column) if not is_missing(cell)]
        plain = [cell.translate(_SPELLINGS) for cell in cells]
        found = [(cell, marks_of(cell)) for cell in plain]
        numbers = [pair for pair in found if pair[1] is not None or to_number(pair[0]) is not None]
        if 2 * len(numbers) >= len(cells):
            yield numbers

"""Cells of a table: numbers, words and missing values."""

from __future__ import annotations

import re

# The pattern of a number. float() alone would also accept "1_000" and digits of other scripts. No
# two parts of the pattern may match the same digits, since otherwise the time for n digits would
# grow like n^2.
_NUMBER = re.compile(
    r"[+-]?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf|infinity)",
    re.IGNORECASE | re.ASCII,
)
# A number with a decimal comma.
_DECIMAL_COMMA = re.compile(
    r"[+\-\N{MINUS SIGN}]?[0-9]*,[0-9]+(?:e[+-]?[0-9]+)?", re.IGNORECASE | re.ASCII
)
_MINUS_SIGN = "\N{MINUS SIGN}"
# Cells that stand for a missing value, in lower case.
_MISSING = frozenset({"", "na", "n/a", "nan", "?", "<na>"})
# Cells that stand for a missing value in a column of numbers. As labels they may name classes.
_MISSING_NUMBERS = frozenset({"-", "--", "\N{EN DASH}", "\N{EM DASH}", ".", "none", "null"})
# Length of the longest cell in these two sets.
_MAX_MISSING_LENGTH = max(map(len, _MISSING | _MISSING_NUMBERS))
# Error values of spreadsheets in several languages, such as #N/A, #NV, #DIV/0! and #NOM?.
ERROR_VALUE = r"#(?:N/A|NA|NV|ND|[^\W\d_]+(?:/0)?[!?])"
_ERROR_VALUE = re.compile(ERROR_VALUE, re.IGNORECASE)
# A cell that needs no quotes in a comma-separated table.
_UNQUOTED = re.compile(r"[\w.+()-][\w .+()-]*")


def is_missing(cell: str) -> bool:
    """Return whether a cell is empty, a word for a missing value, or a spreadsheet's error."""
    if cell.startswith("#"):
        return bool(_ERROR_VALUE.fullmatch(cell))
    return len(cell) <= _MAX_MISSING_LENGTH and cell.lower() in _MISSING


def is_missing_number(cell: str) -> bool:
    """Return whether a cell of a column of numbers stands for a missing value."""
    return is_missing(cell) or (
        len(cell) <= _MAX_MISSING_LENGTH and cell.lower() in _MISSING_NUMBERS
    )


def is_number(cell: str) -> bool:
    """Return whether a cell is a number, finite or not; "0,5" with a comma is no number."""
    return to_number(cell) is not None


def to_number(cell: str) -> float | None:
    """Return the value of a cell, infinite if it overflows; None if it is not a number."""
    plain = cell.replace(_MINUS_SIGN, "-")
    return float(plain) if _NUMBER.fullmatch(plain) else None


def with_decimal_point(cell: str) -> str:
    """Replace the decimal comma of a number by a point; return other cells unchanged."""
    return cell.replace(",", ".") if "," in cell and _DECIMAL_COMMA.fullmatch(cell) else cell


def tidy(cell: str) -> str:
    """Replace white space by single spaces, and remove it at both ends."""
    return " ".join(cell.split())


def quote_cell(cell: str, spaces: bool = True) -> str:
    """Return a cell as text of a comma-separated table, in quotes if it needs them.

    A cell with spaces needs quotes only if ``spaces`` is False. This is for tables with fewer than
    three columns, since a reader could otherwise take the spaces for delimiters.
    """
    plain = _UNQUOTED.fullmatch(cell) and (spaces or " " not in cell)
    return cell if plain else '"' + cell.replace('"', '""') + '"'

"""What one cell of a table says: a number, a word, or that there is no value."""

from __future__ import annotations

import re
from collections.abc import Sequence

# float() alone would take "1_000" and digits of other scripts. No two parts of this may match the
# same digits, or a long row of them takes time that grows with its square.
_NUMBER = re.compile(
    r"[+-]?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf|infinity)",
    re.IGNORECASE | re.ASCII,
)
# Of these characters, float() takes exactly what _NUMBER does, and no NaN.
_PLAIN = re.compile(r"[0-9+\-.eE]*")
_DECIMAL_COMMA = re.compile(
    r"[+\-\N{MINUS SIGN}]?[0-9]*,[0-9]+(?:e[+-]?[0-9]+)?", re.IGNORECASE | re.ASCII
)
_MINUS_SIGN = "\N{MINUS SIGN}"
_MISSING = frozenset({"", "na", "n/a", "#n/a", "nan", "?"})
_LONGEST_MISSING = max(map(len, _MISSING))
_UNQUOTED = re.compile(r"[\w.+()-][\w .+()-]*")


def is_missing(cell: str) -> bool:
    """Whether a cell is empty or says that there is no value."""
    return len(cell) <= _LONGEST_MISSING and cell.lower() in _MISSING


def is_number(cell: str) -> bool:
    """Whether a cell is a number, infinite ones included, with a decimal point."""
    return to_number(cell) is not None


def to_number(cell: str) -> float | None:
    """Value of a cell, infinite when it is too large; None if it is not a number."""
    plain = cell.replace(_MINUS_SIGN, "-")
    return float(plain) if _NUMBER.fullmatch(plain) else None


def plain_numbers(cells: Sequence[str]) -> list[float] | None:
    """Value of each cell as :func:`to_number` has it, at once; None unless all are plain numbers.

    Infinity in letters is not plain.
    """
    together = "".join(cells)
    if _MINUS_SIGN in together:
        together = together.replace(_MINUS_SIGN, "-")
        cells = [cell.replace(_MINUS_SIGN, "-") for cell in cells]
    if not _PLAIN.fullmatch(together):
        return None
    try:
        return list(map(float, cells))
    except ValueError:
        return None


def to_numbers(cells: Sequence[str]) -> list[float] | list[float | None]:
    """Value of each cell as :func:`to_number` has it."""
    plain = plain_numbers(cells)
    return list(map(to_number, cells)) if plain is None else plain


def with_point(cell: str) -> str:
    """A number with a decimal comma, as many countries write it, with a point; others as given."""
    return cell.replace(",", ".") if "," in cell and _DECIMAL_COMMA.fullmatch(cell) else cell


def tidy(cell: str) -> str:
    """Text with single spaces for white space, and none around it."""
    return " ".join(cell.split())


def quoted(cell: str, spaces: bool = True) -> str:
    """A cell as it must be written for a table to be read again, with commas between.

    With fewer than three columns, cells with spaces need quotes: ``spaces`` is False.
    """
    plain = _UNQUOTED.fullmatch(cell) and (spaces or " " not in cell)
    return cell if plain else '"' + cell.replace('"', '""') + '"'

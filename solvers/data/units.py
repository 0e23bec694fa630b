"""Columns of numbers with a unit in each cell, such as "12.5 cm", "3 %", "$1,250" or "($45.10)"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from solvers.data.cells import is_missing_number
from solvers.data.guesses import Guess
from solvers.errors import quote

_CURRENCIES = "$€£¥₹"
_CODES = "AUD|CAD|CHF|CNY|CZK|DKK|EUR|GBP|INR|JPY|NOK|PLN|SEK|USD"
_SIGNS = "-+\N{MINUS SIGN}"
# A number with a unit before or behind it; parentheses around it are a minus, as in accounts.
_QUANTITY = re.compile(
    rf"([{_SIGNS}(]?) ?([{_CURRENCIES}]|{_CODES})? ?"
    rf"([{_SIGNS}]?(?:[0-9]|[.,][0-9])(?:[0-9.,'’ ]*[0-9])?(?:[eE][+-]?[0-9]+)?) ?"
    rf"([%‰°{_CURRENCIES}][A-Za-z]?|[^\W\d_][^\d\s_.,;]{{0,11}})?(\)?)"
)


def split_unit(cell: str) -> tuple[str, str]:
    """Return the number in a cell, and its unit; the cell and "" if it has no unit."""
    found = _QUANTITY.fullmatch(cell)
    if found is None:
        return cell, ""
    sign, before, number, behind, end = found.groups()
    has_two_signs = bool(sign) and number[0] in _SIGNS
    if bool(before) == bool(behind) or has_two_signs or (sign == "(") != bool(end):
        return cell, ""
    return sign.replace("(", "-") + number, before or behind


def units_of(columns: Sequence[Sequence[str]]) -> frozenset[str]:
    """Return the units of the columns in which all numbers have the same one.

    Two different cells, such as "5 mg" and "10 mg", are rather the names of two classes.
    """
    units = set()
    for column in columns:
        first = next((cell for cell in column if not is_missing_number(cell)), "")
        unit = split_unit(first)[1]
        if not unit:
            continue
        cells = {cell for cell in column if not is_missing_number(cell)}
        is_sure = len(cells) > 2 or unit[0] in "%‰" + _CURRENCIES
        if is_sure and all(split_unit(cell)[1] == unit for cell in cells):
            units.add(unit)
    return frozenset(units)


def unit_guess(cell: str, shown: str) -> Guess:
    """Return the guess about a cell with a unit that is read as the number ``shown``."""
    return Guess(f"{quote(cell)} is read as {shown}, without its unit.")

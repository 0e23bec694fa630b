"""The header of a table, the names of its columns, and columns that only count the rows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from solvers.data.cells import is_missing, to_number
from solvers.data.numerals import Numerals

# Names of a label column, in any letter case.
LABEL_NAMES = ("label", "class", "species", "target", "y")
# Names of a column that counts the rows, in any letter case.
COUNT_NAMES = ("id", "index", "idx", "nr", "no", "no.", "row", "rownames", "obs")
# The name that pandas gives to a column without one.
_UNNAMED = re.compile(r"unnamed: [0-9]+(?:\.[0-9]+)?", re.IGNORECASE)
# A name such as "id" or "patient_id". Such a column has whole numbers that are all different.
_IDENTIFIER = re.compile(r"(?:.*[\W_])?id", re.IGNORECASE)
_WHOLE = re.compile(r"[0-9]{1,15}", re.ASCII)
_YEARS = range(1800, 2101)


def is_header(first: Sequence[str], below: Sequence[Sequence[str]], numerals: Numerals) -> bool:
    """Return whether the first row of a table is a header.

    It is no header if a cell is a word for a missing value. Otherwise it is a header if no cell is
    a number. If some cells are numbers, these must be different whole numbers. Then it is a header
    in three cases:

    * It has the name of a label column; a name that may also be a class, such as "y", must be above
      numbers.
    * Its first cell is empty, and the cells below count the rows.
    * Its numbers can be names (0 ... d-1, 1 ... d, or years), and the cells below are of another
      kind or do not continue them.

    Parameters
    ----------
    first : d str
    below : d sequences of str
        The other cells of each column, at least one.
    numerals : Numerals
    """
    if any(cell and is_missing(cell) for cell in first):
        return False
    is_number = [numerals.number(cell) is not None for cell in first]
    if not any(is_number):
        return True
    words = [k for k, cell in enumerate(first) if cell and not is_number[k]]
    # A word that also occurs below is a class and not the name of a column.
    if any(first[k] in below[k] for k in words):
        return False
    numeric = [k for k in range(len(first)) if is_number[k]]
    if not all(_WHOLE.fullmatch(first[k]) for k in numeric):
        return False
    names = [int(first[k]) for k in numeric]
    if len(set(names)) < len(names):
        return False
    labels = [k for k in words if first[k].casefold() in LABEL_NAMES]
    above_numbers = [k for k in words if _all_numbers(below[k], numerals)]
    # A class can have the name "y", but not "label".
    if any(k in above_numbers or first[k].casefold() in LABEL_NAMES[:3] for k in labels):
        return True
    if not first[0] and counts(below[0]):
        return True
    are_consecutive = len(names) > 1 and _is_consecutive(names)
    is_sequence = are_consecutive and names[0] in (0, 1)
    are_years = len(names) > 1 and names == sorted(names) and all(name in _YEARS for name in names)
    other_kind = any(_all_fractions(below[k], numerals) for k in numeric)
    if are_years and (other_kind or are_consecutive):
        return not any(_all_years(below[k]) for k in numeric)
    if words:
        is_likely = bool(above_numbers) or (is_sequence and len(below[0]) > 2)
        return other_kind and is_likely
    return is_sequence and (other_kind or not _continues(first, below, numerals))


def counts(cells: Sequence[str]) -> bool:
    """Return whether cells are 0, 1, 2, ... or 1, 2, 3, ..."""
    return _is_run(cells) and int(cells[0]) in (0, 1)


def is_unnamed(name: str) -> bool:
    """Return whether a cell of a header names nothing."""
    return not name or bool(_UNNAMED.fullmatch(name))


def counts_rows(name: str | None, cells: Sequence[str]) -> bool:
    """Return whether the first column of a table only counts or names its rows.

    ``name`` is the cell of the column in the header, or None if the table has no header. The cells
    of a column named "id" or "patient_id", or without a name, must be different whole numbers or
    words. Those of a column named "index" or the like must be consecutive whole numbers, or words.
    Without a header, they must be 0, 1, 2, ... or 1, 2, 3, ...
    """
    is_distinct = len(set(cells)) == len(cells)
    are_words = is_distinct and all(to_number(cell) is None for cell in cells)
    if name is not None and (is_unnamed(name) or _IDENTIFIER.fullmatch(name)):
        are_whole = is_distinct and all(map(_WHOLE.fullmatch, cells))
        return are_words or (are_whole and (is_unnamed(name) or len(cells) > 2))
    if name is not None and name.casefold() not in COUNT_NAMES:
        return False
    is_count = counts(cells) if name is None else _is_run(cells)
    return (len(cells) > 2 and is_count) or (name is not None and are_words)


def index_width(header: Sequence[str], columns: Sequence[Sequence[str]]) -> int:
    """Return the number of first columns that only count or name the rows.

    It is at most 1, unless pandas wrote its index more than once. ``header`` is empty if the table
    has none.
    """
    width = int(counts_rows(header[0] if header else None, columns[0]))
    while 0 < width < len(header) and header[width] and is_unnamed(header[width]):
        if not counts_rows(header[width], columns[width]):
            break
        width += 1
    return width


def names_of(header: Sequence[str]) -> list[str]:
    """Return different names of columns; one that is empty or occurs twice gets its number."""
    names: list[str] = []
    for k, cell in enumerate(header, start=1):
        name = cell
        if not cell:
            name = str(k) if str(k) not in header else f"column {k}"
        elif header.count(cell) > 1:
            name = f"{cell} ({k})"
        while name in names or (name != cell and name in header):
            name += "'"
        names.append(name)
    return names


def _all_numbers(cells: Sequence[str], numerals: Numerals) -> bool:
    present = [cell for cell in cells if not is_missing(cell)]
    return bool(present) and all(numerals.number(cell) is not None for cell in present)


def _all_fractions(cells: Sequence[str], numerals: Numerals) -> bool:
    """Return whether all cells are numbers, of which none is written as a whole number."""
    return _all_numbers(cells, numerals) and not any(
        _WHOLE.fullmatch(cell.lstrip("+-\N{MINUS SIGN}")) for cell in cells
    )


def _is_run(cells: Sequence[str]) -> bool:
    """Return whether cells are consecutive whole numbers."""
    are_whole = bool(cells) and all(map(_WHOLE.fullmatch, cells))
    return are_whole and _is_consecutive(list(map(int, cells)))


def _is_consecutive(values: Sequence[int]) -> bool:
    return all(second == first + 1 for first, second in pairwise(values))


def _all_years(cells: Sequence[str]) -> bool:
    return all(_WHOLE.fullmatch(cell) and int(cell) in _YEARS for cell in cells[:1000])


def _continues(first: Sequence[str], below: Sequence[Sequence[str]], numerals: Numerals) -> bool:
    """Return whether the first row can be the first of the rows below.

    It can if the numbers of a column have equal steps, or if there are two columns, and the numbers
    of the first one increase.
    """
    columns = [
        [numerals.number(cell) for cell in (name, *cells[:1000])]
        for name, cells in zip(first, below)
    ]
    if len(columns[0]) < 3:
        return True
    for values in columns:
        if None not in values:
            steps = {round(b - a, 12) for a, b in pairwise(values)}  # type: ignore[operator]
            if len(steps) == 1 and steps != {0.0}:
                return True
    values = [value for value in columns[0] if value is not None]
    return len(first) == 2 and all(a < b for a, b in pairwise(values))

"""Choosing the columns of a table (x, y, labels), and the two labels that name the classes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from solvers.data.cells import is_missing, to_numbers
from solvers.data.lines import file_prefix
from solvers.data.tables import Table
from solvers.errors import BadInput, quote, shorten

LABEL_NAMES = ("label", "class", "species", "target", "y")
# Classes can be chosen from the values of a column with at most this many different ones.
MAX_CHOICES = 50
# Maximum number of different labels that are read.
MAX_LABELS = 10_000
# Maximum length of each name if a sentence lists several.
MAX_LISTED = 40


class UnclearColumns(BadInput):
    """Raised if the columns or the two classes have to be chosen by the user.

    Attributes
    ----------
    columns : list of str
        Names of all columns; "1", "2", ... without a header.
    numeric : list of str
        Names of the columns of numbers.
    label_values : dict of str to list of str
        The sorted values of each column with at most 50 different ones.
    """

    def __init__(
        self,
        message: str,
        columns: Iterable[str] = (),
        numeric: Iterable[str] = (),
        label_values: dict[str, list[str]] | None = None,
    ) -> None:
        super().__init__(message)
        self.columns = list(columns)
        self.numeric = list(numeric)
        self.label_values = label_values or {}


class MissingValues(BadInput):
    """Raised if some rows miss a value; ``skip_missing`` reads the other rows.

    Attributes
    ----------
    rows : int
        Number of rows with a missing coordinate, label or target.
    """

    def __init__(self, message: str, rows: int) -> None:
        super().__init__(message)
        self.rows = rows


class Choice(NamedTuple):
    """The part of a table that is used.

    Attributes
    ----------
    x, y, label : int
        Columns of the coordinates and of the labels.
    rows : int array, shape (n,)
        Rows of the two classes, and rows without a label.
    signs : int array, shape (n,)
        -1 or +1 for each of these; 0 without a label.
    class_names : (str, str)
        Names of the classes -1 and +1.
    """

    x: int
    y: int
    label: int
    rows: np.ndarray
    signs: np.ndarray
    class_names: tuple[str, str]


def choose(
    table: Table,
    labels: str | None,
    x: str | None,
    y: str | None,
    classes: Sequence[str] | None,
) -> Choice:
    """Choose the columns and classes, by the rules of :func:`solvers.data.point_files.read_csv`.

    Arguments other than None are the user's choice.
    """
    axes = [find_column(table, x), find_column(table, y)]
    label = _label_column(table, find_column(table, labels), axes)
    first, second = _axis_columns(table, label, axes)
    return Choice(first, second, label, *_classes(table, label, classes))


def spell_labels(cells: Sequence[str], declared: Sequence[str] = ()) -> dict[str, str]:
    """Map each label cell to the name of its class.

    Cells that are equal numbers belong to one class, named as in the first of them: "1", "1.0" and
    "+1" are the class "1". If two of the ``declared`` names are equal numbers, every spelling is a
    class of its own.
    """
    has_equal_numbers = len(set(_label_keys(declared))) < len(set(declared))
    keys_of = list if has_equal_numbers else _label_keys
    first = dict(zip(keys_of(declared), declared))
    names: dict[str, str] = {}
    for cell, key in zip(cells, keys_of(cells)):
        if cell not in names:
            names[cell] = first.setdefault(key, cell)
    return names


def sort_labels(names: Iterable[str]) -> list[str]:
    """Return the different names, sorted by value if all are numbers, else as text."""
    different = list(dict.fromkeys(names))
    values = to_numbers(different)
    if None in values:
        return sorted(different)
    return [name for _, name in sorted(zip(values, different))]


def class_pair(
    values: Sequence[str], negative: str | None = None, positive: str | None = None
) -> tuple[str, str]:
    """Return the names of the classes -1 and +1.

    Parameters
    ----------
    values : sequence of str
        The one or two names that occur in the data, sorted.
    negative, positive : str, optional
        Declared names. A class that is neither declared nor in ``values`` is named after the other
        one, such as "not Gentoo".
    """
    rest = [value for value in values if value not in (negative, positive)]
    if negative is None and positive is None and len(rest) == 1:
        value = to_numbers(rest)[0]
        if value is not None:
            return ("-1", rest[0]) if value > 0 else (rest[0], "+1")
    if negative is None:
        negative = rest.pop(0) if rest else f"not {positive}"
    if positive is None:
        positive = rest.pop(0) if rest else f"not {negative}"
    return negative, positive


def listing(names: Sequence[str], most: int = 10) -> str:
    """Return names for a message, in quotes."""
    words = [f'"{shorten(name, MAX_LISTED)}"' for name in names[:most]]
    return ", ".join([*words, "..."] if len(names) > most else words)


def _label_keys(names: Sequence[str]) -> list[str | float]:
    """Return the key of each name: its value if it is a number, else the name."""
    # Numbers that overflow are compared as text.
    return [
        name if value is None or math.isinf(value) else value
        for name, value in zip(names, to_numbers(names))
    ]


def find_column(table: Table, name: str | None) -> int | None:
    """Find a column by its name, its name in another letter case, or its number from 1."""
    if name is None:
        return None
    if name in table.names:
        return table.names.index(name)
    alike = [k for k, other in enumerate(table.names) if other.casefold() == name.casefold()]
    if len(alike) == 1:
        return alike[0]
    numbers = [str(k + 1) for k in range(len(table.names))]
    if name in numbers:
        return numbers.index(name)
    raise BadInput(
        f"{file_prefix(table.source)}there is no column {quote(name)}; "
        f"the columns are {listing(table.names)}."
    )


def _label_column(table: Table, given: int | None, axes: list[int | None]) -> int:
    if given is None and table.notes.get("label column") in table.names:
        given = table.names.index(table.notes["label column"])
    if given is not None:
        return given
    free = [k for k in range(len(table.names)) if k not in axes]
    # If all columns are numbers, any of them may hold the labels.
    pool = [k for k in free if table.kinds[k] == "text"] or free
    for name in LABEL_NAMES:
        for k in pool:
            if table.names[k].casefold() == name:
                return k
    if not pool:
        raise _too_few(table)
    if len(pool) == 1 or pool[-1] == free[-1]:
        return pool[-1]
    raise _unclear(table, f"the labels may be in any of {listing([table.names[k] for k in pool])}")


def _axis_columns(table: Table, label: int, given: list[int | None]) -> tuple[int, int]:
    chosen = [k for k in (*given, label) if k is not None]
    for k in chosen:
        if chosen.count(k) > 1:
            name = quote(table.names[k])
            raise BadInput(f"{file_prefix(table.source)}column {name} cannot be used twice.")
    others = [k for k in range(len(table.names)) if k not in chosen]
    free = [k for k in others if table.kinds[k] == "number"]
    needed = given.count(None)
    if len(free) < needed and len(others) == needed:
        free = others  # then the error names the cell that is not a number
    if len(free) < needed:
        raise _too_few(table)
    if needed and len(free) > needed:
        raise _unclear(table, f"x and y may be any of {listing([table.names[k] for k in free])}")
    first, second = (free.pop(0) if k is None else k for k in given)
    return first, second


def _classes(
    table: Table, label: int, classes: Sequence[str] | None
) -> tuple[np.ndarray, np.ndarray, tuple[str, str]]:
    what = f"column {quote(table.names[label])} has"
    found = table.words(label, MAX_LABELS)
    if found is None:
        raise _unclear(table, f"{what} more than {MAX_LABELS:,} labels, not two")
    codes, words = found
    known = [table.notes.get("negative class"), table.notes.get("positive class")]
    if classes is not None:
        known = [str(name) for name in classes]
    elif not set(known) & set(words):
        known = [None, None]  # the notes are about another column
    declared = [name for name in known if name is not None]
    present = [word in declared or not is_missing(word) for word in words]
    names = spell_labels([word for word, is_present in zip(words, present) if is_present], declared)
    values = sort_labels(names.values())
    if classes is not None:
        _check_chosen(table, declared, values)
    elif len({*values, *declared}) > 2:
        raise _unclear(table, f"{what} {len(values):,} labels, not two ({listing(values)})")
    pair = class_pair(values, *known)
    signs = {pair[0]: -1, pair[1]: 1}
    row_signs = np.array([signs.get(names.get(word, ""), 0) for word in words])[codes]
    # With chosen classes, rows of other classes or without a label are left out.
    used = row_signs != 0 if classes is not None else np.ones(len(row_signs), dtype=bool)
    rows = np.flatnonzero(used)
    return rows, row_signs[rows], pair


def _check_chosen(table: Table, chosen: list[str], values: list[str]) -> None:
    if len(chosen) != 2 or chosen[0] == chosen[1]:
        raise BadInput(f"Two different classes must be chosen: got {listing(chosen)}.")
    for name in chosen:
        if name not in values:
            raise BadInput(
                f"{file_prefix(table.source)}there is no label {quote(name)}; "
                f"the labels are {listing(values)}."
            )


def _too_few(table: Table) -> BadInput:
    return BadInput(
        f"{file_prefix(table.source)}two columns of numbers and one of labels are needed, "
        f"but the columns are {listing(table.names)}."
    )


def _unclear(table: Table, what: str) -> BadInput:
    """Return the error for an unclear choice, with the columns and labels to choose from."""
    numeric = [name for name, kind in zip(table.names, table.kinds) if kind == "number"]
    if len(numeric) < 2:
        return _too_few(table)
    label_values = {
        name: sort_labels(spell_labels(different).values())
        for name, different in zip(table.names, table.distinct_cells(MAX_CHOICES))
        if different
    }
    message = f"{file_prefix(table.source)}{what}; the columns are {listing(table.names)}."
    return UnclearColumns(message, table.names, numeric, label_values)

"""Choosing the columns of a table (x, y, labels), and the two labels that name the classes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from solvers.data.cells import is_missing, to_number, with_decimal_point
from solvers.data.guesses import Guess
from solvers.data.headers import LABEL_NAMES as LABEL_NAMES
from solvers.data.headers import is_unnamed
from solvers.data.lines import file_prefix
from solvers.data.tables import Table
from solvers.errors import BadInput, quote, shorten

# The user can choose two classes from a column that has at most this number of different values.
MAX_CHOICES = 50
# Maximum number of different labels that are read; more are refused.
MAX_LABELS = 10_000
# Maximum length of each name in a list of names, in characters.
MAX_LISTED = 40


class UnclearColumns(BadInput):
    """Raised if the user must choose the columns or the two classes.

    Attributes
    ----------
    columns : list of str
        Names of all columns; "1", "2", ... without a header.
    numeric : list of str
        Names of the columns of numbers.
    label_values : dict of str to list of str
        The sorted values of each column with at most ``MAX_CHOICES`` different values.
    guess : (str or None, str or None, str or None)
        The columns of x, y and labels that seem likely; None for one that could not be guessed.
    asks_for : str
        What the user must choose: "axes", "labels" or "classes".
    """

    def __init__(
        self,
        message: str,
        columns: Iterable[str] = (),
        numeric: Iterable[str] = (),
        label_values: dict[str, list[str]] | None = None,
        guess: tuple[str | None, str | None, str | None] = (None, None, None),
        asks_for: str = "axes",
    ) -> None:
        super().__init__(message)
        self.columns = list(columns)
        self.numeric = list(numeric)
        self.label_values = label_values or {}
        self.guess = guess
        self.asks_for = asks_for


class MissingValues(BadInput):
    """Raised if values are missing in some rows; with ``skip_missing`` these rows are left out.

    Attributes
    ----------
    rows : int
        Number of rows with a missing coordinate, label or target.
    """

    def __init__(self, message: str, rows: int) -> None:
        super().__init__(message)
        self.rows = rows


class ColumnChoice(NamedTuple):
    """The columns and rows of a table that are used as points.

    Attributes
    ----------
    x, y, label : int
        Indices of the columns of the coordinates and of the labels.
    rows : int array, shape (n,)
        Indices of the rows: if the user chose the classes, the rows of these classes; otherwise all
        rows, even those without a label.
    signs : int array, shape (n,)
        The class of each of these rows, -1 or +1; 0 for a row without a label.
    class_names : (str, str)
        Names of the classes -1 and +1.
    """

    x: int
    y: int
    label: int
    rows: np.ndarray
    signs: np.ndarray
    class_names: tuple[str, str]


def choose_columns(
    table: Table,
    labels: str | None,
    x: str | None,
    y: str | None,
    classes: Sequence[str] | None,
) -> ColumnChoice:
    """Choose the columns and classes, by the rules of :func:`solvers.data.point_files.read_csv`.

    An argument is None if the user did not give it.
    """
    axes = [find_column(table, x), find_column(table, y)]
    chosen = find_column(table, labels)
    if chosen is None and table.notes.get("label column") in table.names:
        chosen = table.names.index(table.notes["label column"])
    has_words = "text" in table.kinds[1:] or chosen is not None
    columns = table.without_index(2 if has_words else 3)
    has_labels = has_words or classes is not None
    has_labels = has_labels or any(_value_count(table, k) == 2 for k in columns[1:])
    if 0 in columns and table.index_width and not has_labels and axes == [None, None]:
        # A count is no coordinate of a regression.
        raise _too_few_error(table)
    label = _label_column(table, columns, axes) if chosen is None else chosen
    first, second = _axis_columns(table, columns, label, axes)
    note_index(table, columns, (first, second, label))
    return ColumnChoice(
        first, second, label, *choose_classes(table, label, classes, (first, second))
    )


def note_index(table: Table, columns: Sequence[int], used: Sequence[int]) -> None:
    """Add the guess that the index is left out, unless one of these columns is the first one."""
    if 0 in columns or 0 in used:
        return
    is_named = table.header and not is_unnamed(table.header[0])
    column = f"column {quote(table.names[0])}" if is_named else "the first column"
    what = "counts" if table.kinds[0] == "number" else "names"
    sentence = f"{column}, which only {what} the rows, is left out."
    if table.index_width > 1:
        sentence = (
            f"the first {table.index_width} columns, which only count the rows, are left out."
        )
    table.guesses.append(Guess(sentence))


def spell_labels(cells: Sequence[str], declared: Sequence[str] = ()) -> dict[str, str]:
    """Map each label cell to the name of its class.

    ``declared`` are names of classes that comment lines or the user give. Cells that are equal
    numbers, such as "1", "1.0" and "+1", belong to one class. Its name is the declared name that
    equals this number. Without such a name, it is the first of these cells; a cell with an exponent
    is shortened. But if two declared names are equal numbers, such as "1" and "1.0", every spelling
    is a class of its own.
    """
    has_equal_numbers = len(set(_label_keys(declared))) < len(set(declared))
    keys_of = list if has_equal_numbers else _label_keys
    name_of_key = dict(zip(keys_of(declared), declared))
    names: dict[str, str] = {}
    for cell, key in zip(cells, keys_of(cells)):
        if cell not in names:
            names[cell] = name_of_key.setdefault(key, _short_name(cell, key))
    return names


def sort_labels(names: Iterable[str]) -> list[str]:
    """Return the different names, sorted by value if all are numbers, otherwise as text."""
    different = list(dict.fromkeys(names))
    values = list(map(_label_number, different))
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
        The one or two names of classes that occur as labels, sorted.
    negative, positive : str, optional
        Names that comment lines or the user give. A class that has no such name gets its name from
        ``values``. If no name is left there, the class is named after the other class, such as "not
        Gentoo". But if no name is given and the only value is a number, a number above 0 is class
        +1, with "-1" as the other class; any other number is class -1, with "+1" as the other.
    """
    undeclared = [value for value in values if value not in (negative, positive)]
    if negative is None and positive is None and len(undeclared) == 1:
        value = _label_number(undeclared[0])
        if value is not None:
            return ("-1", undeclared[0]) if value > 0 else (undeclared[0], "+1")
    if negative is None:
        negative = undeclared.pop(0) if undeclared else f"not {positive}"
    if positive is None:
        positive = undeclared.pop(0) if undeclared else f"not {negative}"
    return negative, positive


def listing(names: Sequence[str], max_names: int = 10) -> str:
    """Return names in quotes for a message: ``max_names`` of them, and how many more there are."""
    words = ", ".join(f'"{shorten(name, MAX_LISTED)}"' for name in names[:max_names])
    more = len(names) - max_names
    return f"{words} and {more:,} more" if more > 0 else words


def _label_keys(names: Sequence[str]) -> list[str | float]:
    """Return for each name the key by which it is compared: its number, or the name itself."""
    # Numbers that overflow to infinity are compared as text.
    return [
        name if value is None or math.isinf(value) else value
        for name, value in zip(names, map(_label_number, names))
    ]


def _short_name(cell: str, key: str | float) -> str:
    """Return a label; one with an exponent, such as "1.000000000000000000e+00", becomes "1"."""
    has_exponent = isinstance(key, float) and "e" in cell.lower()
    return repr(key).removesuffix(".0") if has_exponent else cell


def _label_number(name: str) -> float | None:
    """Return the number that a label is, with a decimal point or a comma; None if it is a word."""
    return to_number(with_decimal_point(name))


def find_column(table: Table, name: str | None) -> int | None:
    """Return the index of a column, given by its name in any letter case or by its number from 1.

    Raises
    ------
    BadInput
        If there is no such column.
    """
    if name is None:
        return None
    if name in table.names:
        return table.names.index(name)
    matches = [k for k, other in enumerate(table.names) if other.casefold() == name.casefold()]
    if len(matches) == 1:
        return matches[0]
    numbers = [str(k + 1) for k in range(len(table.names))]
    if name in numbers:
        return numbers.index(name)
    raise BadInput(
        f"{file_prefix(table.source)}there is no column {quote(name)}; "
        f"the columns are {listing(table.names)}."
    )


def _label_column(table: Table, columns: Sequence[int], axes: list[int | None]) -> int:
    """Return the index of the label column, one of ``columns`` that is not in ``axes``.

    ``axes`` are the columns that the user chose for x and y.
    """
    unused = [k for k in columns if k not in axes]
    # If no unused column contains text, any unused column may be the label column.
    candidates = [k for k in unused if table.kinds[k] == "text"] or unused
    names = [table.names[k].casefold() for k in candidates]
    for name in LABEL_NAMES:
        if name not in names:
            continue
        named = candidates[names.index(name)]
        # Beside a column x, y is a coordinate, unless it has fewer values than all other columns.
        if name == "y" and "x" in [other.casefold() for other in table.names]:
            others = [k for k in candidates if table.names[k].casefold() not in ("x", "y")]
            return min((*reversed(others), named), key=lambda k: _value_count(table, k))
        return named
    if not candidates:
        raise _too_few_error(table)
    if len(candidates) == 1 or candidates[-1] == unused[-1]:
        return candidates[-1]
    listed = listing([table.names[k] for k in candidates])
    raise _unclear_error(table, "labels", f"the labels may be in any of {listed}", axes)


def _value_count(table: Table, column: int) -> int:
    """Return the number of different values of a column, at least 2."""
    return max(2, len({cell for cell in table.columns[column] if not is_missing(cell)}))


def _axis_columns(
    table: Table, columns: Sequence[int], label: int, axes: list[int | None]
) -> tuple[int, int]:
    """Return the indices of the columns x and y; ``axes`` has the user's choices, or None."""
    used = [k for k in (*axes, label) if k is not None]
    for k in used:
        if used.count(k) > 1:
            name = quote(table.names[k])
            raise BadInput(f"{file_prefix(table.source)}column {name} cannot be used twice.")
    unused = [k for k in columns if k not in used]
    candidates = [k for k in unused if table.kinds[k] == "number"]
    n_needed = axes.count(None)
    if len(candidates) < n_needed and len(unused) == n_needed:
        # Columns of text are used too. The error of `read_coordinates` then names the cell that is
        # not a number.
        candidates = unused
    if len(candidates) < n_needed:
        raise _too_few_error(table)
    if n_needed and len(candidates) > n_needed:
        names = listing([table.names[k] for k in candidates])
        raise _unclear_error(table, "axes", f"x and y may be any of {names}", axes, label)
    first, second = (candidates.pop(0) if k is None else k for k in axes)
    return first, second


def choose_classes(
    table: Table,
    label: int,
    classes: Sequence[str] | None,
    axes: Sequence[int | None] = (None, None),
) -> tuple[np.ndarray, np.ndarray, tuple[str, str]]:
    """Return ``rows``, ``signs`` and ``class_names`` of :class:`ColumnChoice`."""
    subject = f"column {quote(table.names[label])} has"
    codes, words = table.words(label)
    if len(words) > MAX_LABELS:
        raise _unclear_error(
            table, "labels", f"{subject} more than {MAX_LABELS:,} labels, not two", axes, label
        )
    # The names that comment lines or the user give to the classes -1 and +1; None if not given.
    negative_and_positive = [table.notes.get("negative class"), table.notes.get("positive class")]
    if classes is not None:
        negative_and_positive = [str(name) for name in classes]
    elif not set(negative_and_positive) & set(words):
        # No label has a name from the comment lines, so the comments are about another column.
        negative_and_positive = [None, None]
    declared = [name for name in negative_and_positive if name is not None]
    present = [word in declared or not is_missing(word) for word in words]
    names = spell_labels([word for word, is_present in zip(words, present) if is_present], declared)
    values = sort_labels(names.values())
    if classes is not None:
        _check_chosen(table, declared, values)
    elif len({*values, *declared}) > 2:
        raise _unclear_error(
            table,
            "classes",
            f"{subject} {len(values):,} labels, not two ({listing(values)})",
            axes,
            label,
        )
    pair = class_pair(values, *negative_and_positive)
    signs = {pair[0]: -1, pair[1]: 1}
    row_signs = np.array([signs.get(names.get(word, ""), 0) for word in words])[codes]
    # If the user chose the classes, rows of other classes and rows without a label are left out.
    is_used = row_signs != 0 if classes is not None else np.ones(len(row_signs), dtype=bool)
    rows = np.flatnonzero(is_used)
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


def _too_few_error(table: Table) -> BadInput:
    return BadInput(
        f"{file_prefix(table.source)}two columns of numbers and one of labels are needed, "
        f"but the columns are {listing(table.names)}."
    )


def _unclear_error(
    table: Table,
    asks_for: str,
    reason: str,
    axes: Sequence[int | None],
    label: int | None = None,
) -> BadInput:
    """Return the error for an unclear choice, with the columns and labels to choose from."""
    numeric = [name for name, kind in zip(table.names, table.kinds) if kind == "number"]
    if len(numeric) < 2:
        return _too_few_error(table)
    label_values = {
        name: sort_labels(spell_labels(different).values())
        for name, different in zip(table.names, table.distinct_cells(MAX_CHOICES))
        if different
    }
    message = f"{file_prefix(table.source)}{reason}."
    first, second, third = (None if k is None else table.names[k] for k in (*axes, label))
    guess = first, second, third
    return UnclearColumns(message, table.names, numeric, label_values, guess, asks_for)

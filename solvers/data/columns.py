"""Choosing the columns of a table (x, y, labels), and the labels that name the classes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from solvers.data.cells import is_missing, to_number, with_decimal_point
from solvers.data.datasets import MAX_CLASSES
from solvers.data.guesses import Guess
from solvers.data.headers import LABEL_NAMES as LABEL_NAMES
from solvers.data.headers import is_unnamed
from solvers.data.lines import file_prefix
from solvers.data.tables import Table
from solvers.errors import BadInput, quote, shorten

# Those of a label column that say that it has no targets.
CLASS_NAMES = LABEL_NAMES[:3]
# A column of classes has at most this number of different values; others are targets, or names.
MAX_CHOICES = 50
# Maximum number of different labels that are read; more are refused.
MAX_LABELS = 10_000
# Maximum length of each name in a list of names, in characters.
MAX_LISTED = 40


class UnclearColumns(BadInput):
    """Raised if the user must choose the columns or the classes.

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
        rows, even those without a label. If there are more than ``MAX_CLASSES`` classes, the rows
        of classes with fewer points are left out.
    classes : int array, shape (n,)
        The index of the class of each of these rows; -1 for a row without a label.
    class_names : tuple of two to MAX_CLASSES str
        Names of the classes. Of two, the first has the label -1.
    """

    x: int
    y: int
    label: int
    rows: np.ndarray
    classes: np.ndarray
    class_names: tuple[str, ...]


def choose_columns(
    table: Table,
    labels: str | None,
    x: str | None,
    y: str | None,
    classes: Sequence[str] | None,
) -> ColumnChoice:
    """Choose columns and classes, by the rules of :func:`solvers.data.point_files.parse_points`.

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
    axes: Sequence[int | None] | None = None,
) -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:
    """Return ``rows``, ``classes`` and ``class_names`` of :class:`ColumnChoice`.

    ``axes`` are the columns of the coordinates; None if the rows are items.
    """
    codes, words = table.words(label)
    if len(words) > MAX_LABELS:
        doubt = f"more than {MAX_LABELS:,} labels, not two to {MAX_CLASSES}"
        raise _label_error(table, "labels", doubt, axes, label)
    # The names of classes that comment lines or the user give; None for -1 or +1 if not given.
    noted = _noted_classes(table) if classes is None else [str(name) for name in classes]
    if classes is None and not set(noted) & set(words):
        # No label has a name from the comment lines, so the comments are about another column.
        noted = [None, None]
    declared = [name for name in noted if name is not None]
    present = np.array([word in declared or not is_missing(word) for word in words])
    names = spell_labels([word for word, is_present in zip(words, present) if is_present], declared)
    values = sort_labels(names.values())
    all_names = tuple(dict.fromkeys([*declared, *values]))
    if classes is not None:
        _check_chosen(table, declared, values)
        chosen = all_names[: len(declared)]
    elif len(all_names) <= 2:
        chosen = class_pair(values, *noted)
    else:
        is_certain = axes is None or table.names[label].casefold() in CLASS_NAMES
        doubt = doubt_of_classes(values, len(codes), is_certain)
        if doubt and not set(values) <= set(declared):
            raise _label_error(table, "classes", doubt, axes, label)
        n_points = dict.fromkeys(all_names, 0)
        for word, count in zip(words, np.bincount(codes).tolist()):
            if word in names:
                n_points[names[word]] += count
        chosen = _largest_classes(table, label, n_points)
    index = {name: k for k, name in enumerate(chosen)}
    row_classes = np.array([index.get(names.get(word, ""), -1) for word in words])[codes]
    # Rows of classes that are not taken are left out; those without a label if the user chose.
    is_used = row_classes >= 0
    if classes is None:
        is_used |= ~present[codes]
    rows = np.flatnonzero(is_used)
    return rows, row_classes[rows], chosen


def doubt_of_classes(values: Sequence[str], n: int, is_certain: bool = False) -> str:
    """Return why more than two labels may be no classes, after "the column has"; "" if they are.

    Parameters
    ----------
    values : sequence of str
        The different labels.
    n : int
        Number of points.
    is_certain : bool
        Whether the name of the column, or the kind of the text, says that it has classes. Then
        no more labels than there may be classes are neither targets nor names of rows, however
        few the points are.
    """
    count, listed = f"{len(values):,} labels", listing(values)
    if len(values) > MAX_CHOICES:
        return f"{count}, not two to {MAX_CLASSES} ({listed})"
    numbers = list(map(_label_number, values))
    are_numbers = None not in numbers
    if are_numbers and not all((number or 0.0).is_integer() for number in numbers):
        return f"{count} that are not whole numbers ({listed})"
    if is_certain and len(values) <= MAX_CLASSES:
        return ""
    if None in numbers and set(numbers) != {None}:
        # The word may be the name of the column, in a header that looks like a row.
        return f"{count}, some of them numbers and some words ({listed})"
    # Words that are all different are names of rows.
    is_named = len(values) < n and len(values) <= MAX_CLASSES and not are_numbers
    if n < 2 * len(values) and not is_named:
        return f"{count} for {n} points ({listed})"
    return ""


def _noted_classes(table: Table) -> list[str | None]:
    """Return the names of the classes that comment lines give; None for -1 or +1 if not given."""
    notes = table.notes
    numbered = [notes.get(f"class {number}") for number in range(1, MAX_CLASSES + 1)]
    if numbered.count(None) <= MAX_CLASSES - 3:
        return [name for name in numbered if name is not None]
    return [notes.get("negative class"), notes.get("positive class")]


def _largest_classes(table: Table, label: int, n_points: dict[str, int]) -> tuple[str, ...]:
    """Return the MAX_CLASSES classes with the most points, in their order; note which they are.

    ``n_points`` has the number of points of each class. Of equally large classes the first are
    taken.
    """
    order = list(n_points)
    taken = sorted(order, key=lambda name: -n_points[name])[:MAX_CLASSES]
    if len(taken) < len(order):
        left_out = sum(n_points.values()) - sum(n_points[name] for name in taken)
        table.guesses.append(
            Guess(
                f"column {quote(table.names[label])} has {len(order)} labels; the {MAX_CLASSES} "
                "with the most points are read "
                f"({listing([name for name in order if name in taken])}), and {left_out:,} points "
                "of the others are left out."
            )
        )
    return tuple(name for name in order if name in taken)


def _check_chosen(table: Table, chosen: list[str], values: list[str]) -> None:
    if not 2 <= len(chosen) <= MAX_CLASSES or len(set(chosen)) < len(chosen):
        raise BadInput(
            f"Two to {MAX_CLASSES} different classes must be chosen: got {listing(chosen)}."
        )
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


def _label_error(
    table: Table, asks_for: str, doubt: str, axes: Sequence[int | None] | None, label: int
) -> BadInput:
    """Return the error for a column that has no classes, as ``doubt`` says."""
    reason = f"column {quote(table.names[label])} has {doubt}"
    if axes is None:
        # Items have no other column that the user could choose.
        return BadInput(f"{file_prefix(table.source)}{reason}.")
    return _unclear_error(table, asks_for, reason, axes, label)


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

"""Points as text: CSV, LIBSVM, and text of unknown format, such as text from the clipboard.

These functions take and return text. They open no files. Their error is
:class:`~solvers.errors.BadInput`; its sentence names the line and the column.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypedDict, Unpack

import numpy as np

from solvers.cancelling import Report, no_report
from solvers.data.cells import is_missing, is_number, quote_cell
from solvers.data.columns import (
    LABEL_NAMES,
    ColumnChoice,
    choose_columns,
    class_pair,
    doubt_of_classes,
    sort_labels,
    spell_labels,
)
from solvers.data.columns import MissingValues as MissingValues
from solvers.data.columns import UnclearColumns as UnclearColumns
from solvers.data.coordinates import MAX_COORDINATE, coordinate_error
from solvers.data.datasets import PointSet, labels_of
from solvers.data.guesses import Guess, OnGuess
from solvers.data.item_files import class_notes, items_of_table, lacks_labels, write_items
from solvers.data.libsvm import (
    feature_named,
    is_libsvm,
    libsvm_table,
    refuse_targets,
    with_two_features,
)
from solvers.data.libsvm import write_libsvm as write_libsvm
from solvers.data.lines import Lines, file_prefix, read_lines
from solvers.data.numerals import UnclearNumbers as UnclearNumbers
from solvers.data.tables import Table, read_table
from solvers.errors import BadInput

# Called with the indices of the rows that became points, an int array of shape (n,).
OnRows = Callable[[np.ndarray], None]


class TableOptions(TypedDict, total=False):
    """Options for reading a table of points; see the parameters of :func:`parse_points`."""

    labels: str | None
    x: str | None
    y: str | None
    classes: Sequence[str] | None
    skip_missing: bool
    decimal: str | None
    header: bool | None
    on_rows: OnRows
    on_guess: OnGuess


# Units of measurement that may be the last word of a column's name, as in "bill_depth_mm".
UNITS = ("nm", "um", "mm", "cm", "dm", "m", "km", "mg", "g", "kg", "ml", "l", "ms", "s")


def ignore(_told: object) -> None:
    """Do nothing; this is the default of ``on_rows`` and ``on_guess``."""


def _points_of(
    table: Table,
    *,
    labels: str | None = None,
    x: str | None = None,
    y: str | None = None,
    classes: Sequence[str] | None = None,
    skip_missing: bool = False,
    on_rows: OnRows = ignore,
    on_guess: OnGuess = ignore,
) -> PointSet:
    found = items_of_table(table, labels, classes) if x is None and y is None else None
    if found is not None:
        items, rows = found
        on_rows(rows)
        tell_guesses(table, on_guess)
        return items
    try:
        choice = choose_columns(table, labels, x, y, classes)
    except BadInput:
        if (labels, x, y) == (None, None, None) and lacks_labels(table):
            raise BadInput(
                f"{file_prefix(table.source)}this looks like a kernel matrix, but a last column "
                "with the label of each row is missing."
            ) from None
        raise
    rows, points = read_coordinates(
        table, (choice.x, choice.y), choice.rows, choice.classes < 0, choice.label, skip_missing
    )
    on_rows(rows)
    tell_guesses(table, on_guess)
    names = choice.class_names
    classes_of_rows = choice.classes[np.searchsorted(choice.rows, rows)]
    return PointSet(
        points, labels_of(classes_of_rows, len(names)), names, _axis_names(table, choice)
    )


def tell_guesses(table: Table, on_guess: OnGuess) -> None:
    """Call ``on_guess`` with each guess about a table; its sentence then names the file."""
    for guess in table.guesses:
        prefix, sentence = file_prefix(table.source), guess.sentence
        sentence = prefix + sentence if prefix else sentence[0].upper() + sentence[1:]
        on_guess(guess._replace(sentence=sentence))


def _axis_names(table: Table, choice: ColumnChoice) -> tuple[str, str]:
    if not table.has_header:
        return "x1", "x2"
    return table.names[choice.x], table.names[choice.y]


def _points_of_libsvm(
    lines: Lines, report: Report = no_report, **options: Unpack[TableOptions]
) -> PointSet:
    table = libsvm_table(lines, report, decimal=options.get("decimal"))
    if options.get("classes") is None:
        refuse_targets(table)
    table = with_two_features(table)
    chosen = {key: feature_named(table, options.get(key)) for key in ("labels", "x", "y")}
    return _points_of(table, **_options_for({**options, **chosen}))


def _options_for(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that are not used when the table is read."""
    return {key: value for key, value in options.items() if key not in ("decimal", "header")}


def write_csv(pointset: PointSet) -> str:
    """Write n > 0 points as text from which :func:`parse_points` returns an equal set, bit for bit.

    If it would choose another label column or other classes, comment lines name them.
    """
    if pointset.items is not None:
        return write_items(pointset)
    axes = pointset.axis_names
    label = next(n for n in LABEL_NAMES if n not in [axis.casefold() for axis in axes])
    notes = []
    if any(is_number(a) or is_missing(a) or a.casefold() in LABEL_NAMES for a in axes):
        notes.append(f"# label column: {label}")
    label_words = [pointset.class_names[k] for k in pointset.classes.tolist()]
    if any(map(is_missing, label_words)) or _default_class_names(label_words) != (
        pointset.class_names
    ):
        notes += class_notes(pointset)
    header = ",".join(map(quote_cell, (*axes, label)))
    rows = [
        f"{first!r},{second!r},{quote_cell(word)}"
        for (first, second), word in zip(pointset.points.tolist(), label_words)
    ]
    return "\n".join([*notes, header, *rows]) + "\n"


def parse_points(
    text: str, *, source: str = "", report: Report = no_report, **options: Unpack[TableOptions]
) -> PointSet:
    """Read two columns of numbers and one of labels, from a table or from LIBSVM text.

    The first row may be a header (see :func:`solvers.data.tables.read_table`). Of two labels, the
    first in sorted order is the class -1, unless ``classes`` or a comment line ``# negative class:
    name`` says otherwise. Labels that are numbers are sorted by value. Three to ``MAX_CLASSES``
    labels are as many classes, in sorted order; of more, those with the most points are read.

    Parameters
    ----------
    text : str
        Cells between commas, semicolons, tabs, bars or white space, or ARFF. All numbers together
        decide how they are written (:mod:`solvers.data.numerals`). If each cell of a column has the
        same unit, the unit is left out (:mod:`solvers.data.units`). Lines that start with # are
        comments. Or lines ``label 1:x 2:y``; an absent feature is 0, and # starts a comment.
    labels, x, y : str, optional
        Columns by name, or by number from 1. By default, the label column is named by a comment
        line, or is the only column of text, or has the name label, class, species, target or y, or
        is the last column. If there is a column x, y is a coordinate. x and y are the two other
        columns of numbers. A first column that only counts the rows is left out if there are enough
        others.
    classes : two to MAX_CLASSES str, optional
        Labels of the classes, of two those of -1 and +1; rows with other labels are left out.
    skip_missing : bool
        Leave out rows in which a coordinate or the label is missing.
    decimal : str, optional
        The decimal mark, "point" or "comma"; by default, the cells tell it.
    header : bool, optional
        Whether the first row is a header.
    source : str
        Name of the file for messages.
    report : callable(float)
        Called with the fraction read, 0 to 1. It may raise an exception to cancel.
    on_rows : callable(array)
        Called once with the row of each point, shape (n,), counted from 0 without the header.
    on_guess : callable(Guess)
        Called with each guess, such as that commas separate thousands.

    Returns
    -------
    PointSet
        n >= 1 points, or items without coordinates (:mod:`solvers.data.item_files`). A single
        label is class +1 if it is a number above 0, otherwise class -1.

    Raises
    ------
    UnclearColumns
        If the labels may be targets of a regression, or if there are several possible columns.
    UnclearNumbers
        If a number can be read in two ways, and ``decimal`` is not given.
    MissingValues
        If a value is missing, unless ``skip_missing``.
    BadInput
        If the text cannot be read.
    """
    lines = read_lines(text, source, report)
    if is_libsvm(lines):
        return _points_of_libsvm(lines, report, **options)
    style = {key: options.get(key) for key in ("decimal", "header")}
    return _points_of(read_table(lines, report, **style), **_options_for(options))


def readable_name(name: str) -> str:
    """Return a readable name of a column: ``bill_depth_mm`` becomes "bill depth (mm)"."""
    words = [word for word in name.split("_") if word]
    if len(words) > 1 and words[-1] in UNITS:
        words[-1] = f"({words[-1]})"
    return " ".join(words) or name


def _default_class_names(words: Sequence[str]) -> tuple[str, ...] | None:
    """Return the class names that :func:`parse_points` derives from the labels alone."""
    values = sort_labels(spell_labels(words).values())
    if len(values) > 2:
        return None if doubt_of_classes(values, len(words)) else tuple(values)
    return class_pair(values) if values else None


def read_coordinates(
    table: Table,
    columns: Sequence[int],
    rows: np.ndarray,
    unlabelled: np.ndarray,
    label: int,
    skip_missing: bool,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows that become points, and their numbers in some columns.

    Parameters
    ----------
    table : Table
    columns : sequence of k ints
        Indices of the columns.
    rows : int array, shape (m,)
        Indices of the rows to read.
    unlabelled : bool array, shape (m,)
        Whether the label of each of these rows is missing.
    label : int
        Index of the column of labels, for messages.
    skip_missing : bool
        Leave out rows with a missing value or label.

    Returns
    -------
    rows : int array, shape (n,)
    values : float array, shape (n, k)

    Raises
    ------
    MissingValues
        If ``skip_missing`` is False, all unusable cells are missing ones, and some row is complete.
    BadInput
        If a cell is not a number or is too large, or if every row has a missing value.
    """
    values = table.values(columns)[rows]
    table.note_numbers(columns)
    # For each row: whether each number is unusable, and last, whether the label is missing.
    is_unusable = np.column_stack([~(np.abs(values) <= MAX_COORDINATE), unlabelled])
    if not is_unusable.any():
        return rows, values
    missing = is_unusable.copy()
    missing[:, :-1] &= table.missing(columns)[rows]
    has_missing = missing.any(axis=1)
    if skip_missing and not has_missing.all():
        complete = ~has_missing
        rows, values, is_unusable = rows[complete], values[complete], is_unusable[complete]
        skipped = int(has_missing.sum())
        words = "row with missing values was" if skipped == 1 else "rows with missing values were"
        table.guesses.append(Guess(f"{skipped:,} {words} left out."))
        if not is_unusable.any():
            return rows, values
    first, k = (int(index) for index in np.argwhere(is_unusable)[0])
    row = int(rows[first])
    if k == len(columns):
        error = BadInput(f"{table.cell_prefix(row, label)}: the label is missing.")
    else:
        error = coordinate_error(table.columns[columns[k]][row], table.cell_prefix(row, columns[k]))
    only_missing = bool((missing == is_unusable).all()) if not skip_missing else False
    if only_missing and not has_missing.all():
        raise MissingValues(str(error), int(has_missing.sum()))
    raise error

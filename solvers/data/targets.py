"""Reading the points of a regression: any number of coordinates, and a target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from solvers.cancelling import Report, no_report
from solvers.data.columns import LABEL_NAMES, find_column, listing, note_index
from solvers.data.guesses import Guess, OnGuess
from solvers.data.libsvm import TARGET, feature_named, is_libsvm, libsvm_table
from solvers.data.lines import Lines, file_prefix, read_lines
from solvers.data.point_files import ignore, read_coordinates, tell_guesses
from solvers.data.tables import Table, read_table
from solvers.errors import BadInput, quote

# Names of a target column, in any letter case.
TARGET_NAMES = ("target", "y")


@dataclass(frozen=True, eq=False)
class Targets:
    """Points and their targets.

    Attributes
    ----------
    X : array, shape (n, d)
    y : array, shape (n,)
    names : tuple of str
        Names of the d columns of X.
    target : str
        Name of the column of y.
    rows : int array, shape (n,)
        The row number of each point in the table, counted from 0 without the header.
    """

    X: np.ndarray
    y: np.ndarray
    names: tuple[str, ...]
    target: str
    rows: np.ndarray


def read_targets(
    text: str,
    *,
    target: str | None = None,
    x: str | None = None,
    skip_missing: bool = False,
    decimal: str | None = None,
    header: bool | None = None,
    source: str = "",
    report: Report = no_report,
    on_guess: OnGuess = ignore,
) -> Targets:
    """Read all columns of numbers of a table: one is the target, the others are coordinates.

    A first column that only counts the rows is left out if there are two others.

    The format of the text is that of :func:`solvers.data.point_files.parse_points`. The targets of
    LIBSVM text are its labels.

    Parameters
    ----------
    text : str
        Cells between commas, semicolons, tabs or white space; or LIBSVM text.
    target : str, optional
        The column of y, by name or by number from 1. By default, it is the column that a comment
        line ``# label column: name`` names; without such a line, the last column named target or
        y, or the last column of numbers.
    x : str, optional
        The only coordinate; by default all other columns of numbers are coordinates.
    skip_missing : bool
        Leave out rows in which a number is missing.
    decimal, header, on_guess
        See :func:`solvers.data.point_files.parse_points`.
    source : str
        Name of the file for messages.
    report : callable(float)
        Called with the fraction read, 0 to 1. It may raise an exception to cancel.

    Raises
    ------
    MissingValues
        If a number is missing, unless ``skip_missing``.
    BadInput
        If the text cannot be read, or there are not two columns of numbers.
    """
    lines = read_lines(text, source, report)
    table = _table_of(lines, report, decimal=decimal, header=header)
    if "kernel matrix" in table.notes:
        raise BadInput(f"{file_prefix(source)}a kernel matrix needs the labels of two classes.")
    if is_libsvm(lines):
        target, x = feature_named(table, target), feature_named(table, x)
    columns = table.without_index(2)
    numeric = [k for k in columns if table.kinds[k] == "number"]
    chosen = find_column(table, target)
    if chosen is None and table.notes.get("label column") in table.names:
        chosen = table.names.index(table.notes["label column"])
    if chosen is None:
        named_target = [k for k in numeric if table.names[k].casefold() in TARGET_NAMES]
        chosen = (named_target or numeric or [0])[-1]
        if not named_target:
            _note_target(table, chosen)
    only = find_column(table, x)
    if only is not None and only == chosen:
        name = quote(table.names[only])
        raise BadInput(f"{file_prefix(source)}column {name} cannot be used twice.")
    axes = [k for k in numeric if k != chosen] if only is None else [only]
    if not axes:
        raise BadInput(
            f"{file_prefix(source)}a column of targets and at least one more column of numbers are "
            f"needed, but the columns are {listing(table.names)}."
        )
    all_rows = np.arange(len(table))
    unlabelled = np.zeros(len(table), dtype=bool)
    rows, values = read_coordinates(
        table, [*axes, chosen], all_rows, unlabelled, chosen, skip_missing
    )
    if table.kinds[0] == "number" and only is None:
        note_index(table, columns, [*axes, chosen])
    tell_guesses(table, on_guess)
    return Targets(
        values[:, :-1].copy(),
        values[:, -1].copy(),
        tuple(table.names[column] for column in axes),
        table.names[chosen],
        rows,
    )


def _note_target(table: Table, chosen: int) -> None:
    """Add a guess on the target if the last column is not it, though it has digits: "$1,250"."""
    last, cell = len(table.names) - 1, table.columns[-1][0]
    if chosen != last and any(map(str.isdigit, cell)):
        table.guesses.append(
            Guess(
                f"column {quote(table.names[chosen])} is read as the target, because "
                f"{quote(cell)} in column {quote(table.names[last])} is not a number."
            )
        )


def is_curve(text: str) -> bool:
    """Return whether a text has just two columns of numbers, and none has the name of labels."""
    try:
        table = _table_of(read_lines(text))
    except BadInput:
        return False
    kinds = [table.kinds[k] for k in table.without_index(2)]
    is_number = [kind == "number" for kind in kinds if kind != "empty"]
    names = {name.casefold() for name in table.names}
    return is_number == [True, True] and names.isdisjoint({*LABEL_NAMES} - {*TARGET_NAMES})


def _table_of(lines: Lines, report: Report = no_report, **style: Any) -> Table:
    if is_libsvm(lines):
        return libsvm_table(lines, report, TARGET, style.get("decimal"))
    return read_table(lines, report, **style)

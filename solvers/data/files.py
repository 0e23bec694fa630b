"""Points as text: CSV, LIBSVM, and whatever the clipboard holds.

Files are opened elsewhere: these functions take and return text. Whatever is wrong with it is told
by :class:`~solvers.errors.BadInput`, in one sentence with the line and the column.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np

from solvers.data.columns import LABEL_NAMES, choose, class_pair, listing, sort_labels, spell_labels
from solvers.data.columns import UnclearColumns as UnclearColumns
from solvers.data.datasets import PointSet
from solvers.data.tables import (
    Table,
    at,
    data_lines,
    is_missing,
    is_number,
    named,
    quoted,
    read_table,
    shorten,
    to_number,
)
from solvers.errors import BadInput

UNITS = ("nm", "um", "mm", "cm", "dm", "m", "km", "mg", "g", "kg", "ml", "l", "ms", "s")

_LIBSVM_LINE = re.compile(r"\s*[^\s,;]+\s+[0-9]+:[^\s,;]*(?:\s|$)")
_FEATURE = re.compile(r"([0-9]{1,9}):(.*)")


def read_csv(
    text: str,
    *,
    labels: str | None = None,
    x: str | None = None,
    y: str | None = None,
    classes: Sequence[str] | None = None,
    source: str = "",
) -> PointSet:
    """Read two columns of numbers and one of labels.

    The first row is a header if none of its cells is a number. The two labels in sorted order
    (by value if they are numbers) are -1 and +1, unless ``classes`` or a comment line
    ``# negative class: name`` says otherwise.

    Parameters
    ----------
    text : str
        Cells between commas, semicolons, tabs or white space; decimal points. Lines that start
        with # are comments.
    labels, x, y : str, optional
        Columns by name, or by number from 1. By default the label column is the one that is not
        numeric, or is named label, class, species, target or y, or is the last; the two other
        numeric columns are x and y.
    classes : (str, str), optional
        Labels of the classes -1 and +1; rows with other labels are left out.
    source : str
        Name of the file for messages.

    Returns
    -------
    PointSet
        With n >= 1 points. If there is only one label it names class -1, or class +1 if it is a
        number above 0.

    Raises
    ------
    UnclearColumns
        If there are more than two labels, or more columns than can be told apart.
    BadInput
        If the text cannot be read.
    """
    table = read_table(text, source)
    choice = choose(table, labels, x, y, classes)
    columns = (choice.x, choice.y)
    points = [[coordinate(table, row, column) for column in columns] for row in choice.rows]
    axis_names = (table.names[choice.x], table.names[choice.y])
    if not table.has_header:
        axis_names = ("x1", "x2")
    return PointSet(np.array(points), np.array(choice.signs), choice.class_names, axis_names)


def write_csv(pointset: PointSet) -> str:
    """Write points so that :func:`read_csv` returns an equal set, to the last bit, if n > 0.

    Comment lines name the label column or the classes where the reader would guess otherwise.
    """
    axes = pointset.axis_names
    label = next(n for n in LABEL_NAMES if n not in [axis.casefold() for axis in axes])
    notes = []
    if any(is_number(a) or is_missing(a) or a.casefold() in LABEL_NAMES for a in axes):
        notes.append(f"# label column: {label}")
    words = [pointset.class_names[int(sign > 0)] for sign in pointset.labels.tolist()]
    if any(map(is_missing, words)) or _natural_pair(words) != pointset.class_names:
        notes.append(f"# negative class: {pointset.class_names[0]}")
        notes.append(f"# positive class: {pointset.class_names[1]}")
    header = ",".join(map(quoted, (*axes, label)))
    rows = [
        f"{first!r},{second!r},{quoted(word)}"
        for (first, second), word in zip(pointset.points.tolist(), words)
    ]
    return "\n".join([*notes, header, *rows]) + "\n"


def read_libsvm(text: str, source: str = "") -> PointSet:
    """Read lines ``label 1:x 2:y``; a feature that is not there is 0, # starts a comment.

    The two labels in order of value are -1 and +1; a single one is +1 if it is above 0.

    Raises
    ------
    BadInput
        If a line cannot be read, a feature is beyond 2 or there are more than two labels.
    """
    points, words = [], []
    for line, content in data_lines(text)[0]:
        tokens = content.partition("#")[0].split()
        if not tokens:
            continue
        where = at(source, line)
        if _finite(tokens[0]) is None:
            raise _not_finite(tokens[0], f"{where}, label")
        words.append(tokens[0])
        points.append(_features(tokens[1:], where))
    if not points:
        raise BadInput(f"{named(source)}there are no points.")
    names = spell_labels(words)
    values = sort_labels(names.values())
    if len(values) > 2:
        raise BadInput(
            f"{named(source)}there are {len(values)} labels, not two: {listing(values)}."
        )
    pair = class_pair(values)
    signs = [1 if names[word] == pair[1] else -1 for word in words]
    return PointSet(np.array(points), np.array(signs), pair)


def write_libsvm(pointset: PointSet) -> str:
    """Write lines ``+1 1:x 2:y``, to the last bit; the format has no room for names."""
    return "".join(
        f"{'+1' if sign > 0 else '-1'} 1:{first!r} 2:{second!r}\n"
        for (first, second), sign in zip(pointset.points.tolist(), pointset.labels.tolist())
    )


def parse_points(
    text: str,
    *,
    labels: str | None = None,
    x: str | None = None,
    y: str | None = None,
    classes: Sequence[str] | None = None,
    source: str = "",
) -> PointSet:
    """Read pasted text or a file of unknown format: LIBSVM if it looks like it, else as CSV.

    Parameters, result and errors are those of :func:`read_csv`; LIBSVM lines need no choice.
    """
    for _, content in data_lines(text)[0]:
        # In LIBSVM, a label alone is a point at the origin.
        if not is_number(content.strip()):
            if _LIBSVM_LINE.match(content):
                return read_libsvm(text, source)
            break
    return read_csv(text, labels=labels, x=x, y=y, classes=classes, source=source)


def pretty(name: str) -> str:
    """Name of a column for people: ``bill_depth_mm`` is "bill depth (mm)"."""
    words = [word for word in name.split("_") if word]
    if len(words) > 1 and words[-1] in UNITS:
        words[-1] = f"({words[-1]})"
    return " ".join(words) or name


def _natural_pair(words: Sequence[str]) -> tuple[str, str] | None:
    """Class names as the reader would guess them from the labels."""
    values = sort_labels(spell_labels(words).values())
    return class_pair(values) if values else None


def coordinate(table: Table, row: int, column: int) -> float:
    """The number in a cell; raises :class:`BadInput` with its place if there is none."""
    cell = table.cells[column][row]
    value = _finite(cell)
    if value is None:
        raise _not_finite(cell, table.where(row, column))
    return value


def _features(tokens: list[str], where: str) -> list[float]:
    """Coordinates from ``index:value`` tokens, length 2."""
    point: dict[int, float] = {}
    for token in tokens:
        match = _FEATURE.fullmatch(token)
        if not match:
            raise BadInput(f'{where}: "{shorten(token)}" is not of the form index:value.')
        index, value = int(match[1]), _finite(match[2])
        if index not in (1, 2):
            raise BadInput(f"{where}: feature {index}, but only 1 and 2 fit into the plane.")
        if index in point:
            raise BadInput(f"{where}: feature {index} is there twice.")
        if value is None:
            raise _not_finite(match[2], f"{where}, feature {index}")
        point[index] = value
    return [point.get(1, 0.0), point.get(2, 0.0)]


def _finite(cell: str) -> float | None:
    value = to_number(cell)
    return value if value is not None and math.isfinite(value) else None


def _not_finite(cell: str, where: str) -> BadInput:
    if is_missing(cell):
        return BadInput(f"{where}: the value is missing.")
    kind = "finite number" if is_number(cell) else "number"
    hint = " (decimals need a point)" if "," in cell else ""
    return BadInput(f'{where}: "{shorten(cell)}" is not a {kind}{hint}.')

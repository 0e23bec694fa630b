"""Words or a Gram matrix with labels, as a table of text.

* Words: two columns, the words and their labels.
* A Gram matrix: n rows of n numbers and a label, in the first or the last column. The header, if
  there is one, names the items; so does a column before the matrix and the labels.

A table of n + 1 columns and n >= 3 rows is a Gram matrix if half of its pairs of numbers are
symmetric. After a comment line ``# kernel matrix`` any table is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from solvers.data.cells import is_missing, is_number, quote_cell
from solvers.data.columns import (
    LABEL_NAMES,
    choose_classes,
    find_column,
)
from solvers.data.coordinates import coordinate_error
from solvers.data.datasets import MAX_CLASSES, PointSet, labels_of
from solvers.data.items import MAX_ASYMMETRY, MAX_ITEMS, Items, matrix_items, words_of
from solvers.data.lines import file_prefix
from solvers.data.tables import Table
from solvers.errors import BadInput

# Names of a column of words, in lower case.
WORD_NAMES = ("word", "words", "string", "text")
# The comment line before a Gram matrix, and its key among the notes of a table.
MATRIX_NOTE = "kernel matrix"
# Minimum number of rows of a table that is taken for a Gram matrix without the comment line, and
# minimum fraction of its pairs of numbers that are equal.
MIN_ROWS, MIN_SYMMETRIC = 3, 0.5


def items_of_table(
    table: Table, labels: str | None = None, classes: Sequence[str] | None = None
) -> tuple[PointSet, np.ndarray] | None:
    """Return items with their labels, and the row of each; None if the table has points.

    ``labels`` and ``classes`` are those of :func:`solvers.data.point_files.parse_points`.

    Raises
    ------
    BadInput
        If the table has words or a matrix that cannot be used; the message is one sentence.
    """
    chosen = find_column(table, labels or table.notes.get("label column"))
    if len(table.names) == len(table) + 2 > 3 and chosen != 0:
        inner = _without_row_names(table)
        label = None if chosen is None else table.names[chosen]
        found = items_of_table(inner, label, classes) if inner is not None else None
        if found is not None:
            return found
    if MATRIX_NOTE in table.notes:
        return _matrix(table, chosen, classes)
    word = _word_column(table, chosen)
    if word is not None:
        return _words(table, word, classes)
    # A table with a column that only counts the rows is not taken for a matrix.
    if len(table.names) == len(table) + 1 and len(table) >= MIN_ROWS and not table.index_width:
        label = _label_of_matrix(table, chosen)
        if label is not None and _share_symmetric(_numbers(table, label)) >= MIN_SYMMETRIC:
            return _matrix(table, label, classes)
    return None


def lacks_labels(table: Table) -> bool:
    """Return whether a table is a symmetric matrix, perhaps with names of rows, without labels."""
    inner = table
    if len(table.names) == len(table) + 1:
        inner = _without_row_names(table) or table
    is_square = len(inner.names) == len(inner) >= MIN_ROWS
    return is_square and _share_symmetric(_numbers(inner, None)) == 1.0


def write_items(pointset: PointSet) -> str:
    """Write items as text from which :func:`items_of_table` returns equal items."""
    items = pointset.items
    assert items is not None
    label = next(name for name in LABEL_NAMES if name not in pointset.class_names)
    quoted = [quote_cell(name, spaces=False) for name in pointset.class_names]
    words = [quoted[k] for k in pointset.classes.tolist()]
    lines = class_notes(pointset)
    names = [quote_cell(name, spaces=False) for name in items.names]
    if items.K is None:
        rows = [f"{name},{word}" for name, word in zip(names, words, strict=True)]
        return "\n".join([*lines, f"word,{label}", *rows]) + "\n"
    rows = [
        ",".join([*map(repr, row), word]) for row, word in zip(items.K.tolist(), words, strict=True)
    ]
    # An empty name is read as the number of its row.
    own = ["" if name == str(row) else name for row, name in enumerate(items.names, start=1)]
    is_named = any(own) and not any(is_number(name) or (name and is_missing(name)) for name in own)
    cells = [quote_cell(name, spaces=False) for name in own]
    header = [",".join([*cells, label])] if is_named else []
    return "\n".join([f"# {MATRIX_NOTE}", *lines, *header, *rows]) + "\n"


def class_notes(pointset: PointSet) -> list[str]:
    """Return the comment lines that name the classes."""
    names = pointset.class_names
    keys = [f"class {number}" for number in range(1, len(names) + 1)]
    if pointset.has_two_classes:
        keys = ["negative class", "positive class"]
    return [f"# {key}: {name}" for key, name in zip(keys, names, strict=True)]


# Words.


def _word_column(table: Table, chosen: int | None) -> int | None:
    """Return the index of the column of words; None if the table has none."""
    if len(table.names) != 2:
        return None
    names = [name.casefold() for name in table.names]
    for k, name in enumerate(names):
        if name in WORD_NAMES and k != chosen:
            return k
    label = chosen
    if label is None:
        label = next((k for k, name in enumerate(names) if name in LABEL_NAMES), 1)
    return 1 - label if table.kinds[1 - label] == "text" else None


def _words(table: Table, column: int, classes: Sequence[str] | None) -> tuple[PointSet, np.ndarray]:
    table = _with_first_row(table, 1 - column)
    rows, row_classes, names = _labels(table, 1 - column, classes)
    cells = table.columns[column]
    items = words_of([cells[row] for row in rows.tolist()], table.source)
    return _points(items, row_classes, names), rows


def _with_first_row(table: Table, label: int) -> Table:
    """Return the table with its header as a row, if the header is a word with its label."""
    names, cells = table.header, table.columns[label]
    is_row = (
        table.has_header
        and names[label] in set(cells)
        and (names[1 - label].casefold() not in WORD_NAMES)
    )
    if not is_row:
        return table
    columns = [[name, *column] for name, column in zip(names, table.columns, strict=True)]
    lines = [table.lines[0] - 1, *table.lines]
    return replace(
        table, names=("1", "2"), lines=lines, has_header=False, columns=columns, header=()
    )


# A Gram matrix.


def _matrix(
    table: Table, chosen: int | None, classes: Sequence[str] | None
) -> tuple[PointSet, np.ndarray]:
    label = chosen if chosen is not None else _label_of_matrix(table, None)
    if label is None:
        raise BadInput(
            f"{file_prefix(table.source)}the labels of a kernel matrix must be in the first or the "
            f"last column, with at most {MAX_CLASSES} different ones."
        )
    if len(table) > MAX_ITEMS:
        raise BadInput(
            f"{file_prefix(table.source)}the kernel matrix has {len(table):,} rows; at most "
            f"{MAX_ITEMS} are possible."
        )
    K = _numbers(table, label)
    columns = [k for k in range(len(table.names)) if k != label]
    for row, k in np.argwhere(~np.isfinite(K)).tolist():
        cell = table.columns[columns[k]][row]
        raise coordinate_error(cell, table.cell_prefix(row, columns[k]))
    names = [table.names[k] for k in columns] if table.has_header else []
    rows, row_classes, class_names = _labels(table, label, classes)
    items = matrix_items(K, names, table.source)
    items = items.at(rows) if len(rows) < len(items) else items
    return _points(items, row_classes, class_names), rows


def _without_row_names(table: Table) -> Table | None:
    """Return a table of n + 2 columns without the first one; None if that does not name the rows.

    Its columns are named after the rows. If the header has the names of the rows in another order,
    the columns get the order of the rows.
    """
    row_names, others = table.columns[0], list(range(1, len(table.names)))
    is_whole = all(cell.isdigit() for cell in row_names)
    if len(set(row_names)) < len(row_names):
        return None
    if not is_whole and any(is_number(cell) or is_missing(cell) for cell in row_names):
        return None
    names = list(table.names)
    if table.has_header and set(row_names) <= set(names[1:]):
        entries = iter([names.index(name, 1) for name in row_names])
        others = [next(entries) if names[k] in row_names else k for k in others]
    elif not is_whole:
        label = next((k for k in (others[-1], 1) if table.kinds[k] == "text"), others[-1])
        numeric = [k for k in others if k != label]
        for k, name in zip(numeric, row_names):
            names[k] = name
    return replace(
        table,
        names=tuple(names[k] for k in others),
        kinds=tuple(table.kinds[k] for k in others),
        columns=[table.columns[k] for k in others],
        has_header=table.has_header or not is_whole,
        index_width=0,
    )


def _label_of_matrix(table: Table, chosen: int | None) -> int | None:
    """Return the index of the column of labels; None if neither the first nor the last has any."""
    ends = len(table.names) - 1, 0
    if chosen is not None:
        return chosen
    for k in ends:
        if table.kinds[k] == "text" or table.names[k].casefold() in LABEL_NAMES:
            return k
    n_values = {k: len(set(table.columns[k])) for k in ends}
    # Without a header, a column of the matrix may also have only few different cells. The labels
    # are the column without which the matrix is symmetric.
    few = [k for k in ends if n_values[k] <= MAX_CLASSES]
    fitting = [k for k in few if _share_symmetric(_numbers(table, k)) == 1.0]
    return next((k for k in (*fitting, *few) if k in fitting or n_values[k] <= 2), None)


def _numbers(table: Table, label: int | None) -> np.ndarray:
    """Return the numbers of all columns but that of the labels; NaN for other cells."""
    columns = [k for k in range(len(table.names)) if k != label]
    return table.values(columns).reshape(len(table), len(columns))


def _share_symmetric(K: np.ndarray) -> float:
    """Return the fraction of pairs of entries that are equal up to rounding; 0 if not square."""
    if K.shape[0] != K.shape[1] or len(K) > MAX_ITEMS:
        return 0.0
    first, second = np.triu_indices(len(K), 1)
    with np.errstate(invalid="ignore"):
        limit = MAX_ASYMMETRY * np.nanmax(np.abs(K), initial=0.0)
        equal = np.abs(K[first, second] - K[second, first]) <= limit
    return float(equal.mean()) if len(equal) else 1.0


# Labels.


def _labels(
    table: Table, label: int, classes: Sequence[str] | None
) -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:
    """Return the rows that are used, the index of the class of each, and the names of classes."""
    rows, row_classes, names = choose_classes(table, label, classes)
    if (row_classes < 0).any():
        row = int(rows[np.argmin(row_classes)])
        raise BadInput(f"{table.cell_prefix(row, label)}: the label is missing.")
    return rows, row_classes, names


def _points(items: Items, classes: np.ndarray, class_names: tuple[str, ...]) -> PointSet:
    """Return the items as points that have no place yet."""
    labels = labels_of(classes, len(class_names))
    return PointSet(np.zeros((len(items), 2)), labels, class_names, items=items)

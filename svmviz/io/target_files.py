"""Points of a regression as text: two columns of numbers, x and its target."""

from __future__ import annotations

import numpy as np

from solvers import BadInput
from solvers.data.cells import is_missing, is_number, quote_cell
from solvers.data.columns import listing
from solvers.data.datasets import PointSet
from solvers.data.lines import Report, no_report
from solvers.data.targets import TARGET_NAMES, read_targets


def parse_targets(
    text: str, source: str = "", report: Report = no_report, *, skip_missing: bool = False
) -> PointSet:
    """Read a table of two columns of numbers, x and its target.

    The target is the column called "target" or "y". If there is none, it is the second column.

    Raises
    ------
    MissingValues
        If a number is missing, unless ``skip_missing``.
    BadInput
        If the number of columns of numbers is not two, or the text is no table.
    """
    table = read_targets(text, source=source, report=report, skip_missing=skip_missing)
    if table.X.shape[1] > 1:
        prefix = f"{source}: " if source else ""
        raise BadInput(
            f"{prefix}a regression in the plane needs two columns of numbers, x and y; "
            f"the columns are {listing([*table.names, table.target])}."
        )
    points = np.column_stack([table.X[:, 0], table.y])
    return PointSet(points, np.ones(len(points)), axis_names=(table.names[0], table.target))


def write_targets(data: PointSet) -> str:
    """Return the points as CSV, from which :func:`parse_targets` reads an equal set of points.

    There must be at least one point. A comment line names the target column if the reader would
    otherwise take the other column as the target, or take the header for a row of numbers.
    """
    first, target = data.axis_names
    lines = []
    if any(is_number(name) or is_missing(name) for name in (first, target)) or (
        first.casefold() in TARGET_NAMES
    ):
        lines.append(f"# label column: {target}")
    # A name with spaces is quoted, since it could be read as several columns.
    lines.append(f"{quote_cell(first, spaces=False)},{quote_cell(target, spaces=False)}")
    lines += [f"{x!r},{y!r}" for x, y in data.points.tolist()]
    return "\n".join(lines) + "\n"

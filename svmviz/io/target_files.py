"""Points of a regression as text: two columns of numbers, x and its target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from solvers import BadInput
from solvers.cancelling import Report, no_report
from solvers.data.cells import is_missing, is_number, quote_cell
from solvers.data.columns import listing
from solvers.data.datasets import PointSet
from solvers.data.lines import file_prefix
from solvers.data.point_files import OnRows, ignore
from solvers.data.targets import TARGET_NAMES, read_targets
from solvers.errors import shorten


@dataclass(frozen=True, eq=False)
class TargetSet(PointSet):
    """Points (x, y) of a regression: the second coordinate is the target."""


def parse_targets(
    text: str,
    source: str = "",
    report: Report = no_report,
    *,
    labels: str | None = None,
    on_rows: OnRows = ignore,
    **options: Any,
) -> TargetSet:
    """Read a table of two columns of numbers, x and its target.

    The target is the column ``labels``. By default, it is the column named "target" or "y"; if
    there is none, the last column. If ``x`` is given, there may be more columns of numbers. It is
    one of the ``options`` of :func:`solvers.data.targets.read_targets`.

    Raises
    ------
    MissingValues
        If a number is missing, unless ``skip_missing``.
    BadInput
        If the number of columns of numbers is not two, or the text is no table.
    """
    table = read_targets(text, target=labels, source=source, report=report, **options)
    if table.X.shape[1] > 1:
        raise BadInput(
            f"{file_prefix(source)}a regression in the plane needs two columns of numbers, x and "
            f"y; the columns are {listing([*table.names, table.target])}."
        )
    on_rows(table.rows)
    points = np.column_stack([table.X[:, 0], table.y])
    return TargetSet(points, np.ones(len(points)), axis_names=(table.names[0], table.target))


def read_as(points: PointSet) -> str:
    """Return the sentence on the task for which a table was read without a question."""
    if isinstance(points, TargetSet):
        x, y = map(shorten, points.axis_names)
        return f"Two columns of numbers are read as a regression: {y} from {x}."
    if not points.has_two_classes:
        return f"Labels are read as {len(points.class_names)} classes."
    negative, positive = map(shorten, points.class_names)
    return f"Labels are read as a classification: {negative} is −1, {positive} is +1."


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

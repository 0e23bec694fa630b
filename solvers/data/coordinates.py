"""The check of coordinates: each must be finite and at most 1e100 in size.

:class:`solvers.data.datasets.PointSet` and :class:`solvers.problem.problem.Problem` make this
check. So all points are checked, whether typed, pasted, opened, generated or given by a script.
"""

from __future__ import annotations

import numpy as np

from solvers.data.cells import is_missing_number, to_number, with_decimal_point
from solvers.errors import BadInput, quote

# Maximum size of a coordinate. With this limit, squares of coordinates, their sums and all products
# in a run are finite.
MAX_COORDINATE = 1e100
# If the extent of points is at most this, it counts as 0, because it is too small for a divisor.
MIN_SPREAD = 1.0 / MAX_COORDINATE


def refuse_coordinates(X: np.ndarray) -> None:
    """Refuse points (n, d) if a coordinate is not finite or too large.

    Raises
    ------
    BadInput
        If there is such a point; the message contains the number of the first one.
    """
    # The sum of squares is compared first, because it is faster to compute. If it is
    # too large or overflows, the coordinates are compared.
    if np.vdot(X, X) <= MAX_COORDINATE**2 or np.abs(X).max(initial=0.0) <= MAX_COORDINATE:
        return
    row, column = np.argwhere(~(np.abs(X) <= MAX_COORDINATE))[0]
    value = float(X[row, column])
    if not np.isfinite(value):
        raise BadInput(f"Point {row + 1} has a coordinate that is not finite.")
    raise BadInput(
        f"Point {row + 1} has a coordinate beyond {MAX_COORDINATE:g}, "
        f"too large to compute with: {value:.6g}."
    )


def coordinate(cell: str) -> float | None:
    """Return the number in a cell; None if the cell is no number, or if the number is too large."""
    value = to_number(cell)
    return value if value is not None and abs(value) <= MAX_COORDINATE else None


def coordinate_error(cell: str, position: str) -> BadInput:
    """Return the error for a cell that is no coordinate; ``position`` names its line and column."""
    if is_missing_number(cell):
        return BadInput(f"{position}: the value is missing.")
    value = to_number(cell)
    if value is None:
        is_decimal = with_decimal_point(cell) != cell
        hint = " (decimals need a point)" if is_decimal else ""
        return BadInput(f"{position}: {quote(cell)} is not a number{hint}.")
    if cell.lower().lstrip("+-\N{MINUS SIGN}").startswith("inf"):
        return BadInput(f"{position}: {quote(cell)} is not a finite number.")
    return BadInput(f"{position}: {quote(cell)} is beyond {MAX_COORDINATE:g}, too large to use.")

"""Which coordinates can be computed with: the one place that refuses others.

Points that are typed, pasted, opened, generated or given by a script all pass through here, as
:class:`solvers.data.datasets.PointSet` or :class:`solvers.problem.problem.Problem`.
"""

from __future__ import annotations

import numpy as np

from solvers.data.cells import is_missing, to_number
from solvers.errors import BadInput, quote

# Squares of these, their sums, and the products that a run makes of them are finite.
LARGEST_COORDINATE = 1e100
# Points closer together than this are one point to whatever divides by their spread.
SMALLEST_SPREAD = 1.0 / LARGEST_COORDINATE


def refuse_coordinates(X: np.ndarray) -> None:
    """Refuse points (n, d) of which a coordinate is not finite, or too large to compute with.

    Raises
    ------
    BadInput
        With the number of the first point that has one.
    """
    # The sum of squares answers for all at once; where it overflows, the largest of them does.
    if np.vdot(X, X) <= LARGEST_COORDINATE**2 or np.abs(X).max(initial=0.0) <= LARGEST_COORDINATE:
        return
    row, column = np.argwhere(~(np.abs(X) <= LARGEST_COORDINATE))[0]
    value = float(X[row, column])
    if not np.isfinite(value):
        raise BadInput(f"Point {row + 1} has a coordinate that is not finite.")
    raise BadInput(
        f"Point {row + 1} has a coordinate beyond {LARGEST_COORDINATE:g}, "
        f"too large to compute with: {value:.6g}."
    )


def coordinate(cell: str) -> float | None:
    """The number in a cell; None if there is none that can be computed with."""
    value = to_number(cell)
    return value if value is not None and abs(value) <= LARGEST_COORDINATE else None


def refusal(cell: str, where: str) -> BadInput:
    """Why a cell at some place holds no coordinate."""
    if is_missing(cell):
        return BadInput(f"{where}: the value is missing.")
    value = to_number(cell)
    if value is None:
        hint = " (decimals need a point)" if "," in cell else ""
        return BadInput(f"{where}: {quote(cell)} is not a number{hint}.")
    if cell.lower().lstrip("+-\N{MINUS SIGN}").startswith("inf"):
        return BadInput(f"{where}: {quote(cell)} is not a finite number.")
    return BadInput(f"{where}: {quote(cell)} is beyond {LARGEST_COORDINATE:g}, too large to use.")

"""The points that are held out: the validation part and the test part of a split."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from solvers import BadInput
from solvers.data.datasets import PointSet

# Numbers of the parts, which are also the indices of their names in PARTS.
TRAINING, VALIDATION, TEST = 0, 1, 2
PARTS = ("training", "validation", "test")


@dataclass(frozen=True)
class Shares:
    """Fractions and seed with which points are divided into parts at random.

    Attributes
    ----------
    validation, test : float
        Fractions of all points, from 0 to below 1. With 0 there is no such part.
    seed : int
    stratified : bool
        Whether the classes have the same proportions in each part as in all points.
    """

    validation: float = 0.0
    test: float = 0.2
    seed: int = 0
    stratified: bool = True

    def __post_init__(self) -> None:
        for part, share in (("validation", self.validation), ("test", self.test)):
            if not 0.0 <= share < 1.0:
                raise BadInput(f"The {part} part must be from 0 to below 1: got {share:g}.")
        if self.seed < 0:
            raise BadInput(f"The seed must not be negative: got {self.seed}.")


@dataclass(frozen=True)
class HeldOut:
    """Validation and test points, which no method trains on. The document has the training points.

    Attributes
    ----------
    validation, test : PointSet
    rows : (tuple of int, tuple of int)
        Indices of the validation points, and of the test points, among all points
        (``Document.all_points``), which include the training points. So all points keep their
        order if the split is removed. Both tuples ascend.
    shares : Shares
        The fractions and the seed with which the split was drawn.
    seen : bool
        Whether the test part was shown. Then its error is a biased estimate for every model that
        was chosen afterwards.
    used : bool
        Whether an earlier model of the document was trained on a test point, chosen by it or shown
        with it. Then the error is a biased estimate for every model.
    at_opening : float or None
        The test error when the test part was first shown. None if it was not shown yet, or if
        its points were used or shown before this split was made.
    tuned : float or None
        The error on the test part that fresh test points have replaced. The model may have been
        tuned on that part, so the two errors are compared. None if the test points are not fresh.
    """

    validation: PointSet
    test: PointSet
    rows: tuple[tuple[int, ...], tuple[int, ...]]
    shares: Shares = Shares()
    seen: bool = False
    used: bool = False
    at_opening: float | None = None
    tuned: float | None = None

    def __post_init__(self) -> None:
        for part, rows in zip((self.validation, self.test), self.rows, strict=True):
            if len(part) != len(rows):
                raise BadInput(f"{len(rows)} indices were given for {len(part)} held-out points.")
        rows = self._all_rows
        if (rows < 0).any() or len(np.unique(rows)) < len(rows):
            raise BadInput("The indices of held-out points must be different and not negative.")

    @classmethod
    def empty(cls, names: PointSet, **values: Any) -> HeldOut:
        """Return an object without points, with the names of classes and axes of ``names``."""
        no_points = names.at(np.zeros(len(names), dtype=bool))
        return cls(no_points, no_points, ((), ()), **values)

    @property
    def n(self) -> int:
        """Number of held-out points."""
        return len(self.validation) + len(self.test)

    @property
    def _all_rows(self) -> np.ndarray:
        return np.array([*self.rows[0], *self.rows[1]], dtype=np.int64)

    def parts(self, n_training: int) -> np.ndarray:
        """Return the part of every point, TRAINING, VALIDATION or TEST, shape (n_all,).

        ``n_training`` is the number of training points. If training points were removed, the
        largest ``rows`` may exceed the last index. These rows then become the last indices.
        """
        rows = self._all_rows
        part_of_row = np.repeat([VALIDATION, TEST], [len(part) for part in self.rows])
        ascending = np.argsort(rows, kind="stable")
        clipped = np.minimum(rows[ascending], n_training + np.arange(self.n))
        parts = np.zeros(n_training + self.n, dtype=np.int8)
        parts[clipped] = part_of_row[ascending]
        return parts

    def renumbered(self, n_training: int) -> HeldOut:
        """Return an object whose ``rows`` are below the number of all points; see ``parts``."""
        if max((rows[-1] for rows in self.rows if rows), default=-1) < n_training + self.n:
            return self
        return replace(self, rows=rows_of(self.parts(n_training)))


def rows_of(parts: np.ndarray) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the indices of validation points and of test points, from the part of each point."""
    validation, test = (np.flatnonzero(parts == part).tolist() for part in (VALIDATION, TEST))
    return tuple(validation), tuple(test)

"""The points that are held out of the training part, and how they were chosen at random."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from solvers import BadInput
from solvers.data.datasets import DATASETS, PointSet
from solvers.data.regression_datasets import CURVES
from solvers.errors import shown

TRAINING, VALIDATION, TEST = 0, 1, 2
PARTS = ("training", "validation", "test")
ALL_SETS = DATASETS | CURVES


@dataclass(frozen=True)
class Shares:
    """How points are divided at random into parts.

    Attributes
    ----------
    validation, test : float
        Fractions of all points, 0 to below 1; with 0 there is no such part.
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
class Source:
    """The generator of the points, which can generate fresh ones.

    Attributes
    ----------
    name : str
        A data set of ``svmviz list datasets``.
    noise : float
    seed : int
        The seed used last.
    """

    name: str
    noise: float
    seed: int

    def __post_init__(self) -> None:
        if self.name not in ALL_SETS:
            raise BadInput(f"There is no data set {shown(self.name)}.")
        ALL_SETS[self.name].generate(2, self.noise, self.seed)

    @property
    def title(self) -> str:
        """The name of the data set in menus."""
        return ALL_SETS[self.name].title

    @property
    def is_random(self) -> bool:
        """Whether another seed gives other points of the same distribution."""
        return ALL_SETS[self.name].fresh_by_seed

    def after(self) -> Source:
        """Return the source with the next seed, which was not used yet."""
        return replace(self, seed=self.seed + 1)

    def draw(self, n: int) -> PointSet:
        """Return n points."""
        return ALL_SETS[self.name].generate(n, self.noise, self.seed)


@dataclass(frozen=True)
class HeldOut:
    """Validation and test points. Methods do not use them; the training part is in the document.

    Attributes
    ----------
    validation, test : PointSet
    rows : (tuple of int, tuple of int)
        Indices of the validation points, and of the test points, among all points, ascending.
    shares : Shares
    source : Source or None
        None if the points are not from a generator.
    seen : bool
        Whether the test part was shown, so that its error is a biased estimate for a model that was
        chosen afterwards.
    at_opening : float or None
        The test error when the test part was first shown; None before, or if it is not known.
    tuned : float or None
        The error on the test part that these fresh points replaced; None if there was none.
    """

    validation: PointSet
    test: PointSet
    rows: tuple[tuple[int, ...], tuple[int, ...]]
    shares: Shares = Shares()
    source: Source | None = None
    seen: bool = False
    at_opening: float | None = None
    tuned: float | None = None

    def __post_init__(self) -> None:
        for part, rows in zip((self.validation, self.test), self.rows, strict=True):
            if len(part) != len(rows):
                raise BadInput(f"{len(rows)} places were given for {len(part)} points.")
        every = self._places
        if (every < 0).any() or len(np.unique(every)) < len(every):
            raise BadInput("The places of held-out points must be different and not negative.")

    @classmethod
    def empty(cls, names: PointSet, **values: Any) -> HeldOut:
        """Return an object without points, with the names of a set of points."""
        none = replace(names, points=np.zeros((0, 2)), labels=np.zeros(0, dtype=np.int8))
        return cls(none, none, ((), ()), **values)

    @property
    def n(self) -> int:
        """Number of held-out points."""
        return len(self.validation) + len(self.test)

    @property
    def visible_points(self) -> np.ndarray:
        """The points in the plane: validation, then a test part that was seen; shape (m, 2)."""
        test = self.test.points if self.seen else np.zeros((0, 2))
        return np.vstack([self.validation.points, test])

    @property
    def _places(self) -> np.ndarray:
        return np.array([*self.rows[0], *self.rows[1]], dtype=np.int64)

    def parts(self, n_training: int) -> np.ndarray:
        """Return the part of each of all points: TRAINING, VALIDATION or TEST.

        Indices that are too large, because training points were removed, become those of the last
        points.
        """
        rows = self._places
        kinds = np.repeat([VALIDATION, TEST], [len(part) for part in self.rows])
        order = np.argsort(rows, kind="stable")
        places = np.minimum(rows[order], n_training + np.arange(self.n))
        found = np.zeros(n_training + self.n, dtype=np.int8)
        found[places] = kinds[order]
        return found

    def placed(self, n_training: int) -> HeldOut:
        """Return an object whose indices are within all points."""
        if max((rows[-1] for rows in self.rows if rows), default=-1) < n_training + self.n:
            return self
        return replace(self, rows=rows_of(self.parts(n_training)))


def rows_of(parts: np.ndarray) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the places of validation and test points, from the part of each point."""
    validation, test = (np.flatnonzero(parts == part).tolist() for part in (VALIDATION, TEST))
    return tuple(validation), tuple(test)

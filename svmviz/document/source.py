"""The generator that the points of a document come from."""

from __future__ import annotations

from dataclasses import dataclass, replace

from solvers import BadInput
from solvers.data.datasets import DATASETS, PointSet
from solvers.data.regression_datasets import CURVES
from solvers.errors import short_repr

# Generators of points for classification and for regression, by name.
ALL_SETS = DATASETS | CURVES


@dataclass(frozen=True)
class Source:
    """The generator of the points.

    If ``is_random``, it can generate fresh points of the same distribution.

    Attributes
    ----------
    name : str
        A data set of ``svmviz list datasets``.
    noise : float
        The noise of the data set, in data units; what is noisy depends on the data set.
    seed : int
        The seed of the points generated last.
    """

    name: str
    noise: float
    seed: int

    def __post_init__(self) -> None:
        if self.name not in ALL_SETS:
            raise BadInput(f"There is no data set {short_repr(self.name)}.")
        # This raises BadInput if noise or seed is not allowed.
        ALL_SETS[self.name].generate(2, self.noise, self.seed)

    @property
    def title(self) -> str:
        """The name of the data set in menus."""
        return ALL_SETS[self.name].title

    @property
    def is_random(self) -> bool:
        """Whether each seed gives other points of the same distribution."""
        return ALL_SETS[self.name].fresh_by_seed

    def after(self) -> Source:
        """Return the source with the next seed."""
        return replace(self, seed=self.seed + 1)

    def draw(self, n: int) -> PointSet:
        """Return n points."""
        return ALL_SETS[self.name].generate(n, self.noise, self.seed)

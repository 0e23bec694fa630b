"""The generator that the points of a document come from."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

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
    classes : int
        The number of classes; 2 unless the data set can have more.
    """

    name: str
    noise: float
    seed: int
    classes: int = 2

    def __post_init__(self) -> None:
        if self.name not in ALL_SETS:
            raise BadInput(f"There is no data set {short_repr(self.name)}.")
        if self.classes != 2 and not ALL_SETS[self.name].has_many_classes:
            raise BadInput(f"The data set {self.name} has two classes.")
        # This raises BadInput if noise, seed or the number of classes is not allowed.
        self.draw(2)

    @property
    def title(self) -> str:
        """The name of the data set in menus."""
        title = ALL_SETS[self.name].title
        return title if self.classes == 2 else f"{self.classes} {title.removeprefix('Two ')}"

    @property
    def is_random(self) -> bool:
        """Whether each seed gives other points of the same distribution."""
        return ALL_SETS[self.name].fresh_by_seed

    def after(self) -> Source:
        """Return the source with the next seed."""
        return replace(self, seed=self.seed + 1)

    def draw(self, n: int) -> PointSet:
        """Return n points."""
        more = {} if self.classes == 2 else {"classes": self.classes}
        return ALL_SETS[self.name].generate(n, self.noise, self.seed, **more)

    def members(self) -> dict[str, Any]:
        """Return the attributes by name; without the number of classes if it is 2."""
        members = asdict(self)
        if self.classes == 2:
            del members["classes"]
        return members

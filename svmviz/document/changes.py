"""What a lane may have of its own besides its method: kernel, penalty and epsilon.

A lane is a set of changes to the document, which is seen from one of its lanes: its kernel, penalty
and epsilon are those of this lane. Without changes all lanes solve one problem, as in a race of
methods. An edit of what a lane has of its own changes that lane, any other edit all lanes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from solvers import BadInput, Kernel
from solvers.errors import short_repr


@dataclass(frozen=True)
class Penalty:
    """The penalty as C or as lambda = 1 / (C n), whichever was set last.

    The number that was set last is "pinned": it stays if points are added or removed, and the other
    one changes. For the hard margin, C is infinite and lambda is 0.

    Attributes
    ----------
    kind : str
        "C" or "lambda": the number that is pinned.
    value : float
        The pinned number.
    """

    kind: str = "C"
    value: float = 1.0

    def __post_init__(self) -> None:
        if self.kind not in ("C", "lambda"):
            raise BadInput(f"The penalty is given as C or lambda: got {short_repr(self.kind)}.")
        if self.kind == "C" and not self.value > 0:
            raise BadInput(f"C must be above 0: got {self.value:g}.")
        if self.kind == "lambda" and not 0 <= self.value < math.inf:
            raise BadInput(f"lambda must be finite and at least 0: got {self.value:g}.")

    def C(self, n: int) -> float:
        """Return C for n points."""
        if self.kind == "C":
            return self.value
        return math.inf if self.value == 0 else 1.0 / (self.value * max(n, 1))

    def lam(self, n: int) -> float:
        """Return lambda for n points."""
        if self.kind == "lambda":
            return self.value
        return 0.0 if math.isinf(self.value) else 1.0 / (self.value * max(n, 1))


@dataclass(frozen=True)
class Changes:
    """What one lane has of its own; None for what is the same in all lanes.

    Attributes
    ----------
    kernel : Kernel or None
    penalty : Penalty or None
    epsilon : float or None
    """

    kernel: Kernel | None = None
    penalty: Penalty | None = None
    epsilon: float | None = None

    @property
    def own(self) -> dict[str, Any]:
        """The values that are not None, by the name of their field in the document."""
        return {name: value for name, value in vars(self).items() if value is not None}

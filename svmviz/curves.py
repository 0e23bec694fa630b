"""Primal, dual and gap over the steps of a run, sampled as finely as a screen can show.

Certificates are computed from ``(beta, b)`` of replayed steps, so the curve is as honest as the
badge. A short run is sampled at every step; a long one from coarse to fine, a little at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from solvers import Cursor, Run, certify
from solvers.expansion import freeze

# No chart is wider than this many pixels.
SAMPLES = 257
FIRST = 65


@dataclass(frozen=True, eq=False)
class Curve:
    """Objective values over steps; all arrays have shape (m,), steps ascend.

    Attributes
    ----------
    run : int
        Number of the run.
    steps, primal, dual : float64 arrays
        The dual is that of the repaired alpha where ``repaired``.
    repaired : bool
    complete : bool
        Whether nothing finer will come.
    """

    run: int
    steps: np.ndarray
    primal: np.ndarray
    dual: np.ndarray
    repaired: bool
    complete: bool

    @property
    def gap(self) -> np.ndarray:
        """The primal against the best dual value known up to each step, shape (m,)."""
        return self.primal - self.best_dual

    @property
    def best_dual(self) -> np.ndarray:
        """Largest dual value up to each step: a bound stays true once it is known."""
        return np.maximum.accumulate(self.dual)


class CurveMaker:
    """Samples one run; ``sample`` does one small piece of work and says whether there is more."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self._cursor = Cursor(run)
        self._found: dict[int, tuple[float, float]] = {}
        self._plan: Iterator[int] = iter(())
        self._planned = -1
        self._repaired = False
        self._complete = False

    def sample(self) -> bool:
        """Certify one more step; return False when there is nothing to do for now."""
        if self._complete:
            return False
        finished, length = self.run.finished, self.run.steps
        if length > 1.3 * self._planned or (finished and length != self._planned):
            self._planned = length
            self._plan = iter(_coarse_to_fine(length))
        for step in self._plan:
            if step not in self._found:
                self._certify(step)
                return True
        self._complete = finished and length == self._planned
        return False

    def _certify(self, step: int) -> None:
        certificate = certify(self.run.problem, self._cursor.seek(step, look=False).expansion)
        self._found[step] = (certificate.primal, certificate.dual)
        self._repaired |= certificate.repaired

    @property
    def complete(self) -> bool:
        """Whether the run has ended and nothing finer will come."""
        return self._complete

    @property
    def samples(self) -> int:
        """Number of steps certified so far."""
        return len(self._found)

    def curve(self) -> Curve:
        """What is known so far."""
        steps = np.array(sorted(self._found), dtype=np.float64)
        values = np.array([self._found[int(step)] for step in steps]).reshape(-1, 2)
        return Curve(
            run=self.run.number,
            steps=freeze(steps),
            primal=freeze(values[:, 0].copy()),
            dual=freeze(values[:, 1].copy()),
            repaired=self._repaired,
            complete=self._complete,
        )


def _coarse_to_fine(length: int) -> list[int]:
    """Steps from 0 to ``length``, the ends first, then ever finer in between."""
    count = min(length + 1, SAMPLES)
    # Evenly for a linear axis, and the first steps for a logarithmic one.
    evenly, first = np.linspace(0, length, count), np.geomspace(1, max(length, 1), FIRST)
    wanted = np.unique(np.rint(np.concatenate([evenly, first])).astype(int))
    wanted = wanted[wanted <= length]
    order: list[int] = []
    stride = 1 << max(0, int(len(wanted) - 1).bit_length())
    while stride >= 1:
        order.extend(wanted[::stride].tolist())
        order.append(int(wanted[-1]))
        stride //= 2
    return list(dict.fromkeys(order))

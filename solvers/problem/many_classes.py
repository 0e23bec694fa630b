"""A classification of several classes as one problem: the binary problems of its machines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from solvers.errors import BadInput
from solvers.kernels.kernel import Kernel
from solvers.kernels.standard import RBF
from solvers.problem.machines import Machine, decide
from solvers.problem.problem import Problem


@dataclass(frozen=True, eq=False)
class ManyClassProblem:
    """Points of several classes, and the machines that decide among the classes together.

    Parameters
    ----------
    X : array, shape (n, d)
    y : int array, shape (n,)
        Indices of classes.
    machines : sequence of Machine
        A machine without points on one of its sides takes no part.
    names : tuple of str
        Names of the classes.
    kernel, bias
        As in :class:`Problem`.
    C : float or tuple of float
        As in :class:`Problem`; a tuple has one C per machine.
    weights : array, shape (n,), optional
        As in :class:`Problem`.
    """

    task: ClassVar[str] = "classification"

    X: np.ndarray
    y: np.ndarray
    machines: Sequence[Machine]
    names: tuple[str, ...]
    kernel: Kernel = RBF()  # noqa: RUF009 - frozen
    C: float | tuple[float, ...] = 1.0
    bias: str = "free"
    weights: np.ndarray | None = None

    @property
    def n(self) -> int:
        """Return the number of points."""
        return len(self.X)

    def _present(self) -> list[int]:
        """Return the indices of the machines that take part.

        Raises
        ------
        BadInput
            If there are none.
        """
        classes = np.unique(self.y)
        sides = [set(machine.labels(classes).tolist()) for machine in self.machines]
        present = [index for index, side in enumerate(sides) if {-1, 1} <= side]
        if not present:
            raise BadInput("No machine has points on both of its sides, so nothing decides.")
        return present

    def binary_problems(self) -> list[tuple[np.ndarray, Problem]]:
        """Return for each machine that takes part the rows of its points, and its problem."""
        problems = []
        for index in self._present():
            labels = self.machines[index].labels(self.y)
            rows = np.flatnonzero(labels)
            C = self.C[index] if isinstance(self.C, tuple) else self.C
            model = self.kernel, C, self.bias
            weights = self.weights_of(rows)
            problems.append((rows, Problem(self.X[rows], labels[rows], *model, weights=weights)))
        return problems

    def weights_of(self, rows: np.ndarray) -> np.ndarray | None:
        """Return the weights of some points, or None."""
        return None if self.weights is None else self.weights[rows]

    def decide(self, values: Any) -> np.ndarray:
        """Return the index of the class of m places, shape (m,).

        ``values`` has an array of f at the places, shape (m,), for each machine that takes part.
        """
        machines = [self.machines[index] for index in self._present()]
        return decide(machines, np.column_stack(values)).classes


# What methods solve and models are chosen for.
AnyProblem = Problem | ManyClassProblem

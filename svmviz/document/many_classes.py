"""Points of more than two classes, and the machine through which a document looks at them.

A document always has one binary problem (:mod:`solvers.problem.machines`): its points are those of
the machine looked at, with the labels of its sides. The points of classes that the machine leaves
out are kept here, as held-out points are kept beside the training points.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from solvers import BadInput
from solvers.data.datasets import MAX_CLASSES, PointSet
from solvers.errors import short_repr
from solvers.problem.expansion import freeze
from solvers.problem.machines import ONE_AGAINST_ONE, Machine, machines_of, reduction_of
from svmviz.document.held_out import TEST, TRAINING, VALIDATION

# Maximum number of machines of a document: twice the pairs of the largest number of classes.
MAX_MACHINES = MAX_CLASSES * (MAX_CLASSES - 1)
# A mark is a number from which painters know what a point looks like. With two classes it is the
# label. With more, its sign is the side of the machine, and its size the class, from FIRST_MARK on;
# a point that the machine leaves out has a mark from LEFT_OUT_MARK on. Marks from OWN_MARK on have
# the colours of the classes, whatever the sides are.
FIRST_MARK, LEFT_OUT_MARK, OWN_MARK = 2, 16, 32
# Names of the classes of points that were placed by hand, once there is a third class.
DEFAULT_NAMES = tuple(str(number) for number in range(1, MAX_CLASSES + 1))


@dataclass(frozen=True, eq=False)
class ManyClasses:
    """All points of all classes, and the machines.

    Parameters
    ----------
    data : PointSet
        The points of all parts, of at least three classes.
    parts : int array, shape (n,)
        The part of each point, TRAINING, VALIDATION or TEST.
    machines : tuple of Machine
        The rows of the code matrix; one against one by default.
    shown : int
        Index of the machine looked at.
    """

    data: PointSet
    parts: np.ndarray
    machines: tuple[Machine, ...] = ()
    shown: int = 0

    def __post_init__(self) -> None:
        k = len(self.data.class_names)
        machines = self.machines or machines_of(ONE_AGAINST_ONE, k)
        if len(machines) > MAX_MACHINES or len(set(machines)) < len(machines):
            raise BadInput(f"There must be at most {MAX_MACHINES} machines, all different.")
        if any(len(machine.code) != k for machine in machines):
            raise BadInput(f"The code of each machine must have {k} numbers, one per class.")
        if not 0 <= self.shown < len(machines):
            raise BadInput(
                f"The machine looked at must be from 0 to {len(machines) - 1}: "
                f"got {short_repr(self.shown)}."
            )
        object.__setattr__(self, "machines", tuple(machines))
        object.__setattr__(self, "parts", freeze(np.array(self.parts, dtype=np.int8)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ManyClasses) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return self.data, self.parts.tobytes(), self.machines, self.shown

    @property
    def k(self) -> int:
        """Number of classes."""
        return len(self.data.class_names)

    @property
    def machine(self) -> Machine:
        """The machine looked at."""
        return self.machines[self.shown]

    @property
    def reduction(self) -> str | None:
        """The name of the reduction that has these machines; None for another code matrix."""
        return reduction_of(self.machines)

    @cached_property
    def labels(self) -> np.ndarray:
        """The label of each point for the machine looked at, shape (n,): 0 for one left out."""
        return freeze(self.machine.labels(self.data.classes))

    def rows(self, part: int) -> np.ndarray:
        """Return the indices of the points of a part that the machine sees, ascending."""
        return np.flatnonzero((self.parts == part) & (self.labels != 0))

    @cached_property
    def training(self) -> PointSet:
        """The points of the machine's training part, with its labels and the names of its sides."""
        return self.seen(TRAINING)

    def is_shown_as(self, data: PointSet) -> bool:
        """Return whether these are the training points; items may have any places."""
        training = self.training
        if data is training:
            return True
        names = data.class_names == training.class_names
        labels = data.labels.tobytes() == training.labels.tobytes()
        places = data.items is not None or data.points.tobytes() == training.points.tobytes()
        return names and labels and data.items == training.items and places

    def seen(self, part: int) -> PointSet:
        """Return the points of a part that the machine sees, with its labels and side names."""
        rows = self.rows(part)
        return replace(
            self.data.at(rows),
            labels=self.labels[rows],
            class_names=self.machine.side_names(self.data.class_names),
        )

    @cached_property
    def held_rows(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The indices of validation points, and of test points, that the machine sees."""
        validation, test = (self.rows(part).tolist() for part in (VALIDATION, TEST))
        return tuple(validation), tuple(test)

    def left_out(self, parts: Iterable[int]) -> np.ndarray:
        """Return the indices of the points of some parts that the machine does not see."""
        return np.flatnonzero(np.isin(self.parts, list(parts)) & (self.labels == 0))

    @property
    def sides(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The classes of the positive and of the negative side of the machine."""
        return self.machine.positive, self.machine.negative

    @property
    def mark_of_class(self) -> np.ndarray:
        """The mark of the points of each class, shape (k,)."""
        side, classes = np.array(self.machine.code), np.arange(self.k)
        return np.where(side == 0, LEFT_OUT_MARK + classes, side * (FIRST_MARK + classes))

    def looked_at(self, shown: int) -> ManyClasses:
        """Return the same points with another machine looked at."""
        return replace(self, shown=shown)

    def with_machines(self, machines: Iterable[Machine]) -> ManyClasses:
        """Return the same points with another code matrix; the machine stays if it is there."""
        machines = tuple(machines)
        return replace(
            self,
            machines=machines,
            shown=machines.index(self.machine) if self.machine in machines else 0,
        )

    def with_points(self, data: PointSet, parts: np.ndarray) -> ManyClasses:
        """Return other points with the same machines, as far as the classes are as many."""
        if len(data.class_names) == len(self.data.class_names):
            return replace(self, data=data, parts=parts)
        k = len(data.class_names)
        kept = self.reduction
        machines = machines_of(kept, k) if kept else ()
        shown = (*self.machine.code, 0)[:k]
        at = next((i for i, machine in enumerate(machines) if machine.code == shown), 0)
        return ManyClasses(data, parts, machines, at)


def with_class(data: PointSet) -> PointSet:
    """Return the points with one more class, which has no points yet.

    Of two classes the one with the label +1 becomes the first, so that the first machine, the first
    class against the second, is the problem that there was.

    Raises
    ------
    BadInput
        If there are as many classes as there may be.
    """
    names, classes = data.class_names, data.classes
    if data.has_two_classes:
        names, classes = names[::-1], 1 - classes
        if names == ("+1", "-1"):
            names = DEFAULT_NAMES[:2]
    if len(names) >= MAX_CLASSES:
        raise BadInput(f"There are {MAX_CLASSES} classes; there cannot be more.")
    new = next(name for name in (*DEFAULT_NAMES[len(names) :], *DEFAULT_NAMES) if name not in names)
    return replace(data, labels=classes, class_names=(*names, new))

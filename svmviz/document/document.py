"""The document: points and model, which the user edits and undo restores.

Each edit makes a new document.

Scaling of the axes is part of the document, because it is part of the problem. Solvers get scaled
coordinates, and the boundary changes if the factors of the two axes differ. The axes on screen
always show data units.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from solvers import RBF, SMO, BadInput, Given, Kernel, Method, Problem, Regression
from solvers.data.coordinates import MAX_COORDINATE, MIN_SPREAD
from solvers.data.datasets import PointSet
from solvers.errors import quote
from solvers.problem.regression import checked_epsilon
from svmviz.document.changes import Changes, Penalty
from svmviz.document.class_weights import ClassWeights, checked_weights, weight_per_class
from svmviz.document.held_out import TEST, TRAINING, VALIDATION, HeldOut
from svmviz.document.item_plane import kernel_for, placed, solver_rows
from svmviz.document.many_classes import ManyClasses, with_class
from svmviz.document.source import Source
from svmviz.document.user_line import UserLine

SCALINGS = {
    "none": "Distances in the units of the data, as they are",
    "common": "Both axes by one number (the same problem in other units)",
    "each": "Each axis by its own spread (another problem)",
}
TASKS = {
    "classification": "A boundary between two classes",
    "regression": "A curve f(x) along points (x, y)",
}


def no_points() -> PointSet:
    """Return an empty set with the default names."""
    return PointSet(np.zeros((0, 2)), np.zeros(0, dtype=np.int8))


@dataclass(frozen=True)
class Document:
    """The points and the model of a scene.

    Attributes
    ----------
    data : PointSet
        Points in data units with their labels, and the names of classes and axes. If points are
        held out, these are the training points. If there are more than two classes, they are
        the training points of one machine, with the labels and names of its sides.
    kernel : Kernel
    penalty : Penalty
    bias : str
        "free", "none" or "augmented"; see ``solvers.problem.problem.BIASES``.
    methods : tuple of Method
        One method per lane; several in a race.
    scaling : str
        A key of SCALINGS. In regression only x is scaled.
    task : str
        A key of TASKS. In regression the second coordinate is the target, and no point has a
        class: all labels are +1.
    epsilon : float
        Half the width of the tube in which no error counts, in units of y; used in regression.
    held_out : HeldOut or None
        Validation and test points; None without a split.
    source : Source or None
        The generator of the points; None if they come from a file, or the user changed them.
    user_line : UserLine or None
        A line that the user has laid through the plane; no run depends on it.
    many : ManyClasses or None
        All points of all classes, and the machine that is looked at; None with two classes. It
        is made if ``data`` has more than two classes, and dropped if ``data`` is replaced by points
        of two classes.
    changes : tuple of Changes
        What each lane has of its own besides its method; empty if all lanes solve one problem.
    lane : int
        The lane from which the document is seen (:meth:`seen_from`): ``kernel``, ``penalty`` and
        ``epsilon`` are those of this lane. 0 if there are no ``changes``.
    class_weights : tuple of float or str
        See :mod:`svmviz.document.class_weights`. They become () in a regression, and if the number
        of classes changes otherwise than by :meth:`with_another_class`.

    Points without coordinates (``data.items``) are classified, in no scaling, and none is held out.
    A kernel that cannot compare the points is replaced by the default of their kind.
    """

    data: PointSet = field(default_factory=no_points)
    kernel: Kernel = RBF()  # noqa: RUF009 - frozen
    penalty: Penalty = Penalty()  # noqa: RUF009 - frozen
    bias: str = "free"
    methods: tuple[Method, ...] = (SMO(),)
    scaling: str = "none"
    task: str = "classification"
    epsilon: float = 0.1
    held_out: HeldOut | None = None
    source: Source | None = None
    user_line: UserLine | None = None
    many: ManyClasses | None = None
    changes: tuple[Changes, ...] = ()
    lane: int = 0
    class_weights: ClassWeights = ()

    def __post_init__(self) -> None:
        checked_epsilon(self.epsilon)
        self._look_through_machine()
        kernel = kernel_for(self.data, self.kernel) or RBF()
        object.__setattr__(self, "kernel", kernel)
        if self.data.items is not None:
            without = {"scaling": "none", "task": "classification", "held_out": None}
            without |= {"source": None, "user_line": None, "data": placed(self.data, kernel)}
            for name, value in without.items():
                object.__setattr__(self, name, value)
        if self.is_regression and (self.data.labels < 0).any():
            data = replace(self.data, labels=np.ones(self.n))
            object.__setattr__(self, "data", data)
        if self.held_out is not None and self.many is None:
            object.__setattr__(self, "held_out", self.held_out.renumbered(self.n))
        if self.changes or self.lane:
            self._fit_changes()
        if self.class_weights:
            weights, k = self.class_weights, len(self.class_names)
            fits = isinstance(weights, str) or len(weights) == k
            weights = checked_weights(weights, k) if fits and not self.is_regression else ()
            object.__setattr__(self, "class_weights", weights)

    def _fit_changes(self) -> None:
        """Give each method changes of the same fields, or none if nothing is changed.

        Those of the lane from which the document is seen are taken from the document. Kernels of
        points without coordinates are not changed, since the places of the points depend on the
        kernel, and epsilon only in a regression.
        """
        count = len(self.methods)
        names = {name for each in self.changes for name in each.own if count > 1}
        names -= set() if self.has_coordinates else {"kernel"}
        names -= set() if self.is_regression else {"epsilon"}
        seen = Changes(**{name: getattr(self, name) for name in names})
        fitted = [
            Changes(**seen.own | {name: value for name, value in each.own.items() if name in names})
            for each in (*self.changes, *[seen] * count)[:count]
        ]
        lane = min(self.lane, count - 1) if names else 0
        fitted[lane] = seen
        object.__setattr__(self, "changes", tuple(fitted) if names else ())
        object.__setattr__(self, "lane", lane)

    def _look_through_machine(self) -> None:
        """Make ``data`` the points of the machine looked at, if there are more than two classes."""
        many, data = self.many, self.data
        if not data.has_two_classes:
            in_training = np.full(len(data), TRAINING)
            many = many.with_points(data, in_training) if many else ManyClasses(data, in_training)
            object.__setattr__(self, "data", many.training)
        elif many is not None and not many.is_shown_as(data):
            many = None
        object.__setattr__(self, "many", many)

    @property
    def is_regression(self) -> bool:
        """Whether targets are fitted, not classes separated."""
        return self.task == "regression"

    @property
    def has_coordinates(self) -> bool:
        """Whether the points have coordinates, so that f is a function on the plane."""
        return self.data.items is None

    @property
    def has_decision(self) -> bool:
        """Whether several machines together decide for a class at each place of the plane."""
        return self.many is not None and self.has_coordinates

    @property
    def parts_seen(self) -> tuple[int, ...]:
        """The parts that have points and may be seen: not a test part that is not opened yet."""
        has_seen = self.held_out is not None and self.held_out.seen
        return tuple(p for p in np.unique(self.parts).tolist() if p != TEST or has_seen)

    @property
    def solved_kernel(self) -> Kernel:
        """The kernel of the problem: for points without coordinates that of their Gram matrix."""
        return self.kernel if self.has_coordinates else Given()

    @property
    def n(self) -> int:
        """Number of points."""
        return len(self.data)

    @property
    def class_names(self) -> tuple[str, ...]:
        """Names of all classes."""
        return self.all_points.class_names

    @cached_property
    def classes(self) -> np.ndarray:
        """The index of each training point's class among all classes, shape (n,)."""
        if self.many is None:
            return self.data.classes
        return self.many.data.classes[self.many.rows(TRAINING)]

    @cached_property
    def left_out(self) -> PointSet:
        """The points that the machine leaves out, except a test part that is not opened yet."""
        if self.many is None or not self.has_coordinates:
            return self.data.at(np.zeros(self.n, dtype=bool))
        return self.many.data.at(self.left_out_rows)

    @cached_property
    def left_out_rows(self) -> np.ndarray:
        """The indices of :attr:`left_out` among all points, those of the training part first."""
        rows = self.many_classes.left_out(self.parts_seen)
        return rows[np.argsort(self.parts[rows], kind="stable")]

    @cached_property
    def editable(self) -> PointSet:
        """The points that can be edited one by one, with the labels of ``all_points``.

        They are the training points, and then those of the training part that the machine leaves
        out, in the plane.
        """
        return self.data if self.many is None else self.many.data.at(self.editable_rows)

    @cached_property
    def editable_rows(self) -> np.ndarray:
        """The indices of :attr:`editable` among all points."""
        return self._rows_of(TRAINING)

    @cached_property
    def held_out_rows(self) -> np.ndarray:
        """The indices of all validation points, then of all test points, among all points."""
        return np.concatenate([self._rows_of(part) for part in (VALIDATION, TEST)])

    def _rows_of(self, part: int) -> np.ndarray:
        """Return the indices of the points of a part; those that the machine leaves out are last.

        Without coordinates, the latter have no place in the plane, and are omitted.
        """
        if self.many is None:
            return np.flatnonzero(self.parts == part)
        left_out = self.many.left_out((part,) if self.has_coordinates else ())
        return np.concatenate([self.many.rows(part), left_out])

    @property
    def sides(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The classes of the machine's positive and negative side, by which they get colours."""
        return ((0,), (1,)) if self.many is None else self.many.sides

    @cached_property
    def marks(self) -> np.ndarray:
        """The mark of each training point (:mod:`svmviz.document.many_classes`), shape (n,)."""
        return self.data.labels if self.many is None else self.many.mark_of_class[self.classes]

    def held_out_marks(self, part: int) -> np.ndarray:
        """Return the marks of the points of a part that is held out."""
        assert self.held_out is not None
        if self.many is None:
            return (self.held_out.validation if part == VALIDATION else self.held_out.test).labels
        return self.many.mark_of_class[self.many.data.classes[self.many.rows(part)]]

    @property
    def parts(self) -> np.ndarray:
        """The part of each point, TRAINING, VALIDATION or TEST, in the order of ``all_points``."""
        if self.many is not None:
            return self.many.parts
        if self.held_out is None:
            return np.zeros(self.n, dtype=np.int8)
        return self.held_out.parts(self.n)

    @cached_property
    def all_points(self) -> PointSet:
        """All points, including those held out, in the order that ``HeldOut.rows`` numbers."""
        held_out, parts = self.held_out, self.parts
        if self.many is not None:
            return self.many.data
        if held_out is None:
            return self.data
        points, labels = np.empty((len(parts), 2)), np.empty(len(parts), dtype=np.int8)
        data_of_part = {TRAINING: self.data, VALIDATION: held_out.validation, TEST: held_out.test}
        for part, data in data_of_part.items():
            points[parts == part], labels[parts == part] = data.points, data.labels
        return replace(self.data, points=points, labels=labels)

    @cached_property
    def visible_points(self) -> np.ndarray:
        """All points except a test part that is not opened yet, in data units, shape (m, 2)."""
        if not self.has_coordinates:
            return self.data.points
        return self.all_points.points[np.isin(self.parts, self.parts_seen)]

    @property
    def held_points(self) -> np.ndarray | None:
        """Validation and then test points in solver units; None without a split.

        The shape is (m, 2) in classification, and (m, 1) in regression.
        """
        if self.held_out is None:
            return None
        points = np.vstack([self.held_out.validation.points, self.held_out.test.points])
        return (points / self.factors)[:, : 1 if self.is_regression else 2]

    @property
    def method(self) -> Method:
        """The method of the lane from which the document is seen, otherwise of the first one."""
        return self.methods[self.lane]

    @property
    def C(self) -> float:
        """The penalty as C."""
        return self.penalty.C(self.n)

    @property
    def lam(self) -> float:
        """The penalty as lambda."""
        return self.penalty.lam(self.n)

    @property
    def has_weights(self) -> bool:
        """Whether the points have more than one C; times any weight, an infinite C is infinite."""
        if not self.class_weights or math.isinf(self.C):
            return False
        return bool((self.weight_per_class != 1.0).any())

    @property
    def weight_per_class(self) -> np.ndarray:
        """The number by which C is multiplied for the points of each class, shape (k,)."""
        classes = self.classes
        if self.many is not None:
            classes = self.many.data.classes[self.parts == TRAINING]
        return weight_per_class(self.class_weights, classes, len(self.class_names))

    @property
    def factors(self) -> np.ndarray:
        """Divisors of both axes, shape (2,): solver units = data units / factors."""
        if self.scaling == "none" or self.n < 2:
            return np.ones(2)
        # One pair of factors for all machines, so that they share one plane.
        points = self.data.points
        if self.many is not None:
            points = self.many.data.points[self.parts == TRAINING]
        spread = points.std(axis=0)
        if self.scaling == "common":
            spread = np.full(2, math.sqrt(float((spread**2).mean())))
        if self.is_regression:
            spread[1] = 1.0
        return np.where(spread > MIN_SPREAD, spread, 1.0)

    @property
    def solver_points(self) -> np.ndarray:
        """The points of ``data`` in solver units; with more than two classes, all of ``many``.

        They are the rows of a Gram matrix if the points have no coordinates.
        """
        data = self.data if self.many is None else self.many.data
        if data.items is None:
            return data.points / self.factors
        return solver_rows(data.items, self.kernel)

    def problem(self) -> Problem:
        """Return the problem in solver units; raise BadInput if the document cannot be solved."""
        if self.is_regression:
            return Regression(
                self.data.points[:, :1] / self.factors[0],
                self.data.points[:, 1],
                kernel=self.kernel,
                C=self.C,
                bias=self.bias,
                epsilon=self.epsilon,
            )
        labels = self.data.labels
        if self.n and (labels == labels[0]).all():
            name = quote(self.data.class_names[int(labels[0] > 0)])
            raise BadInput(
                f"All points are of the class {name}: at least one of each class is needed."
            )
        weights = self.weight_per_class[self.classes] if self.has_weights else None
        return Problem(
            self.solver_points
            if self.many is None
            else self.solver_points[self.many.rows(TRAINING)],
            self.data.labels.astype(np.float64),
            kernel=self.solved_kernel,
            C=self.C,
            bias=self.bias,
            # Points of one C take the steps of a problem without weights.
            weights=None if weights is None or (weights == 1.0).all() else weights,
        )

    def has_runs_of(self, other: Document) -> bool:
        """Return whether this document and the other one have the same runs.

        These depend neither on the user's line nor on the names of the classes.
        """
        if (
            len(other.class_names) == len(self.class_names)
            and other.class_names != self.class_names
        ):
            other = other.with_class_names(self.class_names)
        return self == replace(other.seen_from(self.lane), user_line=self.user_line)

    # Lanes.

    def seen_from(self, lane: int) -> Document:
        """Return the same document, seen from another lane; itself if all lanes have one problem.

        Documents that differ in this alone return each other.
        """
        lane = min(lane, len(self.methods) - 1)
        if not self.changes or lane == self.lane:
            return self
        if lane not in self._views:
            seen = replace(self, lane=lane, **self.changes[lane].own)
            seen.__dict__["_views"] = self._views
            # Two threads may have made one.
            self._views.setdefault(lane, seen)
        return self._views[lane]

    @cached_property
    def _views(self) -> dict[int, Document]:
        return {self.lane: self}

    @property
    def views(self) -> tuple[Document, ...]:
        """The document as seen from each lane; itself alone if all lanes have one problem."""
        return tuple(self.seen_from(lane) for lane in range(len(self.changes) or 1))

    @property
    def has_one_problem(self) -> bool:
        """Whether all lanes solve one problem."""
        return len(set(self.changes)) < 2

    def problems(self) -> tuple[Problem, ...]:
        """Return the problem of each lane, one object for lanes that are alike.

        Raises
        ------
        BadInput
            See :meth:`problem`.
        """
        changes = self.changes or (Changes(),) * len(self.methods)
        views = dict(zip(changes, self.views, strict=False))
        made = {own: view.problem() for own, view in views.items()}
        return tuple(made[own] for own in changes)

    def with_lane(self, method: Method, **own: Any) -> Document:
        """Return the document with a lane more, from which it is seen if it has changes.

        ``own`` is what the new lane has of its own (fields of :class:`Changes`); the lanes before
        keep what they have. The rest is as in the lane from which this document is seen.

        Raises
        ------
        BadInput
            See :meth:`with_methods`.
        """
        joined = self.with_methods((*self.methods, method))
        kept = Changes(**{name: getattr(self, name) for name in own})
        earlier = self.changes or (Changes(),) * len(self.methods)
        changes = [Changes(**kept.own | each.own) for each in earlier]
        joined = replace(joined, changes=tuple(changes)).seen_from(len(self.methods))
        return replace(joined, **own)

    def with_lanes(self, lanes: Sequence[int]) -> Document:
        """Return the document with some of its lanes."""
        lane = self.lane if self.lane in lanes else lanes[0]
        seen = self.seen_from(lane)
        kept = replace(
            seen,
            methods=tuple(self.methods[i] for i in lanes),
            changes=tuple(seen.changes[i] for i in lanes) if seen.changes else (),
            lane=lanes.index(lane),
        )
        return kept.with_methods(kept.methods)

    # Edits. Each returns a new document.

    def with_method(self, method: Method, lane: int = 0) -> Document:
        """Return the document with another method in a lane; see :meth:`with_methods`."""
        return self.with_methods((*self.methods[:lane], method, *self.methods[lane + 1 :]))

    def with_methods(self, methods: tuple[Method, ...]) -> Document:
        """Return the document with other methods, one per lane.

        If a method does not support the document's kind of bias, the bias becomes a kind that all
        of the methods support.

        Raises
        ------
        BadInput
            If the methods have no kind of bias in common, since all methods of a race solve one
            problem; or if a method cannot solve the task.
        """
        for method in methods:
            method.accept_task(self.task)
        common = [bias for bias in methods[0].biases if all(bias in m.biases for m in methods)]
        if not common:
            names = " and ".join(f"{m.label} (bias {' or '.join(m.biases)})" for m in methods)
            raise BadInput(f"{names} cannot race: they have no problem in common.")
        bias = self.bias if self.bias in common else common[0]
        return replace(self, methods=methods, bias=bias)

    def with_class_names(self, names: Sequence[str]) -> Document:
        """Return the document with other names of its classes.

        Raises
        ------
        BadInput
            If they are not as many as the classes, or not different.
        """

        def renamed(data: PointSet) -> PointSet:
            return replace(data, class_names=tuple(names))

        if self.many is not None:
            many = self.many.with_points(renamed(self.many.data), self.parts)
            return self.with_many(many)
        held_out = self.held_out and replace(
            self.held_out,
            validation=renamed(self.held_out.validation),
            test=renamed(self.held_out.test),
        )
        return replace(self, data=renamed(self.data), held_out=held_out)

    def with_task(self, task: str, data: PointSet, source: Source | None = None) -> Document:
        """Return the document for another task, with points of this task and their generator.

        Methods that cannot solve the task are dropped; if none is left, SMO is used. No points are
        held out. In regression, a hard margin becomes C = 1.
        """
        lanes = [i for i, method in enumerate(self.methods) if task in method.tasks]
        kept = self.with_lanes(lanes) if lanes else replace(self, methods=(SMO(),))
        changed = replace(kept, task=task, data=data, held_out=None, source=source, user_line=None)
        changed = changed.with_methods(kept.methods)
        for lane in range(len(changed.methods)) if task == "regression" else ():
            changed = changed.seen_from(lane)
            if math.isinf(changed.C):
                changed = replace(changed, penalty=Penalty())
        return changed.seen_from(kept.lane)

    def with_many(self, many: ManyClasses, held_out: HeldOut | None = None) -> Document:
        """Return the document with other points of several classes, or another machine.

        The split is that of ``many``; ``held_out`` has its shares and flags, those of the document
        by default.
        """
        template = held_out or self.held_out or HeldOut.empty(many.training)
        split = replace(
            template,
            validation=many.seen(VALIDATION),
            test=many.seen(TEST),
            rows=many.held_rows,
        )
        has_split = bool((many.parts != TRAINING).any())
        return replace(self, data=many.training, many=many, held_out=split if has_split else None)

    def looking_at(self, machine: int) -> Document:
        """Return the document with another of its machines looked at."""
        return self.with_many(self.many_classes.looked_at(machine))

    def with_another_class(self) -> Document:
        """Return the document with one more class, which has no points yet.

        Raises
        ------
        BadInput
            If there are as many classes as there may be, or in a regression.
        """
        if self.is_regression:
            raise BadInput("In a regression the points have no classes.")
        data, many = with_class(self.all_points), self.many
        grown = many.with_points(data, self.parts) if many else ManyClasses(data, self.parts)
        weights = self.class_weights
        if weights and not isinstance(weights, str):
            weights = (*(weights if many else weights[::-1]), 1.0)
        return replace(self.with_many(grown), class_weights=weights)

    @property
    def many_classes(self) -> ManyClasses:
        """The same as ``many``; raises BadInput if the document has two classes."""
        if self.many is None:
            raise BadInput("The document has two classes, and so one machine.")
        return self.many

    def with_points(self, points: np.ndarray, labels: np.ndarray) -> Document:
        """Return the document with other points in place of :attr:`editable`; the names stay.

        With more than two classes there are as many points as before.
        """
        if self.many is None:
            return replace(self, data=replace(self.data, points=points, labels=labels))
        rows, data = self.editable_rows, self.many.data
        all_points, all_labels = data.points.copy(), data.labels.copy()
        all_points[rows], all_labels[rows] = points, labels
        changed = replace(data, points=all_points, labels=all_labels)
        return self.with_many(self.many.with_points(changed, self.parts))

    def added(self, points: np.ndarray, labels: np.ndarray | Sequence[int]) -> Document:
        """Return the document with further training points (m, 2) at the end.

        Their labels (m,) are those of ``all_points``.

        Raises
        ------
        BadInput
            If the points have no coordinates.
        """
        points = np.asarray(points, dtype=np.float64).reshape(-1, 2)
        data = self.data if self.many is None else self.many.data
        joined = replace(
            data,
            points=np.vstack([data.points, points]),
            labels=np.concatenate([data.labels, np.asarray(labels, dtype=np.int8)]),
        )
        if self.many is None:
            return replace(self, data=joined)
        parts = np.append(self.parts, np.full(len(points), TRAINING))
        return self.with_many(self.many.with_points(joined, parts))

    def removed(self, indices: Iterable[int]) -> Document:
        """Return the document without some of the points of :attr:`editable`."""
        removed = np.asarray(list(indices), dtype=int)
        if self.many is None:
            return replace(self, data=self.data.at(np.delete(np.arange(self.n), removed)))
        data = self.many.data
        keep = np.delete(np.arange(len(data)), self.editable_rows[removed])
        return self.with_many(self.many.with_points(data.at(keep), self.parts[keep]))

    def moved(self, indices: Iterable[int], offset: Iterable[float]) -> Document:
        """Return the document with points of :attr:`editable` shifted, in data units.

        The offset has the shape (2,) or (m, 2).
        Coordinates are clipped to [-MAX_COORDINATE, MAX_COORDINATE].
        """
        points = self.editable.points.copy()
        points[np.asarray(list(indices), dtype=int)] += np.asarray(offset, dtype=np.float64)
        clipped = np.clip(points, -MAX_COORDINATE, MAX_COORDINATE)
        return self.with_points(clipped, self.editable.labels)

    def relabelled(self, indices: Iterable[int], label: int) -> Document:
        """Return the document with some points of :attr:`editable` in another class."""
        labels = self.editable.labels.copy()
        labels[np.asarray(list(indices), dtype=int)] = label
        return self.with_points(self.editable.points, labels)

    def label_of(self, class_: int) -> int:
        """Return the label, as in ``all_points``, of the class with this index."""
        return class_ if self.many else 2 * class_ - 1

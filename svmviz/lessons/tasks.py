"""The tasks of a lesson at a frame: the parts of a goal that hold, the number that is asked for.

Besides the names of :mod:`svmviz.lessons.values`, expressions of a lesson may name what has changed
since the task began, and the line of one's own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from solvers.errors import BadInput
from solvers.geometry.lines import Line
from svmviz.document.document import Document
from svmviz.frames.frame import Frame
from svmviz.frames.part_risks import risk_of_test
from svmviz.lessons.expressions import Value
from svmviz.lessons.lessons import Goal, Question, Task
from svmviz.lessons.values import FrameValues

# f counts as unchanged if it differs by at most this fraction of its largest value at the points.
SAME_F = 0.01
# Documents that may be shown, as while a point is dragged, before the first of them has a frame.
MAX_SINCE = 32


@dataclass(frozen=True)
class ShownTask:
    """A task at a frame.

    Attributes
    ----------
    task : Task
    holds : tuple of bool
        Whether each part of a goal holds.
    number : float or None
        The number that a question asks for.
    is_reached : bool
        Whether all parts of a goal hold, and the mouse drags nothing.
    trouble : str
        Why a part or the number has no value here; may be empty.
    """

    task: Task
    holds: tuple[bool, ...] = ()
    number: float | None = None
    is_reached: bool = False
    trouble: str = ""


class TaskStudy:
    """A study (:mod:`svmviz.frames.studies`) of a task.

    Frames that were made before the task began are ignored: those of documents that were shown
    neither when it began nor since.

    Parameters
    ----------
    task : Task
    document : Document
        The document at which the task begins.
    """

    def __init__(self, task: Task, document: Document) -> None:
        self._task, self._document = task, document
        # Documents shown since the task began; they are asked for until one of them has a frame.
        self._since = deque([document], maxlen=MAX_SINCE)
        # The frame of this document at the end of its run.
        self._start: Frame | None = None
        self._has_begun = False

    def note(self, document: Document) -> None:
        """Note that a document is shown; called in the GUI thread."""
        self._since.append(document)

    def __call__(self, frame: Frame, runs: object) -> ShownTask:
        is_start = frame.document is self._document
        if not self._has_begun:
            self._has_begun = any(frame.document is document for document in tuple(self._since))
        if is_start and self._start is None and frame.lane is not None and frame.lane.at_end:
            self._start = frame
        if not self._has_begun:
            return ShownTask(self._task)
        return show_task(self._task, frame, self._start)


def show_task(task: Task, frame: Frame, start: Frame | None) -> ShownTask:
    """Return a task at a frame; ``start`` is a frame at which it began, at the end of its run."""
    try:
        values = TaskValues(frame, start)
        if isinstance(task, Question):
            number = None if task.number is None else _number(task.number.value(values))
            return ShownTask(task, number=number)
    except BadInput as error:
        return ShownTask(task, trouble=str(error))
    holds, troubles = [], []
    for part in task.parts:
        try:
            holds.append(part.condition.holds(values))
        except BadInput as error:
            holds.append(False)
            troubles.append(str(error))
    is_dragged = frame.lane is not None and frame.lane.warm
    return ShownTask(
        task,
        tuple(holds),
        is_reached=all(holds) and not is_dragged,
        trouble=troubles[0] if troubles else "",
    )


def words_of(goal: Goal) -> list[str]:
    """Return the words beside the tick of each part; without words, its condition."""
    return [part.words or part.condition.text for part in goal.parts]


class TaskValues(Mapping[str, Value]):
    """The values of TASK_NAMES and of the lane in focus, and the settings of kernel and method.

    A setting has the name that it has in scenes, such as ``gamma`` or ``pair``; all other values go
    before it.

    Parameters
    ----------
    frame : Frame
    start : Frame or None
        A frame at which the task began, at the end of its run.
    """

    def __init__(self, frame: Frame, start: Frame | None) -> None:
        self._frame, self._start = frame, start
        self._of_frame = FrameValues(frame)
        method = frame.lane.method if frame.lane is not None else frame.document.method
        self._settings = frame.document.kernel.values() | method.values()

    def __getitem__(self, name: str) -> Value:
        if name in TASK_NAMES:
            return TASK_NAMES[name].of(self._frame, self._start)
        if name in self._of_frame:
            return self._of_frame[name]
        value = self._settings[name]
        return value if isinstance(value, bool | str) else float(value)

    def __contains__(self, name: object) -> bool:
        return name in TASK_NAMES or name in self._of_frame or name in self._settings

    def __iter__(self) -> Iterator[str]:
        yield from TASK_NAMES
        yield from self._of_frame

    def __len__(self) -> int:
        return len(TASK_NAMES) + len(self._of_frame)


@dataclass(frozen=True)
class TaskName:
    """A value that the expressions of a lesson can name besides those of the frame."""

    meaning: str
    of: Callable[[Frame, Frame | None], Value]


def _number(value: Value) -> float:
    if isinstance(value, str) or np.ndim(value):
        raise BadInput("What is asked for is not one number.")
    return float(value)


def _own_line(frame: Frame) -> tuple[Line, np.ndarray, np.ndarray]:
    document = frame.document
    if document.own_line is None or document.is_regression or not document.n:
        raise BadInput("There is no line of one's own here.")
    line = document.own_line.in_solver_units(document.factors)
    return line, document.data.points / document.factors, document.data.labels


def _own_width(frame: Frame, _start: Frame | None) -> float:
    line, points, labels = _own_line(frame)
    return 2.0 * line.margin(points, labels)


def _own_errors(frame: Frame, _start: Frame | None) -> float:
    line, points, labels = _own_line(frame)
    return float(np.count_nonzero(labels * line(points) <= 0.0))


def _moved(frame: Frame, start: Frame | None) -> float:
    now, before = frame.document.data.points, _begun(start).document.data.points
    if now.shape != before.shape:
        raise BadInput("Points were added or removed; undo that.")
    return float(np.count_nonzero((now != before).any(axis=1)))


def _has_same_f(frame: Frame, start: Frame | None) -> bool:
    begun = _begun(start)
    assert frame.lane is not None
    assert begun.lane is not None
    places = begun.document.data.points
    before = begun.lane.expansion(places / begun.document.factors)
    now = frame.lane.expansion(places / frame.document.factors)
    return bool(np.abs(now - before).max() <= SAME_F * np.abs(before).max())


def _begun(start: Frame | None) -> Frame:
    if start is None:
        raise BadInput("This task begins at the end of the run: undo the edits and go there.")
    return start


def _seen(frame: Frame, _start: Frame | None) -> bool:
    held_out = frame.document.held_out
    return held_out is not None and held_out.seen


def _test_error(frame: Frame, start: Frame | None) -> float:
    assert frame.lane is not None
    risk = risk_of_test(frame.document, frame.lane) if _seen(frame, start) else None
    if risk is None:
        raise BadInput("The test part is locked.")
    return risk


TASK_NAMES: dict[str, TaskName] = {
    "own_width": TaskName("width of the street of your own line; negative if it errs", _own_width),
    "own_errors": TaskName("number of points on the wrong side of your own line", _own_errors),
    "moved": TaskName("number of points that were moved since the task began", _moved),
    "same_f": TaskName("whether f is, to 1 %, what it was when the task began", _has_same_f),
    "seen": TaskName("whether the drawer of the test part is open", _seen),
    "test_error": TaskName("fraction of the test points that are misclassified", _test_error),
}

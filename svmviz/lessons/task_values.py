"""Names that only expressions of lessons can use, such as ``moved``, for changes during a task.

Expressions of a lesson can also use the names of :mod:`svmviz.lessons.values`, and the name of
every setting of kernel and method.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from solvers.errors import BadInput
from solvers.geometry.lines import Line
from solvers.run.method import named
from svmviz.base.words import number, percent
from svmviz.document.held_out import PARTS, TEST, TRAINING, VALIDATION
from svmviz.frames.frame import Frame
from svmviz.frames.part_risks import part_risks
from svmviz.lessons.expressions import Value
from svmviz.lessons.goals import GoalPart
from svmviz.lessons.values import MAX_MATRIX_POINTS, FrameValues, Named

# The number of questions of *Predict first* that were answered since the task began.
PREDICTED = "predicted"
# f counts as unchanged if it differs by at most this fraction of its largest size at the points.
SAME_F = 0.01


class TaskValues(Mapping[str, Value]):
    """The values of TASK_NAMES and of the lane in focus.

    Parameters
    ----------
    frame : Frame
    start : Frame or None
        A frame of the document at which the task began, at the end of its run.
    predicted : int
        The value of `predicted`.
    """

    def __init__(self, frame: Frame, start: Frame | None, predicted: int = 0) -> None:
        self._frame, self._start = frame, start
        self._predicted = predicted
        self._of_frame = FrameValues(frame)
        method = frame.lane.method if frame.lane is not None else frame.document.method
        # Settings by their names in scenes. All other values of the same name come first.
        self._settings = {"epsilon": frame.document.epsilon, **frame.document.kernel.values()}
        self._settings |= method.values()

    def __getitem__(self, name: str) -> Value:
        if name == PREDICTED:
            return float(self._predicted)
        if name in TASK_NAMES:
            return TASK_NAMES[name].of(self._frame, self._start)
        if name in self._of_frame:
            return self._of_frame[name]
        value = self._settings[name]
        return value if isinstance(value, bool | str) else float(value)

    def __contains__(self, name: object) -> bool:
        return (
            name == PREDICTED
            or name in TASK_NAMES
            or name in self._of_frame
            or name in self._settings
        )

    def __iter__(self) -> Iterator[str]:
        yield from dict.fromkeys((PREDICTED, *TASK_NAMES, *self._of_frame, *self._settings))

    def __len__(self) -> int:
        return len(list(iter(self)))


def _user_line(frame: Frame) -> tuple[Line, np.ndarray, np.ndarray]:
    document = frame.document
    if document.user_line is None or document.is_regression or not document.n:
        raise BadInput("You have drawn no line here.")
    line = document.user_line.in_solver_units(document.factors)
    return line, document.data.points / document.factors, document.data.labels


def line_words(frame: Frame, parts: Sequence[GoalPart], values: Mapping[str, Value]) -> str:
    """Return a sentence on the user's line if a goal is about it: its errors, or its width."""
    asked = " ".join(part.condition.text for part in parts)
    if "own_" not in asked:
        return ""
    line, points, labels = _user_line(frame)
    wrong = np.flatnonzero(labels * line(points) <= 0.0)
    if 0 < len(wrong) < len(points):
        return f"On the wrong side: {named(wrong.tolist())}."
    if "own_width" not in asked or len(wrong):
        return ""
    own, widest = float(values["own_width"]), float(values["width"])
    return f"Your street is {number(own, 3)} wide: {percent(own / widest)} of the widest."


def _own_width(frame: Frame, _start: Frame | None) -> float:
    line, points, labels = _user_line(frame)
    return 2.0 * line.margin(points, labels)


def _own_errors(frame: Frame, _start: Frame | None) -> float:
    line, points, labels = _user_line(frame)
    return float(np.count_nonzero(labels * line(points) <= 0.0))


def _moved(frame: Frame, start: Frame | None, least_alpha: float = -np.inf) -> float:
    """Return the number of moved points whose alpha was above a number when the task began."""
    begun = _begun(start)
    now, before = frame.document.data.points, begun.document.data.points
    if now.shape != before.shape:
        raise BadInput("Points were added or removed; undo that.")
    assert begun.lane is not None
    alpha = begun.lane.certificate.alpha
    return float(np.count_nonzero((now != before).any(axis=1) & (alpha > least_alpha)))


def _has_same_f(frame: Frame, start: Frame | None) -> bool:
    before, now = _values_before_and_now(frame, start)
    return bool(np.abs(now - before).max() <= SAME_F * np.abs(before).max())


def _has_same_line(frame: Frame, start: Frame | None) -> bool:
    before, now = _values_before_and_now(frame, start)
    size = float(before @ before)
    factor = float(before @ now) / size if size > 0.0 else 0.0
    return factor > 0.0 and bool(
        np.abs(now - factor * before).max() <= SAME_F * factor * np.abs(before).max()
    )


def _values_before_and_now(frame: Frame, start: Frame | None) -> tuple[np.ndarray, np.ndarray]:
    """Return f at the points of the start, as it was at the start and as it is now."""
    begun = _begun(start)
    assert frame.lane is not None
    assert begun.lane is not None
    places = begun.document.data.points
    before = begun.lane.expansion(places / begun.document.factors)
    return before, frame.lane.expansion(places / frame.document.factors)


def _begun(start: Frame | None) -> Frame:
    if start is None:
        raise BadInput("This task begins at the end of the run: undo the edits and go there.")
    return start


def _has_seen(frame: Frame, _start: Frame | None) -> bool:
    held_out = frame.document.held_out
    return held_out is not None and held_out.seen


def _error_on(part: int) -> Callable[[Frame, Frame | None], Value]:
    def read(frame: Frame, _start: Frame | None) -> float:
        assert frame.lane is not None
        risks = [r for r in part_risks(frame.document, frame.lane) if r.part == part]
        if not risks or risks[0].risk is None:
            is_locked = bool(risks) and risks[0].locked
            raise BadInput(
                "The test part is still locked."
                if is_locked
                else f"There is no {PARTS[part]} part."
            )
        return risks[0].risk

    return read


def _eigenvalue(frame: Frame, _start: Frame | None) -> float:
    assert frame.lane is not None
    problem = frame.lane.certified_problem
    if problem.n > MAX_MATRIX_POINTS:
        raise BadInput(f"Eigenvalues are computed for at most {MAX_MATRIX_POINTS} points.")
    matrix = problem.kernel(problem.X, problem.X)
    return float(np.linalg.eigvalsh(0.5 * (matrix + matrix.T))[0])


TASK_NAMES: dict[str, Named] = {
    "own_width": Named("width of your line's street; negative if a point is wrong", _own_width),
    "own_errors": Named("number of points on the wrong side of your line", _own_errors),
    "moved": Named("number of points that were moved since the task began", _moved),
    "moved_support": Named("number of those that were support vectors when it began",
                           lambda frame, start: _moved(frame, start, 0.0)),
    "same_f": Named("whether f is, to 1 %, what it was when the task began", _has_same_f),
    "same_line": Named("whether the boundary is what it was when the task began",
                       _has_same_line),
    "seen": Named("whether the test points are revealed", _has_seen),
    "train_error": Named("error on the training part", _error_on(TRAINING)),
    "validation_error": Named("error on the validation part", _error_on(VALIDATION)),
    "test_error": Named("error on the test part, once it was shown", _error_on(TEST)),
    "eigenvalue": Named("smallest eigenvalue of the kernel matrix", _eigenvalue),
}  # fmt: skip

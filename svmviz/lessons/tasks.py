"""The tasks of a lesson at a frame: the parts of a goal that hold, and the right answers."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

from solvers import Certificate, Cursor, Run, Snapshot, certify
from solvers.errors import BadInput
from svmviz.document.document import Document
from svmviz.frames.frame import Frame
from svmviz.lessons.by_hand import HandStep
from svmviz.lessons.certificates import labels_of
from svmviz.lessons.exercise import Exercise, exercise_steps
from svmviz.lessons.goals import CertificateTask, evaluated
from svmviz.lessons.lessons import Task
from svmviz.lessons.questions import END, NEXT, SHOWN, Key, Question
from svmviz.lessons.task_values import TaskValues, line_words

# The snapshot and its certificate, by the number of the run and the step.
Known = dict[tuple[int, int], tuple[Snapshot, Certificate]]
# Maximum number of documents that are shown before one of them has a frame, for example while a
# point is dragged.
MAX_SINCE = 32


@dataclass(frozen=True)
class ShownTask:
    """A task at a frame.

    Attributes
    ----------
    task : Task
    holds : tuple of bool
        Whether each part of a goal holds.
    key : Key or None
        The right answers of a question.
    wrong : tuple of Key
        Its wrong answers that have a reply of their own.
    is_reached : bool
        Whether all parts of a goal hold, and the mouse drags nothing.
    end : Frame or None
        For a certificate, a frame at the end of the run.
    labels : tuple of str
        For a certificate, the symbols of the numbers to be typed.
    steps : tuple of HandStep
        The steps of an exercise.
    trouble : str
        A sentence on why a part or the answer has no value here; may be empty.
    note : str
        A sentence on what the user's line lacks; may be empty.
    """

    task: Task
    holds: tuple[bool, ...] = ()
    key: Key | None = None
    is_reached: bool = False
    end: Frame | None = None
    labels: tuple[str, ...] = ()
    steps: tuple[HandStep, ...] = ()
    trouble: str = ""
    note: str = ""
    wrong: tuple[Key, ...] = ()


class TaskStudy:
    """A study (:mod:`svmviz.frames.studies`) of a task.

    Frames that were made before the task began are ignored. They belong to documents that were not
    shown since it began.

    Parameters
    ----------
    task : Task
    document : Document
        The document at which the task begins.
    """

    def __init__(self, task: Task, document: Document) -> None:
        self._task, self._document = task, document
        # Documents shown since the task began. They are used until one of them has a frame.
        self._since = deque([document], maxlen=MAX_SINCE)
        # A frame of ``document`` at the end of its run.
        self._start: Frame | None = None
        self._has_begun = False
        # Results at a step that is not the one shown.
        self._known: Known = {}
        # The run whose steps are those of the exercise, and the exercise.
        self._exercise: tuple[int, ShownTask] | None = None
        # How many questions of *Predict first* were answered since the task began.
        self.predicted = 0

    def note(self, document: Document) -> None:
        """Note that a document is shown; called in the GUI thread."""
        self._since.append(document)

    def __call__(self, frame: Frame, runs: tuple[Run, ...]) -> ShownTask:
        is_start = frame.document is self._document
        if not self._has_begun:
            self._has_begun = any(frame.document is document for document in tuple(self._since))
        if is_start and self._start is None and frame.lane is not None and frame.lane.at_end:
            self._start = frame
        if not self._has_begun:
            return ShownTask(self._task)
        if isinstance(self._task, Exercise):
            return self._show_exercise(self._task, frame, runs)
        return show_task(self._task, frame, self._start, runs, self._known, self.predicted)

    def _show_exercise(self, task: Exercise, frame: Frame, runs: tuple[Run, ...]) -> ShownTask:
        """Return an exercise; its steps are computed once for each run."""
        lane = frame.lane
        if lane is None or lane.warm:
            return ShownTask(task)
        if self._exercise is None or self._exercise[0] != lane.run:
            shown = show_task(task, frame, None, runs)
            if not shown.steps:
                return shown
            self._exercise = lane.run, shown
        return self._exercise[1]


def show_task(
    task: Task,
    frame: Frame,
    start: Frame | None,
    runs: tuple[Run, ...] = (),
    known: Known | None = None,
    predicted: int = 0,
) -> ShownTask:
    """Return a task at a frame.

    Parameters
    ----------
    task : Task
    frame : Frame
    start : Frame or None
        A frame of the document at which the task began, at the end of its run.
    runs : tuple of Run
        The runs of the frame, for questions on another step than the one shown.
    known : dict, optional
        Keeps the results at that step for the next frame.
    predicted : int
        How many questions of *Predict first* were answered since the task began.
    """
    try:
        if isinstance(task, Question):
            asked = frame_at(frame, runs, task.at, known)
            values = TaskValues(asked, start)
            wrong = task.wrong_keys_at(values, asked)
            return ShownTask(task, key=task.key_at(values, asked), wrong=wrong)
        if isinstance(task, Exercise):
            return ShownTask(task, steps=exercise_steps(task, frame, runs))
        if isinstance(task, CertificateTask):
            end = frame_at(frame, runs, END, known)
            return ShownTask(task, end=end, labels=labels_of(task, end))
        values = TaskValues(frame, start, predicted)
    except BadInput as error:
        return ShownTask(task, trouble=str(error))
    holds, troubles = evaluated(task.parts, values)
    is_dragged = frame.lane is not None and frame.lane.warm
    return ShownTask(
        task,
        holds,
        is_reached=all(holds) and not is_dragged,
        trouble=troubles[0] if troubles else "",
        note="" if troubles else line_words(frame, task.parts, values),
    )


def frame_at(
    frame: Frame, runs: tuple[Run, ...], at: str | int, known: Known | None = None
) -> Frame:
    """Return a frame with the lane in focus at another step, without fields and studies.

    ``known`` keeps the last step that was computed: replaying it can take a tenth of a second.

    Raises
    ------
    BadInput
        If there is no such step, or the run has not reached it yet.
    """
    lane = frame.lane
    if at == SHOWN or lane is None:
        return frame
    run = next((run for run in runs if run.number == lane.run), None)
    if run is None or (run.stop is None and (at == END or run.steps <= lane.step)):
        raise BadInput("The scene is not solved yet.")
    step = run.steps if at == END else lane.step + 1 if at == NEXT else int(at)
    if step > run.steps:
        if at == NEXT:
            raise BadInput(f"No step follows step {lane.step}, the end of the run.")
        raise BadInput(f"There is no step {step} here; the run has {run.steps}.")
    known = {} if known is None else known
    if (run.number, step) not in known:
        known.clear()
        snapshot = Cursor(run).seek(step)
        certificate = certify(run.certified_problem, snapshot.expansion)
        known[run.number, step] = snapshot, certificate
    snapshot, certificate = known[run.number, step]
    moved = replace(
        lane,
        step=step,
        length=run.steps,
        stop=run.stop,
        expansion=snapshot.expansion,
        event=snapshot.event,
        certificate=certificate,
        glide=None,
        shown_beat=None,
        held_out_values=None,
    )
    lanes = tuple(moved if other is lane else other for other in frame.lanes)
    return replace(frame, lanes=lanes)

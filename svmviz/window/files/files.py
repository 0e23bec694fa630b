"""Opening and saving the file that the window shows.

``svmviz.io.open_and_save`` reads and writes files without Qt. This module asks the user questions
and shows the progress. It asks before unsaved changes are lost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from solvers import BadInput
from solvers.cancelling import Cancelled
from solvers.data.datasets import PointSet
from svmviz.base.keys import key_text
from svmviz.base.words import class_titles
from svmviz.document.document import Document
from svmviz.document.limits import MAX_SHOWN_POINTS, sample
from svmviz.document.rescaling import rescale_kernel
from svmviz.document.step_marks import StepMarks
from svmviz.io import left_scenes, open_and_save
from svmviz.io.paths import file_name
from svmviz.io.scene import Scene
from svmviz.io.target_files import TargetSet, read_as
from svmviz.session.session import Laid
from svmviz.session.undo import SUBSTANCE, Edit, title_of_points
from svmviz.stage.stage import Stage
from svmviz.widgets.file_dialog import ask_open_path
from svmviz.widgets.plain_text import title_of
from svmviz.window.files.desktop import open_file, show_in_folder
from svmviz.window.files.opening import Opening
from svmviz.window.files.tasks import Tasks, Work
from svmviz.window.messages import Messages
from svmviz.window.notice import Action

if TYPE_CHECKING:
    from svmviz.window.memory import WindowMemory
    from svmviz.window.planes import Planes

OPEN_FILTER = (
    "Points and scenes (*.svmviz *.csv *.tsv *.txt *.arff *.libsvm *.svm *.data);;"
    "Scenes (*.svmviz);;Tables (*.csv *.tsv *.txt *.arff);;LIBSVM (*.libsvm *.svm *.data);;"
    "All files (*)"
)
SAVE_FILTER = "Scene (*.svmviz);;Table of points (*.csv);;LIBSVM points (*.libsvm)"
UNTITLED, FROM_TEXT = "Untitled", "Scene from text"
GENERATED = f"The points were generated. Undo ({key_text('Ctrl+Z')}) brings your own points back."


class Unsaved(NamedTuple):
    """A changed scene, its file if it has one, and its name."""

    scene: Scene
    path: Path | None
    name: str


class Aside(NamedTuple):
    """The document of the user, as it is shown again after a lesson.

    Attributes
    ----------
    laid : Laid
        Document and undo entries.
    scene : Scene
        The document as it was shown, with view and step.
    path : Path or None
    title : str
    is_restored : bool
        Whether it was restored after a crash.
    unsaved : Unsaved or None
        The changed scene, for autosaving; None if there were no changes.
    """

    laid: Laid
    scene: Scene
    path: Path | None
    title: str
    is_restored: bool
    unsaved: Unsaved | None


class Files(QObject):
    """The file of the window.

    Signals
    -------
    title_changed(str)
        ``name``, ``is_modified`` or ``origin`` may have changed, the latter to this one.
    replaced()
        Another document is about to be shown, in a lesson or otherwise.
    returned()
        The document that was laid aside for a lesson is shown again.
    """

    title_changed = Signal(str)
    replaced = Signal()
    returned = Signal()

    def __init__(
        self,
        window: QWidget,
        stage: Stage,
        planes: Planes,
        memory: WindowMemory,
        messages: Messages,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._stage = stage
        self._plane = planes.main
        self._memory = memory
        self._messages = messages
        self._path: Path | None = None
        self._title = UNTITLED
        self._is_restored = False
        # Whether the user has discarded the changes of the document shown.
        self.is_discarded = False
        # The document that waits behind the open lesson.
        self._aside: Aside | None = None
        # Index of the undo stack before its last change.
        self._undo_index = 0
        self.tasks = Tasks(window)
        session = stage.session
        self._opening = Opening(
            window, self.tasks, messages, self._show_read, lambda: session.document
        )
        # Connected to a method, not to a lambda: Qt disconnects a method if this object is deleted
        # before the stack.
        stage.session.undo_stack.indexChanged.connect(self._on_stack_changed)
        stage.session.undo_stack.cleanChanged.connect(self._on_stack_changed)

    def _on_stack_changed(self, _now: object) -> None:
        self.title_changed.emit(self.origin)
        session, old_index = self._stage.session, self._undo_index
        self._undo_index = session.undo_stack.index()
        newest = session.newest_edit
        if self._undo_index > old_index and newest is not None and newest.replaces_points:
            were_manual = session.points_are_manual(steps_back=1)
            if were_manual or (were_manual is None and self._is_user_file):
                self._messages.notify(GENERATED)
                return
        # The notice proposes to undo the newest edit. So it is withdrawn after another edit or an
        # undo.
        self._messages.withdraw(GENERATED)

    @property
    def _is_user_file(self) -> bool:
        """Whether the document is from a file of the user or restored after a crash."""
        return self._path is not None or self._is_restored

    # State.

    @property
    def name(self) -> str:
        """The name in the title bar: that of the scene's file, or of the points shown."""
        if self._path is not None and _is_scene(self._path):
            return self._path.name
        return title_of_points(self._stage.session.edits, self._title) or UNTITLED

    @property
    def origin(self) -> str:
        """The name of the file or example that the points are from; empty if there is none."""
        named = title_of_points(self._stage.session.edits, self._title)
        return "" if named == UNTITLED else named

    @property
    def is_modified(self) -> bool:
        """Whether the document has unsaved changes; always false for a scene of a lesson."""
        return self._aside is None and not self._stage.session.undo_stack.isClean()

    @property
    def unsaved(self) -> Unsaved | None:
        """The changed scene of the user, which may wait behind a lesson; None if all is saved."""
        if self._aside is not None:
            return self._aside.unsaved
        return Unsaved(self.scene(), self._path, self.name) if self.is_modified else None

    @property
    def would_lose_work(self) -> bool:
        """Whether leaving the document would lose so much work that the user must be asked.

        In a file of the user, every edit is work. In examples and generated points, only points
        changed by hand and a typed kernel are work. :attr:`Edit.work` is the amount of each edit. A
        scene that was restored after a crash is always enough.
        """
        is_substantial = sum(edit.work for edit in self._own_edits) >= SUBSTANCE
        return self.is_modified and (self._is_restored or is_substantial)

    @property
    def _own_edits(self) -> list[Edit]:
        """The unsaved edits that are work of the user."""
        edits = self._stage.session.unsaved_edits
        return [edit for edit in edits if self._is_user_file or edit.is_manual]

    @property
    def path(self) -> Path | None:
        """The file that was opened or saved last; None if there is none."""
        return self._path

    def scene(self) -> Scene:
        """Return the scene as it would be saved now."""
        playback = self._stage.playback
        # At the end of a run, the scene stores None for the last step, not the number of the step.
        shows_last = playback.finished and playback.player.reading >= playback.length
        at_end = playback.player.following or shows_last
        return Scene(
            document=self._stage.session.document,
            options=self._stage.view.options,
            step=None if at_end else playback.step,
            window=self._plane.navigation.data_window(),
            speed=playback.player.speed,
            marks=playback.marks,
        )

    @property
    def busy(self) -> bool:
        """Whether the window waits until a file is written."""
        return self.tasks.is_waiting

    # Commands.

    def new(self) -> None:
        """Begin a document without points, with the current model."""
        if self.may_leave():
            old = self._stage.session.document
            model = {"kernel": old.kernel, "methods": old.methods, "task": old.task}
            document, note = rescale_kernel(Document(**model, epsilon=old.epsilon), old)
            self._show(document, None, UNTITLED, note)
            self._forget_marks()

    def _forget_marks(self) -> None:
        """Remove loop, bookmarks and strokes, which belong to the points before."""
        self._stage.playback.mark(StepMarks())
        self._stage.view.set(strokes=())

    def ask_open(self) -> None:
        """Ask for a file and open it."""
        path = ask_open_path(self._window, "Open", self._memory.folder, OPEN_FILTER)
        if path:
            self.confirm_and_open(path)

    def confirm_and_open(self, path: str) -> None:
        """Open a file, after asking about unsaved changes."""
        if self.may_leave():
            self.open(path)

    def open(self, path: str, task: str | None = None) -> None:
        """Read a file in the background and show it. A later request replaces an earlier one.

        ``task`` is the task for which a table is read; by default, the task that suits the table.
        """
        self._opening.open(Path(path), self._stage.session.document, task)

    def open_text(self, text: str) -> None:
        """Read the text of a scene as :meth:`open` reads a file."""
        self._opening.open_text(text, self._stage.session.document)

    def open_example(self, path: Path, title: str) -> bool:
        """Show a scene that comes with the program at the step that it names, and return True.

        Return False if the user wants to stay in the scene that is open, which is not saved.
        The path is not stored. So Save asks for a file, and cannot overwrite the example.
        """
        if not self.may_leave():
            return False
        self.show_scene(open_and_save.open_scene(path), title=title)
        return True

    def show_scene(
        self,
        scene: Scene,
        path: Path | None = None,
        title: str = UNTITLED,
        *,
        goes_on: bool = False,
    ) -> None:
        """Show a scene that was read; if it ``goes_on``, the runs of an equal document stay."""
        self._stage.view.show(scene.options)
        if not goes_on or scene.document != self._stage.session.document:
            self._show(scene.document, path, title)
        self._show_view(scene)

    def lay_aside(self) -> None:
        """Keep document, undo entries and file for :meth:`take_up`; later calls do nothing."""
        if self._aside is None:
            unsaved, scene = self.unsaved, self.scene()
            laid = self._stage.session.lay_aside()
            self._aside = Aside(laid, scene, self._path, self._title, self._is_restored, unsaved)

    def take_up(self) -> None:
        """Show the document that was laid aside, as it was; do nothing if there is none."""
        aside, self._aside = self._aside, None
        if aside is None:
            return
        self._stage.view.show(aside.scene.options)
        self._opening.drop()
        self._path, self._title, self._is_restored = aside.path, aside.title, aside.is_restored
        self._stage.session.take_up(aside.laid)
        self._stage.playback.fit_speed_again()
        self._show_view(aside.scene)
        self.title_changed.emit(self.origin)
        self.returned.emit()

    def _show_view(self, scene: Scene) -> None:
        self._plane.describe_anew(title_of(self.name))
        self._stage.playback.mark(scene.marks)
        if scene.window is not None:
            self._plane.navigation.show_window(*scene.window)
        if scene.speed is not None:
            self._stage.playback.suggest_speed(scene.speed)
        if scene.step is not None:
            self._stage.playback.seek_when_recorded(scene.step)
        else:
            self._stage.playback.go_to_end()

    def save(self) -> bool:
        """Save the scene to its file, and return whether it was saved.

        Ask for a file if the scene has none, or if the file can hold points only.
        """
        if self._path is None or not _is_scene(self._path):
            return self.ask_save()
        return self._save(self._path)

    def ask_save(self) -> bool:
        """Ask for a file, save the scene there, and return whether it was saved."""
        proposed = Path(self._memory.folder) / f"{file_name(Path(self.name).stem)}.svmviz"
        target = self._messages.ask_target("Save as", str(proposed), SAVE_FILTER)
        return target is not None and self._save(target)

    def export(
        self, what: str, path: Path, work: Work, show: Callable[[Path], None] | None = None
    ) -> None:
        """Write another file in the background, remember its folder, and show where it is.

        By default a notice shows it, with the sentence that ``work`` may return.
        """

        def done(note: str | None) -> None:
            self._memory.set(folder=str(path.parent))
            if show is not None:
                show(path)
                return
            sentence = f"The {what} was written to {path}"
            actions = [
                ("Open", partial(open_file, path)),
                ("Show in folder", partial(show_in_folder, path)),
            ]
            self._messages.notify(f"{sentence}. {note}" if note else sentence, actions)

        failed = partial(self._messages.warn_not_written, path)
        self.tasks.start(f"Writing {path.name}…", work, done, failed, must_finish=True)

    def may_leave(self) -> bool:
        """Return whether the document may be closed; ask first if work would be lost.

        Smaller changes are kept without a question; File > Open recent brings them back. During a
        lesson, the lesson ends, and the question is about the document behind it.
        """
        self.take_up()
        if not self.would_lose_work:
            is_touched = self.is_modified and (self._is_user_file or bool(self._own_edits))
            if not is_touched or self._keep_aside():
                return True
        answer = self._messages.ask_save(self.name)
        if answer == QMessageBox.StandardButton.Save:
            return self.save()
        self.is_discarded = answer == QMessageBox.StandardButton.Discard
        return self.is_discarded

    def show_rescued(self, scene: Scene, origin: Path | None) -> None:
        """Show a scene that was autosaved before a crash, as unsaved changes of its file."""
        self.show_scene(scene, origin, "Restored")
        self._is_restored = True
        self._stage.session.undo_stack.resetClean()
        self.title_changed.emit(self.origin)

    # Internals.

    def _keep_aside(self) -> bool:
        """Keep the scene that the user leaves; return False if it cannot be written."""
        path = left_scenes.keep_scene(self.scene(), Path(self.name).stem)
        if path is None:
            return False
        self._memory.remember_file(path)
        self._messages.notify(f"“{self.name}” had unsaved changes: they are in File > Open recent.")
        return True

    def _show(self, document: Document, path: Path | None, title: str, note: str = "") -> None:
        self.replaced.emit()
        self._path, self._title = path, title
        self._is_restored = self.is_discarded = False
        # A file that is still being read must not replace this document.
        self._opening.drop()
        self._stage.session.reset(document, note)
        self._stage.playback.fit_speed_again()
        self._plane.navigation.fit()
        self.title_changed.emit(self.origin)

    def _show_read(
        self,
        path: Path | None,
        before: Document,
        content: Scene | PointSet,
        sentences: Sequence[str] = (),
        actions: Sequence[Action] = (),
    ) -> None:
        """Show a scene or points that were read, unless the user keeps the document.

        ``path`` is None for the text of a scene. ``before`` is the document at the time of the
        request. The sentences say how points were read; the actions read them in another way.
        """
        was_edited = self._stage.session.document is not before
        if was_edited and not self.may_leave():
            return
        if path is None:
            assert isinstance(content, Scene)
            self.show_scene(content, title=FROM_TEXT)
            return
        if isinstance(content, Scene):
            # The file of a kept scene may be removed, so Save must ask for another one.
            self.show_scene(content, None if left_scenes.is_kept(path) else path, path.name)
            self._memory.remember_file(path)
            return
        is_whole = len(content) <= MAX_SHOWN_POINTS
        if not is_whole:
            if not self._messages.may_sample(path, len(content)):
                return
            content = sample(content)
        old = self._stage.session.document
        task = "regression" if isinstance(content, TargetSet) else "classification"
        opened = replace(old.with_task(task, content), scaling="none")
        rescaled, note = rescale_kernel(opened, old)
        # The path of a sample is not stored, so that Save cannot overwrite the file of all points.
        self._show(rescaled, path if is_whole else None, path.name, note)
        self._forget_marks()
        self._memory.remember_file(path)
        if task != old.task:
            sentences = (read_as(content), *sentences)
            if old.is_regression:
                again = partial(self.open, str(path), old.task)
                actions = (("Read as a regression", again), *actions)
        if rescaled.many is not None:
            sentences = (_machine_sentence(rescaled), *sentences)
        if sentences:
            self._messages.notify(" ".join(sentences), actions)

    def _save(self, path: Path) -> bool:
        if self.busy or not (_is_scene(path) or self._messages.may_save_points(path)):
            return False
        scene = self.scene()
        try:
            self.tasks.run(f"Saving {path.name}…", lambda _: open_and_save.save(path, scene))
        except Cancelled:
            return False
        except BadInput as error:
            self._messages.warn_not_written(path, error)
            return False
        self._memory.remember_file(path)
        if _is_scene(path):
            self._path = path
            if self._stage.session.document is scene.document:
                self._stage.session.undo_stack.setClean()
        self.title_changed.emit(self.origin)
        return True


def _machine_sentence(document: Document) -> str:
    """Return the sentence on the classes of points that were read, and the machine looked at."""
    negative, positive = class_titles(document.data)
    others = ", the other points pale" if len(document.left_out) else ""
    return (
        f"{len(document.class_names)} classes. A machine separates some classes from others: the "
        f"plane shows {positive} against {negative}{others}."
    )


def _is_scene(path: Path) -> bool:
    return path.suffix.lower() == open_and_save.SCENE_ENDING

"""Figures with panels, which a separate process draws with ``svmviz render``.

Panels are widgets, so drawing them in this process would block the window. The other process can
draw several figures of one scene, and solves it only once. Its runs equal those of the window,
because the document alone determines every step of a run.
"""

from __future__ import annotations

import os
import tempfile
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from PySide6.QtGui import QImage

from solvers import BadInput
from solvers.cancelling import Cancelled, Report, check_cancelled, no_report
from solvers.processes import Child, ChildEnded
from svmviz.base.background import Worker
from svmviz.export.declared import options_from
from svmviz.export.figure_settings import PLANE, FigureSettings
from svmviz.io.open_and_save import save
from svmviz.io.paths import absolute_path
from svmviz.io.scene import Scene

# Time between two checks whether the work is cancelled, s.
CHECK_INTERVAL = 0.01
# Error if the process ends before it answers.
ENDED = "The process that draws has ended early."


def drawing_process() -> Child:
    """Return a process that draws (:mod:`svmviz.cli.drawing`), and shows no window."""
    # A figure at which it ends would end the next one too.
    return Child(
        "svmviz.cli.drawing", variables=lambda: {"QT_QPA_PLATFORM": "offscreen"}, restarts=0
    )


def draw_lecture(text: str, path: Path, report: Report = no_report) -> None:
    """Write a lecture as a PDF, a page for each stop, atomically.

    Raises
    ------
    BadInput
        If it cannot be drawn or written.
    Cancelled
        If the work of this thread is cancelled.
    """
    child = drawing_process()
    try:
        child.ask({"lecture": text, "output": str(absolute_path(path))}, report)
    except ChildEnded:
        raise BadInput(ENDED) from None
    finally:
        child.end()


class Drawer:
    """A process that draws figures of a scene. Methods may be called in any thread.

    Parameters
    ----------
    scene : Scene
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._child = drawing_process()
        # Held while a request is answered: while a figure is drawn, or the scene is solved.
        self._busy = threading.Lock()
        self._worker = Worker("svmviz-drawer")

    def prepare(self, settings: FigureSettings) -> None:
        """Make the process start and solve the scene, so that later figures are drawn sooner.

        This returns at once.
        """
        self._worker.do(lambda: self._prepare(settings))

    def _prepare(self, settings: FigureSettings) -> None:
        try:
            self.draw(settings, Path("none.png"), draws=False)
        except BadInput:
            # Drawing the figure will report the same error.
            return

    def draw(
        self,
        settings: FigureSettings,
        path: Path,
        report: Report = no_report,
        **options: Any,
    ) -> str:
        """Draw a figure, and write it to a file atomically; return how it differs from the request.

        ``options`` are those of a request; see `svmviz.cli.drawing`.

        Raises
        ------
        BadInput
            If the figure cannot be drawn or written.
        Cancelled
            If the work of this thread is cancelled, or the drawer is closed; then the file stays as
            it was.
        """
        while not self._busy.acquire(timeout=CHECK_INTERVAL):
            check_cancelled()
        try:
            if self._child.closed:
                raise Cancelled
            given = [self._scene_path(), "-o", str(absolute_path(path)), *arguments(settings)]
            return self._child.ask({"arguments": given, **options}, report)
        except (Cancelled, ChildEnded) as error:
            # Another request starts another process.
            self._child.end()
            if isinstance(error, Cancelled) or self._child.closed:
                raise Cancelled from None
            raise BadInput(ENDED) from None
        finally:
            self._busy.release()

    def close(self) -> None:
        """End the process; a figure that is being drawn is not written."""
        self._child.close()
        # A thread that waits for an answer gets none, and releases the lock.
        with self._busy:
            if self._folder is not None:
                self._folder.cleanup()

    def _scene_path(self) -> str:
        """Return the path of the scene's file, which is written at first."""
        if self._folder is None:
            # Windows removes no file that the process, which is about to end, still has open.
            self._folder = tempfile.TemporaryDirectory(prefix="svmviz-", ignore_cleanup_errors=True)
        path = Path(self._folder.name) / "scene.svmviz"
        if not os.path.exists(path):
            save(path, self._scene)
        return str(path)


@dataclass(frozen=True)
class ProcessFigure:
    """A figure that another process draws.

    Attributes
    ----------
    settings : FigureSettings
    drawer : Drawer
        The process, which draws figures of one scene.
    """

    settings: FigureSettings
    drawer: Drawer

    def write(self, path: Path, report: Report = no_report) -> str:
        """Draw the figure and write it to a file atomically; see `Drawer.draw`."""
        return self.drawer.draw(self.settings, path, report)

    def image(self, report: Report = no_report, **options: Any) -> tuple[QImage, str]:
        """Draw the figure as an image; return it, and how it differs from the request."""
        with tempfile.TemporaryDirectory(prefix="svmviz-") as folder:
            path = Path(folder) / "figure.png"
            note = self.drawer.draw(self.settings, path, report, **options)
            return QImage(str(path)), note


def arguments(settings: FigureSettings) -> list[str]:
    """Return settings as arguments of ``svmviz render``."""
    options = []
    for view in settings.views or (PLANE,):
        options += ["--view", view]
    for name in ("width", "height"):
        length = getattr(settings, name)
        options += [f"--{name}", f"{length.value:.10g}{length.unit}"]
    options += ["--lane", str(settings.lane + 1)]
    options += ["--derivation", settings.derivation] if settings.derivation else []
    for control, value in settings.choices:
        options += ["--choose", f"{control}={value}"]
    if settings.scale is not None:
        # Only one of the two options is allowed.
        settings = replace(settings, type_size=None)
    return [*options, *options_from(settings)]

"""A separate process that draws figures with panels.

Panels are widgets, so drawing them in this process would block the window. The other process can
draw several figures of one scene, and solves it only once. Its runs equal those of the window,
because the document alone determines every step of a run.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from solvers import BadInput
from solvers.cancelling import Cancelled, cancel_when
from solvers.processes import Child, ChildEnded, Report
from svmviz.base.background import Worker
from svmviz.io.open_and_save import save
from svmviz.io.paths import absolute_path
from svmviz.io.scene import Scene

# Time between two checks whether the work is cancelled, s.
CHECK_INTERVAL = 0.01
# Error if the process ends before it answers.
ENDED = "The process that draws has ended early."


class Drawer:
    """A process that draws figures of a scene. Methods may be called in any thread.

    Parameters
    ----------
    scene : Scene
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        # The process must not show a window. A figure at which it ends would end the next one too.
        variables = {"QT_QPA_PLATFORM": "offscreen"}
        self._child = Child("svmviz.cli.drawing", variables=variables, restarts=0)
        # Held while a request is answered: while a figure is drawn, or the scene is solved.
        self._busy = threading.Lock()
        self._worker = Worker("svmviz-drawer")

    def prepare(self, arguments: Sequence[str]) -> None:
        """Make the process start and solve the scene, so that later figures are drawn sooner.

        This returns at once.
        """
        self._worker.do(lambda: self._prepare(arguments))

    def _prepare(self, arguments: Sequence[str]) -> None:
        try:
            self._ask(arguments, Path("none.png"), lambda: False, draws=False)
        except BadInput:
            # Drawing the figure will report the same error.
            return

    def draw(
        self,
        arguments: Sequence[str],
        path: Path,
        cancelled: Callable[[], bool] = lambda: False,
        report: Report = lambda _: None,
        size: tuple[float, float] | None = None,
    ) -> str:
        """Draw a figure, and write it to a file atomically.

        Parameters
        ----------
        arguments : sequence of str
            Arguments of ``svmviz render`` after the file of the scene.
        path : Path
        cancelled : callable() -> bool
            Returns whether to stop; then nothing is written.
        report : callable(float)
            Called with the fraction of the work that is done, 0 to 1.
        size : (float, float), optional
            If given, write a PNG of at most this width and height, px, instead of the full figure.

        Returns
        -------
        str
            A sentence on what differs from the request; empty if nothing does, or if the work was
            cancelled.

        Raises
        ------
        BadInput
            If the figure cannot be drawn or written.
        """
        return self._ask(arguments, path, cancelled, report, size=size)

    def close(self) -> None:
        """End the process; a figure that is being drawn is not written."""
        self._child.close()
        # A thread that waits for an answer gets none, and releases the lock.
        with self._busy:
            if self._folder is not None:
                self._folder.cleanup()

    def _ask(
        self,
        arguments: Sequence[str],
        path: Path,
        cancelled: Callable[[], bool],
        report: Report = lambda _: None,
        **options: Any,
    ) -> str:
        """Return the answer to a request; empty if it is cancelled or this drawer is closed."""
        while not self._busy.acquire(timeout=CHECK_INTERVAL):
            if cancelled():
                return ""
        try:
            if self._child.closed or cancelled():
                return ""
            arguments = [self._scene_path(), "-o", str(absolute_path(path)), *arguments]
            with cancel_when(cancelled):
                return self._child.ask({"arguments": arguments, **options}, report)
        except (Cancelled, ChildEnded) as error:
            # Another request starts another process.
            self._child.end()
            if isinstance(error, Cancelled) or self._child.closed:
                return ""
            raise BadInput(ENDED) from None
        finally:
            self._busy.release()

    def _scene_path(self) -> str:
        """Return the path of the scene's file, which is written at first."""
        if self._folder is None:
            folder = tempfile.TemporaryDirectory(prefix="svmviz-")
            save(Path(folder.name) / "scene.svmviz", self._scene)
            self._folder = folder
        return str(Path(self._folder.name) / "scene.svmviz")

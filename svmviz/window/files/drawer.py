"""A separate process that draws figures with panels.

Panels are widgets, so drawing them in this process would block the window. The other process can
draw several figures of one scene, and solves it only once. Its runs equal those of the window,
because the document alone determines every step of a run.
"""

from __future__ import annotations

import json
import queue
import tempfile
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solvers import BadInput
from solvers.processes import end_process, start_python
from svmviz.io.open_and_save import save
from svmviz.io.scene import Scene

if TYPE_CHECKING:
    from subprocess import Popen

# Time between two checks whether the work is cancelled, s.
CHECK_INTERVAL = 0.01
# Error if the process ends before it has answered.
ENDED = "The process that draws has ended early."


class Drawer:
    """Controls a process that draws figures of a scene. Methods may be called in any thread.

    Parameters
    ----------
    scene : Scene
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._process: Popen[str] | None = None
        self._answers: queue.Queue[str | None] = queue.Queue()
        # Held while a request is answered: while a figure is drawn, or the scene is solved.
        self._busy = threading.Lock()
        self._closed = False

    def __enter__(self) -> Drawer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def prepare(self, arguments: Sequence[str]) -> None:
        """Make the process start and solve the scene, so that later figures are drawn sooner.

        This returns at once.
        """
        threading.Thread(
            target=self._prepare, args=(arguments,), name="svmviz-drawer", daemon=True
        ).start()

    def _prepare(self, arguments: Sequence[str]) -> None:
        try:
            self._ask(arguments, Path("none.png"), lambda: self._closed, draws=False)
        except BadInput:
            # Drawing the figure will report the same error.
            return

    def draw(
        self,
        arguments: Sequence[str],
        path: Path,
        cancelled: Callable[[], bool] = lambda: False,
        report: Callable[[float], None] = lambda _: None,
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
        """End the process and return at once; a figure that is being drawn is not written."""
        self._closed = True
        threading.Thread(target=self._close, name="svmviz-drawer", daemon=True).start()

    def _close(self) -> None:
        process = self._process
        if process is not None:
            process.terminate()
        with self._busy:
            self._end()
            if self._folder is not None:
                self._folder.cleanup()

    def _ask(
        self,
        arguments: Sequence[str],
        path: Path,
        cancelled: Callable[[], bool],
        report: Callable[[float], None] = lambda _: None,
        **options: Any,
    ) -> str:
        """Send a request to the process, and return the sentence in the answer."""
        while not self._busy.acquire(timeout=CHECK_INTERVAL):
            if cancelled():
                return ""
        try:
            if self._closed or cancelled():
                return ""
            process, scene = self._ensure_process()
            request = {"arguments": [str(scene), "-o", str(path.absolute()), *arguments], **options}
            try:
                assert process.stdin is not None
                process.stdin.write(json.dumps(request) + "\n")
                process.stdin.flush()
            except OSError:
                self._end()
                raise BadInput(ENDED) from None
            return self._await_answer(cancelled, report)
        finally:
            self._busy.release()

    def _await_answer(self, cancelled: Callable[[], bool], report: Callable[[float], None]) -> str:
        """Await a request, report its progress, and return the sentence in its answer."""
        while True:
            try:
                line = self._answers.get(timeout=CHECK_INTERVAL)
            except queue.Empty:
                if cancelled() or self._closed:
                    self._end()
                    return ""
                continue
            if line is None:
                self._end()
                if self._closed or cancelled():
                    return ""
                raise BadInput(ENDED)
            answer = json.loads(line)
            if "share" in answer:
                try:
                    report(answer["share"])
                except BaseException:
                    self._end()
                    raise
            elif "error" in answer:
                raise BadInput(answer["error"])
            else:
                return answer["note"]

    def _ensure_process(self) -> tuple[Popen[str], Path]:
        """Return the process, which is started if necessary, and the file of the scene."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="svmviz-")
            save(Path(self._folder.name) / "scene.svmviz", self._scene)
        if self._process is None:
            # The process must not show a window.
            variables = {"QT_QPA_PLATFORM": "offscreen"}
            self._process = start_python("svmviz.cli.drawing", variables=variables)
            self._answers = queue.Queue()
            args = self._process, self._answers
            threading.Thread(target=_read, args=args, name="svmviz-answers", daemon=True).start()
        return self._process, Path(self._folder.name) / "scene.svmviz"

    def _end(self) -> None:
        """End the process; another request starts a new one."""
        process, self._process = self._process, None
        if process is not None:
            end_process(process)


def _read(process: Popen[str], answers: queue.Queue[str | None]) -> None:
    """Put the lines of the process's output into the queue, and None at the end."""
    assert process.stdout is not None
    with process.stdout:
        for line in process.stdout:
            answers.put(line)
    answers.put(None)

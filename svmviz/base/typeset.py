"""Typesetting of formulas in another thread, and in the window in another process.

Typesetting a formula takes some tens of milliseconds, too long for the GUI thread. So ``request``
does it in Qt's thread pool, and results are cached. ziamath is pure Python, so such a thread would
hold the interpreter lock while the window wants it. Therefore the window has a process that
typesets formulas (`typesetting_elsewhere`), and the thread only waits for its answers.
"""

from __future__ import annotations

import contextlib
import functools
import json
import logging
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal

from solvers.processes import end_process, start_python
from svmviz.base.latex import Typeset, typeset_line

if TYPE_CHECKING:
    from subprocess import Popen

# Maximum number of starts of the process, which is started again if it ends too early.
MAX_STARTS = 3
log = logging.getLogger(__name__)


class Typesetter:
    """A handle of the process that typesets formulas. Methods may be called in any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: Popen[str] | None = None
        self._starts = 0

    def typeset(self, latex: str) -> Typeset | None:
        """Let the process typeset one line; return None if it cannot."""
        with self._lock:
            while self._process is not None or self._start():
                answer = self._ask(latex)
                if answer:
                    fields = json.loads(answer)
                    return None if fields is None else Typeset(*fields)
                self._end()
        return None

    def _ask(self, latex: str) -> str:
        """Return the line with which the process answers; empty if the process has ended."""
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(latex) + "\n")
            process.stdin.flush()
            return process.stdout.readline()
        except OSError:
            return ""

    def _start(self) -> bool:
        if self._starts == MAX_STARTS:
            return False
        self._starts += 1
        try:
            self._process = start_python("svmviz.base.latex")
        except OSError:
            log.exception("The process that typesets formulas cannot be started")
            return False
        return True

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            end_process(process)
            if process.stdout is not None:
                process.stdout.close()

    def close(self) -> None:
        """End the process. Formulas that are requested later are typeset in this process."""
        self._starts = MAX_STARTS
        process = self._process
        if process is not None:
            # A thread that waits for an answer gets none, and releases the lock.
            process.kill()
        with self._lock:
            self._end()


# The typesetter of the current block of `typesetting_elsewhere`; None outside such a block.
_typesetter: Typesetter | None = None


@contextlib.contextmanager
def typesetting_elsewhere() -> Iterator[None]:
    """Let another process typeset the formulas that are requested within this block."""
    global _typesetter
    previous, typesetter = _typesetter, Typesetter()
    _typesetter = typesetter
    try:
        yield
    finally:
        typesetter.close()
        _typesetter = previous


@functools.lru_cache(maxsize=1000)
def typeset(latex: str) -> Typeset:
    """Typeset one line of LaTeX, without dollar signs, and wait for the result."""
    # Another thread may end the block of `typesetting_elsewhere` at any time.
    typesetter = _typesetter
    found = typesetter.typeset(latex) if typesetter is not None else None
    return typeset_line(latex) if found is None else found


class _Notifier(QObject):
    """Holds the signal that lines are typeset. Qt drops the connection of a deleted receiver."""

    ready = Signal(object, object)


class _TypesetTask(QRunnable):
    """Task that typesets a few lines in a thread of the pool."""

    def __init__(self, lines: tuple[str, ...], notifier: _Notifier) -> None:
        super().__init__()
        self._lines, self._notifier = lines, notifier

    def run(self) -> None:
        lines = tuple(typeset(line) for line in self._lines)
        # If the application has ended since, Qt has deleted the notifier.
        with contextlib.suppress(RuntimeError):
            self._notifier.ready.emit(self._lines, lines)
            # ``deleteLater`` deletes the notifier in the thread that made it.
            self._notifier.deleteLater()


def request(
    lines: tuple[str, ...],
    on_ready: Callable[[tuple[str, ...], tuple[Typeset, ...]], None],
) -> None:
    """Typeset lines in another thread; then the calling thread runs ``on_ready(lines, results)``.

    ``on_ready`` must be a method of a QObject. It is not called if that object has been deleted.
    """
    notifier = _Notifier()
    notifier.ready.connect(on_ready)
    QThreadPool.globalInstance().start(_TypesetTask(lines, notifier))

"""Typesetting of formulas in another thread, and in the window in another process.

Typesetting a formula takes some tens of milliseconds, too long for the GUI thread. So ``request``
does it in Qt's thread pool, and results are cached. ziamath is pure Python, so such a thread would
hold the interpreter lock while the window wants it. Therefore the window has a process that
typesets formulas (`typesetting_elsewhere`), and the thread only waits for its answers.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal

from solvers.processes import Child, ChildEnded
from svmviz.base.latex import Typeset, typeset_line

# The module that the process runs.
PROGRAM = "svmviz.base.latex"
# The process of the current block of `typesetting_elsewhere`; None outside such a block.
_child: Child | None = None


@contextlib.contextmanager
def typesetting_elsewhere() -> Iterator[None]:
    """Let another process typeset the formulas that are requested within this block."""
    global _child
    previous, child = _child, Child(PROGRAM)
    _child = child
    try:
        yield
    finally:
        child.close()
        _child = previous


@functools.lru_cache(maxsize=1000)
def typeset(latex: str) -> Typeset:
    """Typeset one line of LaTeX, without dollar signs, and wait for the result."""
    # Another thread may end the block of `typesetting_elsewhere` at any time.
    child = _child
    if child is not None:
        with contextlib.suppress(ChildEnded):
            fields = child.ask(latex)
            if fields is not None:
                return Typeset(*fields)
    return typeset_line(latex)


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

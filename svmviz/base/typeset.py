r"""LaTeX formulas as SVG, made by ziamath, a Python package with its own mathematical font.

Typesetting a formula takes some tens of milliseconds, too long for the GUI thread. So ``request``
does it in Qt's thread pool, and results are cached.
"""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal

# The caches of ziamath are not safe for two threads.
_one_at_a_time = threading.Lock()


@dataclass(frozen=True)
class Typeset:
    """A typeset formula.

    Attributes
    ----------
    svg : bytes
        The SVG file.
    width, height : float
        Size of the formula at the text size that was requested, px.
    """

    svg: bytes
    width: float
    height: float


@functools.lru_cache(maxsize=400)
def typeset(latex: str, size: float, colour: str) -> Typeset:
    """Typeset one line.

    Parameters
    ----------
    latex : str
        The formula in LaTeX, without dollar signs.
    size : float
        Text size, px.
    colour : str
        A colour such as ``"#202020"``.
    """
    import ziamath

    with _one_at_a_time:
        # In the older form of SVG each glyph is a path. Qt draws only this form reliably.
        ziamath.config.svg2 = False
        line = ziamath.Latex(latex, size=size, color=colour)
        width, height = line.getsize()
        return Typeset(line.svg().encode(), float(width), float(height))


class _Notifier(QObject):
    """Holds the signal that lines are typeset. Qt drops the connection of a deleted receiver."""

    ready = Signal(object, object)


class _TypesetTask(QRunnable):
    """Task that typesets a few lines in a thread of the pool."""

    def __init__(
        self, lines: tuple[str, ...], size: float, colour: str, notifier: _Notifier
    ) -> None:
        super().__init__()
        self._lines, self._size, self._colour, self._notifier = lines, size, colour, notifier

    def run(self) -> None:
        lines = tuple(typeset(line, self._size, self._colour) for line in self._lines)
        # If the application has ended since, Qt has deleted the notifier.
        with contextlib.suppress(RuntimeError):
            self._notifier.ready.emit(self._lines, lines)
            # ``deleteLater`` deletes the notifier in the thread that made it.
            self._notifier.deleteLater()


def request(
    lines: tuple[str, ...],
    size: float,
    colour: str,
    on_ready: Callable[[tuple[str, ...], tuple[Typeset, ...]], None],
) -> None:
    """Typeset lines in another thread; then the calling thread runs ``on_ready(lines, results)``.

    ``on_ready`` must be a method of a QObject. It is not called if that object has been deleted.
    """
    notifier = _Notifier()
    notifier.ready.connect(on_ready)
    QThreadPool.globalInstance().start(_TypesetTask(lines, size, colour, notifier))

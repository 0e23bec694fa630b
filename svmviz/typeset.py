r"""LaTeX formulas as SVG, by ziamath: pure Python with a mathematical font of its own.

Setting a formula takes some tens of milliseconds, too long for the GUI thread; ``request`` does
it in Qt's pool of threads, and what was set once is remembered.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QRunnable, QThreadPool

# ziamath keeps caches of its own that do not expect two threads.
_one_at_a_time = threading.Lock()


@dataclass(frozen=True)
class Typeset:
    """A formula, set.

    Attributes
    ----------
    svg : bytes
    width, height : float
        Size at the type size it was set in, px.
    """

    svg: bytes
    width: float
    height: float


@functools.lru_cache(maxsize=400)
def typeset(latex: str, size: float, colour: str) -> Typeset:
    """Set one line.

    Parameters
    ----------
    latex : str
        Without dollars.
    size : float
        Type size, px.
    colour : str
        As in ``"#202020"``.
    """
    import ziamath

    with _one_at_a_time:
        # Qt draws the older form, with one path a glyph, reliably.
        ziamath.config.svg2 = False
        line = ziamath.Latex(latex, size=size, color=colour)
        width, height = line.getsize()
        return Typeset(line.svg().encode(), float(width), float(height))


class _Setting(QRunnable):
    """Sets a few lines in a thread of the pool."""

    def __init__(self, lines: tuple[str, ...], size: float, colour: str, done: Callable) -> None:
        super().__init__()
        self._lines, self._size, self._colour, self._done = lines, size, colour, done

    def run(self) -> None:
        lines = tuple(typeset(line, self._size, self._colour) for line in self._lines)
        self._done(self._lines, lines)


def request(
    lines: tuple[str, ...],
    size: float,
    colour: str,
    done: Callable[[tuple[str, ...], tuple[Typeset, ...]], None],
) -> None:
    """Set lines in another thread, which then calls ``done(lines, typeset lines)``.

    ``done`` must be the ``emit`` of a signal, which brings the result to its own thread.
    """
    QThreadPool.globalInstance().start(_Setting(lines, size, colour, done))

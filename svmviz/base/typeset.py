r"""LaTeX formulas as SVG, by ziamath: pure Python with a mathematical font of its own.

Setting a formula takes some tens of milliseconds, too long for the GUI thread; ``request`` does
it in Qt's pool of threads, and what was set once is remembered.
"""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal

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


class _Voice(QObject):
    """Says that lines are set; a widget that is gone by then does not hear it."""

    ready = Signal(object, object)


class _Setting(QRunnable):
    """Sets a few lines in a thread of the pool."""

    def __init__(self, lines: tuple[str, ...], size: float, colour: str, voice: _Voice) -> None:
        super().__init__()
        self._lines, self._size, self._colour, self._voice = lines, size, colour, voice

    def run(self) -> None:
        lines = tuple(typeset(line, self._size, self._colour) for line in self._lines)
        # Where the application has ended meanwhile, Qt has taken the voice away.
        with contextlib.suppress(RuntimeError):
            self._voice.ready.emit(self._lines, lines)
            # Ended by the thread that made it.
            self._voice.deleteLater()


def request(
    lines: tuple[str, ...],
    size: float,
    colour: str,
    done: Callable[[tuple[str, ...], tuple[Typeset, ...]], None],
) -> None:
    """Set lines in another thread; then ``done(lines, typeset lines)`` is called in this one.

    ``done`` must be a method of a QObject, so that it is left out where that is gone.
    """
    voice = _Voice()
    voice.ready.connect(done)
    QThreadPool.globalInstance().start(_Setting(lines, size, colour, voice))

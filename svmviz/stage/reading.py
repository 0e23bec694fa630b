"""The derivation that is read beside the plane, and how far."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from svmviz.frames.frame import Frame
from svmviz.lessons.derivations import Derivation, derivations, show


class Reading(QObject):
    """A derivation, of which the first lines are shown.

    Attributes
    ----------
    is_open : bool
        Whether a view shows it. Then Right and Left go from line to line, and beyond its last line
        from step to step.
    panel_titles : callable() -> dict of str to str
        Returns the titles of the panels that suit the document, by name. The window sets it; by
        default there are none.

    Signals
    -------
    changed()
        Another derivation is read, or another line.
    panel_requested(str)
        The reader wants to see the panel of this name, which the derivation concerns.
    """

    changed = Signal()
    panel_requested = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.is_open = False
        self.panel_titles: Callable[[], dict[str, str]] = dict
        self._name = ""
        self._line = 0

    @property
    def derivation(self) -> Derivation:
        """The derivation that is read; at the start, the first one."""
        known = derivations()
        return known[self._name] if self._name in known else next(iter(known.values()))

    @property
    def line(self) -> int:
        """Index of the line that is read: the last one shown."""
        return min(self._line, len(self.derivation.lines) - 1)

    def choose(self, name: str) -> None:
        """Read another derivation from its first line."""
        self._name, self._line = name, 0
        self.changed.emit()

    def read_all(self, name: str, frame: Frame) -> None:
        """Read a derivation to its last line; without a name, the first that has numbers."""
        known = derivations()
        suited = (found.name for found in known.values() if not show(found, frame).trouble)
        self._name = name or next(suited, "")
        self._line = len(self.derivation.lines) - 1
        self.changed.emit()

    def go_to(self, line: int) -> None:
        """Read a line of the derivation."""
        if 0 <= line < len(self.derivation.lines) and line != self.line:
            self._line = line
            self.changed.emit()

    def go(self, direction: int) -> bool:
        """Go one line on or back; return False if none is open, or there is no further line."""
        line = self.line
        if self.is_open:
            self.go_to(line + direction)
        return self.line != line

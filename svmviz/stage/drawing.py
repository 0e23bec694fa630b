"""The strokes of the pen on the plane, and what undoes them."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from svmviz.document.pen import COLOURS, Stroke, newest_strokes
from svmviz.document.view_options import ViewOptions
from svmviz.stage.view_state import ViewState

Strokes = tuple[Stroke, ...]


class Drawing(QObject):
    """The strokes among the options of the plane, as the user draws and undoes them.

    Attributes
    ----------
    colour : str
        The colour of the next stroke.
    in_hand : bool
        Whether the pen is the tool in use, so that undo and redo are those of strokes.
    pending : Stroke or None
        The stroke that is being drawn.

    Signals
    -------
    changed()
        Any of this has changed.
    drawn(tuple of Stroke)
        The user has drawn, undone or wiped strokes; these are there now.
    """

    changed = Signal()
    drawn = Signal(object)

    def __init__(self, view: ViewState) -> None:
        super().__init__()
        self._view = view
        self.colour, self.in_hand = COLOURS[0], False
        self.pending: Stroke | None = None
        self._before: list[Strokes] = []
        self._after: list[Strokes] = []
        # The strokes that were drawn here last. Others come with another scene.
        self._own = view.options.strokes
        view.changed.connect(self._follow)

    @property
    def strokes(self) -> Strokes:
        """The strokes on the plane, without the one that is being drawn."""
        return self._view.options.strokes

    @property
    def can_undo(self) -> bool:
        """Whether there is a stroke, or one that was wiped."""
        return bool(self._before or self.strokes)

    @property
    def can_redo(self) -> bool:
        """Whether a stroke was undone."""
        return bool(self._after)

    @property
    def options(self) -> ViewOptions:
        """The options of the plane, with the stroke that is being drawn."""
        if self.pending is None:
            return self._view.drawn
        return replace(self._view.drawn, strokes=(*self.strokes, self.pending))

    def take(self, in_hand: bool) -> None:
        """Take the pen, or put it away."""
        if in_hand != self.in_hand:
            self.in_hand = in_hand
            self.changed.emit()

    def choose(self, colour: str) -> None:
        """Choose the colour of the next stroke."""
        self.colour = colour
        self.changed.emit()

    def show_pending(self, stroke: Stroke | None) -> None:
        """Show the stroke that is being drawn."""
        self.pending = stroke
        self.changed.emit()

    def add(self, stroke: Stroke) -> None:
        """Add a stroke; if there are too many, the first ones go."""
        self._draw(newest_strokes((*self.strokes, stroke)))

    def wipe(self) -> None:
        """Remove all strokes; undo brings them back."""
        if self.strokes:
            self._draw(())

    def undo(self) -> None:
        """Undo the last stroke, or wiping; of a stop that was opened, remove its last stroke."""
        if self.can_undo:
            self._after.append(self.strokes)
            self._put(self._before.pop() if self._before else self.strokes[:-1])

    def redo(self) -> None:
        """Draw again what was undone."""
        if self._after:
            self._before.append(self.strokes)
            self._put(self._after.pop())

    def _draw(self, strokes: Strokes) -> None:
        self._before.append(self.strokes)
        self._after.clear()
        self._put(strokes)

    def _put(self, strokes: Strokes) -> None:
        self._own = strokes
        self._view.set(strokes=strokes)
        self.changed.emit()
        self.drawn.emit(strokes)

    def _follow(self) -> None:
        if self.strokes != self._own:
            self._own = self.strokes
            self._before.clear()
            self._after.clear()
            self.changed.emit()

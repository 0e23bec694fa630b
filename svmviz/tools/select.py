"""Selecting by click, Shift-click and rubber band; selected points are dragged together."""

from __future__ import annotations

from PySide6.QtCore import Qt

from svmviz.tools.add import Add
from svmviz.tools.base import Pointer


class Select(Add):
    """Tool that selects and drags points. A click where no point is deselects all points."""

    cursor = Qt.CursorShape.ArrowCursor

    def press(self, pointer: Pointer) -> None:
        super().press(pointer)
        session, index = self.stage.session, self._index
        # Select the point at the press, to show which points a drag will move.
        selection = session.editable_selection
        if index is not None and index not in selection and not pointer.shift:
            session.select((index,))
            # A gesture stores the selection when it starts, so start it again.
            if self._gesture is not None:
                super().press(pointer)

    def _click(self, pointer: Pointer, index: int | None) -> None:
        if index is not None:
            super()._click(pointer, index)
        elif not pointer.shift:
            self.stage.session.select(())

"""A frame around controls, which are as large as the window of a hall requires."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QWidget

from svmviz.widgets.styling import TypeFollower, apply_own_sizes


class HallFrame(TypeFollower, QFrame):
    """Frame whose style sheet and font are those of `look_of` its window."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.follow_style(HallFrame.fit)

    def fit(self) -> None:
        """Apply the sizes of the window; called after each change of them."""
        apply_own_sizes(self)

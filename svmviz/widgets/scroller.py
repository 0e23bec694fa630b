"""Scroll area for content that may be higher than its dock."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

# Maximum of the minimum size of a panel, px: the space in a window of 1024 x 700 px at the largest
# type. Otherwise the window would grow beyond its screen.
MAX_NEEDED = QSize(590, 230)


class Scroller(QScrollArea):
    """Scroll area that is as wide as its content needs.

    If it ``may_be_lower``, the content may be higher than the area. Otherwise the area is as high
    as the content needs, up to a limit for small screens.

    Parameters
    ----------
    content : QWidget
    may_be_lower : bool
        Whether the area may be lower than its content, on every screen.
    parent : QWidget, optional
    """

    def __init__(
        self, content: QWidget, may_be_lower: bool = True, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.content = content
        self._may_be_lower = may_be_lower
        self.setWidget(content)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        # With focus, Tab would stop here, and the arrow keys would scroll instead of moving to the
        # next step.
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        content.installEventFilter(self)

    def sizeHint(self) -> QSize:
        return super().sizeHint() if self._may_be_lower else self.content.sizeHint()

    def minimumSizeHint(self) -> QSize:
        least = self.content.minimumSizeHint().expandedTo(self.content.minimumSize())
        if self._may_be_lower:
            bar = self.verticalScrollBar().sizeHint().width()
            least = QSize(least.width() + bar, super().minimumSizeHint().height())
        return least.boundedTo(MAX_NEEDED)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            # The content needs another width.
            self.updateGeometry()
        return super().eventFilter(watched, event)  # type: ignore[arg-type]

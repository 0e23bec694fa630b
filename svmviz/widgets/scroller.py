"""Scroll area for content that may be higher than its dock."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

# Largest minimum size of a scroll area, px: the space for a panel in a window of 1024 x 700 px with
# the largest type. With a larger minimum, the window would grow beyond a screen of this size.
MAX_NEEDED = QSize(590, 230)


class Scroller(QScrollArea):
    """Scroll area that is at least as wide as its content needs, up to ``MAX_NEEDED``.

    Parameters
    ----------
    content : QWidget
    may_be_lower : bool
        Whether the layout may make the area lower than its content, which then scrolls. If not, the
        area is at least as high as the content needs, up to ``MAX_NEEDED``.
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
        # If the area had the focus, arrow keys would scroll it instead of moving to the next step,
        # and Tab would stop at it.
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        content.installEventFilter(self)

    def sizeHint(self) -> QSize:
        return super().sizeHint() if self._may_be_lower else self.content.sizeHint()

    def minimumSizeHint(self) -> QSize:
        size = self.content.minimumSizeHint().expandedTo(self.content.minimumSize())
        if self._may_be_lower:
            bar = self.verticalScrollBar().sizeHint().width()
            size = QSize(size.width() + bar, super().minimumSizeHint().height())
        return size.boundedTo(MAX_NEEDED)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            # The minimum size of the content may have changed, and with it that of the area.
            self.updateGeometry()
        return super().eventFilter(watched, event)  # type: ignore[arg-type]

"""Scroll area for content that may be higher than its dock."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

# What a window of 1024 x 700 px leaves a panel at the largest type, px: no panel asks for more, or
# the window would grow beyond its screen.
MAX_NEEDED = QSize(590, 230)


class Scroller(QScrollArea):
    """Scroll area that is as wide as its content needs.

    With ``low`` the content may be higher than the area; otherwise the area is as high as the
    content needs, within what a small screen allows.

    Parameters
    ----------
    content : QWidget
    low : bool
        Whether it may always be lower than its content needs.
    parent : QWidget, optional
    """

    def __init__(self, content: QWidget, low: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.content = content
        self._low = low
        self.setWidget(content)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        # Otherwise Tab would stop here, and arrows would scroll instead of stepping.
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        content.installEventFilter(self)

    def sizeHint(self) -> QSize:
        return super().sizeHint() if self._low else self.content.sizeHint()

    def minimumSizeHint(self) -> QSize:
        least = self.content.minimumSizeHint().expandedTo(self.content.minimumSize())
        if self._low:
            bar = self.verticalScrollBar().sizeHint().width()
            least = QSize(least.width() + bar, super().minimumSizeHint().height())
        return least.boundedTo(MAX_NEEDED)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            # The content needs another width.
            self.updateGeometry()
        return super().eventFilter(watched, event)  # type: ignore[arg-type]

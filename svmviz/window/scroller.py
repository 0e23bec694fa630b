"""A place for what may be higher than its room."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget


class Scroller(QScrollArea):
    """Scrolls up and down, but never cuts anything at the side.

    Parameters
    ----------
    content : QWidget
    """

    def __init__(self, content: QWidget) -> None:
        super().__init__()
        self.content = content
        self.setWidget(content)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Else Tab would stop here, and arrows would scroll instead of stepping.
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        content.installEventFilter(self)

    def minimumSizeHint(self) -> QSize:
        bar = self.verticalScrollBar().sizeHint().width()
        return QSize(
            self.content.minimumSizeHint().width() + bar, super().minimumSizeHint().height()
        )

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            # The content is wider or narrower than it was, and so is what the dock must leave it.
            self.updateGeometry()
        return super().eventFilter(watched, event)  # type: ignore[arg-type]

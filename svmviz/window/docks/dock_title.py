"""The title bar of a dock: its name, or the row of its views, and two buttons.

It replaces Qt's own title bar, whose buttons ignore the sizes of the style sheet.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSpacerItem, QWidget

from svmviz.theme import STRONG, TITLE, active, font
from svmviz.widgets.icon_button import SmallButton
from svmviz.widgets.styling import StyleFollower
from svmviz.window.docks.panel_dock import PanelDock
from svmviz.window.docks.view_row import ViewRow

# Minimum height of the bar, px at scale 1.
MIN_HEIGHT = 31


class DockTitle(StyleFollower, QWidget):
    """A title bar. Dragging it moves the dock.

    A row of views stands in place of the name, or below it if there is too little width.

    Parameters
    ----------
    dock : PanelDock

    Attributes
    ----------
    views : ViewRow or None
        The views among which the dock chooses.
    help : SmallButton
        The "?".
    """

    def __init__(self, dock: PanelDock) -> None:
        super().__init__(dock)
        self._dock = dock
        self.views: ViewRow | None = None
        self._is_inline = True
        self.setProperty("role", "dock-title")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._layout = QHBoxLayout(self)
        # The place for the name, which is painted, or for the row of views.
        self._room = QSpacerItem(0, 0)
        self._layout.addItem(self._room)
        self.help = self._button("question-mark", "What this shows")
        self.close_ = self._button("close", "Close; open it again by View > Panels")
        self.close_.clicked.connect(dock.close)
        dock.windowTitleChanged.connect(self._place)
        self.follow_style(DockTitle._place)

    def set_views(self, views: ViewRow) -> None:
        """Add the row of views, a child of this bar."""
        self.views = views
        self._place()
        views.show()

    def _button(self, picture: str, tip: str) -> SmallButton:
        button = SmallButton(picture, tip)
        button.setAccessibleName(f"{tip}: {self._dock.windowTitle()}")
        self._layout.addWidget(button)
        return button

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        """Make room for the name, and put the row of views into the bar, or below the name."""
        space, below = active().metrics.space, 0
        height = active().metrics.px(MIN_HEIGHT) - 2 * space(1)
        if self.views is not None:
            size = self.views.sizeHint()
            buttons = sum(b.sizeHint().width() for b in (self.help, self.close_))
            room = self.width() - buttons - space(6)
            self._is_inline = size.width() <= room
            if self._is_inline:
                height = size.height() - space(1)
                top = (self.height() - size.height()) // 2
                self.views.setGeometry(space(2), top, size.width(), size.height())
            else:
                below, height = size.height(), height + space(1)
                self.views.setGeometry(
                    space(2), self.height() - below - space(1), self.width() - space(4), below
                )
        name = QFontMetricsF(font(TITLE, STRONG)).horizontalAdvance(self._dock.windowTitle())
        width, policy = int(name) + space(3), QSizePolicy.Policy
        if self._room.sizeHint() != QSize(width, height):
            self._room.changeSize(width, height, policy.Expanding, policy.Minimum)
            self._layout.setSpacing(space(0.5))
        self._layout.setContentsMargins(space(3), space(1), space(2), space(1) + below)
        self.update()

    def event(self, event: QEvent) -> bool:
        # After a change of style, the row of views has another size.
        if event.type() == QEvent.Type.LayoutRequest:
            self._place()
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        left = active().metrics.space(3)
        with QPainter(self) as painter:
            painter.setFont(font(TITLE, STRONG))
            painter.setPen(self.palette().windowText().color())
            room = self.help.x() - left
            text = QFontMetricsF(painter.font()).elidedText(
                self._dock.windowTitle(), Qt.TextElideMode.ElideRight, room
            )
            flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            if self.views is None or not self._is_inline:
                box = self.help.geometry()
                painter.drawText(left, box.y(), room, box.height(), flags, text)
            if self._dock.hasFocus():
                pen = QPen(QColor(active().theme.focus), active().metrics.stroke(2))
                painter.setPen(pen)
                inset = 0.5 * pen.widthF()
                painter.drawRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset))

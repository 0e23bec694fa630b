"""The title bar of a dock: its name, or the row of its views, and two buttons.

It replaces Qt's own title bar, whose buttons ignore the sizes of the style sheet.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from svmviz.theme import STRONG, TITLE, active, font
from svmviz.theme.icons import icon
from svmviz.widgets.plain_text import set_tip
from svmviz.widgets.styling import StyleFollower
from svmviz.window.docks.panel_dock import PanelDock
from svmviz.window.docks.view_row import ViewRow

# Side of an icon, and minimum height of the bar, px at scale 1.
ICON_SIDE, MIN_HEIGHT = 14, 31


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
    help : QToolButton
        The "?".
    """

    def __init__(self, dock: PanelDock) -> None:
        super().__init__(dock)
        self._dock = dock
        self._cached_hints: tuple[QSize, QSize] | None = None
        self.views: ViewRow | None = None
        self._is_inline = True
        self.setProperty("role", "dock-title")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._layout = QHBoxLayout(self)
        self._layout.addStretch(1)
        self.help = self._button("question-mark", "What this shows")
        self.close_ = self._button("close", "Close; open it again by View > Panels")
        self.close_.clicked.connect(dock.close)
        dock.windowTitleChanged.connect(self._on_renamed)
        self.follow_style(DockTitle._apply_style)

    def set_views(self, views: ViewRow) -> None:
        """Add the row of views, a child of this bar."""
        self.views = views
        self._apply_style()
        views.show()

    def _on_renamed(self) -> None:
        self._cached_hints = None
        self.updateGeometry()
        self.update()

    def _button(self, picture: str, tip: str) -> QToolButton:
        button = QToolButton(self)
        button.setIcon(icon(picture))
        set_tip(button, tip)
        button.setAccessibleName(f"{tip}: {self._dock.windowTitle()}")
        button.setProperty("role", "small")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._layout.addWidget(button)
        return button

    def _apply_style(self) -> None:
        space, side = active().metrics.space, active().metrics.px(ICON_SIDE)
        self._layout.setSpacing(space(0.5))
        self._place_views()
        for button in (self.help, self.close_):
            button.setIconSize(QSize(side, side))
        self.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_views()

    def _place_views(self) -> None:
        """Put the row of views into the bar, or below the name."""
        space, below = active().metrics.space, 0
        if self.views is not None:
            size = self.views.sizeHint()
            buttons = sum(b.sizeHint().width() for b in (self.help, self.close_))
            room = self.width() - buttons - space(6)
            self._is_inline = size.width() <= room
            if self._is_inline:
                top = (self.height() - size.height()) // 2
                self.views.setGeometry(space(2), top, size.width(), size.height())
            else:
                below = size.height()
                self.views.setGeometry(
                    space(2), self.height() - below - space(1), self.width() - space(4), below
                )
        self._layout.setContentsMargins(space(3), space(1), space(2), space(1) + below)

    def minimumSizeHint(self) -> QSize:
        return self._hints[0]

    def sizeHint(self) -> QSize:
        return self._hints[1]

    @property
    def _hints(self) -> tuple[QSize, QSize]:
        """Minimum and preferred size, cached because each layout reads them dozens of times."""
        if self._cached_hints is None:
            buttons, px = self._layout.minimumSize(), active().metrics.px
            least = px(MIN_HEIGHT)
            if self.views is not None:
                row = self.views.sizeHint().height()
                least = row + active().metrics.space(1) + (0 if self._is_inline else least)
            smallest = QSize(buttons.width(), max(buttons.height(), least))
            name_width = QFontMetricsF(font(TITLE, STRONG)).horizontalAdvance(
                self._dock.windowTitle()
            )
            width = smallest.width() + int(name_width) + active().metrics.space(3)
            self._cached_hints = smallest, QSize(width, smallest.height())
        return self._cached_hints

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.StyleChange):
            self._cached_hints = None
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

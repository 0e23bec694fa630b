"""The title bar of a dock: its name and three buttons.

It replaces Qt's own title bar, whose buttons ignore the sizes of the style sheet.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from svmviz.theme import STRONG, TITLE, active, font
from svmviz.theme.icons import icon
from svmviz.widgets.plain_text import set_tip
from svmviz.widgets.styling import StyleFollower
from svmviz.window.docks.panel_dock import PanelDock

# Side of an icon, and minimum height of the bar, px at scale 1.
ICON_SIDE, MIN_HEIGHT = 14, 31


class DockTitle(StyleFollower, QWidget):
    """A title bar. Dragging it moves the dock; a double click makes the dock float.

    Parameters
    ----------
    dock : PanelDock

    Signals
    -------
    help_requested : the "?" was clicked
    """

    help_requested = Signal()

    def __init__(self, dock: PanelDock) -> None:
        super().__init__(dock)
        self._dock = dock
        self._cached_hints: tuple[QSize, QSize] | None = None
        self.setProperty("role", "dock-title")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._layout = QHBoxLayout(self)
        self._layout.addStretch(1)
        self.help = self._button("question-mark", "What this shows")
        self.float = self._button("float", "Float above the window, or return into it")
        self.close_ = self._button("close", "Close; open it again by View > Panels")
        self.help.clicked.connect(self.help_requested)
        self.float.clicked.connect(dock.toggle_floating)
        self.close_.clicked.connect(dock.close)
        dock.windowTitleChanged.connect(self._on_renamed)
        self.follow_style(DockTitle._apply_style)

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
        self._layout.setContentsMargins(space(3), space(1), space(2), space(1))
        self._layout.setSpacing(space(0.5))
        for button in (self.help, self.float, self.close_):
            button.setIconSize(QSize(side, side))
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        return self._hints[0]

    def sizeHint(self) -> QSize:
        return self._hints[1]

    @property
    def _hints(self) -> tuple[QSize, QSize]:
        """Minimum and preferred size, cached because each layout reads them dozens of times."""
        if self._cached_hints is None:
            buttons, px = self._layout.minimumSize(), active().metrics.px
            smallest = QSize(buttons.width(), max(buttons.height(), px(MIN_HEIGHT)))
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
            painter.drawText(left, 0, room, self.height(), flags, text)
            if self._dock.hasFocus():
                pen = QPen(QColor(active().theme.focus), active().metrics.stroke(2))
                painter.setPen(pen)
                inset = 0.5 * pen.widthF()
                painter.drawRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset))

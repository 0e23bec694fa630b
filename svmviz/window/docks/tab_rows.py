"""Tabs of docks in several rows, for the case that one row is too narrow for all names."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QRect, Qt, QTimer
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QTabBar, QToolButton, QWidget

from svmviz.theme import BODY, active, font
from svmviz.widgets.plain_text import set_tip
from svmviz.widgets.styling import set_style_property

# Maximum number of rows for which the style sheet has a rule.
MAX_ROWS = 4
# Thickness of the line under the tab in front, px at scale 1.
LINE = 2


def balanced_rows(widths: list[int], room: int) -> list[list[int]]:
    """Return the indices of the tabs in each row: as few rows as possible, of similar widths.

    Parameters
    ----------
    widths : list of int
        Width of each tab, px.
    room : int
        Width of a row, px; a wider tab has a row of its own.
    """
    rows = _fill_rows(widths, room)
    if len(rows) > 1:
        narrower = range(max(1, sum(widths) // len(rows)), room)
        candidates = (_fill_rows(widths, width) for width in narrower)
        rows = next((c for c in candidates if len(c) == len(rows)), rows)
    return rows


def _fill_rows(widths: list[int], room: int) -> list[list[int]]:
    """Return the indices of the tabs in each row, if each row is filled before the next."""
    rows: list[list[int]] = [[]]
    free = room
    for tab, width in enumerate(widths):
        if rows[-1] and width > free:
            rows.append([])
            free = room
        rows[-1].append(tab)
        free -= width
    return rows


def fitting_rows(
    widths: list[int], room: int, count: int, front: int, button: int
) -> list[list[int]]:
    """Return the indices of the tabs in each row, if only as many tabs as fit are shown.

    Parameters
    ----------
    widths : list of int
        Width of each tab, px.
    room : int
        Width of a row, px.
    count : int
        Maximum number of rows.
    front : int
        Index of the tab in front, which is never left out.
    button : int
        Width that stays free at the end of the last row, px, for a button that lists the rest.
    """

    def rows(tabs: list[int]) -> list[list[int]]:
        # The button counts as one more tab at the end.
        filled = _fill_rows([*(widths[tab] for tab in tabs), button], room)
        return [[tabs[k] for k in row if k < len(tabs)] for row in filled]

    for first in range(len(widths) - 1, 0, -1):
        shown = sorted({*range(first), front})
        if len(result := rows(shown)) <= count:
            return result
    return [[front]]


class TabRows(QWidget):
    """A widget in front of a tab bar: it shows the tabs in rows, and is hidden if one row suffices.

    Qt's tab bar has one row, scrolls, and cuts names. It cannot be replaced, because Qt makes the
    bars of docks. So this widget covers the bar, and the style sheet makes the bar as high as the
    rows. If all rows would make the window higher, only as many tabs as fit are shown, and a button
    lists the others.

    Parameters
    ----------
    bar : QTabBar
    """

    def __init__(self, bar: QTabBar) -> None:
        super().__init__(bar)
        self.hide()
        self._bar = bar
        self._places: dict[int, QRect] = {}
        # The sizes and the front tab for which the rows were arranged.
        self._arranged_for: object = None
        # The tab below the mouse.
        self._hovered: int | None = None
        self._arrange_timer = QTimer(self)
        self._arrange_timer.setSingleShot(True)
        self._arrange_timer.setInterval(0)
        self._arrange_timer.timeout.connect(self._arrange)
        self.setMouseTracking(True)
        self.more = QToolButton(self)
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        set_tip(self.more, "Panels whose names have no room here")
        self._list = QMenu(self.more)
        self._list.aboutToShow.connect(self._fill_list)
        self.more.setMenu(self._list)
        bar.installEventFilter(self)
        bar.currentChanged.connect(self._arrange_timer.start)
        self._arrange_timer.start()

    @property
    def places(self) -> dict[int, QRect]:
        """Rectangle of each tab that is shown in rows, px; empty if one row suffices."""
        return self._places

    @property
    def hidden_tabs(self) -> list[int]:
        """Indices of the tabs that only the list of the button contains."""
        shown = self._places or range(self._bar.count())
        return [tab for tab in range(self._bar.count()) if tab not in shown]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # A bar is painted when tabs are added, removed or renamed.
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Paint):
            self.setGeometry(self._bar.rect())
            self._arrange_timer.start()
        return super().eventFilter(watched, event)

    def _arrange(self) -> None:
        """Divide the tabs among rows, and set the height of the bar."""
        bar = self._bar
        widths = [bar.tabRect(tab).width() for tab in range(bar.count())]
        state = (widths, bar.size(), self.window().height(), bar.currentIndex())
        if state == self._arranged_for:
            return
        self._arranged_for = state
        rows = balanced_rows(widths, bar.width())
        n_rows = max((n for n in range(2, len(rows) + 1) if self._has_room(n)), default=1)
        shows_all = n_rows == len(rows)
        if not shows_all:
            # How many tabs are left out is not known yet, so the button is measured with the number
            # of all tabs. Its final text is at most as wide.
            self.more.setText(f"{bar.count()} more")
            button = self.more.sizeHint().width()
            rows = fitting_rows(widths, bar.width(), n_rows, bar.currentIndex(), button)
        if set_style_property(bar, "rows", str(len(rows)) if len(rows) > 1 else ""):
            # This event makes the tabs of the bar read their new height.
            QCoreApplication.sendEvent(bar, QEvent(QEvent.Type.StyleChange))
        is_covered = len(rows) > 1 or not shows_all
        self._places = self._rectangles(rows, widths) if is_covered else {}
        self._place_button(len(rows))
        self.setVisible(is_covered)
        self.raise_()
        self.update()

    def _place_button(self, rows: int) -> None:
        """Put the button at the end of the last row, if tabs are left out."""
        self.more.setVisible(bool(self.hidden_tabs))
        if self.hidden_tabs:
            self.more.setText(f"{len(self.hidden_tabs)} more")
            height = self._bar.sizeHint().height() // rows
            width = min(self.more.sizeHint().width(), self._bar.width())
            self.more.setGeometry(self._bar.width() - width, (rows - 1) * height, width, height)

    def _fill_list(self) -> None:
        """List the tabs that are not shown."""
        self._list.clear()
        for tab in self.hidden_tabs:
            action = self._list.addAction(self._bar.tabText(tab))
            action.triggered.connect(lambda _=False, tab=tab: self._bar.setCurrentIndex(tab))

    def _has_room(self, rows: int) -> bool:
        """Return whether the window can hold the rows without becoming higher."""
        old_rows = int(self._bar.property("rows") or 1)
        growth = (rows - old_rows) * (self._bar.sizeHint().height() // old_rows)
        window = self.window()
        return rows <= MAX_ROWS and (
            growth <= 0 or window.minimumSizeHint().height() + growth <= window.height()
        )

    def _rectangles(self, rows: list[list[int]], widths: list[int]) -> dict[int, QRect]:
        """Return the rectangle of each tab, px."""
        rectangles: dict[int, QRect] = {}
        bar_width, height = self._bar.width(), self._bar.sizeHint().height() // len(rows)
        for number, row in enumerate(rows):
            x = 0
            for tab in row:
                rectangles[tab] = QRect(x, number * height, min(widths[tab], bar_width), height)
                x += widths[tab]
        return rectangles

    def _tab_at(self, event: QMouseEvent) -> int | None:
        point = event.position().toPoint()
        return next((tab for tab, box in self._places.items() if box.contains(point)), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        tab = self._tab_at(event)
        if tab is not None and event.button() == Qt.MouseButton.LeftButton:
            self._bar.setCurrentIndex(tab)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self._tab_at(event))

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(None)

    def _hover(self, tab: int | None) -> None:
        if tab != self._hovered:
            self._hovered = tab
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        look = active()
        theme, line = look.theme, look.metrics.px(LINE)
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(theme.window))
            painter.setFont(font(BODY))
            for tab, place in self._places.items():
                is_front = tab == self._bar.currentIndex()
                if tab == self._hovered:
                    painter.fillRect(place, QColor(theme.hover))
                if is_front:
                    underline = QRect(place.left(), place.bottom() - line + 1, place.width(), line)
                    painter.fillRect(underline, QColor(theme.accent))
                is_bright = is_front or tab == self._hovered
                painter.setPen(QColor(theme.text if is_bright else theme.muted))
                painter.drawText(place, Qt.AlignmentFlag.AlignCenter, self._bar.tabText(tab))


class TabCovers(QObject):
    """The covers of all tab bars of a window's docks: one :class:`TabRows` for each bar.

    Parameters
    ----------
    window : QMainWindow
    """

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._cover_timer = QTimer(self)
        self._cover_timer.setSingleShot(True)
        self._cover_timer.setInterval(0)
        self._cover_timer.timeout.connect(self._cover)

    def cover_later(self) -> None:
        """Cover the tab bars that have no cover yet, once the docks are laid out."""
        self._cover_timer.start()

    def _cover(self) -> None:
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        for bar in self._window.findChildren(QTabBar, options=direct):
            if not bar.findChildren(TabRows, options=direct):
                TabRows(bar)

"""Tabs of docks in several rows if one row has no room for all names."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QRect, Qt, QTimer
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QTabBar, QToolButton, QWidget

from svmviz.theme import BODY, active, font
from svmviz.widgets.plain_text import set_tip
from svmviz.widgets.styling import set_style_property

# Maximum number of rows, since the style sheet limits the height of a tab bar.
MAX_ROWS = 4
# Thickness of the line under the tab in front, px at scale 1.
LINE = 2


def rows_of(widths: list[int], room: int) -> list[list[int]]:
    """Return the numbers of the tabs in each row: as few rows as possible, of similar widths.

    Parameters
    ----------
    widths : list of int
        Width of each tab, px.
    room : int
        Width of a row, px; a wider tab has a row of its own.
    """
    rows = _filled(widths, room)
    if len(rows) > 1:
        narrower = range(max(1, sum(widths) // len(rows)), room)
        even = (_filled(widths, width) for width in narrower)
        rows = next((found for found in even if len(found) == len(rows)), rows)
    return rows


def _filled(widths: list[int], room: int) -> list[list[int]]:
    """Return the numbers of the tabs in each row, each row filled before the next."""
    rows: list[list[int]] = [[]]
    left = room
    for tab, width in enumerate(widths):
        if rows[-1] and width > left:
            rows.append([])
            left = room
        rows[-1].append(tab)
        left -= width
    return rows


def fitting_rows(
    widths: list[int], room: int, count: int, front: int, button: int
) -> list[list[int]]:
    """Return the numbers of the tabs in each of ``count`` rows, in their order, as many as fit.

    Parameters
    ----------
    widths : list of int
        Width of each tab, px.
    room : int
        Width of a row, px.
    count : int
        Number of rows.
    front : int
        Number of the tab in front, which is never left out.
    button : int
        Width that stays free at the end of the last row, px.
    """

    def rows(tabs: list[int]) -> list[list[int]]:
        # The button counts as one more tab at the end.
        filled = _filled([*(widths[tab] for tab in tabs), button], room)
        return [[tabs[k] for k in row if k < len(tabs)] for row in filled]

    for first in range(len(widths) - 1, 0, -1):
        shown = sorted({*range(first), front})
        if len(found := rows(shown)) <= count:
            return found
    return [[front]]


class TabRows(QWidget):
    """A cover of a tab bar that shows its tabs in rows; hidden if one row suffices.

    Qt's tab bar has one row, scrolls, and cuts names. Qt makes and places the bars of docks, so
    they cannot be replaced; the style sheet makes the bar as high as its rows. If rows for all
    tabs would make the window higher, as many tabs as fit are shown whole, and a button lists the
    others.

    Parameters
    ----------
    bar : QTabBar
    """

    def __init__(self, bar: QTabBar) -> None:
        super().__init__(bar)
        self.hide()
        self._bar = bar
        self._places: dict[int, QRect] = {}
        self._seen: object = None
        self._pointed: int | None = None
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
        """Place of each tab that is shown in the bar, px; empty if one row suffices."""
        return self._places

    @property
    def listed(self) -> list[int]:
        """Numbers of the tabs that are in the button's list only."""
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
        seen = (widths, bar.size(), self.window().height(), bar.currentIndex())
        if seen == self._seen:
            return
        self._seen = seen
        rows = rows_of(widths, bar.width())
        fit = max((n for n in range(2, len(rows) + 1) if self._has_room(n)), default=1)
        whole = fit == len(rows)
        if not whole:
            self.more.setText(f"{bar.count()} more")
            button = self.more.sizeHint().width()
            rows = fitting_rows(widths, bar.width(), fit, bar.currentIndex(), button)
        if set_style_property(bar, "rows", str(len(rows)) if len(rows) > 1 else ""):
            # The tabs of the bar have another height now.
            QCoreApplication.sendEvent(bar, QEvent(QEvent.Type.StyleChange))
        covered = len(rows) > 1 or not whole
        self._places = self._placed(rows, widths) if covered else {}
        self._place_button(len(rows))
        self.setVisible(covered)
        self.raise_()
        self.update()

    def _place_button(self, rows: int) -> None:
        """Put the button at the end of the last row, if tabs are left out."""
        self.more.setVisible(bool(self.listed))
        if self.listed:
            self.more.setText(f"{len(self.listed)} more")
            high = self._bar.sizeHint().height() // rows
            wide = min(self.more.sizeHint().width(), self._bar.width())
            self.more.setGeometry(self._bar.width() - wide, (rows - 1) * high, wide, high)

    def _fill_list(self) -> None:
        """List the tabs that are not shown."""
        self._list.clear()
        for tab in self.listed:
            action = self._list.addAction(self._bar.tabText(tab))
            action.triggered.connect(lambda _=False, tab=tab: self._bar.setCurrentIndex(tab))

    def _has_room(self, rows: int) -> bool:
        """Return whether the window can hold the rows without becoming higher."""
        now = int(self._bar.property("rows") or 1)
        more = (rows - now) * (self._bar.sizeHint().height() // now)
        window = self.window()
        return rows <= MAX_ROWS and (
            more <= 0 or window.minimumSizeHint().height() + more <= window.height()
        )

    def _placed(self, rows: list[list[int]], widths: list[int]) -> dict[int, QRect]:
        """Return the place of each tab, px."""
        places: dict[int, QRect] = {}
        wide, high = self._bar.width(), self._bar.sizeHint().height() // len(rows)
        for number, row in enumerate(rows):
            x = 0
            for tab in row:
                places[tab] = QRect(x, number * high, min(widths[tab], wide), high)
                x += widths[tab]
        return places

    def _tab_at(self, event: QMouseEvent) -> int | None:
        place = event.position().toPoint()
        return next((tab for tab, box in self._places.items() if box.contains(place)), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        tab = self._tab_at(event)
        if tab is not None and event.button() == Qt.MouseButton.LeftButton:
            self._bar.setCurrentIndex(tab)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point(self._tab_at(event))

    def leaveEvent(self, event: QEvent) -> None:
        self._point(None)

    def _point(self, tab: int | None) -> None:
        if tab != self._pointed:
            self._pointed = tab
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        look = active()
        theme, line = look.theme, look.metrics.px(LINE)
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(theme.window))
            painter.setFont(font(BODY))
            for tab, place in self._places.items():
                front = tab == self._bar.currentIndex()
                if tab == self._pointed:
                    painter.fillRect(place, QColor(theme.hover))
                if front:
                    foot = QRect(place.left(), place.bottom() - line + 1, place.width(), line)
                    painter.fillRect(foot, QColor(theme.accent))
                bright = front or tab == self._pointed
                painter.setPen(QColor(theme.text if bright else theme.muted))
                painter.drawText(place, Qt.AlignmentFlag.AlignCenter, self._bar.tabText(tab))


class TabCovers(QObject):
    """The covers of all tab bars of a window's docks, one :class:`TabRows` for each bar.

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

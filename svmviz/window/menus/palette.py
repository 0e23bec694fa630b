"""The palette of commands: everything that the window can do, found by parts of its words."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QColor, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFrame,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from svmviz.base.announcer import Announcer
from svmviz.base.keys import RETURN_KEYS
from svmviz.theme import SIZED_BY_TYPE, look_of
from svmviz.widgets.finding import LIST_KEYS, rank_of, words_of
from svmviz.widgets.styling import apply_own_sizes
from svmviz.window.menus.entries import PaletteEntry

# Width and height, px at scale 1, and maximum fractions of the width and height of the window.
WIDTH, HEIGHT, MAX_SHARE = 720, 430, 0.92
# Fraction of the height of the window above the palette.
ABOVE = 0.1
# Fractions of the width for text, place and note.
SHARES = (0.42, 0.3, 0.28)
# Role under which a row stores the number of its entry.
NUMBER_ROLE = Qt.ItemDataRole.UserRole


class Palette(QFrame):
    """A field, and below it the entries that contain all the words typed into it.

    Up and Down choose an entry, Return runs it, Esc or a click elsewhere closes the palette.
    Entries that cannot be used now are shown last, with the reason.

    Parameters
    ----------
    entries : sequence of PaletteEntry
    parent : QWidget
    """

    def __init__(self, entries: Sequence[PaletteEntry], parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setProperty("role", "popup")
        self.setProperty(SIZED_BY_TYPE, True)
        apply_own_sizes(self)
        self._entries = entries
        self._parent = parent
        self.field = QLineEdit()
        self.field.setPlaceholderText("Find a command, an example, a lesson, a setting, help…")
        self.field.setAccessibleName("Find a command")
        self.field.installEventFilter(self)
        self.field.textChanged.connect(self._find)
        self.list = _list()
        self.list.itemClicked.connect(self._run)
        # The focus stays in the field, so a screen reader would not say the chosen row by itself.
        self._announcer = Announcer(self.field)
        self.list.currentItemChanged.connect(self._say)
        layout = QVBoxLayout(self)
        edge = look_of(self).metrics.space(2)
        layout.setContentsMargins(edge, edge, edge, edge)
        layout.setSpacing(edge)
        layout.addWidget(self.field)
        layout.addWidget(self.list)
        # The list may be as low as one row.
        self.list.setMinimumHeight(1)
        self._max_height = 0

    def show_in(self, window: QWidget) -> None:
        """Open at the top of a window."""
        px = look_of(self).metrics.px
        width = min(px(WIDTH), round(MAX_SHARE * window.width()))
        top = round(ABOVE * window.height())
        self._max_height = min(px(HEIGHT), round(MAX_SHARE * window.height()) - top)
        self.resize(width, self._max_height)
        self.move(window.mapToGlobal(window.rect().topLeft()))
        self.move(self.x() + (window.width() - width) // 2, self.y() + top)
        self.show()
        # The rows have no height before the palette is shown.
        self._find("")
        inner = self.list.viewport().width()
        for column, share in enumerate(SHARES):
            self.list.setColumnWidth(column, round(share * inner))
        self.field.setFocus()

    def _find(self, text: str) -> None:
        words = words_of(text)
        ranked = [
            (not entry.can_run, rank, number)
            for number, entry in enumerate(self._entries)
            if (rank := _rank_of(entry, words)) is not None
        ]
        self.list.clear()
        muted = QColor(look_of(self).theme.muted)
        for _, _, number in sorted(ranked):
            entry = self._entries[number]
            item = QTreeWidgetItem([entry.text, entry.place, entry.note])
            item.setData(0, NUMBER_ROLE, number)
            for column in range(0 if not entry.can_run else 1, 3):
                item.setForeground(column, muted)
            self.list.addTopLevelItem(item)
        if not ranked:
            nothing = QTreeWidgetItem(["Nothing has all these words."])
            nothing.setFlags(Qt.ItemFlag.NoItemFlags)
            nothing.setFirstColumnSpanned(True)
            self.list.addTopLevelItem(nothing)
            self._say(nothing)
        elif (first := self.list.topLevelItem(0)) is not None:
            self.list.setCurrentItem(first)
        self._fit()

    def _fit(self) -> None:
        """Make the palette as high as the entries found, up to a limit."""
        row = max(1, self.list.sizeHintForRow(0))
        around = self.height() - self.list.viewport().height()
        count = min(self.list.topLevelItemCount(), (self._max_height - around) // row)
        self.resize(self.width(), around + count * row)

    def _say(self, item: QTreeWidgetItem | None) -> None:
        texts = [item.text(column) for column in range(3)] if item is not None else []
        self._announcer.say(", ".join(text for text in texts if text))

    def _run(self, item: QTreeWidgetItem | None) -> None:
        number = item.data(0, NUMBER_ROLE) if item is not None else None
        if number is None or not (entry := self._entries[number]).can_run:
            return
        self.close()
        # The window gets the focus back in the next turn of the event loop.
        QTimer.singleShot(0, self._parent, entry.run)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent):
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            # While the palette is open, no key may be a shortcut of the window.
            event.accept()
            return True
        if event.type() == QEvent.Type.KeyPress and event.key() in LIST_KEYS:
            QApplication.sendEvent(self.list, event)
            return True
        if event.type() == QEvent.Type.KeyPress and event.key() in RETURN_KEYS:
            self._run(self.list.currentItem())
            return True
        return False


def open_palette(entries: Sequence[PaletteEntry]) -> None:
    """Open the palette in the active window."""
    window = QApplication.activeWindow()
    if window is not None:
        Palette(entries, window).show_in(window)


def _rank_of(entry: PaletteEntry, words: Sequence[str]) -> int | None:
    return rank_of(entry.text, f"{entry.place} {entry.note}", entry.content, words)


def _list() -> QTreeWidget:
    found = QTreeWidget()
    found.setAccessibleName("Commands found")
    found.setColumnCount(3)
    found.setHeaderHidden(True)
    found.setRootIsDecorated(False)
    found.setUniformRowHeights(True)
    found.setAllColumnsShowFocus(True)
    found.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    found.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    found.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return found

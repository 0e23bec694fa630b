"""The stops of the lecture that is given: pictures, titles, notes to oneself, and a clock."""

from __future__ import annotations

import time

from PySide6.QtCore import QModelIndex, QSignalBlocker, QSize, Qt, QTimer
from PySide6.QtGui import QIcon, QKeySequence, QPixmap, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QPlainTextEdit,
    QPushButton,
)

from svmviz.base.keys import DELETE_KEYS
from svmviz.stage.stage import Stage
from svmviz.theme import look_of
from svmviz.widgets.column import Column
from svmviz.widgets.plain_text import MutedLabel, set_tip

# Size of a picture, height of the note and least height of the list, px at scale 1.
PICTURE, NOTE_HEIGHT, LIST_HEIGHT = (80, 72), 80, 240
# What the button Share offers, by the word that asks the window for it.
SHARES = {
    "pdf": "As a PDF, a page per stop…",
    "page": "As a page for any browser…",
    "save": "Save as a file…",
    "open": "Open another lecture…",
}
NOTE = "A note to yourself on this stop; the audience does not see it."


class LectureList(Column):
    """The stops: a click shows one, dragging moves it, a double click renames it.

    Parameters
    ----------
    stage : Stage
    """

    def __init__(self, stage: Stage) -> None:
        super().__init__(gap=2.0)
        self._opened, self._lecture = stage.lesson, stage.lecture
        self._clock = self.add(MutedLabel(""))
        self.stops = self.add(QListWidget(), 1)
        self.stops.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.stops.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        self.stops.setWordWrap(True)
        self.stops.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.stops.setResizeMode(QListView.ResizeMode.Adjust)
        self.stops.setAccessibleName("Stops of the lecture")
        self.stops.itemClicked.connect(lambda item: self._go(self.stops.row(item)))
        self.stops.itemActivated.connect(lambda item: self._go(self.stops.row(item)))
        self.stops.itemChanged.connect(self._on_renamed)
        self.stops.model().rowsMoved.connect(self._on_moved)
        for key in DELETE_KEYS:
            delete = QShortcut(QKeySequence(key), self.stops, self._remove)
            delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        self._next = self.add(MutedLabel(""))
        self.note = self.add(QPlainTextEdit())
        self.note.setPlaceholderText(NOTE)
        self.note.setTabChangesFocus(True)
        self._note_timer = QTimer(self, singleShot=True, interval=600)
        self._note_timer.timeout.connect(self.keep_note)
        self.note.textChanged.connect(self._note_timer.start)
        self._noted = self._opened.index
        self._add_buttons()
        self._tick = QTimer(self, interval=1000)
        self._tick.timeout.connect(self._show_time)
        self._tick.start()
        self._lecture.painted.connect(self._show_pictures)
        self.follow_style(LectureList._apply_style)
        self.fill()

    def _add_buttons(self) -> None:
        row = self.add(Column(gap=1.0, across=True))
        self.back = row.add(QPushButton("Back"))
        self.back.clicked.connect(lambda: self._opened.go(-1))
        self.on = row.add(QPushButton("Next"))
        self.on.setProperty("role", "primary")
        self.on.clicked.connect(lambda: self._opened.go(1))
        row.box.addStretch(1)
        self.end = row.add(QPushButton("End"))
        set_tip(self.end, "Close the lecture, and return to your own document.")
        self.end.clicked.connect(self._opened.end)
        row = self.add(Column(gap=1.0, across=True))
        changes = self._add_menu(row, "Change")
        for text, act in (
            ("Show here what is on screen now", lambda: self._ask("update")),
            ("Rename", lambda: self.stops.editItem(self.stops.currentItem())),
            ("Duplicate", lambda: self._ask("duplicate")),
            ("Delete", self._remove),
        ):
            changes.addAction(text).triggered.connect(lambda _=False, act=act: act())
        changes.addSeparator()
        self.undo = changes.addAction("Undo the last change")
        self.undo.triggered.connect(lambda: self._lecture.undo())
        shares = self._add_menu(row, "Share")
        for wish, text in SHARES.items():
            shares.addAction(text).triggered.connect(lambda _=False, wish=wish: self._ask(wish))
        row.box.addStretch(1)

    def _add_menu(self, row: Column, text: str) -> QMenu:
        button = row.add(QPushButton(text))
        menu = QMenu(button)
        button.setMenu(menu)
        return menu

    def _ask(self, wish: str) -> None:
        self._lecture.asked.emit(wish)

    def fill(self) -> None:
        """Show the stops, and the note of the present one."""
        stops, index = self._lecture.stops, self._opened.index
        with QSignalBlocker(self.stops):
            # Items stay, since the second click of a double click renames the one that was shown.
            while self.stops.count() > len(stops):
                self.stops.takeItem(self.stops.count() - 1)
            while self.stops.count() < len(stops):
                item = QListWidgetItem()
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
                self.stops.addItem(item)
            for row, stop in enumerate(stops):
                if self.stops.item(row).text() != stop.title:
                    self.stops.item(row).setText(stop.title)
            self.stops.setCurrentRow(index)
            self.stops.scrollToItem(self.stops.item(index))
        if self._noted != index or self._note_of(index) != self.note.toPlainText():
            with QSignalBlocker(self.note):
                self.note.setPlainText(self._note_of(index))
        self._noted = index
        after = stops[index + 1].title if index + 1 < len(stops) else ""
        self._next.setText(f"Next: {after}" if after else "This is the last stop.")
        self.undo.setEnabled(self._lecture.can_undo)
        self.back.setEnabled(index > 0)
        self.on.setEnabled(index + 1 < len(stops))
        self._show_pictures()
        self._show_time()

    def keep_note(self) -> None:
        """Store the note that was typed."""
        self._note_timer.stop()
        if self._noted < len(self._lecture.stops):
            self._lecture.set_note(self._noted, self.note.toPlainText())

    def _note_of(self, index: int) -> str:
        stops = self._lecture.stops
        return stops[index].note if index < len(stops) else ""

    def _show_pictures(self) -> None:
        with QSignalBlocker(self.stops):
            for row, stop in enumerate(self._lecture.stops[: self.stops.count()]):
                picture = QPixmap(self.stops.iconSize())
                picture.fill(Qt.GlobalColor.transparent)
                image = self._lecture.pictures.get(stop.show)
                if image is not None and not image.isNull():
                    picture = QPixmap.fromImage(image)
                icon = QIcon(picture)
                # A chosen stop has its own colours, too.
                icon.addPixmap(picture, QIcon.Mode.Selected)
                self.stops.item(row).setIcon(icon)

    def _show_time(self) -> None:
        now, begun = time.time(), self._lecture.begun
        passed = f" · {int((now - begun) // 60)} min" if begun is not None else ""
        index, count = self._opened.index + 1, len(self._lecture.stops)
        clock = time.strftime("%H:%M", time.localtime(now))
        self._clock.setText(f"Stop {index} of {count} · {clock}{passed}")

    def _go(self, row: int) -> None:
        if row != self._opened.index:
            self.keep_note()
            self._opened.open_card(row)

    def _on_renamed(self, item: QListWidgetItem) -> None:
        self._lecture.rename(self.stops.row(item), item.text())

    def _on_moved(
        self, _from: QModelIndex, first: int, _last: int, _to: QModelIndex, to: int
    ) -> None:
        # Later, since the list that moves its row would be filled anew.
        target = to - (to > first)
        QTimer.singleShot(0, self, lambda: self._lecture.move(first, target))

    def _remove(self) -> None:
        self._lecture.remove(self._opened.index)

    def _apply_style(self) -> None:
        px = look_of(self).metrics.px
        self.stops.setIconSize(QSize(*map(round, map(px, PICTURE))))
        self.note.setFixedHeight(round(px(NOTE_HEIGHT)))
        self.stops.setMinimumHeight(round(px(LIST_HEIGHT)))

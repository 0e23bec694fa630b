"""The help window: a list of pages and one page; it may stay open beside the main window."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QWidget,
)

from svmviz.theme import SIZED_BY_TYPE, STRONG, TEXT, Metrics, look_of
from svmviz.widgets.column import Column
from svmviz.widgets.finding import LIST_KEYS, rank_of, words_of
from svmviz.widgets.scroller import Scroller
from svmviz.widgets.styling import OwnSizes
from svmviz.window.help.contents import READ, pages
from svmviz.window.help.help_page import HelpPage

# Height of a heading of the list, px at scale 1.
HEAD_HEIGHT = 44
# Role under which an item of the list stores the name of its page.
NAME_ROLE = Qt.ItemDataRole.UserRole
# Size of the window, px at scale 1, and maximum width and height as fractions of the screen.
SIZE, MAX_SHARE = QSize(1040, 600), 0.9
# Maximum fraction of the width for the list of pages; longer names are elided.
LIST_SHARE = 0.4


class PageList(QListWidget):
    """A list of pages under headings. A heading cannot be selected."""

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        index = super().moveCursor(action, modifiers)
        # Qt ignores a key that would select a disabled item, such as Home for the first heading. So
        # the item below the heading is selected.
        is_heading = index.isValid() and not index.flags() & Qt.ItemFlag.ItemIsEnabled
        return index.siblingAtRow(index.row() + 1) if is_heading else index


class HelpWindow(OwnSizes, QDialog):
    """Pages of the concepts, methods, kernels, panels and derivations.

    Parameters
    ----------
    parent : QWidget

    Signals
    -------
    derivation_requested(str)
        The user clicked a link to the derivation of this name.
    """

    derivation_requested = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Help")
        self.setProperty(SIZED_BY_TYPE, True)
        # The metrics for which `_apply_style` has set the size of the window.
        self._metrics: Metrics | None = None
        self.field = QLineEdit()
        self.field.setPlaceholderText("Find in the help…")
        self.field.setAccessibleName("Find in the help")
        self.field.setClearButtonEnabled(True)
        self.field.textChanged.connect(self._find)
        self.field.installEventFilter(self)
        QShortcut(QKeySequence.StandardKey.Find, self, self._go_to_field)
        self.list = PageList()
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName("Pages of the help")
        self._fill()
        self.page = HelpPage()
        self.page.page_requested.connect(self._on_link)
        self.scroller = Scroller(self.page)
        self._splitter = QSplitter()
        left = Column(gap=1.0, margin=1.0)
        left.add(self.field)
        left.add(self.list, 1)
        self._splitter.addWidget(left)
        self._splitter.addWidget(self.scroller)
        self._splitter.setStretchFactor(1, 1)
        self._splitter.setChildrenCollapsible(False)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._splitter)
        self.list.currentItemChanged.connect(self._on_chosen)
        self.follow_style(HelpWindow._apply_style)

    def open_at(self, name: str) -> None:
        """Show a page and raise the window.

        Raises
        ------
        KeyError
            If there is no page of this name.
        """
        self.field.clear()
        # Fitted before the page is made, so that the widgets of the page are styled only once.
        self.fit()
        self.list.setCurrentItem(self._items[name])
        self.list.scrollToItem(self._items[name])
        self.show()
        self.raise_()
        self.activateWindow()

    @property
    def shown(self) -> str:
        """Name of the page that is shown."""
        item = self.list.currentItem()
        return item.data(NAME_ROLE) if item else ""

    def _fill(self) -> None:
        self._items: dict[str, QListWidgetItem] = {}
        self._heads: list[QListWidgetItem] = []
        for page in pages().values():
            if not self._heads or self._heads[-1].text() != page.chapter:
                head = QListWidgetItem(page.chapter, self.list)
                head.setFlags(Qt.ItemFlag.NoItemFlags)
                self._heads.append(head)
            item = QListWidgetItem(page.title, self.list)
            item.setData(NAME_ROLE, page.name)
            self._items[page.name] = item
        self._nothing = QListWidgetItem("No page has all these words.")
        self._nothing.setFlags(Qt.ItemFlag.NoItemFlags)

    def _find(self, text: str) -> None:
        """List the pages that contain all words, and show the one that fits best."""
        words = words_of(text)
        ranks = {
            name: rank_of(page.title, "", page.content, words) for name, page in pages().items()
        }
        found = [name for name, rank in ranks.items() if rank is not None]
        for name, item in self._items.items():
            item.setHidden(ranks[name] is None)
        if found:
            self.list.takeItem(self.list.row(self._nothing))
        else:
            self.list.addItem(self._nothing)
        chapters = {pages()[name].chapter for name in found}
        for head in self._heads:
            head.setHidden(head.text() not in chapters)
        if words and found:
            best = self._items[min(found, key=lambda name: ranks[name] or 0)]
            self.list.setCurrentItem(best)
        self.list.scrollToItem(self.list.currentItem())

    def _go_to_field(self) -> None:
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let Up, Down and the keys of pages move in the list while the focus is in the field."""
        is_press = event.type() == QEvent.Type.KeyPress
        if is_press and isinstance(event, QKeyEvent) and event.key() in LIST_KEYS:
            QApplication.sendEvent(self.list, event)
            return True
        return super().eventFilter(watched, event)

    def _on_link(self, target: str) -> None:
        if target.startswith(READ):
            self.derivation_requested.emit(target.removeprefix(READ))
        else:
            self.open_at(target)

    def _on_chosen(self, item: QListWidgetItem | None) -> None:
        if item is not None and item.data(NAME_ROLE):
            self.page.show_page(pages()[item.data(NAME_ROLE)])
            self.scroller.verticalScrollBar().setValue(0)

    def _apply_style(self) -> None:
        look = look_of(self)
        metrics = look.metrics
        for head in self._heads:
            head.setFont(look.font(TEXT, STRONG))
            # A heading is nearer to its pages than to those before.
            head.setTextAlignment(Qt.AlignmentFlag.AlignBottom)
            head.setSizeHint(QSize(0, metrics.px(HEAD_HEIGHT)))
            head.setForeground(self.palette().text())
        if metrics == self._metrics:
            # A change of theme must not undo the size that the user has given to the window.
            return
        self._metrics = metrics
        bar = self.list.verticalScrollBar().sizeHint().width()
        widest = self.list.sizeHintForColumn(0) + bar + metrics.space(4)
        room = self.screen().availableGeometry().size() * MAX_SHARE
        size = QSize(metrics.px(SIZE.width()), metrics.px(SIZE.height())).boundedTo(room)
        self.resize(size)
        left = min(widest, round(LIST_SHARE * size.width()))
        self._splitter.setSizes([left, max(size.width() - left, 1)])

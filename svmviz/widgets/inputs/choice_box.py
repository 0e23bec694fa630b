"""A label and a combo box for a choice among named entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import ceil

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QStaticText, QWheelEvent
from PySide6.QtWidgets import (
    QComboBox,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionComboBox,
    QStyleOptionViewItem,
    QStylePainter,
    QWidget,
)

from svmviz.base.notation import rich
from svmviz.theme import TEXT, active, font
from svmviz.widgets.column import Column
from svmviz.widgets.plain_text import Label, set_tip, static_html, tip_of

Index = QModelIndex | QPersistentModelIndex


# Qt's item role for the note of an entry, a text at the right of the entry in the open list.
NOTE_ROLE = Qt.ItemDataRole.UserRole + 1
# Qt's item role in which the standard model of a combo box keeps the flags of its items.
FLAGS_ROLE = Qt.ItemDataRole.UserRole - 1


def _note_text(note: str) -> QStaticText:
    """Return a note as a text that can be measured and painted."""
    return _prepared_text(note, active().metrics.px(TEXT))


# Cached, because a list is measured again after each change of style.
@lru_cache(maxsize=256)
def _prepared_text(note: str, _size: int) -> QStaticText:
    """Return a note in the active font; ``_size``, px, makes the cache follow the font."""
    text = static_html(f"<span style='white-space: nowrap'>{rich(note)}</span>")
    text.prepare(font=font(TEXT))
    return text


class EntryNotes(QStyledItemDelegate):
    """Delegate that paints the entries of an open list, each with a muted note at its right."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        hint = super().sizeHint(option, index)
        note = index.data(NOTE_ROLE)
        if note:
            gap = QFontMetricsF(font(TEXT)).horizontalAdvance("      ")
            hint.setWidth(hint.width() + ceil(gap + _note_text(note).size().width()))
        return hint

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        note = index.data(NOTE_ROLE)
        if note:
            painter.save()
            painter.setFont(font(TEXT))
            painter.setPen(QColor(active().theme.muted))
            rect: QRect = option.rect  # type: ignore[attr-defined]
            text = _note_text(note)
            size = text.size()
            left = rect.right() - active().metrics.px(10) - size.width()
            top = rect.center().y() + 1 - size.height() / 2
            painter.drawStaticText(QPointF(left, top), text)
            painter.restore()


class QuietCombo(QComboBox):
    """Combo box that may be narrow, and that ignores the wheel unless it has the focus."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setItemDelegate(EntryNotes(self))

    def showPopup(self) -> None:
        """Open the list, as wide as its longest entry."""
        view = self.view()
        widest = view.sizeHintForColumn(0) + view.verticalScrollBar().sizeHint().width()
        view.setMinimumWidth(max(self.width(), widest + view.fontMetrics().averageCharWidth() * 2))
        super().showPopup()
        self._keep_inside(view.window())

    def _keep_inside(self, popup: QWidget) -> None:
        """Move an open list that is wider than this box into the window."""
        window = self.window().mapToGlobal(self.window().rect().topLeft())
        last_left = window.x() + self.window().width() - popup.width()
        left = max(window.x(), min(popup.x(), last_left))
        if left != popup.x():
            popup.move(left, popup.y())

    @property
    def shown_text(self) -> str:
        """The text of the current entry, or the placeholder; elided if it does not fit."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        field = QStyle.SubControl.SC_ComboBoxEditField
        box = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, self)
        elide = Qt.TextElideMode.ElideRight
        text = self.currentText() or self.placeholderText()
        return self.fontMetrics().elidedText(text, elide, box.width())

    def paintEvent(self, event: QPaintEvent) -> None:
        # The text is elided here, because Qt would cut it off in the middle of a letter.
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self.shown_text  # type: ignore[attr-defined]
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class ChoiceBox(Column):
    """Label at the left, and combo box at the right.

    Parameters
    ----------
    label : str
    choices : sequence of (key, text), (key, text, tooltip) or (key, text, tooltip, note)
        The note is shown at the right of the entry in the open list.
    tip : str
        Tooltip of label and combo box.
    default : str
        Key that a double click on the label restores, and that `differences` compares with; none
        if empty.
    placeholder : str
        Text while nothing is chosen.

    Signals
    -------
    chosen(str)
        The user has chosen the entry with this key. The program's changes emit nothing.
    """

    chosen = Signal(str)

    def __init__(
        self,
        label: str,
        choices: Sequence[tuple[str, ...]],
        tip: str = "",
        default: str = "",
        placeholder: str = "",
    ) -> None:
        super().__init__(across=True)
        self.default = default
        self._tips: dict[str, str] = {}
        self._label = self.add(Label(label))
        self._combo = self.add(QuietCombo(), 1)
        self._combo.setAccessibleName(label)
        self._combo.setPlaceholderText(placeholder)
        self._label.setBuddy(self._combo)
        self._label.installEventFilter(self)
        self._label.setVisible(bool(label))
        set_tip(self, tip)
        self.set_choices(choices)
        self._combo.activated.connect(lambda: self.chosen.emit(self.value))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.follow_style(ChoiceBox._align)

    def _align(self) -> None:
        """Align the combo box with the sliders in the same column."""
        # With the gap of 8 px after the label, the box begins at 76 px, as in `ValueSlider`.
        self._label.setMinimumWidth(active().metrics.px(68))

    @property
    def combo(self) -> QComboBox:
        """The combo box."""
        return self._combo

    @property
    def value(self) -> str:
        """Key of the current choice."""
        return self._combo.currentData() or ""

    @property
    def differences(self) -> tuple[str, ...]:
        """A line such as "Bias b: None, not Free"; no line if the default is chosen."""
        if self.default in ("", self.value):
            return ()
        default = self._combo.itemText(self.keys.index(self.default))
        return (f"{self._label.text()}: {self._combo.currentText()}, not {default}",)

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of all choices, in their order."""
        return tuple(self._combo.itemData(row) for row in range(self._combo.count()))

    def keys_from(self, by: int) -> list[str]:
        """Return the other enabled keys in cyclic order, the next key first.

        If ``by`` is -1, the order is reversed, and the previous key is first.
        """
        row, model = self._combo.currentIndex(), self._combo.model()
        count = self._combo.count()
        rows = [(row + by * k) % count for k in range(1, count)]
        enabled = Qt.ItemFlag.ItemIsEnabled
        return [self.keys[k] for k in rows if model.flags(model.index(k, 0)) & enabled]

    def set_value(self, key: str) -> None:
        """Make a choice the current one, without emitting; no choice if ``key`` is empty.

        Raises
        ------
        KeyError
            If there is no such choice.
        """
        if key and key not in self.keys:
            raise KeyError(key)
        self._combo.setCurrentIndex(self.keys.index(key) if key else -1)

    def set_choices(self, choices: Sequence[tuple[str, ...]]) -> None:
        """Offer other choices, without emitting, and make the first one current.

        If the keys are the same, nothing changes.
        """
        if tuple(choice[0] for choice in choices) == self.keys:
            return
        self._combo.clear()
        self._tips = {}
        for row, (key, text, *more) in enumerate(choices):
            tip, note = (*more, "", "")[:2]
            self._combo.addItem(text, key)
            self._tips[key] = tip
            self._combo.setItemData(row, tip_of(tip), Qt.ItemDataRole.ToolTipRole)
            self._combo.setItemData(row, note, NOTE_ROLE)
        self._combo.setEnabled(len(choices) > 1)

    def refuse(self, reasons: Mapping[str, str]) -> None:
        """Disable these choices, with the reason of each as its tooltip; enable all others."""
        for row, key in enumerate(self.keys):
            flags = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled
            allowed = Qt.ItemFlag.NoItemFlags if key in reasons else flags
            self._combo.setItemData(row, allowed.value, FLAGS_ROLE)
            tip = reasons.get(key, self._tips.get(key, ""))
            self._combo.setItemData(row, tip_of(tip), Qt.ItemDataRole.ToolTipRole)

    def eventFilter(self, watched: QWidget, event: QEvent) -> bool:  # type: ignore[override]
        if event.type() == QEvent.Type.MouseButtonDblClick and self.default:
            if self.value != self.default:
                self.set_value(self.default)
                self.chosen.emit(self.default)
            return True
        return super().eventFilter(watched, event)

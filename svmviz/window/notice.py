"""A notice in front of the planes, which disappears by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from svmviz.theme import look_of
from svmviz.widgets.plain_text import Label
from svmviz.widgets.styling import OwnSizes, set_style_property

# Time that a notice without buttons is shown, ms; maximum width of any notice, px at scale 1.
DURATION, MAX_WIDTH = 7000, 640
# Time that a notice with buttons or before an audience is shown, ms: it is acted on, or read aloud.
LONG_DURATION = 15_000
# The text of a button, and what it does.
Action = tuple[str, Callable[[], None]]


class Notice(OwnSizes, QFrame):
    """A sentence in front of the planes, with buttons if the user can act on it.

    The notice never has the focus. If it has no buttons, clicks go to the widget behind it. In a
    presentation it takes the place of the sentence of the step.

    Parameters
    ----------
    over : QWidget
        The widget in front of which the notice is shown.
    below : callable() -> int
        Height at the bottom of ``over`` that stays free, px, such as that of an axis.
    """

    def __init__(self, over: QWidget, below: Callable[[], int] = lambda: 0) -> None:
        super().__init__(over)
        self.setProperty("role", "card")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._over, self._below, self._fills = over, below, False
        self._label = Label(wraps=True, role="notice")
        self._box = QHBoxLayout(self)
        self._box.addWidget(self._label, 1)
        self.buttons: list[QPushButton] = []
        self._timer = QTimer(self, singleShot=True, interval=DURATION)
        self._timer.timeout.connect(self.hide)
        over.installEventFilter(self)
        self.follow_style(Notice._apply_style)
        self.hide()

    def lie_over(self, over: QWidget, below: Callable[[], int], fills: bool = False) -> None:
        """Show notices in front of another widget; if ``fills``, in what is free at its bottom."""
        self._over.removeEventFilter(self)
        self._over, self._below, self._fills = over, below, fills
        self.setParent(over)
        self.hide()
        over.installEventFilter(self)
        set_style_property(self, "wide", fills)

    @property
    def text(self) -> str:
        """The sentence that is shown, or empty."""
        return "" if self.isHidden() else self._label.text()

    def show_text(self, sentence: str, actions: Sequence[Action] = (), stays: bool = False) -> None:
        """Show a sentence for some seconds, or until it is hidden, with a button per action."""
        self._label.setText(sentence)
        self._make_buttons(actions)
        self._timer.setInterval(LONG_DURATION if actions or self._fills else DURATION)
        self.setAccessibleName(sentence)
        self.show()
        self._place()
        self.raise_()
        self._timer.stop() if stays else self._timer.start()

    def _make_buttons(self, actions: Sequence[Action]) -> None:
        for button in self.buttons:
            button.hide()
            button.deleteLater()
        self.buttons = []
        for text, run in actions:
            button = QPushButton(text, self)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.clicked.connect(self.hide)
            button.clicked.connect(run)
            self._box.addWidget(button)
            self.buttons.append(button)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, not actions)

    def _place(self) -> None:
        """Move to the middle of the widget, just above what stays free at its bottom."""
        if self._fills:
            width, below = self._over.width(), self._below()
            height = max(below, self._box.heightForWidth(width))
            self.setGeometry(0, self._over.height() - height, width, height)
            return
        metrics = look_of(self).metrics
        gap = metrics.space(4)
        margins = self._box.contentsMargins()
        room = min(metrics.px(MAX_WIDTH), self._over.width() - 2 * gap)
        text = self._label.fontMetrics().horizontalAdvance(self._label.text())
        text += sum(button.sizeHint().width() + self._box.spacing() for button in self.buttons)
        width = max(1, min(room, text + margins.left() + margins.right() + metrics.space(2)))
        # ``heightForWidth`` is -1 if all widgets in the layout have a fixed height.
        height = max(self._box.heightForWidth(width), self._box.sizeHint().height())
        left = (self._over.width() - width) // 2
        top = self._over.height() - self._below() - height - gap
        self.setGeometry(left, max(0, top), width, height)

    def _apply_style(self) -> None:
        space = look_of(self).metrics.space
        self._box.setContentsMargins(space(4), space(2), space(4), space(2))
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and not self.isHidden():
            self._place()
        return False

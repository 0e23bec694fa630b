"""A notice in front of the planes, which disappears by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from svmviz.theme import active
from svmviz.widgets.plain_text import Label
from svmviz.widgets.styling import StyleFollower

# Time that a notice without buttons is shown, ms; maximum width of any notice, px at scale 1.
DURATION, MAX_WIDTH = 7000, 640
# Time that a notice with buttons is shown, ms: the user needs time to click.
DURATION_WITH_ACTIONS = 15_000
# The text of a button, and what it does.
Action = tuple[str, Callable[[], None]]


class Notice(StyleFollower, QFrame):
    """A sentence in front of the planes, with buttons if the user can act on it.

    The notice never has the focus. If it has no buttons, clicks go to the widget behind it.

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
        self._over, self._below = over, below
        self._label = Label(wraps=True)
        self._box = QHBoxLayout(self)
        self._box.addWidget(self._label, 1)
        self.buttons: list[QPushButton] = []
        self._timer = QTimer(self, singleShot=True, interval=DURATION)
        self._timer.timeout.connect(self.hide)
        over.installEventFilter(self)
        self.follow_style(Notice._apply_style)
        self.hide()

    @property
    def text(self) -> str:
        """The sentence that is shown, or empty."""
        return "" if self.isHidden() else self._label.text()

    def show_text(self, sentence: str, actions: Sequence[Action] = ()) -> None:
        """Show a sentence for some seconds, with a button for each action."""
        self._label.setText(sentence)
        self._make_buttons(actions)
        self._timer.setInterval(DURATION_WITH_ACTIONS if actions else DURATION)
        self.setAccessibleName(sentence)
        self._place()
        self.show()
        self.raise_()
        self._timer.start()

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
        metrics = active().metrics
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
        space = active().metrics.space
        self._box.setContentsMargins(space(4), space(2), space(4), space(2))
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and not self.isHidden():
            self._place()
        return False

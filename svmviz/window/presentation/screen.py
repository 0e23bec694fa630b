"""The window of a presentation, which fills the screen, and its keys."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QCursor, QKeySequence, QMouseEvent, QResizeEvent, QShortcut
from PySide6.QtWidgets import QVBoxLayout, QWidget

from svmviz.panels.transport.transport import Transport
from svmviz.stage.stage import Stage
from svmviz.theme import HALL
from svmviz.window.presentation.caption import Caption, ProgressLine
from svmviz.window.presentation.hall_frame import HallFrame

# Time after the last movement of the mouse until the controls are hidden, ms.
CONTROLS_DURATION = 2500
# Movements shorter than this do not show the controls, px: a bump of the table moves the mouse.
MIN_MOVEMENT = 3.0


class PresentationScreen(QWidget):
    """Planes, a line for the position in the run, and the caption.

    Parameters
    ----------
    stage : Stage
    planes : QWidget
        The planes. They must be moved elsewhere before the screen is deleted.

    Attributes
    ----------
    caption : Caption
    line : ProgressLine
    controls : HallFrame
        The transport, shown while the mouse moves.
    blank : QWidget
        A black cover, shown to draw attention away from the picture.

    Signals
    -------
    left : the user wants to return to the window
    """

    left = Signal()

    def __init__(self, stage: Stage, planes: QWidget) -> None:
        super().__init__()
        self.setWindowTitle("Presentation — svmviz")
        self.setProperty(HALL, True)
        self._stage, self._planes = stage, planes
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(planes, 1)
        self.line, self.caption = ProgressLine(stage), Caption(stage)
        layout.addWidget(self.line)
        layout.addWidget(self.caption)
        self.controls = self._make_controls(stage)
        self.blank = QWidget(self)
        self.blank.setStyleSheet("background: black;")
        self.blank.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.blank.hide()
        self._mouse = QPointF()
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(CONTROLS_DURATION)
        self._rest.timeout.connect(self._hide_controls)
        for entry in KEYS:
            for key in entry.keys:
                shortcut = QShortcut(QKeySequence(key), self)
                shortcut.activated.connect(partial(entry.do, self))

    # What keys do.

    def move_by(self, steps: int) -> None:
        """Go on, or back if ``steps`` is negative."""
        self._show_picture_or(lambda: self._stage.playback.move(steps))

    def go_to_start(self) -> None:
        """Go to step 0."""
        self._show_picture_or(self._stage.playback.go_to_start)

    def go_to_end(self) -> None:
        """Go to the last step."""
        self._show_picture_or(self._stage.playback.go_to_end)

    def toggle_playing(self) -> None:
        """Play or pause."""
        self._show_picture_or(self._stage.playback.toggle)

    def toggle_blank(self) -> None:
        """Make the screen black, or show the picture again."""
        self.blank.setVisible(self.blank.isHidden())
        self.blank.raise_()

    def _show_picture_or(self, do: Callable[[], None]) -> None:
        """Show the picture if the screen is black, so that no step is missed; otherwise do it."""
        if not self.blank.isHidden():
            self.blank.hide()
        elif self._stage.session.runs:
            do()

    # Controls.

    def _make_controls(self, stage: Stage) -> HallFrame:
        controls = HallFrame(self)
        controls.setProperty("role", "card")
        layout = QVBoxLayout(controls)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(Transport(stage))
        controls.hide()
        return controls

    def watch_mouse(self) -> None:
        """Show the controls when the mouse moves; called once the screen is shown."""
        self._mouse = QPointF(QCursor.pos())
        handle = self.windowHandle()
        if handle is not None:
            # The planes handle their own mouse events, and pass none on to this widget.
            handle.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseMove and isinstance(event, QMouseEvent):
            self._on_mouse(event.globalPosition())
        return False

    def _on_mouse(self, place: QPointF) -> None:
        if (place - self._mouse).manhattanLength() < MIN_MOVEMENT:
            return
        self._mouse = place
        if self.controls.isHidden() and self.blank.isHidden():
            self._place()
            self.controls.show()
            self.controls.raise_()
        self._rest.start()

    def _hide_controls(self) -> None:
        """Hide the controls, unless they are in use."""
        if self.controls.underMouse():
            self._rest.start()
        else:
            self.controls.hide()

    # Events.

    def _place(self) -> None:
        """Put the controls over the lower edge of the planes, and the cover over everything."""
        height = self.controls.sizeHint().height()
        lower = self.height() - self.caption.sizeHint().height() - self.line.height()
        self.controls.setGeometry(0, lower - height, self.width(), height)
        self.blank.setGeometry(self.rect())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # All sizes depend on the height.
        self.caption.updateGeometry()
        self.controls.fit()
        self._place()

    def closeEvent(self, event: QCloseEvent) -> None:
        # Closing the presentation is no way to close the program.
        event.ignore()
        self.left.emit()


class KeyEntry(NamedTuple):
    """Keys with one meaning, in Qt's portable spelling, the meaning in words, and what it does."""

    keys: tuple[str, ...]
    words: str
    do: Callable[[PresentationScreen], None]


KEYS = (
    KeyEntry(("Space", "Right", "PgDown"), "One step on", lambda screen: screen.move_by(1)),
    KeyEntry(("Left", "PgUp"), "One step back", lambda screen: screen.move_by(-1)),
    KeyEntry((".",), "Play or pause", lambda screen: screen.toggle_playing()),
    KeyEntry(("B",), "Black screen, and back", lambda screen: screen.toggle_blank()),
    KeyEntry(("Home", "R"), "Step 0", lambda screen: screen.go_to_start()),
    KeyEntry(("End",), "The last step", lambda screen: screen.go_to_end()),
    KeyEntry(("Esc", "F5"), "Back to the window", lambda screen: screen.left.emit()),
)
"""The keys of a presentation; a clicker sends PageDown, PageUp, B, F5, Esc and the period."""

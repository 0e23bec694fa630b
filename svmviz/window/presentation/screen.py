"""The window of a presentation, which fills the screen, and its keys."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QCursor, QKeySequence, QMouseEvent, QResizeEvent, QShortcut
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QMenu, QToolButton, QVBoxLayout, QWidget

from svmviz.panels.controls.transport.transport import Transport
from svmviz.stage.stage import Stage
from svmviz.theme import SIZED_BY_HEIGHT
from svmviz.theme.icons import icon
from svmviz.widgets.plain_text import caption, set_tip
from svmviz.window.planes import Planes
from svmviz.window.presentation.caption import Caption, ProgressLine
from svmviz.window.presentation.pointer import PointerRing, PointerWatch
from svmviz.window.presentation.presentation_frame import PresentationFrame
from svmviz.window.presentation.side_panel import SidePanel

# Time after the last movement of the mouse until transport and panel button are hidden, ms.
CONTROLS_DURATION = 2500
# While this key is held, a ring of light marks the mouse (`PointerRing`).
POINTER_KEY = Qt.Key.Key_L
# Movements of the mouse below this length, px, do not show the controls: a bump against the table
# may cause such a movement.
MIN_MOVEMENT = 3.0


class PresentationScreen(QWidget):
    """The planes and, below them, the progress line and the sentence of the step.

    Call :meth:`add_content` before it is shown.

    Parameters
    ----------
    stage : Stage
    planes : Planes
    make_settings : callable() -> QWidget
        Makes a column of settings for the panel beside the planes.

    Attributes
    ----------
    caption : Caption
    line : ProgressLine
    side : SidePanel
        The panel beside or below the planes; hidden if no panel is chosen.
    ring : PointerRing
        Shown at the mouse while L or a button of the mouse is held.
    controls : PresentationFrame
        The transport and the choice of a panel, shown while the mouse moves.
    blank : QWidget
        A black cover, shown to draw attention away from the picture.

    Signals
    -------
    leave_requested : the user wants to return to the window
    """

    leave_requested = Signal()

    def __init__(
        self,
        stage: Stage,
        planes: Planes,
        make_settings: Callable[[], QWidget],
    ) -> None:
        super().__init__()
        self.setWindowTitle("Presentation — svmviz")
        self.setProperty(SIZED_BY_HEIGHT, True)
        self._stage, self._planes = stage, planes
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self.side = SidePanel(stage, make_settings, self)
        directions = QBoxLayout.Direction
        direction_of = {False: directions.LeftToRight, True: directions.TopToBottom}
        self._both = both = QBoxLayout(direction_of[self.side.is_below])
        both.setSpacing(0)
        both.addWidget(self.side)
        self.side.moved.connect(lambda below: both.setDirection(direction_of[below]))
        layout.addLayout(both, 1)
        self.line, self.caption = ProgressLine(stage), Caption(stage)
        layout.addWidget(self.line)
        layout.addWidget(self.caption)
        self.ring = PointerRing(self)
        self._watch: PointerWatch | None = None
        self.panel_button, self.panel_menu = self._make_panel_button(), QMenu(self)
        self.controls = self._make_controls(stage)
        self.blank = QWidget(self)
        self.blank.setStyleSheet("background: black;")
        self.blank.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.blank.hide()
        self._mouse = QPointF()
        self._controls_timer = QTimer(self)
        self._controls_timer.setSingleShot(True)
        self._controls_timer.setInterval(CONTROLS_DURATION)
        self._controls_timer.timeout.connect(self._hide_controls)
        for entry in KEYS:
            for key in entry.keys:
                shortcut = QShortcut(QKeySequence(key), self)
                shortcut.setAutoRepeat(entry.repeats)
                shortcut.activated.connect(partial(entry.run, self))

    def add_content(self, content: QWidget) -> None:
        """Put the planes, or a widget that contains them, beside the panel.

        The content is deleted with this widget unless it is moved elsewhere before.
        """
        self._both.insertWidget(0, content, 1)

    # Commands of keys.

    def move_by(self, steps: int) -> None:
        """Go one step or beat forward if ``steps`` is positive; go one back if it is negative.

        If a part of the panel is out of sight in this direction, the panel is scrolled instead,
        because a clicker has no other key. If a question waits, going forward shows its answer.
        """
        if self.blank.isHidden() and self.side.scroll(steps):
            return
        if steps > 0 and self.blank.isHidden() and self._stage.prediction.look():
            return
        playback = self._stage.playback
        self._show_picture_or(playback.go_on if steps > 0 else playback.go_back)

    def leave(self) -> None:
        """Show the answer of a question that waits; without one, return to the window."""
        if not self._stage.prediction.look():
            self.leave_requested.emit()

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

    def hold_pointer(self) -> None:
        """Show the ring of light until the key is released."""
        if self._watch is not None and self.blank.isHidden():
            self._watch.hold_key()

    def toggle_panel(self) -> None:
        """Hide the panel, or show again the one that was chosen last."""
        self.show_panel("" if self.side.chosen else self.side.proposed)

    def next_panel(self) -> None:
        """Show the next one of the panels that fit the document."""
        names = list(self.side.offered)
        chosen = self.side.chosen
        index = (names.index(chosen) + 1) % len(names) if chosen in names else 0
        self.show_panel(names[index])

    def show_panel(self, name: str) -> None:
        """Show a panel beside the planes, or none if the name is empty."""
        self.side.choose(name)
        self._planes.word.show_word(self.side.title or "No panel")

    def _make_panel_button(self) -> QToolButton:
        button = QToolButton()
        button.setIcon(icon("chart"))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAccessibleName("Panel beside the plane")
        set_tip(button, "A panel beside the plane (P)")
        button.clicked.connect(self._offer_panels)
        return button

    def _offer_panels(self) -> None:
        """Open a menu of the panels that fit the document; the one shown is ticked."""
        button, menu = self.panel_button, self.panel_menu
        menu.clear()
        for name, title in {"": "No panel", **self.side.offered}.items():
            action = menu.addAction(caption(title))
            action.setCheckable(True)
            action.setChecked(name == self.side.chosen)
            action.triggered.connect(partial(self._on_panel, name))
        corner = button.mapToGlobal(QPoint(button.width(), 0))
        size = menu.sizeHint()
        menu.popup(corner - QPoint(size.width(), size.height()))

    def _on_panel(self, name: str, _checked: bool = False) -> None:
        self.show_panel(name)

    def _show_picture_or(self, move: Callable[[], None]) -> None:
        """If the screen is black, show the picture again; if it is not, call ``move``.

        In this way the audience sees every step. Without runs, ``move`` is not called.
        """
        if not self.blank.isHidden():
            self.blank.hide()
        elif self._stage.session.runs:
            move()

    # Controls.

    def _make_controls(self, stage: Stage) -> PresentationFrame:
        controls = PresentationFrame(self)
        controls.setProperty("role", "card")
        layout = QHBoxLayout(controls)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(Transport(stage), 1)
        layout.addWidget(self.panel_button, 0, Qt.AlignmentFlag.AlignBottom)
        controls.hide()
        return controls

    def watch_mouse(self) -> None:
        """Begin to show controls and ring when the mouse is used; call it once, after ``show``."""
        self._mouse = QPointF(QCursor.pos())
        handle = self.windowHandle()
        if handle is not None:
            # The planes handle their own mouse events, and pass none on to this widget.
            handle.installEventFilter(self)
            self._watch = PointerWatch(handle, POINTER_KEY, self._to_picture, self.ring)

    def _to_picture(self, on_screen: QPointF) -> QPointF | None:
        """Convert px of the screen to px of this widget; None outside the planes or on controls."""
        position = self.mapFromGlobal(on_screen)
        point = position.toPoint()
        on_controls = self.controls.isVisible() and self.controls.geometry().contains(point)
        on_planes = self._planes.geometry().contains(point)
        return position if on_planes and not on_controls else None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseMove and isinstance(event, QMouseEvent):
            self._on_mouse(event.globalPosition())
        return False

    def _on_mouse(self, position: QPointF) -> None:
        if (position - self._mouse).manhattanLength() < MIN_MOVEMENT:
            return
        self._mouse = position
        if self.ring.isVisible():
            # The controls stay hidden, because they would cover a part of the picture.
            return
        if self.controls.isHidden() and self.blank.isHidden():
            self.controls.fit()
            self._place()
            self.controls.show()
            self.controls.raise_()
        self._controls_timer.start()

    def _hide_controls(self) -> None:
        """Hide the controls, unless they are in use."""
        if self.controls.underMouse():
            self._controls_timer.start()
        else:
            self.controls.hide()

    # Events.

    def _place(self) -> None:
        """Put the controls at the bottom of the planes, and the black cover in front of all."""
        height = self.controls.sizeHint().height()
        lower = self.height() - self.caption.sizeHint().height() - self.line.height()
        self.controls.setGeometry(0, lower - height, self.width(), height)
        self.blank.setGeometry(self.rect())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # All sizes depend on the height. Hidden controls are fitted when they are shown, because a
        # style sheet for all of them takes as long as all else that happens here.
        self.caption.updateGeometry()
        if self.controls.isVisible():
            self.controls.fit()
        self.side.fit()
        self.side.follow()
        self._place()

    def closeEvent(self, event: QCloseEvent) -> None:
        # Closing the presentation must not close the program.
        event.ignore()
        self.leave_requested.emit()


class KeyEntry(NamedTuple):
    """A command of the presentation, and its keys.

    Attributes
    ----------
    keys : tuple of str
        In Qt's portable spelling.
    words : str
        What the command does, in words.
    run : callable(PresentationScreen)
        Performs the command.
    repeats : bool
        Whether the command repeats while the key is held.
    shared : bool
        Whether the keys also work in the main window while there is a second picture.
    """

    keys: tuple[str, ...]
    words: str
    run: Callable[[PresentationScreen], None]
    repeats: bool = True
    shared: bool = False


KEYS = (
    KeyEntry(("Space", "Right", "PgDown"), "One step on", lambda screen: screen.move_by(1)),
    KeyEntry(("Left", "PgUp"), "One step back", lambda screen: screen.move_by(-1)),
    KeyEntry((".",), "Play or pause", lambda screen: screen.toggle_playing(), shared=True),
    KeyEntry(("B",), "Black screen, and back", lambda screen: screen.toggle_blank(), shared=True),
    KeyEntry(
        ("L",), "Hold: a ring of light at the mouse", lambda screen: screen.hold_pointer(), False
    ),
    KeyEntry(("P",), "A panel beside the plane", lambda s: s.toggle_panel(), shared=True),
    KeyEntry(("F9",), "The same", lambda screen: screen.toggle_panel()),
    KeyEntry(("Shift+P",), "The next panel", lambda screen: screen.next_panel(), shared=True),
    KeyEntry(("Home", "R"), "Step 0", lambda screen: screen.go_to_start()),
    KeyEntry(("End",), "The last step", lambda screen: screen.go_to_end()),
    KeyEntry(("Esc", "F5", "Shift+F5"), "Back to the window", lambda screen: screen.leave(), False),
)
"""The keys of a presentation; a clicker sends PageDown, PageUp, B, F5, Esc and the period."""

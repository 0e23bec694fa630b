"""Real mouse and keyboard events, and answers to dialogs."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget

from svmviz.window import MainWindow
from tests.time_limits import TIME_LIMIT

# A key that every keyboard of X knows and nothing here has a use for.
NO_MEANING = "Pause"


def xdotool(*command: object) -> None:
    """Do something with the mouse or the keyboard of the X display."""
    subprocess.run(["xdotool", *map(str, command)], check=True, timeout=TIME_LIMIT)


class _Listener(QObject):
    """Receives the key without a meaning, in any widget."""

    def __init__(self) -> None:
        super().__init__()
        self.received = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        released = event.type() == QEvent.Type.KeyRelease and isinstance(event, QKeyEvent)
        if released and event.key() == Qt.Key.Key_Pause:
            self.received = True
        return False


class WindowUser:
    """Clicks, drags and types on a window; places in the plane are in data units."""

    def __init__(self, qtbot, window: MainWindow) -> None:
        self._qtbot = qtbot
        self.window = window

    def at(self, x: float, y: float) -> QPoint:
        """A place of the plane on the screen."""
        plane = self.window.plane
        px, py = plane.camera.to_pixels(np.array([[x, y]]))[0].tolist()
        return plane.mapToGlobal(QPoint(round(px), round(py)))

    def move(self, place: QPoint) -> None:
        xdotool("mousemove", place.x(), place.y())

    def click(self, place: QPoint, button: int = 1) -> None:
        xdotool("mousemove", place.x(), place.y(), "click", button)

    def click_on(self, widget: QWidget, times: int = 1) -> None:
        """Click in the middle of a widget."""
        place = widget.mapToGlobal(widget.rect().center())
        xdotool("mousemove", place.x(), place.y(), "click", "--repeat", times, 1)

    def press(self, place: QPoint) -> None:
        xdotool("mousemove", place.x(), place.y(), "mousedown", 1)

    def release(self) -> None:
        xdotool("mouseup", 1)

    def drag(self, *places: QPoint, button: int = 1) -> None:
        """Press at the first place, go over the others, let go at the last."""
        first, *others = places
        command: list[object] = ["mousemove", first.x(), first.y(), "mousedown", button]
        for place in others:
            command += ["mousemove", place.x(), place.y(), "sleep", 0.03]
        xdotool(*command, "mouseup", button)

    def key(self, *keys: str) -> None:
        """Press keys one after the other, by their names in X: ``ctrl+z``, ``Home``.

        A dialog that has closed, which may be that of a slow save, leaves no window active: there
        is no window manager. What was pressed then would reach nobody.
        """
        if not (QApplication.activeWindow() or QApplication.activeModalWidget()):
            self.wake()
        xdotool("key", *keys)

    def type(self, text: str) -> None:
        xdotool("type", "--delay", 5, text)

    def wake(self) -> None:
        """Make the window the active one; there is no window manager to do so after a dialog."""
        self.window.activateWindow()
        self.until(self.window.isActiveWindow)

    def until(self, condition: Callable[[], object]) -> None:
        """Let the window live until something is so."""
        self._qtbot.waitUntil(lambda: bool(condition()))

    def until_heard(self) -> None:
        """Let the window live until all keys and clicks that were sent have arrived.

        The last of them is a key that means nothing. A widget of the program must have the focus.
        """
        listener = _Listener()
        app = QApplication.instance()
        assert app is not None
        app.installEventFilter(listener)
        try:
            self.key(NO_MEANING)
            self.until(lambda: listener.received)
        finally:
            app.removeEventFilter(listener)

    def until_still(self, widget: QWidget) -> None:
        """Let the window live until a widget is seen, and keeps its place and its size.

        During a change of theme or sizes the window is neither laid out nor painted.
        """
        seen: list[QRect] = []

        def still() -> bool:
            self.rest(0.03)
            seen.append(QRect(widget.mapToGlobal(QPoint()), widget.size()))
            # The viewport of a chart covers all of the chart.
            top = widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget
            shown = not top.visibleRegion().isEmpty()
            return shown and seen[-3:] == [seen[-1]] * 3

        self.until(still)

    def rest(self, seconds: float = 0.1) -> None:
        """Let the window live for a while: only for what must not happen, never for what must."""
        self._qtbot.wait(round(1000 * seconds))


class Answer:
    """Does something with the next modal dialog that appears; says whether one did."""

    def __init__(self, act: Callable[[QWidget], object], kind: type = QWidget) -> None:
        self.given = False
        self._act, self._kind = act, kind
        self._timer = QTimer(interval=20)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def _look(self) -> None:
        dialog = QApplication.activeModalWidget()
        if dialog is None or not isinstance(dialog, self._kind):
            return
        if dialog.isVisible() and dialog.isActiveWindow():
            self.stop()
            self.given = True
            try:
                self._act(dialog)
            except BaseException:
                # Or the dialog would stay open, and the test would hang instead of failing.
                dialog.close()
                raise

    def stop(self) -> None:
        self._timer.stop()

"""Random actions on the window: one function per kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import shiboken6
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDockWidget,
    QLineEdit,
    QMenu,
    QMessageBox,
    QProgressDialog,
    QWidget,
)

from solvers import METHODS, BadInput
from solvers.data.datasets import DATASETS, PointSet
from svmviz.document.document import SCALINGS, Document, Penalty
from svmviz.window import MainWindow
from tests.campaigns import files, limits, problems

Random = np.random.Generator
MODIFIERS = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
)
BUTTONS = (
    Qt.MouseButton.LeftButton,
    Qt.MouseButton.LeftButton,
    Qt.MouseButton.LeftButton,
    Qt.MouseButton.RightButton,
    Qt.MouseButton.MiddleButton,
)
KEYS = [
    *(getattr(Qt.Key, f"Key_{name}") for name in "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"),
    *(getattr(Qt.Key, f"Key_{name}") for name in (
        "Space Return Enter Escape Tab Backtab Backspace Delete Left Right Up Down Home End PageUp "
        "PageDown F1 F9 F11 Plus Minus Equal Question Period Comma BracketLeft BracketRight Slash"
    ).split()),
]  # fmt: skip
# No slash: what is typed may be the name of a file, and must stay in the folder.
TYPED = (
    "0", "1", "-1", "3.5", "1e9", "1e-9", "nan", "inf", "", "abc", "1,5", "rbf(1)+linear()",
    "x1*z1", "((((", "1e999", "é🙂", "<b>x", "0.5*rbf(gamma=2)", "exp(x1*z1)", "99999999999",
)  # fmt: skip


class Moves:
    """Moves of the mouse, of keys and of everything else, drawn at random.

    Parameters
    ----------
    window : MainWindow
    rng : numpy Generator
    folder : Path
        Where files are made to be opened, and saved.
    note : callable(str)
        Is given each move before it is made.
    """

    def __init__(
        self, window: MainWindow, rng: Random, folder: Path, note: Callable[[str], None]
    ) -> None:
        self._window, self._rng, self._folder, self._note = window, rng, folder, note
        self._held: tuple[QWidget, Qt.MouseButton] | None = None
        self._answered = 0
        self._table: list[tuple[float, Callable[[], None]]] = [
            (10, self.plane_mouse), (3, self.click_plane), (3, self.wheel), (6, self.any_action),
            (5, self.key), (5, self.any_widget), (2, self.type_into), (1, self.paste),
            (0.6, self.open_file), (1.5, self.dock), (1, self.resize), (0.5, self.full_screen),
            (0.4, self.look), (2, self.scrub), (1.2, self.edit_document), (0.7, self.tool),
        ]  # fmt: skip
        weights = np.array([weight for weight, _ in self._table])
        self._shares = weights / weights.sum()

    def make_one(self) -> None:
        """Make any move."""
        self._table[self._rng.choice(len(self._table), p=self._shares)][1]()

    # The mouse.

    def send(
        self,
        widget: QWidget,
        kind: QEvent.Type,
        at: QPointF,
        button: Qt.MouseButton = Qt.MouseButton.NoButton,
        modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
    ) -> None:
        """Send one event of the mouse to a widget."""
        is_move = kind == QEvent.Type.MouseMove
        down = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseButtonRelease else button
        place = QPointF(widget.mapToGlobal(at.toPoint()))
        sent = Qt.MouseButton.NoButton if is_move else button
        QApplication.sendEvent(widget, QMouseEvent(kind, at, place, sent, down, modifiers))

    def plane_mouse(self) -> None:
        """Press, drag or release in the plane; a button may stay pressed for many moves."""
        plane = self._window.plane
        at = self._place(plane)
        if self._held is None:
            if self._rng.random() < 0.4:
                self._note(f"hover {at.x():.0f} {at.y():.0f}")
                self.send(plane, QEvent.Type.MouseMove, at)
                return
            button = BUTTONS[self._rng.integers(len(BUTTONS))]
            self._note(f"press {button.name} {at.x():.0f} {at.y():.0f}")
            self._held = plane, button
            self.send(plane, QEvent.Type.MouseButtonPress, at, button, self._modifiers())
        elif self._rng.random() < 0.7:
            self._note(f"drag {at.x():.0f} {at.y():.0f}")
            self.send(plane, QEvent.Type.MouseMove, at, self._held[1])
        else:
            self.release()

    def release(self) -> None:
        """Release the buttons of the mouse."""
        if self._held is not None:
            (plane, button), self._held = self._held, None
            self._note("release")
            self.send(plane, QEvent.Type.MouseButtonRelease, self._place(plane), button)

    def click_plane(self) -> None:
        plane, at = self._window.plane, self._place(self._window.plane)
        button = BUTTONS[self._rng.integers(len(BUTTONS))]
        kind = QEvent.Type.MouseButtonDblClick
        self._note(f"click {button.name} {at.x():.0f} {at.y():.0f}")
        first = QEvent.Type.MouseButtonPress if self._rng.random() < 0.8 else kind
        self.send(plane, first, at, button, self._modifiers())
        self.send(plane, QEvent.Type.MouseButtonRelease, at, button)

    def wheel(self) -> None:
        plane = self._window.plane
        at = self._place(plane)
        turn = int(self._rng.choice([120, -120, 120, -120, 960, -960, 12000, -12000, 1]))
        self._note(f"wheel {turn} at {at.x():.0f} {at.y():.0f}")
        self.turn(plane, at, turn)

    def turn(self, widget: QWidget, at: QPointF, turn: int) -> None:
        """Turn the wheel over a widget, in eighths of a degree."""
        event = QWheelEvent(
            at, QPointF(widget.mapToGlobal(at.toPoint())), QPoint(), QPoint(0, turn),
            Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(widget, event)

    def _place(self, widget: QWidget) -> QPointF:
        """A place in a widget, sometimes at its edge or outside."""
        width, height = max(1, widget.width()), max(1, widget.height())
        x, y = self._rng.random(2)
        if self._rng.random() < 0.08:
            x, y = self._rng.choice([-2.0, -0.01, 0.0, 1.0, 1.01, 40.0, 0.5], size=2)
        return QPointF(float(round(x * width)), float(round(y * height)))

    def _modifiers(self) -> Qt.KeyboardModifier:
        return MODIFIERS[self._rng.integers(len(MODIFIERS))]

    # Actions and keys.

    def any_action(self) -> None:
        name = str(self._rng.choice(list(self._actions)))
        action = self._actions[name]
        if action.isEnabled():
            self._note(f"action {name}")
            action.trigger()

    @property
    def _actions(self) -> dict:
        return self._window.menus.actions

    def tool(self) -> None:
        name = str(self._rng.choice([name for name in self._actions if name.startswith("tool-")]))
        self._note(f"action {name}")
        self._actions[name].trigger()

    def key(self) -> None:
        widget = QApplication.focusWidget() or self._window.plane
        key, modifiers = KEYS[self._rng.integers(len(KEYS))], self._modifiers()
        self._note(f"key {modifiers.name} {key.name} to {_name(widget)}")
        QTest.keyClick(widget, key, modifiers)

    # Widgets.

    def any_widget(self) -> None:
        """Click, drag or turn the wheel over any widget that is seen."""
        shown = [w for w in QApplication.allWidgets() if w.isVisible() and w.isEnabled()]
        shown = [w for w in shown if not isinstance(w, QMenu) and w.width() > 2]
        widget = shown[self._rng.integers(len(shown))]
        at, draw = self._place(widget), self._rng.random()
        self._note(f"click or drag {_name(widget)} at {at.x():.0f} {at.y():.0f}")
        if draw < 0.15:
            self.turn(widget, at, int(self._rng.choice([120, -120])))
            return
        # What a click opens must not keep the mouse down, so all is sent before anything else.
        button = Qt.MouseButton.LeftButton if draw < 0.9 else Qt.MouseButton.RightButton
        self.send(widget, QEvent.Type.MouseButtonPress, at, button, self._modifiers())
        for _ in range(int(self._rng.choice([0, 0, 1, 5]))):
            if _lives(widget):
                at = self._place(widget)
                self.send(widget, QEvent.Type.MouseMove, at, button)
        if _lives(widget):
            self.send(widget, QEvent.Type.MouseButtonRelease, at, button)

    def type_into(self) -> None:
        fields = [w for w in QApplication.allWidgets() if isinstance(w, QLineEdit)]
        fields = [w for w in fields if w.isVisible() and w.isEnabled()]
        if fields:
            field = fields[self._rng.integers(len(fields))]
            text = str(self._rng.choice(TYPED))
            self._note(f"type {text!r} into {_name(field)}")
            field.setFocus()
            field.selectAll()
            if text:
                field.insert(text)
            done = Qt.Key.Key_Return if self._rng.random() < 0.7 else Qt.Key.Key_Tab
            QTest.keyClick(field, done)

    def dock(self) -> None:
        docks = self._window.docks.docks
        name = str(self._rng.choice(list(docks)))
        dock, draw = docks[name], self._rng.random()
        self._note(f"dock {name} {draw:.2f}")
        if draw < 0.45:
            self._window.docks.show(name)
        elif draw < 0.7:
            dock.close()
        elif isinstance(dock, QDockWidget):
            areas = Qt.DockWidgetArea
            side = areas.LeftDockWidgetArea if draw < 0.85 else areas.RightDockWidgetArea
            self._window.addDockWidget(side, dock)

    def resize(self) -> None:
        width, height = int(self._rng.integers(200, 1600)), int(self._rng.integers(150, 1200))
        self._note(f"resize {width} {height}")
        self._window.resize(width, height)

    def full_screen(self) -> None:
        self._note("full screen")
        self._actions["full-screen"].trigger()

    def look(self) -> None:
        if self._rng.random() < 0.5:
            self._note("theme")
            self._window.appearance.toggle_dark()
        else:
            scale = float(self._rng.choice([0.75, 1.0, 1.25, 2.0]))
            self._note(f"scale {scale}")
            self._window.appearance.set_scale(scale)

    # Points, model and steps.

    def scrub(self) -> None:
        playback = self._window.stage.playback
        draw = self._rng.random()
        self._note(f"scrub {draw:.2f}")
        if draw < 0.6:
            playback.seek(float(self._rng.integers(-5, playback.length + 10)))
        elif draw < 0.8:
            playback.toggle()
        elif draw < 0.9:
            playback.set_speed(float(self._rng.choice([0.5, 30.0, 1e4, float("inf")])))
        else:
            playback.set_focus(
                int(self._rng.integers(len(self._window.stage.session.document.methods)))
            )

    def edit_document(self) -> None:
        """Another kernel, penalty, solver or data set, or a race."""
        session = self._window.stage.session
        try:
            made = self._another(session.document)
        except BadInput as error:
            self._note(f"edit refused: {error}")
            return
        self._note(f"edit to {made.n} points, {made.kernel}, {made.penalty}, {made.methods}")
        session.edit(made, "Monkey")

    def _another(self, old: Document) -> Document:
        rng, draw = self._rng, self._rng.random()
        if draw < 0.25:
            return replace(old, kernel=problems.make_kernel(rng))
        if draw < 0.35:
            return replace(old, penalty=Penalty("C", float(10.0 ** rng.uniform(-3, 4))))
        if draw < 0.6:
            count = int(rng.choice([1, 1, 2, 3]))
            kinds = rng.choice(list(METHODS), size=count, replace=False)
            return old.with_methods(tuple(METHODS[str(kind)]() for kind in kinds))
        if draw < 0.7:
            return replace(old, scaling=str(rng.choice(list(SCALINGS))))
        if draw < 0.8:
            points, labels = problems.make_points(rng)
            return replace(old, data=PointSet(points, labels))
        made = DATASETS[str(rng.choice(list(DATASETS)))]
        return replace(old, data=made.generate(int(rng.choice([8, 60, 200, 800])), 0.2, 1))

    def paste(self) -> None:
        text = limits.as_text(limits.random_places(self._rng))
        if self._rng.random() < 0.5:
            text = files.make_text(self._rng, "clipboard")
        self._note(f"paste {text[:80]!r}")
        QGuiApplication.clipboard().setText(text)
        self._actions["paste"].trigger()

    def open_file(self) -> None:
        kind = str(self._rng.choice(list(files.ENDINGS)))
        path = self._folder / f"open{files.ENDINGS[kind][0]}"
        if self._rng.random() < 0.5:
            texts = files.texts_of(kind)
            text = texts[self._rng.integers(len(texts))]
        else:
            text = files.make_text(self._rng, kind)
        path.write_bytes(text.encode("utf-8", "replace"))
        self._note(f"open {kind} {text[:80]!r}")
        self._window.files.confirm_and_open(str(path))

    # Answers.

    def answer(self, dialog: QWidget) -> None:
        """Do one thing with a dialog or a menu; after many, close it."""
        self._answered += 1
        draw = self._rng.random()
        self._note(f"answer {type(dialog).__name__} {draw:.2f}")
        if isinstance(dialog, QMenu):
            self._answer_menu(dialog, draw)
        elif isinstance(dialog, QProgressDialog) and draw < 0.97:
            return
        elif self._answered > 40 or draw < 0.1:
            self._answered = 0
            dialog.close()
        elif isinstance(dialog, QMessageBox):
            buttons = dialog.buttons()
            buttons[self._rng.integers(len(buttons))].click()
        elif draw < 0.5 and not isinstance(dialog, QComboBox):
            self._press_button(dialog)
        elif draw < 0.8:
            self.type_into()
        else:
            self.key()

    def _answer_menu(self, menu: QMenu, draw: float) -> None:
        actions = [action for action in menu.actions() if action.isEnabled()]
        if draw < 0.5 or not actions:
            menu.close()
            return
        action = actions[self._rng.integers(len(actions))]
        self._note(f"menu {action.text()}")
        menu.close()
        if action.menu() is None:
            action.trigger()

    def _press_button(self, dialog: QWidget) -> None:
        buttons = [b for b in dialog.findChildren(QAbstractButton) if b.isVisible()]
        buttons = [button for button in buttons if button.isEnabled()]
        if buttons:
            button = buttons[self._rng.integers(len(buttons))]
            self._note(f"button {button.text()!r}")
            button.click()


def _lives(widget: QWidget) -> bool:
    return shiboken6.isValid(widget) and widget.isVisible()


def _name(widget: QWidget) -> str:
    words = [type(widget).__name__, widget.objectName(), widget.accessibleName()]
    parent = widget.parentWidget()
    return " ".join(filter(None, words)) + (f" in {type(parent).__name__}" if parent else "")

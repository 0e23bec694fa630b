"""Presses in the plane with points at the limits of arithmetic, between F11, resizing and themes.

``python -m tests.campaigns.presses [SEED [COUNT]]`` runs the campaign, under faulthandler: twice a
press shortly after F11 was the end of the process.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from svmviz.window import MainWindow
from tests.campaigns import limits
from tests.campaigns.children import run_child
from tests.campaigns.driver import Driver, drive_window
from tests.campaigns.moves import BUTTONS, Moves
from tests.campaigns.summary import Summary

COUNT = 4_000
# Presses in one turn of the event loop; between turns the plane is painted.
TURN = 10
# Seconds per press that a child may take before it counts as dead.
SECONDS_PER_PRESS = 0.1


class Presser(Driver):
    """Presses, drags and releases; between turns the window or its points change."""

    def __init__(self, window: MainWindow, folder: Path, seed: int, count: int) -> None:
        super().__init__(window, folder)
        self._rng = np.random.default_rng(seed)
        self._moves = Moves(window, self._rng, folder, self.note)
        self._count, self._pressed = count, 0

    def act(self) -> None:
        if self._pressed >= self._count:
            self.figures = {"pressed": self._pressed}
            QTimer.singleShot(0, self, self.end)
            return
        self._change()
        for _ in range(TURN):
            self._press()
        self.window.plane.update()

    def answer(self, dialog: QWidget) -> None:
        dialog.close()

    def _change(self) -> None:
        """Paste other points, or give the window another size, look or tool."""
        window, draw = self.window, self._rng.random()
        if draw < 0.15:
            self._paste()
        elif draw < 0.3:
            self._moves.full_screen()
        elif draw < 0.45:
            self._moves.resize()
        elif draw < 0.5:
            self._moves.look()
        elif draw < 0.65:
            self._moves.tool()
        elif draw < 0.75:
            self._moves.wheel()
        elif draw < 0.8:
            window.plane.navigation.fit()
        elif draw < 0.85:
            window.stage.session.undo_stack.undo()

    def _paste(self) -> None:
        places = limits.random_places(self._rng)
        self.note(f"paste {places[:4]}")
        session = self.window.stage.session
        if session.document.n > 200 or self._rng.random() < 0.5:
            self.window.menus.actions["clear"].trigger()
        QGuiApplication.clipboard().setText(limits.as_text(places))
        self.window.menus.actions["paste"].trigger()

    def _press(self) -> None:
        plane = self.window.plane
        button = BUTTONS[self._rng.integers(len(BUTTONS))]
        at, on = self._place(), self._place()
        self._pressed += 1
        self._moves.send(plane, QEvent.Type.MouseButtonPress, at, button)
        if self._rng.random() < 0.5:
            self._moves.send(plane, QEvent.Type.MouseMove, on, button)
            if self._rng.random() < 0.1:
                # The tool handles a drag in another turn of the event loop.
                QApplication.processEvents()
        self._moves.send(plane, QEvent.Type.MouseButtonRelease, on, button)

    def _place(self) -> QPointF:
        plane = self.window.plane
        x, y = self._rng.random(2) * (plane.width(), plane.height())
        if self._rng.random() < 0.3:
            # Where points are.
            data = self.window.stage.session.document.data
            if len(data):
                x, y = plane.camera.to_pixels(data.points[self._rng.integers(len(data))])
        x, y = np.clip((x, y), -3000.0, 3000.0)
        return QPointF(float(x), float(y))


def main(seed: int = 0, count: int = COUNT) -> Summary:
    """Run the campaign."""
    with tempfile.TemporaryDirectory(prefix="svmviz-presses-") as folder:
        ended = run_child(
            "tests.campaigns.presses", Path(folder), SECONDS_PER_PRESS * count + 60.0, seed, count
        )
    report = ended.report
    summary = Summary("presses", int(report.get("pressed", 0)), list(report.get("failures", [])))
    if fault := ended.fault():
        summary.failures.insert(0, fault)
    summary.figures["seconds"] = round(float(report.get("seconds", 0.0)), 1)
    return summary


def _live(folder: str, seed: str, count: str) -> int:
    def make(window: MainWindow) -> Presser:
        return Presser(window, Path(folder), int(seed), int(count))

    return drive_window(Path(folder), make)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        sys.exit(_live(*sys.argv[2:5]))
    print(main(*map(int, sys.argv[1:])))

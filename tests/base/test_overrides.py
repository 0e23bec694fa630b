"""Errors of C code in overrides of Qt's methods are errors, and not the end of the process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.time_limits import TIME_LIMIT

# Python sends a key; the widget's `event` calls Qt, and Qt an override that raises.
PROGRAM = """
import sys
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QKeyEvent, QUndoCommand, QUndoStack
from PySide6.QtWidgets import QApplication, QWidget
from svmviz.base.overrides import guard_overrides

class Mixin:
    def keyPressEvent(self, event):
        int(float("inf"))

class Early(Mixin, QWidget):
    def event(self, event):
        return super().event(event)

guard_overrides()
guard_overrides()

class Late(QWidget):
    def keyPressEvent(self, event):
        int(float("inf"))

class Entry(QUndoCommand):
    def redo(self):
        [][1]

app = QApplication([])
sys.excepthook = lambda kind, error, _: print("hook", kind.__name__, flush=True)

def caught(act):
    try:
        act()
    except Exception as error:
        print("caught", type(error).__name__, flush=True)

for widget in (Early(), Late()):
    key = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_A, Qt.KeyboardModifier.NoModifier)
    caught(lambda: QCoreApplication.sendEvent(widget, key))
stack = QUndoStack()
caught(lambda: stack.push(Entry("x")))
print("alive", flush=True)
"""


def test_errors_of_c_code_in_overrides_are_raised():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=TIME_LIMIT,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.split("\n")
    assert lines[-2] == "alive"
    assert [line.split()[1] for line in lines[:-2]] == ["OverflowError"] * 2 + ["IndexError"]

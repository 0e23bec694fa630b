"""Time of a start, compared with that of an empty Qt window with one plot."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time

STARTS = 7
# Limit, relative to the start of the empty window.
BAR = 1.3

# Both print when the first picture is painted, and exit.
EMPTY = """
from PySide6.QtWidgets import QApplication, QMainWindow
import pyqtgraph
class Plot(pyqtgraph.PlotWidget):
    def paintEvent(self, event):
        super().paintEvent(event)
        say_and_leave()
app = QApplication([])
window = QMainWindow()
window.setCentralWidget(Plot())
window.resize(1280, 800)
window.show()
app.exec()
"""
WINDOW = """
from svmviz.__main__ import main
# Imports of the command line before the window. Their order matters, since PySide6 scans the source
# of every module imported after it.
import svmviz.cli.window
from svmviz.cli.displays import without_reading_sources
with without_reading_sources():
    from svmviz.plane.widget import PlaneView
paint = PlaneView.paintEvent
def paint_and_say(self, event):
    paint(self, event)
    say_and_leave()
PlaneView.paintEvent = paint_and_say
main([])
"""
SAY = """
import os, time
def say_and_leave():
    os.write(1, str(time.time()).encode())
    os._exit(0)
"""


def main() -> None:
    """Start both alternately, several times, and print the ratios of minimum and median."""
    seconds: dict[str, list[float]] = {"empty": [], "window": []}
    with tempfile.TemporaryDirectory() as home:
        # Bytecode is cached after the first start, as for an installed program.
        places = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "PYTHONPYCACHEPREFIX")
        settings = dict.fromkeys(places, home) | {"PYTHONDONTWRITEBYTECODE": ""}
        for turn in range(STARTS + 1):
            for name, script in (("empty", EMPTY), ("window", WINDOW)):
                taken = _start(script, os.environ | settings)
                # The first start reads the files into memory.
                if turn:
                    seconds[name].append(taken)
    best = {name: min(taken) for name, taken in seconds.items()}
    middle = {name: statistics.median(taken) for name, taken in seconds.items()}
    print(
        f"warm start to the first picture: {best['window']:.2f} s, an empty Qt window with a plot "
        f"{best['empty']:.2f} s: {best['window'] / best['empty']:.2f} times as long, in the middle "
        f"{middle['window'] / middle['empty']:.2f} (bar {BAR})"
    )


def _start(script: str, environment: dict[str, str]) -> float:
    began = time.time()
    done = subprocess.run(
        [sys.executable, "-c", SAY + script], env=environment, capture_output=True, check=True
    )
    return float(done.stdout) - began

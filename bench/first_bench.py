"""The first start on a machine: nothing is compiled yet, and the window must not stall.

A timer ticks every millisecond while another process compiles; then every solver is chosen once.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

from bench.compilations import RECORD_COMPILATIONS

# Limits: s from the first picture to the first step; the two longest turns of the event loop,
# ms; s from choosing a solver to its first step, after the other process has finished.
FIRST_STEP, LOADING, TURN, CHOSEN = 5.0, 100, 50, 0.5
# The other process has the lowest priority, so on a busy machine it takes minutes, s.
LIMIT = 900.0

WINDOW = (
    RECORD_COMPILATIONS
    + """
import sys, time
from dataclasses import replace
from PySide6.QtCore import QTimer, Qt
import svmviz.app.app as app
from solvers import METHODS
from solvers.jit import cache
from solvers.jit.helper import EVERYTHING
from svmviz.document.document import Penalty
from svmviz.window import MainWindow
shown = {}
class Watched(MainWindow):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.turns, self.last = [], None
        self.painted_at = self.began = None
        self.left = list(METHODS.values())
        self.timer = QTimer(self)
        self.timer.setTimerType(Qt.TimerType.PreciseTimer)
        self.timer.timeout.connect(self.beat)
        self.plane.painted.connect(self.note_picture, Qt.ConnectionType.SingleShotConnection)
        # A process that waits for nothing checks the disk now and then.
        self.slow = QTimer(self)
        self.slow.timeout.connect(self.look)
    def note_picture(self):
        self.painted_at = self.last = time.perf_counter()
        self.timer.start(1)
        self.slow.start(20)
    def beat(self):
        now = time.perf_counter()
        self.turns.append(now - self.last)
        self.last = now
        session = self.stage.session
        if "first" not in shown and session.runs and session.runs[0].steps:
            shown["first"] = now - self.painted_at
            count()
        if self.began is not None:
            runs = () if session.waiting else session.runs
            if runs and type(runs[0].method) is self.chosen and runs[0].steps:
                print("chosen", self.chosen.name, round(now - self.began, 3), flush=True)
                self.began = None
                self.choose()
    def look(self):
        if "first" in shown and "done" not in shown and cache.is_compiled(EVERYTHING):
            shown["done"] = time.perf_counter() - self.painted_at
            longest = sorted(self.turns, reverse=True)[:4]
            print("first", round(shown["first"], 2), "done", round(shown["done"], 1), flush=True)
            print("turns", *(round(1e3 * turn) for turn in longest), flush=True)
            compiled.clear()
            QTimer.singleShot(500, self.choose)
    def choose(self):
        if not self.left:
            print("compiled", len(compiled), *compiled, flush=True)
            self.stage.session.undo_stack.setClean()
            self.close()
            return
        self.chosen = self.left.pop(0)
        document = self.stage.session.document
        bias = document.bias if document.bias in self.chosen.biases else self.chosen.biases[0]
        document = replace(document, methods=(self.chosen(),), bias=bias)
        self.began = time.perf_counter()
        self.stage.session.edit(document, "choose")
app.MainWindow = Watched
sys.exit(app.run_window(None))
"""
)


def main() -> None:
    """Start the window with an empty cache, and print the measurements."""
    with tempfile.TemporaryDirectory() as home:
        kinds = ("CONFIG", "CACHE", "DATA", "STATE")
        places = {f"XDG_{kind}_HOME": os.path.join(home, kind.lower()) for kind in kinds}
        environment = {k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"} | places
        try:
            done = subprocess.run(
                [sys.executable, "-c", WINDOW],
                env=environment,
                stdout=subprocess.PIPE,
                text=True,
                check=True,
                timeout=LIMIT,
            )
        except subprocess.TimeoutExpired:
            print(f"first start: not everything is compiled after {LIMIT:g} s, the machine is busy")
            return
    lines = {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines()}
    print(
        f"first start: first step {lines['first'][0]} s after the first picture"
        f" (bar {FIRST_STEP:g}), everything compiled after {lines['first'][2]} s"
    )
    print(
        f"longest turns of the event loop meanwhile: {', '.join(lines['turns'])} ms"
        f" (bar {LOADING} for one, {TURN} for the others)"
    )
    for line in done.stdout.splitlines():
        if line.startswith("chosen"):
            _, name, seconds = line.split()
            print(f"then {name} begins {seconds} s after it is chosen (bar {CHOSEN:g})")
    print("compilations in the window since (bar 0):", *lines["compiled"])

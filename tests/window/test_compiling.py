"""The first start with nothing compiled: the window only loads what another process compiles."""

from __future__ import annotations

import json
import shutil

import pytest

from bench.compilations import RECORD_COMPILATIONS
from solvers.jit import cache
from tests.window.program import Program

pytestmark = [pytest.mark.display, pytest.mark.slow]

# Chooses every method, and then a sigmoid kernel, when the other process is done; prints what the
# window compiled itself, and of which documents pictures were shown while others were compiled.
CHOOSE = (
    RECORD_COMPILATIONS
    + """
import json, sys
from dataclasses import replace
from PySide6.QtCore import QTimer
import svmviz.app.app as app
from solvers import METHODS, Sigmoid
from solvers.jit import cache
from solvers.jit.helper import EVERYTHING
from svmviz.window import MainWindow
blank = []
class Watched(MainWindow):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.changes = [{"methods": (method(),), "bias": method.biases[0]}
                        for method in METHODS.values()]
        self.changes += [{"methods": (METHODS["smo"](),), "kernel": Sigmoid(), "bias": "free"}]
        self.chosen = None
        self.timer = QTimer(self)
        self.timer.timeout.connect(self.look)
        self.timer.start(20)
        self.stage.feed.frame_changed.connect(self.note)
    def note(self, frame):
        lane = frame.lane
        blank.append(lane is None or lane.length == 0)
    def look(self):
        session = self.stage.session
        if not session.runs or not session.runs[0].steps:
            return
        if self.chosen is None:
            count()
            self.chosen = False
            # While the other process still compiles: the old picture stays.
            self.choose({"methods": (METHODS["working-set"](),)})
        elif cache.is_compiled(EVERYTHING) and session.solved is session.document:
            if not self.changes:
                print(json.dumps([compiled, blank]), file=sys.stderr)
                session.undo_stack.setClean()
                self.timer.stop()
                self.close()
            else:
                self.choose(self.changes.pop(0))
    def choose(self, change):
        session = self.stage.session
        session.edit(replace(session.document, **change), "choose")
app.MainWindow = Watched
sys.exit(app.run_window(None))
"""
)


def test_the_window_compiles_nothing_and_the_old_picture_stays(tmp_path, monkeypatch):
    base = tmp_path / "machine-code"
    base.mkdir(mode=0o700)
    kept = cache.folder()
    if kept is not None:
        # What was compiled before is there, but not known to be: it takes seconds, not minutes.
        shutil.copytree(kept, base / kept.name, ignore=shutil.ignore_patterns("done"))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(base))
    program = Program(tmp_path, script=CHOOSE)
    try:
        assert program.wait(280.0) == 0
        compiled, blank = json.loads(program.errors().splitlines()[-1])
    finally:
        program.close()
    assert compiled == []
    # Once there was a picture, there always is one.
    assert True not in blank[blank.index(False) :]

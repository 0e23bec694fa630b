"""The whole program: its start, its crash and what comes after, and its end."""

from __future__ import annotations

import json
import re
import signal

import pytest

from solvers import Linear
from svmviz.base.resources import path as asset
from svmviz.document.examples import FIRST_SCENE
from svmviz.io.open_and_save import open_scene, save
from svmviz.io.scene import Scene
from tests.io.test_autosave import leave_behind
from tests.stages import eight
from tests.window.program import Program

pytestmark = [pytest.mark.display, pytest.mark.slow]

# Ends by itself, after it has written down what it showed.
WATCH = """
import sys, json
from PySide6.QtCore import QTimer
import svmviz.app.app as app
from svmviz.window import MainWindow
class Watched(MainWindow):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.seen = []
        self.timer = QTimer(self)
        self.timer.timeout.connect(self.look)
        self.timer.start(50)
    def look(self):
        playback = self.stage.playback
        lane = self.stage.feed.frame.lane
        # Until the solver is compiled, there is nothing to play.
        if lane is not None and playback.player.playing and playback.length:
            self.seen.append((lane.step, playback.player.speed, lane.problem.n, playback.length))
        # On a busy machine there may be few looks before the end.
        if self.seen and self.seen[-1][0] > self.seen[0][0]:
            self.timer.stop()
            print(json.dumps([self.windowTitle(), self.seen[0], self.seen[-1]]), file=sys.stderr)
            self.close()
app.MainWindow = Watched
sys.exit(app.run_window(None))
"""
# A menu entry that fails.
FAIL = """
import sys
import svmviz.app.app as app
from PySide6.QtCore import QTimer
from svmviz.window import main
def fail(_parent):
    raise RuntimeError("the about box is broken")
main.show_about = fail
def later(window):
    QTimer.singleShot(300, window, lambda: window.menus.actions["about"].trigger())
greet = app._show_first_scene
app._show_first_scene = lambda window, *others: (greet(window, *others), later(window))
sys.exit(app.run_window(None))
"""

# Every action of every menu fails, one after the other; the boxes that say so are closed.
FAIL_ALL = """
import json, sys
import svmviz.app.app as app
from svmviz.window.menus.actions import Spec
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox
make = Spec.__init__
names, said = [], []
def make_broken(spec, *arguments, **named):
    make(spec, *arguments, **named)
    def fail():
        raise RuntimeError(f"{spec.name} is broken")
    object.__setattr__(spec, "run", fail)
    names.append(spec.name)
Spec.__init__ = make_broken
def look(window, rest):
    box = QApplication.activeModalWidget()
    if isinstance(box, QMessageBox):
        said.append(box.informativeText())
        box.close()
    elif len(said) < len(names) - len(rest):
        pass
    elif rest:
        action = window.menus.actions[rest.pop()]
        action.setEnabled(True)
        action.trigger()
    else:
        n = window.stage.session.document.n
        print(json.dumps([names, said, n]), file=sys.stderr)
        window.stage.session.undo_stack.setClean()
        window.close()
def later(window):
    timer = QTimer(window)
    rest = list(names)
    timer.timeout.connect(lambda: look(window, rest))
    timer.start(20)
greet = app._show_first_scene
app._show_first_scene = lambda window, *others: (greet(window, *others), later(window))
sys.exit(app.run_window(None))
"""

# The program is ended during a presentation, while its window is hidden.
CLOSE_IN_PRESENTATION = """
import sys
import svmviz.app.app as app
from PySide6.QtCore import QTimer
def close(window):
    window.presentation.begin()
    QTimer.singleShot(300, window, window.close)
greet = app._show_first_scene
app._show_first_scene = lambda window, *others: (greet(window, *others), close(window))
sys.exit(app.run_window(None))
"""


@pytest.fixture
def start(tmp_path):
    programs = []

    def start_one(*arguments, script=""):
        programs.append(Program(tmp_path, *arguments, script=script))
        return programs[-1]

    yield start_one
    for program in programs:
        program.close()


@pytest.fixture
def scene(tmp_path):
    path = tmp_path / "eight.svmviz"
    save(path, Scene(eight(), window=(-4.0, 4.0, -4.0, 4.0)))
    return path


def points_in(path):
    found = re.search(r'"points": \[(.*?)\n  \]', path.read_text(), re.DOTALL)
    return found.group(1).count("[") if found else 0


def test_a_presentation_does_not_outlive_the_window(start):
    program = start(script=CLOSE_IN_PRESENTATION)
    assert program.wait() == 0
    assert not program.errors()


def test_the_first_start_shows_two_clouds_and_a_line_playing(start):
    program = start(script=WATCH)
    assert program.wait() == 0
    title, first, last = json.loads(program.errors().splitlines()[-1])
    assert title.startswith("Two clouds")
    step, speed, n, _ = first
    length = last[3]
    first_scene = open_scene(asset(f"scenes/{FIRST_SCENE}.svmviz")).document
    assert 20 <= n == first_scene.n <= 60
    assert first_scene.kernel == Linear()
    assert 3 <= speed <= 15
    # Half a minute at most, and more than a blink.
    assert 2 < length / speed < 30
    assert step < last[0] < length


def test_a_second_start_opens_where_one_was(start, scene):
    program = start(scene)
    program.window("eight.svmviz")
    program.process.send_signal(signal.SIGINT)
    assert program.wait() == 0
    start().window("eight.svmviz")


def test_a_crash_loses_nothing(start, scene):
    program = start(scene)
    window = program.window("eight.svmviz")
    program.click(window, 300, 300)
    program.window("eight.svmviz\\*")
    program.until(lambda: [p for p in program.autosaved() if points_in(p) == 9], "the autosave")
    program.process.send_signal(signal.SIGKILL)
    program.wait()
    again = start()
    again.key("Restore the last session", "Return")
    again.window("eight.svmviz.*")
    again.until(lambda: len(again.titles()) == 1, "the end of the question")
    again.until(lambda: [p for p in again.autosaved() if points_in(p) == 9], "its own autosave")
    # It is unsaved, so it asks before it ends; and then nothing is left.
    again.process.send_signal(signal.SIGINT)
    again.key("Unsaved changes", "alt+d")
    assert again.wait() == 0
    assert not again.autosaved()


def test_a_question_that_is_ended_from_outside_loses_nothing(start, tmp_path):
    leave_behind(tmp_path / "state/svmviz/autosave", scene=Scene(eight()))
    program = start()
    program.window("Restore the last session")
    program.process.send_signal(signal.SIGTERM)
    assert program.wait() == 143
    assert [points_in(path) for path in program.autosaved()] == [8]
    again = start()
    again.key("Restore the last session", "Escape")
    again.window("Two clouds")
    again.process.send_signal(signal.SIGINT)
    assert again.wait() == 0
    assert [points_in(path) for path in again.autosaved()] == [8]


def test_ctrl_c_in_the_terminal_ends_it_in_good_order(start, scene):
    program = start(scene)
    program.window("eight.svmviz")
    program.process.send_signal(signal.SIGINT)
    assert program.wait() == 0
    assert not program.autosaved()
    assert "Traceback" not in program.errors()
    assert (program.home / "config/svmviz/settings.json").exists()


@pytest.mark.parametrize("twice", [True, False])
def test_what_is_ended_from_outside_is_offered_again(start, scene, twice):
    program = start(scene)
    window = program.window("eight.svmviz")
    # Three points are work of substance, which is asked about.
    for x in (300, 360, 420):
        program.click(window, x, 300)
    program.window("eight.svmviz\\*")
    if twice:
        program.process.send_signal(signal.SIGINT)
        program.window("Unsaved changes")
        program.process.send_signal(signal.SIGINT)
    else:
        program.process.send_signal(signal.SIGTERM)
    assert program.wait() == (130 if twice else 143)
    assert [points_in(path) for path in program.autosaved()] == [11]


def test_a_slot_that_fails_is_logged_and_named(start):
    program = start(script=FAIL)
    program.until(lambda: "RuntimeError: the about box is broken" in program.log, "the log")
    assert "Traceback" in program.log
    program.key("^svmviz$", "Escape")
    program.until(lambda: len(program.titles()) == 1, "the end of the dialog")
    program.process.send_signal(signal.SIGINT)
    assert program.wait() == 0


def test_every_action_that_fails_is_logged_and_named_and_the_window_lives_on(start):
    program = start(script=FAIL_ALL)
    assert program.wait(120) == 0
    names, said, n = json.loads(program.errors().splitlines()[-1])
    assert len(names) > 30
    assert n > 0
    for name in names:
        assert f"RuntimeError: {name} is broken" in program.log
    assert program.log.count("Traceback") == len(names)
    # The last of them was asked for first.
    for name, sentence in zip(reversed(names), said, strict=True):
        assert sentence.startswith(f"RuntimeError: {name} is broken")

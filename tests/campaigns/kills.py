"""Kills of the real program, while it edits and while it saves: nothing is lost or left behind.

``python -m tests.campaigns.kills [SEED [COUNT]]`` kills it so many times, once while it edits for
each two times while it saves. Each start after a kill restores what the one before has autosaved.
The moment of a kill decides what it meets, so a seed alone brings no failure back.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from solvers import Perceptron
from solvers.data.datasets import DATASETS
from svmviz.document.document import Document
from svmviz.io.open_and_save import open_scene, save
from svmviz.io.scene import Scene
from tests import screen
from tests.campaigns.summary import Summary

COUNT = 60
# The oldest that an autosave may be, s.
MAX_AGE = 2.0
# A start that takes longer has failed, s.
MAX_WAIT = 120.0
# Kills come so long after the first edit, s.
FIRST, LAST = 0.05, 4.0
SIZES = (50, 2000)


@dataclass(frozen=True)
class Line:
    """A line of a child's journal: a time, an action, and the number of points after it."""

    at: float
    what: str
    n: int


class Life:
    """One start of the program, until it is killed or ends.

    Parameters
    ----------
    home : Path
        Where its settings, its autosaves and its scene lie.
    mode : str
        "edit", "save" or "end": what it does once its window is there.
    """

    def __init__(self, home: Path, mode: str) -> None:
        self.home, self.mode = home, mode
        self._journal = home / "journal.txt"
        self._journal.write_text("")
        kinds = ("CONFIG", "CACHE", "DATA", "STATE")
        folders = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in kinds}
        root = Path(__file__).parents[2]
        cache = os.environ.get("NUMBA_CACHE_DIR", str(root / ".pytest_cache" / "numba"))
        own = {"PYTHONPATH": str(root), "NUMBA_CACHE_DIR": cache, "HOME": str(home)}
        with (home / "stderr.txt").open("wb") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.campaigns.kills", "--child", str(home), mode],
                env={**os.environ, **folders, **own},
                stderr=errors,
            )

    def wait_for(self, what: str) -> Line:
        """Wait for a line of the journal."""
        deadline = time.monotonic() + MAX_WAIT
        while not (found := [line for line in self.lines() if line.what == what]):
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"no {what!r} from it: {self.errors()}")
            time.sleep(0.01)
        return found[0]

    def kill(self) -> float:
        """Kill it, and return when."""
        at = time.time()
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        return at

    def end(self) -> int:
        """Wait for its end; return the exit code."""
        return self._process.wait(MAX_WAIT)

    def lines(self) -> list[Line]:
        """Return the whole lines of the journal."""
        whole = self._journal.read_text().rpartition("\n")[0].splitlines()
        parts = [line.split() for line in whole]
        return [Line(float(at), what, int(n)) for at, what, n in parts]

    def errors(self) -> str:
        """The text that it wrote to stderr."""
        return (self.home / "stderr.txt").read_text()[-2000:]


def main(seed: int = 0, count: int = COUNT) -> Summary:
    """Run the campaign."""
    summary = Summary("kills")
    before = dict(os.environ)
    shown = None if os.environ.get("QT_QPA_PLATFORM") else screen.start()
    rng = random.Random(seed)
    ages: list[float] = []
    try:
        with tempfile.TemporaryDirectory(prefix="svmviz-kills-") as folder:
            for size in SIZES:
                home = Path(folder) / str(size)
                home.mkdir()
                modes = ["edit", "save", "save"] * (1 + count // 6)
                for mode in modes[: (count + 1) // 2 if size == SIZES[0] else count // 2]:
                    _die_once(home, size, mode, rng, ages, summary)
                _end_in_good_order(home, summary)
    finally:
        if shown is not None:
            shown.stop()
            os.environ.clear()
            os.environ.update(before)
    summary.figures["oldest autosave"] = f"{max(ages, default=0.0):.2f} s"
    return summary


def _die_once(
    home: Path, size: int, mode: str, rng: random.Random, ages: list[float], summary: Summary
) -> None:
    """Start the program, kill it, and check the files that it has left."""
    summary.tried += 1
    scene = home / "scene.svmviz"
    if not scene.exists():
        save(scene, Scene(_document(size)))
    kept = _autosaved(home)
    life = Life(home, mode)
    try:
        restored = life.wait_for("ready").n
        life.wait_for("edited")
    except RuntimeError as error:
        life.kill()
        summary.failures.append(f"{mode}: {error}")
        return
    faults = []
    if kept and restored != max(kept):
        faults.append(f"{max(kept)} points were autosaved, and {restored} restored")
    if not _comes_true(lambda: not _strays(home)):
        faults.append(f"left by the kill before: {_strays(home)}")
    time.sleep(rng.uniform(FIRST, LAST))
    killed = life.kill()
    try:
        found = _autosaved(home)
        on_disk = open_scene(scene).document.n
    except ValueError as error:
        summary.failures.append(f"{mode}: broken: {error}")
        return
    held = max([*found, on_disk])
    missing = [line.at for line in life.lines() if line.what == "edited" and line.n > held]
    ages.append(killed - min(missing, default=killed))
    if ages[-1] > MAX_AGE:
        faults.append(f"what it has kept is {ages[-1]:.2f} s old")
    saved = [line.n for line in life.lines() if line.what == "saved"]
    if saved and on_disk < max(saved):
        faults.append(f"{max(saved)} points were saved, and {on_disk} are there")
    if "Traceback" in life.errors():
        faults.append(life.errors())
    summary.failures.extend(f"{mode}, {size} points: {fault}" for fault in faults)


def _end_in_good_order(home: Path, summary: Summary) -> None:
    """Start the program, answer for all leftovers, and end it: then no file must be left."""
    life = Life(home, "end")
    if life.end() != 0:
        summary.failures.append(f"the last start ended with an error: {life.errors()}")
    left = [path.name for path in (home / "state").rglob("autosave/*")] + _strays(home)
    if left:
        summary.failures.append(f"left at the end: {left}")


def _comes_true(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + MAX_WAIT / 4
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def _autosaved(home: Path) -> list[int]:
    """Numbers of points of the autosaved scenes; raises BadInput if one is broken."""
    return [open_scene(path).document.n for path in (home / "state").rglob("autosave/*.svmviz")]


def _strays(home: Path) -> list[str]:
    """Names of unfinished files, except the one that is being written now."""
    now = {path.name for path in home.rglob("*-tmp")}
    time.sleep(0.2 if now else 0.0)
    return sorted(now & {path.name for path in home.rglob("*-tmp")})


def _document(n: int) -> Document:
    # Solved at once, so that the program is busy with editing and saving.
    return Document(DATASETS["moons"].generate(n, 0.2, 0), methods=(Perceptron(max_steps=50),))


def _live(home: str, mode: str) -> int:
    """Run the program, with code inside that edits and saves."""
    from PySide6.QtCore import QTimer

    from svmviz.app import app
    from svmviz.window import MainWindow
    from svmviz.window.files.rescue import DISCARD, RESTORE
    from svmviz.window.messages import Messages

    journal = os.open(Path(home) / "journal.txt", os.O_WRONLY | os.O_APPEND)
    answer = DISCARD if mode == "end" else RESTORE
    Messages.choose = lambda *_: answer  # type: ignore[method-assign]
    greet = app._show_first_scene

    def note(window: MainWindow, what: str) -> None:
        n = window.stage.session.document.n
        os.write(journal, f"{time.time()!r} {what} {n}\n".encode())

    def live(window: MainWindow) -> None:
        session, files = window.stage.session, window.files
        if (files.path is None and not files.is_modified) or files.busy:
            return  # its scene is still being read
        if mode == "end":
            window.stage.session.undo_stack.setClean()
            window.close()
            return
        if not getattr(window, "is_ready", False):
            window.is_ready = True  # type: ignore[attr-defined]
            note(window, "ready")
        points = session.document.data
        more = DATASETS["moons"].generate(len(points) + 1, 0.2, 0)
        session.edit(replace(session.document, data=more), "Add a point")
        note(window, "edited")
        if mode == "save" and files.save():
            note(window, "saved")

    def start(window: MainWindow, *others: object) -> None:
        greet(window, *others)  # type: ignore[arg-type]
        timer = QTimer(window)
        timer.timeout.connect(lambda: live(window))
        timer.start(30)

    app._show_first_scene = start
    return app.run_window(str(Path(home) / "scene.svmviz"))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        sys.exit(_live(*sys.argv[2:4]))
    print(main(*map(int, sys.argv[1:])))

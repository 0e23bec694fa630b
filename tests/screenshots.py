"""Pictures of the window with each panel, at several sizes and projector scales, in both themes.

    .venv/bin/python -m tests.screenshots out/ [--size 1440x900] [--scale 1] [--theme light]

Look at them before a release, as from the last row of a lecture hall.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication

from svmviz import theme
from svmviz.base.resources import path as asset
from svmviz.frames.studies import is_unfinished
from svmviz.io.files import open_scene
from svmviz.panels.registry import PANELS
from svmviz.playback.requests import FINE
from svmviz.stage.stage import Stage
from svmviz.widgets.formula import Formula
from svmviz.window import MainWindow
from tests import screen

SIZES = ("1024x700", "1440x900", "1920x1080")
SCENE = "scenes/race.svmviz"
# The step shown, as a share of the run: in the middle a pair is in play.
SHARE = 0.4
PATIENCE = 60.0


def main() -> None:
    """Make the pictures that the command line asks for."""
    parser = argparse.ArgumentParser(description="Make pictures of the window.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--size", nargs="*", default=SIZES)
    parser.add_argument("--scale", nargs="*", type=float, default=theme.SCALES)
    parser.add_argument("--theme", nargs="*", default=list(theme.THEMES))
    parser.add_argument("--scene", default=str(asset(SCENE)))
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    server = screen.start()
    try:
        app = QApplication([])
        for colours in given.theme:
            for scale in given.scale:
                theme.apply(app, theme.THEMES[colours], scale)
                for size in given.size:
                    take(app, given.scene, size, given.out / f"{colours}-{size}-{scale:g}")
    finally:
        server.stop()


def take(app: QApplication, scene: str, size: str, start: Path) -> None:
    """Open a window of one size, and take a picture of it with each panel."""
    window = MainWindow(Stage.of())
    window.files.show_scene(open_scene(scene))
    window.show_first(QSize(*map(int, size.split("x"))))
    playback, session = window.stage.playback, window.stage.session
    wait(app, lambda: bool(session.runs) and not session.waiting and playback.finished)
    playback.seek(round(SHARE * playback.length))
    for name in ("first", *PANELS):
        if name in PANELS:
            if not PANELS[name].fits(session.document):
                continue
            window.docks.show(name)
        wait(app, lambda: at_rest(window))
        picture = f"{start}-{name}.png"
        window.grab().save(picture)
        print(picture, f"{window.width()}x{window.height()}", flush=True)
    session.undo_stack.setClean()
    window.close()
    window.deleteLater()
    app.processEvents()


def at_rest(window: MainWindow) -> bool:
    """Whether the fine frame of the step is shown."""
    playback, feed = window.stage.playback, window.stage.feed
    lane = feed.frame.lane
    # What panels on screen subscribe to comes with the frame after they were shown.
    studies = feed.frame.studies
    if not feed.studies <= studies.keys() or is_unfinished(studies):
        return False
    formulas = window.findChildren(Formula)
    shown = [formula for formula in formulas if formula.isVisible()]
    # Formulas that are set may still be given the room they ask for.
    if not all(one.is_ready and one.height() >= one.sizeHint().height() for one in shown):
        return False
    if lane is None or lane.field is None or lane.step != playback.step:
        return False
    view = lane.field.window
    return max(view.columns, view.rows) == FINE


def wait(app: QApplication, condition: Callable[[], bool]) -> None:
    """Let the window live until a condition holds."""
    deadline = time.monotonic() + PATIENCE
    until = time.monotonic() + 0.1
    while time.monotonic() < until or not condition():
        if time.monotonic() > deadline:
            raise TimeoutError("The window did not come to rest.")
        app.processEvents()
        time.sleep(0.002)


if __name__ == "__main__":
    main()

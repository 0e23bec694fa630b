"""Pictures of the window with each panel, at several sizes of window and type, in both themes.

    .venv/bin/python -m tests.screenshots out/ [--size 1440x900] [--scale 1] [--theme light]

Then planes with many points, in each shading, also in grey; with ``--crowds`` only those
and presentations, with ``--presentations`` only these.

Look at them before a release, as from the last row of a lecture hall.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget

from solvers import RBF, SMO, InteriorPoint, WorkingSet
from solvers.data.regression_datasets import CURVES
from svmviz import theme
from svmviz.base.resources import path as asset
from svmviz.document.document import Document, Penalty
from svmviz.frames.studies import is_unfinished
from svmviz.io.open_and_save import open_scene
from svmviz.panels.registry import PANELS
from svmviz.playback.requests import FINE
from svmviz.stage.stage import Stage
from svmviz.widgets.formula import FormulaView
from svmviz.window import MainWindow
from tests import screen
from tests.ink import mixture

SIZES = ("1024x700", "1280x720", "1440x900", "1920x1080")
SCENE = "scenes/race.svmviz"
DEMO = "scenes/demo.svmviz"
# The step shown, as a share of the run: there it has a pair.
SHARE = 0.4
PRESENTED_SIZES = ("1024x700", "1280x720", "1920x1080")
PRESENTED_PANELS = ("objective", "step", "settings")
CROWD_SIZES = ("1024x700", "1280x720", "1440x900", "1920x1080")
MAX_WAIT = 60.0


def main() -> None:
    """Make the pictures that the command line asks for."""
    parser = argparse.ArgumentParser(description="Make pictures of the window.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--size", nargs="*", default=SIZES)
    parser.add_argument("--scale", nargs="*", type=float, default=(1.0, 1.5, 2.0))
    parser.add_argument("--theme", nargs="*", default=list(theme.THEMES))
    parser.add_argument("--scene", default=str(asset(SCENE)))
    parser.add_argument("--crowds", action="store_true")
    parser.add_argument("--presentations", action="store_true")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    server = screen.start()
    try:
        app = QApplication([])
        for colours in given.theme:
            for size in PRESENTED_SIZES:
                for scale in given.scale:
                    theme.apply(app, theme.THEMES[colours], scale)
                    start = f"{given.out / colours}-{size}-{scale:g}-presentation"
                    take_panels_beside(app, given.scene, size, start)
            if given.presentations:
                continue
            for scale in () if given.crowds else given.scale:
                theme.apply(app, theme.THEMES[colours], scale)
                for size in given.size:
                    take(app, given.scene, size, given.out / f"{colours}-{size}-{scale:g}")
            for size in CROWD_SIZES:
                take_crowds(app, colours, size, given.out)
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
        save(window, f"{start}-{name}.png")
    take_presentation(app, window, f"{start}-presentation.png")
    close(app, window)


def take_presentation(app: QApplication, window: MainWindow, picture: str) -> None:
    """Take a picture of the presentation in the size of the window."""
    size = window.size()
    window.presentation.begin()
    shown = window.presentation.screen
    assert shown is not None
    wait(app, shown.isVisible)
    shown.setGeometry(QRect(QPoint(), size))
    wait(app, lambda: shown.size() == size and at_rest(window) and fills(window))
    save(shown, picture)
    window.presentation.end()


def fills(window: MainWindow) -> bool:
    """Whether the field is that of the part of the plane that is shown."""
    lane = window.stage.feed.frame.lane
    left, right, _, _ = window.plane.camera.view
    grid = lane.field.grid if lane is not None else None
    return grid is not None and grid.left <= left and grid.right >= right


def take_panels_beside(app: QApplication, scene: str, size: str, start: str) -> None:
    """Take pictures of a presentation with some panels beside its planes, and with a word."""
    window = MainWindow(Stage.of())
    window.files.show_scene(open_scene(scene))
    window.show_first(QSize(1024, 700))
    playback, session = window.stage.playback, window.stage.session
    wait(app, lambda: bool(session.runs) and not session.waiting and playback.finished)
    playback.seek(round(SHARE * playback.length))
    # As a second picture, since that one has any size.
    window.presentation.toggle_second_picture()
    shown = window.presentation.screen
    assert shown is not None
    wait(app, shown.isVisible)
    shown.resize(*map(int, size.split("x")))
    wait(app, lambda: at_rest(window))
    save(shown, f"{start}.png")
    for name in PRESENTED_PANELS:
        shown.side.choose(name)
        wait(app, lambda: at_rest(window, shown))
        save(shown, f"{start}-{name}.png")
    window.quick.choose_kernel(1)
    wait(app, lambda: session.waiting or bool(session.runs))
    save(shown, f"{start}-word.png")
    close(app, window)


def crowds() -> dict[str, tuple[Document, float]]:
    """Return documents with many points, each with a size of type."""
    race = (SMO(), WorkingSet(), InteriorPoint())
    curve = next(iter(CURVES.values())).generate(300, 0.2, 0)
    return {
        "penguins": (open_scene(asset(DEMO)).document, 1.0),
        "mixture": (mixture(200), 1.0),
        "mixture-rbf": (replace(mixture(200), kernel=RBF(1.0), penalty=Penalty("C", 1.0)), 1.0),
        "race": (replace(mixture(200), methods=race), 1.0),
        "mixture-200%": (mixture(500), 2.0),
        "regression": (Document(curve, RBF(1.0), task="regression", epsilon=0.1), 1.0),
    }


def take_crowds(app: QApplication, colours: str, size: str, out: Path) -> None:
    """Take pictures of planes with many points."""
    for name, (document, scale) in crowds().items():
        theme.apply(app, theme.THEMES[colours], scale)
        take_shadings(app, document, size, f"{out / colours}-{size}-crowd-{name}")


def take_shadings(app: QApplication, document: Document, size: str, start: str) -> None:
    """Take pictures of a document in each shading, in colour and in grey."""
    window = MainWindow(Stage.of(document))
    window.show_first(QSize(*map(int, size.split("x"))))
    if len(document.methods) > 1:
        window.docks.show("race")
    playback, session = window.stage.playback, window.stage.session
    wait(app, lambda: bool(session.runs) and not session.waiting and playback.finished)
    # A tube has one tint in all of them.
    for shading in ("sure",) if document.is_regression else ("sure", "band"):
        window.stage.view.set(shading=shading)
        wait(app, lambda: at_rest(window))
        save(window, f"{start}-{shading}.png")
        save(window, f"{start}-{shading}-grey.png", grey=True)
    close(app, window)


def save(window: QWidget, picture: str, *, grey: bool = False) -> None:
    """Save what a window shows."""
    image = window.grab().toImage()
    if grey:
        image = image.convertToFormat(QImage.Format.Format_Grayscale8)
    image.save(picture)
    print(picture, f"{window.width()}x{window.height()}", flush=True)


def close(app: QApplication, window: MainWindow) -> None:
    """Close a window, without a question about unsaved changes."""
    window.stage.session.undo_stack.setClean()
    window.close()
    window.deleteLater()
    app.processEvents()


def at_rest(window: MainWindow, where: QWidget | None = None) -> bool:
    """Whether the fine frame of the step is shown, in the window or in ``where``."""
    playback, feed = window.stage.playback, window.stage.feed
    lane = feed.frame.lane
    # What panels on screen subscribe to comes with the frame after they were shown.
    studies = feed.frame.studies
    if not feed.studies <= studies.keys() or is_unfinished(studies):
        return False
    formulas = (where or window).findChildren(FormulaView)
    shown = [formula for formula in formulas if formula.isVisible()]
    # Formulas that are set may still be given the room they ask for.
    if not all(one.is_ready and one.height() >= one.sizeHint().height() for one in shown):
        return False
    if lane is None or lane.field is None or lane.step != playback.step:
        return False
    view = lane.field.grid
    return max(view.columns, view.rows) == FINE


def wait(app: QApplication, condition: Callable[[], bool]) -> None:
    """Let the window live until a condition holds."""
    deadline = time.monotonic() + MAX_WAIT
    until = time.monotonic() + 0.1
    while time.monotonic() < until or not condition():
        if time.monotonic() > deadline:
            raise TimeoutError("The window did not come to rest.")
        app.processEvents()
        time.sleep(0.002)


if __name__ == "__main__":
    main()

"""A lecture's worth of repaints leaves nothing in memory, nor does a closed window."""

from __future__ import annotations

import gc
import resource
import weakref
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from svmviz.stage.stage import Stage
from svmviz.window import MainWindow
from svmviz.window.memory import WindowMemory
from tests.stages import eight, moons
from tests.window.conftest import SIZE, discard, settle
from tests.window.user import WindowUser

pytestmark = pytest.mark.display
# Caches, such as those of texts and of shown panels, are full after the warm-up.
REPAINTS, WARM_UP = 1000, 650
# One leaked picture of the plane in twenty repaints would be 45 MB.
MAX_GROWTH = 24e6


def memory() -> int:
    """Bytes that the process has in use."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def test_nothing_holds_a_closed_window(qtbot, store, tmp_path):
    window = MainWindow(Stage.of(eight()), WindowMemory(store, tmp_path / "svmviz.log"))
    with qtbot.waitExposed(window):
        window.show_first(SIZE)
    settle(WindowUser(qtbot, window))
    remains = weakref.ref(window), weakref.ref(window.stage)
    discard(window)
    del window

    def is_gone() -> bool:
        gc.collect()
        return [one() for one in remains] == [None, None]

    qtbot.waitUntil(is_gone)


@pytest.mark.slow
def test_memory_stays_over_seeks_and_repaints(open_window):
    user = open_window(moons(120))
    window, playback = user.window, user.window.stage.playback
    for name in ("objective", "model", "table", "alpha"):
        window.docks.show(name)
        dock = window.docks.docks[name]
        user.until(lambda dock=dock: dock.widget() and not dock.visibleRegion().isEmpty())
    frames = []
    window.stage.feed.frame_changed.connect(lambda frame: frames.append(frame.lane.step))
    before = 0
    for turn in range(REPAINTS):
        if turn == WARM_UP:
            before = memory()
        step = (turn * 37) % (playback.length + 1)
        playback.seek(step)
        while not frames or frames[-1] != step:
            QApplication.processEvents()
        window.plane.repaint()
        frames.clear()
        if turn % 100 == 0:
            window.docks.show("objective" if turn % 200 else "alpha")
            window.stage.session.edit(moons(120 + turn % 3), "Generate")
            user.until(lambda: not window.stage.session.waiting and playback.finished)
    growth = memory() - before
    assert growth < MAX_GROWTH, f"{growth:,} bytes more"

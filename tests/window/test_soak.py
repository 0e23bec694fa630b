"""A lecture's worth of repaints: no Qt warning, no growing memory."""

from __future__ import annotations

import gc
import resource
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from tests.stages import moons

pytestmark = [pytest.mark.display, pytest.mark.slow]
REPAINTS, WARM_UP = 500, 150
# One leaked picture of the plane in twenty repaints would be 45 MB.
MAX_GROWTH = 24e6


def memory() -> int:
    """Bytes that the process has in use."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


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

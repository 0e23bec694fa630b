"""The progress of a long command, on stderr if that is a terminal."""

from __future__ import annotations

import sys
import time

from svmviz.base.words import time_left

# Time before the first line and between two, s.
INTERVAL = 0.5
WIDTH = 24


class Meter:
    """A line with a progress bar and the time left; each new line replaces the one before."""

    def __init__(self) -> None:
        self._began = self._shown = time.monotonic()
        self._is_visible = False

    def __call__(self) -> bool:
        """Return False: Ctrl+C ends the process itself. Called before a file is replaced."""
        self._show("")
        return False

    def report(self, share: float) -> None:
        """Show the fraction done, 0 to 1, and the time left."""
        now = time.monotonic()
        if now - self._shown < INTERVAL or not sys.stderr.isatty():
            return
        self._shown = now
        bar = ("=" * round(WIDTH * share)).ljust(WIDTH)
        self._show(f"[{bar}] {share:4.0%}{_left(now - self._began, share)}")

    def _show(self, line: str) -> None:
        if line or self._is_visible:
            # Return to the start of the line and clear it.
            sys.stderr.write(f"\r\x1b[K{line}")
            sys.stderr.flush()
        self._is_visible = bool(line)


def _left(seconds: float, share: float) -> str:
    left = time_left(seconds, share)
    return f", {left}" if left else ""

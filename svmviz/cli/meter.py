"""The progress of a long command, on stderr."""

from __future__ import annotations

import sys
import time

from svmviz.base.words import time_left
from svmviz.cli.streams import print_error

# Time before the first line and between two lines, s: in a terminal, and in a log.
INTERVAL, LOG_INTERVAL = 0.5, 5.0
# Length of the bar, characters.
WIDTH = 24


class Meter:
    """A line with a progress bar and the time left; each new line replaces the one before.

    Where stderr is no terminal, only progress of which is said what it is has lines.
    The line is cleared at the end of the block ``with Meter() as meter``.
    """

    def __init__(self) -> None:
        self._began = self._last_shown = time.monotonic()
        self._is_visible = False

    def __enter__(self) -> Meter:
        return self

    def __exit__(self, *error: object) -> None:
        self._show("")

    def report(self, share: float, what: str = "") -> None:
        """Show the fraction done, 0 to 1, and the time left; ``what`` says what is made next."""
        now, is_terminal = time.monotonic(), sys.stderr.isatty()
        if now - self._last_shown < (INTERVAL if is_terminal else LOG_INTERVAL):
            return
        if not is_terminal and not what:
            return
        self._last_shown = now
        if not is_terminal:
            return print_error(f"{100 * share:.0f} %{_time_left(now - self._began, share)}: {what}")
        bar = ("=" * round(WIDTH * share)).ljust(WIDTH)
        self._show(f"[{bar}] {100 * share:3.0f} %{_time_left(now - self._began, share)}")

    def _show(self, line: str) -> None:
        if line or self._is_visible:
            # Return to the start of the line and clear it.
            sys.stderr.write(f"\r\x1b[K{line}")
            sys.stderr.flush()
        self._is_visible = bool(line)


def _time_left(seconds: float, share: float) -> str:
    text = time_left(seconds, share)
    return f", {text}" if text else ""

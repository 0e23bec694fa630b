"""The program in its own process, with its own folders."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.time_limits import TIME_LIMIT
from tests.window.user import xdotool


class Program:
    """``python -m svmviz`` on the display of the tests."""

    def __init__(self, home: Path, *arguments: object, script: str = "") -> None:
        self.home = home
        kinds = ("CONFIG", "CACHE", "DATA", "STATE")
        folders = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in kinds}
        start = ["-c", script] if script else ["-m", "svmviz"]
        self.process = subprocess.Popen(
            [sys.executable, *start, *map(str, arguments)],
            env={**os.environ, **folders},
            stderr=subprocess.PIPE,
            text=True,
        )

    def window(self, title: str) -> int:
        """Number of the window with a title, as soon as it is there."""
        found: list[str] = []

        def look() -> bool:
            search = ["xdotool", "search", "--all", "--onlyvisible", "--pid", str(self.process.pid)]
            answer = subprocess.run([*search, "--name", title], capture_output=True, text=True)
            found[:] = answer.stdout.split()
            return bool(found)

        self.until(look, f"a window with the title {title!r}")
        return int(found[0])

    def titles(self) -> list[str]:
        """Titles of the windows that are seen."""
        search = ["xdotool", "search", "--all", "--onlyvisible", "--pid", str(self.process.pid)]
        answer = subprocess.run([*search, "--name", "."], capture_output=True, text=True)
        name = lambda number: subprocess.run(  # noqa: E731
            ["xdotool", "getwindowname", number], capture_output=True, text=True
        ).stdout.strip()
        return [name(number) for number in answer.stdout.split()]

    def click(self, window: int, x: int, y: int) -> None:
        xdotool("mousemove", "--window", window, x, y, "click", 1)

    def key(self, title: str, *keys: str) -> None:
        """Press keys as soon as a window with a title has the focus."""

        def focused() -> bool:
            asked = subprocess.run(
                ["xdotool", "getwindowfocus", "getwindowname"], capture_output=True, text=True
            )
            return re.search(title, asked.stdout.strip()) is not None

        self.until(focused, f"the focus on {title!r}")
        xdotool("key", *keys)

    def until(self, condition: Callable[[], object], what: str) -> None:
        deadline = time.monotonic() + TIME_LIMIT
        while not condition():
            code = self.process.poll()
            assert code is None, f"it ended with {code}: {self.errors()}"
            assert time.monotonic() < deadline, f"{what} never came"
            time.sleep(0.05)

    @property
    def log(self) -> str:
        """What the log file says."""
        return "".join(path.read_text() for path in self.home.rglob("svmviz.log"))

    def errors(self) -> str:
        """What it wrote to stderr; only after its end."""
        return self.process.stderr.read() if self.process.stderr else ""

    def autosaved(self) -> list[Path]:
        """Scenes of sessions that have not ended in good order."""
        return list((self.home / "state").rglob("autosave/*.svmviz"))

    def wait(self, seconds: float = TIME_LIMIT) -> int:
        """Wait for its end; return the exit code."""
        return self.process.wait(seconds)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        assert self.process.stderr
        self.process.stderr.close()

"""The real program in a process of its own, with something that drives it from the inside."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests import screen

# A child that is not done by then is dead, s.
GRACE = 120.0
LAST_LINES = 25


@dataclass(frozen=True)
class Ended:
    """How a child ended.

    Attributes
    ----------
    code : int or None
        Exit code, below 0 for a signal; None if it had to be killed.
    report : dict
        What it wrote at its end; empty if it did not get there.
    journal : str
        Its last actions.
    errors : str
        The end of what it wrote to stderr, where faulthandler writes as well.
    """

    code: int | None
    report: dict[str, Any]
    journal: str
    errors: str

    def fault(self) -> str:
        """What is wrong with the end itself; empty if nothing is."""
        if self.code == 0 and self.report:
            return ""
        how = "did not end" if self.code is None else f"ended with {self.code}"
        if self.code is not None and self.code < 0:
            how = f"ended by {signal.Signals(-self.code).name}"
        return f"it {how}; its last actions:\n{self.journal}\n{self.errors}"


def run_child(module: str, folder: Path, seconds: float, *arguments: object) -> Ended:
    """Run ``python -m module folder arguments`` with a screen, a home and settings of its own.

    The child writes ``journal.txt`` as it goes, and ``report.json`` at its end, into its folder.
    """
    folder.mkdir(parents=True, exist_ok=True)
    before = dict(os.environ)
    shown = None if os.environ.get("QT_QPA_PLATFORM") else screen.start()
    kinds = ("CONFIG", "CACHE", "DATA", "STATE")
    homes = {f"XDG_{kind}_HOME": str(folder / kind.lower()) for kind in kinds}
    own = {"HOME": str(folder), "OPENBLAS_NUM_THREADS": "1", "PYTHONFAULTHANDLER": "1"}
    root = Path(__file__).parents[2]
    cache = os.environ.get("NUMBA_CACHE_DIR", str(root / ".pytest_cache" / "numba"))
    environment = {**os.environ, **homes, **own, "NUMBA_CACHE_DIR": cache, "PYTHONPATH": str(root)}
    errors = folder / "stderr.txt"
    try:
        with errors.open("wb") as stream:
            process = subprocess.Popen(
                [sys.executable, "-m", module, "--child", str(folder), *map(str, arguments)],
                env=environment,
                cwd=folder,
                stderr=stream,
            )
            code = _wait(process, seconds + GRACE)
    finally:
        if shown is not None:
            shown.stop()
            os.environ.clear()
            os.environ.update(before)
    return Ended(code, _report(folder), _end(folder / "journal.txt"), _end(errors, 60))


def _wait(process: subprocess.Popen, seconds: float) -> int | None:
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        # Its stacks go to stderr.
        process.send_signal(signal.SIGABRT)
        process.wait()
        return None


def _report(folder: Path) -> dict[str, Any]:
    path = folder / "report.json"
    return json.loads(path.read_text()) if path.exists() else {}


def _end(path: Path, lines: int = LAST_LINES) -> str:
    if not path.exists():
        return ""
    text = path.read_text(encoding="utf-8", errors="replace")
    return "\n".join("    " + line[:300] for line in text.splitlines()[-lines:])

"""A monkey at the real window: no exception, no standstill, no leak.

``python -m tests.campaigns.monkey [SEED [SECONDS]]`` runs the campaign. Timing decides what an
action meets, so a seed alone brings no failure back: the journal of actions tells the way to it.
"""

from __future__ import annotations

import itertools
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget

from solvers import METHODS, Method, solve
from solvers.settings import settings_of
from svmviz.document.document import Document
from svmviz.window import MainWindow
from tests.campaigns.children import run_child
from tests.campaigns.haunting import Driver, haunt
from tests.campaigns.moves import Moves
from tests.campaigns.summary import Summary
from tests.campaigns.watchdog import memory
from tests.stages import moons, sine

SECONDS = 360.0
# The longest time that the event loop may stand still by the program's own fault, s.
MAX_GAP = 0.25
# While the program starts, it loads what the first clicks need, s.
START = 6.0
# Between two looks at the memory of a window at rest, s; and how long it has to come to rest.
ROUND, REST = 30.0, 20.0
# What the memory at rest may grow by in the second half of a campaign.
MAX_GROWTH = 40e6


class Monkey(Driver):
    """Makes one move after the other; now and then it rests, so that memory can be compared."""

    def __init__(self, window: MainWindow, folder: Path, seed: int, seconds: float) -> None:
        super().__init__(window, folder)
        self._rng = np.random.default_rng(seed)
        self._limit = seconds
        self._moves = Moves(window, self._rng, folder, self._count)
        self._made = 0
        self._next_rest = ROUND
        self._resting = 0.0
        self._looks: list[tuple[float, int, int]] = []

    def _count(self, words: str) -> None:
        self._made += 1
        self.note(words)

    def act(self) -> None:
        if self._resting:
            self._rest()
        elif self.seconds > self._limit:
            self.figures = {"moves": self._made, "looks": self._looks}
            QTimer.singleShot(0, self, self.end)
        elif self.seconds > self._next_rest:
            self._come_to_rest()
        else:
            self._moves.make_one()

    def answer(self, dialog: QWidget) -> None:
        if self._resting:
            dialog.close()
        else:
            self._moves.answer(dialog)

    def _come_to_rest(self) -> None:
        """Show the same document in the same window, with nothing to undo."""
        self.note("rest")
        self._resting = self.seconds
        self._moves.release()
        window = self.window
        window.setWindowState(window.windowState() & ~window.windowState().WindowFullScreen)
        window.resize(1200, 800)
        window.stage.session.reset(moons(80))
        window.stage.playback.go_to_end()

    def _rest(self) -> None:
        session, playback = self.window.stage.session, self.window.stage.playback
        settled = not session.waiting and playback.finished
        if not settled and self.seconds < self._resting + REST:
            return
        if not settled:
            self.fail("the document at rest was not solved in time")
        self._resting, self._next_rest = 0.0, self.seconds + ROUND
        self._looks.append((self.seconds, memory(), len(QApplication.allWidgets())))
        self.watchdog.forgive()


def main(seed: int = 0, seconds: float = SECONDS, longest: float = MAX_GAP) -> Summary:
    """Run the campaign; a gap of more than ``longest`` s is a failure."""
    with tempfile.TemporaryDirectory(prefix="svmviz-monkey-") as folder:
        ended = run_child("tests.campaigns.monkey", Path(folder), seconds, seed, seconds)
    report = ended.report
    summary = Summary("monkey", int(report.get("moves", 0)), list(report.get("failures", [])))
    if fault := ended.fault():
        summary.failures.insert(0, fault)
    gaps = [gap for gap in report.get("gaps", []) if gap["at"] > START]
    for gap in sorted(gaps, key=lambda gap: -gap["own"]):
        if gap["own"] > longest:
            words = f"a gap of {gap['own']:.3f} s ({gap['wall']:.3f} s on the clock)"
            summary.failures.append(f"{words} at {gap['at']:.1f} s\n{gap['stack']}")
    summary.figures["longest gap"] = _in_words(max(gaps, key=lambda g: g["own"], default=None))
    summary.figures["longest on the clock"] = _in_words(
        max(gaps, key=lambda g: g["wall"], default=None)
    )
    _judge_memory(summary, report.get("looks", []))
    return summary


def _in_words(gap: dict | None) -> str:
    if gap is None:
        return "below 0.1 s"
    return f"{gap['own']:.3f} s ({gap['wall']:.3f} s on the clock)"


def _judge_memory(summary: Summary, looks: list) -> None:
    """Compare the window at rest in the middle of the campaign with that at its end."""
    summary.figures["memory at rest, MB"] = [round(size / 1e6) for _, size, _ in looks]
    summary.figures["widgets at rest"] = [widgets for _, _, widgets in looks]
    if len(looks) < 4:
        return
    half = len(looks) // 2
    early, late = (min(size for _, size, _ in part) for part in (looks[half:-2], looks[-2:]))
    if late - early > MAX_GROWTH:
        summary.failures.append(f"{(late - early) / 1e6:.0f} MB more at rest than before")


def _warm_up() -> None:
    """Load the code of every method: each takes some MB when it is first used, and keeps them."""
    for kind, task in itertools.product(METHODS.values(), ("classification", "regression")):
        for method in variants_of(kind) if task in kind.tasks else ():
            for bias in kind.biases:
                data = (sine(12) if task == "regression" else moons(12)).data
                document = Document(data=data, task=task, bias=bias)
                solve(document.problem(), replace(method, max_steps=50))


def variants_of(kind: type[Method]) -> list[Method]:
    """The defaults, and each choice and switch changed once."""
    changes: list[dict] = [{}]
    for name, spec in settings_of(kind).items():
        if spec.scale == "choice":
            changes += [{name: value} for value, _ in spec.choices[1:]]
        elif spec.scale == "switch":
            changes.append({name: not getattr(kind(), name)})
    return [kind(**change) for change in changes]


def _live(folder: str, seed: str, seconds: str) -> int:
    def make(window: MainWindow) -> Monkey:
        return Monkey(window, Path(folder), int(seed), float(seconds))

    if float(seconds) > 2 * ROUND:
        _warm_up()
    return haunt(Path(folder), make)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        sys.exit(_live(*sys.argv[2:5]))
    print(main(*(kind(word) for kind, word in zip((int, float), sys.argv[1:]))))

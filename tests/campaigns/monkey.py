"""Random actions on the real window: no exception, no blocked event loop, no leak.

``python -m tests.campaigns.monkey [SEED [SECONDS]]`` runs the campaign. Timing decides what an
action meets, so a seed alone brings no failure back: the journal of actions tells the way to it.
"""

from __future__ import annotations

import itertools
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from shiboken6 import isValid

from solvers import METHODS, Method, solve
from solvers.settings import settings_of
from svmviz.document.document import Document
from svmviz.document.view_options import ViewOptions
from svmviz.window import MainWindow
from tests.campaigns.children import run_child
from tests.campaigns.driver import Driver, drive_window
from tests.campaigns.memory import Memory, measure
from tests.campaigns.moves import Moves
from tests.campaigns.summary import Summary
from tests.campaigns.watchdog import longest_delay
from tests.stages import moons, sine

SECONDS = 360.0
# The longest time for which the program may block the event loop, s.
MAX_GAP = 0.25
# While the program starts, it loads what the first clicks need, s.
START = 6.0
# Between two looks at the memory of a window at rest, s; and how long it has to come to rest.
ROUND, REST = 30.0, 20.0
# How much memory at rest may grow in the second half of a campaign: what the process holds, bytes,
# and Python's blocks. Resident memory has more room, because glibc keeps what threads have freed.
MAX_GROWTH = Memory(resident=60_000_000, allocated=10_000_000, blocks=20_000)


class Monkey(Driver):
    """Makes one move after the other; now and then it rests, so that memory can be compared."""

    def __init__(self, window: MainWindow, folder: Path, seed: int, seconds: float) -> None:
        super().__init__(window, folder)
        self._rng = np.random.default_rng(seed)
        self._limit = seconds
        self._moves = Moves(window, self._rng, folder, self._count)
        self._made = 0
        self._next_rest = ROUND
        # The actions on the way to rest, one per tick; None while the monkey makes its moves.
        self._way: Iterator[object] | None = None
        # When it came to rest; 0 if it has not.
        self._resting = 0.0
        self._looks: list[tuple[Memory, int]] = []

    def _count(self, words: str) -> None:
        self._made += 1
        self.note(words)

    def act(self) -> None:
        if self._resting:
            self._rest()
        elif self._way is not None:
            self._go_on_to_rest(self._way)
        elif self.seconds > self._limit:
            self.figures = {"moves": self._made, "looks": self._looks}
            QTimer.singleShot(0, self, self.end)
        elif self.seconds > self._next_rest:
            self.note("rest")
            self._way = self._way_to_rest()
        else:
            self._moves.make_one()

    def answer(self, dialog: QWidget) -> None:
        if self._resting or self._way is not None:
            dialog.close()
        else:
            self._moves.answer(dialog)

    def _go_on_to_rest(self, way: Iterator[object]) -> None:
        try:
            next(way)
        except StopIteration:
            self._way, self._resting = None, self.seconds

    def _way_to_rest(self) -> Iterator[object]:
        """Show the same picture in the same window every time, with nothing to undo.

        This yields after each action, because a user takes them one by one too.
        """
        window = self.window
        yield self._moves.release()
        for other in QApplication.topLevelWidgets():
            # A dialog may have been deleted since the last tick.
            if isValid(other) and other is not window and isinstance(other, QDialog):
                yield other.close()
        yield window.presentation.end()
        yield window.setWindowState(window.windowState() & ~window.windowState().WindowFullScreen)
        yield window.appearance.set_scale(1.0)
        yield window.resize(1200, 800)
        for dock in window.docks.docks.values():
            if not dock.isHidden():
                yield dock.close()
        yield window.stage.view.show(ViewOptions())
        yield window.stage.session.reset(moons(80))
        yield window.plane.navigation.fit()
        yield window.stage.playback.go_to_end()

    def _rest(self) -> None:
        session, playback = self.window.stage.session, self.window.stage.playback
        settled = not session.waiting and playback.finished
        if not settled and self.seconds < self._resting + REST:
            return
        if not settled:
            self.fail("the document at rest was not solved in time")
        self._resting, self._next_rest = 0.0, self.seconds + ROUND
        self._looks.append((measure(), len(QApplication.allWidgets())))
        self.watchdog.forgive()


def main(seed: int = 0, seconds: float = SECONDS, longest: float = MAX_GAP) -> Summary:
    """Run the campaign; a gap of more than ``longest`` s is a failure."""
    temporary = tempfile.TemporaryDirectory(prefix="svmviz-monkey-")
    with temporary as folder, longest_delay() as delays:
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
    summary.figures["a process that only sleeps"] = f"{max(delays):.3f} s on the clock"
    _judge_memory(summary, report.get("looks", []))
    return summary


def _in_words(gap: dict | None) -> str:
    if gap is None:
        return "below 0.1 s"
    return f"{gap['own']:.3f} s ({gap['wall']:.3f} s on the clock)"


def _judge_memory(summary: Summary, looks: list) -> None:
    """Compare the window at rest in the middle of the campaign with that at its end."""
    found = [Memory(*memory) for memory, _ in looks]
    summary.figures["MB resident at rest"] = [round(m.resident / 1e6) for m in found]
    summary.figures["MB allocated at rest"] = [round(m.allocated / 1e6, 1) for m in found]
    summary.figures["blocks of Python at rest, thousands"] = [round(m.blocks / 1e3) for m in found]
    summary.figures["widgets at rest"] = [widgets for _, widgets in looks]
    if len(looks) < 5:
        return
    half = len(looks) // 2
    for name, most in MAX_GROWTH._asdict().items():
        sizes = [getattr(m, name) for m in found]
        growth = min(sizes[-2:]) - min(sizes[half:-2])
        if growth > most:
            summary.failures.append(f"at rest, {name} memory grew by {growth:,}")


def _warm_up() -> None:
    """Load the code of every method, which takes some MB each and is never released."""
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
    return drive_window(Path(folder), make)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        sys.exit(_live(*sys.argv[2:5]))
    print(main(*(kind(word) for kind, word in zip((int, float), sys.argv[1:]))))

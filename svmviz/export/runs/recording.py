"""A finished run, or the runs of a race, with the scene: the input of the export of runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from solvers import Certificate, Cursor, Run, Snapshot, certify
from svmviz.frames.frame import Frame
from svmviz.io.scene import Scene


class Progress(Protocol):
    """Receiver of the progress of an export."""

    def __call__(self) -> bool:
        """Return whether the export was cancelled."""
        ...

    def report(self, share: float) -> None:
        """Report the fraction done, 0 to 1; raise if the export was cancelled."""
        ...


class NoProgress:
    """Ignores the progress of an export, and never cancels it."""

    def __call__(self) -> bool:
        """Return False."""
        return False

    def report(self, share: float) -> None:
        """Do nothing."""


@dataclass(frozen=True, eq=False)
class Recording:
    """A scene and the runs of its document, one per lane.

    Attributes
    ----------
    scene : Scene
    runs : tuple of Run
    caption : callable(Frame) -> str
        Returns the sentence of a step, for movies.
    lengths : tuple of int
        Number of steps of each run when the recording was made; a run may still grow.
    """

    scene: Scene
    runs: tuple[Run, ...]
    caption: Callable[[Frame], str] = lambda _: ""
    lengths: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lengths", tuple(run.steps for run in self.runs))

    @property
    def length(self) -> int:
        """Number of steps of the longest run."""
        return max(self.lengths)

    @property
    def is_race(self) -> bool:
        """Whether there are several runs."""
        return len(self.runs) > 1


class Reading(NamedTuple):
    """One run at one step."""

    run: Run
    snapshot: Snapshot
    certificate: Certificate


def read_steps(
    recording: Recording, steps: range, progress: Progress, *, events: bool = True
) -> Iterator[Reading]:
    """Yield each run of a recording, one after another, at those of the steps that the run has.

    Without ``events`` the snapshots have no events, which takes less time. The progress is reported
    between steps; this raises if the export was cancelled.
    """
    total, done = len(recording.runs) * len(steps), 0
    for run, length in zip(recording.runs, recording.lengths, strict=True):
        cursor = Cursor(run)
        for step in steps:
            progress.report(done / max(1, total))
            done += 1
            if step <= length:
                snapshot = cursor.seek(step, with_event=events)
                yield Reading(run, snapshot, certify(run.certified_problem, snapshot.expansion))

"""The input of the export of runs: a scene with its run, or with the runs of a race."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from solvers import Certificate, Cursor, Run, Snapshot, certify
from solvers.cancelling import Report
from svmviz.frames.frame import Frame
from svmviz.io.scene import Scene


@dataclass(frozen=True, eq=False)
class Recording:
    """A scene and the runs of its document, one per lane.

    Attributes
    ----------
    scene : Scene
    runs : tuple of Run
    caption : callable(Frame) -> str
        Returns the caption of a frame of a movie.
    lengths : tuple of int
        Number of steps of each run when the recording was made. The runs may grow afterwards.
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


class RunReading(NamedTuple):
    """The state of one run at one step, and its certificate; not a reading of a clock."""

    run: Run
    snapshot: Snapshot
    certificate: Certificate


def read_steps(
    recording: Recording, steps: range, report: Report, *, events: bool = True
) -> Iterator[RunReading]:
    """Yield a :class:`RunReading` for each step of the first run, then of the second, and so on.

    Steps that a run does not have are left out. Between two steps the progress is reported; the
    report may raise Cancelled.

    Parameters
    ----------
    recording : Recording
    steps : range
    report : Report
    events : bool
        Whether snapshots have events, which say what their steps did. Without events, reading is
        faster.
    """
    total, count = len(recording.runs) * len(steps), 0
    for run, length in zip(recording.runs, recording.lengths, strict=True):
        cursor = Cursor(run)
        for step in steps:
            report(count / max(1, total))
            count += 1
            if step <= length:
                snapshot = cursor.seek(step, with_event=events)
                yield RunReading(run, snapshot, certify(run.certified_problem, snapshot.expansion))

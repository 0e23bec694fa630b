"""Movies of a run: time against painting and encoding alone, memory, and size of the file.

Two moons, every step, repeated to 300 frames of 960x720; also a GIF of the first 205 steps of 300
points with a large C, which change much of the picture. Limits: 1.2 times making and painting the
same frames plus encoding them, and with both cores less than that sum; 400 MB; a GIF of two moons
4 MB, of 300 points 8 MB. Both ways alternate, a part of the frames each, since other work on the
machine changes its speed; the processor's time is measured too.
"""

from __future__ import annotations

import itertools
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

FRAMES, PARTS = 300, 6
MAX_RATIO, MAX_MEMORY = 1.2, 400
KINDS = ("gif", "webp", "mp4", "webm", "gif-300")


def main() -> None:
    """Measure each format in a process of its own, since memory is that of a process."""
    for kind in KINDS:
        subprocess.run([sys.executable, str(Path(__file__)), kind], check=True)


class Stopwatch:
    """Sums of wall and processor time, s."""

    def __init__(self) -> None:
        self.wall = self.busy = 0.0

    def run(self, work: Callable[[], bytes]) -> bytes:
        """Add the time of some work."""
        wall, busy = time.perf_counter(), time.process_time()
        done = work()
        self.wall += time.perf_counter() - wall
        self.busy += time.process_time() - busy
        return done


def recorded(is_long: bool) -> tuple[Any, Any]:
    """Return the run, and what is written of it."""
    from solvers import RBF, SMO, solve
    from solvers.data.datasets import DATASETS
    from svmviz.document.document import Document, Penalty
    from svmviz.export.figure_settings import FigureSettings
    from svmviz.export.page import Length
    from svmviz.export.runs.recording import Recording
    from svmviz.export.runs.run_settings import MOVIE_SIZE, RunSettings, Steps
    from svmviz.io.scene import Scene
    from svmviz.plane.sentences import caption

    points, C, gamma = (300, 100.0, 2.0) if is_long else (100, 1.0, 1.0)
    data = DATASETS["moons"].generate(points, 0.3 if is_long else 0.2, 0)
    document = Document(data, kernel=RBF(gamma), penalty=Penalty(value=C))
    width, height = (Length(side, "px") for side in MOVIE_SIZE)
    picture = FigureSettings(width=width, height=height, caption=True)
    settings = RunSettings(Steps(0, 204) if is_long else Steps(), picture=picture)
    return Recording(Scene(document), (solve(document.problem(), SMO()),), caption), settings


def measure(kind: str) -> None:
    """Measure one format, and print a line."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PySide6.QtGui import QGuiApplication

    from solvers.cancelling import no_report
    from svmviz.export.runs import codecs, gif, video, webp
    from svmviz.export.runs.shots import ShotPainter, encode_in_thread, shots

    keep = QGuiApplication([])
    is_gif, is_long = kind.startswith("gif"), kind == "gif-300"
    recording, settings = recorded(is_long)
    painter: Any = ShotPainter(recording, settings, bands=is_gif)
    distinct = len(painter.steps)
    repeated = itertools.islice(itertools.cycle(painter.steps), FRAMES)
    steps = list(painter.steps) if is_long else list(repeated)
    palette = gif.choose_palette(painter.sample(gif.SAMPLES)) if is_gif else None

    def encode(painted: Iterator[Any]) -> bytes:
        if palette is not None:
            return gif.encode(palette, painted)
        if kind == "webp":
            return webp.encode(len(painter.steps), painted)
        return video.encode(codecs.ENCODINGS[f".{kind}"], settings, painted)

    def paint(some: list[int]) -> Iterator[Any]:
        painter.steps = some
        return shots(painter, no_report)

    # First, since encoders leave memory behind.
    size = len(encode_in_thread(encode, paint(steps)))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    ours, alone = Stopwatch(), Stopwatch()
    cuts = [round(len(steps) * part / PARTS) for part in range(PARTS + 1)]
    for first, last in itertools.pairwise(cuts):
        some = steps[first:last]
        ours.run(lambda some=some: encode_in_thread(encode, paint(some)))
        alone.run(lambda some=some: encode(paint(some)))
    print(
        f"movie {kind}: {len(steps)} frames ({distinct} distinct) in {ours.wall:.1f} s, "
        f"{ours.wall / alone.wall:.2f} of painting and encoding them ({alone.wall:.1f} s; bar "
        f"{MAX_RATIO}); of its processor time, {ours.busy / alone.busy:.2f}; {memory:.0f} MB (bar "
        f"{MAX_MEMORY}); file {size / 1e6:.2f} MB"
        + (f" (bar {8 if is_long else 4})" if is_gif else "")
    )
    del keep


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    measure(sys.argv[1])

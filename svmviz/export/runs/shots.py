"""The frames of a movie: which steps, painted one after another, and for how long each is shown."""

from __future__ import annotations

import math
import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from PySide6.QtGui import QImage

from solvers import BadInput
from svmviz.camera.camera import Camera, is_equal
from svmviz.export.figure import Figure
from svmviz.export.runs.order import RunOrder
from svmviz.export.runs.recording import Progress, Recording
from svmviz.frames.frame import Frame
from svmviz.frames.lane_reader import LaneReader
from svmviz.frames.studies import is_unfinished, with_studies
from svmviz.frames.viewport import Grid
from svmviz.plane.overlays import studies_for
from svmviz.plane.picture import Picture

# A movie of more frames would take an hour.
MAX_FRAMES = 20_000
# Maximum number of steps whose sentences are compared to find how much room the caption needs.
MAX_SENTENCES = 400
# A picture has visibly changed if at least CHANGED_PX of its px differ by more than CHANGED_BY in a
# colour component, of 255.
CHANGED_PX, CHANGED_BY = 12, 16
# Maximum number of painted frames that wait for the encoder.
WAITING = 3
# The grid of frames here: the coarsest, because a picture computes its own finer field.
COARSE = Grid(-1.0, 1.0, -1.0, 1.0, 2, 2)


class Shot(NamedTuple):
    """One frame of a movie.

    Attributes
    ----------
    step : int
    pixels : uint8 array, shape (height, width, 4)
        Blue, green, red and 255.
    seconds : float
        How long it is shown.
    """

    step: int
    pixels: np.ndarray
    seconds: float


@dataclass
class ShotPainter:
    """Painter of the steps of a recording, all with the same camera and the same room for words.

    Attributes
    ----------
    recording : Recording
    order : RunOrder
    bands : bool
        Whether the field is drawn as filled bands, which have few colours.
    """

    recording: Recording
    order: RunOrder
    bands: bool = False

    def __post_init__(self) -> None:
        scene = self.recording.scene
        self.steps = self.order.steps.within(self.recording.length)
        if len(self.steps) > MAX_FRAMES:
            every = math.ceil(len(self.steps) / 1000)
            raise BadInput(
                f"The movie would have {len(self.steps):,} frames, and at most {MAX_FRAMES:,} can "
                f"be made; choose fewer, such as --steps 0:{self.steps[-1]}:{every}."
            )
        held = scene.document.held_points
        self._readers = [LaneReader(run, held) for run in self.recording.runs]
        self._studies = studies_for(scene.document, scene.options)
        points, aspect = (
            scene.document.visible_points,
            scene.options.aspect_for(scene.document.task),
        )
        self._camera = Camera().fitted(points, aspect)
        if scene.window is not None:
            shown = self._camera.showing(*scene.window)
            self._camera = shown.with_equal(is_equal(aspect, points))
        picture = self.order.picture
        field = "bands" if self.bands else picture.field
        self._picture_order = replace(picture, field=field, transparent=False)
        self._painted: dict[int, np.ndarray] = {}
        self._longest = self._longest_caption() if picture.caption else ""

    def paint(self, step: int) -> np.ndarray:
        """Return the picture of a step, shape (height, width, 4)."""
        if step in self._painted:
            return self._painted.pop(step)
        image = self.figure(step).image()
        if image.isNull():
            raise BadInput("There is not enough memory to paint the frames of the movie.")
        return pixels_of(image)

    def sample(self, count: int) -> list[np.ndarray]:
        """Return pictures of some steps from first to last; they are not painted again."""
        places = np.linspace(0, len(self.steps) - 1, min(count, len(self.steps))).round()
        for place in places.astype(int).tolist():
            step = self.steps[place]
            self._painted[step] = self.paint(step)
        return list(self._painted.values())

    def figure(self, step: int) -> Figure:
        """Return the figure of a step."""
        frame = self._frame(step)
        order = self._picture_order
        page = order.page
        options = self.recording.scene.options
        picture = Picture(frame, (page.width, page.height), options=options, camera=self._camera)
        figure = order.figure((order.plane(picture),), self.recording.caption(frame))
        return replace(figure, reserved=self._longest)

    def _frame(self, step: int) -> Frame:
        recording = self.recording
        document = recording.scene.document
        with np.errstate(all="ignore"):
            lanes = tuple(reader.read(step, COARSE, document.factors) for reader in self._readers)
            frame = Frame(document, lanes)
            made = with_studies(frame, recording.runs, self._studies)
            while is_unfinished(made.studies):
                made = with_studies(frame, recording.runs, self._studies)
        return made

    def _longest_caption(self) -> str:
        """Return the longest sentence, so that the plane has the same size in all frames."""
        steps = self.steps
        places = np.linspace(0, len(steps) - 1, min(len(steps), MAX_SENTENCES)).round().astype(int)
        sentences = (self.recording.caption(self._frame(steps[place])) for place in places.tolist())
        return max(sentences, key=len)


def shots(painter: ShotPainter, progress: Progress) -> Iterator[Shot]:
    """Paint the frames in order; the first and the last are held.

    With ``--changes`` a frame is left out if, apart from its words, it has no visible change from
    the last one. The progress is reported; this raises if the movie was cancelled.
    """
    order = painter.order
    held = Shot(-1, np.zeros((0, 0, 4), np.uint8), 0.0)
    box = painter.figure(painter.steps[0]).places()[0][1] if order.changes else (0, 0, 0, 0)
    for place, step in enumerate(painter.steps):
        progress.report(place / len(painter.steps))
        pixels = painter.paint(step)
        if held.step >= 0:
            if order.changes and not has_changed(held.pixels, pixels, box):
                continue
            yield held
        held = Shot(step, pixels, 1.0 / order.fps if held.step >= 0 else order.hold)
    yield held._replace(seconds=order.hold)


def has_changed(before: np.ndarray, after: np.ndarray, box: tuple[int, int, int, int]) -> bool:
    """Return whether two pictures differ visibly within a box (left, top, width, height)."""
    left, top, width, height = box
    part = np.s_[top : top + height, left : left + width, :3]
    a, b = before[part], after[part]
    # The numbers are unsigned, so one of the two differences wraps around and is large.
    return bool(np.count_nonzero(np.minimum(a - b, b - a) > CHANGED_BY) >= CHANGED_PX)


def pixels_of(image: QImage) -> np.ndarray:
    """Return the pixels of an RGB32 image, shape (height, width, 4); a copy."""
    width, height = image.width(), image.height()
    data = np.frombuffer(image.constBits(), np.uint8)
    return (
        data.reshape(height, image.bytesPerLine())[:, : 4 * width].reshape(height, width, 4).copy()
    )


def encode_aside(encode: Callable[[Iterator[Shot]], bytes], painted: Iterator[Shot]) -> bytes:
    """Encode frames in a thread while others are painted in this one, and return the file.

    An error in either of the two ends both, and is raised here.
    """
    waiting: queue.Queue[Shot | None] = queue.Queue(WAITING)
    stopped = threading.Event()
    results: list[bytes] = []
    errors: list[BaseException] = []

    def received() -> Iterator[Shot]:
        while (shot := waiting.get()) is not None:
            yield shot
        if stopped.is_set():
            raise _Stopped

    def work() -> None:
        try:
            results.append(encode(received()))
        except BaseException as error:
            errors.append(error)
            stopped.set()

    thread = threading.Thread(target=work, name="svmviz-encoder", daemon=True)
    thread.start()
    try:
        for shot in painted:
            _put(waiting, shot, stopped)
            if errors:
                break
        _put(waiting, None, stopped)
    except BaseException:
        stopped.set()
        _drain(waiting)
        thread.join()
        raise
    thread.join()
    if errors:
        raise errors[0]
    return results[0]


class _Stopped(Exception):
    """Ends the encoder after an error in the painter."""


def _put(waiting: queue.Queue[Shot | None], shot: Shot | None, stopped: threading.Event) -> None:
    while not stopped.is_set():
        try:
            waiting.put(shot, timeout=0.1)
            return
        except queue.Full:
            continue


def _drain(waiting: queue.Queue[Shot | None]) -> None:
    """Empty the queue and put the end into it, so that a waiting encoder ends."""
    while True:
        try:
            waiting.put_nowait(None)
            return
        except queue.Full:
            try:
                waiting.get_nowait()
            except queue.Empty:
                continue

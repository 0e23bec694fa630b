"""The frames of a movie: which steps, painted one after another, and for how long each is shown."""

from __future__ import annotations

import math
import queue
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from PySide6.QtGui import QImage

from solvers import BadInput
from svmviz.camera.camera import Camera, is_equal
from svmviz.export.figure import Figure
from svmviz.export.runs.order import GLIDE_FRAME, GLIDE_FRAMES, RunOrder
from svmviz.export.runs.recording import Progress, Recording
from svmviz.frames.clocks import CLOCKS
from svmviz.frames.frame import Frame
from svmviz.frames.lane_reader import LaneReader
from svmviz.frames.studies import is_unfinished, with_studies
from svmviz.frames.viewport import Grid
from svmviz.plane.overlays import studies_for
from svmviz.plane.picture import Picture
from svmviz.playback.glide import eased

# A movie of more frames would take an hour.
MAX_FRAMES = 20_000
# Maximum number of steps whose sentences are compared to find how much room the caption needs.
MAX_SENTENCES = 400
# A picture has visibly changed if at least CHANGED_PX of its px differ by more than CHANGED_BY in a
# colour component, of 255.
CHANGED_PX, CHANGED_BY = 12, 16
# Maximum number of painted frames that wait for the encoder.
WAITING = 3
# Time after which a thread that waits for the interpreter gets it, s. Encoders need it several
# times per frame, and with Python's 5 ms they would take longer than painting.
SWITCH_INTERVAL = 0.0005
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
        count = self.order.frames(len(self.steps))
        if count > MAX_FRAMES:
            every = math.ceil(count / 1000)
            raise BadInput(
                f"The movie would have {count:,} frames, and at most {MAX_FRAMES:,} can be made; "
                f"choose fewer steps, such as one in {every:,}."
            )
        held = scene.document.held_points
        self._readers = [LaneReader(run, held) for run in self.recording.runs]
        self._focus = min(self.order.picture.lane, len(self._readers) - 1)
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
        return _painted(self.figure(step))

    def paint_between(self, start: int, step: int, share: float) -> np.ndarray:
        """Return the picture on its way from one step to another, with the words of the second."""
        return _painted(self.figure(step, start, share))

    def sample(self, count: int) -> list[np.ndarray]:
        """Return pictures of some steps from first to last; they are not painted again."""
        places = np.linspace(0, len(self.steps) - 1, min(count, len(self.steps))).round()
        for place in places.astype(int).tolist():
            step = self.steps[place]
            self._painted[step] = self.paint(step)
        return list(self._painted.values())

    def figure(self, step: int, start: int | None = None, share: float = 1.0) -> Figure:
        """Return the figure of a step, or of a share of the way from ``start`` to it."""
        frame = self._frame(step, start, share)
        order = self._picture_order
        page = order.page
        picture = Picture(
            frame,
            (page.width, page.height),
            options=self.recording.scene.options,
            camera=self._camera,
            glides=start is not None,
        )
        figure = order.figure((order.plane(picture),), self.recording.caption(frame))
        return replace(figure, reserved=self._longest)

    def lane_steps(self, step: int) -> tuple[int, ...]:
        """Return the step of each lane.

        By another clock than steps, the readings of the frames have equal distances, and there are
        as many as the longest run has steps.
        """
        runs, clock = self.recording.runs, CLOCKS[self.order.picture.clock]
        if clock.name == "steps":
            return clock.steps(runs, step)
        # Rounded up, so that the last frame has the last step of each lane.
        return clock.steps(runs, -(-clock.length(runs) * step // max(1, self.recording.length)))

    def _frame(self, step: int, start: int | None = None, share: float = 1.0) -> Frame:
        recording = self.recording
        document = recording.scene.document
        ends = self.lane_steps(step)
        starts = ends if start is None else self.lane_steps(start)
        with np.errstate(all="ignore"):
            lanes = tuple(
                reader.read(end, COARSE, document.factors, share, start=origin)
                for reader, end, origin in zip(self._readers, ends, starts, strict=True)
            )
            clock = CLOCKS[self.order.picture.clock]
            frame = Frame(document, lanes, focus=self._focus, clock=clock)
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

    With ``changes`` a step is left out if, apart from its words, it has no visible change from the
    last one. If the order glides, frames on the way to a step come before it, in its time. The
    progress is reported; this raises if the movie was cancelled.
    """
    order = painter.order
    held = Shot(-1, np.zeros((0, 0, 4), np.uint8), 0.0)
    box = painter.figure(painter.steps[0]).placed_parts()[0][1] if order.changes else (0, 0, 0, 0)
    for place, step in enumerate(painter.steps):
        progress.report(place / len(painter.steps))
        pixels = painter.paint(step)
        if held.step >= 0:
            if order.changes and not has_changed(held.pixels, pixels, box):
                continue
            yield held
            yield from _on_the_way(painter, held.step, step)
        seconds = 1.0 / order.fps - GLIDE_FRAMES * GLIDE_FRAME * order.glides
        held = Shot(step, pixels, seconds if held.step >= 0 else order.hold)
    yield held._replace(seconds=order.hold)


def _on_the_way(painter: ShotPainter, start: int, step: int) -> Iterator[Shot]:
    """Paint the frames between two steps, if there are any."""
    for number in range(1, GLIDE_FRAMES * painter.order.glides + 1):
        share = eased(number / (GLIDE_FRAMES + 1))
        yield Shot(step, painter.paint_between(start, step, share), GLIDE_FRAME)


def _painted(figure: Figure) -> np.ndarray:
    image = figure.image()
    if image.isNull():
        raise BadInput("There is not enough memory to paint the frames of the movie.")
    return pixels_of(image)


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


def encode_in_thread(encode: Callable[[Iterator[Shot]], bytes], painted: Iterator[Shot]) -> bytes:
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
    interval = sys.getswitchinterval()
    sys.setswitchinterval(min(interval, SWITCH_INTERVAL))
    try:
        for shot in painted:
            _put(waiting, shot, stopped)
            if errors:
                break
        _put(waiting, None, stopped)
    except BaseException:
        stopped.set()
        _drain(waiting)
        raise
    finally:
        thread.join()
        sys.setswitchinterval(interval)
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

"""The frames of a movie: each is painted when it is needed, and shown for a certain time."""

from __future__ import annotations

import math
import queue
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from PySide6.QtGui import QImage

from solvers import BadInput
from solvers.cancelling import Cancelled, Report
from svmviz.camera.camera import Camera, has_equal_axes
from svmviz.export.figure import Figure
from svmviz.export.runs.recording import Recording
from svmviz.export.runs.run_settings import GLIDE_FRAME, GLIDE_FRAMES, RunSettings
from svmviz.frames.clocks import CLOCKS
from svmviz.frames.frame import Frame
from svmviz.frames.lane_reader import LaneReader
from svmviz.frames.studies import is_unfinished, with_studies
from svmviz.frames.viewport import SMALLEST_GRID
from svmviz.plane.overlays import studies_for
from svmviz.plane.picture import Picture
from svmviz.playback.glide import ease

# Maximum number of frames of a movie. More frames would take longer than an hour.
MAX_FRAMES = 20_000
# Maximum number of steps whose sentences are compared to find the longest caption.
MAX_SENTENCES = 400
# A picture has visibly changed if at least CHANGED_COMPONENTS of the colour components of its px
# differ by more than CHANGED_BY. Each px has three components, from 0 to 255.
CHANGED_COMPONENTS, CHANGED_BY = 12, 16
# Maximum number of painted frames that wait for the encoder.
MAX_WAITING = 3
# Time after which a thread that waits for the interpreter's lock gets it, s. Encoders need the lock
# several times per frame. With Python's default of 5 ms, encoding would take longer than painting.
SWITCH_INTERVAL = 0.0005


class Shot(NamedTuple):
    """One frame of a movie.

    Attributes
    ----------
    step : int
    pixels : uint8 array, shape (height, width, 4)
        Blue, green, red and 255.
    seconds : float
        The time for which the frame is shown.
    """

    step: int
    pixels: np.ndarray
    seconds: float


@dataclass
class ShotPainter:
    """A painter of the steps of a recording, all with the same camera and the same layout.

    Attributes
    ----------
    recording : Recording
    settings : RunSettings
    bands : bool
        Whether the field is always drawn as filled bands, which have few colours. If not,
        ``settings.picture.field`` says how it is drawn.
    """

    recording: Recording
    settings: RunSettings
    bands: bool = False

    def __post_init__(self) -> None:
        scene = self.recording.scene
        self.steps = self.settings.steps.within(self.recording.length)
        count = self.settings.frames(len(self.steps))
        if count > MAX_FRAMES:
            every = math.ceil(count / 1000)
            raise BadInput(
                f"The movie would have {count:,} frames, and at most {MAX_FRAMES:,} can be made; "
                f"choose fewer steps, such as one in {every:,}."
            )
        held_points = scene.document.held_points
        self._readers = [LaneReader(run, held_points) for run in self.recording.runs]
        self._focus = min(self.settings.picture.lane, len(self._readers) - 1)
        self._studies = studies_for(scene.document, scene.options)
        points, aspect = (
            scene.document.visible_points,
            scene.options.aspect_for(scene.document.task),
        )
        self._camera = Camera().fitted(points, aspect)
        if scene.window is not None:
            camera = self._camera.showing(*scene.window)
            self._camera = camera.with_equal(has_equal_axes(aspect, points))
        picture = self.settings.picture
        field = "bands" if self.bands else picture.field
        self._picture_settings = replace(picture, field=field, transparent=False)
        self._stored: dict[int, np.ndarray] = {}
        self._longest = self._longest_caption() if picture.caption else ""

    def paint(self, step: int) -> np.ndarray:
        """Return the pixels of a step, shape (height, width, 4)."""
        if step in self._stored:
            return self._stored.pop(step)
        return _paint_pixels(self.figure(step))

    def paint_between(self, start: int, step: int, share: float) -> np.ndarray:
        """Return the pixels of a mixture of two steps, with the words of the second step.

        ``share`` is the weight of the second step.
        """
        return _paint_pixels(self.figure(step, start, share))

    def sample(self, count: int) -> list[np.ndarray]:
        """Return the pixels of at most ``count`` evenly spaced steps.

        They are stored, so that ``paint`` does not paint these steps again.
        """
        indices = np.linspace(0, len(self.steps) - 1, min(count, len(self.steps))).round()
        for index in indices.astype(int).tolist():
            step = self.steps[index]
            self._stored[step] = self.paint(step)
        return list(self._stored.values())

    def figure(self, step: int, start: int | None = None, share: float = 1.0) -> Figure:
        """Return the figure of a step, or of a mixture of the steps ``start`` and ``step``."""
        frame = self._frame(step, start, share)
        settings = self._picture_settings
        page = settings.page
        picture = Picture(
            frame,
            (page.width, page.height),
            options=self.recording.scene.options,
            camera=self._camera,
            glides=start is not None,
        )
        figure = settings.figure((settings.plane(picture),), self.recording.caption(frame))
        return replace(figure, longest_caption=self._longest)

    def lane_steps(self, step: int) -> tuple[int, ...]:
        """Return the step of each lane in the frame with the number ``step``.

        Frames are numbered like the steps of the longest run. With the clock "steps", each lane
        shows the step of this number, or its last step if it has fewer. With another clock, the
        readings of the frames are evenly spaced from 0 to the largest reading of the race, and each
        lane shows its step at the reading of the frame.
        """
        runs, clock = self.recording.runs, CLOCKS[self.settings.picture.clock]
        if clock.name == "steps":
            return clock.steps(runs, step)
        # The reading is rounded up, so that the last frame has the last step of each lane.
        return clock.steps(runs, -(-clock.length(runs) * step // max(1, self.recording.length)))

    def _frame(self, step: int, start: int | None = None, share: float = 1.0) -> Frame:
        recording = self.recording
        document = recording.scene.document
        ends = self.lane_steps(step)
        starts = ends if start is None else self.lane_steps(start)
        with np.errstate(all="ignore"):
            lanes = tuple(
                reader.read(end, SMALLEST_GRID, document.factors, share, start=origin)
                for reader, end, origin in zip(self._readers, ends, starts, strict=True)
            )
            clock = CLOCKS[self.settings.picture.clock]
            frame = Frame(document, lanes, focus=self._focus, clock=clock)
            result = with_studies(frame, recording.runs, self._studies)
            # A study that works in the background is unfinished until its work ends.
            while is_unfinished(result.studies):
                result = with_studies(frame, recording.runs, self._studies)
        return result

    def _longest_caption(self) -> str:
        """Return the longest caption among the steps; compare at most ``MAX_SENTENCES`` steps."""
        steps = self.steps
        indices = np.linspace(0, len(steps) - 1, min(len(steps), MAX_SENTENCES)).round().astype(int)
        captions = (self.recording.caption(self._frame(steps[index])) for index in indices.tolist())
        return max(captions, key=len)


def shots(painter: ShotPainter, report: Report) -> Iterator[Shot]:
    """Yield the frames of a movie one after another.

    The first and the last frame are shown for ``hold`` seconds. With ``changes``, a step is left
    out if its plane looks the same as in the frame before. With ``glides``, there are frames
    between two steps. Each step except the first and the last is then shown for a shorter time, so
    that the number of steps per second stays the same. Between two steps the progress is reported;
    the report may raise Cancelled.
    """
    settings = painter.settings
    # The newest step that is not yielded yet, because it is shown longer if it is the last one. The
    # step is -1 before the first one.
    pending = Shot(-1, np.zeros((0, 0, 4), np.uint8), 0.0)
    box = (
        painter.figure(painter.steps[0]).placed_parts()[0][1] if settings.changes else (0, 0, 0, 0)
    )
    for index, step in enumerate(painter.steps):
        report(index / len(painter.steps))
        pixels = painter.paint(step)
        if pending.step >= 0:
            if settings.changes and not has_changed(pending.pixels, pixels, box):
                continue
            yield pending
            yield from _between(painter, pending.step, step)
        seconds = 1.0 / settings.fps - GLIDE_FRAMES * GLIDE_FRAME * settings.glides
        pending = Shot(step, pixels, seconds if pending.step >= 0 else settings.hold)
    yield pending._replace(seconds=settings.hold)


def _between(painter: ShotPainter, start: int, step: int) -> Iterator[Shot]:
    """Yield the frames between two steps; none if the movie does not glide."""
    for number in range(1, GLIDE_FRAMES * painter.settings.glides + 1):
        share = ease(number / (GLIDE_FRAMES + 1))
        yield Shot(step, painter.paint_between(start, step, share), GLIDE_FRAME)


def _paint_pixels(figure: Figure) -> np.ndarray:
    image = figure.image()
    if image.isNull():
        raise BadInput("There is not enough memory to paint the frames of the movie.")
    return pixels_of(image)


def has_changed(before: np.ndarray, after: np.ndarray, box: tuple[int, int, int, int]) -> bool:
    """Return whether two pictures differ visibly within a box (left, top, width, height)."""
    left, top, width, height = box
    part = np.s_[top : top + height, left : left + width, :3]
    a, b = before[part], after[part]
    # The numbers are unsigned, so ``a - b`` would be wrong where it is negative.
    difference = np.maximum(a, b) - np.minimum(a, b)
    return bool(np.count_nonzero(difference > CHANGED_BY) >= CHANGED_COMPONENTS)


def pixels_of(image: QImage) -> np.ndarray:
    """Return a copy of the pixels of an RGB32 image, shape (height, width, 4)."""
    width, height = image.width(), image.height()
    data = np.frombuffer(image.constBits(), np.uint8)
    return (
        data.reshape(height, image.bytesPerLine())[:, : 4 * width].reshape(height, width, 4).copy()
    )


def encode_in_thread(
    encode: Callable[[Iterator[Shot]], bytes], shots_to_encode: Iterator[Shot]
) -> bytes:
    """Encode frames in a second thread, and return the contents of the file.

    Further frames are painted in the calling thread meanwhile. An error in one of the two threads
    ends both, and is raised here.

    Parameters
    ----------
    encode : callable(iterator of Shot) -> bytes
        Encodes the frames; called in the second thread.
    shots_to_encode : iterator of Shot
        Paints the frames; runs in the calling thread.
    """
    painted: queue.SimpleQueue[Shot | None] = queue.SimpleQueue()
    room = threading.Semaphore(MAX_WAITING)
    has_failed = threading.Event()

    def take_shots() -> Iterator[Shot]:
        while (shot := painted.get()) is not None:
            room.release()
            yield shot
        if has_failed.is_set():
            # The frames are not complete, so there must be no file.
            raise Cancelled

    interval = sys.getswitchinterval()
    sys.setswitchinterval(min(interval, SWITCH_INTERVAL))
    try:
        with ThreadPoolExecutor(1, "svmviz-encoder") as encoder:
            file = encoder.submit(encode, take_shots())
            # The painter may wait until there is room for another frame.
            file.add_done_callback(lambda _: room.release())
            try:
                for shot in shots_to_encode:
                    room.acquire()
                    if file.done():
                        break
                    painted.put(shot)
            except BaseException:
                has_failed.set()
                raise
            finally:
                painted.put(None)
    finally:
        sys.setswitchinterval(interval)
    return file.result()

"""WebP: a moving picture with all colours, for web pages and slides."""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from PIL import Image

from solvers.cancelling import Report, no_report
from svmviz.export.runs.recording import Recording
from svmviz.export.runs.run_settings import RunSettings
from svmviz.export.runs.shots import Shot, ShotPainter, encode_in_thread, shots
from svmviz.io.atomic import write_atomically

# Quality of the lossy compression, 0 to 100.
QUALITY = 80


def save_webp(
    path: str | Path, recording: Recording, settings: RunSettings, report: Report = no_report
) -> None:
    """Write a WebP that repeats for ever; the write is atomic.

    Raises
    ------
    BadInput
        If the steps are not all in the run, or the file cannot be written.
    """
    painter = ShotPainter(recording, settings)
    data = encode_in_thread(
        partial(encode, settings.frames(len(painter.steps))), shots(painter, report)
    )
    write_atomically(path, data)


def encode(max_frames: int, frames: Iterator[Shot]) -> bytes:
    """Return the contents of a file of at most ``max_frames`` frames."""
    first = next(frames)
    later = _LaterFrames(frames, max_frames - 1)
    later.durations.append(round(1000 * first.seconds))
    stream = io.BytesIO()
    image_of(first).save(
        stream,
        "WEBP",
        save_all=True,
        append_images=[later] if max_frames > 1 else [],
        duration=later.durations,
        loop=0,
        quality=QUALITY,
        method=0,
    )
    return stream.getvalue()


class _LaterFrames:
    """The frames after the first, as an image sequence that Pillow's writer reads frame by frame.

    The writer needs the number of frames in advance. If there are fewer, the last frame is repeated
    with duration 0, and the encoder leaves the repetitions out.
    """

    mode = "RGB"

    def __init__(self, frames: Iterator[Shot], n_frames: int) -> None:
        self.n_frames = n_frames
        # Durations of all frames read so far, the first frame included, ms. The writer looks up the
        # duration of a frame after it has read the frame.
        self.durations: list[int] = []
        self._frames = frames
        self._image = Image.new("RGB", (1, 1))

    def seek(self, _: int) -> None:
        """Read the next frame."""
        shot = next(self._frames, None)
        self.durations.append(0 if shot is None else round(1000 * shot.seconds))
        if shot is not None:
            self._image = image_of(shot)

    def load(self) -> None:
        """Do nothing: ``seek`` has read the frame."""

    def getim(self) -> Any:
        """Return Pillow's internal image of the frame, which the encoder reads."""
        return self._image.getim()


def image_of(shot: Shot) -> Image.Image:
    """Return a frame as an image of Pillow."""
    height, width, _ = shot.pixels.shape
    return Image.frombuffer("RGB", (width, height), shot.pixels, "raw", "BGRX", 0, 1)

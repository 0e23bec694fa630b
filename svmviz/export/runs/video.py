"""MP4 with H.264 and WebM with VP9, by PyAV: the extra ``svmviz[movie]``."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from solvers import BadInput
from solvers.errors import shorten
from svmviz.export.runs.order import GLIDE_FRAME, RunOrder
from svmviz.export.runs.recording import Progress, Recording, Unwatched
from svmviz.export.runs.shots import Shot, ShotPainter, encode_aside, shots
from svmviz.io.atomic import write_atomically

MISSING = (
    "MP4 and WebM need PyAV, which is not installed: pip install 'svmviz[movie]', or choose GIF or "
    "WebP."
)


@dataclass(frozen=True)
class Kind:
    """A container with its codec and the codec's options."""

    container: str
    codec: str
    options: dict[str, str]


KINDS = {
    # Few frames ahead, since each that the codec holds takes memory and saves next to nothing.
    ".mp4": Kind(
        "mp4",
        "libx264",
        {"crf": "20", "preset": "veryfast", "tune": "animation", "rc-lookahead": "5", "bf": "2"},
    ),
    ".webm": Kind(
        "webm",
        "libvpx-vp9",
        {
            **{"crf": "30", "b": "0", "deadline": "realtime", "cpu-used": "7", "row-mt": "1"},
            "lag-in-frames": "0",
        },
    ),
}


def save_video(
    path: str | Path, recording: Recording, order: RunOrder, progress: Progress | None = None
) -> None:
    """Write a movie in the container of the ending, whole or not at all.

    Raises
    ------
    BadInput
        If PyAV or a codec is missing, a side of the frames is odd, the steps are not all in the
        run, or the file cannot be written.
    """
    progress = progress or Unwatched()
    kind = KINDS[Path(path).suffix.lower()]
    check_video(order, kind.codec)
    painter = ShotPainter(recording, order)
    data = encode_aside(partial(encode, kind, order), shots(painter, progress))
    write_atomically(path, data, progress)


def check_video(order: RunOrder, codec: str) -> None:
    """Raise BadInput if no movie of this kind can be made here."""
    try:
        import av
    except ImportError:
        raise BadInput(MISSING) from None
    if codec not in av.codecs_available:
        raise BadInput(f"This build of PyAV has no codec {codec}; choose GIF or WebP.")
    page = order.picture.page
    if page.width % 2 or page.height % 2:
        raise BadInput(
            f"Frames of MP4 and WebM have even sides; {page.width} × {page.height} px has not."
        )


def encode(kind: Kind, order: RunOrder, painted: Iterator[Shot]) -> bytes:
    """Return the file; a frame that is held is repeated, since all frames take the same time.

    A step that falls between two frames of a glide is shown from the next one.
    """
    import av

    file = io.BytesIO()
    pace = 1.0 / GLIDE_FRAME if order.glides else order.fps
    rate = Fraction(pace).limit_denominator(1000)
    try:
        with av.open(file, "w", format=kind.container) as container:
            stream: Any = container.add_stream(kind.codec, rate=rate, options=kind.options)
            stream.width, stream.height = order.picture.page.width, order.picture.page.height
            stream.pix_fmt = "yuv420p"
            stream.thread_count = 2
            count, shown = 0, 0.0
            for shot in painted:
                shown += shot.seconds * pace
                frame: Any = av.VideoFrame.from_ndarray(shot.pixels, format="bgra")
                frame = frame.reformat(format="yuv420p")
                for _ in range(max(1, round(shown) - count)):
                    frame.pts, frame.time_base = count, 1 / rate
                    container.mux(stream.encode(frame))
                    count += 1
            container.mux(stream.encode())
    except (av.FFmpegError, OSError) as error:
        raise BadInput(f"The movie cannot be encoded ({shorten(str(error))}).") from None
    return file.getvalue()

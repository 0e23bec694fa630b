"""MP4 with H.264 and WebM with VP9, encoded by PyAV, which ``svmviz[movie]`` installs."""

from __future__ import annotations

import io
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from solvers import BadInput
from solvers.cancelling import Report, no_report
from solvers.errors import shorten
from svmviz.export.runs.codecs import ENCODINGS, Encoding, check_video
from svmviz.export.runs.recording import Recording
from svmviz.export.runs.run_settings import GLIDE_FRAME, RunSettings
from svmviz.export.runs.shots import Shot, ShotPainter, encode_in_thread, shots
from svmviz.io.atomic import write_atomically


def save_video(
    path: str | Path, recording: Recording, settings: RunSettings, report: Report = no_report
) -> None:
    """Write a movie atomically; the ending of the path decides its format.

    Raises
    ------
    BadInput
        If PyAV or a codec is missing, a side of the frames is odd, the steps are not all in the
        run, or the file cannot be written.
    """
    ending = Path(path).suffix.lower()
    check_video(ending, settings, thoroughly=True)
    encoding = ENCODINGS[ending]
    painter = ShotPainter(recording, settings)
    data = encode_in_thread(partial(encode, encoding, settings), shots(painter, report))
    write_atomically(path, data)


def encode(encoding: Encoding, settings: RunSettings, frames: Iterator[Shot]) -> bytes:
    """Return the contents of a movie file.

    All frames in the file last equally long, so a shot that lasts longer is written several times.
    If a shot would begin between two frames of the file, it begins with the nearer frame.
    """
    import av

    file = io.BytesIO()
    frames_per_second = 1.0 / GLIDE_FRAME if settings.glides else settings.fps
    rate = Fraction(frames_per_second).limit_denominator(1000)
    try:
        with av.open(file, "w", format=encoding.container) as container:
            stream: Any = container.add_stream(encoding.codec, rate=rate, options=encoding.options)
            stream.width, stream.height = settings.picture.page.width, settings.picture.page.height
            stream.pix_fmt = "yuv420p"
            stream.thread_count = 2
            # Number of frames written, and the time at which the current shot ends, counted in
            # frames of the file.
            count, end = 0, 0.0
            for shot in frames:
                end += shot.seconds * frames_per_second
                frame: Any = av.VideoFrame.from_ndarray(shot.pixels, format="bgra")
                frame = frame.reformat(format="yuv420p")
                for _ in range(max(1, round(end) - count)):
                    frame.pts, frame.time_base = count, 1 / rate
                    container.mux(stream.encode(frame))
                    count += 1
            container.mux(stream.encode())
    except (av.FFmpegError, OSError) as error:
        raise BadInput(f"The movie cannot be encoded ({shorten(str(error))}).") from None
    return file.getvalue()

"""Codecs of MP4 and WebM, and the check whether they can make a movie. Qt is not loaded."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass

from solvers import BadInput
from svmviz.export.runs.run_settings import RunSettings

MISSING = (
    "MP4 and WebM need PyAV, which is not installed: pip install 'svmviz[movie]', or choose GIF or "
    "WebP."
)


@dataclass(frozen=True)
class Encoding:
    """A container format with its codec and the codec's options."""

    container: str
    codec: str
    options: dict[str, str]


# With these options the codecs look only a few frames ahead. Each frame that a codec keeps for this
# takes memory, and makes the file only a little smaller.
ENCODINGS = {
    ".mp4": Encoding(
        "mp4",
        "libx264",
        {"crf": "20", "preset": "veryfast", "tune": "animation", "rc-lookahead": "5", "bf": "2"},
    ),
    ".webm": Encoding(
        "webm",
        "libvpx-vp9",
        {
            **{"crf": "30", "b": "0", "deadline": "realtime", "cpu-used": "7", "row-mt": "1"},
            "lag-in-frames": "0",
        },
    ),
}


def check_video(ending: str, settings: RunSettings, *, thoroughly: bool = False) -> None:
    """Raise BadInput if no movie with this ending can be made on this machine.

    With ``thoroughly``, PyAV is loaded to look up the codec, which takes a tenth of a second.
    """
    if importlib.util.find_spec("av") is None:
        raise BadInput(MISSING)
    page = settings.picture.page
    if page.width % 2 or page.height % 2:
        raise BadInput(
            f"MP4 and WebM need even sides; {page.width} × {page.height} px has an odd side."
        )
    if thoroughly:
        _check_codec(ENCODINGS[ending].codec)


def _check_codec(codec: str) -> None:
    try:
        import av
    except ImportError:
        raise BadInput(MISSING) from None
    if codec not in av.codecs_available:
        raise BadInput(f"This build of PyAV has no codec {codec}; choose GIF or WebP.")

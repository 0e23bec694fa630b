"""Codecs of MP4 and WebM, and why a movie cannot be made with them. Loads no Qt."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass

from solvers import BadInput
from svmviz.export.runs.order import RunOrder

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


# Few frames ahead of the one that is written: each that a codec keeps takes memory, and saves next
# to nothing.
KINDS = {
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


def check_video(ending: str, order: RunOrder, *, thoroughly: bool = False) -> None:
    """Raise BadInput if no movie of this kind can be made here.

    Codecs are looked up only ``thoroughly``, because loading PyAV takes a tenth of a second.
    """
    if importlib.util.find_spec("av") is None:
        raise BadInput(MISSING)
    page = order.picture.page
    if page.width % 2 or page.height % 2:
        raise BadInput(
            f"Frames of MP4 and WebM have even sides; {page.width} × {page.height} px has not."
        )
    if thoroughly:
        _check_codec(KINDS[ending].codec)


def _check_codec(codec: str) -> None:
    try:
        import av
    except ImportError:
        raise BadInput(MISSING) from None
    if codec not in av.codecs_available:
        raise BadInput(f"This build of PyAV has no codec {codec}; choose GIF or WebP.")

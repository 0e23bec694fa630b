"""A scene as one line of text, for a mail or an exercise sheet.

::

    svmviz:1:rVLBTsMwDP0Vy+dOasdW0X0CJ8QVIWRaw0LTJEqyMTTx7zjtChNC...

The number is the version of the format. After it come, in base64 with ``-`` and ``_``, the
compressed text of the scene and the CRC-32 of the compressed bytes. Usually points are rounded to
the precision of a screen, a ten-thousandth of their range; everything else is exact. Reading is
strict, takes a bounded amount of memory, and accesses no file.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
import re
import zlib
from dataclasses import replace

import numpy as np

from solvers import BadInput
from solvers.cancelling import Report, no_report
from svmviz.document.splitting import with_all_points
from svmviz.io.scene import Scene, read_scene, write_scene

PREFIX, VERSION = "svmviz:", 1
# Coordinates are rounded to multiples of a power of ten. It is the largest power of ten that is at
# most this fraction of the range of the points along the axis.
PRECISION = 1e-4
# Maximum number of characters of a line, and of bytes of the scene in it. They are enough for
# hundreds of thousands of points.
MAX_LENGTH, MAX_SCENE = 8_000_000, 32_000_000
# Name of the source of a scene in messages.
SOURCE = "the scene as text"
# Number of bytes of the CRC-32.
_CHECKSUM_BYTES = 4
_LINE = re.compile(rf"{PREFIX}(\d{{1,9}}):(.*)", re.DOTALL)
# Characters that mail programs and people add around a line or within it; they are removed.
_IGNORED = re.compile(r"[\s\"'<>`\u00ad\u200b\ufeff]+")
# Dictionary of the compression: text that many scenes contain, the most frequent at the end. Pages
# have it, too. A line can be read only with the dictionary with which it was written, so a change
# of the dictionary needs a new version of the format.
DICTIONARY = (
    b'"task":"regression","epsilon":0.1,"scaling":"common","scaling":"each","kind":"lambda",'
    b'"value":"inf","bias":"augmented","bias":"none",{"name":"composed","expression":"'
    b'{"name":"custom","formula":"exp(-abs(x1 - z1) - abs(x2 - z2))"{"name":"sigmoid",'
    b'{"name":"laplacian","gamma":1.0},{"name":"polynomial","gamma":1.0,"coef0":1.0,"degree":3},'
    b'{"name":"linear"},{"name":"perceptron"{"name":"hulls"{"name":"subgradient"{"name":"pegasos",'
    b'"batch_size":1,"average":false,"seed":0{"name":"coordinate-ascent"{"name":"interior-point"'
    b'{"name":"working-set"{"svmviz":2,"speed":"inf","speed":8.0,"shading":"band","hulls":"always"'
    b"[-1,-1,-1,-1,-1,1,1,1,1,1,-1,1,-1,1,-1,1,1,-1]"
    b'],"class_names":["-1","+1"],"axis_names":["x1","x2"],"scaling":"none","kernel":{"name":"rbf",'
    b'"gamma":1.0},"penalty":{"kind":"C","value":1.0},"bias":"free","solvers":[{"name":"smo",'
    b'"pair":"second-order","tol":0.001,"shrink":false,"seed":0,"max_steps":1000000}],"view":{'
    b'"field":true,"shading":"sure","band":true,"contours":true,"rings":true,"alpha_area":true,'
    b'"alpha_numbers":false,"sticks":true,"touched":true,"grid":true,"numbers":false,"legend":true,'
    b'"aspect":"auto","hulls":"auto"},"step":null,"speed":null,"window":null}{"svmviz":1,"points":[['
)


def is_scene_line(text: str) -> bool:
    """Return whether a text begins like a scene in one line."""
    return _IGNORED.sub("", text[:200]).startswith(PREFIX)


def write_scene_line(scene: Scene, *, exact: bool = False) -> str:
    """Return a scene as one line.

    Unless ``exact``, its points are as :func:`round_points` returns them.
    """
    members = json.loads(write_scene(scene if exact else round_points(scene)))
    text = json.dumps(members, separators=(",", ":"), ensure_ascii=False)
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, 9, zdict=DICTIONARY)
    packed = packer.compress(text.encode("utf-8", "replace")) + packer.flush()
    payload = packed + zlib.crc32(packed).to_bytes(_CHECKSUM_BYTES, "big")
    return f"{PREFIX}{VERSION}:{base64.urlsafe_b64encode(payload).decode().rstrip('=')}"


def round_points(scene: Scene) -> Scene:
    """Return a scene with its coordinates rounded; see ``PRECISION``."""
    all_points = scene.document.all_points
    points = all_points.points
    if not len(points) or all_points.items is not None:
        return scene
    rounded_points = np.column_stack([_round_column(column) for column in points.T])
    data = replace(all_points, points=rounded_points)
    return replace(scene, document=with_all_points(scene.document, data))


def read_scene_line(text: str, report: Report = no_report) -> Scene:
    """Read a scene in one line; line ends and blanks that mail programs insert are ignored.

    Raises
    ------
    BadInput
        If the text is not a scene in one line, is damaged or incomplete, or is of a newer version.
    """
    if len(text) > MAX_LENGTH:
        raise BadInput(f"The text of a scene has at most {MAX_LENGTH:,} characters.")
    match = _LINE.fullmatch(_IGNORED.sub("", text))
    if match is None:
        raise BadInput(f'A scene as text begins with "{PREFIX}{VERSION}:", and this text does not.')
    if int(match[1]) != VERSION:
        raise BadInput(
            f"The text of this scene has version {int(match[1])}: made by a newer program; this "
            f"one knows version {VERSION}."
        )
    return read_scene(_unpack(_decode(match[2])), SOURCE, report)


def _decode(text: str) -> bytes:
    """Decode base64 to the compressed scene; raise BadInput if the checksum is wrong."""
    try:
        payload = base64.b64decode(text + "=" * (-len(text) % 4), altchars="-_", validate=True)
    except (binascii.Error, ValueError):
        raise _damaged() from None
    packed, checksum = payload[:-_CHECKSUM_BYTES], payload[-_CHECKSUM_BYTES:]
    # The last letter can have unused bits, which ``b64decode`` ignores. If they differ from those
    # that `write_scene_line` writes, the letter was changed.
    is_unchanged = base64.urlsafe_b64encode(payload).decode().rstrip("=") == text
    if not is_unchanged or zlib.crc32(packed).to_bytes(_CHECKSUM_BYTES, "big") != checksum:
        raise _damaged()
    return packed


def _unpack(packed: bytes) -> str:
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS, zdict=DICTIONARY)
    try:
        data = unpacker.decompress(packed, MAX_SCENE)
        text = data.decode()
    except (zlib.error, UnicodeDecodeError):
        raise _damaged() from None
    if unpacker.unconsumed_tail:
        raise BadInput(f"The scene in this text is larger than {MAX_SCENE // 10**6} MB.")
    if not unpacker.eof or unpacker.unused_data:
        raise _damaged()
    return text


def _damaged() -> BadInput:
    return BadInput(
        "The text of the scene is damaged or incomplete: copy it again, from its first letter to "
        "its last."
    )


def _round_column(values: np.ndarray) -> np.ndarray:
    """Return numbers, shape (n,), rounded to as few decimals as ``PRECISION`` permits."""
    spread = float(np.ptp(values)) or float(np.abs(values).max()) or 1.0
    digits = math.ceil(-math.log10(spread * PRECISION))
    return np.array([round(value, digits) for value in values.tolist()]) + 0.0

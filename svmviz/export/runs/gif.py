"""GIF: all frames share one palette, and each contains only what has visibly changed.

Frames are written here one by one, because Pillow's own writer keeps all of them in memory. Each
step is a frame, even if nothing has changed, so that programs can count them.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
from PIL import Image

from svmviz.export.runs.recording import NoProgress, Progress, Recording
from svmviz.export.runs.run_settings import RunSettings
from svmviz.export.runs.shots import Shot, ShotPainter, encode_in_thread, shots
from svmviz.io.atomic import write_atomically

# Maximum number of colours of the palette, one of which means "as before", and number of frames
# from which they are chosen.
COLOURS, SAMPLES = 64, 12
TRANSPARENT = COLOURS - 1
BITS = TRANSPARENT.bit_length()
# The most frequent colours of the samples, among which the palette is found.
CANDIDATES = 4096
# A further colour is chosen if it reduces the squared error of the samples by more than this, per
# px of them. Text and 5 px of another colour need far more.
WORTH = 0.03
# An antialiased px keeps its colour of the frame before if no component is off by more than this,
# of 255. Otherwise a line that moves by a tenth of a px would be written again as a whole.
TOLERANCE = 32
# A px is antialiased if fewer than this number of its four neighbours have its colour.
ALIKE = 2
# Unchanged px are written too if they are fewer than this in a row, and in one colour with changed
# ones beside them: a longer run costs LZW less than two changes to transparency and back.
SHORT = 40
UNKNOWN = 255


def save_gif(
    path: str | Path, recording: Recording, settings: RunSettings, progress: Progress | None = None
) -> None:
    """Write a GIF that repeats for ever, whole or not at all.

    Raises
    ------
    BadInput
        If the steps are not all in the run, or the file cannot be written.
    """
    progress = progress or NoProgress()
    painter = ShotPainter(recording, settings, bands=True)
    palette = choose_palette(painter.sample(SAMPLES))
    data = encode_in_thread(partial(encode, palette), shots(painter, progress))
    write_atomically(path, data, progress)


def choose_palette(samples: list[np.ndarray]) -> np.ndarray:
    """Return colours, shape (at most ``COLOURS - 1``, 3), in the order red, green, blue.

    Each is the candidate whose px are worst represented by those before it: count times squared
    distance is largest. The palette ends where that is below ``WORTH``: the fewer colours, the
    smaller the file.
    """
    enough = WORTH * sum(sample[..., 0].size for sample in samples)
    counts: dict[int, int] = {}
    for sample in samples:
        for key, count in zip(
            *map(np.ndarray.tolist, np.unique(_keys(sample), return_counts=True)), strict=True
        ):
            counts[key] = counts.get(key, 0) + count
    frequent = sorted(counts, key=counts.__getitem__, reverse=True)[:CANDIDATES]
    weight = np.array([counts[key] for key in frequent], dtype=float)
    colours = _colours(np.array(frequent))
    chosen = [0]
    distance = ((colours - colours[0]) ** 2).sum(axis=1)
    while len(chosen) < min(TRANSPARENT, len(colours)):
        worst = int((weight * distance).argmax())
        if weight[worst] * distance[worst] <= enough:
            break
        chosen.append(worst)
        distance = np.minimum(distance, ((colours - colours[worst]) ** 2).sum(axis=1))
    return colours[chosen].astype(np.uint8)


def encode(palette: np.ndarray, painted: Iterator[Shot]) -> bytes:
    """Return the file."""
    mapping = _Mapping(palette)
    parts: list[bytes] = []
    before: np.ndarray | None = None
    shown, written = 0.0, 0
    for shot in painted:
        indices = mapping.indices(shot.pixels)
        if before is None:
            parts.append(_header(indices.shape, palette))
        else:
            indices = mapping.kept(before, indices)
        shown += 100.0 * shot.seconds
        # GIF counts in hundredths of a second; the part that is cut off here is added to later
        # frames.
        hundredths = min(max(2, round(shown) - written), 65_535)
        written += hundredths
        parts += _frame(before, indices, hundredths)
        before = indices
    return b"".join([*parts, b";"])


class _Mapping:
    """Indices of the nearest colours, found once for each colour that occurs."""

    def __init__(self, palette: np.ndarray) -> None:
        self._palette = palette.astype(np.int32)
        self._known = np.full(1 << 24, UNKNOWN, np.uint8)
        away = np.abs(self._palette[:, None, :] - self._palette).max(axis=2)
        self._close = away <= TOLERANCE

    def indices(self, pixels: np.ndarray) -> np.ndarray:
        """Return the index of each px, uint8 array, shape (height, width)."""
        keys = _keys(pixels)
        found = self._known[keys]
        new = np.unique(keys[found == UNKNOWN])
        for start in range(0, len(new), CANDIDATES):
            some = new[start : start + CANDIDATES]
            away = _colours(some).astype(np.int32)[:, None, :] - self._palette
            self._known[some] = (away**2).sum(axis=2).argmin(axis=1)
        return self._known[keys] if len(new) else found

    def kept(self, before: np.ndarray, indices: np.ndarray) -> np.ndarray:
        """Return the indices with those of the frame before at antialiased px of a close colour.

        Fields, markers and straight lines are exact, since their px have neighbours alike. Errors
        do not add up: each px is compared with what it should be.
        """
        alike = np.zeros(indices.shape, np.uint8)
        across, down = indices[:, 1:] == indices[:, :-1], indices[1:] == indices[:-1]
        alike[:, 1:] += across
        alike[:, :-1] += across
        alike[1:] += down
        alike[:-1] += down
        open_px = np.nonzero((indices != before) & (alike < ALIKE))
        old, new = before[open_px], indices[open_px]
        made = indices.copy()
        made[open_px] = np.where(self._close[new, old], old, new)
        return made


def _keys(pixels: np.ndarray) -> np.ndarray:
    """Return the colour of each px as one number, shape (height, width)."""
    return pixels.view("<u4")[..., 0] & 0xFFFFFF


def _colours(keys: np.ndarray) -> np.ndarray:
    """Return red, green and blue of numbers, shape (m, 3)."""
    return np.stack([keys >> 16, (keys >> 8) & 255, keys & 255], axis=1).astype(float)


def _header(shape: tuple[int, ...], palette: np.ndarray) -> bytes:
    height, width = shape
    table = np.zeros((COLOURS, 3), np.uint8)
    table[: len(palette)] = palette
    screen = struct.pack("<HHBBB", width, height, 0xF0 | BITS - 1, 0, 0)
    endless = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
    return b"GIF89a" + screen + table.tobytes() + endless


def _frame(before: np.ndarray | None, indices: np.ndarray, hundredths: int) -> list[bytes]:
    """Return a frame with the px that differ from the one before; its time in 1/100 s."""
    left = top = 0
    part = indices
    if before is not None:
        differs = indices != before
        rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
        if len(rows):
            top, left = int(rows[0]), int(columns[0])
            box = np.s_[top : rows[-1] + 1, left : columns[-1] + 1]
        else:
            box = np.s_[:1, :1]
        part = indices[box]
        part = np.where(_written(differs[box], part), part, np.uint8(TRANSPARENT))
    height, width = part.shape
    # Disposal 1: the frame stays below the next one.
    control = struct.pack("<BBBBHBB", 0x21, 0xF9, 4, 1 << 2 | 1, hundredths, TRANSPARENT, 0)
    descriptor = struct.pack("<BHHHHB", 0x2C, left, top, width, height, 0)
    image = Image.frombytes("P", (width, height), np.ascontiguousarray(part).tobytes())
    # Pillow's own writer has codes for 256 colours.
    return [control, descriptor, bytes([BITS]), image.tobytes("gif", "P", BITS, 0), b"\0"]


def _written(differs: np.ndarray, indices: np.ndarray) -> np.ndarray:
    """Return which px are written: those that differ, and short runs of their colour between."""
    changed, colours = differs.ravel(), indices.ravel()
    ends = (changed[1:] != changed[:-1]) | (colours[1:] != colours[:-1])
    starts = np.concatenate([[0], np.flatnonzero(ends) + 1])
    lengths = np.diff(starts, append=changed.size)
    changed, colours = changed[starts], colours[starts]
    one_colour = colours[1:] == colours[:-1]
    between = changed[:-2] & changed[2:] & (one_colour[:-1] | one_colour[1:])
    written = changed.copy()
    written[1:-1] |= between & (lengths[1:-1] < SHORT)
    return np.repeat(written, lengths).reshape(differs.shape)

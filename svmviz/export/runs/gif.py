"""GIF: all frames share one palette, and each frame contains only px that have visibly changed.

Frames are written here one by one, because Pillow's own writer keeps all of them in memory. A frame
in which nothing has changed is written too, so that a program can count the steps; the setting
``changes`` leaves such steps out.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
from PIL import Image

from solvers.cancelling import Report, no_report
from svmviz.export.runs.recording import Recording
from svmviz.export.runs.run_settings import RunSettings
from svmviz.export.runs.shots import Shot, ShotPainter, encode_in_thread, shots
from svmviz.io.atomic import write_atomically

# Number of indices of the palette, one of which leaves a px unchanged, and number of frames from
# which the colours are chosen.
COLOURS, SAMPLES = 64, 12
# The index that leaves a px unchanged.
TRANSPARENT = COLOURS - 1
# Bits per index.
BITS = TRANSPARENT.bit_length()
# The palette is chosen among this number of the most frequent colours of the samples. This is also
# the number of colours that are compared with the palette at once.
CANDIDATES = 4096
# A colour is added to the palette if this reduces the squared error, summed over the px of all
# samples, by more than ``MIN_GAIN * (number of these px)``. The error of a px is the distance of
# its colour to the nearest colour of the palette; components are 0 to 255. Adding the colour of a
# text, or of 5 px, reduces the error by far more.
MIN_GAIN = 0.03
# An antialiased px keeps its colour of the frame before if no component differs by more than this,
# of 255. Without this rule, a line that moves by a tenth of a px would be written again as a whole.
TOLERANCE = 32
# A px counts as antialiased if fewer than this number of its four neighbours have its colour.
MIN_ALIKE = 2
# A run of unchanged px of one colour is written too if it is shorter than this, lies between two
# changed px, and has the colour of one of the two. In LZW, one longer run takes less space than a
# change to transparency and back.
MIN_RUN = 40
# Stands for the index of a colour that is not computed yet.
UNKNOWN = 255


def save_gif(
    path: str | Path, recording: Recording, settings: RunSettings, report: Report = no_report
) -> None:
    """Write a GIF that repeats for ever; the write is atomic.

    Raises
    ------
    BadInput
        If the steps are not all in the run, or the file cannot be written.
    """
    painter = ShotPainter(recording, settings, bands=True)
    palette = choose_palette(painter.sample(SAMPLES))
    data = encode_in_thread(partial(encode, palette), shots(painter, report))
    write_atomically(path, data)


def choose_palette(samples: list[np.ndarray]) -> np.ndarray:
    """Return the palette: at most ``COLOURS - 1`` rows of red, green and blue.

    The first is the most frequent colour. Each further one is the candidate with the largest
    product (number of its px) * (squared distance to the nearest colour chosen before). The palette
    ends when this product is at most ``MIN_GAIN * (number of px of the samples)``, because fewer
    colours make a smaller file.
    """
    min_gain = MIN_GAIN * sum(sample[..., 0].size for sample in samples)
    counts: dict[int, int] = {}
    for sample in samples:
        for key, count in zip(
            *map(np.ndarray.tolist, np.unique(_colour_numbers(sample), return_counts=True)),
            strict=True,
        ):
            counts[key] = counts.get(key, 0) + count
    frequent = sorted(counts, key=counts.__getitem__, reverse=True)[:CANDIDATES]
    weight = np.array([counts[key] for key in frequent], dtype=float)
    colours = _rgb(np.array(frequent))
    palette = [0]
    distance = ((colours - colours[0]) ** 2).sum(axis=1)
    while len(palette) < min(TRANSPARENT, len(colours)):
        worst = int((weight * distance).argmax())
        if weight[worst] * distance[worst] <= min_gain:
            break
        palette.append(worst)
        distance = np.minimum(distance, ((colours - colours[worst]) ** 2).sum(axis=1))
    return colours[palette].astype(np.uint8)


def encode(palette: np.ndarray, frames: Iterator[Shot]) -> bytes:
    """Return the contents of a GIF file with these frames."""
    nearest = _NearestColours(palette)
    parts: list[bytes] = []
    previous: np.ndarray | None = None
    # Exact duration of all frames so far, and the duration written into the file, 1/100 s.
    elapsed, written_time = 0.0, 0
    for shot in frames:
        indices = nearest.indices(shot.pixels)
        if previous is None:
            parts.append(_header(indices.shape, palette))
        else:
            indices = nearest.keep_similar(previous, indices)
        elapsed += 100.0 * shot.seconds
        # GIF counts in hundredths of a second. The end of a frame is rounded, not its duration, so
        # that errors do not add up.
        hundredths = min(max(2, round(elapsed) - written_time), 65_535)
        written_time += hundredths
        parts += _frame(previous, indices, hundredths)
        previous = indices
    return b"".join([*parts, b";"])


class _NearestColours:
    """The nearest colours of the palette, computed once for each colour that occurs."""

    def __init__(self, palette: np.ndarray) -> None:
        self._palette = palette.astype(np.int32)
        self._index_by_colour = np.full(1 << 24, UNKNOWN, np.uint8)
        # ``_close[i, j]``: whether colours i and j of the palette differ by at most TOLERANCE.
        distance = np.abs(self._palette[:, None, :] - self._palette).max(axis=2)
        self._close = distance <= TOLERANCE

    def indices(self, pixels: np.ndarray) -> np.ndarray:
        """Return the index of the nearest colour of each px, uint8 array, shape (height, width)."""
        keys = _colour_numbers(pixels)
        indices = self._index_by_colour[keys]
        new = np.unique(keys[indices == UNKNOWN])
        for start in range(0, len(new), CANDIDATES):
            chunk = new[start : start + CANDIDATES]
            difference = _rgb(chunk).astype(np.int32)[:, None, :] - self._palette
            self._index_by_colour[chunk] = (difference**2).sum(axis=2).argmin(axis=1)
        return self._index_by_colour[keys] if len(new) else indices

    def keep_similar(self, previous: np.ndarray, indices: np.ndarray) -> np.ndarray:
        """Return the indices to write for a frame, given the exact ``indices``.

        An antialiased px whose colour has changed only a little keeps its index of the frame
        before. Fields, markers and straight lines are exact, because their px have neighbours of
        the same colour. Errors do not add up from frame to frame, because the colour that a px
        keeps is compared with its exact new colour.
        """
        equal_neighbours = np.zeros(indices.shape, np.uint8)
        across, down = indices[:, 1:] == indices[:, :-1], indices[1:] == indices[:-1]
        equal_neighbours[:, 1:] += across
        equal_neighbours[:, :-1] += across
        equal_neighbours[1:] += down
        equal_neighbours[:-1] += down
        candidates = np.nonzero((indices != previous) & (equal_neighbours < MIN_ALIKE))
        old, new = previous[candidates], indices[candidates]
        result = indices.copy()
        result[candidates] = np.where(self._close[new, old], old, new)
        return result


def _colour_numbers(pixels: np.ndarray) -> np.ndarray:
    """Return the colour of each px as one number, shape (height, width)."""
    return pixels.view("<u4")[..., 0] & 0xFFFFFF


def _rgb(keys: np.ndarray) -> np.ndarray:
    """Return red, green and blue of colours given as numbers, shape (m, 3)."""
    return np.stack([keys >> 16, (keys >> 8) & 255, keys & 255], axis=1).astype(float)


def _header(shape: tuple[int, ...], palette: np.ndarray) -> bytes:
    """Return the beginning of the file: its size, its palette and its endless repetition."""
    height, width = shape
    table = np.zeros((COLOURS, 3), np.uint8)
    table[: len(palette)] = palette
    screen = struct.pack("<HHBBB", width, height, 0xF0 | BITS - 1, 0, 0)
    endless = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
    return b"GIF89a" + screen + table.tobytes() + endless


def _frame(previous: np.ndarray | None, indices: np.ndarray, hundredths: int) -> list[bytes]:
    """Return a frame with the px that differ from the ``previous`` frame.

    ``hundredths`` is its duration, 1/100 s.
    """
    left = top = 0
    pixels = indices
    if previous is not None:
        changed = indices != previous
        rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
        if len(rows):
            top, left = int(rows[0]), int(columns[0])
            box = np.s_[top : rows[-1] + 1, left : columns[-1] + 1]
        else:
            box = np.s_[:1, :1]
        pixels = indices[box]
        pixels = np.where(_px_to_write(changed[box], pixels), pixels, np.uint8(TRANSPARENT))
    height, width = pixels.shape
    # Disposal 1: the frame stays below the next one.
    control = struct.pack("<BBBBHBB", 0x21, 0xF9, 4, 1 << 2 | 1, hundredths, TRANSPARENT, 0)
    descriptor = struct.pack("<BHHHHB", 0x2C, left, top, width, height, 0)
    image = Image.frombytes("P", (width, height), np.ascontiguousarray(pixels).tobytes())
    # Pillow's own writer would use LZW codes for 256 colours, which are longer.
    return [control, descriptor, bytes([BITS]), image.tobytes("gif", "P", BITS, 0), b"\0"]


def _px_to_write(is_changed: np.ndarray, indices: np.ndarray) -> np.ndarray:
    """Return which px are written: changed px, and short runs between them (see ``MIN_RUN``)."""
    changed, colours = is_changed.ravel(), indices.ravel()
    ends = (changed[1:] != changed[:-1]) | (colours[1:] != colours[:-1])
    starts = np.concatenate([[0], np.flatnonzero(ends) + 1])
    lengths = np.diff(starts, append=changed.size)
    changed, colours = changed[starts], colours[starts]
    one_colour = colours[1:] == colours[:-1]
    between = changed[:-2] & changed[2:] & (one_colour[:-1] | one_colour[1:])
    is_written = changed.copy()
    is_written[1:-1] |= between & (lengths[1:-1] < MIN_RUN)
    return np.repeat(is_written, lengths).reshape(is_changed.shape)

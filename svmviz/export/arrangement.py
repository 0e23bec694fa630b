"""The arrangement of the parts of a figure in rows and columns, with a box for each part."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TypeAlias

# Left, top, width and height, in whole px.
Box = tuple[int, int, int, int]
# The first part of a figure may be its main part, which is larger than the others. The main part
# gets one of these fractions of the width or of the height; they are tried in this order.
MAIN_SHARES = (0.62, 0.5, 0.4)
# If the width of a box is at most this multiple of its height, the main part is usually placed
# above the others; in a wider box, to the left of them.
MAX_TALL_SHAPE = 1.1
# Ratio of width to height at which panels look best.
PANEL_SHAPE = 1.3
# A part is large enough if it lacks less than this fraction of the size it needs. The fraction is
# not 0, because sizes are rounded to whole px.
MAX_LACK = 0.005
# A function that returns the width and the height, px, that a part needs in a box. Its arguments
# are the number of the part, and the width and height of the box.
NeededSize = Callable[[int, float, float], tuple[float, float]]


@dataclass(frozen=True)
class Row:
    """Parts in one row or column; each of them may itself be a row or column.

    Attributes
    ----------
    parts : tuple of int or Row
        A number stands for the part of a figure with that index.
    down : bool
        Whether this is a column.
    first_share : float
        Fraction of the row's width, or of the column's height, that the first part takes; 0 if
        all parts take the same fraction.
    """

    parts: tuple[Arrangement, ...]
    down: bool
    first_share: float = 0.0


# The number of a single part, or several parts in rows and columns.
Arrangement: TypeAlias = int | Row


def arrangements(count: int, box: Box, *, main: bool, above: bool = False) -> list[Arrangement]:
    """Return the possible arrangements of parts in a box, the usual one first.

    Parameters
    ----------
    count : int
        Number of parts.
    box : Box
        The box that all parts share.
    main : bool
        Whether the first part is the main part, which is larger than the others.
    above : bool
        Whether the main part must stand above the others, not beside them.
    """
    if count == 1:
        return [0]
    _, _, width, height = box
    if not main:
        return _grids(tuple(range(count)), width / height)
    others = tuple(range(1, count))
    beside = [Row((0, Row(others, down=True)), False, share) for share in MAIN_SHARES]
    below = [Row((0, Row(others, down=False)), True, share) for share in MAIN_SHARES]
    usual, second_choice = (
        (beside, below) if width > MAX_TALL_SHAPE * height and not above else (below, beside)
    )
    if above:
        second_choice = []
    stacks: list[Arrangement] = [
        Row((0, *others), down=True, first_share=share) for share in MAIN_SHARES
    ]
    grids: list[Arrangement] = []
    if count > 3:
        grids = [
            Row((0, grid), True, MAIN_SHARES[1]) for grid in _grids(others, width / height)[:3]
        ]
    return [*usual, *second_choice, *grids, *stacks]


def _grids(parts: tuple[int, ...], shape: float) -> list[Arrangement]:
    """Return the grids of parts with 1, 2, ... columns.

    ``shape`` is the width of the box divided by its height. The grid whose cells are nearest to
    ``PANEL_SHAPE`` comes first.
    """

    def shape_error(columns: int) -> float:
        rows = math.ceil(len(parts) / columns)
        return abs(math.log(shape / columns * rows / PANEL_SHAPE))

    return [_grid(parts, k) for k in sorted(range(1, len(parts) + 1), key=shape_error)]


def _grid(parts: tuple[int, ...], columns: int) -> Arrangement:
    """Return rows of ``columns`` parts each; the last row may have fewer."""
    rows = [parts[k : k + columns] for k in range(0, len(parts), columns)]
    return _row([_row(row, down=False) for row in rows], down=True)


def _row(parts: Sequence[Arrangement], *, down: bool) -> Arrangement:
    return Row(tuple(parts), down) if len(parts) > 1 else parts[0]


def place_parts(
    arrangement: Arrangement, box: Box, gap: int, needed_size: NeededSize
) -> dict[int, Box]:
    """Return a dict from the number of each part to its box.

    In a row, each part gets its fraction of the width, or the width it needs if that is more; see
    :func:`divide_length`. Each part has the full height of the row. In a column, width and height
    are exchanged.

    Parameters
    ----------
    arrangement : Arrangement
    box : Box
        The box that all parts share.
    gap : int
        Space between two parts, px.
    needed_size : callable
        See ``NeededSize``.
    """
    if isinstance(arrangement, int):
        return {arrangement: box}
    left, top, width, height = box
    parts, down = arrangement.parts, arrangement.down
    length = max(len(parts), (height if down else width) - gap * (len(parts) - 1))
    share = arrangement.first_share
    others = len(parts) - 1
    shares = (
        [share, *others * [(1.0 - share) / others]] if share else len(parts) * [1.0 / len(parts)]
    )
    preferred = [length * share for share in shares]
    needs = []
    for part, preferred_length in zip(parts, preferred, strict=True):
        size = (width, preferred_length) if down else (preferred_length, height)
        needs.append(_needed_by(part, *size, gap, needed_size)[1 if down else 0])
    boxes: dict[int, Box] = {}
    start = 0
    for part, size in zip(
        parts, round_sizes(divide_length(preferred, needs, length), length), strict=True
    ):
        part_box = (left, top + start, width, size) if down else (left + start, top, size, height)
        boxes.update(place_parts(part, part_box, gap, needed_size))
        start += size + gap
    return boxes


def _needed_by(
    arrangement: Arrangement, width: float, height: float, gap: int, needed_size: NeededSize
) -> tuple[float, float]:
    if isinstance(arrangement, int):
        return needed_size(arrangement, width, height)
    parts, down = arrangement.parts, arrangement.down
    gaps = gap * (len(parts) - 1)
    part_width = width if down else (width - gaps) / len(parts)
    part_height = (height - gaps) / len(parts) if down else height
    needs = [_needed_by(part, part_width, part_height, gap, needed_size) for part in parts]
    widths, heights = zip(*needs, strict=True)
    if down:
        return max(widths), sum(heights) + gaps
    return sum(widths) + gaps, max(heights)


def divide_length(preferred: Sequence[float], needs: Sequence[float], length: float) -> list[float]:
    """Divide a length among parts.

    Each part gets at least the length it needs, and as much of the length it prefers as possible.
    If the sum of the needs is more than the length, each part gets the same fraction of its need.

    Parameters
    ----------
    preferred, needs : sequences of float
        The length that each part prefers, and the minimum that it needs, px.
    length : float
        The length to divide, px.
    """
    missing = sum(needs) - length
    if missing >= 0.0:
        return [need * length / sum(needs) for need in needs]
    lengths = [
        max(preferred_length, need) for preferred_length, need in zip(preferred, needs, strict=True)
    ]
    # If the sum of the lengths is too large, each part gives up the same fraction of what it has
    # beyond its need.
    excess = sum(lengths) - length
    spare = [size - need for size, need in zip(lengths, needs, strict=True)]
    if excess > 0.0:
        total = sum(spare)
        lengths = [size - excess * s / total for size, s in zip(lengths, spare, strict=True)]
    return lengths


def round_sizes(sizes: Sequence[float], length: int) -> list[int]:
    """Return sizes as whole numbers, each at least 1.

    Their sum is at most ``length``, unless a size is below 1.
    """
    ends = [0]
    for total in accumulate(sizes):
        ends.append(max(ends[-1] + 1, min(length, round(total))))
    return [end - start for start, end in pairwise(ends)]


def share_of_needs(boxes: dict[int, Box], needed_size: NeededSize) -> float:
    """Return the minimum of (side of a box) / (side that the part needs), but at most 1.

    The sides are the width and the height of each part's box.
    """
    shares = [1.0]
    for part, (_, _, width, height) in boxes.items():
        needed_width, needed_height = needed_size(part, width, height)
        shares += [width / max(needed_width, 1e-9), height / max(needed_height, 1e-9)]
    return min(shares)


def best_boxes(
    choices: Sequence[Arrangement], box: Box, gap: int, needed_size: NeededSize
) -> tuple[dict[int, Box], float]:
    """Return the boxes of the best arrangement, and its value of :func:`share_of_needs`.

    The best arrangement is the first in which all parts have the size they need. If there is none,
    it is the one with the largest ``share_of_needs``.
    """
    best: tuple[dict[int, Box], float] = ({}, -1.0)
    for choice in choices:
        boxes = place_parts(choice, box, gap, needed_size)
        share = share_of_needs(boxes, needed_size)
        if share > 1.0 - MAX_LACK:
            return boxes, 1.0
        if share > best[1]:
            best = boxes, share
    return best

"""Where the planes of a race stand, each under its title: one answer for window and pictures."""

from __future__ import annotations

from dataclasses import dataclass

from svmviz.document.document import Document

MOST = 4
# Height of a title, and what is left free between planes, px at scale 1.
HEAD, GAP = 30, 1
# Left, top, width and height, in whole px.
Box = tuple[int, int, int, int]


@dataclass(frozen=True)
class Tile:
    """The places of one lane.

    Attributes
    ----------
    lane : int
    title : Box or None
        None where there is no race: one plane needs no title.
    plane : Box
    """

    lane: int
    title: Box | None
    plane: Box


def lanes_of(document: Document) -> int:
    """How many planes a document asks for."""
    return min(len(document.methods), MOST)


def tiles(count: int, width: int, height: int, scale: float) -> tuple[Tile, ...]:
    """Places for ``count`` planes of one size; what is left over stays at the right and below.

    Sizes are whole px: planes that differ by a px would differ in what they show.
    """
    if count == 1:
        return (Tile(0, None, (0, 0, width, height)),)
    columns, rows = grid(count, width, height)
    gap, head = max(1, round(GAP * scale)), max(1, round(HEAD * scale))
    across = max(1, (width - gap * (columns - 1)) // columns)
    up = max(head + 1, (height - gap * (rows - 1)) // rows)
    found = []
    for lane in range(count):
        x, y = (lane % columns) * (across + gap), (lane // columns) * (up + gap)
        found.append(Tile(lane, (x, y, across, head), (x, y + head, across, up - head)))
    return tuple(found)


def grid(count: int, width: int, height: int) -> tuple[int, int]:
    """Return columns and rows in which ``count`` planes are largest, with no empty cell."""
    choices = [(columns, count // columns) for columns in range(1, count + 1)]

    def size(choice: tuple[int, int]) -> tuple[float, int]:
        columns, rows = choice
        # Wide planes before high ones.
        return min(width / columns, 1.2 * height / rows), columns

    return max((c for c in choices if c[0] * c[1] == count), key=size)

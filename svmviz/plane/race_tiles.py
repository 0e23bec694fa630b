"""Layout of the planes of a race, each below its title, for the window and for exports."""

from __future__ import annotations

from dataclasses import dataclass

from svmviz.camera.camera import Camera, has_equal_axes
from svmviz.document.document import Document
from svmviz.document.view_options import ViewOptions

# Maximum number of lanes that are shown.
MAX_LANES = 4
# Height of a title, and the gap between planes, px at scale 1.
TITLE_HEIGHT, GAP = 30, 1
# Width and height that the axes of a plane take, px at scale 1.
AXES = 72, 64
# Maximum ratio of the sides of the section of the points that a layout takes into account.
MAX_SHAPE = 3.0
# Left, top, width and height, in whole px.
Box = tuple[int, int, int, int]


@dataclass(frozen=True)
class Tile:
    """The rectangles of one lane.

    Attributes
    ----------
    lane : int
    title : Box or None
        None without a race, since one plane needs no title.
    plane : Box
    """

    lane: int
    title: Box | None
    plane: Box


def lane_count(document: Document) -> int:
    """Return the number of planes for a document."""
    return min(len(document.methods), MAX_LANES)


def shape_of(document: Document, options: ViewOptions) -> float:
    """Return width / height of the section that shows all points of a document, from 1/3 to 3.

    If the axes have different units, a plane fills whatever room it has, and the result is 1.
    """
    points = document.visible_points
    aspect = options.aspect_for(document.task)
    if len(points) < 2 or not has_equal_axes(aspect, points):
        return 1.0
    camera = Camera().fitted(points, aspect)
    return min(max(camera.span_x / camera.span_y, 1.0 / MAX_SHAPE), MAX_SHAPE)


def tiles(
    count: int, width: int, height: int, scale: float, shape: float, legend: int = 0
) -> tuple[Tile, ...]:
    """Return the tiles of ``count`` planes.

    All planes have the same size in whole px, since planes that differ by one px would show
    different sections. The px that are left over stay empty at the right and at the bottom. Each
    plane has a title, unless there is only one plane. For ``shape`` see :func:`shape_of`;
    ``legend`` is the height of the strip above all titles, px.
    """
    if count == 1:
        return (Tile(0, None, (0, 0, width, height)),)
    height = max(1, height - legend)
    columns, rows = grid(count, width, height, scale, shape)
    gap, title_height = max(1, round(GAP * scale)), max(1, round(TITLE_HEIGHT * scale))
    plane_width = max(1, (width - gap * (columns - 1)) // columns)
    tile_height = max(title_height + 1, (height - gap * (rows - 1)) // rows)
    result = []
    for lane in range(count):
        x = (lane % columns) * (plane_width + gap)
        y = legend + (lane // columns) * (tile_height + gap)
        title = (x, y, plane_width, title_height)
        result.append(
            Tile(lane, title, (x, y + title_height, plane_width, tile_height - title_height))
        )
    return tuple(result)


def grid(
    count: int, width: int, height: int, scale: float = 1.0, shape: float = 1.0
) -> tuple[int, int]:
    """Return the numbers of columns and rows for which the points of ``count`` planes are largest.

    No cell of the grid is empty. Titles and axes have sizes that depend only on ``scale``;
    the plot fills the rest of a cell, and the section of the points fills the plot along one axis.
    """
    return _best_grid(count, width, height, scale, shape)[1]


def size_of_points(count: int, width: int, height: int, scale: float, shape: float) -> float:
    """Return how large the points of ``count`` planes in the best :func:`grid` are, in px."""
    return _best_grid(count, width, height, scale, shape)[0]


def _best_grid(
    count: int, width: int, height: int, scale: float, shape: float
) -> tuple[float, tuple[int, int]]:
    """Return the largest size of the points, px, and its numbers of columns and rows."""
    fixed_width, fixed_height = scale * AXES[0], scale * (AXES[1] + TITLE_HEIGHT)
    choices = [(columns, count // columns) for columns in range(1, count + 1)]

    def size(choice: tuple[int, int]) -> float:
        columns, rows = choice
        # The factor 1.2 prefers wide planes to high planes.
        width_of_points = (width / columns - fixed_width) / shape
        return min(width_of_points, 1.2 * (height / rows - fixed_height))

    # Among equal sizes, more columns win.
    return max((size(choice), choice) for choice in choices if choice[0] * choice[1] == count)

"""Boxes for labels beside points. They avoid points, other labels, and lines to labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmviz.camera.camera import Camera

# Number of positions on a line from a point to its label at which the cells below are looked up.
SPOTS = 48
# What the line from a point to its label crosses: nothing; points; other labels or their lines.
NOTHING, POINTS, LABELS = range(3)

# Cells of the plot (see LabelRoom), as two arrays of the same shape: the index of each cell along
# x, from left to right, and along y, from top to bottom.
Cells = tuple[np.ndarray, np.ndarray]
# A rectangle of cells: its range of indices along x, and its range along y.
Block = tuple[slice, slice]


@dataclass(frozen=True)
class LabelPlaces:
    """The k boxes in which one label may be, the most wanted first.

    Attributes
    ----------
    point, size : arrays, shape (2,)
        The point of the label, and width and height of the label, px.
    boxes : array, shape (k, 2)
        Left and top, px.
    clear : list of int
        Indices of the boxes that lie in the plot and contain no other point.
    blocks : list of k blocks
        The cells under each box.
    ends : array, shape (k, 2)
        The position in each box that is nearest to the point, px.
    has_line : list of k bool
        Whether a line joins the point to the box, because they are more than ``reach`` apart.
    reach : float
        Maximum distance between point and box without a line, px.
    own_cells : cells
        The cells under the point of the label; empty if that point is not in the plot.
    """

    point: np.ndarray
    size: np.ndarray
    boxes: np.ndarray
    clear: list[int]
    blocks: list[Block]
    ends: np.ndarray
    has_line: list[bool]
    reach: float
    own_cells: Cells


class LabelRoom:
    """The space in the plot that the points and the labels placed so far leave free.

    The plot is divided into small cells; a box is free if none of its cells contains a point, a
    line or another box. That is coarse but quick, and boxes stay in place from step to step.

    Parameters
    ----------
    pixels : array, shape (n, 2)
        The points.
    radius, side : float
        Radius of a point and side of a cell, px.
    camera : Camera
    rings : array, shape (k, 2)
        The points that have a ring.
    ring_radius : float
        Radius of a ring, px.
    """

    def __init__(
        self,
        pixels: np.ndarray,
        radius: float,
        side: float,
        camera: Camera,
        rings: np.ndarray,
        ring_radius: float,
    ) -> None:
        self._low = np.array([camera.left, camera.top], float)
        self._high = self._low + np.array([camera.plot_width, camera.plot_height])
        self._radius, self._side = radius, side
        self._rings, self._ring_radius = rings, ring_radius
        shape = np.ceil((self._high - self._low) / side).astype(int) + 1
        # Three masks of the cells: covered by points; by boxes of labels or lines to them; by boxes
        # of labels.
        self._points: np.ndarray = np.zeros(shape, bool)
        self._labels = np.zeros(shape, bool)
        self._boxes = np.zeros(shape, bool)
        self._points[self._cells_of_points(pixels[self._are_inside(pixels)])] = True
        # At (i, j): number of cells with points whose index is below i along x and below j along y.
        self._sums = _sums_of(self._points)
        # The lines to the labels placed so far: x and y of both ends.
        self._lines = np.zeros((0, 4))

    def take(self, boxes: np.ndarray, sizes: np.ndarray) -> None:
        """Cover the cells under (m, 2) boxes of other names, px; ``sizes`` has the same shape."""
        for block in self._blocks_of_boxes(boxes, sizes):
            self._labels[block] = self._boxes[block] = True

    def candidates(
        self,
        points: np.ndarray,
        sizes: np.ndarray,
        boxes: np.ndarray,
        counts: list[int],
        reaches: np.ndarray,
        strong: np.ndarray,
    ) -> list[LabelPlaces | None]:
        """Return the candidates of each of m labels; None for a label that cannot get a box.

        Most of the work is done for all labels at once, because with small arrays most of numpy's
        time is spent per call.

        Parameters
        ----------
        points, sizes : arrays, shape (m, 2)
            The point of each label, and width and height of the label, px.
        boxes : array, shape (sum(counts), 2)
            Left and top of the boxes in which each label may be, the most wanted first: those of
            the first label, then those of the second, and so on.
        counts : list of m int
            Number of boxes of each label.
        reaches : array, shape (m,)
            A line joins a label to its point if they are farther apart than this, px.
        strong : bool array, shape (m,)
            Whether each label gets a box even if no box is clear.
        """
        label = np.repeat(np.arange(len(counts)), counts)
        point, size = points[label], sizes[label]
        ends = np.clip(point, boxes, boxes + size)
        has_line = np.hypot(*(ends - point).T) > reaches[label]
        first, end = self._block_corners(boxes, size)
        rows, columns = own_cells = self._cells_of_points(points)
        in_plot = self._are_inside(points)
        own_count = self._count_own(own_cells, label, first, end) * in_plot[label]
        others = _count(self._sums, first, end) - own_count
        fits = ((boxes >= self._low) & (boxes + size <= self._high)).all(axis=1)
        clear = fits & (others == 0) & ~self._are_on_rings(boxes, size)
        may_be_placed = strong.copy()
        may_be_placed[label[clear]] = True
        stops = np.cumsum(counts)
        result: list[LabelPlaces | None] = [None] * len(counts)
        for k in np.flatnonzero(may_be_placed).tolist():
            own = slice(stops[k] - counts[k], stops[k])
            # A point outside the plot covers no cells.
            covered = rows.shape[1] if in_plot[k] else 0
            result[k] = LabelPlaces(
                points[k],
                sizes[k],
                boxes[own],
                np.flatnonzero(clear[own]).tolist(),
                _blocks(first[own], end[own]),
                ends[own],
                has_line[own].tolist(),
                float(reaches[k]),
                (rows[k, :covered], columns[k, :covered]),
            )
        return result

    def place(self, label: LabelPlaces, strong: bool) -> np.ndarray | None:
        """Return the best box for a label, shape (2,): left and top. Mark its cells as covered.

        The best box is free, and its line crosses nothing or, if there is no such box, only points.
        If there is none either, a strong label gets another box in the plot, and any other label
        gets None.
        """
        free = [k for k in label.clear if not self._labels[label.blocks[k]].any()]
        # No box is better than the first one without a line, since that crosses nothing.
        first = next((i for i, k in enumerate(free) if not label.has_line[k]), len(free))
        free = free[: first + 1]
        crossed = self._crossed(label, free)
        if not free:
            return self._place_over_others(label) if strong else None
        k = min(free, key=crossed.__getitem__)
        if crossed[k] == LABELS and not strong:
            return None
        self._cover(label.blocks[k], label.point, label.ends[k] if label.has_line[k] else None)
        return label.boxes[k]

    def _place_over_others(self, label: LabelPlaces) -> np.ndarray:
        """Return the box in the plot that hides the least: of labels, then of points, and is near.

        Besides the places of the label, moved into the plot, those of a grid are tried.
        """
        low, high = self._low, np.maximum(self._low, self._high - label.size)
        counts = np.ceil((high - low) / (2.0 * self._side)).astype(int) + 1
        steps = map(np.linspace, low, high, counts)
        grid = np.stack(np.meshgrid(*steps, indexing="ij"), axis=-1).reshape(-1, 2)
        boxes = np.concatenate([np.clip(label.boxes, low, high), grid])
        away = np.hypot(*(np.clip(label.point, boxes, boxes + label.size) - label.point).T)
        first, end = self._block_corners(boxes, label.size)
        blocks = _blocks(first, end)
        covered = _count(self._sums, first, end) + self._are_on_rings(boxes, label.size)
        k = int(np.argmin(1e6 * _count(_sums_of(self._boxes), first, end) + 1e3 * covered + away))
        end = np.clip(label.point, boxes[k], boxes[k] + label.size)
        has_line = np.hypot(*(end - label.point)) > label.reach
        self._cover(blocks[k], label.point, end if has_line else None)
        return boxes[k]

    def _crossed(self, label: LabelPlaces, boxes: list[int]) -> dict[int, int]:
        """Return what the line to each of ``boxes`` crosses; NOTHING if a box has no line."""
        crossed = dict.fromkeys(boxes, NOTHING)
        far = [k for k in boxes if label.has_line[k]]
        # This is skipped if there are many labels: then all boxes are near their points.
        if far:
            ends = label.ends[far]
            lines = np.column_stack([np.broadcast_to(label.point, ends.shape), ends])
            cells = self._cells_of_lines(lines)
            labels = self._boxes[cells].any(axis=1) | cross(lines, self._lines).any(axis=1)
            # The line begins at the point of the label, so the cells under that point do not count.
            own = self._points[label.own_cells]
            self._points[label.own_cells] = False
            points = (self._points[cells] | self._labels[cells]).any(axis=1)
            self._points[label.own_cells] = own
            kinds = np.where(labels, LABELS, np.where(points, POINTS, NOTHING))
            crossed.update(zip(far, kinds.tolist(), strict=True))
        return crossed

    def _cover(self, block: Block, point: np.ndarray, end: np.ndarray | None) -> None:
        """Cover the cells of a label, and of the line from its point to ``end`` if there is one."""
        self._labels[block] = self._boxes[block] = True
        if end is not None:
            line = np.concatenate([point, end])[None]
            self._labels[self._cells_of_lines(line)] = True
            self._lines = np.vstack([self._lines, line])

    def _are_inside(self, pixels: np.ndarray) -> np.ndarray:
        """Return a mask of the (m, 2) positions that are in the plot, shape (m,)."""
        return np.all((pixels >= self._low) & (pixels <= self._high), axis=1)

    def _are_on_rings(self, boxes: np.ndarray, sizes: np.ndarray) -> np.ndarray:
        """Return a mask of the (m, 2) boxes that reach into a ring, shape (m,)."""
        ends = np.clip(self._rings[:, None], boxes, boxes + sizes)
        gaps = np.hypot(*np.moveaxis(ends - self._rings[:, None], -1, 0))
        return (gaps < self._ring_radius).any(axis=0)

    def _blocks_of_boxes(self, boxes: np.ndarray, sizes: np.ndarray) -> list[Block]:
        """Return the cells under each of (m, 2) boxes; ``sizes`` may be one size, shape (2,)."""
        return _blocks(*self._block_corners(boxes, sizes))

    def _block_corners(self, boxes: np.ndarray, sizes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the first cell under each of (m, 2) boxes, and the cell after the last one.

        Each is an integer array of shape (m, 2): the indices along x and along y.
        """
        first = np.maximum((boxes - self._low) // self._side, 0.0).astype(int)
        last = ((boxes + sizes - self._low) // self._side).astype(int)
        return first, np.maximum(last + 1, 0)

    def _count_own(
        self, own_cells: Cells, label: np.ndarray, first: np.ndarray, end: np.ndarray
    ) -> np.ndarray:
        """Return how many of the cells with points in each block are under the label's own point.

        ``own_cells`` are the cells under the point of each label, and ``label``, shape (m,), is the
        index of the label of each block.
        """
        rows, columns = own_cells
        # The centre and the corners of a point may lie in the same cell, which is counted once.
        cell = rows * self._points.shape[1] + columns
        repeated = [(cell[:, :j] == cell[:, j : j + 1]).any(axis=1) for j in range(cell.shape[1])]
        counted = self._points[rows, columns] & ~np.column_stack(repeated)
        cells = np.stack([rows, columns], axis=2)[label]
        inside = ((cells >= first[:, None]) & (cells < end[:, None])).all(axis=2)
        return (inside & counted[label]).sum(axis=1)

    def _cells_of_lines(self, lines: np.ndarray) -> Cells:
        """Return the cells under SPOTS positions of each of (m, 4) lines, arrays (m, SPOTS)."""
        return self._cells_at(np.linspace(lines[:, :2], lines[:, 2:], SPOTS, axis=1))

    def _cells_of_points(self, pixels: np.ndarray) -> Cells:
        """Return the cells under the centre and the corners of (m, 2) points, arrays (m, 5)."""
        corners = self._radius * np.array([[0, 0], [-1, -1], [-1, 1], [1, -1], [1, 1]])
        return self._cells_at(pixels[:, None] + corners)

    def _cells_at(self, spots: np.ndarray) -> Cells:
        last = np.array(self._points.shape) - 1
        cells = np.clip(((spots - self._low) // self._side).astype(int), 0, last)
        return cells[..., 0], cells[..., 1]


def _blocks(first: np.ndarray, end: np.ndarray) -> list[Block]:
    """Return m blocks as slices; see ``LabelRoom._block_corners``."""
    return [
        (slice(top, bottom), slice(left, right))
        for (top, left), (bottom, right) in zip(first.tolist(), end.tolist(), strict=True)
    ]


def _sums_of(mask: np.ndarray) -> np.ndarray:
    """Return at (i, j) how many cells below i along x and below j along y are in a mask."""
    return np.pad(mask.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))


def _count(sums: np.ndarray, first: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return how many cells of each of m blocks are in the mask that has these sums."""
    size = np.array(sums.shape) - 1
    (top, left), (bottom, right) = np.minimum(first, size).T, np.minimum(end, size).T
    return sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]


def cross(lines: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return which of (m, 4) segments cross which of (k, 4) segments, shape (m, k)."""

    # The sign says on which side of a segment a point lies.
    def sides(points: np.ndarray, of: np.ndarray) -> np.ndarray:
        along, to = of[:, 2:] - of[:, :2], points[:, None] - of[:, :2]
        return along[:, 0] * to[..., 1] - along[:, 1] * to[..., 0]

    split = sides(lines[:, :2], others) * sides(lines[:, 2:], others) < 0.0
    return split & (sides(others[:, :2], lines) * sides(others[:, 2:], lines) < 0.0).T

"""Places of labels beside points: free of points, of other labels and of the lines to them."""

from __future__ import annotations

import numpy as np

from svmviz.camera.camera import Camera

# Number of positions at which a line to a label is compared with what is there.
SPOTS = 48
# What the line to a label crosses: nothing, points, other labels or their lines.
NOTHING, POINTS, LABELS = range(3)


class LabelRoom:
    """What the labels so far and the points leave free in the plot.

    The plot is divided into small cells; a box is free if none of its cells contains a point, a
    line or another box. That is coarse but quick, and boxes stay in place from step to step.

    Parameters
    ----------
    pixels : array, shape (n, 2)
        The points.
    radius, side : float
        Radius of a point and side of a cell, px.
    camera : Camera
    """

    def __init__(self, pixels: np.ndarray, radius: float, side: float, camera: Camera) -> None:
        self._low = np.array([camera.left, camera.top], float)
        self._high = self._low + np.array([camera.plot_width, camera.plot_height])
        self._radius, self._side = radius, side
        shape = np.ceil((self._high - self._low) / side).astype(int) + 1
        # Whether cells are taken by points, by boxes or lines, and by boxes alone.
        self._points = np.zeros(shape, bool)
        self._labels = np.zeros(shape, bool)
        self._boxes = np.zeros(shape, bool)
        self._points[self._cells_of_points(pixels)] = True
        # Both ends of the lines so far.
        self._lines = np.zeros((0, 4))

    def place(
        self, point: np.ndarray, size: np.ndarray, boxes: np.ndarray, reach: float, strong: bool
    ) -> np.ndarray | None:
        """Return the best of some boxes for the label of a point, and take its cells.

        The best box is free, and its line crosses nothing, or only points. Without such a box a
        strong label takes another one in the plot; other labels are left out.

        Parameters
        ----------
        point : array, shape (2,)
        size : array, shape (2,)
            Width and height of the label, px.
        boxes : array, shape (m, 2)
            Left and top of boxes, the most wanted first.
        reach : float
            A label farther than this from its point, px, has a line to it.
        strong : bool

        Returns
        -------
        array, shape (2,), or None
            Left and top.
        """
        taken = self._points.copy()
        taken[self._cells_of_points(point[None])] = False
        taken |= self._labels
        inside = ((boxes >= self._low) & (boxes + size <= self._high)).all(axis=1)
        cells = self._cells_of_boxes(boxes, size)
        free = [k for k in np.flatnonzero(inside).tolist() if not taken[cells[k]].any()]
        found = None
        if free:
            crossed = self._crossed(point, size, boxes[free], reach, taken)
            best = int(crossed.argmin())
            if strong or crossed[best] < LABELS:
                found = boxes[free[best]]
        elif strong:
            # In the plot, over as little as possible of other labels.
            moved = np.clip(boxes, self._low, np.maximum(self._low, self._high - size))
            hidden = [self._boxes[cells].sum() for cells in self._cells_of_boxes(moved, size)]
            found = moved[int(np.argmin(hidden))]
        if found is not None:
            self._take(point, size, found, reach)
        return found

    def _crossed(
        self,
        point: np.ndarray,
        size: np.ndarray,
        boxes: np.ndarray,
        reach: float,
        taken: np.ndarray,
    ) -> np.ndarray:
        """Return what the line to each of some boxes crosses."""
        ends = np.clip(point, boxes, boxes + size)
        crossed = np.full(len(boxes), NOTHING)
        far = np.hypot(*(ends - point).T) > reach
        # Of many labels all are near their points.
        if far.any():
            ends = ends[far]
            lines = np.column_stack([np.broadcast_to(point, ends.shape), ends])
            cells = self._cells_of_lines(lines)
            labels = self._boxes[cells].any(axis=1) | cross(lines, self._lines).any(axis=1)
            points = np.where(taken[cells].any(axis=1), POINTS, NOTHING)
            crossed[far] = np.where(labels, LABELS, points)
        return crossed

    def _take(self, point: np.ndarray, size: np.ndarray, box: np.ndarray, reach: float) -> None:
        (cells,) = self._cells_of_boxes(box[None], size)
        self._labels[cells] = self._boxes[cells] = True
        end = np.clip(point, box, box + size)
        if np.hypot(*(end - point)) > reach:
            line = np.concatenate([point, end])[None]
            self._labels[self._cells_of_lines(line)] = True
            self._lines = np.vstack([self._lines, line])

    def _cells_of_boxes(self, boxes: np.ndarray, size: np.ndarray) -> list[tuple[slice, slice]]:
        """Return the cells under each of (m, 2) boxes."""
        first = np.maximum((boxes - self._low) // self._side, 0.0).astype(int).tolist()
        last = ((boxes + size - self._low) // self._side).astype(int).tolist()
        return [
            (slice(left, max(right + 1, 0)), slice(top, max(bottom + 1, 0)))
            for (left, top), (right, bottom) in zip(first, last, strict=True)
        ]

    def _cells_of_lines(self, lines: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the cells under SPOTS positions of each of (m, 4) lines, two arrays (m, SPOTS)."""
        spots = np.linspace(lines[:, :2], lines[:, 2:], SPOTS, axis=1)
        return self._cells_at(spots)

    def _cells_of_points(self, pixels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the cells under the centre and the corners of each point that is in the plot."""
        corners = self._radius * np.array([[0, 0], [-1, -1], [-1, 1], [1, -1], [1, 1]])
        inside = ((pixels >= self._low) & (pixels <= self._high)).all(axis=1)
        return self._cells_at(pixels[inside][:, None] + corners)

    def _cells_at(self, spots: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        last = np.array(self._points.shape) - 1
        cells = np.clip(((spots - self._low) // self._side).astype(int), 0, last)
        return cells[..., 0], cells[..., 1]


def cross(lines: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return which of (m, 4) segments cross which of (k, 4) segments, shape (m, k)."""

    def sides(points: np.ndarray, of: np.ndarray) -> np.ndarray:
        along, to = of[:, 2:] - of[:, :2], points[:, None] - of[:, :2]
        return along[:, 0] * to[..., 1] - along[:, 1] * to[..., 0]

    split = sides(lines[:, :2], others) * sides(lines[:, 2:], others) < 0.0
    return split & (sides(others[:, :2], lines) * sides(others[:, 2:], lines) < 0.0).T

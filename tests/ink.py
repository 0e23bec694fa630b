"""Part of the plane that points cover: counted by painting with and without them.

.venv/bin/python -m tests.ink
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from scipy.spatial import ConvexHull

from solvers import Linear
from solvers.data.datasets import DATASETS, PointSet
from svmviz.camera.camera import Camera
from svmviz.document.document import Document, Penalty
from svmviz.frames.frame import Frame
from svmviz.plane.draw import draw_plane
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.style import Style
from tests.plane.frames import fitted, solved

# Number of points, plane in px and size of type, as in windows of 1280x720: one plane, one of
# three in a race, and one plane with type at 200 %.
PLANES = ((200, 911, 559, 1.0), (200, 303, 283, 1.0), (500, 1197, 401, 2.0))
NO_POINTS = PointSet(np.zeros((0, 2)), np.zeros(0))


def mixture(n: int) -> Document:
    """Return the mixture with the linear kernel and a small C, which most alphas are equal to."""
    made = DATASETS["mixture"]
    return Document(made.generate(n, made.noise_default, 0), Linear(), Penalty("C", 0.01))


def pixels_of(frame: Frame, camera: Camera, style: Style, data: PointSet | None) -> np.ndarray:
    """Paint a frame, with ``data`` in place of its own points; (height, width, 3) of 0 to 255."""
    image = QImage(round(camera.width), round(camera.height), QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        newest = None if data is None else Document(data)
        draw_plane(painter, Canvas(frame, camera, style, newest))
    flat = np.frombuffer(image.constBits(), dtype=np.uint8)
    return flat.reshape(image.height(), -1, 4)[:, : image.width(), :3].astype(int)


def coverage(frame: Frame, camera: Camera, style: Style) -> float:
    """Return the fraction of the convex hull of the points that their marks and lines cover.

    That is marks, crosses, halos and slack, unless the options of the style hide some of them.
    ``newest`` of a canvas replaces the points but not the field, so both pictures differ by
    what belongs to points alone.
    """
    style = replace(style, marks_step=False)
    shown = pixels_of(frame, camera, style, None) != pixels_of(frame, camera, style, NO_POINTS)
    changed = shown.any(axis=2)
    hull = ConvexHull(camera.to_pixels(frame.document.data.points))
    across, up = np.meshgrid(np.arange(changed.shape[1]) + 0.5, np.arange(changed.shape[0]) + 0.5)
    places = np.stack([across, up])
    sides = np.einsum("ek,kij->eij", hull.equations[:, :2], places)
    inside = (sides + hull.equations[:, 2, None, None] <= 0.0).all(axis=0)
    return float(changed[inside].mean())


def without_slack(style: Style) -> Style:
    """Return the style without the lines of slack."""
    return replace(style, options=replace(style.options, sticks=False))


def main() -> None:
    """Print the part of each plane."""
    app = QGuiApplication(["ink", "-platform", "offscreen"])
    for n, width, height, scale in PLANES:
        document = mixture(n)
        camera = fitted(document, width, height, scale)
        frame, style = (
            solved(document, camera),
            Style(scale=scale),
        )
        part = coverage(frame, camera, without_slack(style))
        whole = coverage(frame, camera, style)
        place = f"{n} points on {width}x{height} at {scale:.0%}"
        print(f"{place}: {part:.1%} of their hull; {whole:.1%} with slack")
    app.quit()


if __name__ == "__main__":
    main()

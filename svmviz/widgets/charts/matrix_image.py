"""A matrix as an image: one pixel per entry."""

from __future__ import annotations

import numpy as np
from PySide6.QtGui import QImage

from svmviz.colours.contrast import channels
from svmviz.theme import active


def matrix_image(values: np.ndarray, limits: tuple[float, float]) -> QImage:
    """Return an image of values: the background colour at 0, one hue above 0, another hue below.

    Parameters
    ----------
    values : array, shape (rows, columns)
    limits : (float, float)
        The ends of the colour scale.
    """
    theme = active().theme
    largest = max(map(abs, limits))
    fraction = np.clip(values / largest, -1.0, 1.0)[..., None]
    card_colour = np.array(channels(theme.card), dtype=np.float64)
    above, below = (np.array(channels(theme.series[k]), dtype=np.float64) for k in (0, 1))
    mixed = card_colour + np.abs(fraction) * (np.where(fraction >= 0.0, above, below) - card_colour)
    rows, columns = values.shape
    pixels = np.full((rows, columns, 4), 255, dtype=np.uint8)
    pixels[..., :3] = np.rint(mixed)
    image = QImage(pixels.data, columns, rows, 4 * columns, QImage.Format.Format_RGBX8888)
    return image.copy()

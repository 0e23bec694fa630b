"""The pen, which draws on the plane without changing the document."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import Qt

from svmviz.base.strokes import without_straight
from svmviz.document.pen import COLOURS, MAX_PLACES, Stroke
from svmviz.stage.stage import Stage
from svmviz.tools.base import PlaneGeometry, Pointer, Tool

# Places are left out if the stroke without them differs by at most this distance, px at scale 1.
MAX_DEVIATION = 0.4


class Pen(Tool):
    """Tool that draws strokes: with the right button, in the colour that is not chosen."""

    cursor = Qt.CursorShape.CrossCursor
    edits = False
    shows_cards = False
    follows_all = True
    invitation = ("Drag to draw", "A stroke stays at its place in the plane.")

    def __init__(self, stage: Stage, plane: PlaneGeometry) -> None:
        super().__init__(stage, plane)
        # The stroke that is being drawn.
        self._stroke: Stroke | None = None

    @property
    def busy(self) -> bool:
        return self._stroke is not None

    def press(self, pointer: Pointer) -> None:
        colour = self.stage.drawing.colour
        if pointer.right:
            colour = next(other for other in COLOURS if other != colour)
        self._draw(Stroke(colour, (self.position_of(pointer),)))

    def drag(self, pointer: Pointer) -> None:
        stroke, place = self._stroke, self.position_of(pointer)
        if stroke is not None and place != stroke.places[-1] and len(stroke.places) < MAX_PLACES:
            self._draw(replace(stroke, places=(*stroke.places, place)))

    def release(self, pointer: Pointer) -> None:
        self.drag(pointer)
        stroke = self._stroke
        self._draw(None)
        if stroke is not None:
            camera = self.plane.camera
            pixels = camera.to_pixels(np.array(stroke.places))
            if len(pixels) > 1:
                pixels = without_straight(pixels, MAX_DEVIATION * self.plane.scale)
            places = tuple(camera.to_round_data(x, y) for x, y in pixels.tolist())
            self.stage.drawing.add(replace(stroke, places=places))

    def cancel(self) -> None:
        self._draw(None)

    def _draw(self, stroke: Stroke | None) -> None:
        self._stroke = stroke
        self.stage.drawing.show_pending(stroke)

"""The settings of a figure to export, from the command line or the dialog.

Qt is not loaded until the figure is made.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from svmviz.export.page import MAX_TYPE, MIN_TYPE, Length, Page, page_of

if TYPE_CHECKING:
    from svmviz.export.figure import Figure, FigurePart, PlanePart
    from svmviz.plane.picture import Picture

PLANE = "plane"
FIELDS = {"image": "an image", "bands": "filled bands"}
SVG_TEXTS = {"outlines": "outlines of letters", "embedded": "text, with its letters embedded"}
WIDTH, HEIGHT = Length(1280, "px"), Length(960, "px")


@dataclass(frozen=True)
class Order:
    """The description of a figure.

    Attributes
    ----------
    views : tuple of str
        ``PLANE`` and names of panels, the main one first.
    width, height : Length
    type_size : float, optional
        Size of the numbers at the axes, pt; by default as ``Page.scales`` says.
    scale : float, optional
        Factor on lines, marks and type, instead of a size of type.
    theme : str
    legend, axes, titles : bool
        Whether the plane has a legend, numbers and names of its axes, and the parts have titles.
    title : str
        Written above all; empty for none.
    caption : bool
        Whether the sentence of the step is written below.
    transparent : bool
    field : str
        One of ``FIELDS``.
    svg_text : str
        One of ``SVG_TEXTS``.
    clock : str
        The clock that compares the lanes of a race, a key of ``svmviz.frames.clocks.CLOCKS``.
    lane : int
        The lane of a race that panels show, and whose step is meant.
    """

    views: tuple[str, ...] = (PLANE,)
    width: Length = WIDTH
    height: Length = HEIGHT
    type_size: float | None = None
    scale: float | None = None
    theme: str = "light"
    legend: bool = True
    axes: bool = True
    titles: bool = True
    title: str = ""
    caption: bool = False
    transparent: bool = False
    field: str = "image"
    svg_text: str = "outlines"
    clock: str = "steps"
    lane: int = 0

    @property
    def page(self) -> Page:
        """The page; raises BadInput if there is none of this size."""
        return page_of(self.width, self.height)

    @property
    def scales(self) -> tuple[float, float]:
        """Scale of the type, and the further factor on marks."""
        if self.scale is not None:
            return self.scale, 1.0
        return self.page.scales(self.type_size)

    @property
    def panels(self) -> tuple[str, ...]:
        """The views that are panels."""
        return tuple(view for view in self.views if view != PLANE)

    def plane(self, picture: Picture) -> PlanePart:
        """Return the plane with or without legend and axes."""
        from svmviz.export.figure import PlanePart

        options = replace(picture.options, legend=self.legend and picture.options.legend)
        return PlanePart(replace(picture, options=options, axes=self.axes))

    def figure(self, parts: tuple[FigurePart, ...], sentence: str = "") -> Figure:
        """Return the figure of its parts; ``sentence`` is for the caption."""
        from svmviz.export.figure import Drawing, Figure
        from svmviz.theme import THEMES

        scale, marks = self.scales
        drawing = Drawing(
            theme=THEMES[self.theme],
            scale=scale,
            marks=marks,
            titles=self.titles,
            transparent=self.transparent,
            bands=self.field == "bands",
        )
        return Figure(
            parts,
            self.page,
            drawing,
            title=self.title,
            caption=sentence if self.caption else "",
            embedded=self.svg_text == "embedded",
        )


def is_type_size(points: float) -> bool:
    """Return whether letters can have this size, pt."""
    return MIN_TYPE <= points <= MAX_TYPE

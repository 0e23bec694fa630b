"""The settings of a figure to export, which come from the command line or the export dialog.

Qt is not loaded until the figure is made.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from svmviz.colours.palettes import VERMILION
from svmviz.colours.themes import theme_of
from svmviz.export.page import MAX_TYPE, MIN_TYPE, Length, Page, page_of

if TYPE_CHECKING:
    from svmviz.export.figure import Figure, FigurePart, PlanePart
    from svmviz.plane.picture import Picture

# The name of the plane among ``FigureSettings.views``.
PLANE = "plane"
# How a figure can hold the field f, and how SVG can hold text: keys and descriptions.
FIELDS = {"image": "an image", "bands": "filled bands"}
SVG_TEXTS = {"outlines": "outlines of letters", "embedded": "text, with its letters embedded"}
# Default size of a figure.
WIDTH, HEIGHT = Length(1280, "px"), Length(960, "px")


@dataclass(frozen=True)
class FigureSettings:
    """The settings of a figure: its contents, its size and its looks.

    Attributes
    ----------
    views : tuple of str
        The parts of the figure, the main part first: ``PLANE`` and names of panels.
    width, height : Length
    type_size : float, optional
        Size of the numbers at the axes, pt; for the default see ``Page.scales``.
    scale : float, optional
        Factor on lines, marks and type. If it is given, ``type_size`` is ignored.
    theme : str
        A key of ``svmviz.colours.themes.THEMES``.
    palette : str
        Palette of the classes, a key of ``svmviz.colours.palettes.PALETTES``.
    legend : bool
        Whether the plane has a legend.
    axes : bool
        Whether the axes of the plane have numbers and names.
    titles : bool
        Whether parts have titles.
    title : str
        Text above all parts; empty for none.
    caption : bool
        Whether a sentence on what the step did is below all parts.
    transparent : bool
        Whether the background is transparent.
    field : str
        How f is drawn: a key of ``FIELDS``.
    svg_text : str
        How SVG files hold text: a key of ``SVG_TEXTS``.
    clock : str
        The clock that compares the lanes of a race, a key of ``svmviz.frames.clocks.CLOCKS``.
    lane : int
        Index of the lane of a race that the panels show. The requested step is a step of this lane.
    derivation : str
        Name of the derivation that its panel shows; empty for the first that has numbers.
    choices : tuple of (str, str)
        What is chosen in panels: "panel.control" and value. Others have their defaults.
    """

    views: tuple[str, ...] = (PLANE,)
    width: Length = WIDTH
    height: Length = HEIGHT
    type_size: float | None = None
    scale: float | None = None
    theme: str = "light"
    palette: str = VERMILION.name
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
    derivation: str = ""
    choices: tuple[tuple[str, str], ...] = ()

    @property
    def page(self) -> Page:
        """The page; raises BadInput if no page can have this size."""
        return page_of(self.width, self.height)

    @property
    def scales(self) -> tuple[float, float]:
        """Scale of lines and type, and a further factor on marks; see ``Page.scales``."""
        if self.scale is not None:
            return self.scale, 1.0
        return self.page.scales(self.type_size)

    @property
    def panels(self) -> tuple[str, ...]:
        """Names of the panels among the views."""
        return tuple(view for view in self.views if view != PLANE)

    def plane(self, picture: Picture) -> PlanePart:
        """Return a picture of the plane as a part of the figure."""
        from svmviz.export.figure import PlanePart

        options = replace(picture.options, legend=self.legend and picture.options.legend)
        return PlanePart(replace(picture, options=options, axes=self.axes))

    def figure(self, parts: tuple[FigurePart, ...], sentence: str = "") -> Figure:
        """Return the figure with these parts; if ``self.caption``, its caption is ``sentence``."""
        from svmviz.export.figure import Drawing, Figure

        scale, marks = self.scales
        drawing = Drawing(
            theme=theme_of(self.theme, self.palette),
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
            embeds_fonts=self.svg_text == "embedded",
        )


def is_type_size(points: float) -> bool:
    """Return whether type can have this size, pt."""
    return MIN_TYPE <= points <= MAX_TYPE

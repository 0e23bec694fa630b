"""The settings of a figure to export, which come from the command line or the export dialog.

Qt is not loaded until the figure is made.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from svmviz.colours.palettes import PALETTES, VERMILION
from svmviz.colours.themes import THEMES, theme_of
from svmviz.export.declared import choice, export_setting, labels_of, switch
from svmviz.export.page import MAX_TYPE, MIN_TYPE, FigureSize, Length, page_of
from svmviz.frames.clocks import CLOCKS, STEPS

if TYPE_CHECKING:
    from svmviz.export.figure import Figure, FigurePart, PlanePart
    from svmviz.plane.picture import Picture

# The name of the plane among ``FigureSettings.views``.
PLANE = "plane"
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
    lane : int
        Index of the lane of a race that the panels show. The requested step is a step of this lane.
    derivation : str
        Name of the derivation that its panel shows; empty for the first that has numbers.
    choices : tuple of (str, str)
        The choices in panels, each as "panel.control" and value. Other controls have defaults.
    clock : str
        The clock that compares the lanes of a race, a key of ``svmviz.frames.clocks.CLOCKS``.
    theme : str
        A key of ``svmviz.colours.themes.THEMES``.
    palette : str
        Palette of the classes, a key of ``svmviz.colours.palettes.PALETTES``.
    type_size : float, optional
        Size of the numbers at the axes, pt; for the default see ``FigureSize.scale``.
    scale : float, optional
        Factor on lines, marks and type. If it is given, ``type_size`` is ignored.
    legend : bool
        Whether the plane has a legend.
    axes : bool
        Whether the axes of the plane have numbers and names.
    titles : bool
        Whether parts have titles.
    caption : bool
        Whether a sentence below all parts says what the step did.
    transparent : bool
        Whether the background is transparent.
    title : str
        Text above all parts; empty for none.
    text : str
        Text below all parts, in place of the sentence of the step; empty for none.
    formulas : tuple of str
        Lines of LaTeX below the text.
    field : str
        The way in which f is drawn.
    svg_text : str
        The way in which SVG files hold text.
    """

    views: tuple[str, ...] = (PLANE,)
    width: Length = WIDTH
    height: Length = HEIGHT
    lane: int = 0
    derivation: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    text: str = ""
    formulas: tuple[str, ...] = ()
    clock: str = choice(
        STEPS.name,
        "Clock",
        "clock of a race: all lanes are drawn at the same reading of it [steps]",
        labels_of(CLOCKS),
    )
    theme: str = choice("light", "Colours", "colours", labels_of(THEMES))
    palette: str = choice(
        VERMILION.name, "Colours of the classes", "colours of the classes", labels_of(PALETTES)
    )
    type_size: float | None = export_setting(
        None,
        "Size of type",
        "size of the numbers at the axes, such as 8pt "
        "[8pt; if the size of the picture is in pixels, in proportion to it]",
        low=MIN_TYPE,
        high=MAX_TYPE,
        unit="pt",
        metavar="SIZE",
        limits=f"the type size can be {MIN_TYPE:g} to {MAX_TYPE:g} pt",
    )
    scale: float | None = export_setting(
        None,
        "Scale",
        "factor on lines, marks and type [in proportion to the size]",
        low=0.1,
        high=100,
        metavar="S",
        limits="a scale can be 0.1 to 100",
    )
    legend: bool = switch(True, "Legend", "leave the legend of the plane out")
    axes: bool = switch(
        True,
        "Numbers and names at the axes",
        "leave numbers and names of the axes of the plane out",
    )
    titles: bool = switch(
        True,
        "Titles of panels",
        "leave titles of panels out; the planes of a race keep their names",
        option="--no-title",
    )
    caption: bool = switch(
        False,
        "Sentence of the step below",
        "write below the figure what the step did [in movies only]",
    )
    transparent: bool = switch(False, "Transparent background", "leave the background transparent")
    title: str = export_setting("", "Title", "title above the figure", metavar="TEXT")
    field: str = choice(
        "image",
        "Shading in vector files",
        "how vector formats draw the field f [image]",
        {"image": "One picture", "bands": "Areas with edges"},
    )
    svg_text: str = choice(
        "outlines",
        "Text in SVG files",
        "how SVG files draw text [outlines]",
        {"outlines": "Shapes, look alike everywhere", "embedded": "Letters, can be searched"},
    )

    @property
    def page(self) -> FigureSize:
        """The page; raises BadInput if no page can have this size."""
        return page_of(self.width, self.height)

    @property
    def scaling(self) -> float:
        """The factor on lines, marks and type; see ``FigureSize.scale``."""
        return self.page.scale(self.type_size) if self.scale is None else self.scale

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
        from svmviz.base.typeset import typeset_lines
        from svmviz.export.figure import Drawing, Figure

        drawing = Drawing(
            theme=theme_of(self.theme, self.palette),
            scale=self.scaling,
            titles=self.titles,
            transparent=self.transparent,
            bands=self.field == "bands",
        )
        return Figure(
            parts,
            self.page,
            drawing,
            title=self.title,
            caption=self.text or (sentence if self.caption else ""),
            formulas=typeset_lines(self.formulas) if self.formulas else (),
            embeds_fonts=self.svg_text == "embedded",
        )

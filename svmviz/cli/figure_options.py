"""Options of ``svmviz render``: contents, size and looks of the figure."""

from __future__ import annotations

import argparse
from typing import Any

from solvers import BadInput
from svmviz.cli.parser import Parser, number, whole_number
from svmviz.colours.palettes import PALETTES, VERMILION
from svmviz.colours.themes import THEMES
from svmviz.export.figure_settings import (
    FIELDS,
    HEIGHT,
    PLANE,
    SVG_TEXTS,
    WIDTH,
    FigureSettings,
    is_type_size,
)
from svmviz.export.page import LIMITS, MAX_TYPE, MIN_TYPE, Length, Page, page_of, read_length
from svmviz.export.runs.run_settings import MOVIE_SIZE
from svmviz.frames.clocks import CLOCKS, STEPS
from svmviz.panels.registry import PANELS
from svmviz.plane.race_tiles import MAX_LANES

# Names of the parts that a figure can have.
VIEWS = (PLANE, *PANELS)
# Ratio of height to width of a figure of which only one of the two is given.
RATIO = HEIGHT.value / WIDTH.value


def add_arguments(parser: Parser) -> None:
    """Add the options that describe a figure; :func:`read_settings` reads them."""
    picture = parser.add_argument_group("picture")
    picture.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        required=True,
        help="file to write; its ending selects the format, see svmviz list formats\n"
        "DIR/: a folder of numbered PNG images, one per step",
    )
    picture.add_argument(
        "--step",
        type=_step,
        metavar="K",
        help="step to draw; beyond the end, the last step is drawn\n"
        "[the step of the scene; if it has none, the last step]",
    )
    picture.add_argument(
        "--view",
        action="append",
        choices=VIEWS,
        metavar="VIEW",
        help="plane (all planes of a race), or the name of a panel [plane]\n"
        "give --view several times for one figure of several parts, with the plane largest\n"
        "svmviz list panels prints the names of the panels",
    )
    _add_reading(picture)
    _add_race(picture)
    picture.add_argument(
        "--size", type=_size, metavar="WxH", help="pixels [1280x960; movies 960x720]"
    )
    picture.add_argument(
        "--width", type=_length, metavar="LENGTH", help="instead of --size; such as 86mm or 8.6cm"
    )
    picture.add_argument(
        "--height",
        type=_length,
        metavar="LENGTH",
        help="instead of --size [three quarters of the width]",
    )
    picture.add_argument("--theme", choices=THEMES, default="light", help="colours")
    picture.add_argument(
        "--palette", choices=PALETTES, default=VERMILION.name, help="colours of the classes"
    )
    type_size = picture.add_mutually_exclusive_group()
    type_size.add_argument(
        "--type-size",
        type=_type_size,
        metavar="SIZE",
        help="size of the numbers at the axes, such as 8pt "
        "[8pt; if the size of the picture is in pixels, in proportion to it]",
    )
    type_size.add_argument(
        "--scale",
        type=_scale,
        metavar="S",
        help="factor on lines, marks and type [in proportion to the size]",
    )
    _add_contents(picture)


def _add_reading(picture: Any) -> None:
    """Add the options for what panels show."""
    picture.add_argument(
        "--derivation",
        type=_derivation,
        default="",
        metavar="NAME",
        help="the derivation that the panel of this name shows [the first that has numbers]\n"
        "svmviz list derivations prints their names",
    )
    picture.add_argument(
        "--choose",
        action="append",
        type=_choice,
        default=[],
        metavar="PANEL.CONTROL=VALUE",
        help="what is chosen in a panel; may be given several times: slice.line=best,\n"
        "loss.classification=zero-one, loss.source=run, folds.procedure=5x2, folds.rival=linear\n"
        "a choice that the panel does not have is left out",
    )


def _add_race(picture: Any) -> None:
    picture.add_argument(
        "--clock",
        choices=CLOCKS,
        default=STEPS.name,
        help="clock of a race: all lanes are drawn at the same reading of it [steps]",
    )
    picture.add_argument(
        "--lane",
        type=_lane,
        default=1,
        metavar="N",
        help="lane of a race that panels show, and in which --step counts [1]",
    )


def _add_contents(picture: Any) -> None:
    """Add the options for texts, background and field."""
    switches = {
        "--no-legend": "leave the legend of the plane out",
        "--no-axes": "leave numbers and names of the axes of the plane out",
        "--no-title": "leave titles of panels out; the planes of a race keep their names",
        "--transparent": "leave the background transparent",
    }
    for name, text in switches.items():
        picture.add_argument(name, action="store_true", help=text)
    picture.add_argument(
        "--caption",
        action=argparse.BooleanOptionalAction,
        help="write below the figure what the step did [in movies only]",
    )
    picture.add_argument("--title", default="", metavar="TEXT", help="title above the figure")
    picture.add_argument(
        "--field",
        choices=FIELDS,
        default="image",
        help="how vector formats draw the field f [image]",
    )
    picture.add_argument(
        "--svg-text",
        choices=SVG_TEXTS,
        default="outlines",
        help="how SVG files draw text [outlines]",
    )


def read_settings(
    options: argparse.Namespace, parser: Parser, *, movie: bool = False
) -> FigureSettings:
    """Return the settings of the figure; end with bad usage if options contradict each other.

    A movie has another default size, and by default a caption.
    """
    if movie:
        options.caption = options.caption is not False
        if options.size is None and not (options.width or options.height):
            options.size = tuple(Length(side, "px") for side in MOVIE_SIZE)
    width, height = _sides(options, parser)
    if width is None or height is None:
        return _with_options(options, FigureSettings())
    try:
        page_of(width, height)
    except BadInput as error:
        parser.error(str(error))
    return _with_options(options, FigureSettings(width=width, height=height))


def _sides(options: argparse.Namespace, parser: Parser) -> tuple[Length | None, Length | None]:
    """Return width and height; both None if the options give no size."""
    if options.size is not None and (options.width or options.height):
        parser.error("--size is not allowed with --width or --height")
    if options.size is not None:
        return options.size
    width, height = options.width, options.height
    if width is not None and height is None:
        height = Length(width.value * RATIO, width.unit)
    elif height is not None and width is None:
        width = Length(height.value / RATIO, height.unit)
    return width, height


def _with_options(options: argparse.Namespace, page_settings: FigureSettings) -> FigureSettings:
    """Return the settings: the size of ``page_settings``, and everything else from the options."""
    views = tuple(dict.fromkeys(options.view or (PLANE,)))
    # The planes are the main part, so they come first.
    views = tuple(sorted(views, key=lambda view: view != PLANE))
    return FigureSettings(
        views=views,
        width=page_settings.width,
        height=page_settings.height,
        type_size=options.type_size,
        scale=options.scale,
        theme=options.theme,
        palette=options.palette,
        legend=not options.no_legend,
        axes=not options.no_axes,
        titles=not options.no_title,
        title=options.title.strip(),
        caption=bool(options.caption),
        transparent=options.transparent,
        field=options.field,
        svg_text=options.svg_text,
        clock=options.clock,
        lane=options.lane - 1,
        derivation=options.derivation,
        choices=tuple(options.choose),
    )


def _derivation(text: str) -> str:
    # Imported late, since other figures need none. The default passes through here, too.
    from svmviz.lessons.derivations import derivations

    if text and text not in derivations():
        raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join(derivations())}")
    return text


def _choice(text: str) -> tuple[str, str]:
    control, equals, value = text.partition("=")
    if control.partition(".")[0] not in PANELS or not (equals and control.partition(".")[2]):
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form PANEL.CONTROL=VALUE")
    return control, value


def _size(text: str) -> tuple[Length, Length]:
    width, cross, height = text.lower().replace("×", "x").partition("x")
    if not (cross and width.isdecimal() and height.isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form 1280x960")
    try:
        page = Page(int(width), int(height))
    except BadInput:
        raise argparse.ArgumentTypeError(LIMITS) from None
    return Length(page.width, "px"), Length(page.height, "px")


def _length(text: str) -> Length:
    try:
        return read_length(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _type_size(text: str) -> float:
    points = number(text.strip().lower().removesuffix("pt"))
    if not is_type_size(points):
        raise argparse.ArgumentTypeError(f"the type size can be {MIN_TYPE:g} to {MAX_TYPE:g} pt")
    return points


def _step(text: str) -> int:
    step = whole_number(text)
    if step < 0:
        raise argparse.ArgumentTypeError("a step cannot be negative")
    return step


def _lane(text: str) -> int:
    lane = whole_number(text)
    if not 1 <= lane <= MAX_LANES:
        raise argparse.ArgumentTypeError(f"a race has lanes 1 to {MAX_LANES}")
    return lane


def _scale(text: str) -> float:
    scale = number(text)
    if not 0.1 <= scale <= 100:
        raise argparse.ArgumentTypeError("a scale can be 0.1 to 100")
    return scale

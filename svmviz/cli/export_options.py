"""Options of ``svmviz render`` for a picture, and for whole runs: movies, tables and scripts.

The options of declared settings (``svmviz.export.declared``) are made from their declarations. In
the parsed namespace, those that are not given are None.
"""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable
from typing import Any

from solvers import BadInput
from solvers.settings import settings_of
from svmviz.cli.parser import Parser, number, whole_number, within
from svmviz.document.view_options import ViewOptions
from svmviz.export import RUN_FORMATS
from svmviz.export.declared import ExportSetting, defaults_of, option_of
from svmviz.export.figure_settings import HEIGHT, PLANE, WIDTH, FigureSettings
from svmviz.export.page import LIMITS, FigureSize, Length, page_of, read_length
from svmviz.export.runs.run_settings import MAX_GIF_FPS, MOVIE_SIZE, RunSettings, Steps
from svmviz.panels.registry import PANELS
from svmviz.plane.race_tiles import MAX_LANES

# Names of the parts that a figure can have.
VIEWS = (PLANE, *PANELS)
# Ratio of height to width of a figure of which only one of the two is given.
RATIO = HEIGHT.value / WIDTH.value
# FIRST:LAST or FIRST:LAST:EVERY.
_RANGE = re.compile(r"(\d{0,15}):(\d{0,15})(?::(\d{1,15}))?")
# Options that only some formats use.
FORMAT_OPTIONS = ("steps", "changes", "fps", "hold", "glide", "table", "code", "step")


def add_figure_options(parser: Parser) -> None:
    """Add the options that describe a figure; :func:`read_figure_settings` reads them."""
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
        type=within(whole_number, 0, math.inf, "a step cannot be negative"),
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
    _add_panel_choices(picture)
    _add_declared(picture, FigureSettings, "clock")
    picture.add_argument(
        "--lane",
        type=within(whole_number, 1, MAX_LANES, f"a race has lanes 1 to {MAX_LANES}"),
        default=1,
        metavar="N",
        help="lane of a race that panels show, and in which --step counts [1]",
    )
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
    _add_declared(picture, FigureSettings, "theme", "palette")
    type_size = picture.add_mutually_exclusive_group()
    _add_declared(type_size, FigureSettings, "type_size", "scale")
    _add_declared(picture, FigureSettings, "legend", "axes", "titles", "transparent")
    picture.add_argument(
        "--caption",
        action=argparse.BooleanOptionalAction,
        help=settings_of(FigureSettings)["caption"].help,
    )
    _add_declared(picture, FigureSettings, "title", "field", "svg_text")
    _add_plane_options(picture)


def _add_plane_options(picture: Any) -> None:
    """Add options of the plane, which a scene has too."""
    shading = settings_of(ViewOptions)["shading"]
    values = [value for value, _ in shading.choices]
    picture.add_argument("--shading", choices=values, help=f"{shading.help} [as the scene says]")
    many = "of several classes, what all machines decide, not the one looked at [as the scene says]"
    picture.add_argument("--regions", action=argparse.BooleanOptionalAction, help=many)


def _add_panel_choices(picture: Any) -> None:
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


def add_run_options(parser: Parser) -> None:
    """Add the further options for whole runs; :func:`read_run_settings` reads them."""
    endings = ", ".join(ending for ending in RUN_FORMATS if ending != "/")
    group = parser.add_argument_group(f"whole runs ({endings}, or DIR/ for numbered PNG images)")
    group.add_argument(
        "--steps",
        type=_steps,
        metavar="FIRST:LAST[:EVERY]",
        help="steps, both ends included; an end may be left out [all; of movies, the loop]",
    )
    _add_declared(group, RunSettings, *settings_of(RunSettings))


def _add_declared(group: Any, owner: type, *names: str) -> None:
    """Add the options of declared settings."""
    for name in names:
        spec, default = settings_of(owner)[name], defaults_of(owner)[name]
        assert isinstance(spec, ExportSetting)
        arguments: dict[str, Any] = {"dest": name, "default": None, "help": spec.help}
        if spec.scale == "switch":
            arguments["action"] = "store_false" if default else "store_true"
        elif spec.scale == "choice":
            arguments["choices"] = [key for key, _ in spec.choices]
        else:
            arguments["metavar"] = spec.metavar
            arguments["type"] = str.strip if spec.scale == "text" else _reader_of(spec)
        group.add_argument(option_of(owner, name), **arguments)


def _reader_of(spec: ExportSetting) -> Callable[[str], float]:
    """Return the function that reads the number of a declared setting, with or without its unit."""

    def read(text: str) -> float:
        bare = text.strip()
        if bare.lower().endswith(spec.unit):
            bare = bare[: len(bare) - len(spec.unit)]
        return number(bare)

    return within(read, spec.low, spec.high, spec.limits)


def _given(options: argparse.Namespace, owner: type) -> dict[str, Any]:
    """Return the declared settings that the options give."""
    values = {name: getattr(options, name) for name in settings_of(owner)}
    return {name: value for name, value in values.items() if value is not None}


def read_figure_settings(
    options: argparse.Namespace, parser: Parser, *, movie: bool = False
) -> FigureSettings:
    """Return the settings of the figure; end with bad usage if options contradict each other.

    A movie has another default size, and by default a caption.
    """
    width, height = _sides(options, parser)
    if width is None or height is None:
        sides = (Length(side, "px") for side in MOVIE_SIZE)
        width, height = sides if movie else (WIDTH, HEIGHT)
    try:
        page_of(width, height)
    except BadInput as error:
        parser.error(str(error))
    views = dict.fromkeys(options.view or (PLANE,))
    return FigureSettings(
        # The planes are the main part, so they come first.
        views=tuple(sorted(views, key=lambda view: view != PLANE)),
        width=width,
        height=height,
        lane=options.lane - 1,
        derivation=options.derivation,
        choices=tuple(options.choose),
        **{"caption": movie, **_given(options, FigureSettings)},
    )


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


def refuse_unused(options: argparse.Namespace, parser: Parser, ending: str) -> None:
    """End with bad usage if an option was given that the format does not use."""
    kind = RUN_FORMATS.get(ending)
    accepted = ("step",) if kind is None else kind.options
    for name in FORMAT_OPTIONS:
        option = f"--{name}"
        if getattr(options, name) is None or name in accepted:
            continue
        if kind is None:
            parser.error(f"{option} is for whole runs, and {ending} is a picture of one step")
        target = "a folder of images" if ending == "/" else ending
        parser.error(f"{option} is not for {target}")
    if kind is not None and kind.is_movie and set(options.view or (PLANE,)) != {PLANE}:
        parser.error("--view is for pictures; a movie shows the plane, in a race all planes")
    if ending == ".gif" and (options.fps or 0.0) > MAX_GIF_FPS:
        parser.error(f"a GIF can have at most {MAX_GIF_FPS:g} frames per second")
    if kind is not None and ending == ".csv":
        is_solution = options.table == "solution"
        if options.steps is not None and is_solution:
            parser.error("--steps is for the trace; the solution is that of one --step")
        if options.step is not None and not is_solution:
            parser.error("--step is for --table solution; the trace has --steps")


def read_run_settings(options: argparse.Namespace, picture: FigureSettings) -> RunSettings:
    """Return the settings of the export of a run."""
    return RunSettings(
        steps=options.steps or Steps(),
        step=options.step,
        picture=picture,
        **_given(options, RunSettings),
    )


def _derivation(text: str) -> str:
    # Imported late, since other figures need no derivation. argparse also passes the default here.
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
        page = FigureSize(int(width), int(height))
    except BadInput:
        raise argparse.ArgumentTypeError(LIMITS) from None
    return Length(page.width, "px"), Length(page.height, "px")


def _length(text: str) -> Length:
    try:
        return read_length(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _steps(text: str) -> Steps:
    match = _RANGE.fullmatch(text.strip())
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form 0:100 or 0:100:5")
    first, last, every = match.groups()
    try:
        return Steps(int(first or 0), int(last) if last else None, int(every or 1))
    except BadInput as error:
        raise argparse.ArgumentTypeError(str(error)) from None

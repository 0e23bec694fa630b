"""Options of ``svmviz render`` for whole runs: steps, movies, tables and scripts."""

from __future__ import annotations

import argparse
import re

from solvers import BadInput
from svmviz.cli.parser import Parser, number
from svmviz.export import RUN_FORMATS
from svmviz.export.figure_settings import PLANE, FigureSettings
from svmviz.export.runs.run_settings import (
    CODES,
    FPS,
    HOLD,
    MAX_FPS,
    MAX_GIF_FPS,
    MAX_HOLD,
    MIN_FPS,
    TABLES,
    RunSettings,
    Steps,
)

# FIRST:LAST or FIRST:LAST:EVERY.
_RANGE = re.compile(r"(\d{0,15}):(\d{0,15})(?::(\d{1,15}))?")
# Options that only some formats use.
FORMAT_OPTIONS = ("steps", "changes", "fps", "hold", "glide", "table", "code", "step")


def add_arguments(parser: Parser) -> None:
    """Add the arguments that make a ``RunSettings``."""
    endings = ", ".join(ending for ending in RUN_FORMATS if ending != "/")
    group = parser.add_argument_group(f"whole runs ({endings}, or DIR/ for numbered PNG images)")
    group.add_argument(
        "--steps",
        type=_steps,
        metavar="FIRST:LAST[:EVERY]",
        help="steps, both ends included; an end may be left out [all]",
    )
    group.add_argument(
        "--changes",
        action="store_true",
        default=None,
        help="movies: only frames that differ visibly from the one before",
    )
    group.add_argument("--fps", type=_fps, metavar="F", help=f"movies: steps per second [{FPS:g}]")
    group.add_argument(
        "--hold",
        type=_hold,
        metavar="SECONDS",
        help=f"movies: how long the first and the last frame are shown [{HOLD:g}]",
    )
    group.add_argument(
        "--glide",
        action="store_true",
        default=None,
        help="movies of at most 5 steps per second: the picture moves from step to step",
    )
    tables = "\n".join(f"{name}: {text}" for name, text in TABLES.items())
    group.add_argument("--table", choices=TABLES, help=f"what .csv contains [trace]\n{tables}")
    codes = "\n".join(f"{name}: {text}" for name, text in CODES.items())
    group.add_argument(
        "--code", choices=CODES, help=f"what .py and .ipynb contain [sklearn]\n{codes}"
    )


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
    if ending == ".gif" and options.fps is not None and options.fps > MAX_GIF_FPS:
        parser.error(f"a GIF can have at most {MAX_GIF_FPS:g} frames per second")
    if kind is not None and ending == ".csv":
        is_solution = options.table == "solution"
        if options.steps is not None and is_solution:
            parser.error("--steps is for the trace; the solution is that of one --step")
        if options.step is not None and not is_solution:
            parser.error("--step is for --table solution; the trace has --steps")


def read_run_settings(options: argparse.Namespace, picture: FigureSettings) -> RunSettings:
    """Return the settings of the export."""
    return RunSettings(
        steps=options.steps or Steps(),
        step=options.step,
        code=options.code or "sklearn",
        table=options.table or "trace",
        changes=bool(options.changes),
        fps=options.fps or FPS,
        hold=HOLD if options.hold is None else options.hold,
        glide=bool(options.glide),
        picture=picture,
    )


def _steps(text: str) -> Steps:
    match = _RANGE.fullmatch(text.strip())
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form 0:100 or 0:100:5")
    first, last, every = match.groups()
    try:
        return Steps(int(first or 0), int(last) if last else None, int(every or 1))
    except BadInput as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _fps(text: str) -> float:
    fps = number(text)
    if not MIN_FPS <= fps <= MAX_FPS:
        raise argparse.ArgumentTypeError(
            f"a movie can have {MIN_FPS:g} to {MAX_FPS:g} frames per second"
        )
    return fps


def _hold(text: str) -> float:
    hold = number(text)
    if not 0.0 <= hold <= MAX_HOLD:
        raise argparse.ArgumentTypeError(f"a frame can be held for 0 to {MAX_HOLD:g} s")
    return hold

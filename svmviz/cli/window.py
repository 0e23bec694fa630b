"""``svmviz [FILE]``: the window, or a picture if there is no display."""

from __future__ import annotations

import argparse
from pathlib import Path

from svmviz import __version__
from svmviz.cli.displays import has_display, require_qt, without_reading_sources
from svmviz.cli.parser import Parser

EPILOG = """\
commands:
  svmviz solve FILE ...      solve without a window
  svmviz render FILE -o OUT  draw a picture without a window
  svmviz list solvers        names of solvers (kernels, datasets, panels, formats)"""
DEMO = "scenes/demo.svmviz"


def add_arguments(parser: Parser) -> None:
    """Add the arguments of the window."""
    parser.epilog = EPILOG
    parser.add_argument("file", metavar="FILE", nargs="?", help="scene or points to open")
    parser.add_argument("--version", action="version", version=f"svmviz {__version__}")


def run(given: argparse.Namespace, parser: Parser) -> int:
    """Open the window, or draw a picture if there is no display."""
    if not has_display():
        return _draw_instead(given.file)
    require_qt()
    with without_reading_sources():
        from svmviz.app.app import run_window

    return run_window(given.file)


def _draw_instead(file: str | None) -> int:
    from svmviz.base.resources import path
    from svmviz.cli.render import render_file

    picture = Path(f"svmviz-{Path(file).stem if file else 'demo'}.png")
    render_file(file or path(DEMO), picture)
    drawn = file or "the demo scene"
    print(f"There is no display for a window, so {drawn} was drawn to {picture} instead.")
    return 0

"""``svmviz [FILE]``: the window, or a picture if there is no display."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from svmviz.base.versions import versions
from svmviz.cli import COMMANDS
from svmviz.cli.displays import has_display, require_qt, without_reading_sources
from svmviz.cli.parser import Parser
from svmviz.cli.streams import print_lines
from svmviz.io.paths import free_path

_LINES = (f"  {name:<8}{about}" for name, (_module, about) in COMMANDS.items())
EPILOG = "\n".join(["commands; svmviz COMMAND --help has more:", *_LINES])


class Version(argparse.Action):
    """The action of ``--version``."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        print_lines(versions())
        parser.exit()


def add_arguments(parser: Parser) -> None:
    """Add the arguments of the window."""
    parser.epilog = EPILOG
    parser.add_argument("file", metavar="FILE", nargs="?", help="scene or points to open")
    parser.add_argument(
        "--text", metavar="LINE", help="scene to open, as svmviz scene FILE --text prints it"
    )
    parser.add_argument(
        "--task",
        choices=("classification", "regression"),
        help="how to read a table [two columns of numbers: regression, others: classification]",
    )
    parser.add_argument(
        "--version", action=Version, nargs=0, help="print the versions of program and system"
    )


def run(options: argparse.Namespace, parser: Parser) -> int:
    """Open the window, or draw a picture if there is no display."""
    if options.text is not None and options.file is not None:
        parser.error("--text is not allowed with FILE")
    file = options.file if options.text is None else options.text
    task = {} if options.task is None else {"task": options.task}
    if file is not None:
        from svmviz.io.scene_line import is_scene_line, read_scene_line

        # The text is read here, so that an invalid text is refused before a window opens.
        if options.text is not None or is_scene_line(file):
            read_scene_line(file)
    if not has_display():
        return _draw_instead(file, **task)
    require_qt()
    with without_reading_sources():
        from svmviz.app.app import run_window

    return run_window(file, **task)


def _draw_instead(file: str | None, task: str | None = None) -> int:
    from svmviz.base.resources import path
    from svmviz.cli.render import render_file
    from svmviz.document.examples import FIRST_SCENE
    from svmviz.io.scene_line import is_scene_line

    is_text = file is not None and is_scene_line(file)
    name = "scene" if is_text else Path(file).stem if file else FIRST_SCENE
    picture = free_path(Path(f"svmviz-{name}.png"))
    render_file(file or path(f"scenes/{FIRST_SCENE}.svmviz"), picture, task)
    subject = "the scene" if is_text else file or "the first scene"
    print_lines(f"There is no display for a window, so {subject} was drawn to {picture} instead.")
    return 0

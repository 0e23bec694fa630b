"""``svmviz scene``: a file as a scene, printed as one line of text or as JSON. Loads no Qt."""

from __future__ import annotations

import argparse

from svmviz.cli import model_options
from svmviz.cli.parser import Parser
from svmviz.cli.streams import print_lines
from svmviz.io.scene import write_scene
from svmviz.io.scene_line import write_scene_line


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``scene``."""
    parser.add_argument(
        "--text",
        action="store_true",
        help="print one line, with points at screen precision, for a mail or an exercise sheet;\n"
        "every command accepts the line in place of FILE",
    )
    model_options.add_arguments(parser)


def run(options: argparse.Namespace, parser: Parser) -> int:
    """Print the scene."""
    scene = model_options.read_scene(options, parser, says_classes=True)
    print_lines(write_scene_line(scene) if options.text else write_scene(scene).rstrip())
    return 0

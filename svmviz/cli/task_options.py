"""Options of the task, shared by ``solve`` and ``select``: classification, or a regression."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from solvers import BadInput
from solvers.problem.regression import checked_epsilon
from svmviz.cli import model_options
from svmviz.cli.parser import Parser, number
from svmviz.document.document import TASKS, Document
from svmviz.io.open_and_save import SCENE_ENDING
from svmviz.io.scene_line import is_scene_line


def add_arguments(parser: Parser) -> None:
    """Add FILE, the options of the model and those of the task."""
    model_options.add_arguments(parser)
    task = parser.add_argument_group("task")
    task.add_argument(
        "--task",
        choices=tuple(TASKS),
        default="classification",
        help="regression: all columns of numbers are coordinates, except the target, which is the"
        " column given by --labels, or named target or y, or the last",
    )
    task.add_argument(
        "--epsilon",
        type=_epsilon,
        metavar="EPSILON",
        help="regression: half the width of the tube in which no error counts [0.1]",
    )


def read_document(
    options: argparse.Namespace,
    parser: Parser,
    on_rows: model_options.OnRows = model_options.ignore,
) -> Document:
    """Return the document of FILE with the options applied.

    This function is for --task classification. Then FILE can be a regression only if it is a scene.
    End with bad usage if --epsilon is given and FILE is not the scene of a regression.

    ``on_rows`` is called as by :func:`svmviz.cli.model_options.read_scene`.
    """
    if options.epsilon is None:
        return model_options.read_scene(options, parser, on_rows).document
    document = Document()
    if is_scene_line(options.file) or Path(options.file).suffix.lower() == SCENE_ENDING:
        document = model_options.read_scene(options, parser, on_rows).document
    if not document.is_regression:
        parser.error("--epsilon is for --task regression")
    return replace(document, epsilon=options.epsilon)


def note_held_out(document: Document) -> None:
    """Write to stderr that points of a scene are held out, if some are."""
    held_out = document.held_out
    if held_out is not None:
        print(
            f"The scene holds out {len(held_out.validation)} validation and {len(held_out.test)} "
            f"test points: only its {document.n} training points are used.",
            file=sys.stderr,
        )


def _epsilon(text: str) -> float:
    try:
        return checked_epsilon(number(text))
    except BadInput as error:
        raise argparse.ArgumentTypeError(str(error).removesuffix(".")) from None

"""Options of ``svmviz render`` for whole runs: which steps, and which table."""

from __future__ import annotations

import argparse
import re

from solvers import BadInput
from svmviz.cli.parser import Parser
from svmviz.export import RUN_FORMATS
from svmviz.export.order import Order
from svmviz.export.runs.order import TABLES, RunOrder, Steps

_RANGE = re.compile(r"(\d{0,15}):(\d{0,15})(?::(\d{1,15}))?")
# Destinations of the options, with the words of each on the command line.
OPTIONS = {"steps": "--steps", "table": "--table", "step": "--step"}


def add_arguments(parser: Parser) -> None:
    """Add the arguments that make a ``RunOrder``."""
    endings = ", ".join(RUN_FORMATS)
    group = parser.add_argument_group(f"whole runs ({endings})")
    group.add_argument(
        "--steps",
        type=_steps,
        metavar="FIRST:LAST[:EVERY]",
        help="steps, both ends included; an end may be left out [all]",
    )
    tables = "\n".join(f"{name}: {text}" for name, text in TABLES.items())
    group.add_argument("--table", choices=TABLES, help=f"what .csv contains [trace]\n{tables}")


def refuse_others(given: argparse.Namespace, parser: Parser, ending: str) -> None:
    """End with bad usage if an option was given that the format has no use for."""
    kind = RUN_FORMATS.get(ending)
    used = ("step",) if kind is None else kind.options
    for name, option in OPTIONS.items():
        if getattr(given, name) is None or name in used:
            continue
        if kind is None:
            parser.error(f"{option} is for whole runs, and {ending} is a picture of one step")
        parser.error(f"{option} is not for {ending}")
    if kind is not None and ending == ".csv":
        solution = given.table == "solution"
        if given.steps is not None and solution:
            parser.error("--steps is for the trace; the solution is that of one --step")
        if given.step is not None and not solution:
            parser.error("--step is for --table solution; the trace has --steps")


def read_run_order(given: argparse.Namespace, picture: Order) -> RunOrder:
    """Return what was asked for."""
    return RunOrder(
        steps=given.steps or Steps(),
        step=given.step,
        table=given.table or "trace",
        picture=picture,
    )


def _steps(text: str) -> Steps:
    found = _RANGE.fullmatch(text.strip())
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form 0:100 or 0:100:5")
    first, last, every = found.groups()
    try:
        return Steps(int(first or 0), int(last) if last else None, int(every or 1))
    except BadInput as error:
        raise argparse.ArgumentTypeError(str(error)) from None

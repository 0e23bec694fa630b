"""``svmviz list``: names, one a line. Loads no Qt, and of the registries only the one asked for.

A terminal also gets title and first sentence of each, and so does ``--long``; scripts that read the
output get names alone.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from typing import Any

from svmviz.cli.parser import Parser

# Where the registry of each kind is; its keys are the names.
REGISTRIES = {
    "solvers": ("solvers.registry", "METHODS"),
    "kernels": ("solvers.registry", "KERNELS"),
    "datasets": ("solvers.data.datasets", "DATASETS"),
    "panels": ("svmviz.panels.registry", "PANELS"),
    "formats": ("svmviz.export", "FORMATS"),
}
TASKS = ("classification", "regression")


def add_arguments(parser: Parser) -> None:
    """Add what ``list`` takes."""
    parser.add_argument("what", choices=REGISTRIES, help="kind of names")
    parser.add_argument(
        "--long", action="store_true", help="with title and one sentence, as on a terminal"
    )
    parser.add_argument("--task", choices=TASKS, help="only solvers or panels for this task")


def run(given: argparse.Namespace, parser: Parser) -> int:
    """Print the names."""
    module, registry = REGISTRIES[given.what]
    entries = {
        # Formats are known by their endings. What names no tasks is for each of them.
        name.removeprefix("."): entry
        for name, entry in getattr(import_module(module), registry).items()
        if given.task is None or given.task in getattr(entry, "tasks", TASKS)
    }
    rows = [(name, *_told(entry)) for name, entry in entries.items()]
    if not (given.long or sys.stdout.isatty()):
        rows = [row[:1] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        told = (text.ljust(width) for text, width in zip(row, widths, strict=True))
        print("  ".join(told).rstrip())
    return 0


def _told(entry: Any) -> tuple[str, str]:
    """Title and first sentence; empty where an entry has none."""
    # The label is that of a kind of method or kernel, whose title depends on its settings.
    title = getattr(entry, "label", "") or getattr(entry, "title", "")
    first, stop, _ = getattr(entry, "help", "").partition(". ")
    return title, first + stop.strip()

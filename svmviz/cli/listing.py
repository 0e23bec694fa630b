"""``svmviz list``: names, one a line. Loads no Qt, and of the registries only the one asked for."""

from __future__ import annotations

import argparse
from importlib import import_module

from svmviz.cli.parser import Parser

# Where the registry of each kind is; its keys are the names.
REGISTRIES = {
    "solvers": ("solvers.registry", "METHODS"),
    "kernels": ("solvers.registry", "KERNELS"),
    "datasets": ("solvers.datasets", "DATASETS"),
    "panels": ("svmviz.panels.registry", "PANELS"),
    "formats": ("svmviz.export", "FORMATS"),
}
TASKS = ("classification", "regression")


def add_arguments(parser: Parser) -> None:
    """Add what ``list`` takes."""
    parser.add_argument("what", choices=REGISTRIES, help="kind of names")
    parser.add_argument("--task", choices=TASKS, help="only solvers or panels for this task")


def run(given: argparse.Namespace, parser: Parser) -> int:
    """Print the names."""
    module, registry = REGISTRIES[given.what]
    for name, entry in getattr(import_module(module), registry).items():
        # What names no tasks is for each of them.
        if given.task is not None and given.task not in getattr(entry, "tasks", TASKS):
            continue
        # Formats are known by their endings.
        print(name.removeprefix("."))
    return 0

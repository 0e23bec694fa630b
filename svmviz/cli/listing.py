"""``svmviz list``: names, one per line. It loads no Qt, and only the registry that is listed.

On a terminal, or with ``--long``, each line has the name, the family of a panel, the title and the
first sentence of the help. Otherwise it has the name alone, for scripts.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from svmviz.cli.columns import aligned
from svmviz.cli.parser import Parser
from svmviz.cli.streams import print_lines

# For each kind of names, its registries, each given as a module and a variable of the module. The
# keys of a registry are the names that are listed.
REGISTRIES = {
    "solvers": (("solvers.registry", "METHODS"),),
    "kernels": (("solvers.registry", "KERNELS"), ("solvers.registry", "ITEM_KERNELS")),
    "datasets": (
        ("solvers.data.datasets", "DATASETS"),
        ("solvers.data.regression_datasets", "CURVES"),
    ),
    "panels": (("svmviz.panels.registry", "PANELS"),),
    "scenes": (("svmviz.document.examples", "scenes"),),
    "lessons": (("svmviz.lessons.shipped", "LESSONS"),),
    "derivations": (("svmviz.lessons.derivations", "derivations"),),
    "formats": (("svmviz.export", "FORMATS"), ("svmviz.export", "RUN_FORMATS")),
}
TASKS = ("classification", "regression")


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``list``."""
    parser.add_argument("what", choices=list(REGISTRIES), help="kind of names")
    parser.add_argument(
        "--long", action="store_true", help="with title and one sentence, as on a terminal"
    )
    parser.add_argument(
        "--task", choices=TASKS, help="only solvers, data sets or panels for this task"
    )


def run(options: argparse.Namespace, parser: Parser) -> int:
    """Print the names."""
    entries = {
        # A format is named by its ending. An entry without tasks is for all tasks.
        name.removeprefix("."): entry
        for module, registry in REGISTRIES[options.what]
        for name, entry in _entries(module, registry).items()
        if options.task is None or options.task in getattr(entry, "tasks", TASKS)
    }
    rows = [(name, *_about(entry)) for name, entry in entries.items()]
    if not (options.long or sys.stdout.isatty()):
        rows = [row[:1] for row in rows]
    print_lines(aligned(rows, left=len(rows[0])))
    return 0


def _entries(module: str, registry: str) -> Mapping[str, Any]:
    """Return the entries by name; a registry that is read from files is a function."""
    found = getattr(import_module(module), registry)
    return found if isinstance(found, Mapping) else found()


def _about(entry: Any) -> tuple[str, ...]:
    """Return the family of a panel, the title of an entry, and the first sentence of its help.

    A title or sentence that the entry lacks is empty.
    """
    family = getattr(entry, "family", "")
    # The registries of methods and kernels contain classes, which have a label and no title.
    title = getattr(entry, "label", "") or getattr(entry, "title", "")
    first, stop, _ = getattr(entry, "help", "").partition(". ")
    return (*filter(None, (family,)), title, first + stop.strip())

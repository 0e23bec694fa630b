"""The command line: the window, and what can be done without one.

Exit codes: 0 done (also when a solver stopped early: read ``reason``), 1 bad input (one sentence on
stderr), 2 bad usage, 130 interrupted by Ctrl+C, 141 the reader of the output went away. Ctrl+C
itself is dealt with in ``svmviz.base.interrupts``.

Each command is one module with ``add_arguments`` and ``run``. Nothing heavy is loaded before it is
known which command it is; Qt is loaded by the window and by ``render`` only.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence
from importlib import import_module

from svmviz.cli.parser import Parser
from svmviz.cli.streams import complain, drop_output, open_closed_streams

INTERRUPTED, READER_GONE = 130, 141
# What a command is called, the module that does it, and what it does.
COMMANDS = {
    "solve": ("svmviz.cli.solve", "Solve a file of points or a scene, and print the result."),
    "render": ("svmviz.cli.render", "Draw a picture of a file; needs no display."),
    "list": ("svmviz.cli.listing", "Print names, one a line."),
}
WINDOW = ("svmviz.cli.window", "Watch support vector machines learn, step by step.")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    open_closed_streams()
    # A terminal without Greek letters shows question marks.
    with contextlib.suppress(AttributeError, ValueError):
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        code = _run(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        drop_output()
        return READER_GONE
    except MemoryError:
        return _complain("There is not enough memory for this.")
    except OSError as error:
        # Whatever has a path was told as BadInput: what is left is what was printed.
        drop_output()
        return _complain(f"The output cannot be written ({error.strerror or error}).")


def _run(arguments: list[str]) -> int:
    command = arguments[0] if arguments and arguments[0] in COMMANDS else None
    module, what = COMMANDS[command] if command else WINDOW
    work = import_module(module)
    parser = Parser(prog=f"svmviz {command}" if command else "svmviz", description=what)
    work.add_arguments(parser)
    try:
        given = parser.parse_args(arguments[1:] if command else arguments)
        return work.run(given, parser)
    except SystemExit as end:
        # Help, the version and bad usage, as argparse ends them.
        return end.code if isinstance(end.code, int) else 1
    except ValueError as error:
        # Imported late, because help and the version must come at once.
        from solvers import BadInput

        if not isinstance(error, BadInput):
            raise
        return _complain(str(error))


def _complain(sentence: str) -> int:
    complain(f"svmviz: {' '.join(sentence.split())}")
    return 1

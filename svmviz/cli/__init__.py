"""The command line: the command that opens the window, and commands without a window.

Exit codes: 0 success (also if a solver stopped early: read ``reason``), 1 bad input (one sentence
on stderr), 2 bad usage, 130 interrupted by Ctrl+C, 141 the program that read the output closed it.
Ctrl+C itself is handled in ``svmviz.base.interrupts``.

Each command is one module with the functions ``add_arguments`` and ``run``. No large module is
loaded before the command is known. Only the window and ``render`` load Qt.
"""

from __future__ import annotations

import contextlib
import difflib
import logging
import os
import re
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module

from svmviz.cli.parser import Parser
from svmviz.cli.streams import discard, open_closed_streams, print_error

# Two of the exit codes above.
INTERRUPTED, READER_GONE = 130, 141
# Name, module and description of each command.
COMMANDS = {
    "solve": ("svmviz.cli.solve", "Solve a file of points or a scene, and print the result."),
    "select": ("svmviz.cli.select", "Estimate the risk of a model, and choose among models."),
    "render": ("svmviz.cli.render", "Draw a picture of a file; needs no display."),
    "site": ("svmviz.cli.site", "Write scenes, lessons and a free plane as pages for the web."),
    "scene": ("svmviz.cli.scene", "Print a file as a scene: as one line of text, or as JSON."),
    "lesson": ("svmviz.cli.lesson", "Open the window with a lesson."),
    "marks": ("svmviz.cli.marks", "Read what students handed in after lessons into a table."),
    "list": ("svmviz.cli.listing", "Print names, one per line."),
}
WINDOW = ("svmviz.cli.window", "Watch support vector machines learn, step by step.")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    open_closed_streams()
    # A terminal that cannot show Greek letters gets question marks.
    with contextlib.suppress(AttributeError, ValueError):
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        code = _run(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        discard(sys.stdout)
        return READER_GONE
    except MemoryError:
        return _fail("There is not enough memory for this.")
    except OSError as error:
        # Errors of files are raised as BadInput, so this error comes from printing.
        discard(sys.stdout)
        return _fail(f"The output cannot be written ({error.strerror or error}).")


def _run(arguments: list[str]) -> int:
    command = arguments[0] if arguments and arguments[0] in COMMANDS else None
    module_name, description = COMMANDS[command] if command else WINDOW
    module = import_module(module_name)
    parser = Parser(prog=f"svmviz {command}" if command else "svmviz", description=description)
    try:
        if arguments and command is None and re.fullmatch("[a-z]+", word := arguments[0]):
            _check_word(word, parser)
        with _notes_on_stderr() if command else contextlib.nullcontext():
            module.add_arguments(parser)
            options = parser.parse_args(arguments[1:] if command else arguments)
            return module.run(options, parser)
    except SystemExit as end:
        # argparse exits after help, the version and bad usage.
        return end.code if isinstance(end.code, int) else 1
    except ValueError as error:
        # Imported here, because help and version must be printed without delay.
        from solvers import BadInput

        if not isinstance(error, BadInput):
            raise
        return _fail(str(error))


def _check_word(word: str, parser: Parser) -> None:
    """Refuse a word that is neither a command nor a file."""
    if not os.path.lexists(word):
        near = difflib.get_close_matches(word, COMMANDS, 1, cutoff=0.7)
        hint = f" (did you mean {near[0]}?)" if near else ""
        parser.error(f"there is no command and no file {word}{hint}")


@contextlib.contextmanager
def _notes_on_stderr() -> Iterator[None]:
    """Within this block, write to stderr what the library logs, such as that it compiles.

    It also logs what another package brings and cannot be used.
    """

    class Notes(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            print_error(f"svmviz: {record.getMessage()}")

    notes, library = Notes(), logging.getLogger("solvers")
    library.addHandler(notes)
    try:
        yield
    finally:
        library.removeHandler(notes)


def _fail(sentence: str) -> int:
    print_error(f"svmviz: {' '.join(sentence.split())}")
    return 1

"""Handling of standard streams that are closed, full or without a reader."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TextIO

# Maximum number of characters of a sentence on stderr.
MAX_LENGTH = 600


def open_closed_streams() -> None:
    """Open the standard streams that the shell has closed (by ``>&-``, for example).

    If they stayed closed, the next file opened would get the number of such a stream, and receive
    its output. Standard output is opened for reading, so that writing to it still fails, with the
    reason that the system gives.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # The system gives a new file the lowest free number, which is the closed stream's.
            flags = os.O_WRONLY if number == 2 else os.O_RDONLY
            os.set_inheritable(os.open(os.devnull, flags), True)
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def discard(stream: TextIO) -> None:
    """Redirect a standard stream to the null device, because it cannot be written.

    Its buffer may contain text that could not be written. Then the flush at exit would also fail,
    and the interpreter would end with exit code 120.
    """
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def print_lines(text: str) -> None:
    """Print lines to stdout, with their invisible characters escaped as in `print_error`."""
    from solvers.errors import visible

    print("\n".join(map(visible, text.split("\n"))))


def print_error(sentence: str) -> None:
    """Write one line to stderr, if that can be written to.

    The sentence may quote the user's input. Its invisible characters are escaped, because a
    terminal might execute them. A long sentence is shortened in the middle.
    """
    # Imported late, because help and the version must be printed without delay.
    from solvers.errors import visible

    line = " ".join(sentence.split())
    if len(line) > MAX_LENGTH:
        line = f"{line[: MAX_LENGTH // 2]}…{line[-MAX_LENGTH // 2 :]}"
    try:
        print(visible(line), file=sys.stderr, flush=True)
    except OSError:
        discard(sys.stderr)

"""The lines of a text, in blocks, so that a large file is read piece by piece.

Reading in blocks limits the memory and lets other threads run. Between two blocks, progress is
reported, and reading can be cancelled.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from solvers.data.cells import tidy
from solvers.data.datasets import MAX_POINTS
from solvers.errors import BadInput, shorten

# Within MAX_CHARACTERS, MAX_LINE_LENGTH and MAX_LINES, reading takes at most some seconds, and a
# few times the memory of the text.

# Maximum number of characters of a text.
MAX_CHARACTERS = 64_000_000
# Maximum number of characters of a line.
MAX_LINE_LENGTH = 100_000
# Maximum number of lines.
MAX_LINES = 4 * MAX_POINTS
# Maximum number of characters per block. Reading a block takes some milliseconds.
BLOCK = 2 * MAX_LINE_LENGTH
# A *pass* is one iteration over all blocks of a text. Reading a table usually takes this number of
# passes: the first finds the kinds of the columns, the second reads the labels, the third the
# points.
PASSES = 3

# The beginning of a comment line. Error values of spreadsheets, such as #N/A, are not comments.
_COMMENT = re.compile(r"\s*#(?!N/A|DIV/0!|VALUE!|REF!|NAME\?|NUM!|NULL!)")
# A comment line that names the label column or a class.
_NOTE = re.compile(r"\s*#\s*(label column|negative class|positive class)\s*:(.*)", re.IGNORECASE)

# Called with the fraction of the work that is done, 0 to 1. It may raise an exception to cancel.
Report = Callable[[float], None]


def no_report(_fraction: float) -> None:
    """Report nothing."""


class Block(NamedTuple):
    """Some lines of a text, joined by line feeds, and their line numbers, counted from 1."""

    line_numbers: Sequence[int]
    text: str

    @property
    def lines(self) -> list[str]:
        """Return the lines in a list."""
        return self.text.split("\n")


class Lines:
    """The lines of a text that are neither blank nor comments.

    Parameters
    ----------
    text : str
    source : str
        Name of the file for messages.
    report : callable(float)
        Called between blocks.

    Attributes
    ----------
    notes : dict
        Values of comment lines such as ``# negative class: Gentoo``. The keys are "label column",
        "negative class" and "positive class". Only after one complete pass are all of them known.

    Raises
    ------
    BadInput
        If the text is too long. During a pass: if a line is too long, or there are too many lines.
    """

    def __init__(self, text: str, source: str = "", report: Report = no_report) -> None:
        if len(text) > MAX_CHARACTERS:
            raise BadInput(
                f"{file_prefix(source)}the text has more than {MAX_CHARACTERS:,} characters."
            )
        self.text = text
        self.source = source
        self.notes: dict[str, str] = {}
        self._report = report
        self._passes = 0
        self._fraction = 0.0

    def __iter__(self) -> Iterator[Block]:
        """Yield the text in blocks, without blank lines and comments."""
        for piece, stop in self._pieces():
            # Only complete passes are counted. After PASSES passes, each further pass computes the
            # fractions of the last pass again; `max` prevents the reported fraction from falling.
            fraction = (min(self._passes, PASSES - 1) + stop / len(self.text)) / PASSES
            self._fraction = max(self._fraction, fraction)
            self._report(self._fraction)
            if piece.line_numbers[-1] > MAX_LINES:
                raise BadInput(
                    f"{file_prefix(self.source)}there are more than {MAX_LINES:,} lines."
                )
            block = self._without_comments(piece)
            if block is not None:
                yield block
        self._passes += 1

    def _pieces(self) -> Iterator[tuple[Block, int]]:
        """Divide the text into pieces; yield each piece, and the position in the text at its end.

        A *piece* is a block that still contains its blank lines and comments.
        """
        text, number = self.text, 1
        start = 1 if text.startswith("\ufeff") else 0
        while start < len(text):
            stop = self._end_of_piece(start)
            piece = text[start:stop]
            if "\r" in piece:
                piece = piece.replace("\r\n", "\n").replace("\r", "\n")
            piece = piece.removesuffix("\n")
            after = number + piece.count("\n") + 1
            yield Block(range(number, after), piece), stop
            number, start = after, stop

    def _end_of_piece(self, start: int) -> int:
        """Return the position in the text at which the piece that begins at ``start`` ends.

        This is after the last line end within BLOCK characters, or at the end of the text. A line
        longer than BLOCK is cut; :meth:`_without_comments` then refuses it as too long.
        """
        text, stop = self.text, start + BLOCK
        if stop >= len(text):
            return len(text)
        end = max(text.rfind("\n", start, stop), text.rfind("\r", start, stop))
        if end < 0:
            return stop
        return end + 2 if text.startswith("\r\n", end) else end + 1

    def _without_comments(self, piece: Block) -> Block | None:
        """Return the lines of a piece that are neither blank nor comments; None if there are none.

        Store the values of comment lines in ``notes``; refuse lines that are too long.
        """
        is_cut = len(piece.text) > MAX_LINE_LENGTH and "\n" not in piece.text
        if not piece.text or (piece.text.isspace() and not is_cut):
            return None
        lines = piece.lines
        if max(map(len, lines)) > MAX_LINE_LENGTH:
            number = next(
                n for n, line in zip(piece.line_numbers, lines) if len(line) > MAX_LINE_LENGTH
            )
            raise BadInput(
                f"{line_prefix(self.source, number)} has more than {MAX_LINE_LENGTH:,} characters."
            )
        if "#" not in piece.text and "" not in lines and not any(map(str.isspace, lines)):
            return piece
        line_numbers, contents = [], []
        for number, line in zip(piece.line_numbers, lines):
            if not line or line.isspace():
                continue
            if "#" in line and _COMMENT.match(line):
                if note := _NOTE.match(line):
                    value = tidy(note[2])
                    if value:
                        self.notes.setdefault(note[1].lower(), value)
                continue
            line_numbers.append(number)
            contents.append(line)
        return Block(line_numbers, "\n".join(contents)) if contents else None


def file_prefix(source: str) -> str:
    """Return the beginning of a message about a file: ``"name: "``; empty without a name."""
    return f"{shorten(source)}: " if source else ""


def line_prefix(source: str, line: int) -> str:
    """Return the beginning of a message about a line: ``"name, line 3"`` or ``"line 3"``."""
    return f"{shorten(source)}, line {line}" if source else f"line {line}"

"""The lines of a text that hold data, with their numbers."""

from __future__ import annotations

import re
from typing import NamedTuple

from solvers.cancelling import Report, no_report
from solvers.data.cells import ERROR_VALUE, tidy
from solvers.errors import BadInput, shorten

# Limits of a text. They are checked before the text is read, so that a file that is too large is
# refused at once. The window shows at most 50,000 points.
MAX_CHARACTERS = 64_000_000
MAX_LINES = 400_000
# Maximum number of rows that become points; the other lines are blank or comments.
MAX_ROWS = 200_000
# Maximum number of characters of a line.
MAX_LINE_LENGTH = 100_000
# Progress is reported, and reading can be cancelled, once per this number of lines.
LINES_PER_REPORT = 2000

# The beginning of a comment line. Error values of spreadsheets, such as #N/A, are not comments.
_COMMENT = re.compile(rf"\s*(?!{ERROR_VALUE}(?:[,;\t| ]|$))#", re.IGNORECASE)
# A comment line that names the label column or a class.
_NOTE = re.compile(
    r"\s*#\s*(label column|negative class|positive class|class [1-9])\s*:(.*)", re.IGNORECASE
)

# A comment line that says that the table is a kernel matrix.
_MATRIX_NOTE = re.compile(r"\s*#\s*kernel matrix\s*", re.IGNORECASE)

# A first line that names the delimiter, as spreadsheets write it.
_SEPARATOR = re.compile(r'\s*"?sep=([^\w"])\1*"?\s*', re.IGNORECASE)
# A cell in quotes, and the beginning of one that ends in a later line.
_QUOTED = re.compile(r'(?:^|(?<=[,;\t| ]))"(?:[^"]|"")*"(?=[,;\t| ]|$)')
_OPEN_QUOTE = re.compile(r'(?:^|[,;\t|])[ ]*"(?:[^"]|"")*$')
# Maximum number of lines that a cell in quotes takes.
_MAX_CELL_LINES = 20

# The beginning of a JSON list of points.
_JSON = re.compile(r"\s*\[\s*[\[{]")


class Lines(NamedTuple):
    """The lines of a text that are neither blank nor comments.

    Attributes
    ----------
    numbers : list of int
        Line numbers, counted from 1.
    texts : list of str
    notes : dict
        Values of comment lines such as ``# negative class: Gentoo``. The keys are "label column",
        "negative class" and "positive class", or of more classes "class 1", "class 2", ...;
        "kernel matrix" is "yes" after ``# kernel matrix``, and "delimiter" is the one that a first
        line such as ``sep=;`` names.
    source : str
        Name of the file for messages.
    """

    numbers: list[int]
    texts: list[str]
    notes: dict[str, str]
    source: str


def read_lines(text: str, source: str = "", report: Report = no_report) -> Lines:
    """Divide a text into lines, and leave out blank lines and comments.

    A line break within quotes does not end a line.

    Raises
    ------
    BadInput
        If the text or a line is too long, if there are too many lines, if none is left, or if the
        text is JSON.
    """
    _refuse_text(text, source)
    all_lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    lines = Lines([], [], {}, source)
    last = 0
    for number, line in enumerate(all_lines, start=1):
        if number <= last:
            continue
        if number % LINES_PER_REPORT == 0:
            report(0.3 * number / len(all_lines))
        if len(line) > MAX_LINE_LENGTH:
            raise BadInput(
                f"{line_prefix(source, number)} has more than {MAX_LINE_LENGTH:,} characters."
            )
        if not line or line.isspace():
            continue
        if "#" in line and _COMMENT.match(line):
            note = _NOTE.match(line)
            if note and (value := tidy(note[2])):
                lines.notes.setdefault(note[1].lower(), value)
            elif _MATRIX_NOTE.fullmatch(line):
                lines.notes["kernel matrix"] = "yes"
            continue
        if not lines.texts and (separator := _SEPARATOR.fullmatch(line)):
            lines.notes["delimiter"] = separator[1]
            continue
        if '"' in line and _has_open_quote(line):
            last, line = _with_cell_end(all_lines, number)
        lines.numbers.append(number)
        lines.texts.append(line)
    if not lines.texts:
        raise BadInput(f"{file_prefix(source)}there are no points.")
    # The first row may be a header.
    check_rows(len(lines.texts) - 1, source)
    return lines


def _has_open_quote(line: str) -> bool:
    return bool(_OPEN_QUOTE.search(_QUOTED.sub("", line)))


def _with_cell_end(all_lines: list[str], number: int) -> tuple[int, str]:
    """Join line ``number`` and the lines in which its last cell goes on.

    Return the number of the last joined line, and the text. If the cell does not end within
    ``_MAX_CELL_LINES`` lines, nothing is joined.
    """
    joined = all_lines[number - 1]
    for k in range(number, min(number + _MAX_CELL_LINES - 1, len(all_lines))):
        joined = f"{joined} {all_lines[k]}"
        if len(joined) > MAX_LINE_LENGTH:
            break
        if not _has_open_quote(joined) and '"' in all_lines[k]:
            return k + 1, joined
    return number, all_lines[number - 1]


def _refuse_text(text: str, source: str) -> None:
    """Refuse a text that is JSON or too long."""
    if _JSON.match(text):
        raise BadInput(
            f"{file_prefix(source)}this is JSON; points are read from lines such as 0.5,1.5,label."
        )
    if len(text) > MAX_CHARACTERS:
        raise BadInput(
            f"{file_prefix(source)}the text has more than {MAX_CHARACTERS:,} characters."
        )
    if max(text.count("\n"), text.count("\r")) > MAX_LINES:
        raise BadInput(f"{file_prefix(source)}there are more than {MAX_LINES:,} lines.")


def check_rows(count: int, source: str) -> None:
    """Raise BadInput if a text has more than ``MAX_ROWS`` points."""
    if count > MAX_ROWS:
        raise BadInput(f"{file_prefix(source)}there are more than {MAX_ROWS:,} points.")


def file_prefix(source: str) -> str:
    """Return the beginning of a message about a file: ``"name: "``; empty without a name."""
    return f"{shorten(source)}: " if source else ""


def line_prefix(source: str, line: int) -> str:
    """Return the beginning of a message about a line: ``"name, line 3"`` or ``"line 3"``."""
    return f"{shorten(source)}, line {line}" if source else f"line {line}"

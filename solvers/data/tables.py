"""Text to named columns of cells: what reading a point file takes before points are in sight."""

from __future__ import annotations

import csv
import functools
import re
from collections import Counter
from dataclasses import dataclass, field

from solvers.errors import BadInput

_LINE_END = re.compile(r"\r\n|\r|\n")
# A spreadsheet's error values start with # as well, and must not pass for comments.
_COMMENT = re.compile(r"\s*#(?!N/A|DIV/0!|VALUE!|REF!|NAME\?|NUM!|NULL!)")
_NOTE = re.compile(r"\s*#\s*(label column|negative class|positive class)\s*:(.*)", re.IGNORECASE)
# float() alone would take "1_000" and digits of other scripts.
_NUMBER = re.compile(
    r"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf|infinity)", re.IGNORECASE | re.ASCII
)
_DECIMAL_COMMA = re.compile(
    r"[+\-\N{MINUS SIGN}]?[0-9]*,[0-9]+(?:e[+-]?[0-9]+)?", re.IGNORECASE | re.ASCII
)
_MISSING = frozenset({"", "na", "n/a", "#n/a", "nan", "?"})
_PLAIN_CELL = re.compile(r"[\w.+()-][\w .+()-]*")


@dataclass(frozen=True)
class Table:
    """Columns of text cells, all of the same length, at least one row.

    Attributes
    ----------
    names : tuple of str
        Names of the columns, all different; "1", "2", ... where there is no header.
    cells : tuple of tuples of str
        ``cells[column][row]``, without surrounding white space.
    lines : tuple of int
        Line number of each row in the text, from 1.
    has_header : bool
    notes : dict
        What comment lines such as ``# negative class: Gentoo`` say, by "label column",
        "negative class" and "positive class".
    source : str
        Name of the file for messages, or empty.
    """

    names: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]
    has_header: bool
    notes: dict[str, str] = field(default_factory=dict)
    source: str = ""

    @functools.cached_property
    def kinds(self) -> tuple[str, ...]:
        """For each column "number", "text" or "empty", by the majority of its cells."""
        return tuple(map(_kind, self.cells))

    def where(self, row: int, column: int) -> str:
        """Place of a cell, to begin a message with."""
        return f'{at(self.source, self.lines[row])}, column "{shorten(self.names[column])}"'


def read_table(text: str, source: str = "") -> Table:
    """Split text into columns: comma, semicolon, tab or white space, whichever fits the first row.

    Blank lines, rows of empty cells, columns of empty cells and lines that start with # are left
    out. The first row is a header if none of its cells is a number. Numbers may have decimal
    commas, if none has a decimal point.

    Raises
    ------
    BadInput
        If there are no rows, rows differ in length, quotes do not match or names repeat.
    """
    numbered, notes = data_lines(text)
    rows = _with_points(_rows(numbered, source))
    first_line, first = rows[0]
    # A slip in the first row must not make a header of it: one number is enough to be data.
    has_header = not any(is_number(cell) or (cell and is_missing(cell)) for cell in first)
    if has_header or notes.get("label column") in first:
        has_header, rows = True, rows[1:]
    if not rows:
        raise BadInput(f"{named(source)}there is a header but there are no points.")
    lines, cells = zip(*rows)
    columns = [(head, column) for head, column in zip(first, zip(*cells)) if head or any(column)]
    names = [(head if has_header else "") or str(k) for k, (head, _) in enumerate(columns, start=1)]
    for name, count in Counter(names).items():
        if count > 1:
            raise BadInput(f'{at(source, first_line)}: two columns are named "{shorten(name)}".')
    return Table(tuple(names), tuple(c for _, c in columns), lines, has_header, notes, source)


def data_lines(text: str) -> tuple[list[tuple[int, str]], dict[str, str]]:
    """Lines that are neither blank nor comments, with their numbers from 1, and the notes."""
    numbered, notes = [], {}
    for number, line in enumerate(_LINE_END.split(text.removeprefix("\ufeff")), start=1):
        if _COMMENT.match(line):
            if note := _NOTE.match(line):
                notes.setdefault(note[1].lower(), tidy(note[2]))
        elif line.strip():
            numbered.append((number, line))
    return numbered, {key: value for key, value in notes.items() if value}


def is_missing(cell: str) -> bool:
    """Whether a cell is empty or says that there is no value."""
    return cell.lower() in _MISSING


def is_number(cell: str) -> bool:
    """Whether a cell is a number, infinite ones included, with a decimal point."""
    return to_number(cell) is not None


def to_number(cell: str) -> float | None:
    """Value of a cell, infinite when it is too large; None if it is not a number."""
    plain = cell.replace("\N{MINUS SIGN}", "-")
    return float(plain) if _NUMBER.fullmatch(plain) else None


def tidy(cell: str) -> str:
    """Text with single spaces for white space, and none around it."""
    return " ".join(cell.split())


def quoted(cell: str) -> str:
    """A cell as it must be written for :func:`read_table` to read it, with commas between."""
    return cell if _PLAIN_CELL.fullmatch(cell) else '"' + cell.replace('"', '""') + '"'


def shorten(text: str, most: int = 40) -> str:
    """Text that fits into a message."""
    return text if len(text) <= most else text[: most - 3] + "..."


def named(source: str) -> str:
    """Beginning of a message about a whole file."""
    return f"{source}: " if source else ""


def at(source: str, line: int) -> str:
    """Beginning of a message about a line."""
    return f"{source}, line {line}" if source else f"line {line}"


def _kind(cells: tuple[str, ...]) -> str:
    present = [cell for cell in cells if not is_missing(cell)]
    if not present:
        return "empty"
    return "number" if 2 * sum(map(is_number, present)) >= len(present) else "text"


def _rows(numbered: list[tuple[int, str]], source: str) -> list[tuple[int, list[str]]]:
    """Line numbers and cells of the rows that are not empty, all equally long; at least one."""
    delimiter = _delimiter(numbered[0][1]) if numbered else ","
    split = [(line, _cells(content, delimiter, at(source, line))) for line, content in numbered]
    rows = [(line, cells) for line, cells in split if any(cells)]
    if not rows:
        raise BadInput(f"{named(source)}there are no points.")
    for line, cells in rows:
        if len(cells) != len(rows[0][1]):
            raise BadInput(
                f"{at(source, line)}: the number of cells is {len(cells)}, "
                f"but in line {rows[0][0]} it is {len(rows[0][1])}."
            )
    return rows


def _with_points(rows: list[tuple[int, list[str]]]) -> list[tuple[int, list[str]]]:
    """Rows in which decimal commas, as spreadsheets of many countries write them, are points."""
    cells = [cell for _, row in rows for cell in row]
    # Beside decimal points, commas may stand between thousands.
    if any("." in cell and is_number(cell) for cell in cells):
        return rows
    return [(line, [_with_point(cell) for cell in row]) for line, row in rows]


def _with_point(cell: str) -> str:
    return cell.replace(",", ".") if _DECIMAL_COMMA.fullmatch(cell) else cell


def _delimiter(line: str) -> str:
    """Whichever splits a line into most cells: tab before semicolon before comma.

    White space counts when the others give fewer than three. csv.Sniffer looks at letter
    frequencies, and takes decimal commas and words for delimiters.
    """
    bare = re.sub(r'"[^"]*"?', "q", line)
    best = max("\t;,", key=bare.count)
    cells = bare.count(best) + 1
    return " " if cells < 3 and len(bare.split()) > cells else best


def _cells(line: str, delimiter: str, where: str) -> list[str]:
    plain = tidy(line) if delimiter == " " else line
    try:
        reader = csv.reader([plain], delimiter=delimiter, skipinitialspace=True, strict=True)
        return [tidy(cell) for cell in next(reader, [])]
    except csv.Error as error:
        raise BadInput(f"{where}: the quotes do not match ({error}).") from None

"""Reading ARFF, the format of Weka: names and kinds of the columns, then comma-separated rows."""

from __future__ import annotations

import re

from solvers.data.cells import tidy
from solvers.data.lines import Lines, file_prefix, line_prefix
from solvers.errors import BadInput, quote

# A declaration with the name of a column, in quotes or not.
_ATTRIBUTE = re.compile(r"""@attribute\s+(?:'([^']*)'|"([^"]*)"|(\S+))\s+\S""", re.IGNORECASE)


def is_arff(lines: Lines) -> bool:
    """Return whether the first line is a declaration of ARFF; comments begin with %."""
    first = next((text for text in lines.texts if not text.lstrip().startswith("%")), "")
    return bool(re.match(r"\s*@(relation|attribute)\b", first, re.IGNORECASE))


def table_of_arff(lines: Lines) -> Lines:
    """Return the names of the columns and the rows as lines of a comma-separated table.

    Raises
    ------
    BadInput
        If a declaration cannot be read, if the rows are sparse, or if there are none.
    """
    names: list[str] = []
    rows = Lines([], [], {**lines.notes, "delimiter": ","}, lines.source)
    is_data = False
    for number, line in zip(lines.numbers, lines.texts):
        text = line.strip()
        if text.startswith("%"):
            continue
        if is_data:
            if text.startswith("{"):
                raise BadInput(
                    f"{line_prefix(lines.source, number)}: sparse rows of ARFF, {{index value}}, "
                    "cannot be read."
                )
            rows.numbers.append(number)
            rows.texts.append(_double_quotes(text))
        elif attribute := _ATTRIBUTE.match(text):
            name = next(filter(None, attribute.groups()), "")
            names.append('"' + tidy(name).replace('"', '""') + '"')
            rows.numbers[:] = [number]
        elif text.lower() == "@data":
            is_data = True
            rows.texts.append(",".join(names))
        elif not text.lower().startswith("@relation"):
            raise BadInput(
                f"{line_prefix(lines.source, number)}: {quote(text)} is not a declaration of ARFF."
            )
    if not names or len(rows.texts) < 2:
        raise BadInput(f"{file_prefix(lines.source)}there are no points.")
    return rows


def _double_quotes(row: str) -> str:
    """Return a row of ARFF with its cells in double quotes instead of single ones."""
    if "'" not in row:
        return row
    return re.sub(r"(?:^|(?<=,))(\s*)'((?:[^'\\]|\\.)*)'", r'\1"\2"', row)

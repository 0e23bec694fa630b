"""Tables in the styles of programs: what was written is read, or one sentence says why not.

``python -m tests.campaigns.tables [SEED [NUMBER]]`` runs the campaign, or one case of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from solvers import BadInput
from solvers.data.datasets import PointSet
from solvers.data.numerals import UnclearNumbers
from solvers.data.point_files import parse_points
from tests.campaigns.summary import Summary, find_fault, run_cases, run_or_show

COUNT = 20_000
GROUPS = ("", "", ",", ".", " ", "\xa0", "\u2009", "\u202f", "'", "\u2019")
DELIMITERS = (",", ";", "\t", "|", " ")


class Written(NamedTuple):
    """The text of a table, and what is in it."""

    text: str
    points: np.ndarray
    labels: list[str]


def main(seed: int = 0, count: int = COUNT, processes: int = 2) -> Summary:
    """Run the campaign."""
    return run_cases("tables", check, seed, count, processes)


def check(seed: int, number: int) -> tuple[str, str]:
    """Read one table; return how that ended, and what is wrong."""
    written = write(np.random.default_rng([seed, number]))
    came = "read"
    try:
        try:
            found = parse_points(written.text)
        except UnclearNumbers as unclear:
            if fault := find_fault(str(unclear)):
                return "asked", fault
            # One of the two answers is right.
            answers = [parse_points(written.text, decimal=name) for name in unclear.readings]
            came, found = "asked", next(filter(written_in(written), answers), answers[0])
    except BadInput as error:
        return "refused", find_fault(str(error))
    if written_in(written)(found):
        return came, ""
    return came, f"other points: {found.points.tolist()} of {written.text!r}"


def written_in(written: Written) -> Callable[[PointSet], bool]:
    """Return a function that tells whether points are those that were written."""

    def is_equal(found: PointSet) -> bool:
        names = [found.class_names[int(sign > 0)] for sign in found.labels.tolist()]
        same = found.points.shape == written.points.shape
        return same and names == written.labels and bool((found.points == written.points).all())

    return is_equal


def write(rng: np.random.Generator) -> Written:
    """Return a table in a random style."""
    delimiter = str(rng.choice(DELIMITERS))
    group, decimal = str(rng.choice(GROUPS)), str(rng.choice([".", ","]))
    if group == decimal or (delimiter in ", " and (group == "." or decimal == ",")):
        # Between commas or spaces, a point is decimal; where a comma is decimal, none delimits.
        group, decimal = "", "."
    if delimiter == " " and group == " ":
        group = "\xa0"
    n = int(rng.integers(4, 12))
    columns, values = zip(*(_column(rng, n, group, decimal) for _ in range(2)), strict=True)
    labels = [str(word) for word in rng.choice(_classes(rng), n)]
    rows = [list(row) for row in zip(*columns, labels, strict=True)]
    rows = [[_quoted(rng, cell, delimiter) for cell in row] for row in rows]
    header = _header(rng)
    if header and rng.random() < 0.3:
        # pandas and R number the rows.
        start = int(rng.integers(2))
        rows = [[str(k), *row] for k, row in enumerate(rows, start)]
        header = ["" if delimiter != " " else '""', *header]
    lines = [delimiter.join(row) for row in rows]
    if rng.random() < 0.15 and delimiter not in " |":
        lines = [line + delimiter for line in lines]
    if header:
        lines.insert(0, delimiter.join(header))
        if rng.random() < 0.15:
            lines[:0] = ["Exported by Lab 3.2", "", "made in May"][: int(rng.integers(1, 4))]
        elif rng.random() < 0.15 and delimiter != " ":
            lines.insert(0, f"sep={delimiter}")
    end = str(rng.choice(["\n", "\r\n", "\r"]))
    mark = "\ufeff" if rng.random() < 0.2 else ""
    return Written(mark + end.join(lines) + end, np.array(values).T, labels)


def _classes(rng: np.random.Generator) -> list[str]:
    pairs = (["no", "yes"], ["0", "1"], ["-1", "1"], ["a b", "c d"], ["1", "2"])
    return list(pairs[rng.integers(len(pairs))])


def _header(rng: np.random.Generator) -> list[str]:
    headers: tuple[list[str], ...] = (
        [], ["x", "y", "label"], ["0", "1", "label"], ["rent", "pop", "moved"],
        ["x", "y", "group"], ['"bill\nlength"', '"bill\ndepth"', "species"],
        ["2019", "2020", "label"], ["v", "v", "class"],
    )  # fmt: skip
    return headers[rng.integers(len(headers))]


def _column(
    rng: np.random.Generator, n: int, group: str, decimal: str
) -> tuple[list[str], list[float]]:
    """Return the cells and the values of a column."""
    digits = int(rng.choice([0, 0, 1, 2, 3, 4]))
    size = 10.0 ** float(rng.uniform(0, 7))
    values = rng.normal(size=n) * size
    values = np.abs(values) if rng.random() < 0.5 else values
    is_short = rng.random() < 0.3
    cells, numbers = [], []
    for value in values.tolist():
        text = f"{value:,.{digits}f}"
        if is_short and "." in text:
            text = text.rstrip("0").rstrip(".")
        numbers.append(float(text.replace(",", "")))
        cells.append(text.replace(",", "G").replace(".", decimal).replace("G", group))
    return cells, numbers


def _quoted(rng: np.random.Generator, cell: str, delimiter: str) -> str:
    needs = delimiter in cell or (delimiter == " " and any(c.isspace() for c in cell))
    return f'"{cell}"' if needs or rng.random() < 0.05 else cell


def show(seed: int, number: int) -> None:
    """Print one case and its result."""
    print(write(np.random.default_rng([seed, number])).text)
    print(check(seed, number))


if __name__ == "__main__":
    run_or_show(main, show)

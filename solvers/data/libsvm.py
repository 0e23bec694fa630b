"""Reading and writing points as LIBSVM text: lines such as ``+1 1:0.5 2:-3``."""

from __future__ import annotations

import re

import numpy as np

from solvers.data.cells import is_number
from solvers.data.columns import MAX_LABELS, class_pair, listing, sort_labels, spell_labels
from solvers.data.coordinates import coordinate, coordinate_error
from solvers.data.datasets import PointSet
from solvers.data.lines import (
    LINES_PER_REPORT,
    Lines,
    Report,
    check_rows,
    file_prefix,
    line_prefix,
    no_report,
)
from solvers.errors import BadInput, quote

# The beginning of a line with at least one feature: ``label index:value``.
_LINE = re.compile(r"\s*[^\s,;]+\s+[0-9]+:[^\s,;]*(?:\s|$)")
# A feature ``index:value``.
_FEATURE = re.compile(r"([0-9]{1,9}):(.*)")


def is_libsvm(lines: Lines) -> bool:
    """Return whether the first line that is not a single number looks like LIBSVM text."""
    for line in lines.texts:
        # In LIBSVM text, a line with only a label is a point at the origin.
        if not is_number(line.strip()):
            return bool(_LINE.match(line))
    return False


def points_of_libsvm(lines: Lines, report: Report = no_report) -> PointSet:
    """Return the points of LIBSVM text; see :func:`solvers.data.point_files.read_libsvm`."""
    source = lines.source
    words: dict[str, int] = {}
    points: list[tuple[float, float]] = []
    codes: list[int] = []
    for k, (number, line) in enumerate(zip(lines.numbers, lines.texts)):
        if k % LINES_PER_REPORT == 0:
            report(0.3 + 0.7 * k / len(lines.texts))
        tokens = line.partition("#")[0].split()
        if not tokens:
            continue
        position = line_prefix(source, number)
        if coordinate(tokens[0]) is None:
            raise coordinate_error(tokens[0], f"{position}, label")
        codes.append(words.setdefault(tokens[0], len(words)))
        points.append(_features(tokens[1:], position))
        if len(words) > MAX_LABELS:
            raise BadInput(
                f"{file_prefix(source)}there are more than {MAX_LABELS:,} labels, not two."
            )
    if not points:
        raise BadInput(f"{file_prefix(source)}there are no points.")
    check_rows(len(points), source)
    names = spell_labels(list(words))
    values = sort_labels(names.values())
    if len(values) > 2:
        raise BadInput(
            f"{file_prefix(source)}there are {len(values):,} labels, not two: {listing(values)}."
        )
    pair = class_pair(values)
    signs = np.array([1 if names[word] == pair[1] else -1 for word in words])
    return PointSet(np.array(points), signs[codes], pair)


def write_libsvm(pointset: PointSet) -> str:
    """Write lines ``+1 1:x 2:y`` with all digits; the format has no names of classes and axes.

    Raises
    ------
    BadInput
        If the points have no coordinates.
    """
    if pointset.items is not None:
        raise BadInput("LIBSVM text has coordinates, which words and a given matrix do not have.")
    return "".join(
        f"{'+1' if sign > 0 else '-1'} 1:{first!r} 2:{second!r}\n"
        for (first, second), sign in zip(pointset.points.tolist(), pointset.labels.tolist())
    )


def _features(tokens: list[str], position: str) -> tuple[float, float]:
    """Return the two coordinates from ``index:value`` tokens."""
    point: dict[int, float] = {}
    for token in tokens:
        match = _FEATURE.fullmatch(token)
        if not match:
            raise BadInput(f"{position}: {quote(token)} is not of the form index:value.")
        index, value = int(match[1]), coordinate(match[2])
        if index not in (1, 2):
            raise BadInput(f"{position}: feature {index}, but only 1 and 2 fit into the plane.")
        if index in point:
            raise BadInput(f"{position}: feature {index} is there twice.")
        if value is None:
            raise coordinate_error(match[2], f"{position}, feature {index}")
        point[index] = value
    return point.get(1, 0.0), point.get(2, 0.0)

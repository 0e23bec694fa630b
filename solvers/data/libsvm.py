"""Reading and writing points as LIBSVM text: lines such as ``+1 1:0.5 2:-3``."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from solvers.data.cells import is_number, plain_numbers
from solvers.data.columns import MAX_LABELS, class_pair, listing, sort_labels, spell_labels
from solvers.data.coordinates import MAX_COORDINATE, coordinate, coordinate_error
from solvers.data.datasets import MAX_POINTS, PointSet
from solvers.data.lines import Block, Lines, Report, file_prefix, line_prefix, no_report
from solvers.errors import BadInput, quote

# The beginning of a line with at least one feature: ``label index:value``.
_LINE = re.compile(r"\s*[^\s,;]+\s+[0-9]+:[^\s,;]*(?:\s|$)")
# A feature ``index:value``.
_FEATURE = re.compile(r"([0-9]{1,9}):(.*)")


def is_libsvm(lines: Lines) -> bool:
    """Return whether the first line that is not a single number looks like LIBSVM text."""
    for block in lines:
        for line in block.lines:
            # In LIBSVM text, a line with only a label is a point at the origin.
            if not is_number(line.strip()):
                return bool(_LINE.match(line))
    return False


def read_libsvm(text: str, source: str = "", report: Report = no_report) -> PointSet:
    """Read lines ``label 1:x 2:y``; an absent feature is 0, and # starts a comment.

    If there are two labels, the smaller is the class -1, and the larger is the class +1. A single
    label is the class +1 if it is above 0, otherwise the class -1.

    Parameters
    ----------
    text : str
    source : str
        Name of the file for messages.
    report : callable(float)
        Called with the fraction read, 0 to 1, between blocks. It may raise an exception to cancel.

    Raises
    ------
    BadInput
        If a line cannot be read, the index of a feature is not 1 or 2, or there are more than two
        labels.
    """
    words: dict[str, int] = {}
    points: list[np.ndarray] = []
    codes: list[np.ndarray] = []
    count = 0
    for block in Lines(text, source, report):
        labels, block_points = _plain_block(block) or _any_block(block, source)
        count += len(labels)
        if count > MAX_POINTS:
            raise BadInput(f"{file_prefix(source)}there are more than {MAX_POINTS:,} points.")
        points.append(block_points)
        codes.append(np.array([words.setdefault(w, len(words)) for w in labels], dtype=np.int64))
        if len(words) > MAX_LABELS:
            raise BadInput(
                f"{file_prefix(source)}there are more than {MAX_LABELS:,} labels, not two."
            )
    if not count:
        raise BadInput(f"{file_prefix(source)}there are no points.")
    names = spell_labels(list(words))
    values = sort_labels(names.values())
    if len(values) > 2:
        raise BadInput(
            f"{file_prefix(source)}there are {len(values):,} labels, not two: {listing(values)}."
        )
    pair = class_pair(values)
    signs = np.array([1 if names[word] == pair[1] else -1 for word in words])
    return PointSet(np.concatenate(points), signs[np.concatenate(codes)], pair)


def write_libsvm(pointset: PointSet) -> str:
    """Write lines ``+1 1:x 2:y`` with all digits; the format has no names of classes and axes."""
    return "".join(
        f"{'+1' if sign > 0 else '-1'} 1:{first!r} 2:{second!r}\n"
        for (first, second), sign in zip(pointset.points.tolist(), pointset.labels.tolist())
    )


# The labels of m points as words, and the points, shape (m, 2).
LabelsAndPoints = tuple[Sequence[str], np.ndarray]


def _plain_block(block: Block) -> LabelsAndPoints | None:
    """Return labels and points of a block, fast; None if :func:`_any_block` must read it.

    Every line must be ``label 1:x 2:y``, with numbers that :func:`plain_numbers` reads and that are
    not too large.
    """
    rows = [line.split() for line in block.lines]
    if set(map(len, rows)) != {3}:
        return None
    labels, *features = zip(*rows)
    for axis, tokens in enumerate(features, start=1):
        if any(token[:2] != f"{axis}:" for token in tokens):
            return None
    columns = [plain_numbers([token[2:] for token in tokens]) for tokens in features]
    values = plain_numbers(labels)
    if values is None or None in columns:
        return None
    points = np.array(columns).T
    sizes = np.abs([*points.ravel(), *values])
    return (labels, points) if sizes.max() <= MAX_COORDINATE else None


def _any_block(block: Block, source: str) -> LabelsAndPoints:
    """Return labels and points of any block; raise BadInput at the first error."""
    labels, points = [], []
    for line_number, line in zip(block.line_numbers, block.lines):
        tokens = line.partition("#")[0].split()
        if not tokens:
            continue
        position = line_prefix(source, line_number)
        if coordinate(tokens[0]) is None:
            raise coordinate_error(tokens[0], f"{position}, label")
        labels.append(tokens[0])
        points.append(_features(tokens[1:], position))
    return labels, np.array(points, dtype=np.float64).reshape(-1, 2)


def _features(tokens: list[str], position: str) -> list[float]:
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
    return [point.get(1, 0.0), point.get(2, 0.0)]

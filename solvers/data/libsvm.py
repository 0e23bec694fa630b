"""Reading and writing points as LIBSVM text: lines such as ``+1 1:0.5 2:-3``."""

from __future__ import annotations

import re
from dataclasses import replace

from solvers.data.cells import is_number, to_number, with_decimal_point
from solvers.data.columns import MAX_CHOICES, listing, sort_labels, spell_labels
from solvers.data.coordinates import coordinate, coordinate_error
from solvers.data.datasets import MAX_CLASSES, PointSet
from solvers.data.guesses import Guess
from solvers.data.lines import (
    LINES_PER_REPORT,
    Lines,
    Report,
    check_rows,
    file_prefix,
    line_prefix,
    no_report,
)
from solvers.data.numerals import (
    DECIMALS,
    PLAIN,
    Numerals,
    UnclearNumbers,
    is_open,
    numerals_of,
)
from solvers.data.rows import MAX_CELLS, MAX_COLUMNS
from solvers.data.tables import Table
from solvers.errors import BadInput, quote

# Name of the column of labels, or of targets.
LABEL, TARGET = "label", "target"
# A feature ``index:value``; a query ``qid:number``, which ranking methods use.
_FEATURE = re.compile(r"([0-9]{1,9}):(.*)")
_QUERY = re.compile(r"qid:[0-9]+")
# A separator before a feature, if it is not white space.
_SEPARATOR = re.compile(r"[,;](?=[0-9]{1,9}:|qid:)")
# In the text of a kernel matrix, the index of the feature that has the number of the row.
_SERIAL = 0


def is_libsvm(lines: Lines) -> bool:
    """Return whether the first line that is not a single number looks like LIBSVM text."""

    def is_feature(token: str) -> bool:
        match = _FEATURE.fullmatch(token)
        if match and ("," in match[2] or ";" in match[2]):
            return is_number(with_decimal_point(match[2]))
        return bool(match or _QUERY.fullmatch(token))

    for line in lines.texts:
        # In LIBSVM text, a line with only a label is a point at the origin.
        if is_number(line.strip()):
            continue
        tokens = _tokens(line)
        if "," not in line and ";" not in line:
            return len(tokens) > 1 and is_feature(tokens[1])
        # The line may be a row of a table with times, such as 12:30.
        tokens = list(map(with_decimal_point, tokens))
        return len(tokens) > 1 and is_number(tokens[0]) and all(map(is_feature, tokens[1:]))
    return False


def libsvm_table(
    lines: Lines, report: Report = no_report, label: str = LABEL, decimal: str | None = None
) -> Table:
    """Return LIBSVM text as a table: a column per feature that occurs, and last the labels.

    The column of feature 5 is named "x5". A feature that a line does not have is 0. All numbers
    together decide how they are written, as in a table. Queries (``qid:3``) are left out. If
    feature 0 of each line is the number of a row, as in LIBSVM's kernel matrices, the table is a
    kernel matrix.

    Parameters
    ----------
    lines : Lines
    report : callable(float)
        Called with the fraction read, 0 to 1. It may raise an exception to cancel.
    label : str
        Name of the last column.
    decimal : str, optional
        The decimal mark, "point" or "comma"; by default, the numbers tell it.

    Raises
    ------
    UnclearNumbers
        If a number can be read in two ways, and ``decimal`` is not given.
    BadInput
        If a line cannot be read, or there are too many features.
    """
    numerals, guess = _numerals(lines, decimal)
    labels: list[str] = []
    rows: list[dict[int, str]] = []
    numbers: list[int] = []
    for k, (number, line) in enumerate(zip(lines.numbers, lines.texts)):
        if k % LINES_PER_REPORT == 0:
            report(0.3 + 0.7 * k / len(lines.texts))
        tokens = _tokens(line)
        if not tokens:
            continue
        position = line_prefix(lines.source, number)
        if not numerals.is_plain:
            tokens = [_plain(token, numerals, position) for token in tokens]
        if coordinate(tokens[0]) is None:
            raise coordinate_error(tokens[0], f"{position}, label")
        has_query = len(tokens) > 1 and _QUERY.fullmatch(tokens[1])
        labels.append(tokens[0])
        rows.append(_features(tokens[2 if has_query else 1 :], position))
        numbers.append(number)
    if not rows:
        raise BadInput(f"{file_prefix(lines.source)}there are no points.")
    check_rows(len(rows), lines.source)
    features = sorted({feature for row in rows for feature in row})
    notes = {**lines.notes, "label column": label}
    matrix = _matrix_rows(rows, features)
    if matrix is not None:
        features, notes["kernel matrix"] = matrix, "yes"
    _check_size(len(features), len(rows), lines.source)
    columns = [[row.get(feature, "0") for row in rows] for feature in features]
    names = tuple(f"x{feature}" for feature in features)
    kinds = ("number",) * (len(features) + 1)
    return Table(
        (*names, label),
        kinds,
        numbers,
        matrix is None,
        notes,
        lines.source,
        [*columns, labels],
        guesses=[guess] if guess is not None else [],
    )


def with_two_features(table: Table) -> Table:
    """Return a table of LIBSVM text with at least two features; features that are added are 0."""
    if "kernel matrix" in table.notes:
        return table
    *features, label = table.names
    columns = dict(zip(features, table.columns))
    for name in ("x1", "x2"):
        if len(columns) < 2:
            columns.setdefault(name, ["0"] * len(table))
    names = sorted(columns, key=lambda name: int(name[1:]))
    cells = [*(columns[name] for name in names), table.columns[-1]]
    kinds = ("number",) * len(cells)
    return replace(table, names=(*names, label), kinds=kinds, columns=cells)


def feature_named(table: Table, name: str | None) -> str | None:
    """Return the name of the column that the user gives by the number or the name of its feature.

    Raises
    ------
    BadInput
        If there is no such feature.
    """
    if name is None or name in table.names:
        return name
    if f"x{name}" in table.names:
        return f"x{name}"
    raise BadInput(
        f"{file_prefix(table.source)}there is no feature {quote(name)}; "
        f"the columns are {listing(table.names)}."
    )


def refuse_targets(table: Table) -> None:
    """Refuse labels that are the targets of a regression rather than names of classes.

    More than two labels are refused in three cases: if there is only one feature, if a number among
    the labels is not whole, or if there are more labels than the user could choose among.
    """
    labels = list(dict.fromkeys(table.columns[-1]))
    values = sort_labels(spell_labels(labels).values())
    features = len(table.names) - 1
    is_whole = all((to_number(value) or 0.0).is_integer() for value in values)
    if len(values) < 3 or (len(values) <= MAX_CHOICES and features > 1 and is_whole):
        return
    hint = ", which may be the targets of a regression"
    if features > 1:
        hint = (
            "; if they are the targets of a regression, the plane shows one feature (--x), and "
            f"svmviz solve --task regression takes all {features:,}"
        )
    raise BadInput(
        f"{file_prefix(table.source)}there are {len(values):,} labels, not two "
        f"({listing(values)}){hint}."
    )


def _tokens(line: str) -> list[str]:
    """Return the label and the features of a line, each as one token.

    There may be commas or semicolons between them, and spaces at the colons.
    """
    tokens = line.partition("#")[0].split()
    if any(token[0] == ":" or token[-1] == ":" for token in tokens):
        joined = " ".join(tokens).replace(" :", ":").replace(": ", ":")
        tokens = joined.split()
    if not any("," in token or ";" in token for token in tokens):
        return tokens
    parts = [part for token in tokens for part in _SEPARATOR.split(token)]
    return [part.strip(",;") for part in parts if part.strip(",;")]


def _numerals(lines: Lines, decimal: str | None) -> tuple[Numerals, Guess | None]:
    """Return how the numbers are written, and the guess about them; PLAIN if there is no comma."""
    if not any("," in line for line in lines.texts):
        return PLAIN, None
    values = [token.rpartition(":")[2] for line in lines.texts for token in _tokens(line)]
    if not any("," in value for value in values):
        return PLAIN, None
    numerals = numerals_of([values], " ")
    if decimal is not None:
        numerals = Numerals(DECIMALS[decimal])
    return numerals, numerals.guess(values)


def _plain(token: str, numerals: Numerals, position: str) -> str:
    """Write the number of a label or feature with a decimal point and no other mark.

    Text that is no number is returned unchanged.
    """
    index, colon, value = token.rpartition(":")
    if "," not in value and "." not in value:
        return token
    if numerals.is_open and is_open(value):
        raise UnclearNumbers(position, value)
    number = numerals.number(value)
    return token if number in (None, to_number(value)) else f"{index}{colon}{number!r}"


def _matrix_rows(rows: list[dict[int, str]], features: list[int]) -> list[int] | None:
    """Return the numbers of the rows of a kernel matrix; None if the text has features.

    In a matrix of m columns, feature 0 of each line is a different number from 1 to m, and the
    features 1 to m are its kernel values with all rows.
    """
    serials = [to_number(row.get(_SERIAL, "")) for row in rows]
    m = features[-1] if features else 0
    known = set(range(1, m + 1))
    if m < 2 or len(set(serials)) < len(rows) or not known.issuperset(serials):
        return None
    # Zeros may be left out of a whole matrix. A part of a matrix must have every entry.
    if len(rows) < m and any(len(row) <= m for row in rows):
        return None
    return [int(serial) for serial in serials if serial is not None]


def _check_size(features: int, rows: int, source: str) -> None:
    if features >= MAX_COLUMNS or (features + 1) * rows > MAX_CELLS:
        raise BadInput(
            f"{file_prefix(source)}there are {features:,} features of {rows:,} points; at most "
            f"{MAX_COLUMNS - 1:,} features and {MAX_CELLS:,} numbers can be read."
        )


def write_libsvm(pointset: PointSet) -> str:
    """Write lines ``+1 1:x 2:y`` with all digits; the format has no names of classes and axes.

    The labels of more than two classes are 1, 2, ....

    Raises
    ------
    BadInput
        If the points have no coordinates.
    """
    if pointset.items is not None:
        raise BadInput("LIBSVM text has coordinates, which words and a given matrix do not have.")
    names = ("-1", "+1") if pointset.has_two_classes else range(1, MAX_CLASSES + 1)
    return "".join(
        f"{names[k]} 1:{first!r} 2:{second!r}\n"
        for (first, second), k in zip(pointset.points.tolist(), pointset.classes.tolist())
    )


def _features(tokens: list[str], position: str) -> dict[int, str]:
    """Return the values of ``index:value`` tokens by index."""
    features: dict[int, str] = {}
    for token in tokens:
        match = _FEATURE.fullmatch(token)
        if not match:
            raise BadInput(f"{position}: {quote(token)} is not of the form index:value.")
        index, value = int(match[1]), match[2]
        if index in features:
            raise BadInput(f"{position}: feature {index} is there twice.")
        if coordinate(value) is None:
            raise coordinate_error(value, f"{position}, feature {index}")
        features[index] = value
    return features

"""The beats of a step: parts that explain it one after the other, beside its pseudo-code.

A beat carries out some lines of the pseudo-code, which a panel then highlights. It is computed from
the recorded step alone (its event, and the states before and after it), and is not stored. All
beats but the last explain what the step computes from the state before it; the last one shows the
state after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from solvers.run.formulas import Formula

# Points beside which a beat writes a value, and lines of values in a panel.
MAX_NOTES = 5
# Points that a beat marks strongly.
MAX_STRONG = 8
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


class PairPart(IntEnum):
    """How much of the picture of a pair is known; each part includes those before it."""

    NOTHING = 0
    PAIR = 1
    """The two variables, their values before the step, and the line on which they move."""
    VERTEX = 2
    """The parabola along this line, and its vertex."""
    SEGMENT = 3
    """The ends of the segment that the box leaves."""
    NEW = 4
    """The values after the step."""


@dataclass(frozen=True)
class Compared:
    """Points that a beat compares by their errors ``E = f - y``, for a chart.

    Attributes
    ----------
    name : str
        What they have in common, such as ``may rise``.
    points : tuple of int
        A point of a regression occurs twice if both of its variables are compared.
    errors : tuple of float
    first : int or None
        The position of the one that the comparison selects.
    rises : tuple of float
        The predicted rise of the dual with each of them, or empty.
    """

    name: str
    points: tuple[int, ...]
    errors: tuple[float, ...]
    first: int | None = None
    rises: tuple[float, ...] = ()


@dataclass(frozen=True)
class Beat:
    """One part of a step.

    Attributes
    ----------
    name : str
        A title of a few words.
    sentence : str
        One sentence with values; points are numbered from 1.
    points : tuple of int
        The points that it is about, which are marked strongly.
    others : tuple of int
        The points that are compared with them, which are marked lightly.
    notes : tuple of (int, str)
        Values that are written beside points.
    lines : tuple of (str, str)
        Labels of the lines of pseudo-code that it carries out, each with its values.
    values : tuple of (str, str)
        Names and values of a small table, for example of candidates.
    formulas : tuple of Formula
        Those formulas of the step that it computes.
    pair : PairPart
        How much of the pair's picture is known by now.
    compared : tuple of Compared
        The points among which it chooses, in one group or several.
    """

    name: str
    sentence: str
    points: tuple[int, ...] = ()
    others: tuple[int, ...] = ()
    notes: tuple[tuple[int, str], ...] = ()
    lines: tuple[tuple[str, str], ...] = ()
    values: tuple[tuple[str, str], ...] = ()
    formulas: tuple[Formula, ...] = ()
    pair: PairPart = PairPart.NEW
    compared: tuple[Compared, ...] = ()


@dataclass(frozen=True)
class CodeLine:
    """A line of pseudo-code.

    Attributes
    ----------
    label : str
        The name by which beats refer to it; empty if none does.
    text : str
        The line, with two leading spaces per level.
    """

    label: str
    text: str


@dataclass(frozen=True)
class PseudoCode:
    """The algorithm of a method.

    Attributes
    ----------
    source : str
        The publication that prints it.
    lines : tuple of CodeLine
    """

    source: str
    lines: tuple[CodeLine, ...]

    def without(self, *labels: str) -> PseudoCode:
        """Return the code without some lines, for settings that do not use them.

        Raises
        ------
        KeyError
            If there is no line of such a label.
        """
        for label in set(labels) - {line.label for line in self.lines}:
            raise KeyError(label)
        return PseudoCode(self.source, tuple(x for x in self.lines if x.label not in labels))


def pseudo_code(source: str, text: str) -> PseudoCode:
    """Return pseudo-code from lines of the form ``label | text``; the label may be empty."""
    lines = []
    for line in filter(str.strip, text.splitlines()):
        label, bar, shown = line.partition("|")
        if not bar:
            raise ValueError(f"a line of pseudo-code without a label and a bar: {line!r}")
        lines.append(CodeLine(label.strip(), shown.removeprefix(" ").rstrip()))
    return PseudoCode(source, tuple(lines))


def lines_of(beats: Iterable[Beat]) -> dict[str, str]:
    """Return the lines that some beats carry out, with their values."""
    return {label: value for beat in beats for label, value in beat.lines}


def short(value: float) -> str:
    """Write a number for a sentence: three digits, and no minus before zero."""
    return f"{value + 0.0:.3g}"


def short_apart(values: Sequence[float]) -> list[str]:
    """Write numbers as :func:`short` does, with up to six digits if two would look the same."""
    different = len({value + 0.0 for value in values})
    for digits in range(3, 7):
        texts = [f"{value + 0.0:.{digits}g}" for value in values]
        if len(set(texts)) == different:
            return texts
    return [short(value) for value in values]


def subscript(number: int) -> str:
    """Write a number of a point as an index: ``₁₂``."""
    return str(number).translate(_SUBSCRIPTS)


def few(points: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return ``points`` and ``others`` of a beat: many points are marked lightly."""
    distinct = tuple(dict.fromkeys(int(point) for point in points))
    return (distinct, ()) if len(distinct) <= MAX_STRONG else ((), distinct)


def relabelled(beats: Iterable[Beat], labels: Mapping[str, str]) -> tuple[Beat, ...]:
    """Return beats for another pseudo-code: with other labels, and without lines that have none."""
    return tuple(
        replace(
            beat, lines=tuple((labels[name], value) for name, value in beat.lines if name in labels)
        )
        for beat in beats
    )


def counted_points(number: int) -> str:
    """Return ``1 point`` or ``2,000 points``."""
    return "1 point" if number == 1 else f"{number:,} points"

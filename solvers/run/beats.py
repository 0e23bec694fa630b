"""The beats of a step: its parts, which the window explains one after the other.

A beat carries out some lines of the method's pseudo-code, and a panel highlights these lines. Its
texts come from the template of the step (:mod:`solvers.run.templates`), as do the questions that
may be asked before the beat is shown.

The last beat shows the state after the step. The other beats show the state before the step, and
explain what the step computes from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum

from solvers.run.formulas import Formula, digits_of_change

# Maximum number of points that a beat labels with a value, and of rows in its table of values.
MAX_NOTES = 5
# Maximum number of points that a beat marks strongly.
MAX_STRONG = 8
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


@dataclass(frozen=True)
class Candidates:
    """The points among which a step chooses one, and the values by which it compares them.

    Attributes
    ----------
    points : tuple of int
        Indices of the points. A point of a regression may occur twice, since it has two variables.
    values : tuple of float
        The value of each candidate; empty if all candidates are right answers.
    best : float
        The value of the candidate that the step took.
    name : str
        What the candidates have in common, as in "Point 3 is not one of those that may rise".
    quantity : str
        Symbol of the values, such as E.
    extreme : str
        ``smallest`` or ``largest``: which value the step looks for.
    """

    points: tuple[int, ...]
    values: tuple[float, ...] = ()
    best: float = 0.0
    name: str = ""
    quantity: str = ""
    extreme: str = ""


def candidates(
    points: Sequence[int], values: Iterable[float], taken: int, **words: str
) -> Candidates:
    """Return the candidates; the step took the one at position ``taken``."""
    numbers = tuple(map(float, values))
    return Candidates(tuple(points), numbers, numbers[taken], **words)


@dataclass(frozen=True)
class BeatQuestion:
    """A question on the outcome of a beat.

    Exactly one of ``numbers``, ``choices`` and ``candidates`` is not empty.

    Attributes
    ----------
    kind : str
        ``number``, ``case`` or ``point``.
    ask : str
        The question, with the values that its answer is computed from.
    numbers : tuple of float
    labels : tuple of str
        The symbols of the numbers.
    slack : float
        An answer may differ by this number in addition to 1 %, since the question shows rounded
        terms.
    choices : tuple of str
    right : int
        Position of the right choice.
    candidates : tuple of Candidates
        The candidates for each point that is to be named.
    missed : str
        After a wrong answer: the comparison or formula that the outcome follows from.
    slips : tuple of (float, str)
        Wrong numbers that follow if a comparison is left out, and the reply to each.
    named : tuple of int
        Indices of the points that the question names.
    """

    kind: str
    ask: str
    numbers: tuple[float, ...] = ()
    labels: tuple[str, ...] = ()
    slack: float = 0.0
    choices: tuple[str, ...] = ()
    right: int = 0
    candidates: tuple[Candidates, ...] = ()
    missed: str = ""
    slips: tuple[tuple[float, str], ...] = ()
    named: tuple[int, ...] = ()


class PairPart(IntEnum):
    """Parts of the picture of a step that moves two variables, in drawing order.

    The picture shows the dual along the line on which the two variables move, and the box
    ``0 <= alpha <= C``. A beat that names a part draws this part and all earlier parts.
    """

    NOTHING = 0
    PAIR = 1
    """The two variables, their values before the step, and the line on which they move."""
    VERTEX = 2
    """The dual along the line, which is a parabola, and the vertex of the parabola."""
    SEGMENT = 3
    """The ends of the segment on which the line is inside the box."""
    NEW = 4
    """The values after the step."""


@dataclass(frozen=True)
class ComparedPoints:
    """A group of points that a chart compares by their errors ``E = f - y``.

    Attributes
    ----------
    name : str
        What the points have in common; for example ``may rise``: their variables may rise.
    points : tuple of int
        Indices of the points. A point of a regression occurs twice if both of its variables are
        compared.
    errors : tuple of float
        E of each point, in units of y.
    selected : int or None
        The position in ``points`` of the point that the method selects.
    rises : tuple of float
        For each point, the predicted rise of the dual if the point is selected. Empty if the method
        does not predict it.
    """

    name: str
    points: tuple[int, ...]
    errors: tuple[float, ...]
    selected: int | None = None
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
        Indices of the points that the sentence is about; they are marked strongly.
    others : tuple of int
        Indices of the points with which ``points`` are compared; they are marked lightly.
    notes : tuple of (int, str)
        Indices of points, and the values written beside these points.
    lines : tuple of (str, str)
        Labels of the lines of pseudo-code that the beat carries out, each with its values.
    values : tuple of (str, str)
        Names and values of a small table, for example of candidates.
    formulas : tuple of Formula
        The formulas of the step that the beat computes.
    pair : PairPart
        For a step that moves two variables: while the beat is shown, the picture of the step has
        this part and all earlier parts.
    compared : tuple of ComparedPoints
        The groups of points among which the beat chooses.
    questions : tuple of BeatQuestion
        What may be asked before the beat is shown.
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
    compared: tuple[ComparedPoints, ...] = ()
    questions: tuple[BeatQuestion, ...] = ()


@dataclass(frozen=True)
class CodeLine:
    """A line of pseudo-code.

    Attributes
    ----------
    label : str
        The name by which beats refer to the line; empty if no beat refers to it.
    text : str
        The line, indented by two spaces per level of nesting.
    """

    label: str
    text: str


@dataclass(frozen=True)
class PseudoCode:
    """The algorithm of a method.

    Attributes
    ----------
    source : str
        The publication that prints the algorithm.
    lines : tuple of CodeLine
    """

    source: str
    lines: tuple[CodeLine, ...]

    def without(self, *labels: str) -> PseudoCode:
        """Return the pseudo-code without the lines that have one of these labels.

        A method calls this for the lines that its settings do not use.

        Raises
        ------
        KeyError
            If one of the labels belongs to no line.
        """
        for label in set(labels) - {line.label for line in self.lines}:
            raise KeyError(label)
        return PseudoCode(self.source, tuple(x for x in self.lines if x.label not in labels))

    def with_text(self, label: str, text: str) -> PseudoCode:
        """Return the pseudo-code with another text for the line that has this label."""
        lines = (CodeLine(label, text) if x.label == label else x for x in self.lines)
        return PseudoCode(self.source, tuple(lines))


def pseudo_code(source: str, text: str) -> PseudoCode:
    """Return pseudo-code from lines of the form ``label | text``; the label may be empty."""
    lines = []
    for line in filter(str.strip, text.splitlines()):
        label, separator, content = line.partition("|")
        if not separator:
            raise ValueError(f"a line of pseudo-code without a label and a bar: {line!r}")
        lines.append(CodeLine(label.strip(), content.removeprefix(" ").rstrip()))
    return PseudoCode(source, tuple(lines))


def lines_of(beats: Iterable[Beat]) -> dict[str, str]:
    """Return the labels of the lines that some beats carry out, with the values of each line."""
    return {label: value for beat in beats for label, value in beat.lines}


def short(value: float) -> str:
    """Write a number for a sentence: three digits, no minus before zero, and ∞ for infinity."""
    return f"{value + 0.0:.3g}".replace("inf", "∞")


def short_distinct(values: Sequence[float]) -> list[str]:
    """Write numbers as :func:`short` does, with more digits if different numbers look the same.

    If they look the same even with nine digits, three digits are used.
    """
    n_different = len({value + 0.0 for value in values})
    for digits in range(3, 10):
        texts = [f"{value + 0.0:.{digits}g}" for value in values]
        if len(set(texts)) == n_different:
            return texts
    return [short(value) for value in values]


def short_change(old: float, new: float) -> list[str]:
    """Write two numbers as :func:`short` does, with enough digits to see how they differ."""
    digits = digits_of_change(old, new)
    return [f"{value + 0.0:.{digits}g}".replace("inf", "∞") for value in (old, new)]


def subscript(number: int) -> str:
    """Write a number as a subscript: ``₁₂``."""
    return str(number).translate(_SUBSCRIPTS)


def strong_or_light(points: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the attributes ``points`` and ``others`` of a beat that marks the given points.

    Up to ``MAX_STRONG`` points are all marked strongly; more points are all marked lightly.
    """
    distinct = tuple(dict.fromkeys(int(point) for point in points))
    return (distinct, ()) if len(distinct) <= MAX_STRONG else ((), distinct)

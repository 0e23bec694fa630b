r"""Templates of the words of a step: its sentence, its formulas and its beats.

A step has one set of named values, and a method has templates whose fields name these values. A
template is written as text, in the order in which a student reads::

    Point $i has y·f = $margin[[ and b = $b]].

    # Look
    The sweep comes to point $i, where y·f = $margin.
    line look: i = $i
    note i: y·f = $margin
    formula: y_i f(x_i) => y_{$i} f(x_{$i}) = $margin

First comes the sentence of the step, then its beats: the title after ``#``, the sentence, and then
what the entries after these words say. An entry may take several lines.

==================  ============================================================================
``line LABEL``      the values beside a line of the pseudo-code, if it has a line of this label
``note NAME``       the text beside the point NAME, which is also a row of the table of values
``row NAME``        a further row of this table
``formula``         a formula in letters, and after ``=>`` with numbers
``why``             before the first beat: the longer sentence of the step
``points NAME``     the points to mark; by default those of the step. Likewise ``others``
``compared NAME``   the groups of points that a chart compares
``notes NAME``      notes that are values: triples of a point, the name of its row, and a text
``pair PART``       the part of the picture of a pair, see :class:`.PairPart`
``when NAMES``      the beat is left out if one of these values is false or None
``asks KIND NAME``  before the beat is shown: a question whose answer is the value NAME
``missed``          what is said to a wrong answer: the comparison that it missed
``slip NAME``       what is said to the wrong answer NAME, a value of the step
``size``            names of terms: a sum may be wrong by 0.1 % of the largest one
==================  ============================================================================

A beat may ask several questions, each followed by its ``missed``, ``slip`` and ``size``::

    asks number η=eta: What is η, if ...?          several numbers: asks number L=low H=high
    asks case clipped: Is it cut short? yes | no   True is the first choice, otherwise its position
    asks point partners: Which point ...?          a point, a list, beats.Candidates, or a tuple
                                                   of these for several points

``formula for NAME`` writes the numbers once for each dict of a list, whose values are added to
those of the step; dots follow after three. ``note NAME`` may also name such a list. A ``formula
when NAMES`` is left out under the same condition as a beat.

A text that names a value that is None is left out, with its entry or beat. So one template serves
all settings of a method. :mod:`solvers.run.fields` explains the fields and their values.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from solvers.run.beats import MAX_NOTES, Beat, PairPart, PseudoCode, strong_or_light
from solvers.run.event import Event
from solvers.run.fields import Values, fill, in_latex, texts_of
from solvers.run.formulas import Formula, Sums, digits_of_sums
from solvers.run.question_templates import QuestionTemplate, labelled

# Maximum number of dicts for which a formula is written.
MAX_WRITTEN = 3
_ENTRY = re.compile(
    r"(?:(line|note) ([\w-]+)|(row) ([^:]+)|(why|when|points|others|compared|notes|pair)|"
    r"formula(?: for (\w+))?(?: when ([\w ]+))?|"
    r"asks (number|case|point) ([^:]+)|(missed|size)|slip (\w+)):(?: |$)"
)


def holds(when: str, values: Values) -> bool:
    """Return whether all values with these names are neither false nor None."""
    return all(values[name] for name in when.split())


@dataclass(frozen=True)
class FormulaTemplate:
    """The template of a formula: in letters, and with numbers.

    The numbers are written once for each dict of the value ``each``, if this is not empty. If they
    name the result of one of the ``sums``, its terms get enough digits to check the result; see
    :func:`.formulas.digits_of_sums`.
    """

    letters: str
    numbers: str
    each: str = ""
    when: str = ""

    def fill(self, values: Values, sums: Sums) -> Formula | None:
        """Return the formula, or None if it is left out."""
        if not holds(self.when, values):
            return None
        letters = fill(self.letters, values, in_latex)
        rows = [{**values, **row} for row in values[self.each] or ()] if self.each else [values]
        numbers = [self._numbers(row, sums) for row in rows[:MAX_WRITTEN]]
        if letters is None or None in numbers or not numbers:
            return None
        dots = [r"\dots"] if len(rows) > MAX_WRITTEN else []
        return Formula(letters, r", \quad ".join([*filter(None, numbers), *dots]))

    def _numbers(self, values: Values, sums: Sums) -> str | None:
        named = [name for text in texts_of(self.numbers) for name in text.all_names]
        values, digits = digits_of_sums(named, values, sums)
        return fill(self.numbers, values, in_latex, **digits)


@dataclass(frozen=True)
class BeatTemplate:
    """The template of a :class:`.Beat`; the entries are explained at the top of this module."""

    title: str
    sentence: str = ""
    formulas: tuple[FormulaTemplate, ...] = ()
    lines: Mapping[str, str] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)
    rows: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    questions: tuple[QuestionTemplate, ...] = ()

    def fill(self, values: Values, labels: set[str], sums: Sums) -> Beat | None:
        """Return the beat, or None if it is left out. ``labels`` are those of the pseudo-code."""
        if not holds(self.names.get("when", ""), values):
            return None
        sentence = fill(self.sentence, values)
        if sentence is None:
            return None
        notes = [*values[self.names["notes"]]] if "notes" in self.names else self._notes(values)
        points, others = strong_or_light(values[self.names.get("points", "points")])
        others += tuple(values[self.names["others"]]) if "others" in self.names else ()
        lines = {label: text for label, text in self.lines.items() if label in labels}
        return Beat(
            name=fill(self.title, values) or "",
            sentence=sentence,
            points=points,
            others=tuple(dict.fromkeys(point for point in others if point not in points)),
            notes=tuple((point, text) for point, _, text in notes),
            lines=_filled_pairs(lines, values),
            values=(*((row, text) for _, row, text in notes), *_filled_pairs(self.rows, values)),
            formulas=_filled_formulas(self.formulas, values, sums),
            pair=PairPart[self.names.get("pair", "NEW")],
            compared=tuple(values[self.names["compared"]]) if "compared" in self.names else (),
            questions=tuple(filter(None, (x.fill(values, sums) for x in self.questions))),
        )

    def _notes(self, values: Values) -> list[tuple[int, str, str]]:
        notes = []
        for name, template in self.notes.items():
            points = values[name] if isinstance(values[name], list) else [{"i": values[name]}]
            for point in points[:MAX_NOTES]:
                text = fill(template, {**values, **point})
                if text is not None:
                    notes.append((point["i"], f"point {point['i'] + 1}", text))
        return notes


@dataclass(frozen=True)
class StepTemplate:
    """The template of an :class:`.Event`; see :func:`step_template`."""

    sentence: str
    why: str
    formulas: tuple[FormulaTemplate, ...]
    beats: tuple[BeatTemplate, ...]
    kind: str
    sums: Sums

    def fill(self, values: Values, touched: Any, code: PseudoCode | None = None) -> Event:
        """Return the event of a step with these values.

        The beats are about the points ``values["points"]``; by default these are all the points
        that the step touched. ``code`` is the pseudo-code of the method with its settings.
        """
        touched = tuple(int(point) for point in touched)
        values = {"points": touched, **values}
        labels = {line.label for line in code.lines} if code else set()
        filled = (beat.fill(values, labels, self.sums) for beat in self.beats)
        beats = tuple(beat for beat in filled if beat is not None)
        formulas = _filled_formulas(self.formulas, values, self.sums)
        return Event(
            touched=touched,
            sentence=fill(self.sentence, values) or "",
            why=fill(self.why, values) or "",
            formulas=(*formulas, *(formula for beat in beats for formula in beat.formulas)),
            beats=beats,
            values=values,
            kind=self.kind,
        )


def step_template(text: str, kind: str = "", sums: Sums | None = None) -> StepTemplate:
    """Return the template that a text describes, as the top of this module explains.

    ``kind`` is the kind of step, by which a panel knows which values there are. ``sums`` says how
    results are computed from other values, so that the formulas show enough digits of them.
    """
    head, *beats = (_beat_template(part) for part in re.split(r"^ *# ", f"\n{text}", flags=re.M))
    why = head.names.get("why", "")
    return StepTemplate(head.sentence, why, head.formulas, tuple(beats), kind, sums or {})


def _beat_template(text: str) -> BeatTemplate:
    """Return the template of a beat; the first line of the text is the title."""
    title, _, body = text.partition("\n")
    sentence: list[str] = []
    entries: list[tuple[re.Match[str], list[str]]] = []
    for line in filter(None, map(str.strip, body.splitlines())):
        if match := _ENTRY.match(line):
            entries.append((match, [line[match.end() :]]))
        else:
            (entries[-1][1] if entries else sentence).append(line)
    maps: dict[str, dict[str, str]] = {"line": {}, "note": {}, "row": {}, "names": {}}
    formulas, questions = [], []
    for match, lines in entries:
        kind, name, row, row_name, setting, each, when, asks, asked, missed, slip = match.groups()
        content = " ".join(lines)
        if asks:
            questions.append(QuestionTemplate(asks, labelled(asked), content))
        elif missed == "size":
            questions[-1] = replace(questions[-1], sizes=tuple(content.split()))
        elif missed:
            questions[-1] = replace(questions[-1], missed=content)
        elif slip:
            questions[-1] = replace(questions[-1], slips={**questions[-1].slips, slip: content})
        elif kind or row:
            maps[kind or row][name or row_name] = content
        elif setting:
            maps["names"][setting] = content
        else:
            letters, _, numbers = content.partition(" => ")
            formulas.append(FormulaTemplate(letters, numbers, each or "", when or ""))
    return BeatTemplate(
        title.strip(),
        " ".join(sentence),
        tuple(formulas),
        *maps.values(),
        questions=tuple(questions),
    )


def _filled_pairs(texts: Mapping[str, str], values: Values) -> tuple[tuple[str, str], ...]:
    """Return the pairs of a name and its text, without those that are left out."""
    pairs = ((fill(name, values), fill(text, values)) for name, text in texts.items())
    return tuple((name, text) for name, text in pairs if name is not None and text is not None)


def _filled_formulas(
    templates: tuple[FormulaTemplate, ...], values: Values, sums: Sums
) -> tuple[Formula, ...]:
    filled = (template.fill(values, sums) for template in templates)
    return tuple(formula for formula in filled if formula is not None)

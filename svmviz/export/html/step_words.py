"""The words of a step as values of JSON: sentence, formulas, beats, and the points to mark."""

from __future__ import annotations

from typing import Any

from solvers.run.beats import Beat
from solvers.run.event import Event
from solvers.run.formulas import Formula
from svmviz.base.words import tidied
from svmviz.frames.frame import Lane

# Keys of beats whose values are lists of pairs.
PAIRS = ("notes", "lines", "formulas")


def words_of(lane: Lane, start: str) -> dict[str, Any]:
    """Return the words of the step that a lane shows; ``start`` is the sentence of step 0.

    Keys without a content are left out. ``formulas`` are those that belong to no beat.
    """
    return {"sentence": start} if lane.event is None else event_words(lane.event)


def columns_of(words: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """Return the words of all steps by their keys, and those of all beats in lists of their own.

    Texts of one kind side by side are compressed to half the size. ``beats`` has the number of
    beats of each step; keys of beats begin with ``beat.``. Lists of pairs become two lists.
    """
    beats = [beat for step in words for beat in step.get("beats", ())]
    keys = ("sentence", "why", "formulas", "marked")
    columns: dict[str, list[Any]] = {key: [step.get(key, 0) for step in words] for key in keys}
    columns["beats"] = [len(step.get("beats", ())) for step in words]
    for key in dict.fromkeys(key for beat in beats for key in beat):
        column = [beat.get(key, 0) for beat in beats]
        if key in PAIRS:
            columns |= {
                f"beat.{key}.{k}": [[pair[k] for pair in x] for x in column] for k in (0, 1)
            }
        else:
            columns[f"beat.{key}"] = column
    return columns


def event_words(event: Event, *, keeps_values: bool = False) -> dict[str, Any]:
    """Return the words of an event.

    Unless ``keeps_values``, the values of a beat are left out if they are those of its notes, and
    then perhaps ``rows``; the page adds them again.
    """
    in_beats = sum(len(beat.formulas) for beat in event.beats)
    words = {
        "sentence": tidied(event.sentence),
        "why": tidied(event.why),
        "formulas": _formulas(event.formulas[: len(event.formulas) - in_beats]),
        "beats": [_beat(beat, keeps_values) for beat in event.beats],
        "marked": list(event.marked),
    }
    return {name: value for name, value in words.items() if value}


def _beat(beat: Beat, keeps_values: bool) -> dict[str, Any]:
    notes = [[point, tidied(note)] for point, note in beat.notes]
    values = [[name, tidied(value)] for name, value in beat.values]
    same = [[f"point {point + 1}", note] for point, note in notes]
    has_same = not keeps_values and values[: len(same)] == same
    return {
        "name": beat.name,
        "sentence": tidied(beat.sentence),
        "points": list(beat.points),
        "others": list(beat.others),
        "notes": notes,
        "lines": [[label, tidied(value)] for label, value in beat.lines],
        **({"rows": values[len(same) :]} if has_same else {"values": values}),
        "formulas": _formulas(beat.formulas),
    }


def _formulas(formulas: tuple[Formula, ...]) -> list[list[str]]:
    return [[formula.letters, formula.numbers] for formula in formulas]

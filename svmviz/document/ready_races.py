"""Prepared races: their methods, and hints on what the audience should look for."""

from __future__ import annotations

from dataclasses import dataclass

from solvers import SMO, CoordinateAscent, InteriorPoint, Method, Pegasos, Subgradient, WorkingSet
from svmviz.document.document import Document


@dataclass(frozen=True)
class ReadyRace:
    """A prepared race, for which there is a file with an example scene.

    Attributes
    ----------
    name : str
        Name of the file, without its ending.
    title : str
        Title in the menu.
    hint : str
        One sentence, true for any points, on what to look for.
    methods : tuple of Method
    clock : str
        The name of the clock by which the race is opened (:mod:`svmviz.frames.clocks`).
    """

    name: str
    title: str
    hint: str
    methods: tuple[Method, ...]
    clock: str = "steps"


READY_RACES = (
    ReadyRace(
        "race",
        "SMO against Pegasos",
        "By kernel values Pegasos comes near the optimum first, and then ever more slowly; SMO "
        "reaches it.",
        (SMO(), Pegasos(max_steps=1000)),
        "evaluations",
    ),
    ReadyRace(
        "race-starts",
        "Two starts, one optimum",
        "Two opposite starts end at one line, that of SMO: P is convex, so it has one minimum.",
        (
            SMO(),
            Subgradient(begin="means", rate="root", max_steps=300),
            Subgradient(begin="against", rate="root", max_steps=300),
        ),
    ),
    ReadyRace(
        "race-pairs",
        "Pair rules of SMO",
        "Only the choice of the pair differs: compare the steps, then the kernel values.",
        tuple(SMO(pair=pair) for pair in ("second-order", "maximal-violation", "platt", "random")),
    ),
    ReadyRace(
        "race-whole",
        "SMO, working set and interior point",
        "The more a step does, the fewer are needed: compare the steps, then the solving time.",
        (SMO(), WorkingSet(), InteriorPoint()),
    ),
    ReadyRace(
        "race-shrinking",
        "Coordinate ascent with and without shrinking",
        "Shrinking skips points that stay at 0 or C, so fewer steps leave α as it was.",
        (CoordinateAscent(shrinking=True), CoordinateAscent(shrinking=False)),
    ),
)


def ready_race_of(document: Document) -> ReadyRace | None:
    """Return the ready race that has the methods of a document, if there is one."""
    return next((race for race in READY_RACES if race.methods == document.methods), None)


def hint_for(document: Document) -> str:
    """Return what to look for if the methods of a document are those of a ready race, or ""."""
    race = ready_race_of(document)
    return race.hint if race else ""

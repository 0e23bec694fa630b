"""The scenes that come with the program, with their titles."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from svmviz.base.resources import root
from svmviz.document.ready_races import READY_RACES

ENDING = ".svmviz"
# The scene of the first start.
FIRST_SCENE = "two-clouds"
# The scenes by chapter, in the order of a course. A chapter has two scenes or more: with their
# headings they must fit into one column of a menu on a screen of 720 px.
CHAPTERS = {
    "Lines that separate": (
        "two-clouds",
        "perceptron",
        "eight-points",
        "penguins",
        "own-line",
        "nearest-pair",
        "difference-set",
    ),
    "Soft margin, loss and the dual": ("losses", "budget", "sub-gradients", "three-points"),
    "Kernels": ("two-moons", "demo", "words-spectrum", "words-edit"),
    "Three classes, and a regression": ("three-penguins", "noisy-sine"),
    "Choosing a model": ("human-overfitting", "model-choice", "paired-test"),
}
# Title, one sentence, the panel to show (if any), and what is chosen in it (`ViewState.choices`) of
# scenes.
TITLES: dict[str, tuple[Any, ...]] = {
    "two-clouds": ("Two clouds", "A line between two clouds, in the middle of the widest street."),
    "perceptron": (
        "Ten mistakes",
        "Each mistake of the perceptron turns the line; after ten every point is right.",
    ),
    "penguins": ("Penguins, a straight line", "Two species that a line separates."),
    "demo": ("Penguins, RBF kernel", "The same penguins, with a curved boundary."),
    "three-penguins": (
        "Penguins, three species",
        "Each machine separates two of the species; together they decide between all three.",
    ),
    "two-moons": ("Two moons", "Two arcs that no line separates, RBF kernel."),
    "noisy-sine": (
        "Noisy sine, regression",
        "A curve with its tube; only points on or outside it matter.",
    ),
    "human-overfitting": (
        "Human overfitting",
        "Reveal the test points and raise γ: at 0.5 none is wrong, at 5 a third; then draw others.",
        "split",
    ),
    "model-choice": (
        "Choice of a model",
        "Kernels and parameters compared on validation points; then one honest test.",
        "model-choice",
    ),
    "paired-test": (
        "Two models, tested on halves",
        "5 × 2: RBF is wrong at 1 % and the linear kernel at 10 %, yet the paired test has doubts.",
        "folds",
        {"folds.procedure": "5x2", "folds.rival": "linear"},
    ),
    "own-line": (
        "Your line through the penguins",
        "The line Y = 1.25 X + 2 for the penguins: turn it, and find the widest street.",
        "line",
    ),
    "nearest-pair": (
        "Six points, the nearest pair",
        "The nearest two points are 2.5 apart, but the widest street is only 2 wide.",
        "line",
    ),
    "losses": (
        "Soft margin, what each point pays",
        "Drag the line: the points move along the curve of the loss, and the parts of P change.",
        "loss",
    ),
    "budget": (
        "A budget for slack",
        "Drag the budget M or the dot, and see the street change with C.",
        "budget",
    ),
    "sub-gradients": (
        "Sub-gradient steps on P",
        "The start is the wrong way round: see P fall along each step, with a kink for each point.",
        "slice",
    ),
    "difference-set": (
        "Difference set of two classes",
        "p − q moves to the point of the difference set that is nearest to the origin.",
        "difference-set",
    ),
    "three-points": (
        "Three points, the dual as a landscape",
        "The dual of three points is a hill over a triangle; each step climbs along a line.",
        "dual-landscape",
    ),
    "words-spectrum": (
        "Words, the letters they share",
        "Words without coordinates, compared by shared pairs of letters: the p-spectrum kernel.",
        "kernel-matrix",
    ),
    "words-edit": (
        "Words, spellings of two",
        "Misspelt words, compared by the number of edits; at γ = 0.02 that is no Mercer kernel.",
        "components",
    ),
    "eight-points": (
        "Eight points, hard margin",
        "Solved by hand: α = ½, ¼, ¼; w = (0, 1); b = 0.",
    ),
}
RACES = {race.name: (race.title, race.hint) for race in READY_RACES}


class Example(NamedTuple):
    """A scene of the assets: file, title, one sentence, the panel to show and its choices.

    ``chapter`` is the heading under which the menu lists it; empty if there is none.
    """

    path: Path
    title: str
    help: str
    panel: str = ""
    choices: Mapping[str, str] = {}
    chapter: str = ""


def scenes() -> dict[str, Example]:
    """Return the scenes among the assets by name, chapter by chapter, then races and others."""
    path_of = {path.stem: path for path in sorted((root() / "scenes").glob(f"*{ENDING}"))}
    titled = {
        stem: Example(path_of[stem], *TITLES[stem])._replace(chapter=chapter)
        for chapter, stems in CHAPTERS.items()
        for stem in stems
    }
    titled |= {stem: Example(path_of[stem], *texts) for stem, texts in RACES.items()}
    others = {
        stem: Example(path, stem.replace("-", " ").capitalize(), "")
        for stem, path in path_of.items()
        if stem not in titled
    }
    return titled | others


def examples() -> list[Example]:
    """Return the scenes among the assets, except races."""
    return [example for stem, example in scenes().items() if stem not in RACES]


def races() -> list[Example]:
    """Return the scenes of the prepared races."""
    return [example for stem, example in scenes().items() if stem in RACES]

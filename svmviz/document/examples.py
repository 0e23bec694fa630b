"""The scenes that come with the program, with their titles."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from svmviz.base.resources import root
from svmviz.document.ready_races import READY_RACES

ENDING = ".svmviz"
# The scene of the first start.
FIRST_SCENE = "two-clouds"


class Example(NamedTuple):
    """A scene of the assets, with what ``assets/scenes/scenes.toml`` says of it.

    Attributes
    ----------
    path : Path
    title : str
    about : str
        One or two sentences on what is seen in the plane.
    prompts : sequence of str
        What to try in the plane, at most three sentences.
    chapter : str
        The heading under which the menu lists it; empty if there is none.
    panel : str
        The panel that the window shows; ``task`` says what to do in it, and ``choices`` are made in
        it (`ViewState.choices`).
    """

    path: Path
    title: str
    about: str = ""
    prompts: Sequence[str] = ()
    chapter: str = ""
    panel: str = ""
    task: str = ""
    choices: Mapping[str, str] = {}

    @property
    def help(self) -> str:
        """All sentences, as the menu shows them."""
        prompts = (f"Try: {prompt}" for prompt in self.prompts)
        return " ".join(filter(None, (self.about, self.task, *prompts)))


def scenes() -> dict[str, Example]:
    """Return the scenes among the assets by name, chapter by chapter, then races and others."""
    folder = root() / "scenes"
    titled = {
        name: Example(folder / f"{name}{ENDING}", **texts) for name, texts in _texts().items()
    }
    titled |= {
        race.name: Example(folder / f"{race.name}{ENDING}", race.title, race.hint)
        for race in READY_RACES
    }
    others = {
        path.stem: Example(path, path.stem.replace("-", " ").capitalize())
        for path in sorted(folder.glob(f"*{ENDING}"))
        if path.stem not in titled
    }
    return titled | others


@cache
def _texts() -> dict[str, Any]:
    return tomllib.loads((root() / "scenes" / "scenes.toml").read_text(encoding="utf-8"))


def examples() -> list[Example]:
    """Return the scenes among the assets, except races."""
    races = {race.name for race in READY_RACES}
    return [example for stem, example in scenes().items() if stem not in races]


def races() -> list[Example]:
    """Return the scenes of the prepared races."""
    return [scenes()[race.name] for race in READY_RACES]

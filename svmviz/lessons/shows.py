"""The block ``show`` of a card: what the card shows besides its text."""

from __future__ import annotations

import os
import re
from collections.abc import Container
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NoReturn

from solvers import KERNELS, METHODS
from solvers.errors import BadInput, shorten
from solvers.settings import settings_of
from svmviz.base import resources
from svmviz.base.strict_json import suggest
from svmviz.document.examples import ENDING, scenes
from svmviz.document.limits import check_number
from svmviz.document.pen import Stroke, read_strokes
from svmviz.document.view_options import ViewOptions
from svmviz.frames.clocks import CLOCKS
from svmviz.io.open_and_save import open_scene
from svmviz.io.scene import Scene
from svmviz.io.scene_line import is_scene_line, read_scene_line, write_scene_line
from svmviz.lessons.derivations import derivations
from svmviz.lessons.expressions import Expression
from svmviz.lessons.text import Entry, Piece, entries_of, read_expression

KEYS = (
    "scene", "step", "panels", "layout", "controls", "hide", "view", "tool", "clock", "derivation",
    "predict", "fresh", "keep", "stroke", "choose",
)  # fmt: skip
# Layouts that a card can ask for besides its own; see svmviz.window.layouts.
EXPLAIN = "explain"
# Controls that are not settings of a kernel or a method.
MODEL_CONTROLS = ("C", "lambda", "kernel", "epsilon", "method", "bias")
CONTROLS_WORDS = (
    f"there are {', '.join(MODEL_CONTROLS)}, and the settings of the kernel and the method, such as"
    " gamma."
)
# A scene beside the lesson has a name of these characters, so that it is no path.
SCENE_NAME = re.compile(r"[\w .+()-]{1,100}")
# What a card can hide, and the options of the plane that are switched off for it. STEP and GAP need
# no option: the window hides the sentence of the step with its marks, and the badge with the gap.
# RUN hides both, and the buttons and the slider of the run.
ALPHA, STEP, GAP, RUN = "alpha", "step", "gap", "run"
HIDDEN: dict[str, tuple[str, ...]] = {
    ALPHA: ("rings", "alpha_area", "alpha_numbers"),
    "f": ("field", "band", "contours"),
    "slack": ("sticks",),
    "nearest": ("nearest",),
    STEP: ("touched",),
    GAP: (),
    RUN: (),
}


@dataclass(frozen=True)
class Show:
    """The contents of a block ``show``: what a card shows besides its text.

    Attributes
    ----------
    scene : str
        Name of a scene among the assets, or a scene in one line; empty to keep what is shown.
    step : int or None
        The step to go to; None for the end of the run.
    last : int or None
        The last step that a talk shows before its next card; None for the end of the run. It equals
        ``step`` if the card shows only one step.
    panels, controls, hide : tuple of str
        Names of the panels to show, of the controls on the card, and of the parts to hide.
    view : dict
        Options of the plane that differ from those of the scene.
    tool, clock, derivation : str
        Names of a tool of the mouse, of a clock of a race and of a derivation; may be empty.
    predicts_first : bool
        Whether the student must predict each part of a step (key F6) before it is shown.
    explains : bool
        Whether steps are shown in their parts, as after key F6.
    row : int
        Number of its line in the text; 0 without a block.
    fresh : float or None
        When the card is done again, its points have other coordinates, multiples of this number.
    keep : tuple of Expression
        Conditions on fresh points.
    strokes : tuple of Stroke
        What the pen draws on the plane.
    choices : tuple of (str, str)
        What is chosen in panels, each as "panel.control" and value.
    """

    scene: str = ""
    step: int | None = None
    last: int | None = None
    panels: tuple[str, ...] = ()
    controls: tuple[str, ...] = ()
    hide: tuple[str, ...] = ()
    view: tuple[tuple[str, Any], ...] = ()
    tool: str = ""
    clock: str = ""
    derivation: str = ""
    predicts_first: bool = False
    explains: bool = False
    row: int = 0
    fresh: float | None = None
    keep: tuple[Expression, ...] = ()
    strokes: tuple[Stroke, ...] = ()
    choices: tuple[tuple[str, str], ...] = ()

    def read_scene(self) -> Scene:
        """Return the scene, with the options of the plane that the card sets."""
        scene = (
            read_scene_line(self.scene)
            if is_scene_line(self.scene)
            else open_scene(resources.path(f"scenes/{self.scene}.svmviz"))
        )
        return replace(scene, options=self.options_over(scene.options))

    def options_over(self, options: ViewOptions) -> ViewOptions:
        """Return options of the plane, changed by those that the card sets."""
        strokes = self.strokes or options.strokes
        return replace(options, **{**dict(self.view), "strokes": strokes})

    def hidden(self, options: ViewOptions) -> ViewOptions:
        """Return options of the plane without what the card hides."""
        return replace(options, **{name: False for word in self.hide for name in HIDDEN[word]})

    def check_names(self, panels: Container[str], tools: Container[str]) -> None:
        """Raise BadInput if the card shows a panel, or uses a tool, that does not exist."""
        for panel in self.panels:
            if panel not in panels:
                raise BadInput(
                    f"Line {self.row}: there is no panel {shorten(panel)!r}; "
                    "svmviz list panels prints their names."
                )
        if self.tool and self.tool not in tools:
            raise BadInput(f"Line {self.row}: there is no tool {shorten(self.tool)!r}.")


def read_show(block: Piece, folder: Path | None = None) -> Show:
    """Return what a block ``show`` says; ``folder`` is that of the lesson, if it is a file.

    Raises
    ------
    BadInput
        If it is wrong; the message names the line.
    """
    entries = entries_of(block, KEYS, ("keep", "stroke", "choose"))
    found = {entry.key: entry for entry in entries}
    texts = {key: found[key].text if key in found else "" for key in KEYS}
    if "scene" in found:
        texts["scene"] = _read_scene(found["scene"], folder)
    step, last = _read_step(found["step"]) if "step" in found else (None, None)
    for key, known, noun in (
        ("clock", tuple(CLOCKS), "clock"),
        ("derivation", tuple(derivations()), "derivation"),
    ):
        if key in found:
            _check_known((texts[key],), known, noun, found[key].row)
    controls, hide = _names(texts["controls"]), _names(texts["hide"])
    if controls:
        row = found["controls"].row
        _check_known(controls, _all_controls(), "control", row, CONTROLS_WORDS)
    if hide:
        _check_known(hide, tuple(HIDDEN), "thing to hide", found["hide"].row)
        hide = tuple(dict.fromkeys((*hide, STEP, GAP))) if RUN in hide else hide
    if "predict" in found:
        _check_known((texts["predict"],), ("first",), "way to predict", found["predict"].row)
    if "layout" in found:
        _check_known((texts["layout"],), (EXPLAIN,), "layout of a card", found["layout"].row)
    return Show(
        texts["scene"],
        step,
        last,
        _names(texts["panels"]),
        controls,
        hide,
        _read_view(found["view"]) if "view" in found else (),
        texts["tool"],
        texts["clock"],
        texts["derivation"],
        "predict" in found,
        "layout" in found,
        block.row,
        _read_fresh(found["fresh"], texts["scene"]) if "fresh" in found else None,
        tuple(read_expression(e.text, e.row) for e in entries if e.key == "keep"),
        _read_strokes([entry for entry in entries if entry.key == "stroke"]),
        tuple(_read_choice(entry) for entry in entries if entry.key == "choose"),
    )


def _read_choice(entry: Entry) -> tuple[str, str]:
    match = re.fullmatch(r"([\w-]+\.[\w-]+)=(.{1,400})", entry.text)
    if match is None:
        raise BadInput(f"Line {entry.row}: a choice is panel.control=value, such as loss.slope=-1.")
    return match[1], match[2]


def _read_strokes(entries: list[Entry]) -> tuple[Stroke, ...]:
    def fail(index: int, reason: str) -> NoReturn:
        raise BadInput(f"Line {entries[index].row}: {reason}") from None

    return read_strokes((entry.text for entry in entries), fail)


def _read_fresh(entry: Entry, scene: str) -> float:
    match = re.fullmatch(r"\d{1,3}(?:\.\d{1,3})?", entry.text)
    if match is None or not float(entry.text) > 0.0:
        raise BadInput(f"Line {entry.row}: fresh is a number above 0, such as 1 or 0.5.")
    if not scene:
        raise BadInput(f"Line {entry.row}: a card with fresh points has a scene of its own.")
    return float(entry.text)


def _names(text: str) -> tuple[str, ...]:
    return tuple(filter(None, re.split(r"[,\s]+", text)))


def _check_known(
    names: tuple[str, ...],
    known: tuple[str, ...],
    noun: str,
    row: int,
    otherwise: str | None = None,
) -> None:
    for name in names:
        if name not in known:
            raise BadInput(
                f"Line {row}: there is no {noun} {shorten(name)!r}; "
                f"{suggest(name, known, otherwise)}"
            )


def _all_controls() -> tuple[str, ...]:
    settings = (name for kind in (*KERNELS.values(), *METHODS.values()) for name in _fields(kind))
    return tuple(dict.fromkeys((*MODEL_CONTROLS, *settings)))


def _fields(kind: type) -> tuple[str, ...]:
    return tuple(settings_of(kind))


def _read_step(entry: Entry) -> tuple[int | None, int | None]:
    match = re.fullmatch(r"(?:(\d{1,9})\s+to\s+)?(end|\d{1,9})", entry.text)
    if match is None:
        raise BadInput(
            f"Line {entry.row}: a step is a number or the word end, and of a talk also two, such "
            "as 0 to end."
        )
    last = None if match[2] == "end" else int(match[2])
    step = last if match[1] is None else int(match[1])
    if match[1] is not None and last is not None and last < int(match[1]):
        raise BadInput(f"Line {entry.row}: the first step is not after the last one.")
    return step, last


def _read_view(entry: Entry) -> tuple[tuple[str, Any], ...]:
    specs, view = settings_of(ViewOptions), {}
    for part in filter(None, (part.strip() for part in entry.text.split(","))):
        name, _, value = part.partition(" ")
        _check_known((name,), tuple(specs), "option of the plane", entry.row)
        if specs[name].scale == "switch":
            _check_known((value or "on",), ("on", "off"), f"value of {name}", entry.row)
            view[name] = value != "off"
        else:
            known = tuple(key for key, *_ in specs[name].choices)
            _check_known((value.strip(),), known, f"value of {name}", entry.row)
            view[name] = value.strip()
    return tuple(view.items())


def _read_scene(entry: Entry, folder: Path | None) -> str:
    """Return the text of a scene: a name among the assets, or a line.

    The scene ``NAME.svmviz`` in the folder of the lesson comes before that of the same name among
    the assets; it becomes a line, so that the lesson does not depend on the file any more.
    """
    name, where, file = entry.text, f"Line {entry.row}: ", None
    try:
        if is_scene_line(name):
            check_number(len(read_scene_line(name).document.all_points), "The scene")
            return name
        if folder is not None and SCENE_NAME.fullmatch(name):
            file = folder / f"{name}{ENDING}"
        if file is not None and os.path.exists(file):
            where += f"{file.name}: "
            scene = open_scene(file)
            check_number(len(scene.document.all_points), "The scene")
            return write_scene_line(scene, exact=True)
        if name not in scenes():
            absent = (
                ""
                if file is None
                else (f": no file {file.name} is beside the lesson, and none comes with svmviz")
            )
            raise BadInput(
                f"there is no scene {shorten(name)!r}{absent}; "
                f"{suggest(name, scenes(), 'svmviz list scenes prints the names of all.')}"
            )
    except BadInput as error:
        raise BadInput(f"{where}{error}") from None
    return name

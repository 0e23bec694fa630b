"""The table of preferences that are choices among a few values."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from svmviz.base.words import percent
from svmviz.colours.palettes import PALETTES
from svmviz.panels.controls.transport.transport import speed_words
from svmviz.playback.playback import Playback
from svmviz.theme import CONTROL_SIZES, TYPE_SIZES
from svmviz.window.appearance import MOTIONS, THEME_CHOICES, Appearance
from svmviz.window.memory import WindowMemory

# Speeds to choose from, steps per second; 0 stands for the speed that fits the run.
SPEEDS = (0.0, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 100.0, math.inf)
AUTOMATIC = "Automatic: by the length of the run"


class Preference(NamedTuple):
    """A preference.

    Attributes
    ----------
    label, tip : str
    options : tuple of (value, text)
    read : callable() -> value
    write : callable(value)
        Changes the program now, and stores the value for later starts.
    usual : value
    menu : str
        Title of its menu; without one it is in the dialog of preferences only.
    """

    label: str
    options: tuple[tuple[Any, str], ...]
    read: Callable[[], Any]
    write: Callable[[Any], object]
    usual: Any
    tip: str = ""
    menu: str = ""


def choices(
    appearance: Appearance, memory: WindowMemory, playback: Playback
) -> tuple[Preference, ...]:
    """Return all preferences, in the order of the dialog."""

    def set_speed(speed: float) -> None:
        memory.put("speed", None if math.isinf(speed) else speed)
        start_speed(memory, playback)

    return (
        Preference(
            "Theme",
            tuple(THEME_CHOICES.items()),
            lambda: appearance.theme_choice,
            appearance.choose_theme,
            "system",
            menu="&Theme",
        ),
        Preference(
            "Class colours",
            tuple((palette.name, palette.label) for palette in PALETTES.values()),
            lambda: appearance.palette,
            appearance.choose_palette,
            next(iter(PALETTES)),
            menu="&Class colours",
        ),
        Preference(
            "Text size",
            tuple((size, percent(size)) for size in TYPE_SIZES),
            lambda: appearance.scale,
            appearance.set_scale,
            1.0,
            "Size of text and marks in the plane and of the sentence of the step",
        ),
        Preference(
            "Button size",
            tuple((size, percent(size)) for size in CONTROL_SIZES),
            lambda: appearance.base,
            appearance.set_base,
            1.0,
            "Size of buttons, menus and panels",
            "Butto&n size",
        ),
        Preference(
            "Animation",
            tuple(MOTIONS.items()),
            lambda: appearance.motion_choice,
            appearance.choose_motion,
            "system",
            "Whether boundary, band and bars of α move to the new step",
            "Ani&mation",
        ),
        Preference(
            "Speed",
            tuple((speed, speed_words(speed) if speed else AUTOMATIC) for speed in SPEEDS),
            lambda: stored_speed(memory),
            set_speed,
            0.0,
            "Steps per second while playing, when the program starts",
        ),
    )


def stored_speed(memory: WindowMemory) -> float:
    """Return the preferred speed, one of `SPEEDS`."""
    stored = memory.get("speed", 0.0)
    speed = math.inf if stored is None else stored
    return speed if speed in SPEEDS else 0.0


def start_speed(memory: WindowMemory, playback: Playback) -> None:
    """Set the preferred speed, if there is one."""
    speed = stored_speed(memory)
    if speed:
        playback.set_speed(speed)

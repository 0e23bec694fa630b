"""Everything that can be done by menu or key: one line an action.

Menus, shortcuts, tooltips and the page of keys in the help are made from this table. Single-key
shortcuts keep quiet while one types, because text fields claim printable keys first.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from svmviz.panels.registry import PANELS
from svmviz.playback.player import FASTEST, SLOWEST

if TYPE_CHECKING:
    from svmviz.window.main import MainWindow

Do = Callable[["MainWindow"], object]
Ask = Callable[["MainWindow"], bool]


@dataclass(frozen=True)
class Spec:
    """One action.

    Attributes
    ----------
    name : str
        Identifier.
    menu : str
        Menu it stands in; a leading ``|`` puts a line above it.
    text : str
        With the mnemonic.
    run : callable(MainWindow)
    keys : tuple of str
        Shortcuts, in Qt's portable spelling.
    icon : str
        Name of an icon, or empty.
    tip : str
        One sentence, where the text does not say it all.
    enabled, checked : callable(MainWindow) -> bool, optional
    """

    name: str
    menu: str
    text: str
    run: Do
    keys: tuple[str, ...] = ()
    icon: str = ""
    tip: str = ""
    enabled: Ask | None = None
    checked: Ask | None = None


def has_points(window: MainWindow) -> bool:
    """Whether there is a point."""
    return window.stage.session.document.n > 0


def has_selection(window: MainWindow) -> bool:
    """Whether a point is selected."""
    return bool(window.stage.session.selection)


def has_classes(window: MainWindow) -> bool:
    """Whether a point is selected that has a class."""
    return has_selection(window) and not window.stage.session.document.is_regression


def has_run(window: MainWindow) -> bool:
    """Whether something is recorded."""
    return bool(window.stage.session.runs)


def is_solving(window: MainWindow) -> bool:
    """Whether a solver is at work."""
    return has_run(window) and not window.stage.playback.finished


def show_kernel(window: MainWindow) -> None:
    """Open the help at the kernel of the document."""
    window.show_help(f"kernel:{window.stage.session.document.kernel.name}")


def show_panels(window: MainWindow) -> None:
    """Open the help at the first panel."""
    window.show_help(f"panel:{next(iter(PANELS))}")


def change_speed(window: MainWindow, factor: float) -> None:
    """Play faster or slower; beyond the fastest lies flat out."""
    playback = window.stage.playback
    speed = playback.player.speed
    flat_out = factor > 1.0 and speed >= FASTEST
    playback.set_speed(math.inf if flat_out else min(max(speed * factor, SLOWEST), FASTEST))


ACTIONS: tuple[Spec, ...] = (
    Spec("new", "File", "&New", lambda w: w.files.new(), ("Ctrl+N",), "new"),
    Spec("open", "File", "&Open…", lambda w: w.files.ask_open(), ("Ctrl+O",), "open"),
    Spec("save", "|File", "&Save", lambda w: w.files.save(), ("Ctrl+S",), "save"),
    Spec(
        "save-as", "File", "Save &as…", lambda w: w.files.ask_save(), ("Ctrl+Shift+S",), "save-as"
    ),
    Spec(
        "export",
        "|File",
        "&Export picture…",
        lambda w: w.files.ask_export(),
        ("Ctrl+E",),
        "export-image",
        "The plane as a picture, with lines and type in proportion.",
    ),
    Spec(
        "copy-picture",
        "File",
        "&Copy picture",
        lambda w: w.files.copy_picture(),
        ("Ctrl+Shift+C",),
        "camera",
    ),
    Spec("quit", "|File", "&Quit", lambda w: w.close(), ("Ctrl+Q",), "close"),
    Spec(
        "copy",
        "|Edit",
        "&Copy points",
        lambda w: w.edits.copy(),
        ("Ctrl+C",),
        "copy",
        "The selected points, or all, as text for a table.",
        has_points,
    ),
    Spec(
        "paste",
        "Edit",
        "&Paste points",
        lambda w: w.edits.paste(),
        ("Ctrl+V",),
        "paste",
        "Points from a table or a text: x, y and a label on each line.",
    ),
    Spec(
        "delete",
        "Edit",
        "&Delete",
        lambda w: w.edits.delete(),
        ("Delete", "Backspace"),
        "trash",
        enabled=has_selection,
    ),
    Spec("select-all", "|Edit", "Select &all", lambda w: w.edits.select_all(), ("Ctrl+A",)),
    Spec(
        "flip",
        "Edit",
        "S&wap class",
        lambda w: w.edits.flip(),
        ("X",),
        "",
        "Give the selected points the other label.",
        has_classes,
    ),
    Spec(
        "jitter",
        "Edit",
        "&Jitter",
        lambda w: w.edits.jitter(),
        ("J",),
        "jitter",
        "Shake the selected points, or all, a little.",
        has_points,
    ),
    Spec(
        "clear",
        "Edit",
        "C&lear all points",
        lambda w: w.edits.clear(),
        ("Ctrl+Backspace",),
        "trash",
        enabled=has_points,
    ),
    Spec("fit", "View", "&Fit to points", lambda w: w.plane.navigation.fit(), ("F",), "fit-view"),
    Spec(
        "zoom-in",
        "View",
        "Zoom &in",
        lambda w: w.plane.navigation.zoom(1.25),
        ("Ctrl++", "Ctrl+="),
        "zoom-in",
    ),
    Spec(
        "zoom-out",
        "View",
        "Zoom &out",
        lambda w: w.plane.navigation.zoom(0.8),
        ("Ctrl+-",),
        "zoom-out",
    ),
    Spec(
        "dark",
        "|View",
        "&Dark theme",
        lambda w: w.toggle_dark(),
        ("Ctrl+D",),
        "moon",
        checked=lambda w: w.is_dark,
    ),
    Spec(
        "panels",
        "View",
        "&Panels beside the plane",
        lambda w: w.toggle_panels(),
        ("F9",),
        "settings",
        "Settings and charts; without them the plane has the whole window (F9).",
        checked=lambda w: w.has_panels,
    ),
    Spec(
        "full-screen",
        "View",
        "F&ull screen",
        lambda w: w.toggle_full_screen(),
        ("F11",),
        "full-screen",
        checked=lambda w: w.isFullScreen(),
    ),
    Spec(
        "play",
        "Run",
        "&Play or pause",
        lambda w: w.stage.playback.toggle(),
        ("Space",),
        "play",
        enabled=has_run,
    ),
    Spec(
        "step",
        "|Run",
        "&Step",
        lambda w: w.stage.playback.move(1),
        ("Right", "PgDown"),
        "step-forward",
        enabled=has_run,
    ),
    Spec(
        "back",
        "Run",
        "Step &back",
        lambda w: w.stage.playback.move(-1),
        ("Left", "PgUp"),
        "step-back",
        enabled=has_run,
    ),
    Spec(
        "ten-on",
        "Run",
        "Ten steps &on",
        lambda w: w.stage.playback.move(10),
        ("Shift+Right",),
        "skip-forward",
        enabled=has_run,
    ),
    Spec(
        "ten-back",
        "Run",
        "Ten steps b&ack",
        lambda w: w.stage.playback.move(-10),
        ("Shift+Left",),
        "skip-back",
        enabled=has_run,
    ),
    Spec(
        "next-change",
        "|Run",
        "Next &change of the support vectors",
        lambda w: w.stage.playback.next_change(),
        ("N",),
        "next-change",
        enabled=has_run,
    ),
    Spec(
        "next-sweep",
        "Run",
        "Next s&weep",
        lambda w: w.stage.playback.next_sweep(),
        ("W",),
        "next-sweep",
        "A sweep is one pass over the points, or n steps where the method chooses freely; "
        "of a working set it is a round.",
        has_run,
    ),
    Spec(
        "restart",
        "|Run",
        "&Restart from step 0",
        lambda w: w.stage.playback.go_to_start(),
        ("R", "Home"),
        "restart",
        enabled=has_run,
    ),
    Spec(
        "end",
        "Run",
        "Go to the &end",
        lambda w: w.stage.playback.go_to_end(),
        ("End",),
        "go-end",
        enabled=has_run,
    ),
    Spec("go-to", "Run", "&Go to step…", lambda w: w.ask_step(), ("G",), "search", enabled=has_run),
    Spec("race", "|Run", "Rac&e solvers…", lambda w: w.docks.show("race"), (), "race"),
    Spec("faster", "|Run", "&Faster", lambda w: change_speed(w, 2.0), ("+", "="), "speed"),
    Spec("slower", "Run", "S&lower", lambda w: change_speed(w, 0.5), ("-",)),
    Spec(
        "stop",
        "|Run",
        "S&top solving",
        lambda w: w.stage.session.cancel_run(),
        ("Ctrl+.",),
        "stop",
        "End a long run where it is; what is recorded stays.",
        is_solving,
    ),
    Spec("methods", "Help", "&Methods", lambda w: w.show_help(), ("F1",), "book"),
    Spec("kernels", "Help", "Ke&rnels", show_kernel, (), "book"),
    Spec("panels-help", "Help", "&Panels", show_panels, (), "book"),
    Spec("keys", "|Help", "&Keys", lambda w: w.show_keys(), ("?",), "keyboard"),
    Spec("log", "Help", "Show the &log file", lambda w: w.show_log(), (), "info"),
    Spec("about", "|Help", "&About svmviz", lambda w: w.show_about(), (), "help"),
)
MENUS = ("File", "Edit", "View", "Tools", "Run", "Help")

"""All actions of menus and keys, one line per action.

Menus, shortcuts, tooltips and the page of keys are made from these tables. Each function gets only
the objects its actions act on. Single-key shortcuts do not act while the user types, because text
fields accept printable keys first.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from svmviz.base.words import percent
from svmviz.document.lanes import COMPARED
from svmviz.playback.player import MAX_SPEED, MIN_SPEED
from svmviz.widgets.needs import Needs
from svmviz.window.layouts.layout import EXPLAIN, LAYOUTS

if TYPE_CHECKING:
    from svmviz.plane.navigation import Navigation
    from svmviz.playback.playback import Playback
    from svmviz.session.session import Session
    from svmviz.stage.open_lesson import OpenLesson
    from svmviz.stage.stage import Stage
    from svmviz.window.appearance import Appearance
    from svmviz.window.edit_commands import EditActions
    from svmviz.window.files.exports import Exports
    from svmviz.window.files.files import Files
    from svmviz.window.files.scene_text import SceneText
    from svmviz.window.help.help import Help
    from svmviz.window.messages import Messages
    from svmviz.window.quick_changes import QuickChanges
    from svmviz.window.step_marks import StepMarkCommands

MENUS = ("File", "Edit", "View", "Tools", "Run", "Help")
# Menus that are entries of another menu: name, and name of the other menu.
SUBMENUS = {"Model": "Edit", "Layout": "View", "Race": "Run"}
# Layouts and menus whose first letter is that of another entry; all letters of Race are.
MNEMONICS = {"choose": "C&hoose", "Race": "Race"}
Command = Callable[[], object]
Condition = Callable[[], bool]


@dataclass(frozen=True)
class Spec:
    """One action.

    Attributes
    ----------
    name : str
        Identifier.
    menu : str
        Menu of the action; a leading ``|`` puts a separator above the entry.
    text : str
        Text of the menu entry, with its mnemonic.
    run : callable()
    keys : tuple of str
        Shortcuts, in Qt's portable spelling.
    icon : str
        Name of an icon, or empty.
    tip : str
        Tooltip of one sentence, if the text does not suffice.
    enabled : Needs, optional
        The condition under which the action can be used; by default, it can always be used.
    checked : callable() -> bool, optional
        Whether it is ticked; by default, it has no tick.
    """

    name: str
    menu: str
    text: str
    run: Command
    keys: tuple[str, ...] = ()
    icon: str = ""
    tip: str = ""
    enabled: Needs | None = None
    checked: Condition | None = None


class Switch(NamedTuple):
    """The two functions of an option that is on or off: one changes it, one reads it."""

    toggle: Command
    is_on: Condition


def file_actions(
    files: Files, exports: Exports, texts: SceneText, add: Command, show: Command, close: Command
) -> tuple[Spec, ...]:
    """Return the actions on files; ``add`` and ``show`` are the commands of a lecture."""
    return (
        Spec("new", "File", "&New", files.new, ("Ctrl+N",), "new"),
        Spec("open", "File", "&Open…", files.ask_open, ("Ctrl+O",), "open"),
        Spec("open-text", "File", "Open from &text…", texts.ask_open, (), "paste",
             "Open a scene that is one line of text, from a mail or an exercise sheet."),
        Spec("save", "|File", "&Save", files.save, ("Ctrl+S",), "save"),
        Spec("save-as", "File", "Save &as…", files.ask_save, ("Ctrl+Shift+S",), "save-as"),
        Spec("export", "|File", "&Export picture…", exports.ask_picture, ("Ctrl+E",),
             "export-image", "The plane as a picture, with lines and type in proportion."),
        Spec("copy-picture", "File", "&Copy picture", exports.copy_picture, ("Ctrl+Shift+C",),
             "camera"),
        Spec("print", "File", "Pr&int…", exports.ask_print, ("Ctrl+P",), "",
             "Plane and panels on paper, or as a PDF of a whole page."),
        Spec("export-run", "File", "Export r&un…", exports.ask_run, ("Ctrl+Shift+E",),
             "export-image", "All steps as a movie, a table or arrays; or the model as Python.",
             Needs(lambda: exports.has_run, "a run")),
        Spec("share-page", "File", "S&hare as page…", exports.ask_page, (), "link",
             "The run, or the lesson that is open, for any browser: a file that needs no network.",
             Needs(lambda: exports.has_page, "a run")),
        Spec("copy-scene", "File", "Co&py scene as text", texts.copy, (), "copy",
             "Points, model, step and view as one line, to paste into a mail."),
        Spec("add-to-lecture", "|File", "A&dd to lecture", add, ("Ctrl+L",), "projector",
             "What is on screen becomes a stop of your lecture: scene, step, panels and view."),
        Spec("lecture", "File", "&Lecture", show, ("Ctrl+Shift+L",), "book",
             "The stops of your lecture, to arrange and to give them: F5, then Right."),
        Spec("quit", "|File", "&Quit", close, ("Ctrl+Q",), "close"),
    )  # fmt: skip


def edit_actions(edits: EditActions, session: Session, preferences: Command) -> tuple[Spec, ...]:
    """Return the actions that change or select points, and the one that opens the preferences."""
    has_points = Needs(lambda: session.document.n > 0, "points")
    has_selection = Needs(lambda: bool(session.editable_selection), "selected points")
    has_classes = Needs(
        lambda: bool(session.editable_selection) and not session.document.is_regression,
        "selected points of a classification",
    )
    return (
        Spec("copy", "|Edit", "&Copy points", edits.copy, ("Ctrl+C",), "copy",
             "The selected points, or all, as text for a table.", has_points),
        Spec("paste", "Edit", "&Paste points", edits.paste, ("Ctrl+V",), "paste",
             "Points from a table or a text: x, y and a label on each line."),
        Spec("delete", "Edit", "&Delete", edits.delete, ("Delete", "Backspace"), "trash",
             enabled=has_selection),
        Spec("select-all", "|Edit", "Select &all", edits.select_all, ("Ctrl+A",)),
        Spec("flip", "Edit", "S&wap class", edits.flip, ("X",), "",
             "Give the selected points the other label.", has_classes),
        Spec("jitter", "Edit", "S&hake points a little", edits.jitter, ("J",), "jitter",
             "Shake the selected points, or all, a little.", has_points),
        Spec("clear", "Edit", "C&lear all points", edits.clear, ("Ctrl+Backspace",), "trash",
             enabled=has_points),
        Spec("preferences", "|Edit", "Pre&ferences…", preferences, ("Ctrl+,",), "settings",
             "Theme, colours, sizes, speed, folder of files, and the keys of all commands."),
    )  # fmt: skip


def model_actions(quick: QuickChanges, session: Session) -> tuple[Spec, ...]:
    """Return the actions that change the model by one key, also in a presentation."""
    is_race = Needs(lambda: len(session.document.methods) > 1, "a race")
    has_many = Needs(lambda: session.document.many is not None, "three or more classes")

    def change(command: Callable[[int], object], by: int) -> Command:
        return lambda: command(by)

    method, kernel, dataset = quick.choose_method, quick.choose_kernel, quick.choose_dataset
    penalty = quick.step_penalty
    return (
        Spec("next-method", "Model", "Next &method", change(method, 1), ("M",)),
        Spec("previous-method", "Model", "Previous method", change(method, -1), ("Shift+M",)),
        Spec("next-kernel", "|Model", "Next &kernel", change(kernel, 1), ("K",)),
        Spec("previous-kernel", "Model", "Previous kernel", change(kernel, -1), ("Shift+K",)),
        Spec("next-dataset", "|Model", "Next &data set", change(dataset, 1), ("D",), "",
             "Replace the points by generated ones; undo restores them."),
        Spec("previous-dataset", "Model", "Previous data set", change(dataset, -1), ("Shift+D",)),
        Spec("change-task", "Model", "Classification or &regression", quick.change_task, ("T",)),
        Spec("next-machine", "|Model", "Next mac&hine", change(quick.choose_machine, 1), ("O",), "",
             "Look at the next machine: each separates some classes from others.", has_many),
        Spec("previous-machine", "Model", "Previous machine", change(quick.choose_machine, -1),
             ("Shift+O",), "", "Look at the machine before.", has_many),
        Spec("decision", "Model", "Dec&ision of all machines", quick.toggle_decision, ("I",), "",
             "Shade the plane by the class that all machines decide for together.", has_many,
             lambda: quick.shows_decision),
        Spec("larger-C", "|Model", "Larger &C", change(penalty, 1), ("C",), "",
             "To the next of 1, 2, 5, 10, …; if λ is pinned, λ becomes smaller."),
        Spec("smaller-C", "Model", "Smaller C", change(penalty, -1), ("Shift+C",)),
        # G and E have other uses. So γ has Y, which looks similar, and ε has U, for tube.
        Spec("larger-gamma", "|Model", "Larger γ", change(quick.step_gamma, 1), ("Y",), "",
             "γ of the kernel, to the next of 1, 2, 5, 10, …"),
        Spec("smaller-gamma", "Model", "Smaller γ", change(quick.step_gamma, -1), ("Shift+Y",)),
        Spec("wider-tube", "Model", "Wider t&ube ε", change(quick.step_epsilon, 1), ("U",), "",
             "ε of a regression, to the next of 0, 0.01, 0.02, 0.05, …"),
        Spec("narrower-tube", "Model", "Narrower tube ε", change(quick.step_epsilon, -1),
             ("Shift+U",)),
        Spec("add-to-race", "|Race", "R&ace the next method too", quick.add_to_race, ("A",)),
        *(
            Spec(f"compare-{key}", "Race", f"Compare two models: another {name}",
                 partial(quick.compare, key), (), "",
                 f"Put the same points with another {name} beside: two models side by side.")
            for key, (name, _) in COMPARED.items()
        ),
        Spec("end-race", "Race", "&End the race", quick.end_race, ("Shift+A",), "",
             "Only the method in focus stays.", is_race),
    )  # fmt: skip


def view_actions(
    navigation: Navigation,
    appearance: Appearance,
    panels: Switch,
    full_screen: Switch,
    do_it: Command,
    present: Command,
    second_picture: Switch,
) -> tuple[Spec, ...]:
    """Return the actions that change the view, but neither points nor model."""
    return (
        Spec("fit", "View", "&Fit to points", navigation.fit, ("F",), "fit-view"),
        Spec("zoom-in", "View", "&Zoom in", lambda: navigation.zoom(1.25), ("Z",), "zoom-in"),
        Spec("zoom-out", "View", "Zoom &out", lambda: navigation.zoom(0.8), ("Shift+Z",),
             "zoom-out"),
        Spec("type-larger", "|View", "Lar&ger text", lambda: appearance.step_type(1),
             ("Ctrl++", "Ctrl+="), "",
             "Larger text and marks; the wheel with Ctrl does the same outside the plane."),
        Spec("type-smaller", "View", "Smaller te&xt", lambda: appearance.step_type(-1),
             ("Ctrl+-",)),
        Spec("type-normal", "View", f"Text at &{percent(1.0)}", appearance.reset_type, ("Ctrl+0",)),
        Spec("dark", "|View", "Switch light and &dark", appearance.toggle_dark, ("Ctrl+D",),
             "moon"),
        Spec("panels", "View", "Panels &beside the plane", panels.toggle, ("F9",), "settings",
             "Show the panels beside the plane: settings and charts (F9)",
             checked=panels.is_on),
        Spec("full-screen", "View", "F&ull screen", full_screen.toggle, ("F11",), "full-screen",
             "The window without menu and tools; F11 again shows them.",
             checked=full_screen.is_on),
        Spec("do-it-yourself", "View", "Do it yourself", do_it, (), "help",
             "The next steps of the run by hand: choose the points, say whether the step is cut "
             "short, and give the new values."),
        Spec("presentation", "View", "P&resentation", present, ("F5",), "projector",
             "Only the plane and the sentence of the step; Esc returns to the window."),
        Spec("second-picture", "View", "P&icture on the other screen", second_picture.toggle,
             ("Shift+F5",), "projector",
             "A presentation beside this window: on the other screen, or in a second window if "
             "there is only one screen.",
             checked=second_picture.is_on),
    )  # fmt: skip


def layout_actions(
    present: Callable[[], str], choose: Callable[[str], object], reset: Command, explain: Switch
) -> tuple[Spec, ...]:
    """Return the actions that arrange the panels around the plane."""
    return (
        Spec("explain", "Layout", "E&xplain the step", explain.toggle, ("F6",), "help",
             "The step in its parts, with pseudo-code, reasons, pair and KKT beside the plane: "
             "Right goes to the next part; F6 again returns.", checked=explain.is_on),
        *(
            Spec(
                f"layout-{name}",
                "Layout",
                MNEMONICS.get(name, f"&{layout.title}"),
                lambda name=name: choose(name),
                tip=layout.help,
                checked=lambda name=name: present() == name,
            )
            for name, layout in LAYOUTS.items()
            if layout is not EXPLAIN
        ),
        Spec("layout-default", "|Layout", "&Default layout", reset, (), "",
             "Close panels that were opened, and reset the workspace to what this layout has by "
             "itself."),
    )  # fmt: skip


def run_actions(
    stage: Stage, messages: Messages, glide: Switch, show_race: Command
) -> tuple[Spec, ...]:
    """Return the actions that move through a run, race solvers, or stop solving."""
    session, playback = stage.session, stage.playback

    has_run = Needs(lambda: bool(session.runs), "a run")
    is_solving = Needs(
        lambda: bool(session.runs) and not playback.finished, "a method that is solving"
    )

    return (
        *_step_actions(playback, has_run),
        *_jump_actions(playback, messages, has_run),
        Spec("race", "Race", "Race &methods…", show_race, (), "race"),
        Spec("faster", "|Run", "&Faster", lambda: change_speed(playback, 2.0), ("+", "="), "speed"),
        Spec("slower", "Run", "Slo&wer", lambda: change_speed(playback, 0.5), ("-",)),
        Spec("glide", "Run", "Gl&ide to the next step", glide.toggle, (), "",
             "After one step forwards, and while playing slowly, boundary, band and bars of α "
             "move to the new step instead of jumping.", checked=glide.is_on),
        Spec("stop", "|Run", "S&top solving", session.cancel_run, ("Ctrl+.",), "stop",
             "Stop the run where it is; its recorded steps stay.", is_solving),
    )  # fmt: skip


def _step_actions(playback: Playback, has_run: Needs) -> tuple[Spec, ...]:
    move = playback.move
    return (
        Spec("play", "Run", "&Play or pause", playback.toggle, ("Space",), "play",
             enabled=has_run),
        Spec("step", "|Run", "&Step on", playback.go_on, ("Right", "PgDown"), "step-forward",
             enabled=has_run),
        Spec("back", "Run", "Step &back", playback.go_back, ("Left", "PgUp"), "step-back",
             enabled=has_run),
        Spec("ten-on", "Run", "Ten steps &on", lambda: move(10), ("Shift+Right",), "skip-forward",
             enabled=has_run),
        Spec("ten-back", "Run", "Ten steps b&ack", lambda: move(-10), ("Shift+Left",), "skip-back",
             enabled=has_run),
    )  # fmt: skip


def _jump_actions(playback: Playback, messages: Messages, has_run: Needs) -> tuple[Spec, ...]:
    return (
        Spec("next-change", "|Run", "Next &change of the support vectors", playback.next_change,
             ("N",), "next-change", enabled=has_run),
        Spec("next-sweep", "Run", "&Next sweep", playback.next_sweep, ("W",), "next-sweep",
             "A sweep is one pass over the points, or n steps if the method chooses its points "
             "freely; with a working set it is one round.", has_run),
        Spec("restart", "|Run", "Go to the sta&rt", playback.go_to_start, ("R", "Home"),
             "restart", enabled=has_run),
        Spec("end", "Run", "Go to the &end", playback.go_to_end, ("End",), "go-end",
             enabled=has_run),
        Spec("go-to", "Run", "&Go to step…", lambda: ask_step(playback, messages), ("G",), "search",
             enabled=has_run),
    )  # fmt: skip


def help_actions(
    help: Help,
    lesson: OpenLesson,
    find: Command,
    keys: Command,
    log: Command,
    report: Command,
    about: Command,
) -> tuple[Spec, ...]:
    """Return the actions of the Help menu."""
    return (
        Spec("find", "Help", "&Find a command…", find, ("Ctrl+K", "Ctrl+Shift+P"), "search",
             "Menus, examples, lessons, panels, settings and pages of the help, by their words."),
        Spec("lessons", "|Help", "&Lessons", help.show_lessons, (), "book",
             "Cards that show a scene, ask what you expect, and let you try it."),
        Spec("end-lesson", "Help", "&End the lesson", lesson.end, (), "close",
             "Close the lesson and return to the points that were there before.",
             Needs(lambda: lesson.lesson is not None, "a lesson that is open")),
        Spec("derivations", "Help", "&Derivations", help.show_derivations, ("F7",), "book",
             "Why it is so, line by line, with the numbers of the step shown."),
        Spec("concepts", "Help", "&Concepts", help.show_concepts, (), "book"),
        Spec("methods", "Help", "&Methods", help.show_method, ("F1",), "book"),
        Spec("kernels", "Help", "Ke&rnels", help.show_kernel, (), "book"),
        Spec("panels-help", "Help", "&Panels", help.show_panels, (), "book"),
        Spec("keys", "|Help", "&Keys", keys, ("?",), "keyboard"),
        Spec("log", "Help", "Show the lo&g file", log, (), "info"),
        Spec("report", "Help", "Copy for a &bug report", report, (), "copy",
             "Versions, screen and settings, for those who look for the fault."),
        Spec("about", "|Help", "&About svmviz", about, (), "help"),
    )  # fmt: skip


def step_mark_actions(marks: StepMarkCommands) -> tuple[Spec, ...]:
    """Return the actions of the loop and of bookmarks."""
    can_mark = Needs(lambda: marks.can_mark, "a run whose steps are counted")
    has_bookmarks = Needs(lambda: marks.can_mark and marks.has_bookmarks, "a bookmark")
    return (
        Spec("loop-from", "|Run", "&Loop from this step", marks.loop_from, ("Shift+Home",), "",
             "Play only a range of steps, round and round. On the bar, drag with Shift.", can_mark),
        Spec("loop-to", "Run", "Loop to t&his step", marks.loop_to, ("Shift+End",), "",
             "Play only a range of steps, round and round. On the bar, drag with Shift.", can_mark),
        Spec("end-loop", "Run", "Remove the loop", marks.end_loop, (), "",
             enabled=Needs(lambda: marks.has_loop, "a loop")),
        Spec("bookmark", "Run", "Boo&kmark this step…", marks.bookmark, ("Ctrl+B",), "",
             "Give the step a name, which is shown on the bar and kept in the scene.", can_mark),
        Spec("next-bookmark", "Run", "Next bookmark", lambda: marks.go_to_bookmark(1),
             ("Shift+PgDown",), enabled=has_bookmarks),
        Spec("previous-bookmark", "Run", "Previous bookmark", lambda: marks.go_to_bookmark(-1),
             ("Shift+PgUp",), enabled=has_bookmarks),
    )  # fmt: skip


def change_speed(playback: Playback, factor: float) -> None:
    """Multiply the speed of playing.

    Beyond the maximum, the speed is infinite: every frame shows the newest step.
    """
    speed = playback.player.speed
    if factor > 1.0:
        new_speed = math.inf if speed >= MAX_SPEED else min(speed * factor, MAX_SPEED)
    else:
        # The speed of a race may be outside the range of the slider.
        new_speed = MAX_SPEED if math.isinf(speed) else max(speed * factor, min(speed, MIN_SPEED))
    playback.set_speed(new_speed)


def ask_step(playback: Playback, messages: Messages) -> None:
    """Ask for a step, or in a race for a position on its clock, and go there."""
    old_reading, last = playback.player.reading, playback.length
    reading = messages.ask_reading(playback.clock, old_reading, last)
    if reading is not None:
        playback.seek(reading)

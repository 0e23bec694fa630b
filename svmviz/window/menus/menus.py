"""The menu bar and the shortcuts, made from the tables of actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QWidget

from svmviz.base.words import class_titles
from svmviz.panels.registry import PANELS, by_family
from svmviz.stage.stage import Stage
from svmviz.theme.icons import icon
from svmviz.tools import TOOLS
from svmviz.widgets.needs import allow
from svmviz.widgets.plain_text import set_rich_tip, set_tip, strong_html
from svmviz.window.menus.actions import MENUS, MNEMONICS, SUBMENUS, Spec
from svmviz.window.menus.entries import keys_of, plain_text
from svmviz.window.menus.examples import menu_heading
from svmviz.window.menus.option_menus import OptionMenus

# Tip of a tool that adds points of one of more than two classes.
ADD_HELP = (
    "Click to place a point of this class; right-click or Ctrl-click, one of the machine's other"
    " side. Drag a point to move it, off the plane to delete it."
)


class Submenus(NamedTuple):
    """Menus inside others: recent files, examples, ready races, panels, and looks."""

    recent: QMenu
    examples: QMenu
    races: QMenu
    panels: QMenu
    looks: Sequence[QMenu]


class Menus(QObject):
    """The menu bar and its actions by name.

    Parameters
    ----------
    window : QMainWindow
        The window of the menu bar; the shortcuts work in this window.
    stage : Stage
    specs : sequence of Spec
        All actions, in the order of the menus.
    submenus : Submenus
    use_tool : callable(str)
        Selects the tool of this name.
    """

    def __init__(
        self,
        window: QMainWindow,
        stage: Stage,
        specs: Sequence[Spec],
        submenus: Submenus,
        use_tool: Callable[[str], object],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session, self._lesson = stage.session, stage.lesson
        self._drawing = stage.drawing
        self.specs = tuple(specs)
        self.submenus = submenus
        self.actions: dict[str, QAction] = {}
        self.tools = QActionGroup(self)
        # Where tools of further classes are shown, and for how many classes more than there are.
        self.tool_places: list[tuple[QWidget, int]] = []
        bar = window.menuBar()
        self.menus: dict[str, QMenu] = {name: bar.addMenu(f"&{name}") for name in MENUS}
        for name, outer in SUBMENUS.items():
            self.menus[name] = self.menus[outer].addMenu(MNEMONICS.get(name, f"&{name}"))
        for spec in self.specs:
            self._add(spec)
        self._add_scene_menus()
        self._add_undo()
        self._add_tools(use_tool)
        self._add_view(OptionMenus(stage.view, self.menus["View"]))
        for menu in self.menus.values():
            menu.aboutToShow.connect(self.refresh)
            menu.setToolTipsVisible(True)
        # The actions are also refreshed by signals, because shortcuts work while no menu is open.
        for signal in (
            stage.session.document_changed,
            stage.session.selection_changed,
            stage.session.runs_changed,
            stage.playback.moved,
            stage.playback.marked,
            stage.lesson.changed,
        ):
            signal.connect(self.refresh)

    def add_panels(self, toggles: Mapping[str, QAction]) -> None:
        """Add the entries that show and hide panels, by the names of the panels."""
        panels = self.submenus.panels
        panels.addActions([toggles[name] for name in toggles if name not in PANELS])
        for family, groups in by_family().items():
            panels.addAction(menu_heading(family, panels))
            for views in groups:
                menu = panels
                if len(views) > 1:
                    menu = panels.addMenu(", ".join(PANELS[name].title for name in views))
                    menu.setToolTipsVisible(True)
                    menu.aboutToShow.connect(partial(_name_keys, menu))
                menu.addActions([toggles[name] for name in views])
        panels.aboutToShow.connect(partial(_name_keys, panels))
        # Without this, their keys would not work in full screen.
        self._window.addActions(list(toggles.values()))
        self.actions |= {f"panel-{name}": action for name, action in toggles.items()}

    def show_tool_keys(self) -> None:
        """Name the key of each tool in its tooltip."""
        for name, tool in TOOLS.items():
            action = self.actions[f"tool-{name}"]
            keys = f" ({keys_of(action)})" if action.shortcuts() else ""
            is_named = action.text() != tool.title
            help = ADD_HELP if is_named else tool.help
            set_rich_tip(action, f"{strong_html(action.text())}{keys}<br>{help}")

    @property
    def groups(self) -> dict[str, dict[str, QAction]]:
        """The actions by menu and name, in the order of the menus; tools and panels come last."""
        places = {spec.name: spec.menu.lstrip("|") for spec in self.specs}
        places |= {"undo": "Edit", "redo": "Edit"}
        groups: dict[str, dict[str, QAction]] = {name: {} for name in self.menus}
        for name, action in self.actions.items():
            place = places.get(name)
            if place is None:
                kind = name.partition("-")[0]
                place = {"tool": "Tools", "panel": "Panels"}.get(kind, "View")
            groups.setdefault(place, {})[name] = action
        return groups

    def refresh(self) -> None:
        """Enable and tick actions by the current state; all parts of the window must exist."""
        for spec in self.specs:
            action = self.actions[spec.name]
            needs = spec.enabled
            if needs is not None and action.isEnabled() != (can_run := needs.holds()):
                allow(action, can_run, spec.tip, needs.words)
            if spec.checked is not None:
                action.setChecked(spec.checked())
        if "tool-add-negative" in self.actions:
            self._show_classes()

    def _show_classes(self) -> None:
        """Enable the tools that add points, and name them after the classes if there are many."""
        document = self._session.document
        k = 1 if document.is_regression else len(document.class_names)
        titles = class_titles(document.all_points) if document.many else ()
        for tool in TOOLS.values():
            if tool.number is None:
                continue
            action, number = self.actions[f"tool-{tool.name}"], tool.number
            may_grow = k > 1 and document.has_coordinates
            action.setEnabled(number < k or (number == k and may_grow))
            for widget, more in self.tool_places:
                is_there = action in widget.actions()
                if number > 1 and is_there != (number < k + more and k > 1):
                    remove, insert = widget.removeAction, widget.insertAction
                    remove(action) if is_there else insert(self.actions["tool-select"], action)
            title = f"Add {titles[number]}" if number < len(titles) else tool.title
            if action.text() != title:
                action.setText(title)
                action.setIcon(icon(f"class-{number + 1}" if titles else tool.icon))
                self.show_tool_keys()

    def _add(self, spec: Spec) -> None:
        menu = self.menus[spec.menu.lstrip("|")]
        if spec.menu.startswith("|"):
            menu.addSeparator()
        action = QAction(spec.text, self._window)
        action.setObjectName(spec.name)
        action.setShortcuts([QKeySequence(key) for key in spec.keys])
        if spec.icon:
            action.setIcon(icon(spec.icon))
        if spec.tip:
            set_tip(action, spec.tip)
        action.setCheckable(spec.checked is not None)
        action.triggered.connect(lambda _checked=False: spec.run())
        self.actions[spec.name] = action
        menu.addAction(action)
        # Without this, the shortcut would not work in full screen, where the menu bar is hidden.
        self._window.addAction(action)

    def _add_scene_menus(self) -> None:
        """Insert recent files and examples above the separator before Save, and races."""
        actions = self.menus["File"].actions()
        separator = actions[actions.index(self.actions["save"]) - 1]
        for menu in (self.submenus.recent, self.submenus.examples):
            self.menus["File"].insertMenu(separator, menu)
        run, race = self.menus["Run"], self.menus["Race"]
        race.insertAction(race.actions()[0], self.actions["race"])
        race.insertMenu(race.actions()[1], self.submenus.races)
        separator = run.actions()[run.actions().index(self.actions["faster"]) - 1]
        run.insertSeparator(separator)
        run.insertAction(separator, race.menuAction())

    def _add_undo(self) -> None:
        stack, menu = self._session.undo_stack, self.menus["Edit"]
        first = menu.actions()[0]
        for name, keys in (("undo", ("Ctrl+Z",)), ("redo", ("Ctrl+Shift+Z", "Ctrl+Y"))):
            action = self.actions[name] = QAction(icon(name), "", self._window)
            action.setShortcuts([QKeySequence(key) for key in keys])
            action.triggered.connect(lambda _checked=False, name=name: self._undo(name))
            menu.insertAction(first, action)
            self._window.addAction(action)
        stack.indexChanged.connect(self._show_undo)
        stack.cleanChanged.connect(self._show_undo)
        self._drawing.changed.connect(self._show_undo)
        self._show_undo()

    def _undo(self, name: str) -> None:
        """Undo or redo: while the pen is in hand a stroke, otherwise an edit."""
        owner = self._drawing if self._drawing.in_hand else self._session.undo_stack
        getattr(owner, name)()

    def _show_undo(self) -> None:
        drawing, stack = self._drawing, self._session.undo_stack
        what = {"undo": stack.undoText(), "redo": stack.redoText()}
        can = {"undo": stack.canUndo(), "redo": stack.canRedo()}
        if drawing.in_hand:
            what = dict.fromkeys(what, "the stroke")
            can = {"undo": drawing.can_undo, "redo": drawing.can_redo}
        for name, words in what.items():
            self.actions[name].setText(f"&{name.title()} {words}".rstrip())
            self.actions[name].setEnabled(can[name])

    def _add_tools(self, use_tool: Callable[[str], object]) -> None:
        for tool in TOOLS.values():
            action = QAction(icon(tool.icon), tool.title, self._window)
            action.setShortcut(QKeySequence(tool.key))
            action.setCheckable(True)
            action.triggered.connect(lambda _checked=False, name=tool.name: use_tool(name))
            self.tools.addAction(action)
            self.menus["Tools"].addAction(action)
            self._window.addAction(action)
            self.actions[f"tool-{tool.name}"] = action
        self.tool_places.append((self.menus["Tools"], 1))
        self._lesson.tool_requested.connect(self._take_tool)
        self._lesson.changed.connect(self._give_space)

    def _take_tool(self, name: str) -> None:
        action = self.actions[f"tool-{name}"]
        if not action.isChecked():
            action.trigger()

    def _give_space(self) -> None:
        """Let Space play, but not in a lesson with tasks, where it presses buttons of the card."""
        lesson, action = self._lesson.lesson, self.actions["play"]
        keys = [QKeySequence("Space")] if lesson is None or lesson.is_talk else []
        if action.shortcuts() != keys:
            action.setShortcuts(keys)

    def _add_view(self, options: OptionMenus) -> None:
        """Insert the panels below the layouts; layers, options and looks below the zoom."""
        menu, below = self.menus["View"], self.actions["dark"]
        menu.insertMenu(menu.actions()[1], self.submenus.panels)
        for sub in (*options.menus, *self.submenus.looks):
            menu.insertMenu(below, sub)
        menu.insertSeparator(below)
        menu.removeAction(below)
        self.submenus.looks[0].addSeparator()
        self.submenus.looks[0].addAction(below)
        self.actions |= options.actions


def _name_keys(menu: QMenu) -> None:
    """Write the keys of the entries as "P then S", and not as "P, S" as Qt does."""
    for action in menu.actions():
        if keys := keys_of(action):
            action.setText(f"{plain_text(action.text())}\t{keys}")

"""Menus and shortcuts, made from the table of actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu

from solvers.settings import Setting, settings_of
from svmviz.model.view_options import ViewOptions
from svmviz.theme import SCALES
from svmviz.theme.icons import icon
from svmviz.tools import TOOLS
from svmviz.window.menus.actions import ACTIONS, MENUS, Spec
from svmviz.window.menus.examples import fill_examples

if TYPE_CHECKING:
    from svmviz.window.main import MainWindow


class Menus(QObject):
    """Builds the menu bar; knows each QAction by name."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.actions: dict[str, QAction] = {}
        self.tools = QActionGroup(self)
        bar = window.menuBar()
        self.menus: dict[str, QMenu] = {name: bar.addMenu(f"&{name}") for name in MENUS}
        for spec in ACTIONS:
            self._add(spec)
        self.recent = QMenu("Open &recent", window)
        self.examples = QMenu("E&xamples", window)
        fill_examples(self.examples, window)
        # With the other ways to open something, above the line that stands over Save.
        actions = self.menus["File"].actions()
        line = actions[actions.index(self.actions["save"]) - 1]
        for menu in (self.recent, self.examples):
            self.menus["File"].insertMenu(line, menu)
        self._add_undo()
        self._add_tools()
        self._add_layers()
        # Two files may have one name; where they are tells them apart.
        self.recent.setToolTipsVisible(True)
        self.recent.aboutToShow.connect(self._list_recent)
        for menu in self.menus.values():
            menu.aboutToShow.connect(self.refresh)
            menu.setToolTipsVisible(True)
        # Enabled by what there is, or a key would do nothing until the menu was opened.
        session, playback = window.stage.session, window.stage.playback
        for signal in (
            session.document_changed,
            session.selection_changed,
            session.runs_changed,
            playback.moved,
        ):
            signal.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Enable and tick what fits now."""
        for spec in ACTIONS:
            action = self.actions[spec.name]
            if spec.enabled is not None:
                action.setEnabled(spec.enabled(self._window))
            if spec.checked is not None:
                action.setChecked(spec.checked(self._window))
        if "tool-add-negative" in self.actions:
            fits = not self._window.stage.session.document.is_regression
            self.actions["tool-add-negative"].setEnabled(fits)

    def _list_recent(self) -> None:
        self.recent.clear()
        files, memory = self._window.files, self._window.memory
        paths = memory.recent
        for path in paths:
            action = self.recent.addAction(path.name.replace("&", "&&"))
            action.setToolTip(str(path))
            action.triggered.connect(lambda _checked=False, path=path: files.open_asking(str(path)))
        if paths:
            self.recent.addSeparator()
            self.recent.addAction("&Forget these").triggered.connect(memory.forget_files)
        else:
            self.recent.addAction("No files yet").setEnabled(False)

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
            action.setToolTip(spec.tip)
        action.setCheckable(spec.checked is not None)
        action.triggered.connect(lambda _checked=False: spec.run(self._window))
        self.actions[spec.name] = action
        menu.addAction(action)
        # A shortcut works although its menu is hidden in full screen.
        self._window.addAction(action)

    def _add_undo(self) -> None:
        stack = self._window.stage.session.undo_stack
        undo, redo = stack.createUndoAction(self, "&Undo"), stack.createRedoAction(self, "&Redo")
        undo.setShortcuts([QKeySequence("Ctrl+Z")])
        redo.setShortcuts([QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")])
        menu = self.menus["Edit"]
        first = menu.actions()[0]
        for name, action in (("undo", undo), ("redo", redo)):
            action.setIcon(icon(name))
            menu.insertAction(first, action)
            self._window.addAction(action)
            self.actions[name] = action

    def _add_tools(self) -> None:
        for tool in TOOLS.values():
            action = QAction(icon(tool.icon), tool.title, self._window)
            action.setShortcut(QKeySequence(tool.key))
            action.setToolTip(f"<b>{tool.title}</b> ({tool.key})<br>{tool.help}")
            action.setCheckable(True)
            action.triggered.connect(
                lambda _checked=False, name=tool.name: self._window.use_tool(name)
            )
            self.tools.addAction(action)
            self.menus["Tools"].addAction(action)
            self._window.addAction(action)
            self.actions[f"tool-{tool.name}"] = action

    def _add_layers(self) -> None:
        menu = self.menus["View"]
        layers = QMenu("&Layers", menu)
        layers.setToolTipsVisible(True)
        choices = []
        for name, spec in settings_of(ViewOptions).items():
            if spec.scale == "switch":
                self._add_switch(layers, name, spec.label, spec.help)
            else:
                choices.append(self._choice_menu(menu, name, spec))
        scale = QMenu("&Projector size", menu)
        for size in SCALES:
            action = scale.addAction(f"{size:.0%}")
            action.setCheckable(True)
            action.setData(size)
            action.triggered.connect(lambda _checked=False, size=size: self._window.set_scale(size))
        scale.aboutToShow.connect(
            lambda: [a.setChecked(a.data() == self._window.scale) for a in scale.actions()]
        )
        self.panels = QMenu("&Panels", menu)
        for sub in (layers, *choices, self.panels, scale):
            menu.insertMenu(self.actions["dark"], sub)
        menu.insertSeparator(self.actions["dark"])

    def _add_switch(self, menu: QMenu, name: str, text: str, tip: str) -> None:
        view = self._window.stage.view
        action = menu.addAction(text)
        action.setCheckable(True)
        action.setToolTip(tip)
        action.setChecked(getattr(view.options, name))
        action.toggled.connect(lambda on: view.set(**{name: on}))
        view.changed.connect(lambda: action.setChecked(getattr(view.options, name)))
        self.actions[f"layer-{name}"] = action

    def _choice_menu(self, menu: QMenu, name: str, spec: Setting) -> QMenu:
        """A menu of the values of an option, of which one is ticked."""
        view = self._window.stage.view
        made, group = QMenu(f"&{spec.label}", menu), QActionGroup(self)
        made.setToolTipsVisible(True)
        for value, text in spec.choices:
            action = made.addAction(text)
            action.setCheckable(True)
            action.setToolTip(spec.help)
            group.addAction(action)
            action.setChecked(getattr(view.options, name) == value)
            action.triggered.connect(lambda _checked=False, value=value: view.set(**{name: value}))
            view.changed.connect(
                lambda action=action, value=value: action.setChecked(
                    getattr(view.options, name) == value
                )
            )
            self.actions[f"{name}-{value}"] = action
        return made

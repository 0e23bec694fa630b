"""Menu entries for the options of the plane, made from the settings of ``ViewOptions``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from solvers.settings import Setting, settings_of
from svmviz.document.view_options import ViewOptions
from svmviz.stage.view_state import ViewState
from svmviz.widgets.plain_text import set_tip

# Titles whose first letter is that of another menu.
MNEMONICS = {"hulls": "Convex &hulls"}
# Options that have a command of their own.
COMMANDS = ("decision",)


class ChoiceMenu(QMenu):
    """An entry for each of some values; the present one is ticked when the menu is opened.

    Parameters
    ----------
    title : str
    choices : sequence of (value, text)
    read : callable() -> value
        Returns the present value.
    write : callable(value)
    parent : QWidget
    tip : str
        Tooltip of the entries.
    """

    def __init__(
        self,
        title: str,
        choices: Sequence[tuple[Any, str]],
        read: Callable[[], Any],
        write: Callable[[Any], object],
        parent: QWidget,
        tip: str = "",
    ) -> None:
        super().__init__(title, parent)
        self.setToolTipsVisible(True)
        self._read = read
        for choice, text in choices:
            action = self.addAction(text)
            action.setCheckable(True)
            action.setData(choice)
            set_tip(action, tip)
            action.triggered.connect(lambda _checked=False, choice=choice: write(choice))
        self.aboutToShow.connect(self._tick)

    def _tick(self) -> None:
        for action in self.actions():
            action.setChecked(action.data() == self._read())


class OptionMenus(QObject):
    """One menu of all switches, and one menu per option that has several values.

    Attributes
    ----------
    menus : list of QMenu
        The menu of the switches comes first.
    actions : dict of str to QAction
        The keys are ``layer-<switch>`` or ``<option>-<value>``.
    """

    def __init__(self, view: ViewState, parent: QWidget) -> None:
        super().__init__(parent)
        self._view = view
        self.actions: dict[str, QAction] = {}
        layers = QMenu("La&yers", parent)
        layers.setToolTipsVisible(True)
        self.menus = [layers]
        for name, spec in settings_of(ViewOptions).items():
            if name in COMMANDS:
                continue
            if spec.scale == "switch":
                self._add_switch(layers, name, spec)
            else:
                self._add_choices(parent, name, spec)

    def _add_switch(self, menu: QMenu, name: str, spec: Setting) -> None:
        view = self._view
        action = menu.addAction(spec.label)
        action.setCheckable(True)
        set_tip(action, spec.help)
        action.setChecked(getattr(view.options, name))
        action.toggled.connect(lambda on: view.set(**{name: on}))
        view.changed.connect(lambda: action.setChecked(getattr(view.options, name)))
        self.actions[f"layer-{name}"] = action

    def _add_choices(self, parent: QWidget, name: str, spec: Setting) -> None:
        menu = ChoiceMenu(
            MNEMONICS.get(name, f"&{spec.label}"),
            spec.choices,
            lambda: getattr(self._view.options, name),
            lambda value: self._view.set(**{name: value}),
            parent,
            spec.help,
        )
        self.menus.append(menu)
        self.actions |= {f"{name}-{action.data()}": action for action in menu.actions()}

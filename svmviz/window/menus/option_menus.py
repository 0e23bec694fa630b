"""Menu entries for the options of the plane, made from the settings of ``ViewOptions``."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from solvers.settings import Setting, settings_of
from svmviz.document.view_options import ViewOptions
from svmviz.stage.view_state import ViewState
from svmviz.widgets.plain_text import set_tip

# Titles whose first letter is that of another menu.
MNEMONICS = {"hulls": "Convex &hulls"}
# Options that have a command of their own.
COMMANDS = ("decision",)


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
                self.menus.append(self._choice_menu(parent, name, spec))

    def _add_switch(self, menu: QMenu, name: str, spec: Setting) -> None:
        view = self._view
        action = menu.addAction(spec.label)
        action.setCheckable(True)
        set_tip(action, spec.help)
        action.setChecked(getattr(view.options, name))
        action.toggled.connect(lambda on: view.set(**{name: on}))
        view.changed.connect(lambda: action.setChecked(getattr(view.options, name)))
        self.actions[f"layer-{name}"] = action

    def _choice_menu(self, parent: QWidget, name: str, spec: Setting) -> QMenu:
        """Return a menu of the values of an option; the current value is ticked."""
        view = self._view
        title = MNEMONICS.get(name, f"&{spec.label}")
        menu, group = QMenu(title, parent), QActionGroup(self)
        menu.setToolTipsVisible(True)
        for value, text in spec.choices:
            action = menu.addAction(text)
            action.setCheckable(True)
            set_tip(action, spec.help)
            group.addAction(action)
            action.setChecked(getattr(view.options, name) == value)
            action.triggered.connect(lambda _checked=False, value=value: view.set(**{name: value}))
            view.changed.connect(
                lambda action=action, value=value: action.setChecked(
                    getattr(view.options, name) == value
                )
            )
            self.actions[f"{name}-{value}"] = action
        return menu

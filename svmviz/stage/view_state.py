"""What the window shows: the options of the plane, which panels are beside it, and their choices.

The options are saved with the document, but undo does not change them. A lesson may hide things
from its student until they are asked for.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from PySide6.QtCore import QObject, Signal

from svmviz.document.view_options import ViewOptions


class ViewState(QObject):
    """The options of the plane; ``changed`` is emitted when they change.

    Attributes
    ----------
    options : ViewOptions
    layout, panel : str
        The layout of the window's panels, and the panel in front; ``panels_changed`` is emitted
        when one of them changes. Without such a panel its name is empty.
    choices : dict of str to str
        What is chosen in panels, by "panel.control"; ``chosen`` is emitted with this key when it
        changes. Every view of a panel reads it here, and so do exported figures. Numbers that were
        dragged are a text, with spaces between them.
    drawn : ViewOptions
        The options as the plane is drawn: also with what visible panels add to them.
    hidden : frozenset of str
        Names in :data:`svmviz.lessons.shows.HIDDEN` of what a lesson hides; ``hiding_changed`` is
        emitted when they change.
    """

    changed = Signal()
    hiding_changed = Signal()
    panels_changed = Signal()
    chosen = Signal(str)

    def __init__(self, options: ViewOptions | None = None) -> None:
        super().__init__()
        self.options = options or ViewOptions()
        self.hidden: frozenset[str] = frozenset()
        self.layout, self.panel = "", ""
        self.choices: dict[str, str] = {}
        # What each visible panel adds to the options; see `add`.
        self._added: dict[object, Mapping[str, Any]] = {}

    @property
    def drawn(self) -> ViewOptions:
        options, own = self.options, ViewOptions
        added = [each for changes in self._added.values() for each in changes.items()]
        # What the user has set goes first.
        free = {
            name: value for name, value in added if getattr(options, name) == getattr(own, name)
        }
        return dataclasses.replace(options, **free) if free else options

    def add(self, panel: object, changes: Mapping[str, Any]) -> None:
        """Draw with these options, where the user has the default, as long as ``panel`` is visible.

        No changes take away what was added. The options themselves stay as they are.
        """
        if changes != self._added.get(panel, {}):
            self._added.pop(panel, None)
            if changes:
                self._added[panel] = changes
            self.changed.emit()

    def set(self, **changes: Any) -> None:
        """Replace some options."""
        self.show(dataclasses.replace(self.options, **changes))

    def show(self, options: ViewOptions) -> None:
        """Replace all options."""
        if options != self.options:
            self.options = options
            self.changed.emit()

    def hide(self, names: Iterable[str]) -> None:
        """Hide these things and no others."""
        hidden = frozenset(names)
        if hidden != self.hidden:
            self.hidden = hidden
            self.hiding_changed.emit()

    def show_panels(self, layout: str, panel: str) -> None:
        """Note the layout of the window's panels, and the panel in front."""
        if (layout, panel) != (self.layout, self.panel):
            self.layout, self.panel = layout, panel
            self.panels_changed.emit()

    def choose(self, choices: Mapping[str, str]) -> None:
        """Make choices in panels, by "panel.control"."""
        for key, value in choices.items():
            if self.choices.get(key) != value:
                self.choices[key] = value
                self.chosen.emit(key)

    def forget(self, key: str) -> None:
        """Forget a choice in a panel, so that the panel has its default."""
        if self.choices.pop(key, None) is not None:
            self.chosen.emit(key)

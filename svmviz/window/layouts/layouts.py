"""The layouts of a window: which one is present, what is changed in it, and what comes back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabBar, QToolBar

from svmviz.panels.registry import LESSON, PANELS, views_of
from svmviz.stage.stage import Stage
from svmviz.theme import active
from svmviz.window.bottom_bar import BottomBar
from svmviz.window.layouts import views
from svmviz.window.layouts.arrangement import (
    BESIDE,
    MAX_TABS,
    Arrangement,
    Place,
    from_json,
    limited,
    rank_in,
    to_json,
)
from svmviz.window.layouts.layout import (
    ANCHORS,
    CHOICE_PANELS,
    CHOOSE,
    EXPLAIN,
    EXPLORE,
    IN_LESSON,
    LAYOUTS,
    Layout,
    beside_card,
)
from svmviz.window.layouts.placing import Placing, bring_forward

# Below this width of the window, px at scale 1, all docks are hidden to leave room for the plane.
MIN_DOCKS_WIDTH = 760
# Minimum width of a column, px at scale 1, as far as the plane keeps its share of the window.
MIN_COLUMN, PLANE_SHARE = 320, 0.5
# Minimum height of an area below the plane, px at scale 1, and maximum, as a fraction of the height
# of the window. Panels for which there is less are tabs at the right.
MIN_BOTTOM, MAX_BOTTOM = 250, 0.5


@dataclass
class Entry:
    """A layout of the stack.

    Attributes
    ----------
    layout : Layout
    owner : str
        What has brought it; empty if the user has chosen it.
    panels : tuple of str
        Panels that are opened in it besides its own.
    arrangement : Arrangement or None
        As the user has changed it; None if nothing is changed.
    is_hidden : bool
        Whether its panels are hidden.
    keeps : bool
        Whether what the user changes in it is kept as the layout's own.
    """

    layout: Layout
    owner: str = ""
    panels: tuple[str, ...] = ()
    arrangement: Arrangement | None = None
    is_hidden: bool = False
    keeps: bool = True


# Owners of layouts: an example, the list of lessons, and the user while one of these is there.
EXAMPLE, LIST, CHOSEN = "example", "list", "chosen"


class Layouts(QObject):
    """The layouts of one window.

    The user chooses one of them. Examples, lessons, races and the explanation of a step each bring
    one, and take it away again; then what was there before comes back.

    Parameters
    ----------
    window : QMainWindow
    docks : mapping of str to QDockWidget
        All docks by name; the mapping may grow.
    stage : Stage
    bottom : BottomBar
        Reduces the height of the docks while it is as wide as the window.

    Attributes
    ----------
    recent : list of str
        Names of panels; those in front last come first.

    Signals
    -------
    changed()
        Another layout is present.
    """

    changed = Signal()

    def __init__(
        self,
        window: QMainWindow,
        docks: Mapping[str, QDockWidget],
        stage: Stage,
        bottom: BottomBar,
    ) -> None:
        super().__init__(window)
        self._window, self._docks, self._stage, self._bottom = window, docks, stage, bottom
        self._placing = Placing(window, docks)
        # What the user has changed in layouts, by their names.
        self._own: dict[str, Arrangement] = {}
        self._stack = [Entry(EXPLORE)]
        self.recent: list[str] = []
        # The arrangement that the docks have got last; None before the window is shown.
        self._placed: Arrangement | None = None
        self._is_placing = False
        self._is_narrow = False
        # The sizes when the user began to move the line between two docks.
        self._before: Arrangement | None = None
        self._tools = window.findChildren(QToolBar)
        # What `_on_document` has seen last: the panels that fit, and the form of the layout.
        self._suited: object = None
        stage.session.document_changed.connect(self._on_document)

    # State.

    @property
    def present(self) -> Layout:
        """The layout that is present."""
        return self._stack[-1].layout

    @property
    def height(self) -> int:
        """Height of the areas beside the plane, px."""
        window, bottom, menus = self._window, self._bottom, self._window.menuBar()
        # In full screen the menu bar is hidden.
        height = window.height() - menus.sizeHint().height() * (not menus.isHidden())
        return height - bottom.sizeHint().height() * bottom.is_across

    @property
    def are_hidden(self) -> bool:
        """Whether the window shows no dock."""
        return not any(map(self._placing.is_docked, self._docks))

    @property
    def may_open(self) -> bool:
        """Whether panels may open by themselves: not if docks are hidden, or in a lesson."""
        return not self.are_hidden and self.present is not IN_LESSON

    @property
    def shown(self) -> list[str]:
        """Names of the panels that can be seen."""
        # Docks of a hidden window are not laid out.
        now = self._placing.read() if self._window.isVisible() else self._fitted(self._arrangement)
        return [name for name in now.fronts if name in PANELS]

    @property
    def front(self) -> str:
        """Name of the panel in front that was used last; empty if there is none."""
        # A view that has taken the place of another one was used when that one was.
        rank = rank_in(self.recent)
        return min(self.shown, key=lambda name: min(map(rank, views_of(name))), default="")

    @property
    def panels(self) -> list[str]:
        """Names of the panels in the present layout that fit the document, even if hidden."""
        document, names = self._stage.session.document, self._arrangement.names
        return [name for name in names if name in PANELS and PANELS[name].fits(document)]

    # Commands.

    def open(self, name: str) -> None:
        """Show a panel in front of others; in a row of too many tabs, close the one unused longest.

        It takes the place of another view of its panel. The panel of lessons brings its layout. A
        panel that does not fit the document is not shown.
        """
        spec = PANELS.get(name)
        if spec is not None and not spec.fits(self._stage.session.document):
            return
        if name == LESSON.name:
            if self.present is not IN_LESSON:
                self.bring(IN_LESSON, LIST)
            return
        self._take_up()
        self.touch(name)
        dock, entry = self._docks[name], self._stack[-1]
        below = spec is not None and spec.area == "bottom"
        entry.is_hidden = False
        before = self._arrangement
        arrangement = views.with_panel(before, name, below)
        if entry.arrangement is None and not set(views_of(name)) & set(before.names):
            # The first panel that is opened gets more room than the chart of the layout itself.
            arrangement = arrangement.enlarged(name)
        entry.arrangement = arrangement.without(self._cut_tabs(self._fitted(arrangement)))
        self._fit()
        bring_forward(dock)
        # Later, because a row of tabs takes a little of the height once Qt has laid it out.
        QTimer.singleShot(0, dock, self.resize)

    def bring(self, layout: Layout | None, owner: str, panels: Sequence[str] = ()) -> None:
        """Use a layout until :meth:`leave` is called, with these panels in it.

        None stands for the present layout. Whatever comes ends the explanation of a step.
        """
        if layout is not EXPLAIN:
            self._stage.playback.set_by_beats(False)
        self._take_up()
        self._drop(owner)
        if layout is None:
            own = self._arrangement
        else:
            own = self._own.get(layout.name) if layout is not IN_LESSON else None
        entry = Entry(layout or self.present, owner, tuple(panels))
        # The panels of a card or an example are not those of the next one.
        entry.keeps = not panels and layout is not IN_LESSON
        entry.arrangement = None if own is None else views.with_panels(own, panels)
        self._stack.append(entry)
        for name in panels:
            self.touch(name)
        self._show_present()

    def bring_example(self, name: str) -> None:
        """Show the panel of an example; those of model selection bring the layout Choose."""
        self.bring(CHOOSE if name in CHOICE_PANELS else None, EXAMPLE, (name,))

    def show_own(self) -> None:
        """Bring the panels that the present layout has by itself in front of those opened in it."""
        self._take_up()
        entry = self._stack[-1]
        changed = entry.arrangement
        if changed is None or entry.owner or entry.is_hidden:
            return
        for name in self._usual.fronts:
            if name in PANELS and name in changed.names:
                self.open(name)

    def leave(self, owner: str) -> None:
        """Take away a layout that was brought; nothing happens if it is not there."""
        if not any(entry.owner == owner for entry in self._stack):
            return
        self._take_up()
        self._drop(owner)
        self._show_present()

    def has(self, owner: str) -> bool:
        """Return whether a layout of this owner is there."""
        return any(entry.owner == owner for entry in self._stack)

    def choose(self, name: str) -> None:
        """Use a layout because the user wants it; those of a lesson or a race come back later."""
        self._take_up()
        self._drop(EXAMPLE)
        self._drop(LIST)
        layout = LAYOUTS[name]
        if layout is not self.present or self._stack[-1].owner == CHOSEN:
            self._drop(CHOSEN)
        if layout is not self.present:
            self._keep(self._stack[-1])
            entry = Entry(layout, arrangement=self._own.get(name))
            if len(self._stack) == 1:
                self._stack = [entry]
            else:
                self._stack.append(replace(entry, owner=CHOSEN))
        self._stack[-1].is_hidden = False
        self._show_present()

    def show_panels(self, names: Sequence[str]) -> None:
        """Replace the panels beside the card of a lesson; the last one is in front."""
        self._take_up()
        entry = self._stack[-1]
        entry.panels = tuple(names)
        if entry.arrangement is not None:
            entry.arrangement = views.with_panels(entry.arrangement.only(ANCHORS), names)
        for name in names:
            self.touch(name)
        self.touch(LESSON.name)
        self._fit()

    def set_hidden(self, hidden: bool) -> None:
        """Hide all docks, or show again those that were hidden."""
        self._take_up()
        entry = self._stack[-1]
        entry.is_hidden = hidden
        if not hidden and not self._fitted(self._arrangement).names:
            entry.arrangement = None
        self._fit()

    def reset(self) -> None:
        """Arrange the present layout as it is by itself."""
        self._own.pop(self.present.name, None)
        self._stack[-1].arrangement = None
        self._stack[-1].is_hidden = False
        self._placed = None
        self.recent.clear()
        self._fit()

    def reset_all(self) -> None:
        """Forget all that was changed in layouts, and return to the first one."""
        self._own.clear()
        self._drop(EXAMPLE)
        self._drop(CHOSEN)
        self._stack[0] = Entry(EXPLORE)
        for entry in self._stack:
            entry.arrangement = None
        self.reset()
        self.changed.emit()

    def touch(self, name: str) -> None:
        """Note that a panel has come to the front."""
        if not self._is_placing:
            self.recent = [name, *(other for other in self.recent if other != name)]

    # Sizes.

    @property
    def width_beside_plane(self) -> int:
        """Width of the docks to the left and to the right of the plane, px."""
        if self._placed is None:
            return 0
        return sum(side for key, side in self._sides(self._placed).items() if key in BESIDE)

    def begin_moving(self) -> None:
        """Remember the sizes of docks: the user may be about to change them."""
        self._before = self._placing.read()

    def end_moving(self) -> None:
        """Keep the sizes that the user has given to docks."""
        before, self._before = self._before, None
        if before is None or self._placed is None:
            return
        now, arrangement = self._placing.read(), self._arrangement
        if now == before:
            return
        # A panel that is made later must not bring the old sizes back.
        self._placed = now
        moved = {area: s for area, s in now.shares.items() if s != before.shares.get(area)}
        # Rows that are tabs for lack of room keep their sizes.
        is_whole = now.shape == arrangement.shape
        places = now.places if is_whole else arrangement.places
        self._stack[-1].arrangement = Arrangement(places, {**arrangement.shares, **moved})

    def fit(self) -> None:
        """Adapt the docks to window, document and text size; do nothing before the first show."""
        self._take_up()
        self._fit()

    def _fit(self) -> None:
        if self._is_placing or (not self._window.isVisible() and self._placed is None):
            return
        is_narrow = self._window.width() < active().metrics.px(MIN_DOCKS_WIDTH)
        if is_narrow != self._is_narrow:
            self._is_narrow = is_narrow
            if not self.present.is_brief:
                self._stack[-1].is_hidden = is_narrow
        wanted = self._fitted(self._arrangement)
        self._is_placing = True
        try:
            if self._placed is None or wanted.shape != self._placing.read().shape:
                self._placing.place(wanted)
            self._placed = wanted
        finally:
            self._is_placing = False
        self.resize()

    def resize(self) -> None:
        """Give the docks their shares of the window."""
        if self._placed is not None:
            self._placing.resize(self._placed, self._sides(self._placed), self.height)

    @property
    def max_column(self) -> int:
        """Maximum width that contents of a column may ask for, px."""
        columns = self._placed.columns if self._placed is not None else {}
        return self._room_beside // max(1, sum(len(columns.get(area, ())) for area in BESIDE))

    def _sides(self, arrangement: Arrangement) -> dict[str, int]:
        """Return the widths of the areas beside the plane and the heights of the others, px."""
        window, least = self._window, MIN_COLUMN * active().metrics.base
        sides = {}
        for key in arrangement.columns:
            share = arrangement.shares[key]
            if key in BESIDE:
                sides[key] = max(share * window.width(), least)
            else:
                sides[key] = min(share, MAX_BOTTOM) * window.height()
        # The plane keeps its share, whatever the panels ask for.
        beside = sum(side for key, side in sides.items() if key in BESIDE)
        factor = min(1.0, self._room_beside / beside) if beside else 1.0
        return {key: int(side * (factor if key in BESIDE else 1.0)) for key, side in sides.items()}

    @property
    def _room_beside(self) -> int:
        """Width beside the plane that docks may have, px."""
        tools = sum(bar.sizeHint().width() for bar in self._tools if not bar.isHidden())
        return max(1, int((1.0 - PLANE_SHARE) * self._window.width()) - tools)

    # Storing.

    @property
    def stored(self) -> dict[str, Any]:
        """All that comes back at the next start, as JSON can hold it."""
        self._take_up()
        for entry in self._stack:
            self._keep(entry)
        return {
            "present": self._stack[0].layout.name,
            "hidden": self._stack[0].is_hidden,
            "own": {name: to_json(arrangement) for name, arrangement in self._own.items()},
        }

    def restore(self, stored: Any) -> None:
        """Take what was stored; call it before the window is shown. Nonsense is left out."""
        if not isinstance(stored, dict):
            return
        own = stored.get("own")
        for name, value in (own if isinstance(own, dict) else {}).items():
            arrangement = from_json(value, self._docks)
            if name in LAYOUTS and arrangement is not None:
                self._own[name] = arrangement
        layout = LAYOUTS.get(str(stored.get("present")), EXPLORE)
        entry = Entry(layout, arrangement=self._own.get(layout.name))
        entry.is_hidden = stored.get("hidden") is True
        self._stack = [entry]

    # Internals.

    @property
    def _arrangement(self) -> Arrangement:
        """The arrangement of the present layout, in a window with room for all of it."""
        return self._stack[-1].arrangement or self._usual

    @property
    def _usual(self) -> Arrangement:
        """The arrangement of the present layout if the user has changed nothing."""
        entry, metrics = self._stack[-1], active().metrics
        is_brief = entry.layout.is_brief
        factor = max(metrics.scale, metrics.controls) if is_brief else metrics.controls
        size = self._window.width() / factor, self.height / factor
        arrangement = entry.layout.arrangement_for(self._stage.session.document, *size)
        if entry.layout is EXPLAIN and LESSON.name in entry.panels:
            return beside_card(arrangement)
        return views.with_panels(arrangement, entry.panels)

    def _fitted(self, arrangement: Arrangement) -> Arrangement:
        """Return what of an arrangement fits document and window."""
        if self._stack[-1].is_hidden:
            return Arrangement()
        fitted = views.suited(arrangement, self._stage.session.document)
        min_row = active().metrics.px(self.present.min_row)
        height = self.height
        if fitted.shares.get("bottom", 1.0) * height < active().metrics.px(MIN_BOTTOM):
            fitted = fitted.without_bottom(self.recent, ANCHORS)
        return fitted.merged(height, min_row, self.recent)

    def _show_present(self) -> None:
        entry = self._stack[-1]
        if entry.arrangement is None:
            for name in (entry.layout.front, *entry.panels):
                self.touch(name)
        self.changed.emit()
        self._fit()

    def _keep(self, entry: Entry) -> None:
        """Keep what the user has changed in a layout as its own."""
        if entry.arrangement is not None and entry.keeps:
            self._own[entry.layout.name] = entry.arrangement

    def _drop(self, owner: str) -> None:
        """Remove the layout of an owner, and those that the user has chosen meanwhile."""
        index = next((k for k, entry in enumerate(self._stack) if k and entry.owner == owner), None)
        if index is None:
            return
        for entry in self._stack[index:]:
            if entry.owner in (owner, CHOSEN):
                self._keep(entry)
                self._stack.remove(entry)

    def _take_up(self) -> None:
        """Note what the user has changed by hand since the docks were placed."""
        entry, placed = self._stack[-1], self._placed
        if placed is None or entry.is_hidden or not self._window.isVisible():
            return
        shown, arrangement = self._placing.read(), self._arrangement
        self._placed = shown
        if shown.shape == placed.shape:
            changed = arrangement.with_fronts(shown.fronts)
        elif placed.only(shown.names).shape == shown.shape:
            closed = {
                view for name in set(placed.names) - set(shown.names) for view in views_of(name)
            }
            entry.panels = tuple(name for name in entry.panels if name not in closed)
            changed = arrangement.without(closed).with_fronts(shown.fronts)
        else:
            changed = shown
        if changed != arrangement:
            entry.arrangement = changed

    def _cut_tabs(self, arrangement: Arrangement) -> set[str]:
        """Return the panels that were used longest ago, without which all tabs can be read."""
        kept: set[str] = set()
        sides = self._sides(arrangement)
        for place in arrangement.places:
            whole = sides[place.area] if place.area in BESIDE else self._window.width()
            left = limited(place, MAX_TABS, self.recent, ANCHORS)
            while len(left.names) > 2 and self._tabs_width(left) > place.width * whole:
                left = limited(left, len(left.names) - 1, self.recent, ANCHORS)
            kept.update(left.names)
        return set(arrangement.names) - kept

    def _tabs_width(self, place: Place) -> int:
        """Return the width that a row of tabs needs, px."""
        bar = QTabBar(self._window)
        for name in place.names:
            bar.addTab(self._docks[name].windowTitle())
        bar.setElideMode(Qt.TextElideMode.ElideNone)
        bar.ensurePolished()
        width = bar.sizeHint().width()
        bar.deleteLater()
        return width

    def _on_document(self) -> None:
        """Adapt the panels if others fit the document now."""
        if self._placed is None:
            return
        wanted = self._fitted(self._arrangement).shape
        if wanted != self._suited:
            self._suited = wanted
            self.fit()

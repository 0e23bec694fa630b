"""The main window, which makes its parts, places them and connects them."""

from __future__ import annotations

from PySide6.QtCore import QChildEvent, QEvent, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QKeyEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QMainWindow, QMenu, QTabBar

from svmviz import theme
from svmviz.base.notation import of_keys
from svmviz.document.examples import Example, examples, races
from svmviz.document.ready_races import ready_race_of
from svmviz.panels.controls.advice_bar import AdviceBar
from svmviz.panels.objective.badge_panel import BadgePanel
from svmviz.stage.stage import Stage
from svmviz.tools import PEN, TOOLS
from svmviz.widgets.column import Column
from svmviz.widgets.plain_text import title_of
from svmviz.widgets.tab_order import focus_beside
from svmviz.window.appearance import Appearance
from svmviz.window.bottom_bar import BottomBar
from svmviz.window.docks.docks import Docks
from svmviz.window.docks.settings_column import SettingsColumn
from svmviz.window.edit_commands import EditActions
from svmviz.window.files.desktop import Drops
from svmviz.window.files.exports import Exports
from svmviz.window.files.files import Files
from svmviz.window.files.last_scene import LastScene
from svmviz.window.files.scene_text import SceneText
from svmviz.window.help.help import Help
from svmviz.window.layouts.layouts import EXAMPLE
from svmviz.window.lectures import Lectures
from svmviz.window.lessons import Lessons
from svmviz.window.memory import WindowMemory, first_size
from svmviz.window.menus.actions import (
    Switch,
    edit_actions,
    file_actions,
    help_actions,
    layout_actions,
    model_actions,
    run_actions,
    step_mark_actions,
    view_actions,
)
from svmviz.window.menus.entries import NOT_IN_PRESENTATION, all_entries
from svmviz.window.menus.examples import ExamplesMenu
from svmviz.window.menus.keys_dialog import KeysDialog
from svmviz.window.menus.menus import Menus, Submenus
from svmviz.window.menus.option_menus import ChoiceMenu
from svmviz.window.menus.palette import open_palette
from svmviz.window.menus.recent import RecentMenu
from svmviz.window.messages import Messages, show_about
from svmviz.window.planes import Planes
from svmviz.window.preferences.choices import Preference, choices, start_speed
from svmviz.window.preferences.dialog import PreferencesDialog
from svmviz.window.preferences.key_map import KeyMap
from svmviz.window.presentation.panel_letter import PanelLetters
from svmviz.window.presentation.presentation import Presentation
from svmviz.window.quick_changes import QuickChanges
from svmviz.window.renumbering import RenumberingNotice
from svmviz.window.step_marks import StepMarkCommands
from svmviz.window.theme_change import ThemeChange
from svmviz.window.toolbar import ToolBar
from svmviz.window.type_wheel import TypeWheel
from svmviz.window.typing import Typing

# Said at the first presentation.
FIRST_KEYS = f"Right: next step · Space: play · {of_keys('C')}: larger C · ?: keys · Esc: back"


class MainWindow(QMainWindow):
    """The main window: plane in the middle, tools on the left, panels on the right, play bar below.

    Parameters
    ----------
    stage : Stage
    memory : WindowMemory, optional
        The settings that are kept between sessions. By default, no settings are kept.

    Signals
    -------
    closed : the window is hidden and its threads have ended
    """

    closed = Signal()

    def __init__(self, stage: Stage, memory: WindowMemory | None = None) -> None:
        super().__init__()
        self.stage = stage
        self.memory = memory or WindowMemory(None)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.planes = Planes(stage)
        self.plane = self.planes.main
        self.notice = self.planes.notice
        self.messages = Messages(self, self.notice)
        self.files = Files(self, stage, self.planes, self.memory, self.messages)
        self.last_scene = LastScene(self.files, self.memory)
        self.exports = Exports(stage, self.planes, self.memory, self.messages, self.files)
        self.scene_text = SceneText(self, self.files, self.messages)
        self._renumbering = RenumberingNotice(stage.session, self.messages, self)
        self.quick = QuickChanges(stage, lambda: self.docks.column, self)
        self.quick.changed.connect(self.planes.word.show_word)
        self.edits = EditActions(
            stage.session, self.messages, self.files.tasks, self.scene_text.confirm_and_open, self
        )
        self.help = Help(self, stage, lambda name: self.docks.show(name))
        self.appearance = self._make_appearance()
        self._type_wheel = TypeWheel(self.appearance, self)
        # Parts are made in the order of the Tab key: menus, centre, tools, docks.
        self.menus = self._make_menus()
        self._make_centre()
        self._make_tools()
        self._make_docks()
        self.badge = BadgePanel(stage)
        self.badge.clicked.connect(lambda: self.docks.show("objective"))
        # The menu bar of macOS is outside the window and cannot show the badge.
        self.menuBar().setNativeMenuBar(False)
        self.menuBar().setCornerWidget(self.badge)
        # The menu bar must use the new size.
        self.badge.resized.connect(lambda: self.menuBar().setCornerWidget(self.badge))
        self._typing = Typing(self)
        self._letters: PanelLetters | None = None
        Drops(self, lambda path: self.lessons.open_file(path), self.scene_text.confirm_and_open)
        self._place_bottom()
        # Without this, the first button would have the focus, and Space would press it.
        self.plane.setFocus()
        self.docks.moved.connect(self._place_bottom)
        self.docks.moved.connect(self._show_panels)
        self.files.title_changed.connect(self._show_title)
        self.menus.refresh()
        self._show_title()

    def show_first(self, size: QSize | None = None) -> None:
        """Show the window in ``size``; if None, as in the last session, else to suit the screen."""
        self.docks.layouts.restore(self.memory.get("layouts"))
        folds = self.memory.get("folded")
        if size is not None or not self.memory.restore(self):
            self.resize(size or first_size(theme.chosen().controls))
            folds = {}
        self.docks.fold(folds)
        self.show()

    def use_tool(self, name: str) -> None:
        """Select a tool."""
        self.planes.use_tool(name)
        self.menus.actions[f"tool-{self.planes.tool}"].setChecked(True)

    # Parts.

    def _make_appearance(self) -> Appearance:
        theme_change = ThemeChange(self._fit_type)
        appearance = Appearance(self.memory, theme_change, self)
        appearance.motion_changed.connect(self.stage.playback.set_glides)
        appearance.motion_changed.connect(self.setAnimated)
        appearance.apply_motion()
        return appearance

    def _make_menus(self) -> Menus:
        panels = Switch(lambda: self.docks.layouts.set_hidden(self._has_panels()), self._has_panels)
        second = Switch(self._toggle_picture, lambda: self.presentation.has_second_picture)
        full_screen = Switch(self._toggle_full_screen, self.isFullScreen)
        glide = Switch(self.appearance.toggle_motion, lambda: self.appearance.has_motion)
        explain = Switch(self._toggle_explanation, lambda: self.stage.playback.by_beats)
        marks = StepMarkCommands(self.stage.playback, self, self.planes.word.show_word)
        specs = (
            *file_actions(
                self.files,
                self.exports,
                self.scene_text,
                lambda: self.lectures.add(),
                lambda: self.lectures.open(),
                self.close,
            ),
            *edit_actions(self.edits, self.stage.session, self._show_preferences),
            *model_actions(self.quick, self.stage.session),
            *view_actions(
                self.plane.navigation,
                self.appearance,
                panels,
                full_screen,
                lambda: self.lessons.do_it_yourself(),
                self._present,
                second,
            ),
            *layout_actions(
                lambda: self.stage.view.layout,
                self._choose_layout,
                self._reset_layout,
                explain,
            ),
            *run_actions(self.stage, self.messages, glide, lambda: self.docks.show("race")),
            *step_mark_actions(marks),
            *help_actions(
                self.help,
                self.stage.lesson,
                self._find_command,
                lambda: KeysDialog(self.menus.groups, self, self.presentation.is_on).exec(),
                lambda: self.messages.show_log(self.memory.log_file),
                lambda: self.messages.copy_for_report(self.memory.values),
                lambda: show_about(self),
            ),
        )
        submenus = Submenus(
            recent=RecentMenu(self.memory, self.files, self),
            examples=ExamplesMenu("E&xamples", examples(), self._open_example, self),
            races=ExamplesMenu("Rea&dy races", races(), self._open_race, self),
            panels=QMenu("&Panels", self),
            looks=[
                ChoiceMenu(each.menu, each.options, each.read, each.write, self)
                for each in self._preferences()
                if each.menu
            ],
        )
        submenus.panels.setToolTipsVisible(True)
        return Menus(self, self.stage, specs, submenus, self.use_tool)

    def _make_centre(self) -> None:
        centre = self._centre = Column(gap=0.0)
        self.advice = centre.add(AdviceBar(self.stage))
        centre.add(self.planes, 1)
        self.bottom = BottomBar(self, centre, self.stage)
        self.setCentralWidget(centre)

    def _make_tools(self) -> None:
        others = (self.menus.actions[n] for n in ("undo", "redo", "fit", "clear", "panels"))
        self.toolbar = ToolBar(self.menus.tools.actions(), others)
        self.addToolBar(Qt.ToolBarArea.LeftToolBarArea, self.toolbar)
        self.menus.tool_places.append((self.toolbar, 0))
        self.use_tool(next(iter(TOOLS)))
        self.planes.pen_put_away.connect(lambda: self.use_tool(PEN))

    def _make_docks(self) -> None:
        self.docks = Docks(self, self.stage, self.bottom)
        self.docks.make_settings = self._make_settings
        self.presentation = Presentation(
            self, self.stage, self.planes, self._centre.box, self.docks
        )
        # Ctrl and the wheel change the text size in a presentation too.
        self.presentation.shown.connect(self._type_wheel.watch)
        self.presentation.shown.connect(self._name_keys)
        self.presentation.shown.connect(lambda _screen: self.stage.lecture.begin())
        self.docks.layouts.changed.connect(self._on_layout)
        self.files.replaced.connect(self._leave_example)
        self.stage.playback.beats_switched.connect(self.docks.explain)
        self.lessons = Lessons(self, self.stage, self.files, self.docks, self.messages, self.memory)
        self.lessons.tool_in_use = lambda: self.planes.tool
        self.lectures = Lectures(
            self,
            self.stage,
            self.files,
            self.exports,
            self.docks,
            self.messages,
            self.memory,
        )
        self._connect_settings(self.docks.column)
        self.docks.left.connect(lambda: self.plane.setFocus(Qt.FocusReason.ShortcutFocusReason))
        self.docks.refused.connect(self.messages.notify)
        self.menus.add_panels(self.docks.toggles)
        self.key_map = KeyMap(self.menus.groups, self.memory, self)
        self.key_map.changed.connect(self.menus.show_tool_keys)
        self.menus.show_tool_keys()
        start_speed(self.memory, self.stage.playback)

    def _make_settings(self) -> SettingsColumn:
        """Return a second column of settings, for the presentation: the data last, and folded."""
        column = SettingsColumn(self.stage)
        self._connect_settings(column)
        column.put_last("data")
        return column

    def _connect_settings(self, column: SettingsColumn) -> None:
        column.data.open_requested.connect(self.files.ask_open)
        column.keep_more(self.memory)
        # Qt ends the connection with the column; that of a presentation is deleted after it.
        self.files.title_changed.connect(column.data.show_origin)
        column.data.show_origin(self.files.origin)

    # Actions of the window.

    def _has_panels(self) -> bool:
        """Return whether any dock is shown beside the plane."""
        return not self.docks.layouts.are_hidden

    def _open_example(self, example: Example) -> None:
        """Open an example with its panel and choices there, or with the layout's own panel."""
        if not self._open_scene(example):
            return
        if example.panel:
            self.stage.view.choose(example.choices)
            self.docks.layouts.bring_example(example.panel)
        else:
            self.docks.layouts.show_own()

    def _open_scene(self, example: Example) -> bool:
        """Open the scene of an example with the first tool; return False if it is not opened."""
        if not self.files.open_example(example.path, example.title):
            return False
        self.use_tool(next(iter(TOOLS)))
        return True

    def _leave_example(self) -> None:
        """Take away an example's panel and what explains a step; behind a lesson they stay."""
        if self.stage.lesson.lesson is None:
            self.stage.playback.set_by_beats(False)
            self.docks.layouts.leave(EXAMPLE)

    def _open_race(self, race: Example) -> None:
        """Open a prepared race with its clock, and show its hint in front of the planes."""
        opened = self._open_scene(race)
        ready = ready_race_of(self.stage.session.document)
        if opened and ready is not None:
            self.stage.playback.set_clock(ready.clock)
            self.stage.playback.seek_when_recorded(0)
            self.messages.notify(ready.hint)

    def _toggle_explanation(self) -> None:
        self.stage.playback.set_by_beats(not self.stage.playback.by_beats)

    def _reset_layout(self) -> None:
        """Arrange the layout as at the first start; what explains a step is also taken away."""
        self.docks.reset()
        self.stage.playback.set_by_beats(False)

    def _choose_layout(self, name: str) -> None:
        """Use a layout in which steps are whole."""
        self.stage.playback.set_by_beats(False)
        if name == "lesson":
            self.docks.show(name)
        else:
            self.docks.layouts.choose(name)

    def _on_layout(self) -> None:
        """Hide the tools while a step is explained."""
        self.toolbar.setHidden(self.docks.layouts.present.is_brief or self.isFullScreen())
        self._place_bottom()
        self.menus.refresh()

    def _toggle_full_screen(self) -> None:
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    def _present(self) -> None:
        """Begin the presentation, in which the keys of most actions work too, or end it."""
        if self.presentation.is_on and not self.presentation.has_second_picture:
            self.presentation.end()
        else:
            self.presentation.begin(self._presented_actions())

    def _name_keys(self) -> None:
        """At the first presentation, name its keys until one is pressed."""
        if not self.memory.get("presented") and not self.presentation.has_second_picture:
            self.memory.put("presented", True)
            self.notice.show_text(FIRST_KEYS, stays=True)

    def _toggle_picture(self) -> None:
        """Show a second picture beside the window, or end it."""
        self.presentation.toggle_second_picture(self._presented_actions())

    def _presented_actions(self) -> list[QAction]:
        """Return the actions whose keys work in a presentation too."""
        actions = self.menus.actions.items()
        return [action for name, action in actions if not NOT_IN_PRESENTATION.fullmatch(name)]

    def _preferences(self) -> tuple[Preference, ...]:
        return choices(self.appearance, self.memory, self.stage.playback)

    def _show_preferences(self) -> None:
        dialog = PreferencesDialog(self._preferences(), self.key_map, self.memory, self)
        dialog.reset.clicked.connect(lambda: self.docks.reset(every=True))
        dialog.exec()

    def _find_command(self) -> None:
        frame = self.stage.feed.panel_frame
        show_help = self.help.show
        open_palette(all_entries(self.menuBar(), self.docks, self.lessons.open, show_help, frame))

    # Places.

    def _fit_type(self) -> None:
        """Adapt bars and docks to the size of type and controls."""
        self._place_bottom()
        self.docks.layouts.fit()
        self._fit_badge()

    def _place_bottom(self) -> None:
        gap = theme.active().metrics.space(3)
        tools = self.toolbar.sizeHint().width() * (not self.toolbar.isHidden())
        layouts = self.docks.layouts
        self.bottom.place(tools + layouts.width_beside_plane + gap, layouts.present.is_brief)

    def _fit_badge(self) -> None:
        """Limit the badge's width, because Qt would hide the last menus without enough room."""
        bar = self.menuBar()
        menus = bar.sizeHint().width() - self.badge.width()
        self.badge.keep_within(self.width() - menus)

    def _show_panels(self) -> None:
        layouts = self.docks.layouts
        self.menus.actions["panels"].setChecked(self._has_panels())
        # While a step is explained, the panel in front before it is still the one to return to.
        view, is_brief = self.stage.view, layouts.present.is_brief
        view.show_panels(layouts.present.name, view.panel if is_brief else layouts.front)

    def _show_title(self) -> None:
        self.setWindowTitle(f"{title_of(self.files.name)}[*] — svmviz")
        self.setWindowModified(self.files.is_modified)

    # Events.

    def closeEvent(self, event: QCloseEvent) -> None:
        # Ignored first, so that an exception below cannot close the window and lose changes.
        event.ignore()
        self.presentation.end()
        if self.files.busy or not self.files.may_leave():
            return
        self.files.tasks.finish()
        event.accept()
        try:
            self.appearance.finish()
            self.last_scene.keep()
            self.lectures.keep()
            self.memory.put("folded", self.docks.folds)
            self.memory.put("layouts", self.docks.layouts.stored)
            self.memory.remember(self)
        finally:
            # Docks that are hidden with the window say so after the stage is gone.
            self.docks.moved.disconnect()
            # Closing may wait for a compilation, during which the window must not look frozen.
            self.hide()
            self.stage.close()
            self.closed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.appearance.note_size(event.size())
        self._place_bottom()
        self.docks.layouts.fit()
        self._fit_badge()

    def showEvent(self, event: QShowEvent) -> None:
        # The docks are placed here, because the size of the window is not known before, and Qt
        # leaves stray tab bars if docks are placed twice before they are shown.
        self.docks.layouts.fit()
        super().showEvent(event)
        self._type_wheel.watch(self)
        handle = self.windowHandle()
        if handle is not None and self._letters is None:
            self._letters = PanelLetters(handle, self.stage, self.notice, self)

    def childEvent(self, event: QChildEvent) -> None:
        # ``event.child()`` is called last, because it makes PySide6 load the whole class of the
        # child.
        polished = event.type() == QEvent.Type.ChildPolished
        if polished and isinstance(child := event.child(), QTabBar):
            # Names of panels are never cut; if there are too many, the bar scrolls.
            child.setElideMode(Qt.TextElideMode.ElideNone)
            child.setUsesScrollButtons(True)
        super().childEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange:
            # The shortcuts of hidden menus and tools still work.
            self.menuBar().setHidden(self.isFullScreen())
            self.toolbar.setHidden(self.isFullScreen() or self.docks.layouts.present.is_brief)
            # Without the menu bar the docks have more height. The layout is adapted here, because
            # Qt sends no resize event if the window already has its new size.
            self._place_bottom()
            self.docks.layouts.fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Esc that nothing in the window has used.
        if event.key() == Qt.Key.Key_Escape and self.stage.is_explaining:
            self.stage.playback.set_by_beats(False)
        super().keyPressEvent(event)

    def focusNextPrevChild(self, next: bool) -> bool:
        return focus_beside(self, next)

    def event(self, event: QEvent) -> bool:
        # The window itself is pressed only between docks.
        if event.type() == QEvent.Type.MouseButtonPress:
            self.docks.layouts.begin_moving()
        # Qt would show status tips in the status bar, in front of the transport.
        is_done = event.type() == QEvent.Type.StatusTip or super().event(event)
        if event.type() == QEvent.Type.MouseButtonRelease:
            self.docks.layouts.end_moving()
        return is_done

"""The main window: it makes the parts, puts them in their places, and keeps out of their way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QChildEvent, QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QMainWindow,
    QTabBar,
    QToolBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from svmviz import theme
from svmviz.panels.advice_bar import AdviceBar
from svmviz.panels.badge_panel import BadgePanel
from svmviz.stage.stage import Stage
from svmviz.tools import TOOLS
from svmviz.window.bottom import Bottom
from svmviz.window.docks.docks import Docks, DockSizes
from svmviz.window.edit_actions import EditActions
from svmviz.window.files.files import Files
from svmviz.window.memory import Memory
from svmviz.window.menus.menus import Menus
from svmviz.window.messages import KeysDialog, Messages, show_about
from svmviz.window.planes import Planes
from svmviz.window.theme_change import Dressing
from svmviz.window.typing import Typing

if TYPE_CHECKING:
    from svmviz.window.help.help_window import HelpWindow

# Share of the width and the height of a large screen that the first window has.
FIRST_SHARE = 0.7


class MainWindow(QMainWindow):
    """Plane in the middle, tools on the left, panels on the right, transport below.

    Parameters
    ----------
    stage : Stage
    memory : Memory, optional
        What is remembered between sessions; nothing if not given.

    Signals
    -------
    closed : the window is gone, and nothing of it runs any more
    """

    closed = Signal()

    def __init__(self, stage: Stage, memory: Memory | None = None) -> None:
        super().__init__()
        self.stage = stage
        self.memory = memory or Memory(None)
        self.setAcceptDrops(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.messages = Messages(self)
        self.planes = Planes(stage)
        self.plane = self.planes.main
        self.edits = EditActions(stage.session, self.messages, self)
        self.files = Files(self, stage, self.planes, self.memory, self.messages)
        self.menus = Menus(self)
        self._make_centre()
        self._make_tools()
        self.docks = Docks(self, stage)
        self.badge = BadgePanel(stage)
        # The bar of macOS is not in the window, and shows no badge.
        self.menuBar().setNativeMenuBar(False)
        self.menuBar().setCornerWidget(self.badge)
        self._typing = Typing(_app(), self)
        self._dressing = Dressing(self, self._fit_type)
        self._arranged = False
        self.help: HelpWindow | None = None
        self._place_bottom()
        # Not the first button of the tab order, which Space would press.
        self.plane.setFocus()
        self.docks.moved.connect(self._place_bottom)
        self.docks.moved.connect(self._show_panels)
        self.files.titled.connect(self._show_title)
        self._show_title()

    def show_first(self, size: QSize | None = None) -> None:
        """Show the window where it was the last time, or at a size that suits the screen."""
        self._arranged = size is None and self.memory.restore(self)
        if self._arranged:
            self.docks.column.fold(self.memory.folded)
            self._place_bottom()
        else:
            screen = self.screen().availableSize()
            wished = (QSize(1440, 920) * self.scale).expandedTo(screen * FIRST_SHARE)
            self.resize(size or wished.boundedTo(screen * 0.96))
        self.show()

    # What the actions ask for.

    def use_tool(self, name: str) -> None:
        """Take a tool in hand."""
        self.planes.take(name)
        self.menus.actions[f"tool-{name}"].setChecked(True)

    @property
    def is_dark(self) -> bool:
        """Whether the dark theme is on."""
        return theme.active().theme.is_dark

    @property
    def has_panels(self) -> bool:
        """Whether anything stands beside the plane."""
        return hasattr(self, "docks") and not self.docks.are_away

    @property
    def scale(self) -> float:
        """Projector scale."""
        return theme.active().metrics.scale

    def toggle_dark(self) -> None:
        """Change between light and dark."""
        colours = theme.LIGHT if self.is_dark else theme.DARK
        self.memory.remember_theme(colours.name)
        self._dressing.put_on(colours, self.scale)

    def set_scale(self, scale: float) -> None:
        """Set the projector scale."""
        self.memory.remember_scale(scale)
        self._dressing.put_on(theme.active().theme, scale)

    def toggle_panels(self) -> None:
        """Leave the plane alone in the window, or bring the panels back."""
        self.docks.put_away(not self.docks.are_away)

    def toggle_full_screen(self) -> None:
        """Enter or leave full screen."""
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    def ask_step(self) -> None:
        """Ask for a step (or a reading of another clock) and go there."""
        playback = self.stage.playback
        now, last = playback.player.reading, playback.length
        reading = self.messages.ask_reading(playback.clock, now, last)
        if reading is not None:
            playback.seek(reading)

    def show_help(self, page: str = "") -> None:
        """Open the help beside the plane, at a page or at the one of the method in focus."""
        if self.help is None:
            # Imported here because a start needs no help.
            from svmviz.window.help.help_window import HelpWindow

            self.help = HelpWindow(self)
        lane = min(self.stage.playback.focus, len(self.stage.session.document.methods) - 1)
        self.help.open_at(page or f"method:{self.stage.session.document.methods[lane].name}")

    def show_keys(self) -> None:
        """Show the page of keys."""
        KeysDialog(self).exec()

    def show_about(self) -> None:
        """Show what this is."""
        show_about(self)

    def show_log(self) -> None:
        """Say where the log file is, and show its end."""
        self.messages.show_log(self.memory.log_file)

    # Parts.

    def _make_centre(self) -> None:
        centre = QWidget()
        layout = QVBoxLayout(centre)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self.advice = AdviceBar(self.stage)
        layout.addWidget(self.advice)
        layout.addWidget(self.planes, 1)
        self.bottom = Bottom(self, layout, self.stage)
        self.setCentralWidget(centre)

    def _make_tools(self) -> None:
        self.toolbar = QToolBar("Tools")
        self.toolbar.setObjectName("tools")
        self.toolbar.setMovable(False)
        self.toolbar.setOrientation(Qt.Orientation.Vertical)
        self.toolbar.addActions(self.menus.tools.actions())
        self.toolbar.addSeparator()
        for name in ("undo", "redo", "fit", "clear", "panels"):
            self.toolbar.addAction(self.menus.actions[name])
        self.addToolBar(Qt.ToolBarArea.LeftToolBarArea, self.toolbar)
        # Where not all tools fit, Qt's arrow to the others is 12 px high: the padding of buttons
        # would leave nothing of it.
        more = self.toolbar.findChild(QToolButton, "qt_toolbar_ext_button")
        if more is not None:
            more.setStyleSheet("padding: 0; border: 0;")
            more.setToolTip("More tools")
        self.use_tool(next(iter(TOOLS)))

    def _fit_type(self, sizes: DockSizes, factor: float) -> None:
        """Find a place for everything in type ``factor`` times as large as for docks of sizes."""
        self._place_bottom()
        self.docks.rescale(sizes, factor)
        self.docks.adapt()
        self._fit_badge()

    def _place_bottom(self) -> None:
        # The docks may be narrower for now, but need that much to be read.
        gap = theme.active().metrics.space(3)
        self.bottom.place(self.toolbar.sizeHint().width() + self.docks.beside + gap)

    def _fit_badge(self) -> None:
        """Leave room for all menus: Qt would take away the last ones without a word."""
        bar = self.menuBar()
        menus = bar.sizeHint().width() - self.badge.width()
        if self.badge.keep_within(self.width() - menus):
            # That is how a menu bar is told of another size.
            bar.setCornerWidget(self.badge)

    def _show_panels(self) -> None:
        self.menus.actions["panels"].setChecked(self.has_panels)

    def _show_title(self) -> None:
        self.setWindowTitle(f"{self.files.name}[*] — svmviz")
        self.setWindowModified(self.files.is_modified)

    # What Qt asks for.

    def closeEvent(self, event: QCloseEvent) -> None:
        if self.files.busy or not self.files.may_leave():
            event.ignore()
            return
        self.files.tasks.finish()
        self.memory.remember(self, self.docks.column.folded)
        # The solver's thread may have to compile to the end; nobody has to look at a dead window.
        self.hide()
        self.stage.close()
        event.accept()
        self.closed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_bottom()
        self.docks.adapt()
        self._fit_badge()

    def showEvent(self, event: QShowEvent) -> None:
        # Only now is it known how large the window is; and Qt leaves stray tab bars behind if
        # docks are put in order twice before they are seen.
        if not self._arranged:
            self._arranged = True
            self.docks.arrange()
        super().showEvent(event)

    def childEvent(self, event: QChildEvent) -> None:
        # The child is asked for last: for Python to know one, its whole class has to be made.
        polished = event.type() == QEvent.Type.ChildPolished
        if polished and isinstance(child := event.child(), QTabBar):
            # Names of panels are never cut: where there are many, the bar scrolls.
            child.setElideMode(Qt.TextElideMode.ElideNone)
            child.setUsesScrollButtons(True)
        super().childEvent(event)

    def event(self, event: QEvent) -> bool:
        # What Qt would write into a status bar, over the transport.
        return event.type() == QEvent.Type.StatusTip or super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.StyleChange and hasattr(self, "toolbar"):
            side = theme.active().metrics.icon
            self.toolbar.setIconSize(QSize(side, side))
        super().changeEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            # Not before the drag has ended, for questions may follow.
            QTimer.singleShot(0, self, lambda: self.files.open_asking(paths[0]))


def _app() -> QApplication:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    return app

"""Beginning and end of a presentation: on the screen of the window, or as a second picture."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QBoxLayout, QMainWindow, QWidget
from shiboken6 import isValid

from svmviz.stage.stage import Stage
from svmviz.window.docks.docks import Docks
from svmviz.window.planes import Planes
from svmviz.window.presentation.dialogs import DialogsInFront
from svmviz.window.presentation.screen import KEYS, PresentationScreen
from svmviz.window.presentation.second_picture import SecondPicture

# Time until a new second picture is shown, ms. If another presentation has ended before, the window
# is painted in this time.
DELAY = 30


class Presentation(QObject):
    """The presentation of one window.

    A presentation on the screen of the window shows the planes of the window; the window is hidden
    until the presentation ends. A second picture is a presentation with planes of its own, and the
    window stays visible.

    Parameters
    ----------
    window : QMainWindow
    stage : Stage
    planes : Planes
    centre : QBoxLayout
        The layout to which the planes return.
    docks : Docks
        The panels of the window.

    Attributes
    ----------
    screen : PresentationScreen or None
        None if there is no presentation.

    Signals
    -------
    shown(PresentationScreen)
        A presentation has begun, and its screen is shown.
    """

    shown = Signal(object)

    def __init__(
        self,
        window: QMainWindow,
        stage: Stage,
        planes: Planes,
        centre: QBoxLayout,
        docks: Docks,
    ) -> None:
        super().__init__(window)
        self._window, self._stage, self._planes, self._centre = window, stage, planes, centre
        self._docks = docks
        self.screen: PresentationScreen | None = None
        self._second_picture: SecondPicture | None = None
        # Index of ``planes`` in ``centre``, and the windows besides the main one that the
        # presentation has hidden.
        self._layout_index = 0
        self._hidden_windows: list[QWidget] = []
        # The panel in front when the presentation began, and whether a step was explained.
        self._first_panel, self._explained = "", False
        self._dialogs: DialogsInFront | None = None

    @property
    def is_on(self) -> bool:
        """Whether the presentation is shown."""
        return self.screen is not None

    @property
    def has_second_picture(self) -> bool:
        """Whether the presentation is a second picture, beside the window."""
        return self._second_picture is not None

    def begin(self, actions: Iterable[QAction] = ()) -> None:
        """Fill the screen with the planes; close a second picture first.

        Parameters
        ----------
        actions : iterable of QAction
            Actions of the window. Their keys also work in the presentation, unless the presentation
            uses the same keys.
        """
        if self._second_picture is not None:
            self.end()
        if self.screen is not None:
            return
        self._explained = self._stage.playback.by_beats
        # The keys of a clicker must move through steps, even if a point was chosen by Tab.
        self._planes.main.let_go()
        screen = PresentationScreen(self._stage, self._planes, self._docks)
        # Without a window manager, ``showFullScreen`` keeps the size, so it is set before.
        screen.setGeometry(self._window.screen().geometry())
        screen.side.has_card = True
        self._connect(screen, actions)
        # Making the screen takes about as long as showing it. The event loop runs in between.
        QTimer.singleShot(0, screen, lambda: self._move_planes(screen))

    def toggle_second_picture(self, actions: Iterable[QAction] = ()) -> None:
        """Show a second picture, in place of any other presentation; if it is shown, end it.

        For ``actions`` see :meth:`begin`.
        """
        if self._second_picture is not None:
            self.end()
            return
        self.end()
        self._second_picture = second = SecondPicture(
            self._window, self._stage, self._planes, self._docks, self
        )
        self._connect(second.screen, actions)
        QTimer.singleShot(DELAY, second.screen, lambda: self._show_second_picture(second))

    def end(self) -> None:
        """Return to the window as it was; do nothing if there is no presentation."""
        screen, self.screen = self.screen, None
        if screen is None:
            return
        second, self._second_picture = self._second_picture, None
        if second is not None:
            second.close()
        else:
            if not self._explained:
                self._stage.playback.set_by_beats(False)
            self._return_planes(screen)
        self._window.activateWindow()
        self._planes.main.setFocus()

    def _move_planes(self, screen: PresentationScreen) -> None:
        """Show a new presentation with the planes of the window, unless it has ended already."""
        if self.screen is not screen:
            return
        window = self._window
        self._layout_index = self._centre.indexOf(self._planes)
        self._hidden_windows = _other_windows(window)
        screen.add_content(self._planes)
        self._planes.show()
        screen.showFullScreen()
        screen.watch_mouse()
        screen.activateWindow()
        self._planes.main.setFocus()
        # What was changed in the layout by hand is noted while its docks can be seen.
        self._docks.layouts.fit()
        self._first_panel = self._stage.view.panel
        for other in (window, *self._hidden_windows):
            other.hide()
        self._dialogs = DialogsInFront(window, screen)
        self._docks.elsewhere = screen
        self.shown.emit(screen)

    def _show_second_picture(self, second: SecondPicture) -> None:
        """Show a new second picture, unless it has ended already."""
        if self._second_picture is second:
            second.show()
            self.shown.emit(second.screen)

    def _connect(self, screen: PresentationScreen, actions: Iterable[QAction]) -> None:
        """Let actions work in the presentation, and show the panel in front of the window."""
        self.screen = screen
        own_keys = {key for entry in KEYS for key in entry.keys}
        screen.addActions([action for action in actions if not own_keys & _keys_of(action)])
        screen.leave_requested.connect(self.end)
        screen.side.follow()

    def _return_planes(self, screen: PresentationScreen) -> None:
        """Return the planes to the window, and show all windows that were hidden."""
        screen.side.close_panel()
        # Without ``_dialogs`` the planes have not left the window yet.
        if self._dialogs is not None:
            self._docks.elsewhere = None
            self._planes.return_notice()
            self._centre.insertWidget(self._layout_index, self._planes, 1)
            self._planes.show()
            # Each dock that is shown counts as one that has come to the front. Of a hidden window
            # Qt raises no dock.
            layouts, front = self._docks.layouts, self._stage.view.panel
            recent = list(layouts.recent)
            for window in (self._window, *filter(isValid, self._hidden_windows)):
                window.show()
            layouts.recent = recent
            if front and front != self._first_panel:
                # Later, because Qt has not laid out the tabs yet.
                QTimer.singleShot(0, self._docks, lambda: self._docks.show(front))
            self._hidden_windows = []
            self._dialogs.end()
            self._dialogs = None
        screen.hide()
        screen.deleteLater()


def _keys_of(action: QAction) -> set[str]:
    """Return the keys of an action, in Qt's portable spelling."""
    return {key.toString() for key in action.shortcuts()}


def _other_windows(window: QWidget) -> list[QWidget]:
    """Return the visible windows that belong to a window: such as the help."""
    return [w for w in window.findChildren(QWidget) if w.isWindow() and w.isVisible()]

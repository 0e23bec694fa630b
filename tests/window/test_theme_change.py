"""A change of theme or size reaches all windows, and is never visible in part."""

import pytest
from PySide6.QtCore import QEvent, QObject, QSize
from PySide6.QtWidgets import QApplication, QDockWidget, QWidget

from svmviz import theme
from svmviz.widgets.plain_text import RichLabel
from tests.stages import moons


class Seen(QObject):
    """Notes what the application wears whenever a widget is painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.worn: list[tuple[str, theme.Look]] = []
        widget.installEventFilter(self)

    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:
            self.worn.append((sheet(), theme.active()))
        return False


def sheet() -> str:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    return app.styleSheet()


def is_dressed(look: theme.Look) -> bool:
    return sheet() == theme.stylesheet(look.theme, look.metrics.controls)


@pytest.mark.parametrize(
    "change",
    [
        lambda window: window.appearance.toggle_dark(),
        lambda window: window.appearance.set_base(1.5),
        lambda window: window.appearance.set_scale(2.0),
    ],
    ids=["theme", "size", "type"],
)
def test_nothing_is_painted_half_styled(user, change):
    window = user.window
    # While a run plays, each frame asks for painting.
    window.stage.playback.go_to_start()
    window.stage.playback.play()
    seen = Seen(window.plane)
    change(window)
    look = theme.active()
    user.until(lambda: is_dressed(look))
    count = len(seen.worn)
    # The run may have ended meanwhile.
    window.plane.update()
    user.until(lambda: len(seen.worn) > count)
    for worn, at in seen.worn:
        assert worn == theme.stylesheet(at.theme, at.metrics.controls)
    assert seen.worn[-1][1] is look


def test_the_later_of_two_changes_is_applied(user):
    window = user.window
    window.appearance.set_base(2.0)
    window.appearance.toggle_dark()
    window.appearance.set_base(1.5)
    user.until(lambda: is_dressed(theme.Look(theme.DARK, theme.Metrics(1.0, 1.5))))
    user.rest()
    assert theme.active() == theme.Look(theme.DARK, theme.Metrics(1.0, 1.5))
    assert window.menuBar().font().pixelSize() == theme.Metrics(1.0, 1.5).px(theme.TEXT)
    painted = Seen(window.plane)
    user.key("Home")
    user.until(lambda: painted.worn)


def test_an_invisible_window_is_styled_at_once(user):
    window = user.window
    window.hide()
    window.appearance.toggle_dark()
    assert is_dressed(theme.Look(theme.DARK, theme.Metrics(1.0)))
    window.show()
    painted = Seen(window.plane)
    user.until(lambda: painted.worn)


def test_docks_find_their_places_also_afterwards(user):
    window = user.window
    window.appearance.toggle_dark()
    look = theme.active()
    user.until(lambda: is_dressed(look))
    user.until_still(window.plane)
    docks = {dock.windowTitle(): dock for dock in window.findChildren(QDockWidget)}
    low, before = docks["α values"], docks["α values"].height()
    top = docks["Settings"]
    room = top.height()
    top.setFloating(True)
    user.until(lambda: low.height() >= before + room)
    top.setFloating(False)
    user.until(lambda: low.height() == before)


class StyleChanges(QObject):
    """Counts the changes of style of a widget."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.count = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched, event):
        self.count += event.type() == QEvent.Type.StyleChange
        return False


def test_a_window_with_sizes_of_its_own_is_styled_a_fixed_number_of_times(user):
    window = user.window
    window.appearance.set_scale(2.0)
    window.help.show("method:working-set")
    help_ = window.help.window
    user.until_still(help_)
    assert help_.styleSheet()
    inner = help_.page.findChildren(RichLabel)[-1]
    outer, changes = StyleChanges(window.menuBar()), StyleChanges(inner)
    fitted = []
    help_.follow_style(lambda self: fitted.append(self.styleSheet()))
    del fitted[:]
    window.appearance.toggle_dark()
    assert is_dressed(theme.active())
    # The style sheets of the application and of the help are removed and set.
    assert (outer.count, changes.count) == (2, 4)
    assert fitted == [help_.styleSheet()]
    assert inner.palette().windowText().color().name() == theme.DARK.text.lower()


def test_a_hidden_window_with_sizes_of_its_own_is_styled_when_it_is_shown(user):
    window = user.window
    window.help.show("method:working-set")
    help_ = window.help.window
    user.until_still(help_)
    help_.close()
    fitted = []
    help_.follow_style(lambda self: fitted.append(self.styleSheet()))
    del fitted[:]
    window.appearance.toggle_dark()
    window.appearance.set_scale(2.0)
    assert is_dressed(theme.active())
    assert not fitted
    assert not help_.styleSheet()
    window.help.show("method:working-set")
    assert fitted == [help_.styleSheet()]
    label = help_.page.findChildren(RichLabel)[-1]
    user.until(label.isVisible)
    assert label.font().pixelSize() == 2 * theme.TEXT
    assert label.palette().windowText().color().name() == theme.DARK.text.lower()


def test_a_resize_sets_one_style_sheet_after_it_has_ended(open_window, monkeypatch):
    user = open_window(moons(), size=QSize(1280, 720))
    window = user.window
    sheets = []
    set_look = theme.apply

    def count(*args, **others):
        sheets.append(set_look(*args, **others))

    monkeypatch.setattr(theme, "apply", count)
    for height in range(720, 901, 5):
        window.resize(1500, height)
        QApplication.processEvents()
    assert sheets == []
    user.until(lambda: bool(sheets))
    assert [look.metrics.room for look in sheets] == [1.15]
    assert window.menuBar().font().pixelSize() == 15
    assert (window.appearance.scale, window.appearance.base) == (1.0, 1.0)
    window.appearance.set_scale(2.0)
    assert theme.active().metrics.scale == pytest.approx(2.3)
    window.resize(1280, 720)
    user.until(lambda: theme.active().metrics.scale == 2.0)

"""What a screen reader finds: names, a description of the plane, and announcements."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox, QTabWidget, QWidget

from svmviz.base.announcer import in_words
from svmviz.frames.frame import Frame
from svmviz.plane.in_words import plane_in_words
from svmviz.window.menus.entries import all_entries
from svmviz.window.menus.palette import Palette, open_palette
from tests.window.conftest import settle

ROLE = QAccessible.Role
# What a user acts on or reads: each must have a name.
NAMED = {
    ROLE.Button,
    ROLE.CheckBox,
    ROLE.RadioButton,
    ROLE.ComboBox,
    ROLE.EditableText,
    ROLE.Slider,
    ROLE.SpinBox,
    ROLE.List,
    ROLE.Table,
    ROLE.Tree,
    ROLE.Graphic,
    ROLE.Chart,
    ROLE.PageTab,
    ROLE.MenuItem,
}


@pytest.fixture
def listening(monkeypatch):
    """A screen reader listens, which hears announcements."""
    monkeypatch.setattr("svmviz.base.announcer.are_announcements_heard", lambda: True)
    was_active = QAccessible.isActive()
    QAccessible.setActive(True)
    yield
    QAccessible.setActive(was_active)


def nameless(widget):
    """Return classes and roles of visible parts of a widget that need a name and have none."""
    found, waiting = [], [QAccessible.queryAccessibleInterface(widget)]
    while waiting:
        part = waiting.pop()
        if part is None or not part.isValid():
            continue
        thing = part.object()
        if isinstance(thing, QWidget):
            if not thing.isVisible():
                continue
            # A bar of tabs has none of its own: each tab has one.
            is_bar = part.role() == ROLE.PageTabList
            takes_focus = thing.focusPolicy() != Qt.FocusPolicy.NoFocus
            focusable = takes_focus and thing.focusProxy() is None and not is_bar
            needs = part.role() in NAMED or (focusable and not isinstance(thing, QLabel))
        else:
            needs = part.role() in NAMED
        if needs and not part.text(QAccessible.Text.Name).strip():
            found.append((type(thing).__name__, part.role().name))
        waiting += [part.child(k) for k in range(part.childCount())]
    return found


def test_everything_in_the_window_and_its_panels_has_a_name(user):
    settle(user)
    window = user.window
    assert nameless(window) == []
    for name, dock in window.docks.docks.items():
        if dock.toggleViewAction().isEnabled():
            window.docks.show(name)
            user.until(dock.isVisible)
            user.rest(0.15)
            assert nameless(dock) == [], name


DIALOGS = (
    "open-text",
    "open",
    "save-as",
    "export",
    "print",
    "export-run",
    "preferences",
    "go-to",
    "keys",
    "log",
    "about",
)


@pytest.mark.display
def test_everything_in_the_dialogs_has_a_name(user, answer):
    settle(user)
    window = user.window
    without = {}
    for name in DIALOGS:

        def look(dialog, name=name):
            pages = dialog.findChild(QTabWidget)
            for page in range(pages.count()) if pages is not None else [0]:
                if pages is not None:
                    pages.setCurrentIndex(page)
                without[name, page] = nameless(dialog)
            assert dialog.windowTitle() or isinstance(dialog, QMessageBox)
            user.key("Escape")

        answer(look)
        window.menus.actions[name].trigger()
    assert {name for name, _ in without} == set(DIALOGS)
    assert not any(without.values()), without
    user.wake()
    window.help.show("method:smo")
    assert nameless(window.help.window) == []
    open_palette(
        all_entries(
            window.menuBar(), window.docks, print, print, Frame(window.stage.session.document)
        )
    )
    user.until(QApplication.activePopupWidget)
    assert nameless(QApplication.activePopupWidget()) == []
    user.key("Escape")


@pytest.mark.display
def test_everything_in_the_questions_on_files_has_a_name(user, answer, tmp_path):
    table = tmp_path / "three.csv"
    table.write_text("a,b,c,d\n" + "1,2,3,4\n5,6,7,8\n9,1,2,3\n")
    found = []
    answer(lambda dialog: (found.append(nameless(dialog)), user.key("Escape")))
    user.window.files.confirm_and_open(str(table))
    user.until(lambda: found)
    answer(lambda dialog: (found.append(nameless(dialog)), user.key("Escape")))
    user.window.messages.ask_save("three.csv")
    assert found == [[], []]


def test_the_plane_is_described_in_words(user, listening):
    settle(user)
    stage, plane = user.window.stage, user.window.plane
    plane.setFocus()
    user.until(plane.hasFocus)
    stage.playback.go_to_start()
    user.until(lambda: stage.feed.panel_frame.lane.step == 0)
    # Under the focus the description stays: a screen reader says it again when it changes.
    before = plane.accessibleDescription()
    stage.playback.seek(1)
    user.until(lambda: stage.feed.panel_frame.lane.step == 1)
    assert plane.accessibleDescription() == before
    # When it comes back, it is said as it is then.
    plane.clearFocus()
    user.until(lambda: "Step 1 of" in plane.accessibleDescription())
    stage.playback.go_to_end()
    user.until(lambda: stage.feed.panel_frame.lane.at_end)
    frame = stage.feed.panel_frame
    words = plane_in_words(frame)
    certificate = frame.lane.certificate
    supports = int((np.abs(certificate.alpha) > 0).sum())
    assert f"{frame.document.n} points" in words
    assert f"{supports} support vectors" in words
    assert frame.document.kernel.label in words
    user.until(lambda: plane.accessibleDescription().endswith(words))
    assert len(plane_in_words(frame, brief=True)) < len(words)


def test_signs_that_would_be_left_out_are_announced_as_words():
    assert in_words("α₁: 0 → 9.68; KKT 6.4·10⁻⁶ · error 0\xa0% · 2 % of D") == (
        "α₁: 0 to 9.68; KKT 6.4 times 10 to the −6, error 0 percent, 2 percent of D"
    )
    assert in_words("0 < α < C, E = f − y") == "0 less than α less than C, E equals f − y"


def test_the_palette_says_the_chosen_row(user, listening, monkeypatch):
    settle(user)
    heard = []
    monkeypatch.setattr("svmviz.base.announcer.QAccessibleAnnouncementEvent", lambda _, text: text)
    monkeypatch.setattr(QAccessible, "updateAccessibility", heard.append)
    window = user.window
    open_palette(
        all_entries(
            window.menuBar(), window.docks, print, print, Frame(window.stage.session.document)
        )
    )
    user.until(QApplication.activePopupWidget)
    palette = QApplication.activePopupWidget()
    assert isinstance(palette, Palette)
    palette.field.setText("save as")
    row = palette.list.currentItem()
    assert row is not None
    chosen = row.text(0)
    user.until(lambda: any(str(text).startswith(f"{chosen}, File") for text in heard))
    palette.close()


def test_sentence_badge_and_point_are_announced_once_they_stay(user, listening, monkeypatch):
    settle(user)
    heard = []
    monkeypatch.setattr(
        "svmviz.base.announcer.QAccessibleAnnouncementEvent", lambda speaker, text: text
    )
    monkeypatch.setattr(QAccessible, "updateAccessibility", heard.append)
    stage = user.window.stage
    stage.playback.go_to_start()
    user.until(lambda: stage.feed.panel_frame.lane.step == 0)
    heard.clear()
    stage.playback.seek(1)
    user.until(lambda: stage.feed.panel_frame.lane.step == 1)
    user.until(lambda: any(isinstance(text, str) and "Step 1" in text for text in heard))
    stage.spotlight.highlight(3)
    user.until(lambda: any(isinstance(text, str) and "α" in text for text in heard[-2:]))
    # Steps that come fast are not read out one by one.
    heard.clear()
    for step in (0, 1, 2):
        stage.playback.seek(step)
        user.rest(0.1)
    user.until(lambda: stage.feed.panel_frame.lane.step == 2)
    user.until(lambda: any(isinstance(text, str) and "Step 2" in text for text in heard))
    assert not any(isinstance(text, str) and "Step 1" in text for text in heard)

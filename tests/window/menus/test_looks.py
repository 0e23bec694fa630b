"""Theme, palette and motion are chosen in menus, and stay."""

import pytest

from svmviz.io.settings_store import SettingsStore
from svmviz.theme import active, motion, theme_of
from svmviz.window.appearance import theme_named
from svmviz.window.memory import WindowMemory


def entry(menu, text):
    """The entry of a menu that was opened."""
    menu.aboutToShow.emit()
    return next(action for action in menu.actions() if action.text() == text)


@pytest.fixture
def looks(user):
    titles = ("theme", "palette", "sizes", "motion")
    return dict(zip(titles, user.window.menus.submenus.looks, strict=True))


def test_theme_and_palette_are_chosen_and_kept(user, store, looks):
    entry(looks["theme"], "High contrast, dark").trigger()
    entry(looks["palette"], "Indigo and gold").trigger()
    assert active().theme is theme_of("contrast-dark", "gold")
    assert (store.values.theme, store.values.palette) == ("contrast-dark", "gold")
    assert entry(looks["theme"], "High contrast, dark").isChecked()
    assert entry(looks["palette"], "Indigo and gold").isChecked()
    # Ctrl+D changes neither contrast nor palette.
    user.window.appearance.toggle_dark()
    assert active().theme is theme_of("contrast-light", "gold")
    assert user.window.plane.theme is active().theme
    entry(looks["theme"], "As the system").trigger()
    assert store.values.theme == "system"
    assert active().theme is theme_of(theme_named("system"), "gold")


def test_reduced_motion_lets_nothing_glide(user, store, looks):
    player = user.window.stage.playback.player
    assert player.glides
    assert user.window.isAnimated()
    entry(looks["motion"], "Reduced").trigger()
    assert not player.glides
    assert not user.window.isAnimated()
    assert motion.duration(200) == 0
    assert store.values.motion == "reduced"
    user.window.stage.playback.seek(2)
    user.window.stage.playback.go_on()
    assert not player.may_glide
    entry(looks["motion"], "Full").trigger()
    assert player.glides
    assert motion.duration(200) == 200


def test_a_glide_that_an_earlier_version_has_switched_off_stays_off(tmp_path):
    store = SettingsStore(tmp_path / "settings.json")
    store.set(panels={"glides": False, "folded": []})
    memory = WindowMemory(store)
    assert memory.motion == "reduced"
    memory.remember_motion("full")
    assert WindowMemory(SettingsStore(store.path)).motion == "full"
    assert store.values.panels == {"folded": []}

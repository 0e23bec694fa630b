"""Settings are kept with their types, and are valid for any content of the file."""

import json
import os

import pytest

from svmviz.io import settings_store
from svmviz.io.settings_store import SettingsStore, StoredSettings


@pytest.fixture
def path(tmp_path):
    return tmp_path / "config" / "settings.json"


def test_there_are_defaults_and_no_file_at_first(path):
    assert SettingsStore(path).values == StoredSettings()
    assert not path.exists()


def test_values_come_back_with_their_types(path):
    values = StoredSettings(
        recent=("/a", "/b"),
        folder="/ä",
        geometry="AdnQywAD",
        palette="gold",
        motion="reduced",
        scale=1.5,
        panels={"alpha": {"sorted": True, "width": 12}},
    )
    store = SettingsStore(path)
    store.set(**vars(values))
    assert store.values == values
    assert SettingsStore(path).values == values


def test_changes_of_another_window_stay(path):
    one, other = SettingsStore(path), SettingsStore(path)
    one.set(theme="dark")
    other.set(scale=2.0)
    assert (other.values.theme, other.values.scale) == ("dark", 2.0)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "[" * 100_000, "\0", "{'theme': 'dark'}"])
def test_a_broken_file_is_renamed(path, text, caplog):
    path.parent.mkdir()
    path.write_text(text)
    store = SettingsStore(path)
    assert store.values == StoredSettings()
    assert not path.exists()
    assert path.with_name("settings.json.bak").exists()
    assert "defaults are used" in caplog.text
    store.set(theme="light")
    assert SettingsStore(path).values.theme == "light"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("recent", "/a"),
        ("recent", None),
        ("folder", 3),
        ("geometry", ["AA"]),
        ("theme", "pink"),
        ("theme", ["dark"]),
        ("palette", "pink"),
        ("motion", True),
        ("scale", "2"),
        ("scale", True),
        ("scale", float("nan")),
        ("scale", None),
        pytest.param("scale", 10**400, id="scale-huge"),
        ("panels", []),
        ("unknown", 1),
    ],
)
def test_an_invalid_value_is_replaced_and_the_rest_stays(path, name, value):
    path.parent.mkdir()
    path.write_text(json.dumps({"folder": "/there", "geometry": "AA==", name: value}))
    sound = {"folder": "/there", "geometry": "AA=="}
    sound.pop(name, None)
    values = vars(SettingsStore(path).values)
    assert values == {**vars(StoredSettings()), **sound}


def test_scales_beyond_the_limits_are_clipped(path):
    path.parent.mkdir()
    path.write_text('{"scale": 1e300, "recent": ["/a", 3, "/b"]}')
    values = SettingsStore(path).values
    assert values.scale == settings_store.MAX_SCALE
    assert values.recent == ("/a", "/b")


def test_recent_files(path, tmp_path):
    store = SettingsStore(path)
    files = [tmp_path / f"{number}.csv" for number in range(12)]
    for file in files:
        file.touch()
        store.remember_file(file)
    assert store.recent_files() == files[:1:-1]
    assert store.values.folder == str(tmp_path)
    store.remember_file(files[5])
    assert store.recent_files()[:2] == [files[5], files[11]]
    assert len(store.recent_files()) == 10
    files[11].unlink()
    store.remember_file(files[6])
    assert files[11] not in store.recent_files()
    store.forget_files()
    assert SettingsStore(path).recent_files() == []


def test_deep_values_do_not_keep_others_from_being_saved(path):
    path.parent.mkdir()
    deep = "[" * 600 + "]" * 600
    path.write_text(f'{{"panels": {{"alpha": {deep}}}}}')
    SettingsStore(path).set(theme="dark")
    assert SettingsStore(path).values.theme == "dark"
    assert json.loads(path.read_text())["panels"] == {"alpha": json.loads(deep)}


def test_recent_files_are_absolute(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").touch()
    store = SettingsStore(path)
    store.remember_file("a.csv")
    assert store.recent_files() == [tmp_path / "a.csv"]


def test_a_failure_to_write_is_logged_and_not_raised(path, monkeypatch, caplog):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    store = SettingsStore(path)
    store.set(theme="dark")
    assert store.values.theme == "dark"
    assert "not saved" in caplog.text


def test_a_value_that_json_cannot_hold_is_logged_and_not_raised(path, caplog):
    SettingsStore(path).set(panels={"alpha": object()})
    assert "not saved" in caplog.text


def test_the_default_file_is_the_users(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert "svmviz" in SettingsStore().path.parts


def test_unfinished_files_are_removed(path):
    store = SettingsStore(path)
    store.set(theme="dark")
    stray = path.with_name(".settings.json.0123abcd.svmviz-tmp")
    stray.write_text("{")
    assert SettingsStore(path).values.theme == "dark"
    assert os.listdir(path.parent) == ["settings.json"]


def test_folders_are_those_of_files(path, tmp_path):
    store = SettingsStore(path)
    assert store.folders() == set()
    store.remember_file(tmp_path / "a" / "b.csv")
    store.set(folder=str(tmp_path))
    assert store.folders() == {tmp_path / "a", tmp_path}

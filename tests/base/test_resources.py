"""Assets are found in a checkout and in a wheel."""

from __future__ import annotations

from pathlib import Path

import pytest

from svmviz.base import resources


@pytest.fixture(autouse=True)
def _forget():
    resources.root.cache_clear()
    yield
    resources.root.cache_clear()


def test_finds_files_of_the_checkout():
    assert resources.path("icons/play.svg").read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize("folder", ["svmviz/assets", "assets"])
def test_finds_assets_in_a_wheel_and_beside_the_package(tmp_path, monkeypatch, folder: str):
    (tmp_path / "svmviz").mkdir()
    (tmp_path / folder / "icons").mkdir(parents=True)
    (tmp_path / folder / "icons" / "one.svg").touch()
    monkeypatch.setattr(resources, "_PACKAGE", Path(tmp_path / "svmviz"))
    assert resources.path("icons/one.svg") == tmp_path / folder / "icons" / "one.svg"


def test_says_what_is_missing(tmp_path, monkeypatch):
    with pytest.raises(FileNotFoundError, match="nothing"):
        resources.path("nothing.png")
    monkeypatch.setattr(resources, "_PACKAGE", Path(tmp_path))
    resources.root.cache_clear()
    with pytest.raises(FileNotFoundError, match="no assets"):
        resources.path("icon.svg")

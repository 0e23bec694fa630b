"""The versions that ``svmviz --version`` prints, and the log begins with."""

import platform
from importlib import metadata

import numba
import numpy as np
import PySide6

import svmviz
from svmviz.base.versions import versions


def test_they_are_those_of_the_modules():
    first, second, third = versions().splitlines()
    assert first == f"svmviz {svmviz.__version__}"
    assert second == (
        f"Python {platform.python_version()}, Qt {PySide6.__version__}, "
        f"numpy {np.__version__}, numba {numba.__version__}"
    )
    assert third.endswith(platform.machine())


def test_a_package_without_metadata_is_missing(monkeypatch):
    def refuse(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", refuse)
    assert "Qt missing, numpy missing" in versions()


def test_macos_is_named_as_its_users_know_it(monkeypatch):
    monkeypatch.setattr(platform, "mac_ver", lambda: ("15.1", ("", "", ""), "arm64"))
    assert versions().splitlines()[-1].startswith("macOS 15.1 ")

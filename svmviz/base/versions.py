"""The versions of the program, of what it is built on, and of the system."""

from __future__ import annotations

import platform
from importlib import metadata

from svmviz import __version__

# What the program is built on, and the package that has its version. No package is imported.
_PACKAGES = {"Qt": "PySide6-Essentials", "numpy": "numpy", "numba": "numba"}


def versions() -> str:
    """Return three lines: the program, what it is built on, and the system."""
    found = {"Python": platform.python_version()} | {
        name: _version_of(package) for name, package in _PACKAGES.items()
    }
    built_on = ", ".join(" ".join(pair) for pair in found.items())
    # ``platform.platform()`` is not used, because it starts a process to find the processor.
    mac = platform.mac_ver()[0]
    name = f"macOS {mac}" if mac else f"{platform.system()} {platform.release()}"
    return f"svmviz {__version__}\n{built_on}\n{name} {platform.machine()}"


def _version_of(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "missing"

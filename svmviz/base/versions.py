"""The versions of the program, of what it is built on, and of the system."""

from __future__ import annotations

import platform

from svmviz import __version__

# What the program is built on, and the package that has its version. No package is imported.
_PACKAGES = {"Qt": "PySide6-Essentials", "numpy": "numpy", "numba": "numba"}


def versions() -> str:
    """Return three lines: the program, what it is built on, and the system."""
    program, python, system = at_start()
    packages = [f"{name} {_version_of(package)}" for name, package in _PACKAGES.items()]
    return "\n".join((program, ", ".join([python, *packages]), system))


def at_start() -> tuple[str, str, str]:
    """Return the versions of the program, of Python and of the system, without reading files."""
    # ``platform.platform()`` is not used, because it starts a process to find the processor.
    mac = platform.mac_ver()[0]
    name = f"macOS {mac}" if mac else f"{platform.system()} {platform.release()}"
    system = f"{name} {platform.machine()}"
    return f"svmviz {__version__}", f"Python {platform.python_version()}", system


def _version_of(package: str) -> str:
    # Slow to import: the window does not wait for it.
    from importlib import metadata

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "missing"

"""Registries, and what other packages bring to them by entry points.

A package names its objects in its ``pyproject.toml``::

    [project.entry-points."solvers.methods"]
    frank-wolfe = "frank_wolfe:FrankWolfe"

They are loaded when a registry is first read, and not when this library is imported, so a module of
such a package may itself import this library. What cannot be used is left out, and the log has a
sentence on it.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from typing import Any, Generic, TypeVar

from solvers.errors import BadInput, quote, shorten

# Names of objects of other packages, which are keys of scene files and words on the command line.
LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
log = logging.getLogger(__name__)
# A thread holds this lock while it loads the entry points of a group.
_LOCK = threading.RLock()
_left_out: list[str] = []

T = TypeVar("T")


def left_out() -> tuple[str, ...]:
    """Return a sentence for each object of another package that cannot be used."""
    return tuple(_left_out)


class Group:
    """The entry points of one group, and the registries to which their objects are added.

    Parameters
    ----------
    name : str
        The name of the group, as in ``pyproject.toml``.
    noun : str
        What an object of the group is, in one word.
    name_of : callable(object) -> str
        Returns the name of an object in its registry. It raises BadInput with the reason, as a
        clause, if the object cannot be used.
    """

    def __init__(self, name: str, noun: str, name_of: Callable[[Any], str]) -> None:
        self._name = name
        self._noun = noun
        self._name_of = name_of
        self._registries: list[Registry[Any]] = []
        self._is_loading = False
        self._is_loaded = False

    def registry(
        self, own: Mapping[str, T], belongs: Callable[[Any], bool] = lambda _: True
    ) -> Registry[T]:
        """Return a registry of ``own``, to which loaded objects are added that belong to it."""
        registry = Registry(own, belongs, self)
        self._registries.append(registry)
        return registry

    def load(self) -> None:
        """Load the entry points, once in a process."""
        if self._is_loaded:
            return
        with _LOCK:
            # A module that is being loaded may read a registry. It finds what is there so far.
            if self._is_loading or self._is_loaded:
                return
            self._is_loading = True
            try:
                for entry in _entries_of(self._name):
                    self._add(entry)
            finally:
                self._is_loading, self._is_loaded = False, True

    def _add(self, entry: Any) -> None:
        try:
            found = entry.load()
            name = self._name_of(found)
            if any(name in registry.entries for registry in self._registries):
                raise BadInput(f"another {self._noun} has the name {name}")
        except BadInput as error:
            reason = str(error)
        # Code of another package may raise any error, or end the process.
        except (Exception, SystemExit) as error:
            reason = f"{entry.value} cannot be loaded ({type(error).__name__}: {error})"
        else:
            registry = next(each for each in self._registries if each.belongs(found))
            registry.entries[name] = found
            return
        package = f" of the package {entry.dist.name}" if entry.dist else ""
        title = f"The {self._noun} {quote(entry.name)}{package}"
        sentence = f"{shorten(title, 100)} is left out: {shorten(reason, 200).rstrip('.')}."
        _left_out.append(sentence)
        log.warning("%s", sentence)


class Registry(MutableMapping[str, T], Generic[T]):
    """Objects by name: those of this program, and then those that other packages bring.

    Attributes
    ----------
    entries : dict
        The objects that are loaded so far.
    belongs : callable(object) -> bool
        Whether an object of the group belongs to this registry.
    """

    def __init__(self, own: Mapping[str, T], belongs: Callable[[Any], bool], group: Group) -> None:
        self.entries = dict(own)
        self.belongs = belongs
        self._group = group

    def _loaded(self) -> dict[str, T]:
        self._group.load()
        return self.entries

    def __getitem__(self, name: str) -> T:
        return self._loaded()[name]

    def __setitem__(self, name: str, entry: T) -> None:
        self._loaded()[name] = entry

    def __delitem__(self, name: str) -> None:
        del self._loaded()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._loaded())

    def __len__(self) -> int:
        return len(self._loaded())


def checked_name(name: Any, *, also: str = "") -> str:
    """Return the name of an object of another package.

    Raises
    ------
    BadInput
        If it is no word of small letters, digits, hyphens and the letters of ``also``.
    """
    if not (isinstance(name, str) and name and LETTERS.union(also).issuperset(name)):
        raise BadInput(f"its name {name!r} is no word of small letters, digits and hyphens")
    return name


def checked_texts(owner: Any, *names: str) -> None:
    """Raise BadInput if an attribute of an object of another package is no text, or empty."""
    for name in names:
        if not (isinstance(text := getattr(owner, name, None), str) and text):
            raise BadInput(f"it has no {name}")


def _entries_of(group: str) -> list[Any]:
    if group not in _entry_point_files():
        return []
    # Imported here, since the import takes 35 ms, and most people have no such package.
    from importlib.metadata import entry_points

    return sorted(entry_points(group=group), key=lambda entry: entry.name)


@functools.cache
def _entry_point_files() -> str:
    """Return the text of the files of entry points of all installed packages.

    Reading them takes 2 ms with 97 packages.
    """
    texts = []
    for folder in sys.path:
        # A folder of the path may be missing, or be a file.
        with contextlib.suppress(OSError), os.scandir(folder or ".") as files:
            for file in files:
                if file.name.endswith((".dist-info", ".egg-info")):
                    with contextlib.suppress(OSError, UnicodeDecodeError):
                        path = os.path.join(file.path, "entry_points.txt")
                        with open(path, encoding="utf-8") as text:
                            texts.append(text.read())
    return "\n".join(texts)

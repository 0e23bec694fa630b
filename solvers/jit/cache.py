"""The folder of the machine code. Its name is a hash of everything that the code depends on.

Machine code contains the values of module constants, and numba does not notice a change of a
constant in another file. So the hash covers the text of every module with compiled code, the text
of every module of ``solvers`` that such a module imports, the compiler versions and the processor.

numba's files are pickles, which can run any code when they are read. So a folder is refused if it
belongs to another user, or if other users may write to it.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import re
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from solvers.locks import lock

ROOT = Path(__file__).parents[1]
# Matches the decorators of compiled functions, and so the text of every module with compiled code.
COMPILED = re.compile(r"^@(compiled|inner|called_by_address)", re.MULTILINE)
# Matches the imports of modules of this library.
IMPORT = re.compile(
    r"^\s*from (solvers[\w.]*) import (\([^)]*\)|[^\n]*)|^\s*import (solvers[\w.]*)", re.M
)
PREFIX = "compiled-"
# The folder of another version of the code is removed if no process has used this folder for a
# week; in seconds.
MAX_UNUSED = 7 * 24 * 3600.0
log = logging.getLogger(__name__)
# True if `folder` was called and found no usable folder.
is_refused = False
# 1 within a block of `folder_locked`, otherwise 0.
_blocks = 0


@functools.cache
def folder() -> Path | None:
    """Return the folder of the machine code, or None if no folder can be used."""
    for base in _bases():
        path = base / (PREFIX + key())
        try:
            if not (_make_private(base) and _make_private(path)):
                log.warning("Machine code is not kept in %s: other users may write there.", base)
                continue
            # Write a file, since only this shows for certain whether the folder is writable.
            with tempfile.TemporaryFile(dir=path):
                os.utime(path)
        except OSError:
            continue
        _remove_unused(base, path)
        return path
    global is_refused
    is_refused = True
    log.warning("Machine code cannot be kept, so it is compiled again in every process.")
    return None


def is_compiled(name: str) -> bool:
    """Return whether a function is marked as compiled, so that no process needs to compile it.

    The folder then contains its machine code. The only exception is a function that the second
    process (:mod:`solvers.jit.helper`) could not compile.
    """
    path = folder()
    return path is not None and os.path.exists(path / "done" / name)


def mark_compiled(name: str) -> None:
    """Mark a function as compiled, by an empty file with its name."""
    path = folder()
    if path is not None and not is_compiled(name):
        (path / "done").mkdir(exist_ok=True, mode=0o700)
        (path / "done" / name).touch()


@contextlib.contextmanager
def folder_locked() -> Iterator[None]:
    """Lock the folder within this block; other processes wait until the block ends.

    Without the lock, two processes could compile the same function, or overwrite each other's index
    files of numba. Only one thread may use such blocks; it may nest them.
    """
    global _blocks
    path = folder()
    if path is None or _blocks:
        yield
        return
    with (path / "lock").open("ab") as file:
        lock(file, wait=True)
        _blocks += 1
        try:
            yield
        finally:
            _blocks -= 1


@functools.cache
def key() -> str:
    """Return a hash of all that machine code depends on."""
    # Imported here and not at the top of the file, so that the window starts faster.
    import hashlib
    from importlib.metadata import version

    # numba is not imported here: it would take 0.2 s before the user is told about compiling.
    import llvmlite.binding

    digest = hashlib.sha256()
    for name, text in sorted(sources_of_machine_code(ROOT).items()):
        digest.update(f"{name}\0{text}\0".encode())
    # The hash includes numba's options in the environment, and ROOT: the names of numba's files
    # depend on ROOT.
    options = [f"{k}={v}" for k, v in os.environ.items() if k.startswith("NUMBA_")]
    options = sorted(option for option in options if not option.startswith("NUMBA_CACHE_DIR="))
    versions = [version(package) for package in ("numba", "llvmlite", "numpy")]
    processor = [llvmlite.binding.get_host_cpu_name(), _features()]
    for item in (*versions, sys.implementation.cache_tag, *processor, str(ROOT), *options):
        digest.update(f"{item}\0".encode())
    return digest.hexdigest()[:16]


def sources_of_machine_code(root: Path) -> dict[str, str]:
    """Return the text of each module with compiled code, and of each module that these import."""
    texts = {
        ".".join(("solvers", *path.relative_to(root).with_suffix("").parts)): path.read_text(
            "utf-8"
        )
        for path in root.rglob("*.py")
    }
    imports = {name: set(_imported(text)) & texts.keys() for name, text in texts.items()}
    to_visit = [name for name, text in texts.items() if COMPILED.search(text)]
    visited: set[str] = set()
    while to_visit:
        name = to_visit.pop()
        if name not in visited:
            visited.add(name)
            to_visit += imports[name]
    return {name: texts[name] for name in visited}


def _imported(text: str) -> Iterator[str]:
    """Yield the full names that a module imports, of modules and of objects in modules."""
    for package, names, module in IMPORT.findall(text):
        yield package or module
        yield from (f"{package}.{name}" for name in re.findall(r"\w+", names))


def _features() -> str:
    """Return the features of the processor as text."""
    import llvmlite.binding

    try:
        return llvmlite.binding.get_host_cpu_features().flatten()
    except RuntimeError:
        # llvmlite does not know the features of every processor.
        return ""


def _bases() -> list[Path]:
    """Return the folders that may contain the folder of the machine code, the preferred first."""
    import platformdirs

    chosen = os.environ.get("NUMBA_CACHE_DIR")
    default = platformdirs.user_cache_path("svmviz", appauthor=False)
    return [Path(chosen), default] if chosen else [default]


def _make_private(path: Path) -> bool:
    """Create a folder if it does not exist; return whether only this user may write to it."""
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    return _is_ours(path)


def _is_ours(path: Path) -> bool:
    """Return whether a folder belongs to this user, and only this user may write to it."""
    if not hasattr(os, "getuid"):
        return True
    status = path.stat()
    writable = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return status.st_uid == os.getuid() and not writable and not os.path.islink(path)


def _remove_unused(base: Path, current: Path) -> None:
    for other in base.glob(f"{PREFIX}*"):
        try:
            is_old = time.time() - other.stat().st_mtime > MAX_UNUSED
            if is_old and other != current and _is_ours(other):
                shutil.rmtree(other, ignore_errors=True)
        except OSError:
            continue

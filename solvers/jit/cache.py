"""Where machine code is kept: a folder that is named after all that the code depends on.

Constants of ours are frozen into machine code, and numba does not notice a change in another file.
So the name is a hash of every module that holds compiled code and of every module of ours that one
of them imports, of the versions of the compiler, and of the processor.

numba's files are pickles: who can write them decides what runs. A folder that belongs to another
user, or that others may write to, is refused.
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

ROOT = Path(__file__).parents[1]
# What a module that holds compiled code contains.
COMPILED = re.compile(r"^@(compiled|inlined)", re.MULTILINE)
IMPORT = re.compile(
    r"^\s*from (solvers[\w.]*) import (\([^)]*\)|[^\n]*)|^\s*import (solvers[\w.]*)", re.M
)
PREFIX = "compiled-"
# Folders of other versions are removed when they were not used for this time, s.
UNUSED = 7 * 24 * 3600.0
log = logging.getLogger(__name__)
# Whether every folder was refused; False until that is known.
is_refused = False


@functools.cache
def folder() -> Path | None:
    """Return the folder of the machine code, or None if nothing can be kept."""
    for base in _bases():
        found = base / (PREFIX + key())
        try:
            if not (_make_ours(base) and _make_ours(found)):
                log.warning("Machine code is not kept in %s: other users may write there.", base)
                continue
            # The only honest test of a folder is to write into it.
            with tempfile.TemporaryFile(dir=found):
                os.utime(found)
        except OSError:
            continue
        _remove_unused(base, found)
        return found
    global is_refused
    is_refused = True
    log.warning("Machine code cannot be kept, so it is compiled again in every process.")
    return None


def is_kept(name: str) -> bool:
    """Return whether the machine code of a function is in the folder."""
    kept = folder()
    return kept is not None and (kept / "done" / name).exists()


def note_kept(name: str) -> None:
    """Note that the machine code of a function is in the folder."""
    kept = folder()
    if kept is not None and not is_kept(name):
        (kept / "done").mkdir(exist_ok=True, mode=0o700)
        (kept / "done" / name).touch()


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Keep other processes out of this block that use the same folder: numba's indexes would mix.

    Where files cannot be locked, a function may at worst be compiled twice.
    """
    kept = folder()
    try:
        import fcntl
    except ImportError:
        kept = None
    if kept is None:
        yield
        return
    with (kept / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@functools.cache
def key() -> str:
    """Return a hash of all that machine code depends on."""
    # Imported late: these take a large part of the start of a window that does not solve yet.
    import hashlib

    import llvmlite
    import llvmlite.binding
    import numba
    import numpy as np

    digest = hashlib.sha256()
    for name, text in sorted(sources_of_machine_code(ROOT).items()):
        digest.update(f"{name}\0{text}\0".encode())
    # numba's own options, from the environment; and its files are named after the sources' folder.
    options = [f"{k}={v}" for k, v in os.environ.items() if k.startswith("NUMBA_")]
    options = sorted(one for one in options if not one.startswith("NUMBA_CACHE_DIR="))
    versions = [numba.__version__, llvmlite.__version__, np.__version__]
    processor = [llvmlite.binding.get_host_cpu_name(), _features()]
    for part in (*versions, sys.implementation.cache_tag, *processor, str(ROOT), *options):
        digest.update(f"{part}\0".encode())
    return digest.hexdigest()[:16]


def sources_of_machine_code(root: Path) -> dict[str, str]:
    """Return names and texts of the modules with compiled code, and of all of ours they import."""
    texts = {
        ".".join(("solvers", *path.relative_to(root).with_suffix("").parts)): path.read_text(
            "utf-8"
        )
        for path in root.rglob("*.py")
    }
    imports = {name: set(_imported(text)) & texts.keys() for name, text in texts.items()}
    ahead = [name for name, text in texts.items() if COMPILED.search(text)]
    reached: set[str] = set()
    while ahead:
        name = ahead.pop()
        if name not in reached:
            reached.add(name)
            ahead += imports[name]
    return {name: texts[name] for name in reached}


def _imported(text: str) -> Iterator[str]:
    """Return the names that a module imports; a name is a module or something in one."""
    for package, names, module in IMPORT.findall(text):
        yield package or module
        yield from (f"{package}.{name}" for name in re.findall(r"\w+", names))


def _features() -> str:
    import llvmlite.binding

    try:
        return llvmlite.binding.get_host_cpu_features().flatten()
    except RuntimeError:
        # Not known for every processor.
        return ""


def _bases() -> list[Path]:
    import platformdirs

    given = os.environ.get("NUMBA_CACHE_DIR")
    own = platformdirs.user_cache_path("svmviz", appauthor=False)
    return [Path(given), own] if given else [own]


def _make_ours(found: Path) -> bool:
    """Make a folder if there is none; return whether only this user may write to it."""
    found.mkdir(parents=True, exist_ok=True, mode=0o700)
    return _is_ours(found)


def _is_ours(found: Path) -> bool:
    """Return whether a folder belongs to this user, and only this user may write to it."""
    if not hasattr(os, "getuid"):
        return True
    about = found.stat()
    writable = about.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return about.st_uid == os.getuid() and not writable and not found.is_symlink()


def _remove_unused(base: Path, used: Path) -> None:
    for other in base.glob(f"{PREFIX}*"):
        try:
            old = time.time() - other.stat().st_mtime > UNUSED
            if old and other != used and _is_ours(other):
                shutil.rmtree(other, ignore_errors=True)
        except OSError:
            continue

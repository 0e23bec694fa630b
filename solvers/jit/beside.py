"""Compiling on a second processor: a process beside this one takes over functions.

numba compiles one function after the other, however many processors there are. What a method needs
compiled apart (``Method.parts``) is known beforehand, so while this process compiles the method's
step, the other one compiles those parts. Both keep machine code in the same folder, where this one
finds what the other has done. Whoever is free takes the next part; whatever goes wrong over there,
this process compiles by itself.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
import queue
import sys
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from solvers.jit import compiled
from solvers.jit.separate import Apart

if TYPE_CHECKING:
    import subprocess

# Seconds between two looks whether the other process is still there.
LOOK = 0.05


class Beside:
    """A process that compiles parts, and who has which of them."""

    def __init__(self, parts: Iterable[Apart]) -> None:
        self._open = deque(parts)
        self._changed = threading.Condition()
        self._there: Apart | None = None
        self._process = _start()
        self._feeder = threading.Thread(target=self._feed, name="compile beside", daemon=True)
        self._feeder.start()

    def wait_for(self, part: Apart) -> None:
        """Return when the other process is not at this part; meanwhile, compile others."""
        while True:
            with self._changed:
                if part in self._open:
                    self._open.remove(part)
                if self._there is not part:
                    return
                # The other process takes them from the left.
                spare = self._open.pop() if self._open else None
                if spare is None:
                    self._changed.wait(LOOK)
            if spare is not None:
                spare.compile()

    def close(self) -> None:
        """End the process, wherever it is."""
        with self._changed:
            self._open.clear()
        self._process.kill()
        self._feeder.join()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _feed(self) -> None:
        """Hand over one part after the other, and hear that it is done."""
        orders, answers = self._process.stdin, self._process.stdout
        assert orders is not None
        assert answers is not None
        try:
            while answers.readline():
                with self._changed:
                    self._there = self._open.popleft() if self._open else None
                    self._changed.notify_all()
                if self._there is None:
                    return
                orders.write(f"{self._there.address}\n")
                orders.flush()
        except (OSError, ValueError):
            pass
        finally:
            with self._changed:
                self._there = None
                self._changed.notify_all()


@contextlib.contextmanager
def compiling_beside(parts: tuple[Apart, ...]) -> Iterator[None]:
    """In this block, have a second process help, if parts are missing and a processor is there."""
    missing = [part for part in parts if not part.is_kept]
    # One process for one part would be up when that part is done.
    if len(missing) < 2 or Apart.beside is not None or not _may():
        yield
        return
    try:
        beside = Beside(missing)
    except OSError:
        yield
        return
    Apart.beside = beside
    try:
        yield
    finally:
        Apart.beside = None
        beside.close()


def _may() -> bool:
    """Whether there is a second processor, and a Python that can be started."""
    ours = getattr(os, "sched_getaffinity", None)
    processors = len(ours(0)) if ours else os.cpu_count() or 1
    return processors > 1 and bool(sys.executable) and not getattr(sys, "frozen", False)


def _start() -> subprocess.Popen[str]:
    import subprocess

    folder = str(compiled.cache_folder())
    # -P: the folder one happens to be in is no place to import from.
    paths = [str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
    return subprocess.Popen(
        [sys.executable, "-P", "-c", "from solvers.jit.beside import serve; serve()", folder],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def serve() -> None:
    """What the second process does: a line when it is free, and the part it is then told."""
    # The folder may be one that was made for the process that asks.
    compiled.cache_folder = functools.cache(lambda: Path(sys.argv[1]))
    orders: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(orders,), daemon=True).start()
    while True:
        sys.stdout.write("free\n")
        sys.stdout.flush()
        module, name = orders.get().split()
        # Who asked compiles it too, and says what is wrong with it.
        with contextlib.suppress(Exception):
            getattr(importlib.import_module(module), name).compile()


def _listen(orders: queue.SimpleQueue[str]) -> None:
    for line in sys.stdin:
        orders.put(line)
    # Nobody is there any more: not even what is being compiled is wanted.
    os._exit(0)

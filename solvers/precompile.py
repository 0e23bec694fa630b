"""The process that compiles for another one: ``python -m solvers.precompile [everything]``.

It reads function names from standard input, and compiles the newest request first. It ends when its
input ends, since then the program that sends the requests has ended. With ``everything`` it also
compiles all other functions, the most used first, and ends after the last one.
"""

from __future__ import annotations

import contextlib
import gc
import logging
import os
import signal
import sys
import threading
import time
from collections import deque

from solvers.jit import cache
from solvers.jit.compiled import FUNCTIONS, Compiled
from solvers.jit.helper import EVERYTHING
from solvers.registry import METHODS

NICE = 10
# Compiled first, since every picture needs them.
FIRST = ("solvers.kernels.evaluator.combine",)
# Pause between two functions, in which another process can take the lock, s.
LOCK_PAUSE = 0.005
log = logging.getLogger(__name__)


def main() -> None:
    """Compile until the input ends, or until everything is compiled."""
    # Ctrl+C reaches this process too, but is meant for the requesting program.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The garbage collector would scan a million objects of the compiler and free none.
    gc.disable()
    queue: deque[str] = deque()
    changed = threading.Condition()
    threading.Thread(target=_listen, args=(queue, changed), daemon=True).start()
    if EVERYTHING in sys.argv[1:]:
        threading.Thread(target=_compile_everything, args=(queue,), daemon=True).start()
    while True:
        with changed:
            while not queue:
                changed.wait()
            name = queue[0]
        compile_named(name)
        # The name stays in the queue until it is compiled, so that the other thread waits.
        with changed, contextlib.suppress(ValueError):
            queue.remove(name)


def _compile_everything(queue: deque[str]) -> None:
    """Compile all functions at low priority, while nothing is requested."""
    # On Linux each thread has its priority; elsewhere only the process has one.
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
    elif hasattr(os, "nice"):
        os.nice(NICE)
    for name in in_order():
        while queue:
            time.sleep(LOCK_PAUSE)
        compile_named(name)
        time.sleep(LOCK_PAUSE)
    cache.note_kept(EVERYTHING)
    # A return would not end the process, because another thread is still reading.
    os._exit(0)


def in_order() -> list[str]:
    """Return the names of all functions with machine code of their own, the most used first."""
    entries = [FUNCTIONS[name] for name in FIRST]
    for method in METHODS.values():
        room = method.__module__.rpartition(".")[0]
        entries += [one for one in FUNCTIONS.values() if one.name.startswith(f"{room}.")]
    entries += FUNCTIONS.values()
    found: dict[str, None] = {}
    for entry in entries:
        if entry.has_machine_code:
            found.update(dict.fromkeys(one.name for one in entry.needs))
    return list(found)


def compile_named(name: str) -> None:
    """Compile a function, unless another process has done so."""
    function = FUNCTIONS.get(name)
    if not isinstance(function, Compiled):
        return
    with cache.folder_locked():
        if not cache.is_kept(name):
            try:
                function.load()
            except Exception:
                log.exception("%s cannot be compiled", name)
                # The process that sent the request compiles the function itself, and reports the
                # error.
                cache.note_kept(name)


def _listen(queue: deque[str], changed: threading.Condition) -> None:
    for line in sys.stdin:
        with changed:
            queue.extendleft(reversed(line.split()))
            changed.notify()
    # Exit at once: a function that is being compiled is no longer needed.
    os._exit(0)


if __name__ == "__main__":
    main()

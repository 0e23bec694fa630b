"""The process that compiles for another one: ``python -m solvers.precompile [everything]``.

It reads names of functions from its input, compiles the newest request first, and ends when its
input ends: the program that requests is gone then. With ``everything`` it also compiles all
functions, the most used first, and ends when that is done.
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
# Every picture needs these; the methods' functions follow.
FIRST = ("solvers.kernels.evaluator.combine",)
# Time in which another process can take the lock, s.
TURN = 0.005
log = logging.getLogger(__name__)


def main() -> None:
    """Compile until the input ends, or until everything is compiled."""
    # Ctrl+C is for the program that requests.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The garbage collector would scan a million objects of the compiler, and free none.
    gc.disable()
    wanted: deque[str] = deque()
    changed = threading.Condition()
    threading.Thread(target=_listen, args=(wanted, changed), daemon=True).start()
    if EVERYTHING in sys.argv[1:]:
        threading.Thread(target=_compile_everything, args=(wanted,), daemon=True).start()
    while True:
        with changed:
            while not wanted:
                changed.wait()
            name = wanted[0]
        compile_kept(name)
        # It stays in the queue until it is compiled, so that the other thread waits.
        with changed, contextlib.suppress(ValueError):
            wanted.remove(name)


def _compile_everything(wanted: deque[str]) -> None:
    """Compile all functions at low priority, while nothing is requested."""
    # On Linux a priority belongs to the thread; elsewhere it is that of the process.
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
    elif hasattr(os, "nice"):
        os.nice(NICE)
    for name in in_order():
        while wanted:
            time.sleep(TURN)
        compile_kept(name)
        time.sleep(TURN)
    cache.note_kept(EVERYTHING)
    # Returning would not end the process: another thread is reading.
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


def compile_kept(name: str) -> None:
    """Compile a function, unless another process has done so."""
    function = FUNCTIONS.get(name)
    if not isinstance(function, Compiled):
        return
    with cache.alone():
        if not cache.is_kept(name):
            try:
                function.load()
            except Exception:
                log.exception("%s cannot be compiled", name)
                # The process that asked compiles it itself, and reports what is wrong.
                cache.note_kept(name)


def _listen(wanted: deque[str], changed: threading.Condition) -> None:
    for line in sys.stdin:
        with changed:
            wanted.extendleft(reversed(line.split()))
            changed.notify()
    # What is being compiled is no longer needed either.
    os._exit(0)


if __name__ == "__main__":
    main()

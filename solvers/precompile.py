"""The process that compiles for another one: ``python -m solvers.precompile [everything]``.

The process reads names of functions from standard input, and compiles the functions of the newest
request first. It ends when its input ends, because then the requesting program has ended. With the
argument ``everything`` it also compiles all other functions, the most used first, while no request
waits, and ends after the last function.
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

# Priority of the thread that compiles functions without a request: 0 is normal, 19 is the lowest.
NICE = 10
# With the argument `everything`, these functions are compiled first: every picture needs them.
FIRST = ("solvers.kernels.evaluator.combine",)
# Pause of the thread that compiles functions without a request, in seconds. It pauses after each
# function, and again and again while requests wait. During a pause another thread or process can
# lock the folder of the machine code.
LOCK_PAUSE = 0.005
log = logging.getLogger(__name__)


def main() -> None:
    """Compile until the input ends, or until everything is compiled."""
    # Ctrl+C reaches this process too, but is meant for the requesting program.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The garbage collector would scan a million objects of the compiler and free none of them.
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
        # The name is removed only after its function is compiled, since the thread that compiles
        # everything waits while the queue contains a name.
        with changed, contextlib.suppress(ValueError):
            queue.remove(name)


def _compile_everything(queue: deque[str]) -> None:
    """Compile all functions at low priority, while nothing is requested."""
    # On Linux each thread has a priority of its own. On other systems only the process has one.
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
    elif hasattr(os, "nice"):
        os.nice(NICE)
    for name in names_in_order():
        while queue:
            time.sleep(LOCK_PAUSE)
        compile_named(name)
        time.sleep(LOCK_PAUSE)
    cache.mark_compiled(EVERYTHING)
    # A return would not end the process, because the main thread waits for requests.
    os._exit(0)


def names_in_order() -> list[str]:
    """Return the names of all functions that have their own machine code, the most used first."""
    entries = [FUNCTIONS[name] for name in FIRST]
    for method in METHODS.values():
        package = method.__module__.rpartition(".")[0]
        entries += [entry for entry in FUNCTIONS.values() if entry.name.startswith(f"{package}.")]
    entries += FUNCTIONS.values()
    # A dictionary keeps the order of first insertion.
    names: dict[str, None] = {}
    for entry in entries:
        if entry.has_machine_code:
            names.update(dict.fromkeys(needed.name for needed in entry.needs))
    return list(names)


def compile_named(name: str) -> None:
    """Compile the function of this name, unless its machine code is already on disk."""
    function = FUNCTIONS.get(name)
    if not isinstance(function, Compiled):
        return
    with cache.folder_locked():
        if not cache.is_compiled(name):
            try:
                function.load()
            except Exception:
                log.exception("%s cannot be compiled", name)
                # Marked as compiled, so that the requesting process stops waiting. That process
                # then compiles the function itself and reports the error.
                cache.mark_compiled(name)


def _listen(queue: deque[str], changed: threading.Condition) -> None:
    for line in sys.stdin:
        with changed:
            queue.extendleft(reversed(line.split()))
            changed.notify()
    # Exit at once, since no function is needed any more.
    os._exit(0)


if __name__ == "__main__":
    main()

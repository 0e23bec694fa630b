"""The process that compiles for another one: ``python -m solvers.precompile [everything]``.

A request is the name of a function, and is answered when the function is compiled. With the
argument ``everything`` the process also compiles all other functions, the most used first, as long
as there is no request. It ends after the last function.
"""

from __future__ import annotations

import gc
import logging
import math
import os
import sys
import threading
import time

from solvers.cancelling import Report
from solvers.jit import cache
from solvers.jit.compiled import FUNCTIONS
from solvers.jit.helper import EVERYTHING
from solvers.processes import NICE, answer_requests, lower_thread_priority
from solvers.registry import METHODS

# With the argument `everything`, these functions are compiled first: every picture needs them.
FIRST = ("solvers.kernels.evaluator.combine", "solvers.kernels.evaluator.rbf_rows")
# Functions are compiled without a request if there has been none for this time, in seconds: a run
# requests several functions, one after the other.
QUIET_TIME = 0.5
# Time between two checks whether functions may be compiled without a request, in seconds.
CHECK_INTERVAL = 0.02
# From this time on functions may be compiled without a request; infinity while one is answered.
_quiet_from = time.monotonic() + QUIET_TIME
log = logging.getLogger(__name__)


def main() -> None:
    """Compile until the input ends, or until everything is compiled."""
    # The garbage collector would scan a million objects of the compiler and free none of them.
    gc.disable()
    if EVERYTHING in sys.argv[1:]:
        threading.Thread(target=_compile_everything, daemon=True).start()
    answer_requests(_answer)


def _answer(name: str, _: Report) -> None:
    global _quiet_from
    _quiet_from = math.inf
    compile_named(name)
    _quiet_from = time.monotonic() + QUIET_TIME


def _compile_everything() -> None:
    """Compile all functions at low priority."""
    lower_thread_priority()
    if sys.platform != "linux" and hasattr(os, "nice"):
        os.nice(NICE)
    for name in names_in_order():
        while time.monotonic() < _quiet_from:
            time.sleep(CHECK_INTERVAL)
        compile_named(name)
        # Another thread or process may begin to compile now.
        time.sleep(CHECK_INTERVAL)
    cache.mark_compiled(EVERYTHING)
    # A return would not end the process, because the main thread waits for requests.
    os._exit(0)


def names_in_order() -> list[str]:
    """Return the names of all functions that are stored on disk for callers, the most used first.

    Functions that only compiled functions call are compiled with their callers.
    """
    names: list[str] = list(FIRST)
    for method in METHODS.values():
        package = method.__module__.rpartition(".")[0]
        names += [name for name in FUNCTIONS if name.startswith(f"{package}.")]
    names += list(FUNCTIONS)
    # A dictionary keeps the order of first insertion.
    return [name for name in dict.fromkeys(names) if FUNCTIONS[name].is_entry]


def compile_named(name: str) -> None:
    """Compile the function of this name, unless its machine code is already on disk."""
    function = FUNCTIONS.get(name)
    if function is None:
        return
    if not cache.is_compiled(name):
        try:
            function.load()
        except Exception:
            # The requesting process then compiles the function itself, and reports the error.
            log.exception("%s cannot be compiled", name)


if __name__ == "__main__":
    main()

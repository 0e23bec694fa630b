"""Few arenas of memory."""

import platform
import subprocess
import sys

import pytest

from svmviz.app.arenas import MAX_ARENAS

# Six threads allocate at the same time; then glibc describes its arenas, which it calls heaps.
PROGRAM = """
import ctypes, sys, threading
from svmviz.app.arenas import limit_arenas
if sys.argv[1] == "limited":
    limit_arenas()
library = ctypes.CDLL(None)
library.malloc.restype = library.fdopen.restype = ctypes.c_void_p
together = threading.Barrier(6)
def allocate():
    together.wait()
    library.malloc(1000)
    together.wait()
threads = [threading.Thread(target=allocate) for _ in range(6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
stream = ctypes.c_void_p(library.fdopen(1, b"w"))
library.malloc_info(0, stream)
library.fflush(stream)
"""


def arenas(how: str) -> int:
    """Return the number of arenas of a program with six threads."""
    arguments = [sys.executable, "-c", PROGRAM, how]
    result = subprocess.run(arguments, capture_output=True, text=True, check=True)
    return result.stdout.count("<heap nr=")


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="needs glibc")
def test_threads_share_a_few_arenas():
    assert arenas("default") > MAX_ARENAS
    assert 1 <= arenas("limited") <= MAX_ARENAS

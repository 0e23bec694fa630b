"""The start and the end of another Python process, which reads requests from its standard input."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from subprocess import Popen


def start_python(
    module: str,
    arguments: Sequence[str] = (),
    variables: Mapping[str, str] | None = None,
    answers: bool = True,
) -> Popen[str]:
    """Start ``python -m module``.

    The process must end when its standard input ends, because then this program has ended. What it
    writes to standard error is lost.

    Parameters
    ----------
    module : str
        A module of `solvers` or `svmviz`.
    arguments : sequence of str
        The arguments of the module.
    variables : mapping of str to str, optional
        Environment variables that differ from those of this process.
    answers : bool
        Whether this program reads the standard output of the process.

    Raises
    ------
    OSError
        If the process cannot be started.
    """
    # Imported here, since the import takes 5 ms when the window starts.
    import subprocess

    if not sys.executable or getattr(sys, "frozen", False):
        raise OSError("There is no interpreter that could run a module.")
    paths = [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    # Flags that exist only on Windows.
    flags = ("CREATE_NO_WINDOW", "BELOW_NORMAL_PRIORITY_CLASS")
    return subprocess.Popen(
        # With -P, Python does not import modules from the current folder.
        [sys.executable, "-P", "-m", module, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE if answers else subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        errors="replace",
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, paths)),
            **(variables or {}),
        },
        creationflags=sum(getattr(subprocess, flag, 0) for flag in flags),
    )


def end_process(process: Popen[str]) -> None:
    """Kill a process of `start_python`, wait for its end, and close its standard input."""
    process.kill()
    process.wait()
    if process.stdin is not None:
        # Closing writes what the process has not read, which fails.
        with contextlib.suppress(OSError):
            process.stdin.close()

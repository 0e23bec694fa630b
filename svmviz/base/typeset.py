"""Typesetting of formulas; the window lets another process do it.

Typesetting a formula takes some tens of milliseconds, too long for the GUI thread. ziamath is pure
Python, so in another thread it would hold the interpreter lock, and delay the window. Therefore the
window has a process that typesets formulas (`typesetting_elsewhere`), and a thread only waits for
its answers. Results are cached.
"""

from __future__ import annotations

import contextlib
import functools
import logging
from collections.abc import Callable, Iterator, Sequence

from solvers.processes import Child, ChildEnded
from svmviz.base.background import Worker
from svmviz.base.latex import Typeset, typeset_line

# The module that the process runs.
PROGRAM = "svmviz.base.latex"
# The process of the current block of `typesetting_elsewhere`; None outside such a block.
_child: Child | None = None
# The jobs of the thread for formulas, by their owners. There is one thread, since one process
# answers; more would only wait for each other.
# Not an OrderedDict: while a job is put into it, garbage may be collected, and the other thread
# would find it half changed. The operations on a dict are whole.
_jobs: dict[int, Callable[[], None]] = {}
_worker = Worker("svmviz-formulas")
log = logging.getLogger(__name__)


@contextlib.contextmanager
def typesetting_elsewhere() -> Iterator[None]:
    """Let another process typeset the formulas that are requested within this block."""
    global _child
    previous, child = _child, Child(PROGRAM)
    _child = child
    try:
        yield
    finally:
        child.close()
        _child = previous


@functools.lru_cache(maxsize=1000)
def typeset(latex: str) -> Typeset:
    """Typeset one line of LaTeX, without dollar signs, and wait for the result."""
    # Another thread may end the block of `typesetting_elsewhere` at any time.
    child = _child
    if child is not None:
        with contextlib.suppress(ChildEnded):
            fields = child.ask(latex)
            if fields is not None:
                return Typeset(*fields)
    return typeset_line(latex)


def typeset_lines(lines: Sequence[str]) -> tuple[Typeset, ...]:
    """Typeset several lines, and wait for the results; return none if a line is not LaTeX."""
    try:
        return tuple(typeset(line) for line in lines)
    except Exception:
        log.exception("A formula cannot be typeset")
        return ()


def typeset_later(owner: object, job: Callable[[], None]) -> None:
    """Do a job that typesets, in the thread for formulas, after the jobs of other owners.

    It replaces an earlier job of the same owner that has not begun.
    """
    _jobs[id(owner)] = job
    _worker.do(_do_jobs)


def _do_jobs() -> None:
    while (owners := list(_jobs)) and not _worker.is_unwanted():
        _jobs.pop(owners[0])()

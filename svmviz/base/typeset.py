"""Typesetting of formulas; the window lets another process do it.

Typesetting a formula takes some tens of milliseconds, too long for the GUI thread. ziamath is pure
Python, so in another thread it would hold the interpreter lock, and delay the window. Therefore the
window has a process that typesets formulas (`typesetting_elsewhere`), and a thread only waits for
its answers. Results are cached.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator, Sequence

from solvers.processes import Child, ChildEnded
from svmviz.base.latex import Typeset, typeset_line

# The module that the process runs.
PROGRAM = "svmviz.base.latex"
# The process of the current block of `typesetting_elsewhere`; None outside such a block.
_child: Child | None = None


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
    """Typeset several lines, and wait for the results."""
    return tuple(typeset(line) for line in lines)

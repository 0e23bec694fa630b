"""The program: ``svmviz`` and ``python -m svmviz``."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

# Set before numpy is loaded: a second BLAS thread beside a busy solver makes a matrix product for
# the field take 36 ms instead of 1.5. Only the program sets it, since a library must not decide it.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line as a process of its own, and return the exit code.

    From its first line to its last, this function decides what Ctrl+C does. Code that handles
    Ctrl+C itself calls :func:`svmviz.cli.main` instead.
    """
    try:
        from svmviz.base.interrupts import end_on_interrupt, ignore_interrupts

        end_on_interrupt()
    except KeyboardInterrupt:
        os._exit(130)
    from svmviz.cli import main as run

    code = run(argv)
    ignore_interrupts()
    return code


if __name__ == "__main__":
    sys.exit(main())

"""The program: ``svmviz`` and ``python -m svmviz``."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

# Before numpy is loaded: a second BLAS thread beside a busy solver makes a field product take 36 ms
# instead of 1.5. Here only, for a library must not decide this for others.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    from svmviz.cli import main as run

    return run(argv)


if __name__ == "__main__":
    sys.exit(main())

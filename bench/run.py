"""The suites of benchmarks: ``make bench``.

Prints one line a bar. Benchmarks are no tests: nothing fails here, and other work on the machine
shows in the numbers.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench import (
    compile_bench,
    decision_bench,
    features_bench,
    first_bench,
    linear_bench,
    map_bench,
    movies_bench,
    panels_bench,
    reading_bench,
    seeks_bench,
    selection_bench,
    solver_bench,
    start_bench,
    turns_bench,
    window_bench,
)

SUITES = {
    "window": window_bench.main,
    "map": map_bench.main,
    "panels": panels_bench.main,
    "turns": turns_bench.main,
    "start": start_bench.main,
    "first": first_bench.main,
    "compile": compile_bench.main,
    "decision": decision_bench.main,
    "features": features_bench.main,
    "linear": linear_bench.main,
    "movies": movies_bench.main,
    "reading": reading_bench.main,
    "seeks": seeks_bench.main,
    "selection": selection_bench.main,
    "solvers": solver_bench.main,
}


def main() -> None:
    """Run the suites named on the command line, or all."""
    # Options are for the suite itself.
    chosen = [name for name in sys.argv[1:] if name[:2] != "--"] or list(SUITES)
    unknown = [name for name in chosen if name not in SUITES]
    if unknown:
        sys.exit(f"No such suite: {unknown[0]}; there are {', '.join(SUITES)}.")
    for name in chosen:
        SUITES[name]()


if __name__ == "__main__":
    main()

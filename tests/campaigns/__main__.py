"""Runs every campaign, each in a process of its own: ``make campaign``.

A campaign is a module in this folder whose ``main`` returns a Summary.
"""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

RUN = """
import sys
from importlib import import_module
summary = import_module(sys.argv[1]).main()
print(summary)
sys.exit(bool(summary.failures))
"""


def campaigns() -> list[str]:
    """Return the names of the modules that are campaigns."""
    names = [path.stem for path in sorted(Path(__file__).parent.glob("[a-z]*.py"))]
    names = [f"{__package__}.{name}" for name in names if not name.startswith("test_")]
    mains = {name: getattr(import_module(name), "main", None) for name in names}
    kinds = {name: getattr(main, "__annotations__", {}) for name, main in mains.items()}
    return [name for name, kind in kinds.items() if kind.get("return") == "Summary"]


def main() -> int:
    """Run them one after the other; return 1 if one has failed."""
    codes = [subprocess.call([sys.executable, "-c", RUN, name]) for name in campaigns()]
    return int(any(codes))


if __name__ == "__main__":
    sys.exit(main())

"""Refuse files of more than 400 lines and functions of more than 60.

Usage: python scripts/check_lengths.py FILE_OR_FOLDER...
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

MOST_LINES_IN_FILE = 400
MOST_LINES_IN_FUNCTION = 60


def find_files(names: list[str]) -> Iterator[Path]:
    for path in map(Path, names):
        yield from sorted(path.rglob("*.py")) if path.is_dir() else [path]


def find_faults(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    lines = len(text.splitlines())
    if lines > MOST_LINES_IN_FILE:
        yield f"{path}:1: {lines} lines in one file; at most {MOST_LINES_IN_FILE}"
    for node in ast.walk(ast.parse(text, path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > MOST_LINES_IN_FUNCTION:
                yield (
                    f"{path}:{node.lineno}: {lines} lines in {node.name}; "
                    f"at most {MOST_LINES_IN_FUNCTION}"
                )


if __name__ == "__main__":
    faults = [fault for path in find_files(sys.argv[1:]) for fault in find_faults(path)]
    print(*faults, sep="\n", end="\n" if faults else "")
    sys.exit(bool(faults))

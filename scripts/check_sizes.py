"""Refuse files, functions, and rooms (the folders of a package) that are too large.

A room also needs an ``__init__.py`` that opens with one sentence on what lives there.

Usage: python scripts/check_sizes.py FILE_OR_FOLDER...
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

MAX_LINES_IN_FILE = 400
MAX_LINES_IN_FUNCTION = 60
MAX_FILES_IN_ROOM = 20
MAX_FILES_IN_ROOT = 14
# Packages whose folders are rooms.
PACKAGES = ("solvers", "svmviz")


def find_files(names: list[str]) -> Iterator[Path]:
    for path in map(Path, names):
        yield from sorted(path.rglob("*.py")) if path.is_dir() else [path]


def find_faults(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    lines = len(text.splitlines())
    if lines > MAX_LINES_IN_FILE:
        yield f"{path}:1: {lines} lines in one file; at most {MAX_LINES_IN_FILE}"
    tree = ast.parse(text, path)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > MAX_LINES_IN_FUNCTION:
                yield (
                    f"{path}:{node.lineno}: {lines} lines in {node.name}; "
                    f"at most {MAX_LINES_IN_FUNCTION}"
                )


def find_crowded_rooms(package: Path) -> Iterator[str]:
    for room in sorted({path.parent for path in package.rglob("*.py")}):
        files = len(list(room.glob("*.py")))
        most = MAX_FILES_IN_ROOT if room == package else MAX_FILES_IN_ROOM
        if files > most:
            yield f"{room}: {files} files in one room; at most {most}"
        init = room / "__init__.py"
        if not init.exists() or not ast.get_docstring(ast.parse(init.read_text(encoding="utf-8"))):
            yield f"{init}:1: says nothing of what lives in this room"


def main(names: list[str]) -> int:
    faults = [fault for path in find_files(names) for fault in find_faults(path)]
    for name in names:
        if name.rstrip("/") in PACKAGES:
            faults += find_crowded_rooms(Path(name))
    print(*faults, sep="\n", end="\n" if faults else "")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

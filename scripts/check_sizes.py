"""Refuse files, functions, and rooms (the folders of a package) that are too large.

Lines of code count: not docstrings, comments and blank lines. A room also needs an ``__init__.py``
that opens with one sentence on what lives there.

Usage: python scripts/check_sizes.py FILE_OR_FOLDER...      what is too large
       python scripts/check_sizes.py --weigh FOLDER...      lines of code per room
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

MAX_LINES_IN_FILE = 400
MAX_LINES_IN_FUNCTION = 60
MAX_FILES_IN_ROOM = 30
MAX_FILES_IN_ROOT = 14
# Packages whose folders are rooms.
PACKAGES = ("solvers", "svmviz")
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def find_files(names: list[str]) -> Iterator[Path]:
    for path in map(Path, names):
        yield from sorted(path.rglob("*.py")) if path.is_dir() else [path]


def find_code(text: str, tree: ast.Module) -> list[int]:
    """Return the numbers of the lines that hold code: more than a comment or a docstring."""
    documented: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            first = node.body[0]
            documented.update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return [
        number
        for number, line in enumerate(text.splitlines(), 1)
        if number not in documented and line.strip() and not line.lstrip().startswith("#")
    ]


def find_faults(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text, path)
    code = find_code(text, tree)
    if len(code) > MAX_LINES_IN_FILE:
        yield f"{path}:1: {len(code)} lines of code in one file; at most {MAX_LINES_IN_FILE}"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = sum(node.lineno <= number <= (node.end_lineno or 0) for number in code)
            if lines > MAX_LINES_IN_FUNCTION:
                yield (
                    f"{path}:{node.lineno}: {lines} lines of code in {node.name}; "
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


def weigh(names: list[str]) -> Iterator[str]:
    """Yield the lines of code and the number of files of each room, then of all rooms."""
    rooms: dict[Path, list[int]] = {}
    for path in find_files(names):
        text = path.read_text(encoding="utf-8")
        rooms.setdefault(path.parent, []).append(len(find_code(text, ast.parse(text, path))))
    everything = [lines for room in rooms.values() for lines in room]
    for room, lines in [*rooms.items(), (Path("all"), everything)]:
        yield f"{sum(lines):7,} {len(lines):4}  {room}"


def main(names: list[str]) -> int:
    if names[:1] == ["--weigh"]:
        print(*weigh(names[1:]), sep="\n")
        return 0
    faults = [fault for path in find_files(names) for fault in find_faults(path)]
    for name in names:
        if name.rstrip("/") in PACKAGES:
            faults += find_crowded_rooms(Path(name))
    print(*faults, sep="\n", end="\n" if faults else "")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Time and memory of reading or refusing files of up to 64 MB."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

# Limits: time of reading on an idle core, s, and peak memory of the process, MB.
BAR_SECONDS, BAR_MB = 5.0, 1000
LIMIT = 63_900_000
# Prints wall and CPU seconds of reading, the peak memory in MB, and the result. The peak that
# getrusage gives is the parent's if that is higher.
READ = """
import json, re, sys, time
from svmviz.io.open_and_save import open_file
from solvers import BadInput
began, busy = time.perf_counter(), time.process_time()
try:
    found = open_file(sys.argv[1])
    said = f"{len(found.document.data if hasattr(found, 'document') else found):,} points"
except BadInput as error:
    said = str(error)
spent, busy = time.perf_counter() - began, time.process_time() - busy
peak = int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) / 1000
print(json.dumps([spent, busy, peak, said]))
"""


def _rows(row: Callable[[random.Random], str], count: int = 1_000_000, head: str = "") -> str:
    draw = random.Random(0)
    return head + "\n".join(row(draw) for _ in range(count)) + "\n"


def _point(draw: random.Random) -> str:
    return f"{draw.random()!r},{draw.random()!r},{draw.choice('ab')}"


def _scene(members: str) -> str:
    start = '{"svmviz": 1, "points": [[0, 0], [1, 1]], "labels": [-1, 1]'
    return f"{start}, {members}}}"


def _points_scene(number: str) -> str:
    points = ", ".join([f"[{number}, {number}]"] * 1_000_000)
    labels = ", ".join(["1", "-1"] * 500_000)
    return f'{{"svmviz": 1, "points": [{points}], "labels": [{labels}]}}'


def _words(draw: random.Random) -> list[str]:
    return [f"p{draw.random():.3f}" for _ in range(8)]


def _listed(word: str, piece: str, count: int) -> str:
    return _scene(f'"{word}": [' + ", ".join([piece] * count) + "]")


def _filled(piece: str, head: str = "") -> str:
    return head + piece * ((LIMIT - len(head.encode())) // len(piece.encode()))


CASES: dict[str, tuple[str, Callable[[], str]]] = {
    "80,000 digits in a cell": (".csv", lambda: "1" * 80_000 + ",2,a\n"),
    "64 MB of digits": (".csv", lambda: _filled("1")),
    "1e6 CSV rows": (".csv", lambda: _rows(_point, head="x,y,kind\n")),
    "1e6 CSV rows in quotes": (
        ".csv",
        lambda: _rows(lambda d: f'"{d.random():.9f}";"{d.random():.9f}";"{d.choice("ab")}"'),
    ),
    "1e6 CSV rows, decimal commas": (
        ".csv",
        lambda: _rows(lambda d: f"{d.randrange(10**6)},5;{d.randrange(10**6)},25;{d.choice('ab')}"),
    ),
    "1e6 CSV rows, minus signs": (
        ".csv",
        lambda: _rows(lambda d: f"\N{MINUS SIGN}{d.random():.9f}, {d.random():.9f}, α"),
    ),
    "1e6 rows between spaces": (
        ".txt",
        lambda: _rows(lambda d: f"  {d.random():.9f}   {d.random():.9f}  {d.choice('ab')}"),
    ),
    "1e6 rows, a word in each": (
        ".csv",
        lambda: _rows(lambda d: f"{d.random():.9f},{d.choice(['p', '1'])},{d.choice('ab')}"),
    ),
    "1e6 LIBSVM rows": (
        ".libsvm",
        lambda: _rows(lambda d: f"{d.choice('01')} 1:{d.random()!r} 2:{d.random()!r}"),
    ),
    "1e6 LIBSVM rows, untidy": (
        ".libsvm",
        lambda: _rows(lambda d: f"{d.choice('01')} 2:{d.random():.9f} # {d.random():.9f}"),
    ),
    "1e6 features in a line": (
        ".libsvm",
        lambda: "1 " + " ".join(f"{k}:1" for k in range(1, 1_000_001)),
    ),
    "1e7 columns": (".csv", lambda: ",".join(["1"] * 10_000_000)),
    "32e6 cells in 64 rows": (".csv", lambda: (",".join(["1"] * 499_000) + "\n") * 64),
    "32e6 cells in 1e6 rows": (".csv", lambda: (",".join(["1"] * 31) + ",a\n") * 990_000),
    "8e6 words in 1e6 rows": (
        ".csv",
        lambda: _rows(lambda d: ",".join(_words(d))),
    ),
    "4e6 rows of words": (".csv", lambda: _rows(lambda d: f"{d.random():.4f}p,word", 4_000_000)),
    "6e7 empty lines": (".csv", lambda: "\n" * 60_000_000),
    "2e7 comments": (".csv", lambda: "#x\n" * 20_000_000),
    "1e6 different labels": (
        ".csv",
        lambda: "".join(f"{k % 997},{k % 991},{k}\n" for k in range(1_000_000)),
    ),
    "1e6 different words": (
        ".csv",
        lambda: "".join(f"{k % 997},{k % 991},w{k}\n" for k in range(1_000_000)),
    ),
    "64 MB and one emoji": (
        ".csv",
        lambda: _filled("1,2,a,words in a line\n", "😀,x,y,z\n"),
    ),
    "scene of 1e6 points": (".svmviz", lambda: _points_scene("0.12345678901234567")),
    "2e5 solvers": (
        ".svmviz",
        lambda: _listed("solvers", '{"name": "smo"}', 200_000),
    ),
    "2e7 empty lists": (
        ".svmviz",
        lambda: _listed("points", "[]", 15_000_000),
    ),
    "2e7 numbers": (".svmviz", lambda: _listed("step", "1.5", 12_000_000)),
    "6e6 keys": (".svmviz", lambda: _scene(", ".join(f'"{k}":0' for k in range(5_000_000)))),
    "64 MB of brackets": (".svmviz", lambda: "{" + _filled("[")),
    "64 MB in a name": (
        ".svmviz",
        lambda: _scene('"class_names": ["' + "ä" * 30_000_000 + '", 1]'),
    ),
}


def main() -> None:
    """Print a line for each file, or for those named after ``--only=``."""
    only = [word.removeprefix("--only=") for word in sys.argv if word.startswith("--only=")]
    print("Reading: seconds (of the processor), MB at most, and what came of it")
    for name, (ending, make) in CASES.items():
        if only and not any(word in name for word in only):
            continue
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"file{ending}"
            # In another process, so that the memory of this one does not count.
            path.write_text(make(), encoding="utf-8")
            print(_line(name, path), flush=True)


def _line(name: str, path: Path) -> str:
    size = path.stat().st_size / 1e6
    command = [sys.executable, "-c", READ, str(path)]
    try:
        done = subprocess.run(command, capture_output=True, check=True, timeout=200)
    except subprocess.TimeoutExpired:
        return f"{name:30s}{size:5.0f} MB  over 200 s"
    except subprocess.CalledProcessError as error:
        return f"{name:30s}{size:5.0f} MB  ended by {error.returncode}"
    spent, busy, peak, said = json.loads(done.stdout)
    over = "  OVER" if busy > BAR_SECONDS or peak > BAR_MB else ""
    return f"{name:30s}{size:5.0f} MB {spent:7.2f} s ({busy:.2f}) {peak:6.0f} MB{over}  {said[:90]}"

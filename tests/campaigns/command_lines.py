"""Wrong command lines: each is refused with exit code 1 or 2, in one sentence on stderr.

``python -m tests.campaigns.command_lines [SEED [COUNT]]`` runs all of them, or some. They run in
this process, from a folder of their own; a refusal writes nothing.
"""

from __future__ import annotations

import contextlib
import io
import os
import random
import shlex
import socket
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from svmviz.base.resources import path as asset
from svmviz.cli import main as run_command_line
from tests.campaigns.summary import Summary, find_fault

TABLE = "0,0,a\n1,1,b\n0,1,a\n1,0,b\n"
NUMBERS = ("x", "nan", "", "1e", "0x1p", "--", "1,5", "٣x", "1e400x")
SIZES = (
    "100", "0x100", "100x0", "-5x5", "5x-5", "1e3x10", "x", "ax5", "5x", "nanxnan", "infxinf",
    "99999x1", "30000x30000", "1" * 5000 + "x1", "10x10x10",
)  # fmt: skip
NUMERIC = ("--gamma", "--C", "--lambda", "--tol", "--max-steps", "--seed")
LOOKS = """
--step -1|--step 1.5|--step x|--step nan|--step inf|--scale 0|--scale nan|--scale -1|--scale inf
--scale 1e9|--theme pink|--theme|--size|--size ''|-o|-o b.png c.png
"""
TARGETS = (
    "", "a", "a.pgn", "a.jpg", ".png", "two.csv/", "full/", "no/a/", "folder.png", "/", ".",
    "no/a.png", "two.csv/a.png", "pipe.png", "socket.png", "loop.png", "n" * 300 + ".png",
)  # fmt: skip
# What sentences quote.
WORDS = (
    "\x1b[31m", "a\nb\nc", "\u202egnp", "x" * 100_000, "\udcff", "<b>", "%s%n", "{0}",
)  # fmt: skip
# Files that cannot be read, or hold nothing that can be solved, by their names.
TEXTS = {
    "empty.csv": "",
    "spaces.csv": " \n \n",
    "header.csv": "x,y,label\n",
    "one-class.csv": "0,0,1\n1,1,1\n",
    "three-classes.csv": "0,0,a\n1,1,b\n2,2,c\n",
    "one-column.csv": "1\n2\n3\n",
    "four-columns.csv": "1,2,3,4,a\n1,2,3,4,b\n",
    "ragged.csv": "1,2,a\n1,2\n3,4,b\n",
    "oops.csv": "0,0,a\n1,oops,b\n2,2,b\n",
    "nan.csv": "0,nan,a\n1,1,b\n",
    "inf.csv": "0,inf,a\n1,1,b\n",
    "huge.csv": "1e400,0,a\n1,1,b\n",
    "large.csv": "1e200,0,a\n1,1,b\n",
    "words.csv": "a,b,c\nd,e,f\n",
    "quote.csv": '"0,0,a\n1,1,b\n',
    "escape.csv": "0,\x1b[31mred\x1b[0m,a\n1,1,b\n",
    "brace.svmviz": "{",
    "list.svmviz": "[]",
    "null.svmviz": "null",
    "version.svmviz": '{"svmviz": 99, "points": [], "labels": []}',
    "nothing.svmviz": '{"svmviz": 1, "points": [], "labels": []}',
    "lengths.svmviz": '{"svmviz": 1, "points": [[0, 0]], "labels": []}',
    "label.svmviz": '{"svmviz": 1, "points": [[0, 0]], "labels": [3]}',
    "key.svmviz": '{"svmviz": 1, "points": [[0, 0]], "labels": [1], "karnel": 1}',
    "kernel.svmviz": '{"svmviz": 1, "points": [[0, 0]], "labels": [1], "kernel": {"name": "x"}}',
    "nan.svmviz": '{"svmviz": 1, "points": [[NaN, 0]], "labels": [1]}',
    "huge.svmviz": '{"svmviz": 1, "points": [[1e999, 0]], "labels": [1]}',
    "deep.svmviz": "[" * 100_000,
    "index.libsvm": "+1 0:1 0:2\n-1 1:2\n",
    "value.libsvm": "+1 1:x\n-1 1:2\n",
}
OPTIONS = """
--gama 1|--gam 1|-x|--json=1|--json --json=x|extra|extra more|--gamma|--kernel|--solver|--C
--kernel rbff|--kernel RBF|--kernel ''|--solver smoo|--solver SMO|--scaling all|--bias maybe
--pair best|--task clustering|--classes a|--classes a c|--labels nowhere|--x nowhere|--y 99
--x 0|--labels -1|--classes a a|--x 1 --y 1
--gamma 1 --kernel linear|--degree 2|--batch-size 2|--tol 1 --solver pegasos|--sigma 1 --gamma 1
--sigma 1 --kernel linear|--C 1 --lambda 1|--C inf --solver pegasos|--bias none|--epsilon 0.1
--gamma 0|--gamma -1|--gamma inf|--sigma 0|--sigma 1e-200|--sigma 1e200|--sigma inf|--C 0|--C -1
--C -inf|--C 1e80|--C 1e-80|--lambda -1|--lambda inf|--lambda -inf|--tol 0|--tol -1|--tol inf
--max-steps 0|--max-steps -1|--max-steps 1.5|--max-steps inf|--seed -1|--seed 1.5|--seed inf
--kernel polynomial --degree 0|--kernel polynomial --degree 1.5|--kernel polynomial --degree 1e9
--kernel polynomial --coef0 inf|--kernel sigmoid --gamma inf
--kernel composed --expression rbf+|--kernel composed --expression ''|--expression rbf
--kernel composed --expression 'rbf(gamma=nan)'|--kernel composed --expression 'f(1)'
--kernel custom --formula x3|--kernel custom --formula ''|--kernel custom --formula '1/0'
--kernel custom --formula '__import__("os")'|--kernel custom --formula 'log(0*x1*z1)'
--solver working-set --working-set-size -1|--solver pegasos --batch-size 0
--task regression --solver perceptron|--task regression --solver pegasos|--task regression --C inf
--task regression --lambda 0|--task regression --classes a b|--task regression --scaling each
--task regression --x 1|--task regression --labels 9|--task regression --epsilon -1
--task regression --epsilon nan|--task regression --epsilon inf|--task regression --epsilon 1e200
"""
OTHERS = """
solve|solve --json|render|render two.csv|render -o a.png|list|list colours|list solvers more
list --task|list solvers --task x|list --long|list solvers --lng|--no|two.csv more.csv|--version=1
solve scene.svmviz --task regression
solve scene.svmviz --x 1|solve scene.svmviz --classes a b|solve scene.svmviz --epsilon 1
solve curve.svmviz --solver perceptron|solve curve.svmviz --C inf|solve curve.svmviz --lambda 0
solve curve.svmviz --solver pegasos|render curve.svmviz -o a.png --solver perceptron
"""


def main(seed: int = 0, count: int | None = None) -> Summary:
    """Run the campaign: all command lines in an order that follows from the seed, or some."""
    summary = Summary("command_lines")
    with tempfile.TemporaryDirectory(prefix="svmviz-lines-") as name:
        folder = Path(name)
        with contextlib.chdir(folder), _made(folder):
            lines = list(wrong_lines())
            random.Random(seed).shuffle(lines)
            now = _listing(folder)
            for words in lines[:count]:
                before = now
                fault = find_wrong(words)
                now = _listing(folder)
                summary.tried += 1
                if fault := fault or _changed(before, now):
                    shown = " ".join(shlex.quote(word) for word in words)
                    summary.failures.append(f"svmviz {shown[:300]}\n    {fault}")
    return summary


def wrong_lines() -> Iterator[list[str]]:
    """Yield each command line of the campaign, as words."""
    picture = ["render", "two.csv", "-o", "a.png"]
    solve = ["solve", "two.csv"]
    yield from map(shlex.split, _split(OTHERS))
    yield from ([*solve, *shlex.split(line)] for line in _split(OPTIONS))
    yield from ([*solve, option, number] for option in NUMERIC for number in NUMBERS)
    yield from ([*picture, "--size", size] for size in SIZES)
    yield from ([*picture, *shlex.split(line)] for line in _split(LOOKS))
    yield from (["render", "two.csv", "-o", target] for target in TARGETS)
    for file in (*TEXTS, *FILES):
        yield ["solve", file]
        yield ["render", file, "-o", "a.png"]
        if file not in TABLES:
            yield ["solve", file, "--task", "regression"]
    for word in WORDS:
        yield ["solve", f"{word}.csv"]
        yield [*solve, "--solver", word]
        yield [*solve, "--labels", word]
        yield [*solve, "--kernel", "composed", "--expression", word]


FILES = ("none.csv", "none/none.csv", "two.csv/", "two.csv/none", "folder", "folder/", "", ".",
         "loop.png", "socket.png", "/dev/null", "binary.csv", "picture.csv", "n" * 300)  # fmt: skip
# Their columns of numbers are points of a regression.
TABLES = {"one-class.csv", "three-classes.csv", "four-columns.csv"}


def find_wrong(words: list[str]) -> str:
    """Run one command line; return what is wrong with its refusal, or nothing."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace") for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code: object = run_command_line(words)
        except Exception as error:
            code = f"{type(error).__name__}: {error}"
    errors, printed = (_content(stream) for stream in (err, out))
    if code not in (1, 2):
        return f"exit code {code!s:.300}, {errors[:300]!r}"
    if printed:
        return f"it printed {printed[:300]!r}"
    if "Traceback" in errors or not errors.startswith("svmviz") or errors.count("\n") != 1:
        return f"it is not one sentence: {errors[:300]!r}"
    return find_fault(errors.removesuffix("\n"))


def _content(stream: io.TextIOWrapper) -> str:
    stream.flush()
    return stream.buffer.getvalue().decode()  # type: ignore[attr-defined]


def _split(lines: str) -> list[str]:
    return [part for line in lines.strip().splitlines() for part in line.split("|")]


@contextlib.contextmanager
def _made(folder: Path) -> Iterator[None]:
    """Make the files that command lines name."""
    (folder / "two.csv").write_text(TABLE)
    for name, text in TEXTS.items():
        (folder / name).write_text(text)
    for name in ("noisy-sine", "eight-points"):
        text = asset(f"scenes/{name}.svmviz").read_text(encoding="utf-8")
        target = "curve.svmviz" if name == "noisy-sine" else "scene.svmviz"
        (folder / target).write_text(text, encoding="utf-8")
    (folder / "binary.csv").write_bytes(bytes(range(256)))
    (folder / "picture.csv").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    for name in ("folder", "folder.png", "full"):
        (folder / name).mkdir()
    # A run is written as images only into a folder without other files.
    (folder / "full" / "notes.txt").write_text("Keep me.")
    (folder / "loop.png").symlink_to("loop.png")
    os.mkfifo(folder / "pipe.png")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket.png")
        yield


def _listing(folder: Path) -> dict[str, tuple[int, int]]:
    """What lies in a folder: its kind and size by name."""
    found = {}
    for path in folder.rglob("*"):
        status = path.lstat()
        found[str(path.relative_to(folder))] = status.st_mode, status.st_size
    return found


def _changed(before: dict[str, tuple[int, int]], now: dict[str, tuple[int, int]]) -> str:
    names = sorted({name for name, _ in before.items() ^ now.items()})
    return f"it changed {names}" if names else ""


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    print(main(*map(int, sys.argv[1:])))

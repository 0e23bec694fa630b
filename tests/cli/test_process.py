"""The program as a process: without Qt, interrupted, without a reader."""

import os
import signal
import subprocess
import sys

import pytest

from solvers import Run
from solvers.jit.compiled import COMPILING
from tests.cli.common import REFUSE_QT, strictly, without_notice
from tests.time_limits import TIME_LIMIT, wait_for


def test_qt_is_not_needed(process, moons):
    done = process("solve", moons, "--json", before=REFUSE_QT)
    assert (done.code, done.err) == (0, "")
    assert strictly(done.out)["n"] == 60


@pytest.mark.parametrize(("module", "threads"), [("svmviz.__main__", "1"), ("solvers", "None")])
def test_one_blas_thread_in_the_program_only(module, threads):
    code = f"import {module}, os; print(os.environ.get('OPENBLAS_NUM_THREADS'))"
    environment = {k: v for k, v in os.environ.items() if k != "OPENBLAS_NUM_THREADS"}
    printed = subprocess.check_output([sys.executable, "-c", code], env=environment, text=True)
    assert printed.strip() == threads


def test_ascii_terminals(process, eight):
    done = process("solve", eight, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (done.code, done.err) == (0, "")
    assert "(? = " in done.out


def test_interrupting_prints_nothing(svmviz, eight, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Run, "advance", interrupted)
    done = svmviz("solve", eight)
    assert (done.code, done.out, done.err) == (130, "", "")


INTERRUPT = """
import os, signal, sys
def interrupt(*_):
    signal.raise_signal(signal.SIGINT)
    # As a compiler does with whatever is raised in it.
    raise RuntimeError("no compiled object yet")
"""
WHERE = {
    "in the solver": "from solvers import Run; Run.advance = interrupt",
    "while a file is encoded": "from PySide6.QtGui import QImage; QImage.save = interrupt",
    "before a file is replaced": "from pathlib import Path; Path.replace = interrupt",
    "while Qt is imported": """
import builtins
usual = builtins.__import__
def load(name, *others, **named):
    return interrupt() if name.startswith("PySide6") else usual(name, *others, **named)
builtins.__import__ = load
""",
    "while Qt paints": "from svmviz.export.figure import Figure; Figure.paint = interrupt",
}


@pytest.mark.parametrize("where", WHERE)
def test_an_interrupt_ends_it_at_once(process, eight, tmp_path, where):
    (tmp_path / "a.png").write_bytes(b"older")
    done = process("render", eight, "-o", "a.png", before=INTERRUPT + WHERE[where])
    assert (done.code, done.out, done.err) == (130, "", "")
    assert (tmp_path / "a.png").read_bytes() == b"older"
    assert sorted(os.listdir(tmp_path)) == ["a.png", "eight.csv"]


def test_an_interrupt_after_the_work_changes_nothing(process, eight):
    late = "import atexit; atexit.register(signal.raise_signal, signal.SIGINT)"
    done = process("solve", eight, "--json", before=INTERRUPT + late)
    assert (done.code, done.err) == (0, "")
    assert strictly(done.out)["n"] == 8


def test_interrupts_that_are_ignored_stay_ignored(process, eight):
    ignore = """
from solvers import Run
signal.signal(signal.SIGINT, signal.SIG_IGN)
usual = Run.advance
def advance(*arguments):
    signal.raise_signal(signal.SIGINT)
    return usual(*arguments)
Run.advance = advance
"""
    assert process("solve", eight, before=INTERRUPT + ignore).code == 0


# Touches the file that its first argument names, once it is compiled and solves.
SOLVING = """
import pathlib, sys
from solvers import Run
from svmviz.__main__ import main
solving = pathlib.Path(sys.argv.pop(1))
usual = Run.advance
def advance(run, *arguments, **options):
    if run.steps:
        solving.touch()
    return usual(run, *arguments, **options)
Run.advance = advance
sys.exit(main())
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_ctrl_c(tmp_path):
    from solvers.data.datasets import DATASETS
    from svmviz.io.open_and_save import save

    save(tmp_path / "hard.csv", DATASETS["blobs"].generate(2000, 3.0, 0))
    options = "--kernel linear --C 1e6 --tol 1e-12 --max-steps 1e9".split()
    solving = tmp_path / "solving"
    command = [sys.executable, "-c", SOLVING, str(solving), "solve", str(tmp_path / "hard.csv")]
    process = subprocess.Popen(
        [*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    wait_for(lambda: solving.exists() or process.poll() is not None)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=TIME_LIMIT)
    assert (process.returncode, out, without_notice(err)) == (130, "", "")


@pytest.mark.slow
def test_only_the_first_command_on_a_machine_says_that_it_compiles(eight, tmp_path):
    command = [sys.executable, "-m", "svmviz", "solve", str(eight), "--json"]
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    first, second = (
        subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        for _ in range(2)
    )
    assert (first.stderr, second.stderr) == (f"svmviz: {COMPILING}\n", "")
    assert strictly(first.stdout)["alpha"] == strictly(second.stdout)["alpha"]


@pytest.mark.skipif(os.name == "nt", reason="POSIX pipes")
def test_a_reader_that_closes_the_pipe(eight):
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "svmviz", "solve", str(eight), "--json"],
            stdout=writer,
            stderr=subprocess.PIPE,
            text=True,
            timeout=TIME_LIMIT,
        )
    finally:
        os.close(writer)
    assert (done.returncode, without_notice(done.stderr)) == (141, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_one_sentence(eight):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "svmviz", "solve", str(eight), "--json"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=TIME_LIMIT,
        )
    assert (done.returncode, without_notice(done.stderr)) == (
        1,
        "svmviz: The output cannot be written (No space left on device).\n",
    )


@pytest.mark.skipif(os.name == "nt", reason="POSIX shells")
@pytest.mark.parametrize(
    "command", ["solve {} --json", "list solvers", "--version", "solve --help"]
)
def test_a_closed_output_is_one_sentence(eight, command):
    line = f"{sys.executable} -m svmviz {command.format(eight)} >&-"
    done = subprocess.run(line, shell=True, stderr=subprocess.PIPE, text=True, timeout=TIME_LIMIT)
    assert (done.returncode, without_notice(done.stderr)) == (
        1,
        "svmviz: The output cannot be written (Bad file descriptor).\n",
    )


@pytest.mark.skipif(os.name == "nt", reason="POSIX shells")
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_picture_needs_no_stream(eight, tmp_path, closed):
    line = f"{sys.executable} -m svmviz render {eight} -o {tmp_path}/a.png {closed}"
    assert subprocess.run(line, shell=True, timeout=TIME_LIMIT).returncode == 0
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize(("options", "code"), [(["no.csv"], 1), (["--no"], 2)])
def test_an_error_that_cannot_be_printed_keeps_the_exit_code(options, code):
    command = [sys.executable, "-m", "svmviz", "solve", *options]
    with open("/dev/full", "w") as full:
        assert subprocess.run(command, stderr=full, timeout=TIME_LIMIT).returncode == code


@pytest.mark.skipif(os.name == "nt", reason="POSIX limits")
def test_a_disk_without_room_for_a_picture_is_one_sentence(process, eight, tmp_path):
    # Only from here on, for machine code may have to be written before.
    limit = """
import resource
from svmviz.io import atomic
usual = atomic.write_together
def write_together(*arguments):
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
    usual(*arguments)
atomic.write_together = write_together
"""
    done = process("render", eight, "-o", "a.png", before=limit)
    assert (done.code, done.err) == (
        1,
        "svmviz: The file cannot be written (File too large): a.png\n",
    )
    assert os.listdir(tmp_path) == ["eight.csv"]


def test_a_missing_library_of_qt_is_one_sentence(process, eight):
    done = process("render", eight, "-o", "a.png", before=REFUSE_QT)
    assert (done.code, done.err) == (
        1,
        "svmviz: Qt cannot be loaded: PySide6 is refused.\n",
    )

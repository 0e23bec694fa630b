"""The program as a process: without Qt, interrupted, with nobody reading."""

import contextlib
import os
import signal
import subprocess
import sys
import time

import pytest

from solvers import Run
from tests.cli.common import REFUSE_QT, strictly


def test_qt_is_not_needed(process, moons):
    done = process("solve", moons, "--json", before=REFUSE_QT)
    assert (done.code, done.err) == (0, "")
    assert strictly(done.out)["n"] == 60


@pytest.mark.parametrize(("module", "threads"), [("svmviz.__main__", "1"), ("solvers", "None")])
def test_one_blas_thread_in_the_program_only(module, threads):
    code = f"import {module}, os; print(os.environ.get('OPENBLAS_NUM_THREADS'))"
    environment = {k: v for k, v in os.environ.items() if k != "OPENBLAS_NUM_THREADS"}
    told = subprocess.check_output([sys.executable, "-c", code], env=environment, text=True)
    assert told.strip() == threads


def test_ascii_terminals(process, eight):
    done = process("solve", eight, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (done.code, done.err) == (0, "")
    assert "(? = " in done.out


def test_interrupting_is_quiet(svmviz, eight, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Run, "advance", interrupted)
    done = svmviz("solve", eight)
    assert (done.code, done.out, done.err) == (130, "", "")


def test_an_interrupted_compiler_is_quiet(svmviz, eight, monkeypatch):
    def interrupted(*_):
        with contextlib.suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        raise RuntimeError("no compiled object yet")

    monkeypatch.setattr(Run, "advance", interrupted)
    before = signal.getsignal(signal.SIGINT)
    done = svmviz("solve", eight)
    assert (done.code, done.out, done.err) == (130, "", "")
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_ctrl_c(tmp_path):
    from solvers.data.datasets import DATASETS
    from svmviz.io.files import save

    save(tmp_path / "hard.csv", DATASETS["blobs"].generate(2000, 3.0, 0))
    options = "--kernel linear --C 1e6 --tol 1e-12 --max-steps 1e9".split()
    command = [sys.executable, "-m", "svmviz", "solve", str(tmp_path / "hard.csv"), *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(3)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, "", "")


@pytest.mark.skipif(os.name == "nt", reason="POSIX pipes")
def test_a_reader_that_goes_away(eight):
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "svmviz", "solve", str(eight), "--json"],
            stdout=writer,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_told_in_words(eight):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "svmviz", "solve", str(eight), "--json"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
        )
    assert (done.returncode, done.stderr) == (1, "svmviz: No space left on device.\n")


def test_a_missing_library_of_qt_is_told_in_words(process, eight):
    done = process("render", eight, "-o", "a.png", before=REFUSE_QT)
    assert (done.code, done.err) == (
        1,
        "svmviz: Qt cannot be loaded: PySide6 is refused.\n",
    )

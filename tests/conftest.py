"""Fixtures of all tests: one BLAS thread, separate folders and screen, nothing left running.

The first part must run before numpy or Qt is loaded, so it is not in fixtures.
"""

import gc
import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import shutil
import signal
import tempfile
from pathlib import Path

import hypothesis
import pytest

from svmviz.base.overrides import guard_overrides
from tests import leftovers, screen
from tests.time_limits import LongWaitBot

ON_CI = bool(os.environ.get("CI"))
# Number of objects made since the last collection after which there is another one.
MAX_GARBAGE = 50_000
HOME = Path(tempfile.mkdtemp(prefix="svmviz-tests-"))

# The settings of the person who runs the tests are neither read nor written; compiled code may stay
# from one session to the next, for speed.
os.environ.setdefault(
    "NUMBA_CACHE_DIR", str(Path(__file__).parent.parent / ".pytest_cache" / "numba")
)
for kind in ("CONFIG", "CACHE", "DATA", "STATE"):
    os.environ[f"XDG_{kind}_HOME"] = str(HOME / kind.lower())
os.environ["XDG_RUNTIME_DIR"] = str(HOME)

# A shell that runs the tests in the background has them, and all they start, ignore Ctrl+C.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Automatic collection happens in whichever thread creates objects: a search in the background then
# destroys widgets of earlier tests, while this thread uses them (a segmentation fault).
gc.disable()

# As in the program; without it Ctrl+C ends the tests by a segmentation fault.
guard_overrides()
SCREEN = screen.start()

# The examples are the same in every run, so that a change is never blamed for an older error: new
# ones are looked for by make campaign. Compiling happens inside the first example, so a time limit
# for each would fail at random.
hypothesis.settings.register_profile("svmviz", hypothesis.settings.get_profile("ci"), deadline=None)
hypothesis.settings.load_profile("svmviz")


def pytest_addoption(parser):
    parser.addoption(
        "--interpret", action="store_true", help="run the functions of solvers without numba"
    )


def pytest_configure(config):
    if config.option.interpret:
        from tests.interpreted import interpret

        interpret()


def pytest_xdist_auto_num_workers():
    """Return one process more than there are cores.

    A test of a window waits most of its time, for timers and for xdotool.
    """
    return (os.cpu_count() or 1) + 1


def pytest_report_header():
    return f"screen: {SCREEN.name}"


def pytest_collection_finish():
    # The tests and modules stay to the end. A collection that looks at them takes 0.35 s, not 0.05.
    gc.collect()
    gc.freeze()


def pytest_runtest_setup(item):
    if item.get_closest_marker("display") and (lack := screen.find_lack()):
        (pytest.fail if ON_CI else pytest.skip)(f"no real clicks: {lack}")


def pytest_terminal_summary(terminalreporter, exitstatus, config):
    if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and config.option.markexpr == "not slow":
        terminalreporter.write_line("Slow tests are left out here: make test-slow runs them.")


@pytest.fixture(autouse=True)
def garbage_is_collected_between_tests():
    """Collect cyclic garbage in this thread, and never while a test runs."""
    yield
    gc.disable()
    if gc.get_count()[0] > MAX_GARBAGE:
        gc.collect()


def pytest_unconfigure():
    SCREEN.stop()
    shutil.rmtree(HOME, ignore_errors=True)


@pytest.fixture
def qtbot(qapp, request):
    """The helper of pytest-qt, with a long time limit; no mouse button stays pressed."""
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QWidget

    yield LongWaitBot(request)
    # After QTest.mouseDClick the application takes the button for pressed. A goal of a lesson waits
    # until the hand lets go, so that the next test of a goal in this process would never end.
    if qapp.mouseButtons():
        QTest.mouseRelease(QWidget(), Qt.MouseButton.LeftButton)


@pytest.fixture(autouse=True)
def nothing_left_running():
    """Fail a test that leaves a thread or an active timer behind."""
    before = leftovers.find_running()
    yield
    if left := leftovers.wait_for_end(before):
        pytest.fail(f"left running: {', '.join(sorted(map(repr, left)))}")

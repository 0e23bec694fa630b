"""Another process typesets the formulas of the window; without it, this process does."""

import subprocess
import sys
import threading
import time

import pytest
from latex2mathml.exceptions import NoAvailableTokensError

from svmviz.base import typeset
from svmviz.base.latex import typeset_line
from svmviz.base.typeset import Typesetter, typesetting_elsewhere

FORMULA = r"\alpha_i \leftarrow \min\left(C,\ \alpha_i + \tau\right) \quad \text{ü}"


@pytest.fixture
def typesetter():
    made = Typesetter()
    yield made
    made.close()


@pytest.fixture
def here(monkeypatch):
    """The formulas that this process typesets itself."""
    lines = []

    def note(latex):
        lines.append(latex)
        return typeset_line(latex)

    monkeypatch.setattr(typeset, "typeset_line", note)
    typeset.typeset.cache_clear()
    return lines


def test_both_processes_typeset_alike(here):
    with typesetting_elsewhere():
        there = typeset.typeset(FORMULA)
        assert here == []
        assert typeset.typeset(FORMULA) is there
    typeset.typeset.cache_clear()
    assert typeset.typeset(FORMULA) == there
    assert here == [FORMULA]


def test_a_formula_with_an_error_is_an_error_of_the_thread_that_asked_for_it(here):
    with typesetting_elsewhere():
        with pytest.raises(NoAvailableTokensError):
            typeset.typeset(r"\frac{")
        assert typeset.typeset("x").width > 0
    assert here == [r"\frac{"]


def test_a_process_that_was_killed_is_started_again_a_few_times(typesetter):
    for _ in range(typeset.MAX_STARTS):
        assert typesetter.typeset("x") == typeset_line("x")
        typesetter._process.kill()
        typesetter._process.wait()
    assert typesetter.typeset("x") is None


def test_without_a_process_nothing_is_lost(here, monkeypatch):
    def fail(_module):
        raise OSError("no processes left")

    monkeypatch.setattr(typeset, "start_python", fail)
    with typesetting_elsewhere():
        assert typeset.typeset(FORMULA).height > 0.5
    assert here == [FORMULA]


def test_closing_does_not_wait_for_an_answer(typesetter, monkeypatch):
    def start(_module):
        # A process that never answers.
        command = [sys.executable, "-c", "import time; time.sleep(60)"]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)

    monkeypatch.setattr(typeset, "start_python", start)
    answers = []
    thread = threading.Thread(target=lambda: answers.append(typesetter.typeset("1")))
    thread.start()
    while typesetter._process is None:
        assert thread.is_alive()
        time.sleep(0.001)
    typesetter.close()
    thread.join(timeout=30.0)
    assert answers == [None]

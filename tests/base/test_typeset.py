"""Another process typesets the formulas of the window; without it, this process does."""

import sys
import threading
import time

import pytest
from latex2mathml.exceptions import NoAvailableTokensError

from svmviz.base import typeset
from svmviz.base.latex import typeset_line
from svmviz.base.typeset import typesetting_elsewhere
from tests.time_limits import TIME_LIMIT

FORMULA = r"\alpha_i \leftarrow \min\left(C,\ \alpha_i + \tau\right) \quad \text{ü}"


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


def test_a_process_that_was_killed_is_started_again(here):
    with typesetting_elsewhere():
        for formula in ("x", "y"):
            assert typeset.typeset(formula) == typeset_line(formula)
            typeset._child.process.kill()
    assert here == []


def test_without_a_process_nothing_is_lost(here, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with typesetting_elsewhere():
        assert typeset.typeset(FORMULA).height > 0.5
    assert here == [FORMULA]


def test_closing_does_not_wait_for_an_answer(here, monkeypatch):
    # A process that never answers.
    monkeypatch.setattr("svmviz.base.typeset.PROGRAM", "tests.solvers.answering")
    answers = []
    with typesetting_elsewhere():
        thread = threading.Thread(target=lambda: answers.append(typeset.typeset("sleep")))
        thread.start()
        while typeset._child.process is None:
            assert thread.is_alive()
            time.sleep(0.001)
    thread.join(timeout=TIME_LIMIT)
    assert answers == [typeset_line("sleep")]

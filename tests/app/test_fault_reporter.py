"""A fault that is repeated is shown once."""

from types import SimpleNamespace

import pytest

from svmviz.app import app
from svmviz.app.app import FaultReporter


@pytest.fixture
def shown():
    return []


@pytest.fixture
def reporter(qapp, shown):
    """A reporter whose boxes only record their sentences."""
    made = FaultReporter()
    messages = SimpleNamespace(fault=lambda sentence, _log: shown.append(sentence))
    made.window = SimpleNamespace(messages=messages, memory=SimpleNamespace(log_file=None))
    return made


@pytest.fixture
def clock(monkeypatch):
    """A clock that moves only if the test moves it."""
    now = [1000.0]
    monkeypatch.setattr(app.time, "monotonic", lambda: now[0])
    return now


def report(reporter, *sentences):
    reporter._sentences.extend(sentences)
    reporter._show()


def test_several_faults_at_once_open_one_box(reporter, shown):
    report(reporter, "a", "b", "a")
    assert shown == ["a"]


def test_a_repeated_fault_is_shown_once(reporter, shown, clock):
    for _ in range(50):
        report(reporter, "the painter is broken")
        clock[0] += 0.1
    assert shown == ["the painter is broken"]
    report(reporter, "another thing")
    assert shown[1:] == ["another thing"]
    clock[0] += app.REPEAT_AFTER + 1
    report(reporter, "the painter is broken")
    assert shown[2:] == ["the painter is broken"]


def test_a_fault_while_its_box_is_open_opens_no_other(reporter, shown, clock):
    def fault(sentence, _log):
        shown.append(sentence)
        report(reporter, sentence)

    reporter.window.messages.fault = fault
    report(reporter, "a")
    report(reporter, "a")
    assert shown == ["a"]

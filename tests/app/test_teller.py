"""What went wrong is said once, however often it goes wrong."""

from types import SimpleNamespace

import pytest

from svmviz.app import app
from svmviz.app.app import Teller


@pytest.fixture
def told():
    return []


@pytest.fixture
def teller(qapp, told):
    """A teller whose boxes only write down what they say."""
    made = Teller()
    messages = SimpleNamespace(fault=lambda sentence, _log: told.append(sentence))
    made.window = SimpleNamespace(messages=messages, memory=SimpleNamespace(log_file=None))
    return made


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands until it is moved on."""
    now = [1000.0]
    monkeypatch.setattr(app.time, "monotonic", lambda: now[0])
    return now


def tell(teller, *sentences):
    teller._sentences.extend(sentences)
    teller._show()


def test_one_box_for_all_that_goes_wrong_at_once(teller, told):
    tell(teller, "a", "b", "a")
    assert told == ["a"]


def test_what_goes_wrong_again_and_again_is_said_once(teller, told, clock):
    for _ in range(50):
        tell(teller, "the painter is broken")
        clock[0] += 0.1
    assert told == ["the painter is broken"]
    tell(teller, "another thing")
    assert told[1:] == ["another thing"]
    clock[0] += app.QUIET + 1
    tell(teller, "the painter is broken")
    assert told[2:] == ["the painter is broken"]


def test_what_goes_wrong_while_its_box_is_open_opens_no_other(teller, told, clock):
    def fault(sentence, _log):
        told.append(sentence)
        tell(teller, sentence)

    teller.window.messages.fault = fault
    tell(teller, "a")
    tell(teller, "a")
    assert told == ["a"]

"""Another process answers: its refusals, its death, its end with the program, several threads."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from solvers.cancelling import Cancelled, cancel_when
from solvers.errors import BadInput
from solvers.processes import Child, ChildEnded
from tests.solvers.jit.test_compiled import python
from tests.time_limits import TIME_LIMIT

PROGRAM = "tests.solvers.answering"


@pytest.fixture
def child(tmp_path):
    made = Child(PROGRAM, [str(tmp_path / "died"), "ü"], lambda: {"SVMVIZ_TEST": "set"})
    yield made
    made.close()
    assert made.process is None


def in_thread(child, request):
    """Ask in another thread; return the thread and the list that its answer gets into."""
    answers = []

    def ask():
        try:
            answers.append(child.ask(request))
        except ChildEnded:
            answers.append(ChildEnded)

    thread = threading.Thread(target=ask)
    thread.start()
    return thread, answers


def wait_until(condition):
    deadline = time.monotonic() + TIME_LIMIT
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.001)


def test_one_process_answers_every_request(child, tmp_path):
    assert child.process is None
    arguments, variable = child.ask("arguments")
    process = child.process
    assert (arguments, variable) == ([str(tmp_path / "died"), "ü"], "set")
    for request in (None, 0.1, "α\n\u2028", [1, {"a": None}], "x" * 1_000_000):
        assert child.ask(request) == request
    assert child.process is process


def test_a_refusal_is_its_sentence_and_the_share_is_reported(child):
    with pytest.raises(BadInput, match=r"^No\.$"):
        child.ask("refuse")
    shares = []
    assert child.ask("count", shares.append) == "count"
    assert shares == [0.25, 0.5, 1.0]
    assert child.ask("print") == "print"


def test_begin_starts_it_without_a_request(child):
    assert child.begin()
    process = child.process
    assert process is not None
    assert child.begin()
    assert child.ask(1) == 1
    assert child.process is process


def test_a_process_that_dies_is_replaced_and_asked_again(child):
    assert child.ask("die once") == "alive"


def test_it_is_replaced_a_few_times_and_an_answer_forgives_earlier_deaths(child):
    for _ in range(5):
        child.ask("alive")
        child.process.kill()
    assert child.ask(1) == 1
    with pytest.raises(ChildEnded):
        child.ask("die")
    # Now it is given up, until it is ended on purpose.
    with pytest.raises(ChildEnded):
        child.ask(1)
    assert not child.begin()
    child.end()
    assert child.ask(1) == 1


@pytest.mark.parametrize(("restarts", "started"), [(0, 1), (2, 3)])
def test_the_number_of_processes_is_limited(restarts, started, monkeypatch):
    processes, real = [], subprocess.Popen

    def start(*arguments, **options):
        processes.append(real(*arguments, **options))
        return processes[-1]

    monkeypatch.setattr(subprocess, "Popen", start)
    child = Child(PROGRAM, restarts=restarts)
    with pytest.raises(ChildEnded):
        child.ask("die")
    assert len(processes) == started
    assert all(process.returncode == 1 for process in processes)


def test_a_process_whose_input_is_closed_is_replaced(child):
    child.ask(1)
    process = child.process
    process.stdin.close()
    assert child.ask(2) == 2
    assert process.poll() is not None


def test_without_a_startable_python_there_is_no_answer(child, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    assert not child.begin()
    with pytest.raises(ChildEnded):
        child.ask(1)


def test_requests_of_several_threads_are_answered_the_newest_first(child, tmp_path):
    gate = tmp_path / "gate"
    child.ask(None)
    busy = [in_thread(child, {"wait for": str(gate)})]
    for number in range(3):
        # The requests leave one after another.
        time.sleep(0.2)
        busy.append(in_thread(child, {"which": number}))
    time.sleep(0.2)
    assert [answers for _, answers in busy] == [[], [], [], []]
    gate.touch()
    for thread, _ in busy:
        thread.join(TIME_LIMIT)
    assert [answers for _, answers in busy[1:]] == [[[0, 2]], [[1, 1]], [[2, 0]]]


def test_many_threads_share_one_process_that_dies_between(tmp_path):
    # Four threads kill a process, perhaps one right after the other.
    child, seen = Child(PROGRAM, [str(tmp_path / "died")], restarts=4), []

    def ask(first):
        for number in range(first, first + 50):
            seen.append(child.ask(number) == number)
            # Another thread may have killed it just now.
            if number % 100 == 25 and (process := child.process):
                process.kill()

    threads = [threading.Thread(target=ask, args=(first,)) for first in range(0, 400, 50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(TIME_LIMIT)
    child.close()
    assert seen == [True] * 400


def test_a_cancelled_thread_leaves_and_the_process_works_on(child, tmp_path):
    gate, begun = tmp_path / "gate", time.monotonic()
    with cancel_when(lambda: time.monotonic() > begun + 0.05), pytest.raises(Cancelled):
        child.ask({"wait for": str(gate)})
    process = child.process
    gate.touch()
    assert child.ask(1) == 1
    assert child.process is process


def test_end_makes_a_waiting_thread_ask_another_process(child, tmp_path):
    gate = tmp_path / "gate"
    thread, answers = in_thread(child, {"wait for": str(gate)})
    wait_until(lambda: child.process is not None)
    first = child.process
    child.end()
    assert first.poll() is not None
    wait_until(lambda: child.process not in (None, first))
    gate.touch()
    thread.join(TIME_LIMIT)
    assert answers == [{"wait for": str(gate)}]


def test_close_ends_the_process_and_every_wait(child):
    waiting = [in_thread(child, "sleep") for _ in range(3)]
    wait_until(lambda: child.process is not None)
    process = child.process
    child.close()
    assert process.poll() is not None
    for thread, answers in waiting:
        thread.join(TIME_LIMIT)
        assert answers == [ChildEnded]
    with pytest.raises(ChildEnded):
        child.ask(1)
    assert not [one for one in threading.enumerate() if one.name == "svmviz-answers"]


def test_it_ends_with_the_program_even_while_it_works(child):
    child.begin()
    process = child.process
    thread, _ = in_thread(child, "sleep")
    time.sleep(0.5)
    # As if this program had been killed.
    process.stdin.close()
    assert process.wait(TIME_LIMIT) == 0
    child.close()
    thread.join(TIME_LIMIT)


LEFT = f"""
from solvers.processes import Child
child = Child({PROGRAM!r})
child.ask(1)
print(child.process.pid)
"""


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="cannot see which processes run")
def test_a_program_that_forgets_to_close_it_ends_and_so_does_the_process():
    pid = int(python(LEFT))
    wait_until(lambda: not os.path.exists(f"/proc/{pid}") or "State:\tZ" in status(pid))


def status(pid):
    try:
        with open(f"/proc/{pid}/status") as file:
            return file.read()
    except OSError:
        return "State:\tZ"


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no such signal")
def test_ctrl_c_is_for_the_program_that_asks_and_a_stopped_process_can_be_closed(child):
    child.ask(1)
    process = child.process
    process.send_signal(signal.SIGINT)
    assert child.ask(2) == 2
    assert child.process is process
    process.send_signal(signal.SIGSTOP)
    # More than a pipe holds, so that the thread cannot send all of it.
    thread, answers = in_thread(child, "x" * 10_000_000)
    time.sleep(0.1)
    child.close()
    thread.join(TIME_LIMIT)
    assert answers == [ChildEnded]

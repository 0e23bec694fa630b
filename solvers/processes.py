"""Another Python process that answers requests: one line of JSON out, one line of JSON in.

The program that asks has a :class:`Child`. The process that answers calls :func:`answer_requests`.
A request is a line ``[number, request]`` on the standard input of the process. It is answered on
the standard output by lines ``[number, kind, value]``: any number of the kind "share" (the fraction
done), and then one "answer", or one "error" with a sentence. The process ends when its input ends,
because then the program that asks has ended.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import logging
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solvers.cancelling import Report, check_cancelled, no_report
from solvers.errors import BadInput

if TYPE_CHECKING:
    from subprocess import Popen

# Time between two checks whether the thread that waits for an answer is cancelled, in seconds.
CHECK_INTERVAL = 0.01
# Priority of threads on Linux: 0 is the normal priority, 19 the lowest.
NICE = 10
# Maximum time to wait for the end of a killed process, in seconds.
MAX_KILL_TIME = 10.0
log = logging.getLogger(__name__)


class ChildEnded(Exception):
    """There is no answer: the process ended, cannot be started, or is closed."""


class Child:
    """Another Python process, which is started by the first request.

    All methods may be called in any thread. Requests of several threads do not wait for each other;
    the process answers the newest one first.

    Parameters
    ----------
    module : str
        A module of `solvers` or `svmviz` that calls :func:`answer_requests`.
    arguments : sequence of str
        The arguments of the module.
    variables : callable() -> mapping of str to str
        Returns the environment variables that differ from those of this process; called when a
        process is started.
    restarts : int
        Maximum number of new processes in a row that are started because a process ended before it
        answered. The new process gets the same requests.

    Attributes
    ----------
    closed : bool
    """

    def __init__(
        self,
        module: str,
        arguments: Sequence[str] = (),
        variables: Callable[[], Mapping[str, str]] = dict,
        restarts: int = 2,
    ) -> None:
        self._start = lambda: _start_python(module, arguments, variables())
        self._restarts = restarts
        self._lock = threading.Lock()
        self._process: _Process | None = None
        # The number of processes in a row that ended before they answered.
        self._deaths = 0
        self.closed = False

    @property
    def process(self) -> Popen[str] | None:
        """The process that is running; None before it is started and after its end."""
        process = self._process
        return process.popen if process is not None and process.popen.poll() is None else None

    def begin(self) -> bool:
        """Start the process if it is not running, and return whether it could be started."""
        with contextlib.suppress(ChildEnded):
            return self._ensure_process() is not None
        return False

    def ask(self, request: Any, report: Report = no_report) -> Any:
        """Send a request, a JSON value, and wait for the answer, a JSON value.

        Parameters
        ----------
        request : object
        report : callable(float)
            Called in this thread with the fraction of the work that is done, 0 to 1.

        Raises
        ------
        BadInput
            If the process refuses the request.
        Cancelled
            If the work of this thread is cancelled (:func:`solvers.cancelling.cancel_when`). The
            process works on; :meth:`end` stops it.
        ChildEnded
            If there is no process that answers.
        """
        while True:
            check_cancelled()
            process = self._ensure_process()
            answers = process.send(request)
            while answer := _next(answers):
                kind, value = answer
                if kind == "share":
                    report(value)
                    continue
                self._deaths = 0
                if kind == "error":
                    raise BadInput(value)
                return value
            self._bury(process)

    def end(self) -> None:
        """Kill the process. The next request, or one that waits, starts another one."""
        with self._lock:
            process, self._process, self._deaths = self._process, None, 0
        if process is not None:
            process.kill()

    def close(self) -> None:
        """Kill the process for good: every request, even one that waits, raises `ChildEnded`."""
        self.closed = True
        self.end()

    def _ensure_process(self) -> _Process:
        with self._lock:
            if self.closed or self._deaths > self._restarts:
                raise ChildEnded
            if self._process is None:
                try:
                    self._process = _Process(self._start())
                except OSError as error:
                    log.warning("Another process cannot be started: %s", error)
                    self._deaths += 1
                    raise ChildEnded from None
            return self._process

    def _bury(self, process: _Process) -> None:
        """Count a process that has ended too early, only once if several threads wait for it."""
        with self._lock:
            if self._process is process:
                self._process = None
                self._deaths += 1
        process.kill()


# The answers to one request, each a kind and a value; None if the process has ended.
_Answers = queue.SimpleQueue[tuple[str, Any] | None]


def _next(answers: _Answers) -> tuple[str, Any] | None:
    while True:
        check_cancelled()
        with contextlib.suppress(queue.Empty):
            return answers.get(timeout=CHECK_INTERVAL)


class _Process:
    """A started process, the requests that it has not answered, and the thread that reads."""

    def __init__(self, popen: Popen[str]) -> None:
        self.popen = popen
        self._lock = threading.Lock()
        self._numbers = itertools.count()
        self._waiting: dict[int, _Answers] = {}
        self._has_ended = False
        self._thread = threading.Thread(target=self._read, name="svmviz-answers", daemon=True)
        self._thread.start()

    def send(self, request: Any) -> _Answers:
        answers = _Answers()
        with self._lock:
            number = next(self._numbers)
            self._waiting[number] = answers
            try:
                assert self.popen.stdin is not None
                self.popen.stdin.write(json.dumps([number, request]) + "\n")
                self.popen.stdin.flush()
            except (OSError, ValueError):
                # The process has ended, or its input is closed.
                answers.put(None)
            if self._has_ended:
                answers.put(None)
        return answers

    def kill(self) -> None:
        """Kill the process and wait for its end."""
        self.popen.kill()
        self._thread.join(MAX_KILL_TIME)

    def _read(self) -> None:
        """Pass on the answers until the process ends; this is what the thread does."""
        assert self.popen.stdout is not None
        with self.popen.stdout:
            for line in self.popen.stdout:
                # The last line of a process that was killed may lack its end.
                if line.endswith("\n"):
                    number, kind, value = json.loads(line)
                    self._waiting[number].put((kind, value))
                    if kind != "share":
                        del self._waiting[number]
        self.popen.kill()
        self.popen.wait()
        assert self.popen.stdin is not None
        # Closing tries to write what the process has not read yet, and fails.
        with contextlib.suppress(OSError):
            self.popen.stdin.close()
        with self._lock:
            self._has_ended = True
            for answers in self._waiting.values():
                answers.put(None)


def answer_requests(answer: Callable[[Any, Report], Any]) -> None:
    """Answer the requests of a `Child` in another process, the newest first; this never returns.

    Parameters
    ----------
    answer : callable(request, report)
        Returns the answer to a request, a JSON value. It may call ``report`` with the fraction of
        the work that is done, and raise BadInput. Any other exception ends the process.
    """
    # Ctrl+C reaches this process too, but is meant for the program that asks.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    # Standard output is redirected: text that is printed by mistake must not look like an answer.
    os.dup2(2, 1)
    requests: queue.LifoQueue[tuple[int, Any]] = queue.LifoQueue()
    threading.Thread(target=_listen, args=(requests,), daemon=True).start()

    def send(number: int, kind: str, value: Any) -> None:
        output.write(json.dumps([number, kind, value]) + "\n")
        output.flush()

    while True:
        number, request = requests.get()
        try:
            # The number is bound here, since the next request has another one.
            value = answer(request, lambda share, number=number: send(number, "share", share))
        except BadInput as error:
            send(number, "error", str(error))
        else:
            send(number, "answer", value)


def _listen(requests: queue.LifoQueue[tuple[int, Any]]) -> None:
    for line in sys.stdin:
        requests.put(json.loads(line))
    # Exit at once, whatever the main thread does: nobody waits for an answer any more.
    os._exit(0)


def lower_thread_priority() -> None:
    """Lower the priority of this thread below that of the other ones.

    This works on Linux only: on other systems a priority belongs to the whole process.
    """
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)


def _start_python(
    module: str, arguments: Sequence[str], variables: Mapping[str, str]
) -> Popen[str]:
    """Start ``python -m module``; what it writes to standard error is lost.

    Raises
    ------
    OSError
        If the process cannot be started.
    """
    # Imported here, since the import takes 5 ms when the window starts.
    import subprocess

    if not sys.executable or getattr(sys, "frozen", False):
        raise OSError("There is no interpreter that could run a module.")
    paths = [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    # Flags that exist only on Windows.
    flags = ("CREATE_NO_WINDOW", "BELOW_NORMAL_PRIORITY_CLASS")
    return subprocess.Popen(
        # With -P, Python does not import modules from the current folder.
        [sys.executable, "-P", "-m", module, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        errors="replace",
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, paths)),
            **variables,
        },
        creationflags=sum(getattr(subprocess, flag, 0) for flag in flags),
    )

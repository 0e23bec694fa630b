"""At its end the program waits for the tasks that run in the thread pool of Qt."""

from __future__ import annotations

import threading

from PySide6.QtCore import QRunnable, QThreadPool

from svmviz.app.app import finish_pool
from tests.time_limits import TIME_LIMIT


class Task(QRunnable):
    """A task that works until it is allowed to end."""

    def __init__(self, may_end: threading.Event) -> None:
        super().__init__()
        self.begun, self.ended, self.may_end = threading.Event(), threading.Event(), may_end

    def run(self) -> None:
        self.begun.set()
        self.may_end.wait()
        self.ended.set()


def test_running_tasks_end_and_waiting_ones_are_dropped(qapp):
    pool, may_end = QThreadPool.globalInstance(), threading.Event()
    running = [Task(may_end) for _ in range(pool.maxThreadCount())]
    waiting = Task(may_end)
    for task in (*running, waiting):
        # Otherwise the pool deletes the tasks.
        task.setAutoDelete(False)
        pool.start(task)
    assert all(task.begun.wait(TIME_LIMIT) for task in running)
    assert not finish_pool(1)
    threading.Timer(0.05, may_end.set).start()
    assert finish_pool(int(1000 * TIME_LIMIT))
    assert all(task.ended.is_set() for task in running)
    assert not waiting.begun.is_set()

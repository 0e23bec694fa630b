"""The process of `tests/solvers/test_processes.py`: each request says what the process does."""

import itertools
import os
import sys
import time

from solvers.errors import BadInput
from solvers.processes import answer_requests

_turns = itertools.count()


def answer(request, report):
    match request:
        case "arguments":
            return [sys.argv[1:], os.environ.get("SVMVIZ_TEST")]
        case "die":
            os._exit(1)
        case "die once":
            return _die_once(sys.argv[1])
        case "refuse":
            raise BadInput("No.")
        case "print":
            print("[0, 'answer', 'printed by mistake']")
            os.write(1, b"[0, 1, 2]\n")
        case "sleep":
            time.sleep(600)
        case "count":
            list(map(report, (0.25, 0.5, 1.0)))
        case {"which": number}:
            return [number, next(_turns)]
        case {"wait for": path}:
            while not os.path.exists(path):
                time.sleep(0.001)
    return request


def _die_once(path):
    if os.path.exists(path):
        return "alive"
    with open(path, "w"):
        os._exit(1)


if __name__ == "__main__":
    answer_requests(answer)

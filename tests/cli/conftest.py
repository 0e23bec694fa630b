"""Running the command line, in this process and in one of its own."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from solvers.data.datasets import DATASETS, eight_points
from svmviz.document.document import Document
from svmviz.io.open_and_save import save
from tests.cli.common import without_notice
from tests.time_limits import TIME_LIMIT

ROOT = Path(__file__).parent.parent.parent


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


@pytest.fixture
def svmviz(capsys):
    """Call the command line in this process."""
    from svmviz.cli import main

    def call(*arguments):
        code = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Outcome(code, out, without_notice(err))

    return call


@pytest.fixture
def process(tmp_path):
    """Call ``python -m svmviz`` in a process of its own, in a folder of its own."""

    def call(*arguments, before="", **environment):
        code = f"{before}\nimport sys\nfrom svmviz.__main__ import main\nsys.exit(main())"
        path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        done = subprocess.run(
            [sys.executable, "-c", code, *map(str, arguments)],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": path, **environment},
            capture_output=True,
            text=True,
            encoding="utf-8",
            stdin=subprocess.DEVNULL,
            timeout=TIME_LIMIT,
        )
        return Outcome(done.returncode, done.stdout, without_notice(done.stderr))

    return call


@pytest.fixture
def eight(tmp_path):
    """The eight points as a table."""
    save(tmp_path / "eight.csv", eight_points())
    return tmp_path / "eight.csv"


@pytest.fixture
def moons(tmp_path):
    """Two moons as a table."""
    save(tmp_path / "moons.csv", DATASETS["moons"].generate(60, 0.2, 0))
    return tmp_path / "moons.csv"


@pytest.fixture
def scene_of(tmp_path):
    """Write a scene of the eight points and return its path."""

    def write(**members):
        from svmviz.io.scene import Scene

        looks = {key: members.pop(key) for key in ("step", "window", "options") if key in members}
        path = tmp_path / "scene.svmviz"
        save(path, Scene(Document(eight_points(), **members), **looks))
        return path

    return write

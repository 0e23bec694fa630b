"""The commands and snippets of the documentation run."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import numpy as np
import pytest

from solvers import Reason
from svmviz.base.resources import root

DOCS = Path(__file__).parents[2] / "docs"
COMMANDS = re.findall(
    r"^    svmviz (.*)$", (DOCS / "command-line.md").read_text("utf-8"), re.MULTILINE
)
SNIPPETS = re.findall(r"```python\n(.*?)```", (DOCS / "library.md").read_text("utf-8"), re.DOTALL)


def test_there_are_some():
    assert len(COMMANDS) >= 5
    assert len(SNIPPETS) == 3


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[:24])
@pytest.mark.usefixtures("qapp")
def test_commands(svmviz, moons, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    shutil.copy(moons, "points.csv")
    shutil.copy(root() / "scenes" / "race.svmviz", "scene.svmviz")
    Path("scenes").mkdir()
    shutil.copy(root() / "scenes" / "three-points.svmviz", "scenes")
    rows = "\n".join(f"{x},{x * x},{2 * x}" for x in range(20))
    Path("heights.csv").write_text(f"a,b,height\n{rows}\n")
    names = "setosa", "versicolor", "virginica"
    species = "\n".join(f"{x % 7},{x % 11},{names[x % 3]}" for x in range(60))
    Path("species.csv").write_text(f"x,y,species\n{species}\n")
    Path("three-classes.csv").write_text(f"x,y,species\n{species}\n")
    Path("words.csv").write_text("singing,a\nringing,a\nsinger,b\nringer,b\n")
    Path("points.libsvm").write_text("+1 1:1 5:2 9:1\n-1 1:-1 5:1\n")
    words = shlex.split(command, comments=True)
    done = svmviz(*words)
    assert (done.code, done.err) == (0, "")
    if "-o" in words:
        output = Path(words[words.index("-o") + 1])
        files = list(output.iterdir()) if output.is_dir() else [output]
        assert sum(file.stat().st_size for file in files) > 1000


def test_snippets():
    # The first snippet makes X and y, of 40 points.
    names = {"points": np.zeros((5, 2)), "labels": np.random.default_rng(0).integers(0, 3, 40)}
    for snippet in SNIPPETS:
        exec(snippet, names)
    assert names["run"].reason is Reason.CONVERGED
    assert names["model"].predict(names["X"]).shape == (40,)

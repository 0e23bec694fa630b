"""Scripts on more than two classes decide as this library does, and are formatted."""

from __future__ import annotations

import re
import runpy
import subprocess
from dataclasses import replace

import matplotlib
import matplotlib.pyplot
import numpy as np
import pytest

from solvers import RBF, SMO, Linear, WorkingSet
from solvers.data.datasets import PointSet
from solvers.problem.machines import REDUCTIONS, Machine, machines_of
from svmviz.document.document import Document, Penalty
from svmviz.document.held_out import TRAINING, Shares
from svmviz.document.splitting import split
from svmviz.frames.solved_machines import confusion_tables, decision_at, solve_machines
from tests.cli.test_many_classes import clouds
from tests.export.code.test_code import write

LINE = re.compile(r"(.+): (\d+) of (\d+) points decided wrongly, (\d+) decided otherwise than by.*")


def document_of(k: int, **members) -> Document:
    options = {"penalty": Penalty("C", 5.0), "methods": (SMO(tol=1e-6),), **members}
    return Document(data=clouds(k), **options)


def with_code(document: Document) -> Document:
    code = Machine((1, 1, -1)), Machine((-1, 1, 1)), Machine((1, -1, 0))
    return document.with_many(document.many.with_machines(code)).looking_at(2)


DOCUMENTS = {
    "three": document_of(3),
    "six": document_of(6).looking_at(14),
    "scaled, rest": document_of(4, kernel=Linear(), scaling="each").with_many(
        document_of(4).many.with_machines(machines_of("one-against-rest", 4))
    ),
    "lambda": document_of(3, penalty=Penalty("lambda", 0.01)),
    "matrix": with_code(document_of(3)),
    "split": split(document_of(4), Shares(0.2, 0.2)),
    "weights": document_of(3, class_weights=(0.5, 4.0, 1.0)),
    "absent": Document(data=clouds(4).at(clouds(4).labels != 3), kernel=RBF(0.5)),
}


def expected(document: Document, code: str) -> list[int]:
    """Return the number of wrong decisions by each code matrix of the script."""
    many = document.many
    if code == "sklearn":
        document = replace(document, methods=(WorkingSet(tol=1e-10),))
    matrices = [machines_of(name, many.k) for name in REDUCTIONS]
    matrices += [] if many.reduction else [many.machines]
    errors = []
    for machines in matrices:
        changed = document.with_many(many.with_machines(machines))
        expansions = [machine.expansion for machine in solve_machines(changed)]
        decided = decision_at(machines, expansions, document.solver_points).classes
        table = confusion_tables(changed, decided)[TRAINING]
        errors.append(int(table.sum() - np.trace(table)))
    return errors


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("three", "sklearn"),
        ("six", "solvers"),
        ("scaled, rest", "solvers"),
        ("lambda", "sklearn"),
        ("matrix", "sklearn"),
        ("split", "solvers"),
        ("weights", "sklearn"),
        ("weights", "solvers"),
        ("absent", "sklearn"),
    ],
)
def test_a_script_decides_as_the_library(name, code, tmp_path, capsys):
    matplotlib.use("agg")
    document = DOCUMENTS[name]
    path = write(tmp_path / "a.py", document, code)
    with pytest.raises(SystemExit) as end:
        runpy.run_path(str(path), run_name="__main__")
    matplotlib.pyplot.close("all")
    assert end.value.code == 0
    *lines, last = capsys.readouterr().out.splitlines()
    assert last.startswith("largest difference")
    found = [LINE.fullmatch(line) for line in lines]
    assert [int(match[2]) for match in found] == expected(document, code)
    assert {int(match[3]) for match in found} == {int((document.parts == TRAINING).sum())}
    assert {int(match[4]) for match in found} == {0}


def test_words_of_three_classes_have_a_script_of_the_machine(tmp_path):
    from svmviz.io.scene import read_scene

    document = read_scene(
        '{"svmviz": 6, "words": ["singing", "ringing", "horse", "house", "cat", "bat"],'
        '"labels": [0, 0, 1, 1, 2, 2], "class_names": ["a", "b", "c"],'
        '"kernel": {"name": "edit-distance", "gamma": 0.5}}',
        "scene",
    ).document
    for code in ("sklearn", "solvers"):
        with pytest.raises(SystemExit) as end:
            runpy.run_path(str(write(tmp_path / "a.py", document, code)), run_name="__main__")
        assert end.value.code == 0
    matplotlib.pyplot.close("all")


def test_scripts_are_formatted(tmp_path):
    ruff = pytest.importorskip("ruff", reason="in the extra lint only")
    names = PointSet(clouds(3).points, clouds(3).labels, ('say "no"', "it's", "$x$"), ("x", "y\\"))
    documents = [*DOCUMENTS.values(), replace(DOCUMENTS["three"], data=names)]
    for document in documents:
        for code in ("sklearn", "solvers"):
            path = write(tmp_path / "a.py", document, code)
            for command in (["format", "--isolated", "--diff"], ["check", "--isolated"]):
                done = subprocess.run(
                    [ruff.find_ruff_bin(), *command, str(path)],
                    cwd=tmp_path,
                    capture_output=True,
                    text=True,
                )
                assert done.returncode == 0, done.stdout

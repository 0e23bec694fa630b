"""Scripts of words and of given matrices: scikit-learn and this library repeat the optimum."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from solvers import EditDistance, Spectrum
from solvers.data.datasets import PointSet
from solvers.data.items import matrix_items, words_of
from solvers.jit.compiled import COMPILING
from solvers.problem.quadratic_program import quadratic_program
from svmviz.document.document import Document
from svmviz.export.code.qp_code import qp_script
from tests.export.code.test_code import ROOT, TIME_LIMIT, write

LABELS = np.array([-1, 1, 1, -1, 1, -1])
NAMES = ("naïve", 'a "b"', "a$b", "banana", "ananas", "bandana")
A = np.random.default_rng(3).normal(size=(6, 4))
WORDS = PointSet(np.zeros((6, 2)), LABELS, ("no", "yes"), items=words_of(NAMES))
MATRIX = PointSet(np.zeros((6, 2)), LABELS, items=matrix_items(A @ A.T))
DOCUMENTS = [
    Document(data=WORDS, kernel=Spectrum(p=1)),
    Document(data=WORDS, kernel=EditDistance(gamma=0.4)),
    Document(data=MATRIX),
]


@pytest.mark.parametrize("code", ["sklearn", "solvers"])
@pytest.mark.parametrize("document", DOCUMENTS)
def test_scripts_repeat_the_optimum(tmp_path, document, code):
    script = write(tmp_path / "a.py", document, code)
    environment = {**os.environ, "MPLBACKEND": "agg", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, script], env=environment, capture_output=True, text=True,
        timeout=TIME_LIMIT,
    )  # fmt: skip
    assert (done.returncode, done.stderr.replace(f"{COMPILING}\n", "")) == (0, "")
    assert Path(f"{script}.png").stat().st_size > 10_000


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_program_has_the_same_matrices(document):
    text = qp_script(document).partition("library =")[0].replace("import piqp", "")
    names: dict = {}
    exec(text, names)
    qp = quadratic_program(document.problem())
    np.testing.assert_allclose(names["P"], qp.P)

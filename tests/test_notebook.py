"""A run is shown in a notebook: as its page, in a frame that sees nothing of the notebook."""

import html
import re
import subprocess
import sys

import numpy as np
import pytest

import svmviz
from solvers import RBF, SMO, BadInput, Linear, Pegasos, Polynomial, Problem, Regression, solve
from svmviz.notebook import page_of_run, points_of
from tests import stages

EIGHT = stages.eight().data


def test_the_page_of_a_run_needs_no_qt():
    code = (
        "import sys, svmviz; svmviz.show([[0, 0], [1, 1], [2, 0]], list('aba'))._repr_html_();"
        "sys.exit(any(name.startswith('PySide6') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=120).returncode == 0


def test_a_run_is_shown_as_its_page(qapp):
    run = solve(Problem(EIGHT.points, EIGHT.labels, kernel=Linear(), C=1.0), Pegasos(max_steps=20))
    frame = page_of_run(run)
    assert frame is not None
    source = re.fullmatch(r'<iframe srcdoc="([^"]*)" sandbox="allow-scripts"[^>]*></iframe>', frame)
    assert source is not None
    assert html.unescape(source[1]).startswith("<!doctype html>")


def test_a_run_that_no_plane_can_show_has_no_page():
    X = np.random.default_rng(0).normal(size=(6, 3))
    assert page_of_run(solve(Problem(X, [-1, 1] * 3), SMO())) is None
    assert page_of_run(solve(Regression(X[:, :1], X[:, 1]), SMO())) is None
    weighted = Problem(X[:, :2], [-1, 1] * 3, weights=[1.0, 2.0] * 3)
    assert page_of_run(solve(weighted, SMO())) is None


@pytest.mark.parametrize(
    ("y", "names", "labels"),
    [
        ([1, -1, 1, -1], ("-1", "+1"), [1, -1, 1, -1]),
        (["b", "a", "a", "b"], ("a", "b"), [1, -1, -1, 1]),
        ([10, 2, 2, 10], ("2", "10"), [1, -1, -1, 1]),
        ([True, False, True, True], ("0", "1"), [1, -1, 1, 1]),
        (["c", "a", "b", "c"], ("a", "b", "c"), [2, 0, 1, 2]),
    ],
)
def test_labels_of_any_kind_are_classes(y, names, labels):
    found = points_of([[0, 0], [1, 1], [0, 1], [1, 0]], y)
    assert found.class_names == names
    assert found.labels.tolist() == labels


def test_columns_name_the_axes():
    class Table(np.ndarray):
        columns = ("bill", "mass")

    found = points_of(np.zeros((2, 2)).view(Table), ["a", "b"])
    assert found.axis_names == ("bill", "mass")


@pytest.mark.parametrize(
    ("X", "y", "settings", "words"),
    [
        ([[0, 0, 0]], [1], {}, "X must have two columns, the coordinates of the plane: got 1 x 3."),
        ([["a", 0]], [1], {}, "X must hold numbers only."),
        ([[0, 0], [1, 1]], [1], {}, "X has 2 rows, but y has 1 labels."),
        ([[0, 0], [1, 1]], [1, 1], {}, "y must have two to six classes: got 1."),
        (
            EIGHT.points,
            EIGHT.labels,
            {"kernel": "tanh"},
            "There is no kernel 'tanh': ",
        ),
        (
            EIGHT.points,
            EIGHT.labels,
            {"gamma": 2.0},
            "The kernel Linear takes no setting gamma here.",
        ),
        (
            EIGHT.points,
            EIGHT.labels,
            {"kernel": RBF(1.0), "gamma": 2.0},
            "A kernel that is given takes no setting gamma here.",
        ),
    ],
)
def test_what_cannot_be_shown_is_said_in_one_sentence(X, y, settings, words):
    with pytest.raises(BadInput, match="^" + re.escape(words)):
        svmviz.show(X, y, **settings)


def test_a_kernel_by_name_takes_its_settings():
    by_name = svmviz.show(EIGHT.points, EIGHT.labels, kernel="poly", gamma=2.0, degree=2)
    given = svmviz.show(EIGHT.points, EIGHT.labels, kernel=Polynomial(degree=2, gamma=2.0))
    assert by_name.html == given.html


@pytest.mark.slow
def test_a_notebook_with_a_run_is_executed():
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    cells = [
        "from solvers import Problem, RBF, SMO, solve\nimport svmviz",
        "X = [[0, 0], [1, 1], [2, 0], [0, 2]]\nsvmviz.show(X, list('abba'), kernel=RBF(1.0))",
        "solve(Problem(X, [1, -1, -1, 1], C=10.0), SMO())",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    client.NotebookClient(notebook, timeout=120).execute()
    for cell in notebook.cells[1:]:
        assert "<iframe srcdoc=" in cell.outputs[0]["data"]["text/html"]

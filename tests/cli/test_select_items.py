"""``svmviz select`` of words and kernel matrices, beside scikit-learn's SVC on the same splits."""

import json

import numpy as np
import pytest
from sklearn.svm import SVC

from solvers.data.point_files import parse_points
from solvers.kernels.items.strings import EditDistance, Spectrum
from solvers.selection.procedures import PROCEDURES

VERBS = "singing ringing bringing walking talking running jumping playing eating sleeping".split()
NOUNS = "singer ringer bringer walker talker runner jumper player eater meeting".split()
# A kernel of polynomials of degree 2 of points that overlap.
RNG = np.random.default_rng(0)
X = RNG.normal(size=(30, 3))
K = (1.0 + X @ X.T) ** 2
Y = np.where(X[:, 0] + 0.7 * RNG.normal(size=30) > 0, 1, -1)


@pytest.fixture
def words(tmp_path):
    path = tmp_path / "words.csv"
    rows = [f"{word},verb" for word in [*VERBS, "number"]] + [f"{word},noun" for word in NOUNS]
    path.write_text("\n".join(["word,label", *rows]))
    return path


@pytest.fixture
def matrix(tmp_path):
    path = tmp_path / "K.csv"
    rows = [",".join([*map(repr, row), "b" if y > 0 else "a"]) for row, y in zip(K.tolist(), Y)]
    path.write_text("\n".join(["# kernel matrix", *rows]))
    return path


@pytest.fixture
def selected(svmviz):
    def call(*arguments):
        done = svmviz("select", *arguments, "--json")
        assert (done.code, done.err) == (0, "")
        return json.loads(done.out)

    return call


def hinge_of(K, y, C, part, trained_on):
    """The mean hinge loss of scikit-learn's SVC."""
    train, test = np.array(trained_on), np.array(part["test"])
    model = SVC(C=C, kernel="precomputed", tol=1e-8).fit(K[np.ix_(train, train)], y[train])
    f = model.decision_function(K[np.ix_(test, train)])
    return pytest.approx(np.maximum(0.0, 1.0 - y[test] * f).mean(), abs=1e-5)


@pytest.mark.parametrize("procedure", PROCEDURES)
def test_a_matrix_has_the_risks_of_another_solver(selected, matrix, procedure):
    found = selected(
        matrix, "--procedure", procedure, "--grid", "C=0.05,1", "--stratified", "--tol", "1e-8",
        "--folds", "4", "--risk", "hinge",
    )  # fmt: skip
    assert [cell["C"] for cell in found["cells"]] == [0.05, 1.0]
    for cell in found["cells"]:
        for part in cell["parts"]:
            rows = sorted(part["train"] + part.get("validation", []) + part["test"])
            assert rows == list(range(30))
            measured = {"test": part["validation"]} if procedure == "validation" else part
            assert part["risk"] == hinge_of(K, Y, cell["C"], measured, part["train"])


@pytest.mark.parametrize(
    ("grid", "kernels"),
    [
        (["p=1,2,3"], [Spectrum(1), Spectrum(2), Spectrum(3)]),
        (["gamma=0.1,1"], [EditDistance(0.1), EditDistance(1.0)]),
        (["kernel=spectrum,edit-distance"], [Spectrum(), EditDistance()]),
    ],
)
def test_words_have_the_risks_of_another_solver(selected, words, grid, kernels):
    kernel = ["--kernel", "edit-distance"] if "gamma" in grid[0] else []
    options = [item for axis in grid for item in ("--grid", axis)]
    found = selected(
        words, "--procedure", "k-fold", *kernel, *options, "--tol", "1e-8", "--risk", "hinge"
    )
    points = parse_points(words.read_text())
    assert len(found["cells"]) == len(kernels)
    for cell, compare in zip(found["cells"], kernels, strict=True):
        gram = points.items.gram(compare)
        for part in cell["parts"]:
            assert part["risk"] == hinge_of(gram, points.labels, 1.0, part, part["train"])


def test_a_store_keeps_the_results_of_each_kernel_of_words_apart(selected, words, tmp_path):
    options = ("--procedure", "k-fold", "--risk", "hinge")
    alone = [selected(words, *options, "--p", p)["risk"] for p in (1, 2, 3)]
    kept = [
        selected(words, *options, "--p", p, "--store", tmp_path / "store")["risk"]
        for p in (1, 2, 3, 1, 2, 3)
    ]
    assert kept == alone * 2
    assert len(set(alone)) == 3


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--grid", "gamma=1,2"), "No kernel or method of these models has the setting 'gamma'"),
        (("--grid", "kernel=rbf"), "rbf cannot compare the rows of a given matrix; only given can"),
        (("--kernel", "rbf"), "rbf cannot compare the rows of a given matrix; only given can"),
        (("--grid", "kernel=spectrum"), "spectrum cannot compare the rows of a given matrix"),
        (("--folds", "20"), "20 folds"),
    ],
)
def test_what_a_matrix_does_not_have_is_refused(svmviz, matrix, options, sentence):
    done = svmviz("select", matrix, "--procedure", "k-fold", *options)
    assert done.code in (1, 2)
    assert sentence in done.err
    assert done.err.count("\n") == 1


def test_points_are_not_compared_by_a_kernel_of_words(svmviz, moons):
    for option in (("--grid", "kernel=rbf,spectrum"), ("--kernel", "given")):
        done = svmviz("select", moons, "--procedure", "k-fold", *option)
        assert done.code == 2
        assert "cannot compare points with coordinates; those that can are linear" in done.err

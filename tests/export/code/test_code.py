"""Scripts and notebooks: run as they are, by a Python of their own, without this library."""

import ast
import json
import os
import re
import runpy
import subprocess
import sys
from dataclasses import replace

import matplotlib
import matplotlib.pyplot
import nbformat
import numpy as np
import pytest
from PIL import Image

from solvers import (
    KERNELS,
    METHODS,
    RBF,
    SMO,
    BadInput,
    Composed,
    CoordinateAscent,
    Custom,
    Linear,
    Polynomial,
    solve,
)
from solvers.data.datasets import DATASETS, PointSet
from solvers.data.regression_datasets import CURVES
from solvers.jit.compiled import COMPILING
from solvers.problem.certificate import BOUND, FREE, ZERO
from svmviz.colours.themes import theme_of
from svmviz.document.document import Document, Penalty
from svmviz.export import RUN_FORMATS
from svmviz.export.code.drawing import literal
from svmviz.export.code.kernel_code import KernelCode
from svmviz.export.code.qp_code import qp_script
from svmviz.export.code.save import save_code
from svmviz.export.figure_settings import FigureSettings
from svmviz.export.runs.recording import Recording
from svmviz.export.runs.run_settings import RunSettings
from svmviz.io.scene import Scene
from tests.cli.conftest import ROOT
from tests.document.test_class_weights import unbalanced
from tests.time_limits import TIME_LIMIT

LINE = re.compile(r"largest difference of decision values: (\S+), range (\S+)\n")
HARD, SOFT, STIFF = Penalty("C", np.inf), Penalty("C", 1.0), Penalty("C", 300.0)
SEPARABLE = DATASETS["blobs"].generate(30, 0.02, 0)
MOONS = DATASETS["moons"].generate(40, 0.2, 0)
FORMULA = Custom("exp(-abs(x1 - z1) - abs(x2 - z2)) + max(0, min(pi, 2)) * x1*z1 / 3")
EXPRESSION = Composed(
    "0.5*rbf(gamma=2) + linear()^2/3 + exp(0.1*linear()) + scale(norm, laplacian()) + 0.25"
    " + scale(inverse_norm, linear()) + scale(gaussian(0.3), poly(2)) * scale(squared_norm, rbf())"
)


def write(path, document, code="sklearn", run=None):
    runs = (run or solve(document.problem(), document.method),)
    recording = Recording(Scene(document), runs)
    RUN_FORMATS[path.suffix].save(path, recording, RunSettings(code=code))
    return path


def run(path, *, library=False):
    """Run a script, and return its exit code, the difference and the range."""
    environment = {**os.environ, "MPLBACKEND": "agg", "PYTHONWARNINGS": "error::FutureWarning"}
    environment["PYTHONPATH"] = str(ROOT) if library else ""
    done = subprocess.run(
        [sys.executable, "-P", str(path)],
        cwd=path.parent,
        env=environment,
        capture_output=True,
        text=True,
        timeout=TIME_LIMIT,
    )
    # A script that uses the library may have to compile first, and says so.
    assert done.stderr.replace(f"{COMPILING}\n", "") == ""
    found = LINE.fullmatch(done.stdout)
    assert found is not None
    return done.returncode, float(found[1]), float(found[2])


@pytest.fixture
def assert_agrees(capsys):
    """Run a script in this process, which has imported matplotlib; test that it agrees."""
    matplotlib.use("agg")

    def check(path):
        with pytest.raises(SystemExit) as end:
            runpy.run_path(str(path), run_name="__main__")
        found = LINE.fullmatch(capsys.readouterr().out)
        assert found is not None
        assert end.value.code == 0
        assert float(found[1]) < 1e-6 * float(found[2])
        matplotlib.pyplot.close("all")

    return check


def assert_runs_alone(path, **how):
    code, difference, spread = run(path, **how)
    assert code == 0
    assert difference < 1e-6 * spread
    with Image.open(f"{path}.png") as picture:
        assert len(picture.convert("RGB").getcolors(10**7)) > 20


def test_a_script_leaves_the_exported_picture_beside_it(assert_agrees, tmp_path):
    (tmp_path / "fig.png").write_bytes(b"exported before")
    assert_agrees(write(tmp_path / "fig.py", Document(MOONS, RBF(), SOFT)))
    assert (tmp_path / "fig.png").read_bytes() == b"exported before"
    with Image.open(tmp_path / "fig.py.png") as picture:
        assert picture.width > 100


def test_a_power_of_a_negative_constant(assert_agrees, tmp_path):
    kernel = Composed("scale(one, -2)^2 * rbf(gamma=1)")
    assert_agrees(write(tmp_path / "a.py", Document(MOONS, kernel, SOFT)))


@pytest.mark.parametrize("name", [name for name in KERNELS if name != "sigmoid"])
@pytest.mark.parametrize("penalty", [SOFT, HARD, STIFF], ids=["soft", "hard", "stiff"])
def test_every_kernel_in_classification(assert_agrees, tmp_path, name, penalty):
    kernel = FORMULA if name == "custom" else KERNELS[name]()
    data = SEPARABLE if penalty is HARD else MOONS
    if penalty is HARD and name == "homogeneous-quadratic":
        data = PointSet(np.array([[0, 1], [0.2, 2], [1, 0], [2, 0.3]]), np.array([-1, -1, 1, 1]))
    assert_agrees(write(tmp_path / "a.py", Document(data, kernel, penalty)))


@pytest.mark.parametrize("gamma", [0.05, 0.5])
def test_the_sigmoid(assert_agrees, tmp_path, gamma):
    kernel = KERNELS["sigmoid"](gamma=gamma, coef0=-0.5)
    assert_agrees(write(tmp_path / "a.py", Document(MOONS, kernel)))


@pytest.mark.parametrize(
    "kernel",
    [kind() for name, kind in KERNELS.items() if name not in ("sigmoid", "custom")] + [EXPRESSION],
    ids=lambda kernel: kernel.name,
)
@pytest.mark.parametrize("penalty", [SOFT, STIFF], ids=["soft", "stiff"])
def test_every_kernel_in_regression(assert_agrees, tmp_path, kernel, penalty):
    data = next(iter(CURVES.values())).generate(30, 0.2, 0)
    document = Document(data, kernel, penalty, task="regression", epsilon=0.15)
    assert_agrees(write(tmp_path / "a.py", document))


@pytest.mark.parametrize("scaling", ["common", "each"])
def test_scaled_axes_and_foreign_names(assert_agrees, tmp_path, scaling):
    names = {"class_names": ('say "no"', "ναι\\n'"), "axis_names": ("a\u202eb", "{x}")}
    data = PointSet(MOONS.points * [30.0, 2.0], MOONS.labels, **names)
    assert_agrees(write(tmp_path / "a.py", Document(data, scaling=scaling)))


HOSTILE = [
    "\U0001f427 \"a\" 'b'",
    "\U0001f427\\",
    "\ud83d\x00'",
    r"$\undefined$",
    "_a",
    "\\$1",
    "{x}",
]


@pytest.mark.filterwarnings("ignore:Glyph")
@pytest.mark.parametrize("text", HOSTILE)
def test_a_name_is_shown_as_it_is(text, tmp_path):
    matplotlib.use("agg")
    names = {"class_names": (text, f"{text}b"), "axis_names": (text, f"{text}c")}
    data = PointSet(MOONS.points, MOONS.labels, **names)
    path = write(tmp_path / "a.py", Document(data))
    shown = text.replace("\ud83d", "\ufffd")
    assert ast.literal_eval(literal(text)) == shown
    # The script is run without its last statements, which save the picture and end the program.
    program = path.read_text(encoding="utf-8").split("# plt.show()")[0]
    variables = {}
    exec(program, variables)
    axes = variables["axes"]
    texts = [*axes.get_legend().get_texts(), axes.xaxis.label, axes.yaxis.label]
    roles = ["support vector", "α at cap C", "misclassified"]
    classes = [shown, f"{shown}b"]
    assert [each.get_text() for each in texts] == [*classes, *roles, shown, f"{shown}c"]
    assert not any(each.get_parse_math() for each in texts)
    variables["figure"].canvas.draw()
    matplotlib.pyplot.close("all")


@pytest.mark.parametrize("code", ["sklearn", "solvers"])
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_each_point_has_the_mark_of_its_role(code, task, tmp_path):
    matplotlib.use("agg")
    regression = task == "regression"
    data = next(iter(CURVES.values())).generate(30, 0.4, 0) if regression else MOONS
    document = Document(data, penalty=Penalty("C", 0.5), task=task).with_method(SMO(tol=1e-9))
    variables = {}
    exec(write(tmp_path / "a.py", document, code).read_text().split("# plt.show()")[0], variables)
    certificate = solve(document.problem(), document.method).certificate
    places = [set(map(tuple, drawn.get_offsets().tolist())) for drawn in variables["drawn"]]
    classes = [1] if regression else [-1, 1]
    expected = [
        set(map(tuple, data.points[np.isin(certificate.kinds, kinds) & own].tolist()))
        for kinds in ([ZERO], [FREE, BOUND], [BOUND])
        for own in (data.labels == label for label in classes)
    ]
    assert all(expected)
    assert places == expected
    if not regression:
        wrong = data.points[certificate.slack > 1.0]
        assert len(wrong) > 0
        assert sorted(variables["crosses"].get_offsets().tolist()) == sorted(wrong.tolist())
    matplotlib.pyplot.close("all")


@pytest.mark.parametrize("code", ["sklearn", "solvers"])
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_f_takes_points_in_data_units_if_the_axes_are_scaled(code, task, tmp_path):
    matplotlib.use("agg")
    data = MOONS if task == "classification" else next(iter(CURVES.values())).generate(30, 0.2, 0)
    data = replace(data, points=data.points * [30.0, 2.0] + 5.0)
    document = Document(data, RBF(1.0), task=task, scaling="each")
    path = write(tmp_path / "a.py", document, code)
    variables = {}
    exec(path.read_text(encoding="utf-8").split("# plt.show()")[0], variables)
    expected = solve(document.problem(), SMO(tol=1e-9)).certificate.decision
    points = data.points if task == "classification" else data.points[:, :1]
    np.testing.assert_allclose(variables["decision"](points), expected, atol=0.02)
    matplotlib.pyplot.close("all")


def test_a_script_runs_alone_and_draws(tmp_path):
    assert_runs_alone(write(tmp_path / "a.py", Document(MOONS)))
    data = next(iter(CURVES.values())).generate(30, 0.2, 0)
    assert_runs_alone(write(tmp_path / "b.py", Document(data, task="regression")))


def test_a_wrong_number_is_noticed(tmp_path):
    path = write(tmp_path / "a.py", Document(MOONS))
    text = path.read_text(encoding="utf-8")
    row = re.search(r"        \[.*, (\S+)\],\n", text)
    assert row is not None
    path.write_text(text.replace(row[1], repr(float(row[1]) + 1e-3)), encoding="utf-8")
    code, difference, _ = run(path)
    assert code == 1
    assert difference == pytest.approx(1e-3, rel=0.01)


@pytest.mark.parametrize("name", ["smo", "pegasos", "hulls"])
def test_our_own_library_repeats_the_run(tmp_path, name):
    document = Document(SEPARABLE, Linear(), Penalty("lambda", 0.01)).with_method(METHODS[name]())
    if "max_steps" in document.method.values():
        method = type(document.method)(**{**document.method.values(), "max_steps": 300})
        document = document.with_method(method)
    path = write(tmp_path / "a.py", document, "solvers")
    code, difference, _ = run(path, library=True)
    assert (code, difference) == (0, 0.0)


def test_our_own_library_on_a_regression(tmp_path):
    data = next(iter(CURVES.values())).generate(30, 0.2, 0)
    document = Document(data, Polynomial(0.7, 1.0, 4), task="regression", epsilon=0.15)
    path = write(tmp_path / "a.py", document, "solvers")
    assert run(path, library=True)[:2] == (0, 0.0)


@pytest.mark.parametrize("code", ["sklearn", "solvers"])
def test_notebooks(tmp_path, capsys, code):
    matplotlib.use("agg")
    path = write(tmp_path / "a.ipynb", Document(MOONS), code)
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    names = {}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            exec(cell.source, names)
    assert LINE.fullmatch(capsys.readouterr().out)
    matplotlib.pyplot.close("all")
    assert json.loads(path.read_text(encoding="utf-8"))["nbformat"] == 4


@pytest.mark.parametrize("kernel", [*(kind() for kind in KERNELS.values()), FORMULA, EXPRESSION])
def test_kernels_are_the_same_function(kernel):
    rng = np.random.default_rng(0)
    A, B = rng.normal(size=(7, 2)), rng.normal(size=(5, 2))
    names = {"np": np}
    exec(KernelCode(kernel).text(), names)
    np.testing.assert_allclose(names["kernel"](A, B), kernel(A, B), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("bias", ["none", "augmented"])
def test_another_bias_is_refused_in_words(tmp_path, bias):
    document = Document(MOONS, bias=bias, methods=(CoordinateAscent(),))
    with pytest.raises(BadInput, match="free bias"):
        write(tmp_path / "a.py", document)
    assert list(tmp_path.iterdir()) == []
    path = write(tmp_path / "a.py", document, "solvers")
    assert run(path, library=True)[:2] == (0, 0.0)


def test_scripts_are_formatted(tmp_path):
    ruff = pytest.importorskip("ruff", reason="in the extra lint only")
    names = PointSet(MOONS.points, MOONS.labels, ('say "no"', "it's"), ("x\\y", "a \"b\" 'c'"))
    documents = [
        Document(MOONS),
        Document(names, EXPRESSION, HARD, scaling="each"),
        Document(MOONS, class_weights=(0.5, 4.0)),
        Document(MOONS, FORMULA, methods=(SMO(tol=1e-5, max_steps=77, seed=3),)),
        Document(MOONS, Polynomial(0.3, 1.5, 4), task="regression"),
    ]
    for document in documents:
        for code in ("sklearn", "solvers"):
            path = write(tmp_path / "a.py", document, code)
            done = subprocess.run(
                [ruff.find_ruff_bin(), "format", "--isolated", "--diff", str(path)],
                capture_output=True,
                text=True,
            )
            assert done.stdout == ""
            done = subprocess.run(
                [ruff.find_ruff_bin(), "check", "--isolated", str(path)],
                cwd=tmp_path,
                capture_output=True,
                text=True,
            )
            assert done.returncode == 0, done.stdout


def test_the_figure_has_the_colours_of_the_palette(tmp_path):
    settings = RunSettings(picture=FigureSettings(palette="gold"))
    scene = Scene(Document(MOONS))
    save_code(tmp_path / "a.py", Recording(scene, (solve(scene.document.problem()),)), settings)
    script, colours = (tmp_path / "a.py").read_text(), theme_of("light", "gold")
    for name in ("positive", "negative", "positive_field", "negative_band", "margin"):
        assert f'"{getattr(colours, name)}"' in script


def test_weights_of_the_classes(assert_agrees, tmp_path):
    document = replace(unbalanced(), class_weights=(0.5, 4.0))
    for code in ("sklearn", "solvers"):
        assert_agrees(write(tmp_path / f"{code}.py", document, code))
    found = {}
    exec(qp_script(document).split("library =")[0].replace("import piqp", ""), found)
    assert found["h"][found["N"] :] == pytest.approx(document.problem().bounds)

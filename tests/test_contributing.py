"""The examples of CONTRIBUTING.md work exactly as they are written there."""

import ast
import importlib.util
import itertools
import linecache
import os
import re
import shutil
import subprocess
import sys
import textwrap
import types
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QImage

from solvers import KERNELS, METHODS, BadInput, InteriorPoint, Method, Problem, Run, solve
from solvers.problem.problem import BIASES
from svmviz.document.document import Document
from svmviz.export.figure import Figure
from svmviz.lessons.pages import page_of, read_page
from svmviz.plane.picture import Picture
from svmviz.window.help import contents as help_contents
from tests.plane.frames import fitted, solved
from tests.solvers.methods import test_contract as contract
from tests.solvers.methods import test_step_formulas as step_formulas
from tests.solvers.problems import cloud, kernels_of
from tests.stage_fixtures import open_stage, show
from tests.time_limits import TIME_LIMIT
from tests.waiting import settle
from tests.window.help import test_contents as contents

__all__ = ["open_stage", "show"]

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def example(number: int) -> types.ModuleType:
    """Return the module of a block of code of the page."""
    code = BLOCKS[number]
    name = f"contributing_{number}"
    module = types.ModuleType(name)
    # Annotations of a dataclass are looked up in the module of its class.
    sys.modules[name] = module
    linecache.cache[name] = (len(code), None, code.splitlines(True), name)
    exec(compile(code, name, "exec"), vars(module))
    return module


FRANK_WOLFE: type[Method] = example(0).FrankWolfe
CASES = [
    pytest.param(method, kernel, bias, data, id=f"{method!r}-{kernel.name}-{bias}-{data}")
    for method in contract.variants_of(FRANK_WOLFE)
    for kernel in (kernels_of(KERNELS[name])[-1] for name in contract.REPRESENTATIVE)
    for bias, data in itertools.product(BIASES, contract.DATA)
    if contract.can_solve(method, bias, data)
]


@pytest.mark.parametrize(("method", "kernel", "bias", "data"), CASES)
def test_the_method_keeps_the_contract(method, kernel, bias, data):
    contract.test_a_run_keeps_the_contract(method, kernel, bias, data)


def test_the_formulas_of_the_method_can_be_typeset():
    contract.test_formulas_can_be_typeset(FRANK_WOLFE(max_steps=300))


@pytest.mark.parametrize("bias", FRANK_WOLFE.biases)
def test_the_numbers_of_its_formulas_are_equal(bias):
    problem = Problem(*cloud(30, 2), KERNELS["rbf"](), C=2.0, bias=bias)
    step_formulas.test_the_numbers_of_every_formula_are_equal(FRANK_WOLFE(), problem)


# The pages of the help that belong to the examples: the file and its text.
HELP_PAGES = {
    file: textwrap.dedent(text).strip() + "\n"
    for file, text in re.findall(
        r"a?\s?page of the help, `([^`]+)`[^:]*:\n\n((?:    .*\n|\n)+)", PAGE
    )
}


def test_the_method_has_a_page_of_the_help(monkeypatch):
    text = HELP_PAGES[f"assets/help/methods/{FRANK_WOLFE.name}.md"]
    monkeypatch.setattr(
        help_contents,
        "page_of",
        lambda kind, name: (
            read_page(text, name) if name == FRANK_WOLFE.name else page_of(kind, name)
        ),
    )
    monkeypatch.setitem(METHODS, FRANK_WOLFE.name, FRANK_WOLFE)
    pages = contents.pages
    monkeypatch.setattr(contents, "pages", getattr(pages, "__wrapped__", pages))
    contents.test_a_page_has_words_and_its_formula_is_set(f"method:{FRANK_WOLFE.name}")
    contents.test_a_method_shows_its_source_guarantees_and_settings(FRANK_WOLFE)


@pytest.mark.parametrize("bias", FRANK_WOLFE.biases)
def test_the_method_finds_the_optimum(bias):
    problem = Problem(*cloud(20, 1), KERNELS["rbf"](), C=1.0, bias=bias)
    run = solve(problem, FRANK_WOLFE(max_steps=100_000))
    best = InteriorPoint(tol=1e-8)
    if bias in best.biases:
        dual = solve(problem, best).certificate.dual
        assert run.certificate.dual == pytest.approx(dual, rel=0.05)
    assert run.certificate.gap <= FRANK_WOLFE().tol * problem.C * problem.n * 1.01


def test_the_method_says_in_its_own_words_why_it_needs_a_finite_c():
    problem = Problem(*cloud(20, 1), KERNELS["rbf"](), C=np.inf, bias="none")
    with pytest.raises(BadInput, match="needs a finite C: without C the box has no corners"):
        Run(problem, FRANK_WOLFE())


def test_the_method_is_registered_in_one_line(monkeypatch, capsys):
    from svmviz.cli import main

    monkeypatch.setitem(METHODS, FRANK_WOLFE.name, FRANK_WOLFE)
    assert main(["list", "solvers"]) == 0
    assert "frank-wolfe" in capsys.readouterr().out.split()


# The file of each example; each entry of a registry, with the table and its file.
FILES = re.findall(r"^Put it into `([^`]+)`", PAGE, re.MULTILINE)
# Where the example of another package is checked by ruff.
OUTSIDE = "our_kernels.py"
ENTRIES = re.findall(
    r"at the end of `(\w+)` in\s+`([^`]+)`[^:]*:\n\n((?:    .*\n|\n)+)", PAGE, re.MULTILINE
)
# Tests of every method, panel and format, and of lists of them. Only their files are collected; a
# panel is linked to the plane in one scene, since the copy compiles all that a scene uses.
CONCERNED = (
    "frank or ppm or linear-worst or [worst or :worst or nothing_is_missing or names_of_the"
    " or families or next_solver or methods_that or each_panel_has_a_key"
)
FILES_CONCERNED = """
test_registries.py test_map.py cli/test_help.py cli/test_list.py export/test_formats.py
panels/test_items.py panels/test_linked.py panels/test_registry.py solvers/methods/test_contract.py
solvers/methods/test_extremes.py solvers/methods/test_step_formulas.py solvers/run/test_run.py
solvers/run/test_trace.py solvers/test_settings.py solvers/test_solving.py widgets/test_forms.py
window/help/test_contents.py window/test_keys.py window/test_quick_changes.py
""".split()


def entered(source, table, entry):
    """The source of a registry with an entry at the end of a table, and with its import."""
    imports = [row for row in entry if row.startswith("from ")]
    rows, tree = source.splitlines(), ast.parse(source)
    last_import = max(node.end_lineno for node in tree.body if isinstance(node, ast.ImportFrom))
    (value,) = (
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and ast.unparse(node).startswith(table)
    )
    # The outermost tuple, or else a dictionary; its last row is the closing bracket.
    tuples = [node for node in ast.walk(value) if isinstance(node, ast.Tuple)]
    end = (tuples[0] if tuples else value).end_lineno - 1
    others = [row for row in entry if row not in imports]
    rows = rows[:last_import] + imports + rows[last_import:end] + others + rows[end:]
    return "\n".join(rows) + "\n"


@pytest.mark.slow
def test_a_newcomer_adds_all_three_as_the_page_says(tmp_path):
    copy = tmp_path / "svmviz"
    ignored = shutil.ignore_patterns(".*", "__pycache__", "out", "build", "dist")
    shutil.copytree(ROOT, copy, ignore=ignored)
    # The last example is of another package; tests/test_outside_packages.py installs it.
    assert len(FILES) == len(BLOCKS) - 1 == 3
    for code, file in zip(BLOCKS, [*FILES, OUTSIDE], strict=True):
        (copy / file).write_text(code, encoding="utf-8")
    for table, registry, entry in ENTRIES:
        path = copy / registry
        rows = textwrap.dedent(entry).strip().splitlines()
        path.write_text(entered(path.read_text("utf-8"), table, rows), encoding="utf-8")
    assert len(HELP_PAGES) == 2
    for file, text in HELP_PAGES.items():
        (copy / file).write_text(text, encoding="utf-8")
    if importlib.util.find_spec("ruff"):
        for check in (["check"], ["format", "--check"]):
            command = [sys.executable, "-m", "ruff", *check, *FILES, OUTSIDE]
            found = subprocess.run(command, cwd=copy, capture_output=True, text=True)
            assert found.returncode == 0, found.stdout + found.stderr
    files = [f"tests/{file}" for file in FILES_CONCERNED]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-x",
        "-m",
        "not slow",
        "-k",
        CONCERNED,
        *files,
    ]
    # A folder for compiled code of its own: the methods are those of the copy.
    variables = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "compiled")}
    done = subprocess.run(
        [*command, "-p", "no:cacheprovider"],
        cwd=copy, env=variables, capture_output=True, text=True, timeout=1200,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    assert "frank-wolfe" in subprocess.run(
        [sys.executable, "-m", "svmviz", "list", "solvers"],
        cwd=copy, capture_output=True, text=True, timeout=TIME_LIMIT,
    ).stdout  # fmt: skip


def test_the_panel_follows_the_frame(open_stage, show, qtbot):
    stage = open_stage(Document(data=points_of_a_cloud()))
    panel = show(example(1).WorstPanel(stage))
    settle(qtbot, stage)
    slack = stage.feed.frame.lane.certificate.slack
    expected = f"Point {slack.argmax() + 1}: slack {slack.max():.3g}"
    qtbot.waitUntil(lambda: panel.text.text() == expected)


def test_the_export_format_writes_the_picture(qapp, tmp_path):
    document = Document(data=points_of_a_cloud())
    picture = Picture(solved(document, fitted(document)), (320, 240))
    example(2).save_ppm(tmp_path / "a.ppm", Figure.of(picture))
    image = QImage(str(tmp_path / "a.ppm"))
    assert image.size() == picture.image().size()
    assert image.pixelColor(5, 200) == picture.image().pixelColor(5, 200)


def points_of_a_cloud():
    from solvers.data.datasets import DATASETS

    return DATASETS["moons"].generate(40, 0.3, 1)

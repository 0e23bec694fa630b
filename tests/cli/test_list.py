"""``svmviz list``: one name per line, from the registries, without Qt."""

import sys

import pytest

from solvers import ITEM_KERNELS, KERNELS, METHODS
from solvers.data.datasets import DATASETS
from solvers.data.regression_datasets import CURVES
from svmviz.cli.listing import REGISTRIES
from svmviz.panels.panel_spec import FAMILIES
from svmviz.panels.registry import PANELS
from tests.cli.common import REFUSE_QT

ALL_KERNELS = [*KERNELS, *ITEM_KERNELS]


@pytest.mark.parametrize(
    ("what", "names"),
    [
        ("solvers", METHODS),
        ("kernels", ALL_KERNELS),
        ("datasets", [*DATASETS, *CURVES]),
    ],
)
def test_names_of_the_library(svmviz, what, names):
    done = svmviz("list", what)
    assert (done.code, done.err) == (0, "")
    assert done.out == "".join(f"{name}\n" for name in names)


def test_names_of_the_window(svmviz):
    assert "png" in svmviz("list", "formats").out.split()
    assert svmviz("list", "panels").out.split()


def test_names_for_one_task(svmviz):
    fits = svmviz("list", "panels", "--task", "regression").out.split()
    assert {"step", "pair", "kkt", "kernel-matrix", "race", "model"} <= set(fits)
    assert not {"difference-set", "hulls", "line", "weight-space"} & set(fits)
    assert svmviz("list", "panels", "--task", "classification").out.split() == list(PANELS)
    able = [name for name, method in METHODS.items() if "regression" in method.tasks]
    assert svmviz("list", "solvers", "--task", "regression").out.split() == able
    assert svmviz("list", "kernels", "--task", "regression").out.split() == [
        *KERNELS,
        *ITEM_KERNELS,
    ]
    assert svmviz("list", "datasets", "--task", "regression").out.split() == list(CURVES)
    assert svmviz("list", "datasets", "--task", "classification").out.split() == list(DATASETS)


@pytest.mark.parametrize("what", ["panels", "solvers", "kernels", "datasets"])
def test_with_title_and_sentence(svmviz, what):
    plain = svmviz("list", what).out.splitlines()
    lines = svmviz("list", what, "--long").out.splitlines()
    assert [line.split()[0] for line in lines] == plain
    for name, line in zip(plain, lines, strict=True):
        assert line == line.rstrip()
        assert line.endswith(".")
        # All titles begin in one column, two spaces after the longest name or family.
        title = line[max(map(len, plain)) + 2 :]
        if what == "panels":
            assert title.startswith(PANELS[name].family)
            title = title[max(map(len, FAMILIES)) + 2 :]
            assert title.startswith(PANELS[name].title)
        assert title[0] != " "


def test_a_terminal_gets_titles_too(monkeypatch, svmviz):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert svmviz("list", "panels").out == svmviz("list", "panels", "--long").out


def test_qt_is_not_needed(process):
    """No registry needs it; all are listed in one process."""
    others = f"""
from svmviz.cli import main
assert [main(["list", what]) for what in {list(REGISTRIES)[1:]}] == [0] * {len(REGISTRIES) - 1}
"""
    done = process("list", next(iter(REGISTRIES)), before=REFUSE_QT + others)
    assert (done.code, done.err) == (0, "")
    assert len(done.out.splitlines()) > len(REGISTRIES)


@pytest.mark.parametrize("arguments", [["list"], ["list", "colours"], ["list", "solvers", "x"]])
def test_bad_usage(svmviz, arguments):
    done = svmviz(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1

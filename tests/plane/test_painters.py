"""No painter outlives an exception: it would crash the process at the next resize."""

import ast
from pathlib import Path

import pytest

import svmviz
from svmviz.plane.widget import PlaneView
from svmviz.stage.stage import Stage

ROOT = Path(svmviz.__file__).parent
FILES = [path for path in ROOT.rglob("*.py") if "QPainter(" in path.read_text(encoding="utf-8")]


def is_painter(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "QPainter"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_painter_ends_with_its_block(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    in_blocks = [
        item.context_expr
        for node in ast.walk(tree)
        if isinstance(node, ast.With)
        for item in node.items
        if is_painter(item.context_expr)
    ]
    everywhere = [node for node in ast.walk(tree) if is_painter(node)]
    assert everywhere
    assert [ast.unparse(node) for node in everywhere if node not in in_blocks] == []


def test_a_plane_that_cannot_be_painted_leaves_no_painter_and_goes_on(qtbot, monkeypatch):
    stage = Stage.of()
    plane = PlaneView(stage)
    qtbot.addWidget(plane)
    painted: list[bool] = []
    plane.painted.connect(lambda: painted.append(True))

    def fail(*_):
        raise RuntimeError("cannot be painted")

    monkeypatch.setattr(plane._screen, "paint", fail)
    # The traceback that is kept here holds the frame in which the painter was made.
    with pytest.raises(RuntimeError, match="cannot be painted") as kept:
        plane.grab()
    assert kept.traceback
    assert not plane.paintingActive()
    assert painted
    monkeypatch.undo()
    plane.resize(300, 200)
    assert not plane.grab().isNull()
    stage.close()

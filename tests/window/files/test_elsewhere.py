"""Figures that another process draws: the same order, its refusals, and Cancel."""

import argparse
import os

import pytest

from solvers import BadInput
from svmviz.cli import figure_options
from svmviz.cli.parser import Parser
from svmviz.export.order import Order
from svmviz.export.page import Length
from svmviz.io.scene import Scene
from svmviz.window.files.elsewhere import Elsewhere, arguments
from tests import stages

SCENE = Scene(document=stages.moons(30), step=3)
ORDERS = [
    Order(views=("plane", "kkt")),
    Order(
        views=("objective",), width=Length(86, "mm"), height=Length(60.5, "mm"), type_size=7.5,
        theme="dark", legend=False, axes=False, titles=False, title="--title <b>", caption=True,
        transparent=True, field="bands", svg_text="embedded",
    ),
    Order(width=Length(700, "px"), height=Length(300, "px"), scale=2.25),
]  # fmt: skip


@pytest.mark.parametrize("order", ORDERS)
def test_the_order_arrives_as_it_was_given(order):
    parser = Parser()
    figure_options.add_arguments(parser)
    given = parser.parse_args(["-o", "a.pdf", *arguments(order)])
    assert isinstance(given, argparse.Namespace)
    assert figure_options.read_order(given, parser) == order


def test_a_refusal_is_its_sentence(tmp_path):
    with pytest.raises(BadInput, match=r"^The chart of a race needs two or more solvers"):
        Elsewhere(SCENE, Order(views=("race",))).write(tmp_path / "a.svg", lambda: False)
    with pytest.raises(BadInput, match=r"^No such folder"):
        Elsewhere(SCENE, Order(views=("kkt",))).write(tmp_path / "b" / "a.svg", lambda: False)
    assert os.listdir(tmp_path) == []


def test_cancel_ends_the_process_and_leaves_the_older_file(tmp_path):
    path = tmp_path / "a.svg"
    path.write_text("older")
    Elsewhere(SCENE, Order(views=("kkt",))).write(path, lambda: True)
    assert path.read_text() == "older"
    assert os.listdir(tmp_path) == ["a.svg"]

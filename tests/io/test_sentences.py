"""Quotations in sentences are visible, on one line and short, for every reader."""

import json
import logging

import pytest

from solvers import RBF, BadInput, Polynomial, Problem
from solvers.data.datasets import PointSet
from solvers.data.point_files import parse_points
from solvers.data.targets import read_targets
from solvers.errors import MAX_PATH, MAX_QUOTED, quote, short_path, short_repr, shorten, visible
from solvers.kernels.kernel_text import Composed
from svmviz.cli import main
from svmviz.io.open_and_save import open_file, read_pasted, save
from svmviz.io.scene import read_scene
from svmviz.io.settings_store import SettingsStore

# Escapes of terminals, line ends of all kinds, marks that turn the order of letters, halves of
# characters, and much of it.
NASTY = [
    "\x1b[31mred\x07",
    "a\x00b\x7f\x9b",
    "one\x0btwo\x0cthree\x85four\u2028five\u2029six",
    "\u202eright to left\u2066\ufeff",
    "x" * 100_000,
    "\x1b" * 100_000,
]
IN_TEXT = ["first\nsecond", "first\r\nsecond", "half \ud800 character"]


def check(sentence, most=MAX_QUOTED):
    assert sentence.isprintable(), sentence
    assert len(sentence) < 1000
    # Nothing foreign is longer than a quotation.
    assert "x" * (most + 1) not in sentence
    assert r"\x1b" * (most // 4 + 1) not in sentence


def refused(function, *arguments, **options):
    with pytest.raises(BadInput) as caught:
        function(*arguments, **options)
    check(str(caught.value))


def refused_path(function, *arguments):
    with pytest.raises(BadInput) as caught:
        function(*arguments)
    check(str(caught.value), MAX_PATH)


@pytest.mark.parametrize("foreign", [*NASTY, *IN_TEXT])
def test_quotations_are_visible_and_short(foreign):
    for shorter in (quote, shorten, short_repr):
        assert shorter(foreign).isprintable()
        assert len(shorter(foreign)) <= MAX_QUOTED + 2
    assert short_path(f"/folder/{foreign}/name.csv").endswith("name.csv")
    assert len(short_path(f"/folder/{foreign}/name.csv")) <= 4 * MAX_PATH
    assert visible(foreign).isprintable()
    assert str(BadInput(foreign)).isprintable()
    assert visible("C:\\folder \"é\" 'π' 😀") == "C:\\folder \"é\" 'π' 😀"


@pytest.mark.parametrize("foreign", NASTY)
def test_readers_of_points(foreign):
    # A line that is too long is refused before its cells are.
    word = foreign[:90_000]
    for text in (
        f"1,2,a\n{word},4,b\n",
        "".join(f"1,2,{word}{k}\n" for k in range(7)),
        f"{word},{word},{word},c\n1,2,3,4\n",
        f"{word},y,z,label\n1,2,3,a\n4,5,6,b\n",
        f'1,2,a\n"{word},4,b\n',
        f"# label column: {word}\n# negative class: {word}\n1,2,3,4\n",
    ):
        refused(parse_points, text)
        refused(parse_points, text)
        refused(parse_points, text, source=foreign[:200])
    good = "1,2,a\n3,4,b\n"
    refused(parse_points, good, x=foreign)
    refused(parse_points, good, labels=foreign)
    refused(parse_points, good, classes=(foreign, "b"))
    for text in (f"{word} 1:1", f"1 1:{word}", f"1 {word}", f"1 1:1 {word}:2"):
        refused(parse_points, text)
    refused(read_targets, f"{word},b\np,q\n")
    refused(read_targets, "a,b\n1,2\n", target=foreign)


def changed(**members):
    scene = {"svmviz": 1, "points": [[0, 0], [1, 1]], "labels": [-1, 1]}
    return json.dumps({**scene, **members})


@pytest.mark.parametrize("foreign", [*NASTY, *IN_TEXT])
def test_readers_of_scenes(foreign):
    for members in (
        {foreign: 1},
        {"svmviz": foreign},
        {"points": foreign},
        {"points": [[0, foreign], [1, 1]]},
        {"labels": [foreign, 1]},
        {"class_names": [foreign, 1]},
        {"kernel": {"name": foreign}},
        {"kernel": {"name": "rbf", foreign: 1}},
        {"kernel": {"name": "rbf", "gamma": foreign}},
        {"kernel": {"name": "rbf", "gamma": [foreign]}},
        {"kernel": {"name": "composed", "expression": foreign + "("}},
        {"kernel": {"name": "custom", "formula": "(" + foreign}},
        {"penalty": {"kind": foreign, "value": 1}},
        {"solvers": [{"name": "smo", "pair": foreign}]},
        {"view": {foreign: True}},
        {"view": {"aspect": foreign}},
        {"window": [foreign, 1, 2, 3]},
        {"speed": foreign},
    ):
        refused(read_scene, changed(**members))
    refused(read_scene, changed(**{"step": -1}), foreign[:200])
    refused(read_scene, "{" + foreign)


@pytest.mark.parametrize("foreign", [*NASTY, *IN_TEXT])
def test_values_of_the_library(foreign):
    points = [[0.0, 0.0], [1.0, 1.0]]
    refused(RBF, foreign)
    refused(Polynomial, degree=foreign)
    refused(Composed, foreign + "(")
    refused(Problem, points, [1, -1], kernel=foreign)
    refused(Problem, points, [1, -1], bias=foreign)
    refused(Problem, points, [1, -1], C=foreign)
    refused(PointSet, points, [1, -1], (foreign, foreign))


@pytest.mark.parametrize("foreign", [*NASTY, *IN_TEXT])
def test_names_of_files(tmp_path, foreign):
    refused_path(open_file, tmp_path / foreign)
    refused_path(save, tmp_path / f"points.{foreign}", PointSet([[0.0, 0.0]], [1]))


@pytest.mark.parametrize("foreign", NASTY)
def test_pasted_text(foreign):
    refused(read_pasted, f"1,2,a\n{foreign[:90_000]},4,b\n")


@pytest.mark.parametrize("foreign", NASTY)
def test_settings_are_logged_in_one_line(tmp_path, caplog, foreign):
    path = tmp_path / "settings.json"
    path.write_text("{" + foreign, encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        SettingsStore(path)
    assert caplog.records
    for record in caplog.records:
        check(record.getMessage())


@pytest.mark.parametrize("foreign", [word.replace("\0", "\1") for word in [*NASTY, *IN_TEXT[:2]]])
@pytest.mark.parametrize(
    "options",
    [
        ["{}"],
        ["FILE", "--C", "{}"],
        ["FILE", "--solver", "{}"],
        ["FILE", "--labels", "{}"],
        ["FILE", "--classes", "{}", "b"],
        ["FILE", "--kernel", "composed", "--expression", "{}("],
        ["FILE", "--{}"],
        ["FILE", "{}"],
    ],
)
def test_the_command_line(tmp_path, capsys, options, foreign):
    path = tmp_path / "points.csv"
    path.write_text("1,2,a\n3,4,b\n")
    words = [str(path) if word == "FILE" else word.format(foreign) for word in options]
    assert main(["solve", *words]) in (1, 2)
    err = capsys.readouterr().err
    assert err.endswith("\n")
    check(err.removesuffix("\n"), MAX_PATH)

"""``svmviz site``: what it says of a folder; its pages are tested in browsers."""

import math
import re

import pytest

from svmviz.cli.meter import Meter
from svmviz.io.scene import Scene, write_scene
from tests.export.html.test_html import contents as contents_in
from tests.stages import eight


@pytest.fixture(autouse=True)
def _no_progress(monkeypatch):
    """Keep a slow machine from writing lines on its progress between sentences."""
    monkeypatch.setattr("svmviz.cli.meter.LOG_INTERVAL", math.inf)


def test_a_name_in_order_without_a_file_is_said(svmviz, tmp_path):
    source = folder_of(tmp_path, {"order.txt": "exam\neight\n"})
    done = svmviz("site", source, "-o", tmp_path / "public")
    assert done.code == 1
    sentence = "svmviz: order.txt names 'exam', but the folder has no such scene or lesson.\n"
    assert done.err.endswith(sentence)
    assert done.out.startswith("2 pages in ")
    assert done.out.endswith(", with 1 fault as said above.\n")
    assert (tmp_path / "public" / "eight.html").is_file()


def test_a_folder_that_is_none_is_refused(svmviz, tmp_path):
    (tmp_path / "a.svmviz").write_text("", encoding="utf-8")
    for name, words in (("nosuch", "is no folder."), ("a.svmviz", "is a file, not a folder.")):
        done = svmviz("site", tmp_path / name, "-o", tmp_path / "public")
        assert done.code == 1
        assert done.err.strip().endswith(words)


def test_a_folder_has_texts_of_its_own(svmviz, tmp_path):
    texts = """[eight]
title = "Eight points"
about = "Three of them hold the line."
prompts = ["Move <b>one</b>.", "Raise C."]
chapter = "Lines"
[nine]
"""
    source = folder_of(tmp_path, {"scenes.toml": texts, "b.csv": "1,2,+1", ".hidden": ""})
    done = svmviz("site", source, "-o", tmp_path / "public")
    assert done.code == 1
    assert done.err.endswith("scenes.toml names 'nine', but the folder has no such scene.\n")
    assert "left out: b.csv. A table becomes a scene by svmviz scene," in done.err
    index = (tmp_path / "public" / "index.html").read_text(encoding="utf-8")
    for shown in (">Eight points</a>", "Three of them hold the line.", "<h2>Lines</h2>"):
        assert shown in index
    contents = contents_in((tmp_path / "public" / "eight.html").read_text())
    assert contents["about"] == "Three of them hold the line."
    assert contents["prompts"] == ["Move <b>one</b>.", "Raise C."]


def test_scenes_that_a_page_does_not_solve_are_said(svmviz, tmp_path):
    source = folder_of(tmp_path, {"scaled.svmviz": write_scene(Scene(eight(scaling="each")))})
    done = svmviz("site", source, "-o", tmp_path / "public")
    assert done.code == 0
    words = "nothing can be changed in its page, which does not solve points that are scaled."
    assert done.err == f"scaled.svmviz: {words}\n"
    contents = contents_in((tmp_path / "public" / "scaled.html").read_text())
    assert contents["obstacle"] == "points that are scaled"


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ("[eight\n", "none of its texts is used; at line 1, column 7, perhaps the bracket ]"),
        (
            "[eight]\nabout='b'\ntitle = \"a\n",
            "none of its texts is used; at line 3, column 11, perhaps a quote is missing.",
        ),
        ("[eight]\n[eight]\n", "none of its texts is used; Cannot declare"),
        ("[eight]\ntitel = 'a'\n", '[eight] titel is not known; did you mean "title"?'),
        ("[eight]\ntitle = 8\n", "[eight] title is not a text in quotes."),
        ("[eight]\nprompts = 'a'\n", "[eight] prompts is not a list of texts in quotes."),
        ("[eight]\nprompts = [1]\n", "[eight] prompts is not a list of texts in quotes."),
        ("eight = 1\n", "the name eight stands in a line [eight], "),
        ("[[eight]]\ntitle = 'a'\n", "the name eight stands in a line [eight], "),
    ],
)
def test_bad_texts_are_said_in_a_sentence(svmviz, tmp_path, texts, words):
    done = svmviz("site", folder_of(tmp_path, {"scenes.toml": texts}), "-o", tmp_path / "public")
    assert done.code == 1
    (line,) = done.err.strip().splitlines()
    assert line.startswith(f"svmviz: scenes.toml: {words}")
    assert (tmp_path / "public" / "eight.html").is_file()


def test_a_wrong_text_leaves_the_others(svmviz, tmp_path):
    texts = "[eight]\ntitle = 'Eight points'\nabout = 8\n[a-lesson]\ntitle = 'A'\n"
    source = folder_of(tmp_path, {"scenes.toml": texts, "a-lesson.md": LESSON})
    done = svmviz("site", source, "-o", tmp_path / "public")
    assert "[eight] about is not a text in quotes." in done.err
    assert "no such scene; a lesson has its texts in its head." in done.err
    assert ">Eight points</a>" in (tmp_path / "public" / "index.html").read_text("utf-8")


LESSON = """---
title: A lesson
chapter: Week 1
---
# One
Words.
```show
scene eight
```
```do
ask Move one.
goal ended
goal ended and suport < 3
try move 4 -0.5 -0.5
```
"""


def test_lessons_are_checked_and_stand_in_chapters(svmviz, tmp_path):
    sound = LESSON.replace("suport < 3", "moved == 1 and support == 3")
    files = {
        "scenes.toml": "[eight]\nchapter = 'Week 1'\n",
        "order.txt": "eight\nold lesson\nsound\n",
        "wrong.md": LESSON,
        "sound.md": sound,
        "old lesson.md": sound.replace("A lesson", "Old").replace("chapter:", "part:"),
        "plain.md": sound.replace("A lesson", "Plain").replace("chapter: Week 1\n", ""),
        "damaged.md": LESSON.replace("scene eight", "scene seven"),
    }
    done = svmviz("site", folder_of(tmp_path, files), "-o", tmp_path / "public")
    assert done.code == 1
    assert sorted(done.err.splitlines()) == [
        "svmviz: damaged.md: Line 8: there is no scene 'seven': no file seven.svmviz is beside "
        "the lesson, and none comes with svmviz; svmviz list scenes prints the names of all.",
        "svmviz: wrong.md: Line 13: There is no 'suport' here: 'ended and suport < 3'; did you "
        'mean "support"?',
    ]
    assert not (tmp_path / "public" / "wrong.html").exists()
    index = (tmp_path / "public" / "index.html").read_text(encoding="utf-8")
    shown = re.findall(r'<h2>(.*?)</h2>|\.html">(.*?)</a>', index)
    assert ["".join(each) for each in shown] == [
        "Free plane", "Week 1", "Eight", "Old", "A lesson", "Lessons", "Plain",
    ]  # fmt: skip


def test_a_log_has_lines_on_what_is_made(monkeypatch, capsys):
    monkeypatch.setattr("svmviz.cli.meter.LOG_INTERVAL", 0.0)
    with Meter() as meter:
        meter.report(0.25)
        meter.report(0.25, "page 2 of 4, Moons")
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("25 %")
    assert line.endswith(": page 2 of 4, Moons")


def folder_of(tmp_path, files):
    source = tmp_path / "source"
    source.mkdir()
    (source / "eight.svmviz").write_text(write_scene(Scene(eight())), encoding="utf-8")
    for name, text in files.items():
        (source / name).write_text(text, encoding="utf-8")
    return source

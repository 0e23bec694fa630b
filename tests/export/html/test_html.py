"""A run as a page: what the file holds, and that it runs nothing of a stranger."""

import base64
import hashlib
import json
import re
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from solvers import SMO, BadInput, Pegasos, solve
from solvers.data.datasets import PointSet
from solvers.data.items import matrix_items, words_of
from svmviz.base.words import tidied
from svmviz.cli import main
from svmviz.cli.render import page_names
from svmviz.colours.themes import theme_of
from svmviz.document.document import Document, Penalty
from svmviz.document.pen import Stroke
from svmviz.document.view_options import ViewOptions
from svmviz.export import RUN_FORMATS
from svmviz.export.figure_settings import FigureSettings
from svmviz.export.html import save
from svmviz.export.runs.recording import Recording
from svmviz.export.runs.run_settings import RunSettings, Steps
from svmviz.io.scene import Scene, write_scene
from svmviz.io.scene_line import read_scene_line
from svmviz.plane.sentences import caption
from tests import stages
from tests.export.html.engine import Engine
from tests.foreign_words import WORDS

HOSTILE = "</script><script>alert(1)</script>"


def recording(document):
    runs = tuple(solve(document.problem(), method) for method in document.methods)
    return Recording(Scene(document), runs, caption)


def write(path, made, **settings):
    RUN_FORMATS[".html"].save(path, made, RunSettings(**settings))
    return path.read_text(encoding="utf-8")


def contents(page):
    packed = re.search(r'id="contents">([^<]*)<', page)[1]
    letters = packed.encode().translate(bytes.maketrans(b",.:", b"<>&"))
    return json.loads(zlib.decompress(base64.b85decode(letters)))


def test_the_words_of_every_step_are_those_of_the_program(qapp, tmp_path):
    made = recording(stages.moons(40))
    (lane,) = contents(write(tmp_path / "run.html", made))["lanes"]
    lane["words"] = Engine("run.js").call("rowsOf(columns)", columns=lane["words"])
    run = made.runs[0]
    assert len(lane["words"]) == run.steps + 1
    for step in range(1, run.steps + 1):
        event, words = run.at(step).event, lane["words"][step]
        assert words["sentence"] == tidied(event.sentence)
        assert words["why"] == tidied(event.why)
        formulas = [pair for beat in words["beats"] for pair in beat["formulas"]]
        assert formulas == [[f.letters, f.numbers] for f in event.formulas]
        assert [beat["sentence"] for beat in words["beats"]] == [
            tidied(beat.sentence) for beat in event.beats
        ]
    assert lane["end"].startswith("Converged")
    assert lane["words"][0]["sentence"].startswith("All α are 0")


def test_a_race_has_its_lanes_and_some_steps_can_be_chosen(qapp, tmp_path):
    document = stages.eight(methods=(SMO(), Pegasos(max_steps=50)))
    made = recording(document)
    lanes = contents(write(tmp_path / "a.html", made, steps=Steps(0, None, 5)))["lanes"]
    assert [lane["title"] for lane in lanes] == ["SMO", "Pegasos"]
    changes = [np.frombuffer(base64.b64decode(lane["steps"]), "<u4") for lane in lanes]
    steps = [np.cumsum(change).tolist() for change in changes]
    assert steps[1] == list(range(0, 51, 5))
    assert steps[0] == [step for step in steps[1] if step <= made.runs[0].steps]


def test_the_policy_allows_the_scripts_of_the_page_and_nothing_else(qapp, tmp_path):
    page = write(tmp_path / "a.html", recording(stages.eight()))
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)[1]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    for tag in ("script", "style"):
        texts = re.findall(rf"<{tag}(?: id=\"\w+.js\")?>(.*?)</{tag}>", page, re.S)
        hashes = {base64.b64encode(hashlib.sha256(t.encode()).digest()).decode() for t in texts}
        allowed = re.search(rf"{tag}-src ([^;]*)", policy)[1]
        assert hashes == set(re.findall(r"sha256-([^']*)'", allowed))
    # Nothing is loaded, and no element has a style or a script in an attribute.
    assert not re.search(
        r"""\b(src|href|style|on\w+)\s*=\s*["']""",
        re.sub(r'<script.*?</script>|<link rel="icon" href="data:[^"]*">', "", page, flags=re.S),
    )
    assert "http://" not in page.replace("http://www.w3.org/1998/Math/MathML", "")
    assert "https://" not in page


def test_words_of_strangers_are_text(qapp, tmp_path):
    document = stages.eight()
    names = (HOSTILE, WORDS[0])
    data = replace(document.data, class_names=names, axis_names=(HOSTILE, WORDS[1]))
    page = write(tmp_path / "<b>$title&.html", recording(replace(document, data=data)))
    assert HOSTILE not in page
    assert not any(word in page for word in WORDS)
    assert "<title>&lt;b&gt;$title&amp;</title>" in page
    assert contents(page)["classes"][0].startswith("</script>")


def test_a_page_of_100_points_and_500_steps_is_small(qapp, tmp_path):
    method = SMO(tol=1e-9, pair="maximal-violation")
    document = stages.moons(100, penalty=Penalty("C", 1000.0), methods=(method,))
    write(tmp_path / "a.html", recording(document), steps=Steps(0, 500))
    assert (tmp_path / "a.html").stat().st_size < 313_000


@pytest.mark.parametrize("steps", [Steps(0, 10_000)])
def test_steps_that_do_not_fit_are_refused(qapp, tmp_path, monkeypatch, steps):
    made = recording(stages.eight())
    with pytest.raises(BadInput, match="not all in it"):
        write(tmp_path / "a.html", made, steps=steps)
    monkeypatch.setattr(save, "MAX_STEPS", 2)
    with pytest.raises(BadInput, match="choose fewer, such as --steps 0:"):
        write(tmp_path / "a.html", made)
    assert not list(tmp_path.iterdir())


def test_the_scene_of_a_page_opens_in_the_program(qapp, tmp_path):
    document = stages.moons(40)
    page = write(tmp_path / "a.html", recording(document))
    again = read_scene_line(contents(page)["scene"]).document
    assert again.methods == document.methods
    np.testing.assert_allclose(again.data.points, document.data.points, atol=1e-3)


def test_a_folder_of_scenes_becomes_a_folder_of_pages(qapp, tmp_path, capsys):
    source = tmp_path / "<i>scenes"
    source.mkdir()
    for name in ("b", "a <b>"):
        (source / f"{name}.svmviz").write_text(write_scene(Scene(stages.eight())))
    (source / "bad.svmviz").write_text("{}")
    out = tmp_path / "course"
    assert main(["render", str(source), "-o", f"{out}/", "--steps", "0:1"]) == 1
    assert "bad.svmviz: " in capsys.readouterr().err
    assert sorted(file.name for file in out.iterdir()) == ["a <b>.html", "b.html", "index.html"]
    index = (out / "index.html").read_text(encoding="utf-8")
    assert '<a href="a%20%3Cb%3E.html">a &lt;b&gt;</a>' in index
    assert "<title>&lt;i&gt;scenes</title>" in index
    assert "SMO · Linear · C = 10" in index
    (source / "bad.svmviz").unlink()
    assert main(["render", str(source), "-o", f"{out}/"]) == 0
    empty = tmp_path / "empty"
    empty.mkdir()
    assert main(["render", str(empty), "-o", f"{out}/"]) == 1
    assert "There is no scene" in capsys.readouterr().err


def test_a_scene_and_a_lesson_of_one_name_become_two_pages(qapp, tmp_path):
    source, out = tmp_path / "course", tmp_path / "pages"
    source.mkdir()
    lesson = "---\ntitle: {}\nabout: Words.\n---\n# A card\n\nWords.\n"
    for name in ("eight", "index"):
        (source / f"{name}.svmviz").write_text(write_scene(Scene(stages.eight())))
        (source / f"{name}.md").write_text(lesson.format(f"Lesson {name}"), encoding="utf-8")
    assert main(["render", str(source), "-o", f"{out}/", "--steps", "0:1"]) == 0
    names = ["eight-lesson", "eight", "index-lesson", "index-scene", "index"]
    assert sorted(file.name for file in out.iterdir()) == [f"{name}.html" for name in names]
    index = (out / "index.html").read_text(encoding="utf-8")
    assert set(re.findall(r'href="([^"]*)\.html"', index)) == {*names} - {"index"}
    for name in names:
        title = f"Lesson {name.removesuffix('-lesson')}" if "lesson" in name else ""
        assert title in (out / f"{name}.html").read_text(encoding="utf-8")


def test_names_of_pages_differ_in_more_than_case():
    files = [Path(name) for name in ("A.svmviz", "a.svmviz", "a.md", "a-lesson.md")]
    assert {file.name: name for file, name in page_names(files).items()} == {
        "A.svmviz": "A.html",
        "a.svmviz": "a-scene.html",
        "a-lesson.md": "a-lesson.html",
        "a.md": "a-lesson-lesson.html",
    }


@pytest.mark.parametrize("name", ["index.html", "eight.html"])
def test_a_page_that_the_program_did_not_make_is_not_replaced(qapp, tmp_path, capsys, name):
    source, out = tmp_path / "course", tmp_path / "site"
    source.mkdir()
    out.mkdir()
    (source / "eight.svmviz").write_text(write_scene(Scene(stages.eight())))
    (out / name).write_text("<h1>Mine</h1>")
    assert main(["render", str(source), "-o", f"{out}/"]) == 1
    assert f"has another {name}, which svmviz did not make" in capsys.readouterr().err
    assert [file.name for file in out.iterdir()] == [name]
    assert (out / name).read_text() == "<h1>Mine</h1>"


@pytest.mark.parametrize(
    "data",
    [
        PointSet(np.zeros((4, 2)), [-1, 1, 1, -1], items=words_of(["sing", "ring", "rung", "s"])),
        PointSet(np.zeros((3, 2)), [-1, 1, 1], items=matrix_items(np.diag([1.0, 2.0, 3.0]))),
    ],
)
def test_words_and_given_matrices_have_their_gram_matrix(qapp, tmp_path, data):
    made = recording(Document(data=data))
    page = contents(write(tmp_path / "a.html", made))
    assert page["names"] == list(data.items.names)
    assert page["live"] is None
    run = made.runs[0]
    expansion = run.expansion
    gram = Engine("numbers.js", "kernels.js", "run.js").call(
        "new RunOfPage(contents).gram.map((row) => [...row])", contents={**page, "lanes": []}
    )
    np.testing.assert_allclose(
        np.array(gram) @ expansion.beta + expansion.bias, expansion(run.problem.X), rtol=1e-5
    )


def test_a_page_has_the_palette_chosen(qapp, tmp_path):
    picture = FigureSettings(palette="gold")
    page = write(tmp_path / "a.html", recording(stages.moons(8)), picture=picture)
    for theme in (theme_of("light", "gold"), theme_of("dark", "gold")):
        assert f"--positive: {theme.positive};" in page


@pytest.mark.parametrize("wished", [False, True])
def test_a_page_has_the_strokes_of_the_pen_if_wished(qapp, tmp_path, wished):
    stroke = Stroke("violet", ((0.5, 1.0), (2.0, 1.5)))
    made = recording(stages.eight())
    scene = replace(made.scene, options=ViewOptions(strokes=(stroke,), pen=wished))
    page = write(tmp_path / "page.html", replace(made, scene=scene))
    assert contents(page)["strokes"] == ([[1, [0.5, 1.0, 2.0, 1.5]]] if wished else [])

"""Scenes as one line: contents that stay the same, and lines that are refused."""

import base64
import zlib
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers import KERNELS, METHODS, SMO, BadInput, Pegasos, Polynomial
from solvers.data.datasets import DATASETS, PointSet
from svmviz.base.resources import root
from svmviz.document.document import Document, Penalty
from svmviz.document.view_options import ViewOptions
from svmviz.io import scene_line
from svmviz.io.open_and_save import open_file, open_scene
from svmviz.io.scene import Scene
from svmviz.io.scene_line import is_scene_line, read_scene_line, round_points, write_scene_line

SHIPPED = sorted((root() / "scenes").glob("*.svmviz"))


def scene(n=100, seed=0):
    return Scene(
        Document(
            DATASETS["moons"].generate(n, 0.2, seed),
            kernel=Polynomial(0.3, 1.5, 4),
            penalty=Penalty("lambda", 0.015625),
            methods=(SMO(tol=1e-5), Pegasos(seed=7)),
            bias="augmented",
        ),
        ViewOptions(sticks=False, aspect="free"),
        step=17,
        window=(-1.5, 2.5, -1.0, 1.5),
        speed=4.0,
    )


@pytest.mark.parametrize("seed", range(5))
def test_a_hundred_points_take_less_than_two_thousand_characters(seed):
    line = write_scene_line(scene(seed=seed))
    assert len(line) < 2000
    assert line.isascii()
    assert not any(character.isspace() for character in line)


def test_model_view_and_step_are_exact_and_points_are_near():
    before = scene()
    after = read_scene_line(write_scene_line(before))
    assert replace(after, document=before.document) == before
    points = before.document.data.points
    assert replace(after.document, data=before.document.data) == before.document
    np.testing.assert_array_equal(after.document.data.labels, before.document.data.labels)
    error = np.abs(after.document.data.points - points).max(axis=0)
    assert (error <= 0.5e-4 * np.ptp(points, axis=0)).all()


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_scenes(path):
    before = open_scene(path)
    line = write_scene_line(before)
    assert read_scene_line(line) == round_points(before)
    assert write_scene_line(read_scene_line(line)) == line


@pytest.mark.parametrize("kernel", KERNELS.values(), ids=lambda kind: kind.name)
def test_every_kernel(kernel):
    before = round_points(Scene(Document(DATASETS["moons"].generate(20, 0.2, 0), kernel=kernel())))
    assert read_scene_line(write_scene_line(before)) == before


@pytest.mark.parametrize("method", METHODS.values(), ids=lambda kind: kind.name)
def test_every_method(method):
    document = Document(DATASETS["moons"].generate(20, 0.2, 0)).with_method(method())
    before = round_points(Scene(document))
    assert read_scene_line(write_scene_line(before)) == before


def test_a_file_takes_the_line_for_its_name():
    line = write_scene_line(scene())
    assert open_file(line) == read_scene_line(line)


def test_a_file_that_contains_the_line_has_any_ending(tmp_path):
    line, file = write_scene_line(scene()), tmp_path / "points.txt"
    file.write_text(f"{line}\n", encoding="utf-8")
    assert open_file(file) == read_scene_line(line)


def test_names_of_all_languages_survive():
    data = PointSet(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([-1, 1]), ("否", "ναι"))
    again = read_scene_line(write_scene_line(Scene(Document(data))))
    assert again.document.data.class_names == ("否", "ναι")


def test_mails_may_break_the_line():
    line = write_scene_line(scene())
    broken = "\r\n> ".join(line[k : k + 72] for k in range(0, len(line), 72))
    assert is_scene_line(f'  "{broken}"\n')
    assert read_scene_line(f'  "{broken}"\n') == read_scene_line(line)


@given(st.data())
def test_damage_is_found(data):
    line = write_scene_line(round_points(scene(12)))
    place = data.draw(st.integers(len("svmviz:1:"), len(line) - 1))
    letters = st.sampled_from("ABCabc019-_")
    damaged = line[:place] + data.draw(letters) + line[place + 1 :]
    if damaged != line:
        with pytest.raises(BadInput, match="damaged or incomplete"):
            read_scene_line(damaged)
    with pytest.raises(BadInput, match="damaged or incomplete"):
        read_scene_line(line[:place])
    if line[place] != line[place - 1]:
        swapped = line[: place - 1] + line[place] + line[place - 1] + line[place + 1 :]
        with pytest.raises(BadInput):
            read_scene_line(swapped)


@given(st.text())
def test_any_text_is_refused_in_one_sentence(text):
    with pytest.raises(BadInput) as refused:
        read_scene_line(text)
    assert "\n" not in str(refused.value)


def packed(text, version=1):
    """A line with a right checksum, around any text."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = packer.compress(text) + packer.flush()
    data += zlib.crc32(data).to_bytes(4, "big")
    return f"svmviz:{version}:" + base64.urlsafe_b64encode(data).decode().rstrip("=")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("svmviz:2:AAAA", "newer program"),
        ("svmviz:", 'begins with "svmviz:1:"'),
        ("svmviz:1:", "damaged or incomplete"),
        ("svmviz:1:????", "damaged or incomplete"),
        (packed(b"{}"), '"svmviz" is missing'),
        (packed(b"\xff\xff"), "damaged or incomplete"),
        (packed(b'{"svmviz": 1, "points": [[1, 2]], "labels": [3]}'), '"labels'),
        (packed(b'{"svmviz": 1, "points": [], "labels": [], "file": "/etc/passwd"}'), "not known"),
    ],
)
def test_refusals(text, sentence):
    with pytest.raises(BadInput, match=sentence):
        read_scene_line(text)


def test_what_unpacks_to_too_much_is_refused(monkeypatch):
    monkeypatch.setattr(scene_line, "MAX_SCENE", 10_000_000)
    line = packed(b" " * 50_000_000)
    assert len(line) < 100_000
    with pytest.raises(BadInput, match="larger than 10 MB"):
        read_scene_line(line)


def test_a_long_text_is_not_even_read():
    with pytest.raises(BadInput, match="at most"):
        read_scene_line("svmviz:1:" + "A" * (scene_line.MAX_LENGTH + 1))

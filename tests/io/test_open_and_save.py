"""Opening and saving files: formats, encodings, sentences of errors, atomic writing."""

import os

import numpy as np
import pytest

from solvers import BadInput
from solvers.data.datasets import DATASETS, PointSet, eight_points
from solvers.data.point_files import UnclearColumns, write_csv, write_libsvm
from svmviz.base.resources import path as asset
from svmviz.document.document import Document
from svmviz.document.held_out import Shares
from svmviz.document.splitting import split
from svmviz.io import open_and_save
from svmviz.io.open_and_save import open_file, open_scene, read_pasted, save
from svmviz.io.scene import Scene, write_scene
from svmviz.io.scene_line import read_scene_line, round_points, write_scene_line

POSIX = pytest.mark.skipif(os.name == "nt", reason="POSIX files")
NOT_ROOT = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere"
)
SCENE = Scene(Document(eight_points()), step=3)


@pytest.mark.parametrize("ending", [".csv", ".txt", ".libsvm", ".svm", ".svmviz", ".CSV"])
def test_what_is_saved_opens_again(tmp_path, ending):
    data = PointSet(eight_points().points, eight_points().labels, ("-1", "+1"), ("x1", "x2"))
    file = tmp_path / f"points{ending}"
    save(file, data)
    found = open_file(file)
    assert (found.document.data if isinstance(found, Scene) else found) == data


def test_scenes_keep_everything(tmp_path):
    save(tmp_path / "a.svmviz", SCENE)
    assert open_file(tmp_path / "a.svmviz") == SCENE
    assert open_scene(tmp_path / "a.svmviz") == SCENE


def test_held_out_points_are_saved_with_the_others(tmp_path):
    whole = Document(DATASETS["moons"].generate(30, 0.2, 0))
    scene = Scene(split(whole, Shares(0.2, 0.3)))
    save(tmp_path / "a.svmviz", scene)
    assert open_file(tmp_path / "a.svmviz") == scene
    save(tmp_path / "a.csv", scene)
    assert len(open_file(tmp_path / "a.csv")) == 30
    near = round_points(scene)
    assert read_scene_line(write_scene_line(scene)) == near
    assert near.document.held_out.rows == scene.document.held_out.rows
    np.testing.assert_allclose(near.document.all_points.points, whole.data.points, atol=1e-3)


def test_points_of_a_scene_as_csv(tmp_path):
    save(tmp_path / "a.csv", SCENE)
    assert open_scene(str(tmp_path / "a.csv")) == Scene(Document(eight_points()))


@pytest.mark.parametrize("name", ["a.json", "a", "a.csv"])
def test_a_scene_is_recognised_by_its_content(tmp_path, name):
    (tmp_path / name).write_text("\n " + write_scene(SCENE))
    assert open_file(tmp_path / name) == SCENE


def test_libsvm_is_recognised_by_its_content(tmp_path):
    (tmp_path / "a.txt").write_text(write_libsvm(eight_points()))
    assert open_file(tmp_path / "a.txt") == eight_points()


def test_the_penguins_keep_their_names():
    found = open_file(asset("penguins.csv"))
    assert isinstance(found, PointSet)
    assert found.class_names == ("Adelie", "Gentoo")
    assert found.axis_names == ("bill_depth_mm", "body_mass_g")


def test_columns_are_passed_on(tmp_path):
    file = tmp_path / "a.csv"
    file.write_text("a,b,c,kind\n1,2,3,p\n4,5,6,q\n7,8,9,r\n")
    with pytest.raises(UnclearColumns, match=r'a\.csv: .*"a", "b", "c"\.'):
        open_file(file)
    found = open_file(file, x="c", y="a", classes=("r", "p"))
    assert isinstance(found, PointSet)
    assert found.points.tolist() == [[3, 1], [9, 7]]
    assert found.labels.tolist() == [1, -1]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "cp1252", "utf-16"])
def test_encodings(tmp_path, encoding):
    data = PointSet(eight_points().points, eight_points().labels, ("Bär", "Löwe"), ("x", "größe"))
    (tmp_path / "a.csv").write_bytes(write_csv(data).encode(encoding))
    assert open_file(tmp_path / "a.csv") == data


def test_what_cp1252_lacks_is_latin_1(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"x,y,label\n1,2,\x81\xe4\n3,4,b\n")
    found = open_file(tmp_path / "a.csv")
    assert isinstance(found, PointSet)
    assert found.class_names == ("b", "\x81ä")


def refusal(action, *arguments):
    with pytest.raises(BadInput) as caught:
        action(*arguments)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_reading_what_cannot_be_read(tmp_path, monkeypatch):
    missing = tmp_path / "none.csv"
    assert refusal(open_file, missing) == f"No such file: {missing}"
    assert refusal(open_file, tmp_path) == f"This is a folder, not a file: {tmp_path}"
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    assert refusal(open_file, tmp_path / "a.png").startswith("This is not a text file with points")
    (tmp_path / "odd").write_bytes(b"\xff\xfea")
    assert refusal(open_file, tmp_path / "odd").startswith("This is not a text file with points")
    for data, sentence in (
        (b"PK\x03\x04\x14\0\6\0", "This is a workbook or an archive: save its sheet as CSV"),
        (b"\xd0\xcf\x11\xe0\xa1", "This is a workbook: save its sheet as CSV"),
        (b"\x1f\x8b\x08", "This is compressed: unpack it"),
        (b"\x93NUMPY\1\0v", "This is an array of numpy: write it with numpy.savetxt"),
    ):
        (tmp_path / "b.csv").write_bytes(data)
        assert refusal(open_file, tmp_path / "b.csv").startswith(sentence)
    assert "cannot be read" in refusal(open_file, "a\0b.csv")
    (tmp_path / "empty.csv").touch()
    assert refusal(open_file, tmp_path / "empty.csv") == "empty.csv: there are no points."
    monkeypatch.setattr(open_and_save, "MAX_BYTES", 3)
    (tmp_path / "long.csv").write_text("1,2,3")
    assert "more than 0 MB" in refusal(open_file, tmp_path / "long.csv")


def test_a_path_that_ends_as_a_folder_is_no_file(tmp_path):
    save(tmp_path / "a.csv", SCENE)
    given = f"{tmp_path / 'a.csv'}/"
    assert refusal(open_file, given) == f"This names a folder, not a file: {given}"
    assert refusal(save, given, SCENE) == f"This names a folder, not a file: {given}"


@POSIX
def test_paths_through_files(tmp_path):
    (tmp_path / "a.csv").write_text("1,2,3")
    assert "not a folder" in refusal(open_file, tmp_path / "a.csv" / "b.csv")


@NOT_ROOT
def test_reading_without_permission(tmp_path):
    (tmp_path / "a.csv").touch(mode=0o000)
    assert refusal(open_file, tmp_path / "a.csv").startswith("No permission to read")


def test_saving_what_cannot_be_saved(tmp_path):
    sentence = refusal(save, tmp_path / "a.svmvis", SCENE)
    assert sentence == 'No format has the ending ".svmvis" (a.svmvis); did you mean ".svmviz"?'
    assert '".svmviz", ".csv"' in refusal(save, tmp_path / "a", SCENE)
    empty = Scene(Document())
    assert refusal(save, tmp_path / "a.csv", empty) == "There are no points to write to a.csv."
    save(tmp_path / "a.svmviz", empty)
    assert open_file(tmp_path / "a.svmviz") == empty
    folder = tmp_path / "none"
    assert refusal(save, folder / "a.svmviz", SCENE) == f"No such folder: {folder}"
    odd = PointSet(np.zeros((1, 2)), np.array([1]), ("\ud83d", "b"))
    sentence = refusal(save, tmp_path / "a.csv", odd)
    assert sentence == "The text to write to a.csv has a character that UTF-8 cannot encode."


def test_long_names(tmp_path):
    file = tmp_path / ("ä" * 100 + ".svmviz")
    save(file, SCENE)
    assert open_file(file) == SCENE


def test_a_large_scene_in_seconds(tmp_path):
    data = DATASETS["blobs"].generate(100_000, 0.4, 0)
    save(tmp_path / "a.svmviz", data)
    assert open_scene(tmp_path / "a.svmviz").document.data == data


def test_pasted_text_is_points_and_has_the_limit_of_a_file(monkeypatch):
    assert len(read_pasted("1,2,a\n3,4,b\n")) == 2
    assert read_pasted("1,2\n3,4\n", "regression").labels.tolist() == [1, 1]
    with pytest.raises(BadInput):
        read_pasted("no points here")
    monkeypatch.setattr(open_and_save, "MAX_BYTES", 3)
    with pytest.raises(BadInput, match="more than 0 million characters"):
        read_pasted("1,2,a\n3,4,b\n")


def test_pasted_text_is_read_with_progress_that_may_cancel():
    shares = []
    text = "\n".join(f"{k},{k},{k % 2}" for k in range(100_000))
    assert len(read_pasted(text, report=shares.append)) == 100_000
    assert sorted(shares) == shares
    assert shares[-1] > 0.5

    def cancel(share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read_pasted(text, report=cancel)

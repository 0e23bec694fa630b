"""``svmviz site``: what it says of a folder; its pages are tested in browsers."""

from svmviz.io.scene import Scene, write_scene
from tests.stages import eight


def test_a_name_in_order_without_a_file_is_said(svmviz, tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    (source / "eight.svmviz").write_text(write_scene(Scene(eight())), encoding="utf-8")
    (source / "order.txt").write_text("exam\neight\n", encoding="utf-8")
    done = svmviz("site", source, "-o", tmp_path / "public")
    assert done.code == 1
    sentence = "svmviz: order.txt names 'exam', but the folder has no such scene or lesson.\n"
    assert done.err.endswith(sentence)
    assert done.out.startswith("2 pages in ")
    assert (tmp_path / "public" / "eight.html").is_file()


def test_a_folder_that_is_none_is_refused(svmviz, tmp_path):
    (tmp_path / "a.svmviz").write_text("", encoding="utf-8")
    for name, words in (("nosuch", "is no folder."), ("a.svmviz", "is a file, not a folder.")):
        done = svmviz("site", tmp_path / name, "-o", tmp_path / "public")
        assert done.code == 1
        assert done.err.strip().endswith(words)

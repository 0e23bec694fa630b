"""Runs written by the window, read back by Pillow."""

import pytest
from PIL import Image

pytestmark = pytest.mark.display


@pytest.mark.parametrize("name", ["run.gif", "run.csv", "model.py"])
def test_the_run_is_written(user, tmp_path, monkeypatch, name):
    monkeypatch.setattr(
        "svmviz.window.files.runs.ask_save_path", lambda *_: (str(tmp_path / name), "")
    )
    user.window.menus.actions["export-run"].trigger()
    user.until((tmp_path / name).exists)
    user.until(lambda: not user.window.files.tasks.is_running)
    if name == "run.gif":
        with Image.open(tmp_path / name) as movie:
            assert movie.n_frames == user.window.stage.session.runs[0].steps + 1
    user.until(lambda: user.window.notice.isVisible())

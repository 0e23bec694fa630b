"""The page about scene files lists every key, and its example opens."""

import re
from pathlib import Path

from solvers.settings import settings_of
from svmviz.document.view_options import ViewOptions
from svmviz.io.scene import KEYS, read_scene

PAGE = Path(__file__).parents[2] / "docs" / "scene-format.md"


def test_every_key_is_listed():
    text = PAGE.read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE) == list(KEYS)
    for name in settings_of(ViewOptions):
        assert f"`{name}`" in text


def test_the_example_opens():
    text = PAGE.read_text(encoding="utf-8")
    (example,) = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    scene = read_scene(example)
    assert scene.step == 17
    assert scene.document.data.class_names == ("Adelie", "Gentoo")

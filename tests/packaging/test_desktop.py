"""The files for desktops: menu, types of files, software centres, icons."""

import configparser
import re
import shutil
import subprocess
import tomllib
from xml.etree import ElementTree

import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon, QImage

from scripts import make_packaging as making
from svmviz.app import app
from svmviz.base.resources import path as asset
from svmviz.io.open_and_save import SCENE_ENDING
from svmviz.lessons.lessons import ENDING as LESSON_ENDING

DESKTOP = making.LINUX / "svmviz.desktop"
PROJECT = tomllib.loads((making.ROOT / "pyproject.toml").read_text("utf-8"))
SHARED = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]


def entry():
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str
    parser.read(DESKTOP, "utf-8")
    return parser["Desktop Entry"]


def types():
    """Types of files by their patterns."""
    name = "{http://www.freedesktop.org/standards/shared-mime-info}"
    root = ElementTree.parse(making.LINUX / "svmviz-mime.xml").getroot()
    return {t.find(f"{name}glob").get("pattern"): t.get("type") for t in root}


def validate(*command):
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_entry_has_the_id_that_the_program_sets():
    source = making.Path(app.__file__).read_text("utf-8")
    (name,) = re.findall(r'setDesktopFileName\("(.*)"\)', source)
    assert DESKTOP.name == f"{name}.desktop"
    assert entry()["StartupWMClass"] == entry()["Icon"] == name
    assert entry()["Exec"].split()[0] == entry()["TryExec"]
    assert entry()["TryExec"] in PROJECT["project"]["gui-scripts"]


def test_scenes_and_lessons_have_types_that_open_the_program():
    assert {f"*{SCENE_ENDING}", f"*.lesson{LESSON_ENDING}"} == set(types())
    assert set(entry()["MimeType"].strip(";").split(";")) == set(types().values())
    root = ElementTree.parse(making.METAINFO).getroot()
    assert {t.text for t in root.iter("mediatype")} == set(types().values())


def test_software_centres_are_told_of_programs_and_pictures_that_exist():
    root = ElementTree.parse(making.METAINFO).getroot()
    assert root.find("launchable").text == DESKTOP.name
    scripts = PROJECT["project"]["scripts"] | PROJECT["project"]["gui-scripts"]
    assert {b.text for b in root.iter("binary")} == set(scripts)
    pictures = list(root.iter("image"))
    assert pictures
    for picture in pictures:
        image = QImage(str(making.ROOT / picture.text.partition("/raw/main/")[2]))
        assert (image.width(), image.height()) == (
            int(picture.get("width")),
            int(picture.get("height")),
        )


@pytest.mark.parametrize("size", making.SIZES)
def test_icons_are_the_drawing(qapp, size):
    stored = QImage(str(making.ICONS / f"svmviz-{size}.png"))
    assert (stored.width(), stored.height()) == (size, size)
    drawn = QIcon(str(asset("icon.svg"))).pixmap(size, size).toImage()
    smooth = Qt.TransformationMode.SmoothTransformation
    stored, drawn = (image.scaled(8, 8, mode=smooth) for image in (stored, drawn))
    for place in range(64):
        colours = [image.pixelColor(place % 8, place // 8).getRgb() for image in (stored, drawn)]
        assert colours[0] == pytest.approx(colours[1], abs=24)
    target = f"share/icons/hicolor/{size}x{size}/apps/{entry()['Icon']}.png"
    assert SHARED[f"packaging/icons/svmviz-{size}.png"] == target


def test_windows_and_macos_have_icons_of_all_sizes():
    with Image.open(making.ICONS / "svmviz.ico") as windows:
        assert {width for width, _ in windows.ico.sizes()} == set(making.ICO_SIZES)
    with Image.open(making.ICONS / "svmviz.icns") as macos:
        assert {width * scale for width, _, scale in macos.info["sizes"]} >= {
            32,
            128,
            256,
            512,
            1024,
        }


def test_tools_of_the_desktop_accept_the_entry():
    validate("desktop-file-validate", DESKTOP)


def test_tools_of_software_centres_accept_the_description():
    validate("appstreamcli", "validate", "--no-net", making.METAINFO)


def test_the_desktop_knows_the_types(tmp_path):
    (tmp_path / "packages").mkdir()
    shutil.copy(making.LINUX / "svmviz-mime.xml", tmp_path / "packages")
    validate("update-mime-database", tmp_path)
    rows = (tmp_path / "globs2").read_text("utf-8").splitlines()
    assert {tuple(row.split(":")[1:]) for row in rows if row[0] != "#"} == {
        (kind, pattern) for pattern, kind in types().items()
    }


def test_every_shared_file_exists():
    assert [file for file in SHARED if not (making.ROOT / file).is_file()] == []

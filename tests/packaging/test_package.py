"""What the package says about itself, and which files it has; built without the network."""

import os
import re
import shutil
import subprocess
from email import message_from_bytes
from pathlib import Path

import hatchling.build
import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder
from markdown_it import MarkdownIt
from trove_classifiers import classifiers

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def metadata(tmp_path_factory):
    """Metadata of the wheel, as an index reads them."""
    folder = tmp_path_factory.mktemp("metadata")
    before = Path.cwd()
    os.chdir(ROOT)
    try:
        name = hatchling.build.prepare_metadata_for_build_wheel(str(folder))
    finally:
        os.chdir(before)
    return message_from_bytes((folder / name / "METADATA").read_bytes())


def files_of(builder):
    """Path in the distribution of each file that is not generated."""
    return {
        Path(file.distribution_path).as_posix()
        for file in builder(str(ROOT)).recurse_included_files()
    }


def test_classifiers_are_those_of_the_index(metadata):
    named = metadata.get_all("Classifier")
    assert set(named) <= set(classifiers)
    versions = {name.rpartition(" ")[2] for name in named if " :: 3." in name}
    assert versions == {"3.11", "3.12", "3.13", "3.14"}
    assert metadata["Requires-Python"] == ">=3.11"


def test_licences_are_named_and_included(metadata):
    assert metadata["License-Expression"] == "MIT AND OFL-1.1 AND CC0-1.0"
    files = metadata.get_all("License-File")
    assert len(files) == 3
    texts = [(ROOT / file).read_text("utf-8") for file in files]
    for name in ("MIT License", "SIL OPEN FONT LICENSE", "CC0 1.0"):
        assert any(name in text for text in texts)


def test_the_description_has_only_links_that_hold_outside_the_repository(metadata):
    source = dict(line.split(", ") for line in metadata.get_all("Project-URL"))["Source"]
    tokens = MarkdownIt("commonmark").enable("table").parse(metadata.get_payload())
    links = [
        child.attrGet("href") or child.attrGet("src")
        for token in tokens
        for child in token.children or ()
        if child.type in ("link_open", "image")
    ]
    assert len(links) > 5
    assert {link for link in links if not re.match("https?:|#", link)} == set()
    for link in links:
        name = re.sub(rf"^{re.escape(source)}/(blob|raw)/main/", "", link)
        assert name == link or (ROOT / name.partition("#")[0]).exists()


def test_the_address_of_the_project_stands_in_one_place():
    named = [
        path.relative_to(ROOT).as_posix()
        for path in ROOT.rglob("*")
        if path.suffix in (".py", ".md", ".toml", ".yml", ".yaml", ".cff", ".xml", ".desktop")
        and not {".venv", "dist", "build", "out"} & set(path.relative_to(ROOT).parts)
        and "//example.org/svmviz" in path.read_text("utf-8")
        and path != Path(__file__)
    ]
    # `make packaging` writes the other two.
    assert sorted(named) == [
        "CITATION.cff",
        "packaging/linux/svmviz.metainfo.xml",
        "pyproject.toml",
    ]


def test_the_wheel_has_both_packages_their_types_and_the_assets():
    files = files_of(WheelBuilder)
    assert {"solvers/py.typed", "svmviz/py.typed", "svmviz/assets/fonts/OFL.txt"} <= files
    assert {name.partition("/")[0] for name in files} == {"solvers", "svmviz"}


def test_the_source_distribution_has_every_file_of_the_repository():
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("this is no repository")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    # Git's own file says what is ignored; the builder reads it and adds it by itself.
    kept = {name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()}
    assert kept - files_of(SdistBuilder) <= {".gitignore", "pyproject.toml"}

"""Version, date and addresses agree wherever they are written."""

import re

import svmviz
from scripts import make_packaging as making


def test_the_newest_release_of_the_changelog_is_the_version():
    assert making.releases()[0][0] == svmviz.__version__


def test_the_changelog_has_unreleased_changes_on_top_and_releases_in_their_order():
    text = (making.ROOT / "CHANGELOG.md").read_text("utf-8")
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    released = [f"{version} - {date}" for version, date in making.releases()]
    assert headings == ["Unreleased", *released, "Before 1.0.0"]
    dates = [date for _, date in making.releases()]
    assert dates == sorted(dates, reverse=True)
    kinds = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert set(re.findall(r"^### (.*)$", text, re.MULTILINE)) <= kinds


def test_citation_and_metainfo_say_what_follows_from_the_other_files():
    """If this fails, `make packaging` writes them."""
    for path, change in ((making.CITATION, making.citation), (making.METAINFO, making.metainfo)):
        text = path.read_text("utf-8")
        assert change(text) == text
    assert f"version: {svmviz.__version__}\n" in making.CITATION.read_text("utf-8")
    assert f'"{svmviz.__version__}"' in making.METAINFO.read_text("utf-8")


def test_another_address_and_release_would_be_written(monkeypatch):
    names = ("Homepage", "Source", "Issues", "Documentation")
    urls = {name: f"https://svm.test/{name}" for name in names}
    monkeypatch.setattr(making, "project", lambda: {"urls": urls})
    monkeypatch.setattr(making, "releases", lambda: [("9.8.7", "2031-02-03")])
    texts = [
        change(path.read_text("utf-8"))
        for path, change in ((making.CITATION, making.citation), (making.METAINFO, making.metainfo))
    ]
    for text in texts:
        assert "example.org" not in text
        assert svmviz.__version__ not in text.replace("1.2.0", "")
        assert "9.8.7" in text
        assert "2031-02-03" in text
    assert "<id>test.svm.svmviz</id>" in texts[1]

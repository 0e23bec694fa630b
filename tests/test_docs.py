"""The documentation site is made without a warning, and asks no other host for anything."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import solvers

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    pytest.importorskip("sphinx", reason="the site needs the extra docs")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    made = subprocess.run(
        [*command, "-d", folder / "trees", ROOT / "docs", folder / "html"],
        capture_output=True,
        text=True,
        timeout=250.0,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    return folder / "html"


def test_pages_load_nothing_from_elsewhere(site):
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        loaded = re.findall(
            r'<(?:script|img|link|iframe|source)\b[^>]*?(?:src|href)="([^"]+)"', text
        )
        assert loaded
        assert not [address for address in loaded if re.match(r"(https?:)?//", address)], page


def test_the_reference_has_what_the_library_offers(site):
    reference = "".join(page.read_text(encoding="utf-8") for page in (site / "api").glob("*.html"))
    kinds = [*solvers.METHODS.values(), *solvers.KERNELS.values(), *solvers.ITEM_KERNELS.values()]
    for kind in (*kinds, solvers.Problem, solvers.Run, solvers.Certificate):
        assert f'id="solvers.{kind.__name__}"' in reference


def test_the_search_finds_words_of_manual_and_reference(site):
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    for word in ("pegasos", "presentation", "certificate"):
        assert word in index.lower()

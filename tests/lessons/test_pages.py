"""Every registered name has a page of the help, and a page that is not one is refused."""

import pytest

from solvers import ITEM_KERNELS, KERNELS, METHODS, BadInput
from svmviz.base import resources
from svmviz.lessons.pages import concepts, page_of, read_page
from svmviz.panels.registry import LESSON, PANELS

REGISTERED = {
    "methods": {name: method.label for name, method in METHODS.items()},
    "kernels": {name: kernel.label for name, kernel in {**KERNELS, **ITEM_KERNELS}.items()},
    "panels": {spec.name: spec.title for spec in (*PANELS.values(), LESSON)}
    | {"settings": "Settings"},
    "concepts": {name: page.title for name, page in concepts().items()},
}


@pytest.mark.parametrize("kind", REGISTERED)
def test_every_registered_name_has_a_page_and_every_page_a_name(kind):
    titles = REGISTERED[kind]
    files = {path.stem for path in (resources.path("help") / kind).glob("*.md")}
    missing = sorted(titles.keys() - files)
    assert not missing, f"Without a page: add assets/help/{kind}/NAME.md for {missing}"
    assert files == titles.keys()
    assert {name: page_of(kind, name).title for name in titles} == titles


def test_a_page_has_paragraphs_formulas_symbols_and_code():
    text = "---\ntitle: A\nwords: a, as\n---\nOne\ntwo.\n\n```formula\nx\n```\n"
    text += "```symbols\nC\nz | last\n```\n```python\nimport a\n```\n"
    page = read_page(text, "a")
    assert (page.title, page.words, page.paragraphs) == ("A", ("a", "as"), ("One two.",))
    assert (page.formula, page.regression_formula, page.code) == (("x",), (), "import a\n")
    assert dict(page.symbols)["z"] == "last"
    assert dict(page.symbols)["C"].startswith("penalty")


def test_a_name_without_a_file_has_an_empty_page():
    assert page_of("methods", "of-another-package").paragraphs == ()


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("```symbols\nqq\n```", "Line 5: the symbol 'qq' needs a meaning"),
        ("```formula\nx\n```\n```formula\ny\n```", "Line 7: a page has one block of each kind"),
        ("```other\nx\n```", "Line 4: a page has one block of each kind"),
        ("# Heading", "Line 4: a page has only paragraphs"),
    ],
)
def test_what_is_no_page_is_refused_with_its_line(body, why):
    with pytest.raises(BadInput, match=why):
        read_page(f"---\ntitle: A\n---\n{body}", "a")

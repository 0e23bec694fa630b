"""Every registered class and panel has a page whose formula can be typeset."""

import pytest

from solvers import KERNELS, METHODS
from solvers.run.method import GUARANTEES
from solvers.settings import settings_of
from svmviz.base.typeset import typeset
from svmviz.panels.registry import PANELS
from svmviz.window.help.help_pages import pages

REGISTERED = {
    *(f"method:{name}" for name in METHODS),
    *(f"kernel:{name}" for name in KERNELS),
    *(f"panel:{name}" for name in PANELS),
}


def test_every_method_kernel_and_panel_has_a_page():
    assert pages().keys() == REGISTERED
    assert {page.chapter for page in pages().values()} == {"Methods", "Kernels", "Panels"}


@pytest.mark.parametrize("name", sorted(REGISTERED))
def test_a_page_has_words_and_its_formula_is_set(name):
    page = pages()[name]
    assert page.title
    assert all(text and not text.isspace() for text in page.paragraphs)
    assert name.startswith("panel:") or page.formula
    for line in page.formula:
        shown = typeset(line, 16.0, "#202020")
        # A page is some 500 px wide, and a line is made narrower to at most 0.6 of its width.
        assert 20 < shown.width < 700
        assert shown.height > 8


@pytest.mark.parametrize("method", METHODS.values(), ids=list(METHODS))
def test_a_method_tells_its_source_guarantees_and_settings(method):
    page = pages()[f"method:{method.name}"]
    assert page.source == method.source
    assert len(page.paragraphs) >= 2
    assert set(page.facts) == {GUARANTEES[name] for name in method.guarantees}
    told = {entry.title: entry for entry in page.entries}
    for name, spec in settings_of(method).items():
        assert told[spec.label].text == spec.help
        assert told[spec.label].aside.endswith("--" + name.replace("_", "-"))


def test_a_kernel_promises_what_its_construction_does():
    for name, kernel in KERNELS.items():
        fact = pages()[f"kernel:{name}"].facts[0]
        typed = any(spec.scale == "text" for spec in settings_of(kernel).values())
        assert ("for any points" in fact) == (kernel().mercer and not typed), name
        assert ("by construction" in fact) == (kernel().mercer and typed), name
        assert ("the dual is not concave" in fact) == (not kernel().mercer or typed), name


def test_no_page_promises_an_end_at_the_optimum_without_convergence():
    """Runs also end at a step limit."""
    for method in METHODS.values():
        for fact in pages()[f"method:{method.name}"].facts:
            assert not fact.startswith("It ends"), method.name

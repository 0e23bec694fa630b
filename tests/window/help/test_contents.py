"""Every concept, registered class, panel and derivation has a page; formulas can be typeset."""

import pytest

from solvers import ITEM_KERNELS, KERNELS, METHODS
from solvers.run.method import BETA_HELP, GUARANTEES
from solvers.settings import settings_of
from svmviz.base.typeset import typeset
from svmviz.lessons.concepts import CONCEPTS
from svmviz.lessons.derivations import derivations
from svmviz.panels.registry import PANELS
from svmviz.window.help.contents import READ, pages

REGISTERED = {
    *(f"concept:{concept.name}" for concept in CONCEPTS),
    *(f"method:{name}" for name in METHODS),
    *(f"kernel:{name}" for name in (*KERNELS, *ITEM_KERNELS)),
    *(f"panel:{name}" for name in PANELS),
    *(f"derivation:{name}" for name in derivations()),
}
WITHOUT_FORMULA = ("panel:", "derivation:", "concept:legend")


def test_everything_that_is_registered_has_a_page():
    assert pages().keys() == REGISTERED
    chapters = {page.chapter for page in pages().values()}
    assert chapters == {"Concepts", "Methods", "Kernels", "Panels", "Derivations"}


@pytest.mark.parametrize("name", sorted(REGISTERED))
def test_a_page_has_words_and_its_formula_is_set(name):
    page = pages()[name]
    assert page.title
    assert all(text and not text.isspace() for text in page.paragraphs)
    assert name.startswith(WITHOUT_FORMULA) or page.formula
    for line in page.formula:
        shown = typeset(line)
        # A page is some 500 px wide, its text has 16 px, and a line is made narrower to at most 0.6
        # of its width.
        assert 20 < 16.0 * shown.width < 700
        assert 16.0 * shown.height > 8


@pytest.mark.parametrize("derivation", derivations().values(), ids=list(derivations()))
def test_a_derivation_and_the_pages_it_concerns_link_to_each_other(derivation):
    links = dict(pages()[f"derivation:{derivation.name}"].links)
    assert list(links) == [READ + derivation.name, *derivation.concerns]
    assert any(name.startswith("panel:") for name in derivation.concerns)
    for name in derivation.concerns:
        assert (READ + derivation.name, derivation.title) in pages()[name].links


@pytest.mark.parametrize("method", METHODS.values(), ids=list(METHODS))
def test_a_method_shows_its_source_guarantees_and_settings(method):
    page = pages()[f"method:{method.name}"]
    assert page.source == method.source
    assert len(page.paragraphs) >= 2
    assert set(page.facts) == {GUARANTEES[name] for name in method.guarantees}
    entries = {entry.title: entry for entry in page.entries}
    for name, spec in settings_of(method).items():
        assert entries[spec.label].text == spec.help
        assert entries[spec.label].note.endswith("--" + name.replace("_", "-"))


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


@pytest.mark.parametrize("method", METHODS.values(), ids=list(METHODS))
def test_a_page_for_both_tasks_writes_the_constraint_for_both(method):
    """In a regression sum alpha_i y_i = 0 is wrong: y are targets, and a point has two alpha."""
    page = pages()[f"method:{method.name}"]
    both = set(method.tasks) == {"classification", "regression"}
    assert (BETA_HELP in page.paragraphs) == both
    if both:
        texts = (*page.paragraphs, *page.facts)
        assert not any("αᵢyᵢ = 0" in text for text in texts)
        assert not any(r"\alpha_i y_i = 0" in line for line in page.formula)

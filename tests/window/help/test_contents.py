"""Every concept, registered class, panel and derivation has a page; formulas can be typeset."""

import contextlib
import itertools

import numpy as np
import pytest

from solvers import ITEM_KERNELS, KERNELS, METHODS, RBF, SMO, Linear, Problem, WorkingSet, solve
from solvers.data.datasets import DATASETS
from solvers.kernels.items.given import Given
from solvers.run.method import GUARANTEES
from solvers.settings import settings_of
from svmviz.base.resources import path as asset
from svmviz.base.typeset import typeset
from svmviz.document.document import Document
from svmviz.io.open_and_save import open_file, open_scene
from svmviz.lessons.derivations import derivations
from svmviz.lessons.pages import concepts
from svmviz.panels.panel_spec import FAMILIES
from svmviz.panels.registry import PANELS, WINDOW_ONLY
from svmviz.window.help.contents import ABOUT_BETA, READ, pages

REGISTERED = {
    *(f"concept:{name}" for name in concepts()),
    *(f"method:{name}" for name in METHODS),
    *(f"kernel:{name}" for name in (*KERNELS, *ITEM_KERNELS)),
    *(f"panel:{name}" for name in (*PANELS, *WINDOW_ONLY)),
    *(f"derivation:{name}" for name in derivations()),
}
WITHOUT_FORMULA = ("panel:", "derivation:", "concept:legend", "concept:letters")


def test_everything_that_is_registered_has_a_page():
    assert pages().keys() == REGISTERED
    chapters = {page.chapter for page in pages().values()}
    families = {f"Panels: {family}" for family in FAMILIES}
    assert chapters == {"Concepts", "Methods", "Kernels", *families, "Derivations"}


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
    assert (ABOUT_BETA in page.paragraphs) == both
    if both:
        texts = (*page.paragraphs, *page.facts)
        assert not any("αᵢyᵢ = 0" in text for text in texts)
        assert not any(r"\alpha_i y_i = 0" in line for line in page.formula)


def test_the_code_on_graphs_writes_a_file_that_opens_and_is_separated(tmp_path):
    page, names = pages()["kernel:given"], {}
    with contextlib.chdir(tmp_path):
        exec(page.code, names)
    # The kernel counts pairs of walks of equal length, here by walking them.
    walks = []
    for n, edges, _ in names["graphs"]:
        joined = {*edges, *((b, a) for a, b in edges)}
        walks.append(
            [
                sum(
                    all(pair in joined for pair in itertools.pairwise(walk))
                    for walk in itertools.product(range(n), repeat=length + 1)
                )
                for length in range(5)
            ]
        )
    K = np.array(walks, dtype=float) @ np.array(walks).T
    data = open_file(tmp_path / "graphs.csv")
    np.testing.assert_array_equal(data.items.K, K)
    assert data.class_names == ("ring", "tree")
    problem = Document(data=data, kernel=Given()).problem()
    f = solve(problem, SMO()).certificate.decision
    assert (problem.y * f > 0.9).all()


def test_the_numbers_in_words_are_those_of_runs():
    moons = open_scene(str(asset("scenes/two-moons.svmviz"))).document
    run = solve(moons.problem(), moons.methods[0])
    assert (run.steps, run.at(run.steps).evaluations) == (100, 24_000)
    assert any("100 steps of the example Two moons use 24,000" in text
               for text in pages()["method:smo"].paragraphs)  # fmt: skip
    data = DATASETS["moons"].generate(1000, 0.3, 0)
    problem = Problem(data.points, data.labels.astype(float), kernel=RBF(1.0), C=10.0)
    per_round = []
    for size, rounds in ((10, 143), (40, 23), (200, 11)):
        run = solve(problem, WorkingSet(size=size))
        assert f"in {rounds} rounds" in run.stop.sentence
        per_round.append(round(run.steps / rounds))
    assert per_round == [7, 16, 24]
    assert any("143, 23 and 11 rounds of about 7, 16 and 24 steps" in text
               for text in pages()["method:working-set"].paragraphs)  # fmt: skip


def test_ten_penguins_are_enough_for_about_one_error_in_a_hundred():
    penguins = open_scene(str(asset("scenes/penguins.svmviz"))).document.problem()
    rng, risks = np.random.default_rng(1), []
    for _ in range(200):
        order = rng.permutation(penguins.n)
        few, others = order[:10], order[10:]
        if abs(penguins.y[few].sum()) < 10:
            run = solve(Problem(penguins.X[few], penguins.y[few], kernel=Linear(), C=1.0), SMO())
            predicted = np.where(run.expansion(penguins.X[others]) >= 0.0, 1.0, -1.0)
            risks.append((predicted != penguins.y[others]).mean())
    assert 0.005 < np.mean(risks) < 0.015
    # The risk of 12 points that is 10 % on average.
    assert round(100 * np.sqrt(0.1 * 0.9 / 12)) == 9

"""Each concept has a page with a picture that defines its symbols; words lead to it."""

import html
import re
import threading
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint

from solvers import KERNELS, METHODS
from svmviz.lessons.concept_links import link_concepts
from svmviz.lessons.pages import concepts
from svmviz.theme import DARK, LIGHT, apply
from svmviz.widgets.plain_text import RichLabel
from svmviz.window.help import picture_view
from svmviz.window.help.contents import READ, pages
from svmviz.window.help.help_page import TRIED, HelpPage
from svmviz.window.help.page_pictures import frames, paint, scenes

CONCEPTS = tuple(concepts().values())
# A table without a picture.
TABLES = ("letters",)
PICTURED = tuple(concept for concept in CONCEPTS if concept.name not in TABLES)
WANTED = (
    "margin support-vector slack class-weights alpha gap vectors convex compact kernel fitting "
    "vc-dimension many-classes test-part probability epsilon legend letters"
).split()
GREEK = {
    r"\alpha": "α",
    r"\xi": "ξ",
    r"\lambda": "λ",
    r"\gamma": "γ",
    r"\varepsilon": "ε",
    r"\varphi": "φ",
    r"\theta": "θ",
}
# Words of one letter that are no symbols.
WORDS = {"a", "A"}
LINK = re.compile(r"<a href='([^']*)'>")


def letters(text: str) -> set[str]:
    """The symbols in a text: single letters, with or without indices."""
    text = text.replace("'s", "")
    found = re.findall(r"(?<![^\W\d_])[^\W\d_ᵢⱼ](?=[ᵢⱼ₁₂]*(?![^\W\d_]))", text)
    return {letter for letter in found if letter.isalpha()} - WORDS


def letters_of_formula(latex: str) -> set[str]:
    """The symbols in a line of LaTeX."""
    plain = re.sub(r"\\text\{[^}]*\}", " ", latex)
    for name, letter in GREEK.items():
        plain = re.sub(re.escape(name) + r"(?![a-z])", f" {letter} ", plain)
    plain = re.sub(r"\\[a-zA-Z]+", " ", plain)
    return {letter for letter in plain if letter.isalpha()}


@pytest.fixture
def page(qtbot):
    made = HelpPage()
    qtbot.addWidget(made)
    return made


def shown(page: HelpPage) -> list[str]:
    """The HTML of all labels of a page."""
    return [label.text() for label in page.findChildren(RichLabel)]


def test_the_concepts_that_a_lecture_needs_are_there():
    assert [concept.name for concept in CONCEPTS] == WANTED


def test_the_symbols_of_a_text_are_found():
    assert letters("Kᵢⱼ = k(xᵢ, x) of a point, x₁, ‖w‖² and KKT") == {"K", "k", "x", "w"}
    assert letters_of_formula(r"\frac{1}{2}\|w\|^2 \text{ for all } \xi_i") == {"w", "ξ", "i"}


@pytest.mark.parametrize("concept", CONCEPTS, ids=lambda concept: concept.name)
def test_a_page_defines_every_symbol_it_uses(concept):
    defined = set().union(*(letters(symbol) for symbol, _ in concept.symbols))
    defined |= {index for symbol, _ in concept.symbols for index in symbol.split(", ")}
    used = set().union(*map(letters, concept.paragraphs))
    used |= set().union(*map(letters_of_formula, concept.formula))
    assert used or concept.name in TABLES
    assert not used - defined
    assert all(meaning for _, meaning in concept.symbols)


def test_every_link_leads_to_another_page_and_every_concept_is_linked(page):
    found = set()
    for name, topic in pages().items():
        page.show_page(topic)
        targets = {target for text in shown(page) for target in LINK.findall(text)}
        pages_of_links = {target.replace(READ, "derivation:") for target in targets}
        assert pages_of_links <= pages().keys()
        assert name not in targets
        found |= targets
        page._body.setParent(None)
    assert found >= {f"concept:{name}" for name in WANTED} - {
        "concept:legend",
        "concept:fitting",
        "concept:letters",
    }


def test_the_first_word_of_each_concept_in_a_text_is_linked():
    text = link_concepts("No slack: the margin, its margins, and ξ < 1 for αᵢ.")
    assert LINK.findall(text) == ["concept:slack", "concept:margin"]
    assert html.unescape(re.sub("<[^>]*>", "", text)) == (
        "No slack: the margin, its margins, and ξ < 1 for αᵢ."
    )
    assert not LINK.findall(link_concepts("The margin.", "concept:margin"))


def test_a_click_on_a_link_asks_for_the_page(page, qtbot):
    page.show_page(pages()["concept:margin"])
    labels = [label for label in page.findChildren(RichLabel) if "<a " in label.text()]
    with qtbot.waitSignal(page.page_requested) as caught:
        labels[0].linkActivated.emit(LINK.findall(labels[0].text())[0])
    assert caught.args[0] in pages()


@pytest.mark.parametrize(
    "concept",
    [one for one in PICTURED if f"concept:{one.name}" not in TRIED],
    ids=lambda concept: concept.name,
)
def test_a_concept_has_a_picture_in_the_colours_of_the_theme(concept, qapp):
    name = f"concept:{concept.name}"
    light, dark = (paint(name, (480, 230), theme, 1.0) for theme in (LIGHT, DARK))
    for image, theme in ((light, LIGHT), (dark, DARK)):
        assert image.pixelColor(image.width() - 1, 0).name() == theme.plane.lower()
        # Below the caption of each plane there are both sides of f, lines and marks.
        count = len(scenes()[name])
        for i in range(count):
            part = image.copy(i * 480 // count, 22, 480 // count - 8, 208)
            colours = {part.pixel(x, y) for x in range(0, part.width(), 2) for y in range(208)}
            assert len(colours) > 50
    assert light != dark


def test_planes_show_what_their_pages_say():
    (hard,) = frames("concept:margin")
    assert hard.lane.certificate.margin == pytest.approx(1.0, abs=1e-3)
    little, much = (frame.lane.certificate for frame in frames("concept:slack"))
    assert little.margin > much.margin
    assert little.slack.sum() > much.slack.sum()
    gaps = [frame.lane.certificate.gap for frame in frames("concept:gap")]
    assert gaps[0] > gaps[1] > gaps[2]
    straight, curved = (frame.lane.certificate for frame in frames("concept:kernel"))
    assert (straight.slack > 1).sum() > (curved.slack > 1).sum() == 0
    errors = [(frame.lane.certificate.slack > 1).sum() for frame in frames("concept:fitting")]
    assert errors[0] > errors[1] > errors[2]
    tubes = frames("concept:epsilon")
    narrow, wide = (np.count_nonzero(frame.lane.certificate.alpha) for frame in tubes)
    assert narrow > wide
    alpha = frames("concept:alpha")[0].lane.certificate.alpha
    assert {0.0, 1.0} < set(alpha)


def test_a_page_paints_its_picture_in_another_thread(page, qtbot, monkeypatch):
    threads = []

    def watched(*order):
        threads.append(threading.current_thread())
        return paint(*order)

    monkeypatch.setattr(picture_view, "paint", watched)
    page.resize(500, 600)
    page.show()
    page.show_page(pages()["concept:margin"])
    qtbot.waitUntil(lambda: page.picture.is_ready)
    assert not page.picture.image.isNull()
    assert threads
    assert threading.main_thread() not in threads
    page.show_page(pages()["panel:kkt"])
    assert page.picture is None


def test_methods_and_kernels_have_pictures_that_end_at_their_optima():
    wanted = {f"concept:{name}" for name in WANTED} - TRIED.keys() - {"concept:letters"}
    wanted |= {f"method:{name}" for name in METHODS} | {f"kernel:{name}" for name in KERNELS}
    assert scenes().keys() == wanted
    for name in METHODS:
        lanes = [frame.lane for frame in frames(f"method:{name}")]
        assert [lane.step for lane in lanes] == sorted({lane.step for lane in lanes}), name
        assert lanes[-1].stop is not None, name
    smo = frames("method:smo")[-1].lane.certificate
    for name in ("working-set", "interior-point"):
        end = frames(f"method:{name}")[-1].lane.certificate
        assert end.primal == pytest.approx(smo.primal, rel=1e-2)
    for name in KERNELS:
        assert all(frame.lane.stop is not None for frame in frames(f"kernel:{name}")), name


@pytest.mark.parametrize("concept", PICTURED, ids=lambda concept: concept.name)
def test_a_wide_page_has_its_picture_beside_the_text_and_fills_half_a_screen(
    page, qtbot, qapp, concept
):
    # In the style of the window, in which lines are higher than in Qt's own.
    apply(qapp, LIGHT, 1.0)
    # What the notes slip in is below, for those who have them.
    page.show_page(replace(pages()[f"concept:{concept.name}"], slips=()))
    labels = page.findChildren(RichLabel)
    words = next(label for label in labels[1:] if not label.text().startswith("<table"))
    symbols = next(label for label in labels if label.text().startswith("<table"))
    page.resize(780, 540)
    page.show()
    qtbot.waitUntil(lambda: page.formula is None or page.formula.is_ready)
    assert page.heightForWidth(780) <= 540

    def box(widget):
        return widget.rect().translated(widget.mapTo(page, QPoint(0, 0)))

    qtbot.waitUntil(lambda: box(words).left() > box(page.picture).right())
    qtbot.waitUntil(lambda: box(symbols).top() > box(page.picture).bottom())
    assert box(symbols).left() == box(page.picture).left()
    page.resize(480, 900)
    qtbot.waitUntil(lambda: box(words).top() > box(page.picture).bottom())
    qtbot.waitUntil(lambda: box(symbols).top() > box(words).bottom())

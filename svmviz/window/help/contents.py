"""The pages of the help: one for each concept, method, kernel, panel and derivation."""

from __future__ import annotations

import functools
import html
from collections.abc import Sequence
from dataclasses import dataclass, replace

from solvers import ITEM_KERNELS, KERNELS, METHODS, Kernel, Method
from solvers.run.method import GUARANTEES
from solvers.settings import Setting, settings_of
from svmviz.base.words import listed, number
from svmviz.lessons.derivations import Derivation, derivations, derivations_of
from svmviz.lessons.pages import Page, concepts, page_of
from svmviz.lessons.slips import slips_of
from svmviz.panels.panel_spec import PanelSpec
from svmviz.panels.registry import PANELS, WINDOW_ONLY, by_family, panel_named

CHAPTERS = {
    "concept": "Concepts",
    "method": "Methods",
    "kernel": "Kernels",
    "panel": "Panels",
    "derivation": "Derivations",
}
# Beginning of a link to a derivation beside the plane; other links are names of pages.
READ = "read:"
BIASES = {"free": "free", "none": "absent", "augmented": "regularised with w"}
# Sentences on beta, for the page of a method for both tasks.
ABOUT_BETA = (
    "βᵢ is αᵢyᵢ in a classification, for which the formulas are written. In a regression every "
    "point has two α, and βᵢ is αᵢ* − αᵢ: αᵢ* raises f at a point above the tube, αᵢ lowers it at "
    "a point below."
)
BY_CONSTRUCTION = "It is a kernel: positive semi-definite for any points."
IF_NEGATIVE = (
    "If that is negative, this is no kernel. With a free bias only β with Σ β = 0 count: if K is "
    "positive semi-definite for them, as that of 1 − ‖x − z‖² is, the gap still proves the "
    "optimum. Otherwise the dual is not concave: it may have several local maxima, and no gap "
    "proves an optimum. The line below the kernel in the settings says which."
)
NOT_BY_CONSTRUCTION = (
    "It need not be positive semi-definite. The Mercer check computes the smallest eigenvalue of "
    "the kernel matrix K of the points. " + IF_NEGATIVE
)
BY_EXPRESSION = (
    "Sums, products and powers of kernels, their positive multiples, exp(k) and scale(f, k) are "
    "kernels by construction. An expression with a minus or a sigmoid need not be one: then the "
    "Mercer check computes the smallest eigenvalue of the kernel matrix K of the points. "
    + IF_NEGATIVE
)


@dataclass(frozen=True)
class SettingEntry:
    """A setting: its title, a note on its default and command line option, and its help text."""

    title: str
    note: str
    text: str


@dataclass(frozen=True)
class HelpTopic:
    """A topic of the help, shown on one page.

    Attributes
    ----------
    name : str
        Chapter and registered name, as in ``"method:smo"``.
    title : str
    source : str
        Papers, or empty.
    paragraphs : tuple of str
    formula : tuple of str
        Lines of LaTeX.
    facts : tuple of str
        Guarantees, one sentence each.
    entries : tuple of SettingEntry
        The settings of the method or kernel.
    symbols : tuple of (str, str)
        Symbols and their meanings.
    links : tuple of (str, str)
        Targets and words of links: to derivations, or from a derivation to pages.
    slips : tuple of str
        Slips of the lecture notes that concern the page, one or two sentences each.
    code : str
        Python code; empty if there is none.
    """

    name: str
    title: str
    paragraphs: tuple[str, ...]
    formula: tuple[str, ...]
    source: str = ""
    facts: tuple[str, ...] = ()
    entries: tuple[SettingEntry, ...] = ()
    symbols: tuple[tuple[str, str], ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    slips: tuple[str, ...] = ()
    code: str = ""

    @property
    def chapter(self) -> str:
        """Title of the chapter that contains the topic."""
        kind, _, name = self.name.partition(":")
        return CHAPTERS[kind] + (f": {panel_named(name).family}" if kind == "panel" else "")

    @property
    def content(self) -> str:
        """All sentences of the topic, in which the palette of commands searches."""
        entries = (f"{entry.title}: {entry.text}" for entry in self.entries)
        symbols = (f"{symbol}: {meaning}" for symbol, meaning in self.symbols)
        return " ".join((*self.paragraphs, *self.facts, *entries, *symbols, *self.slips))


@functools.cache
def pages() -> dict[str, HelpTopic]:
    """Return all pages by name, chapter by chapter."""
    topics = (
        *(_concept_topic(concept) for concept in concepts().values()),
        *(_method_topic(method) for method in METHODS.values()),
        *(_kernel_topic(kernel) for kernel in (*KERNELS.values(), *ITEM_KERNELS.values())),
        *(_panel_topic(panel) for panel in WINDOW_ONLY.values()),
        *(
            _panel_topic(PANELS[name])
            for panels in by_family().values()
            for views in panels
            for name in views
        ),
    )
    found = {
        topic.name: replace(
            topic, links=links_to_derivations(topic.name), slips=slips_of(topic.name)
        )
        for topic in topics
    }
    return found | {
        topic.name: replace(topic, slips=slips_of(topic.name))
        for topic in (_derivation_topic(derivation, found) for derivation in derivations().values())
    }


def links_to_derivations(page: str) -> tuple[tuple[str, str], ...]:
    """Return the target and the words of the link to each derivation that concerns a page."""
    return tuple((READ + found.name, found.title) for found in derivations_of(page))


def links_html(links: Sequence[tuple[str, str]]) -> str:
    """Return HTML of links, one per line, given their targets and words."""
    return "<br>".join(
        f"<a href='{html.escape(target)}'>{html.escape(words)}</a>" for target, words in links
    )


def _concept_topic(page: Page) -> HelpTopic:
    return HelpTopic(
        f"concept:{page.name}", page.title, page.paragraphs, page.formula, symbols=page.symbols
    )


def _method_topic(method: type[Method]) -> HelpTopic:
    page = page_of("methods", method.name)
    biases = [BIASES[bias] for bias in method.biases]
    may = "may be" if len(biases) > 1 else "must be"
    scope = f"It solves {' and '.join(method.tasks)}; the bias {may} {listed(biases, 'or')}."
    about_beta = (ABOUT_BETA,) if len(method.tasks) > 1 else ()
    return HelpTopic(
        f"method:{method.name}",
        method.label,
        (method.help, *page.paragraphs, *about_beta, scope),
        page.formula,
        method.source,
        tuple(GUARANTEES[name] for name in method.guarantees),
        _entries(method),
        page.symbols,
    )


def _kernel_topic(kernel: type[Kernel]) -> HelpTopic:
    page = page_of("kernels", kernel.name)
    is_typed = any(spec.scale == "text" for spec in settings_of(kernel).values())
    if not kernel().mercer:
        fact = NOT_BY_CONSTRUCTION
    else:
        fact = BY_EXPRESSION if is_typed else BY_CONSTRUCTION
    return HelpTopic(
        f"kernel:{kernel.name}",
        kernel.label,
        (kernel.help, *page.paragraphs),
        page.formula,
        facts=(fact,),
        entries=_entries(kernel),
        code=page.code,
    )


def _panel_topic(spec: PanelSpec) -> HelpTopic:
    page = spec.page
    return HelpTopic(
        f"panel:{spec.name}", spec.title, page.paragraphs, (*page.formula, *page.regression_formula)
    )


def _derivation_topic(derivation: Derivation, pages: dict[str, HelpTopic]) -> HelpTopic:
    concerned = (pages[name] for name in derivation.concerns)
    return HelpTopic(
        f"derivation:{derivation.name}",
        derivation.title,
        (derivation.aim, f"It has {len(derivation.lines)} lines. Its numbers need "
                         f"{derivation.suits}."),
        (),
        derivation.source,
        links=(
            (READ + derivation.name, "Read it beside the plane, with the numbers of the step"),
            *((topic.name, f"{topic.title} ({topic.chapter})") for topic in concerned),
        ),
    )  # fmt: skip


def _entries(kind: type[Method] | type[Kernel]) -> tuple[SettingEntry, ...]:
    entries = []
    for name, spec in settings_of(kind).items():
        default = _default_text(spec, getattr(kind, name))
        option = "--" + name.replace("_", "-")
        entries.append(SettingEntry(spec.label, f"{default} at first; {option}", spec.help))
        if spec.twin:
            entries.append(SettingEntry(spec.twin.label, "", spec.twin.help))
    return tuple(entries)


def _default_text(spec: Setting, value: object) -> str:
    """Return the default of a setting, in words."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if spec.scale == "choice":
        return dict(spec.choices)[str(value)]
    return number(value) if isinstance(value, int | float) else str(value)

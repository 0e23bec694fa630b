"""The pages of the help: one for each concept, method, kernel, panel and derivation."""

from __future__ import annotations

import functools
import html
from collections.abc import Sequence
from dataclasses import dataclass, replace

from solvers import ITEM_KERNELS, KERNELS, METHODS, Kernel, Method
from solvers.run.method import GUARANTEES
from solvers.settings import Setting, settings_of
from svmviz.base.words import number
from svmviz.lessons.concept import Concept
from svmviz.lessons.concepts import CONCEPTS
from svmviz.lessons.derivations import Derivation, derivations, derivations_of
from svmviz.lessons.slips import slips_of
from svmviz.panels.panel_spec import PanelSpec
from svmviz.panels.registry import PANELS

CHAPTERS = {
    "concept": "Concepts",
    "method": "Methods",
    "kernel": "Kernels",
    "panel": "Panels",
    "derivation": "Derivations",
}
# The link to a derivation beside the plane begins with this; other links are names of pages.
READ = "read:"
BIASES = {"free": "free", "none": "absent", "augmented": "regularised with w"}
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
# What the pages of kernels say about points without coordinates, by what the kernel compares.
SHOWN_AS = (
    "The points have no coordinates. They are shown at their first two components of kernel PCA, "
    "and f has values at the points only: the disc behind a point has the colour of its f, and "
    "there is no boundary. No point is placed or moved by the mouse. Panels that need coordinates, "
    "such as Map and Feature map, are off."
)
ABOUT_DOMAINS = {
    "words": (
        "Words come from a CSV file with two columns, the words and their labels: File > Open, or "
        "drop it on the window. File > Examples has two lists of words.",
        SHOWN_AS,
    ),
    "matrix": (
        "The matrix comes from a CSV file: in each row the kernel values of one point with all "
        "points, and its label in the first or the last column; a header may name the points. A "
        "first line “# kernel matrix” says that it is one; without it, a symmetric table is taken "
        "for one. So graphs, molecules or anything else can be classified whose kernel was "
        "computed elsewhere.",
        "A kernel of graphs compares what both contain. The Python code below counts the walks of "
        "each length in each graph; the inner product of the counts is a kernel, and the file that "
        "it writes opens here. Other kernels of graphs count shortest paths or small subgraphs.",
        SHOWN_AS,
    ),
}
# How a kernel matrix of graphs is made, below those words; it runs as it stands.
GRAPHS_IN_CODE = """\
import numpy as np

# Graphs by their numbers of nodes, their edges and their labels.
graphs = [
    (4, [(0, 1), (1, 2), (2, 3)], "tree"),
    (4, [(0, 1), (0, 2), (0, 3)], "tree"),
    (5, [(0, 1), (1, 2), (1, 3), (3, 4)], "tree"),
    (3, [(0, 1), (1, 2), (2, 0)], "ring"),
    (4, [(0, 1), (1, 2), (2, 3), (3, 0)], "ring"),
    (5, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], "ring"),
]

def phi(n, edges, longest=4):
    A = np.zeros((n, n))
    for a, b in edges:
        A[a, b] = A[b, a] = 1
    # The entries of A to the power k count walks of length k.
    powers = [np.linalg.matrix_power(A, k) for k in range(longest + 1)]
    return [power.sum() for power in powers]

features = np.array([phi(n, edges) for n, edges, _ in graphs])
K = features @ features.T
lines = ["# kernel matrix"]
for row, (_, _, label) in zip(K, graphs):
    lines.append(",".join(map(str, [*row, label])))
with open("graphs.csv", "w") as file:
    file.write("\\n".join(lines))
"""
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
        Slips of the lecture notes in what the page is about, one sentence or two each.
    code : str
        Python code that is shown as it stands; empty if there is none.
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
        return CHAPTERS[self.name.partition(":")[0]]

    @property
    def content(self) -> str:
        """All its sentences, by which it is found."""
        entries = (f"{entry.title}: {entry.text}" for entry in self.entries)
        symbols = (f"{symbol}: {meaning}" for symbol, meaning in self.symbols)
        return " ".join((*self.paragraphs, *self.facts, *entries, *symbols, *self.slips))


@functools.cache
def pages() -> dict[str, HelpTopic]:
    """Return all pages by name, chapter by chapter."""
    topics = (
        *(_concept_topic(concept) for concept in CONCEPTS),
        *(_method_topic(method) for method in METHODS.values()),
        *(_kernel_topic(kernel) for kernel in (*KERNELS.values(), *ITEM_KERNELS.values())),
        *(_panel_topic(spec) for spec in PANELS.values()),
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
    """Return target and words of the link to each derivation that concerns a page."""
    return tuple((READ + found.name, found.title) for found in derivations_of(page))


def links_html(links: Sequence[tuple[str, str]]) -> str:
    """Return HTML of links, given their targets and words, each in a line of its own."""
    return "<br>".join(
        f"<a href='{html.escape(target)}'>{html.escape(words)}</a>" for target, words in links
    )


def _concept_topic(concept: Concept) -> HelpTopic:
    return HelpTopic(
        f"concept:{concept.name}",
        concept.title,
        concept.paragraphs,
        concept.formula,
        symbols=concept.symbols,
    )


def _method_topic(method: type[Method]) -> HelpTopic:
    biases = [BIASES[bias] for bias in method.biases]
    may = "may be" if len(biases) > 1 else "must be"
    scope = f"It solves {' and '.join(method.tasks)}; the bias {may} {_join_words(biases)}."
    return HelpTopic(
        f"method:{method.name}",
        method.label,
        (method.help, *_paragraphs(method.about), scope),
        method.latex,
        method.source,
        tuple(GUARANTEES[name] for name in method.guarantees),
        _entries(method),
        method.symbols,
    )


def _kernel_topic(kernel: type[Kernel]) -> HelpTopic:
    is_typed = any(spec.scale == "text" for spec in settings_of(kernel).values())
    if not kernel().mercer:
        fact = NOT_BY_CONSTRUCTION
    else:
        fact = BY_EXPRESSION if is_typed else BY_CONSTRUCTION
    return HelpTopic(
        f"kernel:{kernel.name}",
        kernel.label,
        (kernel.help, *ABOUT_DOMAINS.get(kernel.domain, ())),
        kernel.latex,
        facts=(fact,),
        entries=_entries(kernel),
        code=GRAPHS_IN_CODE if kernel.domain == "matrix" else "",
    )


def _panel_topic(spec: PanelSpec) -> HelpTopic:
    return HelpTopic(
        f"panel:{spec.name}", spec.title, (spec.help,), (*spec.formula, *spec.regression_formula)
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


def _paragraphs(text: str) -> tuple[str, ...]:
    return tuple(part for part in text.split("\n\n") if part)


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


def _join_words(words: list[str]) -> str:
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))

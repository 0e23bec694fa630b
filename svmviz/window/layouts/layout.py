"""The layouts: named arrangements, each in a few forms for windows of different sizes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from svmviz.document.document import Document
from svmviz.panels.panel_spec import suits_every_document
from svmviz.panels.registry import LESSON, PANELS
from svmviz.window.layouts.arrangement import Arrangement, Place

# Name of the dock of the settings.
SETTINGS = "settings"
# Panels that others do not cover: they are opened below them, or as tabs that never close them.
ANCHORS = (SETTINGS, LESSON.name)
# Width of the panel of lessons beside what explains a step, as a fraction of the window's width.
CARD_SHARE = 0.2
# Minimum height of a row, px at scale 1: usually, beside the chart of a race, and for a card.
MIN_ROW, MIN_RACE_ROW, MIN_CARD_ROW = 262, 345, 220


@dataclass(frozen=True)
class Form:
    """One form of a layout.

    Attributes
    ----------
    arrangement : Arrangement
    min_width, min_height : float
        Minimum width of the window, and height of the areas beside the plane, px at scale 1.
    suits : callable(Document) -> bool
        Whether the form suits a document.
    """

    arrangement: Arrangement
    min_width: float = 0.0
    min_height: float = 0.0
    suits: Callable[[Document], bool] = suits_every_document


@dataclass(frozen=True)
class Layout:
    """A named arrangement.

    Attributes
    ----------
    name, title, help : str
    forms : tuple of Form
        The first one that suits window and document is used; the last one suits all.
    front : str
        The panel that is in front if its row becomes tabs with others.
    min_row : float
        Minimum height of a row, px at scale 1. Rows that would be lower become tabs.
    is_brief : bool
        Whether panels leave out what others beside them show, text in them grows with the text
        size, and the window shows no tools.
    """

    name: str
    title: str
    help: str
    forms: tuple[Form, ...]
    front: str
    min_row: float = MIN_ROW
    is_brief: bool = False

    def arrangement_for(self, document: Document, width: float, height: float) -> Arrangement:
        """Return the arrangement for a document, a width and a height as in `Form`."""
        fitting = (
            form
            for form in self.forms
            if width >= form.min_width and height >= form.min_height and form.suits(document)
        )
        return next(fitting, self.forms[-1]).arrangement


def at_right(
    share: float, *columns: dict[tuple[str, ...], float], widths: tuple[float, ...] = (1.0,)
) -> Arrangement:
    """Return an arrangement at the right: the names and the height of each place, by column."""
    places = (
        Place(names, column=number, width=width, height=height)
        for number, (column, width) in enumerate(zip(columns, widths, strict=True))
        for names, height in column.items()
    )
    return Arrangement(tuple(places), {"right": share})


def beside_card(arrangement: Arrangement) -> Arrangement:
    """Return an arrangement with the panel of lessons at the left of the plane."""
    shares = {area: (1.0 - CARD_SHARE) * share for area, share in arrangement.shares.items()}
    places = Place((LESSON.name,), area="left"), *arrangement.places
    return Arrangement(places, {**shares, "left": CARD_SHARE})


def _has_pair(document: Document) -> bool:
    return PANELS["pair"].fits(document)


def _violates_kkt(document: Document) -> bool:
    """Return whether all points violate the KKT conditions, or the method does not aim at them.

    All do while every α is strictly between 0 and C. Then the α values, or the mistakes of a
    perceptron, show more than the panel KKT.
    """
    method = document.method
    return "strictly-inside" in method.guarantees or not method.maximizes_margin


_CODE, _WHY, _PAIR, _KKT, _ALPHA = (
    (name,) for name in ("pseudo-code", "step", "pair", "kkt", "alpha")
)
EXPLORE = Layout(
    "explore",
    "Explore",
    "The settings and one chart beside the plane.",
    (Form(at_right(0.22, {(SETTINGS,): 0.6, _ALPHA: 0.4})),),
    front=SETTINGS,
)
EXPLAIN = Layout(
    "explain",
    "Explain",
    "The step in its parts: pseudo-code, reasons, pair and KKT beside the plane.",
    (
        Form(
            at_right(
                0.54,
                {_CODE: 0.65, _WHY: 0.35},
                {_PAIR: 0.55, _KKT: 0.45},
                widths=(18 / 35, 17 / 35),
            ),
            min_width=640,
            min_height=410,
            suits=_has_pair,
        ),
        Form(
            at_right(0.54, {_CODE: 1.0}, {_PAIR: 0.7, _WHY: 0.3}, widths=(0.53, 0.47)),
            min_width=580,
            suits=_has_pair,
        ),
        Form(
            at_right(0.375, {_CODE: 0.4, _WHY: 0.3, _ALPHA: 0.3}),
            min_height=410,
            suits=lambda document: _violates_kkt(document) and not _has_pair(document),
        ),
        Form(
            at_right(0.375, {_CODE: 0.4, _WHY: 0.3, _KKT: 0.3}),
            min_height=410,
            suits=lambda document: not _has_pair(document),
        ),
        Form(at_right(0.45, {_CODE: 0.6, _WHY: 0.4})),
    ),
    front="pseudo-code",
    min_row=0.0,
    is_brief=True,
)
_CARD = (LESSON.name,)
IN_LESSON = Layout(
    "lesson",
    "Lesson",
    "The card of a lesson, with the panels that it names.",
    (
        Form(at_right(0.22, {_CARD: 0.6, (): 0.4}), min_height=730),
        Form(
            Arrangement((Place(area="left"), Place(_CARD)), {"left": 0.22, "right": 0.22}),
            min_width=1200,
        ),
        Form(at_right(0.25, {_CARD: 0.58, (): 0.42})),
    ),
    front=LESSON.name,
    min_row=MIN_CARD_ROW,
)
COMPARE = Layout(
    "compare",
    "Compare",
    "A race of methods: settings and the chart of the race beside the planes.",
    (Form(at_right(0.22, {(SETTINGS,): 0.4, ("race",): 0.6})),),
    front="race",
    min_row=MIN_RACE_ROW,
)
CHOOSE = Layout(
    "choose",
    "Choose",
    "The choice of a model: splits, folds and maps in a wide column beside the plane.",
    (
        Form(
            at_right(
                0.46,
                {(SETTINGS,): 1.0},
                {("model-choice", "map"): 1.0},
                widths=(0.42, 0.58),
            ),
            min_width=1600,
        ),
        Form(
            at_right(0.32, {(SETTINGS, "model-choice", "map"): 1.0}).with_fronts(["model-choice"])
        ),
    ),
    front="model-choice",
)
LAYOUTS = {layout.name: layout for layout in (EXPLORE, EXPLAIN, IN_LESSON, COMPARE, CHOOSE)}
# Panels about the choice of a model, for which an example brings the layout Choose.
CHOICE_PANELS = ("model-choice", "split", "folds", "map", "risk")

"""The layouts: named arrangements, each in a few forms for windows of different sizes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from svmviz.document.document import Document
from svmviz.panels.panel_spec import suits_every_document
from svmviz.panels.registry import LESSON, PANELS
from svmviz.window.layouts.arrangement import Area, Arrangement, Part, Split, Tabs

# Name of the dock of the settings.
SETTINGS = "settings"
# Panels that others do not cover: they are opened below them, or as tabs that never close them.
ANCHORS = (SETTINGS, LESSON.name)
# Minimum height of a row, px at scale 1: usually, beside the chart of a race, and for a card.
MIN_ROW, MIN_RACE_ROW, MIN_CARD_ROW = 262, 345, 220


@dataclass(frozen=True)
class Form:
    """One form of a layout.

    Attributes
    ----------
    areas : dict of str to Area
    min_width, min_height : float
        Minimum width of the window, and height of the areas beside the plane, px at scale 1.
    suits : callable(Document) -> bool
        Whether the form suits a document.
    """

    areas: Mapping[str, Area]
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

    def form_for(self, document: Document, width: float, height: float) -> Form:
        """Return the form for a document, a width and a height as in `Form`."""
        fitting = (
            form
            for form in self.forms
            if width >= form.min_width and height >= form.min_height and form.suits(document)
        )
        return next(fitting, self.forms[-1])


def column(share: float, *parts: Part, shares: tuple[float, ...] = ()) -> Area:
    """Return an area with parts from top to bottom."""
    if len(parts) == 1:
        return Area(parts[0], share)
    return Area(Split(parts, shares), share)


def _has_pair(document: Document) -> bool:
    return PANELS["pair"].fits(document)


def _keeps_inside(document: Document) -> bool:
    """Return whether the method keeps every α strictly between 0 and C.

    Then every point violates the KKT conditions, so the α values show more than the panel KKT.
    """
    return "strictly-inside" in document.method.guarantees


_CODE, _WHY, _PAIR, _KKT = (Tabs((name,)) for name in ("pseudo-code", "step", "pair", "kkt"))
_ALPHA = Tabs(("alpha",))


def _explaining(first: tuple[Part, Part], second: Part) -> Mapping[str, Area]:
    """Return two columns: code above reasons, and what is moved."""
    left = Split(first, (0.65, 0.35))
    return {"right": Area(Split((left, second), (18 / 35, 17 / 35), across=True), 0.54)}


EXPLORE = Layout(
    "explore",
    "Explore",
    "The settings and one chart beside the plane.",
    (Form({"right": column(0.22, Tabs((SETTINGS,)), _ALPHA, shares=(0.6, 0.4))}),),
    front=SETTINGS,
)
EXPLAIN = Layout(
    "explain",
    "Explain",
    "The step in its parts: pseudo-code, reasons, pair and KKT beside the plane.",
    (
        Form(
            _explaining((_CODE, _WHY), Split((_PAIR, _KKT), (0.55, 0.45))),
            min_width=640,
            min_height=410,
            suits=_has_pair,
        ),
        Form(
            {"right": Area(Split((_CODE, Split((_PAIR, _WHY), (0.64, 0.36))), (0.53, 0.47),
                                 across=True), 0.54)},
            min_width=580,
            suits=_has_pair,
        ),
        Form(
            {"right": column(0.375, _CODE, _WHY, _ALPHA, shares=(0.4, 0.3, 0.3))},
            min_height=410,
            suits=lambda document: _keeps_inside(document) and not _has_pair(document),
        ),
        Form(
            {"right": column(0.375, _CODE, _WHY, _KKT, shares=(0.4, 0.3, 0.3))},
            min_height=410,
            suits=lambda document: not _has_pair(document),
        ),
        Form({"right": column(0.45, _CODE, _WHY, shares=(0.6, 0.4))}),
    ),
    front="pseudo-code",
    min_row=0.0,
    is_brief=True,
)  # fmt: skip
_CARD = Tabs((LESSON.name,))
IN_LESSON = Layout(
    "lesson",
    "Lesson",
    "The card of a lesson, with the panels that it names.",
    (
        Form({"right": column(0.22, _CARD, Tabs(), shares=(0.6, 0.4))}, min_height=730),
        Form({"left": column(0.22, Tabs()), "right": column(0.22, _CARD)}, min_width=1200),
        Form({"right": column(0.25, _CARD, Tabs(), shares=(0.58, 0.42))}),
    ),
    front=LESSON.name,
    min_row=MIN_CARD_ROW,
)
COMPARE = Layout(
    "compare",
    "Compare",
    "A race of methods: settings and the chart of the race beside the planes.",
    (Form({"right": column(0.22, Tabs((SETTINGS,)), Tabs(("race",)), shares=(0.4, 0.6))}),),
    front="race",
    min_row=MIN_RACE_ROW,
)
CHOOSE = Layout(
    "choose",
    "Choose",
    "The choice of a model: splits, folds and maps in a wide column beside the plane.",
    (
        Form(
            {
                "right": Area(
                    Split(
                        (Tabs((SETTINGS,)), Tabs(("model-choice", "map"))),
                        (0.42, 0.58),
                        across=True,
                    ),
                    0.46,
                )
            },
            min_width=1600,
        ),
        Form({"right": column(0.32, Tabs((SETTINGS, "model-choice", "map"), "model-choice"))}),
    ),
    front="model-choice",
)  # fmt: skip
LAYOUTS = {layout.name: layout for layout in (EXPLORE, EXPLAIN, IN_LESSON, COMPARE, CHOOSE)}
# Panels about the choice of a model, for which an example brings the layout Choose.
CHOICE_PANELS = ("model-choice", "split", "folds", "map", "risk")


def arrangement_of(layout: Layout, document: Document, width: float, height: float) -> Arrangement:
    """Return the arrangement that a layout has by itself; see `Form` for width and height."""
    return Arrangement(layout.form_for(document, width, height).areas)

"""The weights of the classes: even, balanced, or a slider per class."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from solvers import BadInput
from solvers.errors import shorten
from svmviz.base.words import class_titles
from svmviz.document.class_weights import BALANCED, ClassWeights, checked_weights
from svmviz.document.document import Document
from svmviz.stage.stage import Stage
from svmviz.widgets.column import Column
from svmviz.widgets.inputs.choice_box import ChoiceBox
from svmviz.widgets.inputs.slider import ValueSlider
from svmviz.widgets.inputs.slider_scale import Track
from svmviz.widgets.more import More
from svmviz.widgets.plain_text import set_tip

EVEN, OWN = "even", "own"
TIP = (
    "A mistake on a point of this class costs this many times C: the α of the point is at most C "
    "times the weight. For unbalanced (imbalanced) classes, of which one has few points, or "
    "mistakes that cost more."
)
CHOICES = (
    (EVEN, "Even", "All points have the same C."),
    (BALANCED, "Balanced", "All classes have the same sum of weights: n / (k nₖ) for a class with "
     "nₖ of the n points, of k classes."),
    (OWN, "Own numbers", "Move a slider below."),
)  # fmt: skip
# Longest name of a class in the label of a slider.
MAX_LABEL = 8
TRACK = Track(0.01, 100.0)


class ClassWeightsBox(Column):
    """A choice, and a slider per class; the sliders show what is chosen.

    Parameters
    ----------
    stage : Stage
    more : More
        Gets this box.
    """

    def __init__(self, stage: Stage, more: More) -> None:
        super().__init__(gap=1.0)
        self._session = stage.session
        self.choice = more.compare(ChoiceBox("Class weights", CHOICES, TIP, default=EVEN), self)
        self.choice.chosen.connect(self._on_chosen)
        self.sliders: list[ValueSlider] = []
        self._titles: tuple[str, ...] = ()
        more.body.add(self)
        stage.session.document_changed.connect(self._show_document)
        self._show_document()

    def _show_document(self) -> None:
        document = self._session.document
        self.setVisible(not document.is_regression)
        if document.is_regression:
            return
        titles = class_titles(document.all_points)
        if titles != self._titles:
            self._make_sliders(titles)
        weights, reason = document.class_weights, _refusal(document)
        self.choice.set_value(weights if isinstance(weights, str) else OWN if weights else EVEN)
        self.choice.refuse({OWN: CHOICES[2][2]} | ({BALANCED: reason} if reason else {}))
        set_tip(self.choice, reason or TIP)
        for slider, weight in zip(self.sliders, document.weight_per_class.tolist(), strict=True):
            slider.set_value(weight)
            slider.setEnabled(not reason)
            set_tip(slider, reason or TIP)

    def _make_sliders(self, titles: tuple[str, ...]) -> None:
        for slider in self.sliders:
            slider.hide()
            slider.deleteLater()
        self._titles, self.sliders = titles, []
        for class_, title in enumerate(titles):
            label, spoken = shorten(title, MAX_LABEL), f"Weight of the class {shorten(title)}"
            slider = self.add(ValueSlider(label, TRACK, 1.0, _check, spoken=spoken))
            slider.moved.connect(partial(self._on_weight, class_, self._session.preview))
            slider.released.connect(partial(self._on_weight, class_, self._commit))
            self.sliders.append(slider)

    def _on_weight(self, class_: int, use: object, weight: float) -> None:
        document = self._session.document
        weights = document.weight_per_class.tolist()
        weights[class_] = weight
        use(replace(document, class_weights=tuple(weights)))  # type: ignore[operator]

    def _on_chosen(self, choice: str) -> None:
        weights: ClassWeights = BALANCED if choice == BALANCED else ()
        self._commit(replace(self._session.document, class_weights=weights))

    def _commit(self, document: Document) -> None:
        self._session.edit(document, "Change class weights")


def _refusal(document: Document) -> str:
    """Return why a method of the document cannot have weights; empty if all can."""
    try:
        for method in document.methods:
            method.accept_weights()
    except BadInput as error:
        return str(error)
    return ""


def _check(weight: float) -> str:
    try:
        checked_weights((weight,), 1)
    except BadInput as error:
        return str(error)
    return ""

"""The controls that choose which parts are left out: procedure, sizes, seed and risk."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QPushButton

from solvers.selection.risks import RISKS
from svmviz.document.document import Document
from svmviz.panels.seed_box import SeedBox
from svmviz.selection.fold_plan import (
    FIVE_BY_TWO,
    KEPT,
    NONE,
    TITLES,
    FoldPlan,
    Rival,
    rival_like,
    rivals_of,
)
from svmviz.selection.plan import HOLD_OUT, K_FOLD, LEAVE_ONE_OUT
from svmviz.widgets.column import Column
from svmviz.widgets.inputs.choice_box import ChoiceBox
from svmviz.widgets.inputs.slider import ValueSlider
from svmviz.widgets.inputs.slider_scale import Track
from svmviz.widgets.plain_text import set_tip

TIPS = {
    K_FOLD: "Divide the points into k folds. Test each fold with the model trained on the others. "
    "Usual are k = 5 and k = 10; it takes k times the time of one run.",
    FIVE_BY_TWO: "Divide the points into two halves, five times. Test each half with the model"
    " trained on the other half. A model of half the points is usually worse than one of all, so"
    " the risk tends to be too high; in return, the two models share no point.",
    HOLD_OUT: "Leave out a random part, several times. Test it with the model trained on the rest.",
    LEAVE_ONE_OUT: "Leave out each point once, one after the other: k = n. The models have all"
    " points but one, so the mean risk is almost that of the model of all; it takes n runs, except"
    " for points with α = 0.",
}
RIVAL_TIP = "A second model: the paired test says whether the risks of both differ."
KEEP_TIP = (
    "Keep the present model for the comparison; then change the kernel, C or the method, and the "
    "paired test compares both models."
)
KEPT_CHOICE = ("kept model", "The model of the moment at which “Keep this model” was pressed")
KERNEL_TIP = "This kernel with its default parameters, and with C and method of the present model"
# Upper ends of the sliders: number of folds, and number of hold-out splits.
MAX_FOLDS, MAX_REPEATS = 30, 30


class FoldForm(Column):
    """Controls for the settings of a :class:`FoldPlan`.

    Attributes
    ----------
    procedure, rival : ChoiceBox
        The choices of the procedure and of a second model. They are not in this column: the panel
        puts them above the button that starts the search.

    Signals
    -------
    changed()
        The user has changed a setting of the plan.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__(gap=1.0)
        plan = FoldPlan()
        choices = [(key, title, TIPS[key]) for key, title in TITLES.items()]
        self.procedure = ChoiceBox("Procedure", choices, "How points are left out")
        self.risk = self.add(ChoiceBox("Risk", [("", "")], "The mean loss on the points left out"))
        self.folds = self._slider("Folds k", 2, MAX_FOLDS, plan.folds, "Number of folds")
        self.repeats = self._slider("Splits", 2, MAX_REPEATS, plan.repeats, "Number of splits")
        self.share = self._slider(
            "Left out", 5, 90, 100 * plan.test, "Share of the points left out", "%"
        )
        row = self.add(Column(gap=2.0, across=True))
        self.seed = row.add(SeedBox())
        set_tip(self.seed.dice, "Other random parts: the next seed")
        set_tip(self.seed.label, "")
        self.stratified = row.add(QCheckBox("Keep class shares"), 1)
        self.stratified.setChecked(plan.stratified)
        set_tip(
            self.stratified,
            "Keep the proportions of the classes in each part. In a regression the points are "
            "sorted by y and cut into fifths, which take the role of the classes.",
        )
        self.rival = ChoiceBox("Compare with", [(NONE, "–", "")], RIVAL_TIP)
        self.keep = self.add(QPushButton("Keep this model"))
        set_tip(self.keep, KEEP_TIP)
        self._kept: Rival | None = None
        self._document: Document | None = None
        self._rivals: dict[str, Rival] = {}
        self.rival.chosen.connect(self.changed)
        self.keep.clicked.connect(lambda _checked: self._keep())
        self.procedure.chosen.connect(self._on_chosen)
        self.risk.chosen.connect(self.changed)
        self.seed.chosen.connect(self.changed)
        # The signal ``toggled`` would also be emitted if the program sets the value.
        self.stratified.clicked.connect(self.changed)
        self.show_used_controls()

    def _slider(
        self, label: str, low: float, high: float, default: float, tip: str, unit: str = ""
    ) -> ValueSlider:
        track = Track(low, high, logarithmic=False, whole=True)
        slider = self.add(ValueSlider(label, track, default, unit=unit, tip=tip))
        slider.released.connect(self.changed)
        return slider

    def show_document(self, document: Document) -> None:
        """Offer the risks of a document's task, and models to compare its model with."""
        risks = [risk for risk in RISKS.values() if risk.task == document.task]
        self.risk.set_choices([(risk.name, risk.label, risk.help) for risk in risks])
        self._document, self._rivals = document, rivals_of(document, self._kept)
        chosen = self.rival.value
        choices = [(NONE, "no other model", "The risk of this model alone")]
        for key, rival in self._rivals.items():
            kernel = f"{rival.kernel.label.partition(' (')[0]} kernel"
            name, tip = KEPT_CHOICE if key == KEPT else (kernel, KERNEL_TIP)
            choices.append((key, name, tip))
        self.rival.set_choices(choices)
        self.rival.set_value(chosen if chosen in self._rivals else NONE)

    @property
    def plan(self) -> FoldPlan:
        """The plan that the controls show."""
        return FoldPlan(
            procedure=self.procedure.value,
            folds=round(self.folds.value),
            test=self.share.value / 100.0,
            stratified=self.stratified.isChecked(),
            seed=self.seed.value,
            risk=self.risk.value,
            repeats=round(self.repeats.value),
            rival=self._rivals.get(self.rival.value)
            if self.procedure.value == FIVE_BY_TWO
            else None,
        )

    def _keep(self) -> None:
        """Keep the model of the document, and compare others with it."""
        if self._document is not None:
            self._kept = rival_like(self._document)
            self.show_document(self._document)
            self.rival.set_value(KEPT)
            self.changed.emit()

    def _on_chosen(self) -> None:
        self.show_used_controls()
        self.changed.emit()

    def show_used_controls(self) -> None:
        """Show the controls of the procedure."""
        procedure = self.procedure.value
        self.folds.setVisible(procedure == K_FOLD)
        self.repeats.setVisible(procedure == HOLD_OUT)
        self.share.setVisible(procedure == HOLD_OUT)
        self.keep.setVisible(procedure == FIVE_BY_TWO)
        is_random = procedure != LEAVE_ONE_OUT
        self.seed.setVisible(is_random)
        self.stratified.setVisible(is_random)

"""The controls that choose which parts are left out: procedure, sizes, seed and risk."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox

from solvers.selection.risks import RISKS
from svmviz.panels.seed_box import SeedBox
from svmviz.selection.fold_plan import FIVE_BY_TWO, TITLES, FoldPlan
from svmviz.selection.plan import HOLD_OUT, K_FOLD, LEAVE_ONE_OUT
from svmviz.widgets.column import Column
from svmviz.widgets.inputs.choice_box import ChoiceBox
from svmviz.widgets.inputs.slider import ValueSlider
from svmviz.widgets.inputs.slider_scale import Track
from svmviz.widgets.plain_text import set_tip

TIPS = {
    K_FOLD: "Divide the points into k folds. Test each fold with the model trained on the others.",
    FIVE_BY_TWO: "Divide the points into two halves, five times. Test each half with the model"
    " trained on the other half.",
    HOLD_OUT: "Leave out a random part, several times. Test it with the model trained on the rest.",
    LEAVE_ONE_OUT: "Leave out each point once, one after the other.",
}
# Upper ends of the sliders: number of folds, and number of hold-out splits.
MAX_FOLDS, MAX_REPEATS = 30, 30


class FoldForm(Column):
    """Controls for the settings of a :class:`FoldPlan`.

    Attributes
    ----------
    procedure : ChoiceBox
        The choice of the procedure. It is not in this column: the panel puts it above the button
        that starts the search.

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
        self.stratified = row.add(QCheckBox("Stratified"), 1)
        self.stratified.setChecked(plan.stratified)
        set_tip(
            self.stratified,
            "Keep the proportions of the classes in each part. In a regression the points are "
            "sorted by y and cut into fifths, which take the role of the classes.",
        )
        self.procedure.chosen.connect(self._on_chosen)
        self.risk.chosen.connect(self.changed)
        self.seed.chosen.connect(self.changed)
        # The signal ``toggled`` would also be emitted if the program sets the value.
        self.stratified.clicked.connect(self.changed)
        self._show_used_controls()

    def _slider(
        self, label: str, low: float, high: float, default: float, tip: str, unit: str = ""
    ) -> ValueSlider:
        track = Track(low, high, logarithmic=False, whole=True)
        slider = self.add(ValueSlider(label, track, default, unit=unit, tip=tip))
        slider.released.connect(self.changed)
        return slider

    def show_task(self, task: str) -> None:
        """Offer the risks of a task."""
        risks = [risk for risk in RISKS.values() if risk.task == task]
        self.risk.set_choices([(risk.name, risk.label, risk.help) for risk in risks])

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
        )

    def _on_chosen(self) -> None:
        self._show_used_controls()
        self.changed.emit()

    def _show_used_controls(self) -> None:
        """Show only the controls that the chosen procedure uses."""
        procedure = self.procedure.value
        self.folds.setVisible(procedure == K_FOLD)
        self.repeats.setVisible(procedure == HOLD_OUT)
        self.share.setVisible(procedure == HOLD_OUT)
        is_random = procedure != LEAVE_ONE_OUT
        self.seed.setVisible(is_random)
        self.stratified.setVisible(is_random)

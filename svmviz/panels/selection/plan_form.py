"""The form for the estimate of risks: procedure, sizes of parts, seed and kind of risk."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox

from solvers.selection.risks import RISKS
from svmviz.panels.selection.number_entry import NumberEntry
from svmviz.selection.plan import TITLES, Plan
from svmviz.widgets.column import Column
from svmviz.widgets.inputs.choice_box import ChoiceBox
from svmviz.widgets.plain_text import set_tip

TIPS = {
    "k-fold": "Divide the points into folds. Test each fold with the model trained on the others.",
    "hold-out": "Train on one part, test on the other.",
    "leave-one-out": "Leave out each point once. A point with α = 0 changes nothing.",
    "validation": "Train on the training part of the split, test on its validation part.",
}
PART_TIP = "Size of the part left out: a fraction below 1, or a number of points."


class PlanForm(Column):
    """Controls for the settings of a :class:`Plan`.

    Parameters
    ----------
    procedures : bool
        Whether the procedure can be chosen; otherwise it is hold-out.

    Signals
    -------
    changed()
        The user has changed a control.
    """

    changed = Signal()

    def __init__(self, *, procedures: bool = True) -> None:
        super().__init__(gap=1.0)
        choices = [(key, name, TIPS[key]) for key, name in TITLES.items()]
        self.procedure = self.add(ChoiceBox("Estimate", choices, "How the risk is estimated"))
        self.procedure.setVisible(procedures)
        self._has_procedures = procedures
        self.risk = self.add(ChoiceBox("Risk", [("", "")], "The mean loss on the points left out"))
        row = self.add(Column(gap=1.0, across=True))
        self.folds = row.add(NumberEntry("folds", "The number of folds", whole=True, width=40.0), 1)
        self.test = row.add(NumberEntry("left out", "The part left out", PART_TIP, width=40.0), 1)
        tip = "The same seed gives the same parts."
        self.seed = row.add(NumberEntry("seed", "The seed", tip, whole=True, width=40.0), 1)
        self.stratified = self.add(QCheckBox("Keep class shares"))
        set_tip(
            self.stratified,
            "Keep the proportions of the classes in each part. In a regression the points are "
            "sorted by y and cut into fifths, which take the role of the classes.",
        )
        for entry in (self.folds, self.test, self.seed):
            entry.typed.connect(self.changed)
        self.procedure.chosen.connect(self.changed)
        self.risk.chosen.connect(self.changed)
        # The signal ``toggled`` would also be emitted if the program sets the value.
        self.stratified.clicked.connect(self.changed)

    def show_plan(self, plan: Plan, task: str) -> None:
        """Show a plan; if its risk is not one of ``task``, show the first risk of ``task``."""
        plan = plan.for_task(task)
        if self._has_procedures:
            self.procedure.set_value(plan.procedure)
        risks = [risk for risk in RISKS.values() if risk.task == task]
        self.risk.set_choices([(risk.name, risk.label, risk.help) for risk in risks])
        self.risk.set_value(plan.risk or risks[0].name)
        procedure = plan.procedure if self._has_procedures else "hold-out"
        self.folds.setVisible(procedure == "k-fold")
        self.test.setVisible(procedure == "hold-out")
        is_random = procedure in ("k-fold", "hold-out")
        self.seed.setVisible(is_random)
        self.stratified.setVisible(is_random)
        self.stratified.setChecked(plan.stratified)
        self.folds.set_value(plan.folds)
        self.test.set_value(plan.test)
        self.seed.set_value(plan.seed)

    def read(self) -> Plan:
        """Return the plan; raise BadInput, with one sentence, if a number cannot be read."""
        plan = Plan(
            self.procedure.value if self._has_procedures else "hold-out",
            int(self.folds.read()),
            self.test.read(),
            self.stratified.isChecked(),
            int(self.seed.read()),
            self.risk.value,
        )
        for entry in (self.folds, self.test, self.seed):
            entry.accept()
        return plan

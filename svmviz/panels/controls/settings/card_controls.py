"""The controls on a card of a lesson: some of those of the settings."""

from __future__ import annotations

from svmviz.panels.controls.settings.model_panel import ModelPanel
from svmviz.panels.controls.settings.solver_panel import SolverPanel
from svmviz.stage.stage import Stage
from svmviz.widgets.column import Column


class CardControls(Column):
    """Some controls of kernel, penalty and method.

    Parameters
    ----------
    stage : Stage
    names : frozenset of str
        Names of controls, as :mod:`svmviz.lessons.shows` lists them. Those that the kernel or the
        method does not have are left out.
    """

    def __init__(self, stage: Stage, names: frozenset[str]) -> None:
        super().__init__(gap=1.0)
        self.model, self.solver = self.add(ModelPanel(stage)), self.add(SolverPanel(stage))
        self.model.keep_only(names)
        self.solver.keep_only(names)

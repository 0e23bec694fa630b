"""The panels that can be docked. The modules of a panel are imported when its widget is made."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from solvers.entry_points import Group, Registry, checked_name, checked_texts
from solvers.errors import BadInput
from svmviz.base.lazy import later
from svmviz.panels.panel_spec import AREAS, CLASSIFICATION_ONLY, FAMILIES, PanelSpec, is_linear


def _name_of_panel(spec: Any) -> str:
    if not isinstance(spec, PanelSpec):
        raise BadInput("it is no svmviz.panels.panel_spec.PanelSpec")
    checked_texts(spec, "title")
    if spec.area not in AREAS or not callable(spec.make):
        raise BadInput(f"its area is none of {', '.join(AREAS)}, or its make is no function")
    if spec.family not in FAMILIES:
        raise BadInput(f"its family is none of {', '.join(FAMILIES)}")
    if spec.name in WINDOW_ONLY:
        raise BadInput(f"another panel has the name {spec.name}")
    return checked_name(spec.name)


def _panel(name: str, title: str, key: str, widget: str, **options: Any) -> PanelSpec:
    """Return the description of a panel of this package; ``widget`` is its class, in ``panels``."""
    return PanelSpec(name, title, later(f"panels.{widget}"), key=key, **options)


# What some panels need. Points with coordinates come on top of that where ``plane`` is true.
_TWO_CLASSES: dict[str, Any] = {"tasks": CLASSIFICATION_ONLY, "needs": "two classes"}
_A_LINE = _TWO_CLASSES | {"condition": is_linear, "needs": "two classes and the linear kernel"}
# The panels of each family, in order of importance, with the key that is pressed after P. Views
# follow their panel. The key is the first letter of the title. If two panels share it, one has this
# letter with Shift. If more than two share it, another letter of the title is used.
_STEP = (
    _panel("step", "Why?", "W", "step.step_panel:StepPanel"),
    _panel("pseudo-code", "Pseudo-code", "Shift+P", "step.pseudo_code_panel:PseudoCodePanel"),
    _panel(
        "pair",
        "Pair",
        "P",
        "step.pair_panel:PairPanel",
        condition=lambda document: any(method.moves_pairs for method in document.methods),
        needs="a method that moves pairs, such as SMO",
    ),
    _panel(
        "alpha",
        "α values",
        "A",
        "step.alpha_chart:AlphaChart",
        scrolls=False,
        regression_title="β values",
        mistakes_title="Mistakes",
    ),
    _panel("kkt", "KKT", "K", "step.kkt_panel:KktPanel"),
)
_MODEL = (
    _panel("model", "Model", "M", "controls.model.model_card:ModelCard"),
    _panel("sums", "f as a sum", "U", "duality.sums_panel:SumsPanel", plane=True, view_of="model"),
    _panel(
        "machines",
        "Machines",
        "I",
        "controls.machines.machines_panel:MachinesPanel",
        condition=lambda document: document.many is not None,
        plane=True,
        tasks=CLASSIFICATION_ONLY,
        needs="three or more classes",
    ),
    _panel("kernel-matrix", "Kernel matrix", "Shift+K", "kernels.kernel_panel:KernelPanel"),
    _panel(
        "components",
        "Kernel PCA",
        "C",
        "kernels.components_panel:ComponentsPanel",
        view_of="kernel-matrix",
    ),
    _panel(
        "feature-map",
        "Feature map",
        "F",
        "kernels.feature_panel:FeaturePanel",
        plane=True,
        view_of="kernel-matrix",
        **_TWO_CLASSES,
    ),
    _panel(
        "table",
        "Points",
        "T",
        "controls.points.points_table:PointsTable",
        area="bottom",
        scrolls=False,
    ),
)
_GEOMETRY = (
    _panel(
        "line", "Your line", "Shift+L", "geometry.line_panel:LinePanel", plane=True, **_TWO_CLASSES
    ),
    _panel(
        "hulls",
        "Hulls",
        "H",
        "geometry.hull_panel:HullPanel",
        condition=lambda document: (
            is_linear(document) or any(method.name == "hulls" for method in document.methods)
        ),
        plane=True,
        tasks=CLASSIFICATION_ONLY,
        needs="two classes, and the linear kernel or the method of convex hulls",
    ),
    *(
        _panel(name, title, key, widget, plane=True, view_of="hulls", **_A_LINE)
        for name, title, key, widget in (
            ("difference-set", "Difference set", "D", "geometry.difference_panel:DifferencePanel"),
            ("weight-space", "w-space", "Shift+W", "geometry.weight_panel:WeightPanel"),
        )
    ),
)
_COST = (
    _panel("objective", "Objective", "O", "objective.objective_chart:ObjectiveChart"),
    _panel("race", "Race", "Shift+R", "objective.race.race_panel:RacePanel", view_of="objective"),
    _panel("loss", "Loss", "L", "objective.loss_panel:LossPanel"),
    _panel("budget", "Slack", "B", "objective.budget_panel:BudgetPanel", view_of="loss"),
    _panel(
        "slice",
        "P along a line",
        "Shift+A",
        "objective.slice_panel:SlicePanel",
        condition=lambda document: math.isfinite(document.C),
        needs="a finite C",
        view_of="loss",
    ),
    _panel("derivation", "Derivation", "V", "duality.derivation_panel:DerivationPanel"),
    _panel("quadratic-program", "Quadratic program", "Q", "duality.qp_panel:QPPanel"),
    _panel(
        "dual-landscape",
        "Dual landscape",
        "Shift+D",
        "duality.landscape_panel:LandscapePanel",
        condition=lambda document: document.n <= 4,
        tasks=CLASSIFICATION_ONLY,
        needs="two to four points of two classes",
        view_of="quadratic-program",
    ),
)
_CHOICE = tuple(
    _panel(name, title, key, f"selection.{widget}", plane=True, view_of=panel)
    for name, title, key, widget, panel in (
        ("model-choice", "Model choice", "Shift+C", "choice.choice_panel:ChoicePanel", ""),
        ("split", "Split", "Shift+S", "split.split_panel:SplitPanel", "model-choice"),
        ("folds", "Folds", "Shift+F", "folds.folds_panel:FoldsPanel", "model-choice"),
        ("map", "Parameter map", "Shift+M", "map.map_panel:MapPanel", ""),
        ("risk", "Risk", "R", "risk.risk_panel:RiskPanel", "map"),
    )
)
PANELS: Registry[PanelSpec] = Group("svmviz.panels", "panel", _name_of_panel).registry(
    {
        spec.name: replace(spec, family=family)
        for family, specs in zip(FAMILIES, (_STEP, _MODEL, _GEOMETRY, _COST, _CHOICE), strict=True)
        for spec in specs
    }
)
# The panels that only a window shows: no figure contains them.
LESSON = _panel("lesson", "Lesson", "E", "lesson.lesson_panel:LessonPanel")
SETTINGS_SPEC = PanelSpec(
    "settings",
    "Settings",
    later("window.docks.settings_column:SettingsColumn"),
    scrolls=False,
    key="S",
)
WINDOW_ONLY = {spec.name: spec for spec in (LESSON, SETTINGS_SPEC)}
# The controls on a card of a lesson: callable(Stage, frozenset of str) -> QWidget.
CARD_CONTROLS = later("panels.controls.settings.card_controls:CardControls")


def panel_named(name: str) -> PanelSpec:
    """Return the panel of this name, which may be one that only a window shows."""
    return WINDOW_ONLY.get(name) or PANELS[name]


def views_of(name: str) -> tuple[str, ...]:
    """Return the names of all views of the panel to which this one belongs, the panel first."""
    panel = _panel_of(name)
    return tuple(other for other in PANELS if _panel_of(other) == panel) or (name,)


def by_family() -> dict[str, list[tuple[str, ...]]]:
    """Return the panels of each family, each as the names of its views."""
    families: dict[str, list[tuple[str, ...]]] = {family: [] for family in FAMILIES}
    for name in PANELS:
        views = views_of(name)
        if views[0] == name:
            families[PANELS[name].family].append(views)
    return families


def _panel_of(name: str) -> str:
    panel = PANELS[name].view_of if name in PANELS else ""
    return panel if panel in PANELS else name


def shown_by_lessons() -> dict[str, str]:
    """Return the titles, by name, of the panels that a card of a lesson may show beside it."""
    return {**{name: spec.title for name, spec in PANELS.items()}, "settings": "Settings"}

"""Model, solver and data: they follow the document; an edit is one undo entry, a preview none."""

from __future__ import annotations

import math
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QLineEdit

from solvers import (
    KERNELS,
    RBF,
    SMO,
    BadInput,
    Composed,
    CoordinateAscent,
    Custom,
    Linear,
    Pegasos,
    Perceptron,
    Polynomial,
)
from solvers.data.datasets import DATASETS, PointSet
from solvers.problem import problem as problem_module
from solvers.settings import settings_of
from svmviz.base.resources import path
from svmviz.document.document import Document, Penalty
from svmviz.io.open_and_save import open_file
from svmviz.io.scene import Scene, read_scene, write_scene
from svmviz.panels.controls.settings.data_panel import DataPanel, _check_number
from svmviz.panels.controls.settings.model_panel import MercerStudy, ModelPanel
from svmviz.panels.controls.settings.solver_panel import SolverPanel
from svmviz.widgets.inputs.ticked_slider import Groove
from svmviz.widgets.plain_text import words_of_tip
from tests.choosing import choose
from tests.stages import eight, moons, sine
from tests.waiting import settle


def press(qtbot, slider, share):
    groove = slider.findChild(Groove)
    qtbot.mousePress(groove, Qt.MouseButton.LeftButton, pos=QPoint(int(groove.width() * share), 8))
    return groove


def type_in(qtbot, slider, text):
    field = slider.findChild(QLineEdit)
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


# Model


def test_model_shows_the_document(open_stage, show):
    stage = open_stage(moons(kernel=RBF(0.5), penalty=Penalty("C", 2.0)))
    panel = show(ModelPanel(stage))
    assert panel.kernel.value == "rbf"
    assert panel.form.controls["gamma"].value == 0.5
    assert panel.form.twins["sigma"].value == pytest.approx(1.0)
    assert panel.penalty.sliders["C"].value == 2.0
    assert panel.penalty.sliders["lambda"].value == pytest.approx(1 / (2.0 * 80))
    stage.session.edit(moons(kernel=Linear(), penalty=Penalty("C", math.inf)), "other")
    assert panel.kernel.value == "linear"
    assert panel.form.twins == {}
    assert panel.penalty.sliders["lambda"].value == 0.0


def test_dragging_C_previews_and_releasing_is_one_entry(qtbot, open_stage, show):
    stage = open_stage(moons())
    panel = show(ModelPanel(stage))
    groove = press(qtbot, panel.penalty.sliders["C"], 0.2)
    for share in (0.3, 0.5, 0.7):
        qtbot.mouseMove(groove, QPoint(int(groove.width() * share), 8))
        assert stage.session.previewing
    assert stage.session.undo_stack.count() == 0
    qtbot.mouseRelease(groove, Qt.MouseButton.LeftButton)
    assert stage.session.undo_stack.count() == 1
    assert stage.session.undo_stack.text(0) == "Change C"
    assert not stage.session.previewing
    changed = stage.session.document.C
    assert changed == panel.penalty.sliders["C"].value != 10.0
    stage.session.undo_stack.undo()
    assert panel.penalty.sliders["C"].value == 10.0


def test_the_right_end_of_C_is_the_hard_margin(qtbot, open_stage, show):
    stage = open_stage(eight())
    panel = show(ModelPanel(stage))
    groove = press(qtbot, panel.penalty.sliders["C"], 1.0)
    qtbot.mouseRelease(groove, Qt.MouseButton.LeftButton)
    assert math.isinf(stage.session.document.C)
    assert "hard" in panel.penalty.sliders["C"].findChild(QLineEdit).text()


@pytest.mark.parametrize(("kind", "value"), [("C", 3.0), ("lambda", 0.01)])
def test_the_penalty_that_was_set_last_is_kept_as_n_changes(qtbot, open_stage, show, kind, value):
    stage = open_stage(moons())
    panel = show(ModelPanel(stage))
    type_in(qtbot, panel.penalty.sliders[kind], str(value))
    assert stage.session.document.penalty == Penalty(kind, value)
    assert panel.penalty.kept.value == kind
    other = "C" if kind == "lambda" else "lambda"
    before = panel.penalty.sliders[other].value
    stage.session.edit(stage.session.document.added([(0, 0), (1, 1)], [1, -1]), "add")
    assert panel.penalty.sliders[kind].value == value
    assert panel.penalty.sliders[other].value != before


def test_what_stays_can_be_chosen_and_keeps_its_number(open_stage, show):
    stage = open_stage(moons())
    panel = show(ModelPanel(stage))
    assert not panel.more.dot.isVisible()
    choose(panel.penalty.kept, "lambda")
    assert stage.session.document.penalty == Penalty("lambda", 1 / (10.0 * 80))
    assert panel.more.dot.isVisible()
    assert "New points: keep: λ, not C" in panel.more.button.accessibleDescription()
    choose(panel.penalty.kept, "lambda")
    assert stage.session.undo_stack.count() == 1


def test_width_and_gamma_are_one_thing(qtbot, open_stage, show):
    stage = open_stage(moons())
    panel = show(ModelPanel(stage))
    type_in(qtbot, panel.form.twins["sigma"], "0.5")
    assert stage.session.document.kernel == RBF(2.0)
    assert panel.form.controls["gamma"].value == 2.0
    type_in(qtbot, panel.form.twins["sigma"], "-1")
    assert "above 0" in panel.form.twins["sigma"].error_text
    assert stage.session.undo_stack.count() == 1


def test_trying_another_kernel_loses_nothing(open_stage, show):
    stage = open_stage(moons(kernel=RBF(0.25)))
    panel = show(ModelPanel(stage))
    assert panel.kernel.keys == tuple(KERNELS)
    choose(panel.kernel, "polynomial")
    assert stage.session.document.kernel == Polynomial()
    assert "<sup>d</sup>" in panel.formula.text()
    choose(panel.kernel, "rbf")
    assert stage.session.document.kernel == RBF(0.25)
    assert stage.session.undo_stack.count() == 2


def test_exponents_are_raised(open_stage, show):
    panel = show(ModelPanel(open_stage(moons(kernel=Polynomial()))))
    assert panel.formula.text() == "k(x, z) = (c + γ⟨x, z⟩)<sup>d</sup>"
    assert panel.form.controls["degree"].findChild(QLabel).text() == "degree d"


def test_typed_kernels_are_their_own_formula(qtbot, open_stage, show):
    stage = open_stage(moons(kernel=Composed("linear")))
    panel = show(ModelPanel(stage))
    assert panel.formula.isHidden()
    control = panel.form.controls["expression"]
    control.field.setFocus()
    control.field.selectAll()
    qtbot.keyClicks(control.field, "rbf(")
    assert control.error_text.startswith("Cannot be read at character 5: expected a number")
    assert stage.session.document.kernel == Composed("linear")
    qtbot.keyClicks(control.field, "2)")
    qtbot.keyClick(control.field, Qt.Key.Key_Return)
    assert stage.session.document.kernel == Composed("rbf(2)")
    assert stage.session.undo_stack.count() == 1


CONDITIONAL = "1 - (x1 - z1)^2 - (x2 - z2)^2"


@pytest.mark.parametrize(
    ("kernel", "said", "role", "holds"),
    [
        (
            RBF(),
            "Valid kernel: all eigenvalues of its matrix K are ≥ 0.",
            "caption",
            True,
        ),
        (
            Custom("x1*z1 - x2*z2"),
            "Not positive semi-definite: on these points the",
            "error",
            False,
        ),
        # Where sum beta = 0, as with a free bias, it is 2 <x, z>.
        (Custom(CONDITIONAL), "Not positive semi-definite: on these points the", "caption", False),
        (Custom("x1*z1"), "Positive semi-definite on these points; it may not", "caption", True),
    ],
)
def test_the_mercer_check_is_shown_in_front_unless_it_says_yes(
    qtbot, open_stage, show, kernel, said, role, holds
):
    panel = show(ModelPanel(open_stage(moons(kernel=kernel))))
    label, other = panel.mercer.label, panel.mercer.yes
    if holds:
        label, other = other, label
    qtbot.waitUntil(lambda: label.text().startswith(said))
    assert label.property("role") == role
    assert label.isVisible() != holds
    panel.more.button.click()
    assert label.isVisible()
    assert not other.isVisible()


def test_a_problem_that_cannot_be_solved_is_not_checked(open_stage, show):
    panel = show(ModelPanel(open_stage(moons(kernel=Custom("log(x1)")))))
    assert panel.mercer.label.text() == "Not guaranteed to be positive semi-definite."


def test_points_without_a_value_are_shown_and_found_once(qtbot, open_stage, show, monkeypatch):
    checks = []

    def refuse(kernel, X, bias):
        checks.append(kernel)
        raise BadInput("The kernel has no value for points 1 and 18.")

    monkeypatch.setattr(problem_module, "check_concavity", refuse)
    label = show(ModelPanel(open_stage(moons(kernel=Custom("x1*z1"))))).mercer.label
    qtbot.waitUntil(lambda: label.text() == "The kernel has no value for points 1 and 18.")
    assert label.property("role") == "error"
    checks.clear()
    study = MercerStudy()
    frame = SimpleNamespace(lane=SimpleNamespace(problem=moons().problem(), gap_proves=False))
    assert study(frame, ()) == study(frame, ()) == label.text()
    assert len(checks) == 1


# Solver


def test_solver_edits_the_first_lane_only(qtbot, open_stage, show):
    stage = open_stage(moons(methods=(SMO(), SMO(tol=1e-5))))
    panel = show(SolverPanel(stage))
    choose(panel.form.controls["pair"], "maximal-violation")
    assert stage.session.document.methods == (SMO(pair="maximal-violation"), SMO(tol=1e-5))
    assert stage.session.undo_stack.count() == 1


def test_method_brings_its_settings_and_its_biases(qtbot, open_stage, show):
    stage = open_stage(moons())
    panel = show(SolverPanel(stage))
    assert panel.bias.keys == ("free",)
    assert not panel.bias.combo.isEnabled()
    assert "no other" in panel.bias_words.text()
    choose(panel.method, "pegasos")
    assert isinstance(stage.session.document.method, Pegasos)
    assert set(panel.bias.keys) == {"free", "none", "augmented"}
    choose(panel.bias, "augmented")
    assert stage.session.document.bias == "augmented"
    assert "regularised" in panel.bias_words.text()
    type_in(qtbot, panel.form.controls["batch_size"], "7")
    assert stage.session.document.method == Pegasos(batch_size=7)
    assert stage.session.undo_stack.count() == 3
    choose(panel.method, "smo")
    assert stage.session.document.bias == "free"
    choose(panel.method, "pegasos")
    assert stage.session.document.method == Pegasos(batch_size=7)
    settle(qtbot, stage)


@pytest.mark.parametrize(
    ("changed", "line"),
    [
        (SMO(tol=1e-5), "Tolerance: 1·10⁻⁵, not 0.001"),
        (SMO(pair="random"), "Choice of the pair: "),
        (Pegasos(average=True), "Averaged iterate: on, not off"),
        (CoordinateAscent(shrinking=False), "Shrinking: off, not on"),
    ],
)
def test_a_dot_says_that_a_setting_of_the_method_is_not_its_default(
    open_stage, show, changed, line
):
    stage = open_stage(moons(20).with_method(type(changed)()))
    panel = show(SolverPanel(stage))
    # Without a free bias, that of coordinate ascent is its default.
    assert not panel.more.dot.isVisible()
    stage.session.edit(stage.session.document.with_method(changed), "change")
    assert panel.more.dot.isVisible()
    assert line in panel.more.button.accessibleDescription()


@pytest.mark.parametrize("kernel", [RBF(), Polynomial(), Linear()])
def test_the_sliders_of_a_card_have_one_width(open_stage, show, kernel):
    panel = show(ModelPanel(open_stage(sine(kernel=kernel))))
    panel.more.button.click()
    panel.layout().activate()
    grooves = [groove for groove in panel.findChildren(Groove) if groove.isVisible()]
    assert len(grooves) >= 3 + len(settings_of(kernel))
    edges = {(g.mapTo(panel, QPoint()).x(), g.width()) for g in grooves}
    assert len(edges) == 1


# Data


def test_generating_is_one_entry(open_stage, show):
    stage = open_stage(moons())
    panel = show(DataPanel(stage))
    assert panel.number.value == 80
    choose(panel.dataset, "circles")
    assert stage.session.undo_stack.count() == 1
    noise = DATASETS["circles"].noise_default
    assert stage.session.document.data == DATASETS["circles"].generate(80, noise, 0)
    panel.seed.dice.click()
    assert stage.session.document.data == DATASETS["circles"].generate(80, noise, 1)
    choose(panel.dataset, "circles")
    assert stage.session.undo_stack.count() == 2
    stage.session.undo_stack.undo()
    stage.session.undo_stack.undo()
    assert stage.session.document == moons()


def test_a_seed_can_be_typed(qtbot, open_stage, show):
    stage = open_stage(moons())
    panel = show(DataPanel(stage))
    choose(panel.dataset, "circles")
    field = panel.seed.field
    field.selectAll()
    qtbot.keyClicks(field, "41")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    noise = DATASETS["circles"].noise_default
    assert stage.session.document.data == DATASETS["circles"].generate(80, noise, 41)
    assert stage.session.undo_stack.count() == 2
    field.selectAll()
    qtbot.keyClicks(field, "4.5")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert "whole number" in field.toolTip()
    field.setText("")
    # More digits than `int` accepts.
    field.insert("9" * 5000)
    assert "whole number" in field.toolTip()
    assert stage.session.undo_stack.count() == 2
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == "41"
    assert panel.seed.value == 41


def test_dragging_noise_previews(qtbot, open_stage, show):
    stage = open_stage(moons())
    panel = show(DataPanel(stage))
    panel.more.button.click()
    assert not panel.noise.isVisible()
    choose(panel.dataset, "moons")
    groove = press(qtbot, panel.noise, 0.4)
    qtbot.mouseMove(groove, QPoint(int(groove.width() * 0.8), 8))
    assert stage.session.previewing
    assert stage.session.undo_stack.count() == 1
    qtbot.mouseRelease(groove, Qt.MouseButton.LeftButton)
    assert stage.session.undo_stack.count() == 2


def test_the_points_that_are_there_are_described(open_stage, show):
    data = PointSet(np.array([(0, 0), (1, 1), (2, 2)]), np.array([-1, 1, 1]), ("Adelie", "Gentoo"))
    stage = open_stage(Document(data=data))
    panel = show(DataPanel(stage))
    assert panel.counts.text() == "3 points (Gentoo: 2, Adelie: 1).\nPlaced by hand."
    assert panel.dataset.value == ""
    assert panel.dataset.combo.shown_text == "choose…"
    panel.show_origin("penguins.csv")
    assert panel.counts.text().endswith("\nFrom penguins.csv.")
    stage.session.edit(stage.session.document.moved([0], (0.5, 0.0)), "Move")
    assert panel.counts.text().endswith("\nFrom penguins.csv, changed by hand.")
    choose(panel.dataset, "moons")
    assert panel.counts.text() == "3 points (+1: 1, −1: 2).\nTwo moons: noise 0.15, seed 0."
    stage.session.undo_stack.undo()
    assert panel.counts.text().endswith("\nFrom penguins.csv, changed by hand.")
    assert panel.dataset.value == ""


def test_uneven_axes_are_reported(open_stage, show):
    points = np.array([(0.0, 0.0), (1.0, 250.0), (0.5, 10.0), (0.2, 200.0)])
    data = PointSet(points, np.array([-1, 1, -1, 1]), axis_names=("length", "mass"))
    stage = open_stage(Document(data=data))
    panel = show(DataPanel(stage))
    assert "times as far" in panel.hint.text()
    assert "mass" in panel.hint.text()
    assert not panel.hint.isHidden()
    choose(panel.scaling, "each")
    assert stage.session.document.scaling == "each"
    assert panel.hint.isHidden()
    assert stage.session.undo_stack.count() == 1


def test_scaling_the_axes_fits_the_kernel_to_them(open_stage, show):
    grams = Document(open_file(path("penguins.csv")), kernel=RBF(2.8e-6))
    stage = open_stage(grams)
    panel = show(DataPanel(stage))
    choose(panel.scaling, "each")
    # With the gamma of grams, f would be flat on the scaled axes.
    assert stage.session.document.kernel == RBF(0.6)
    assert stage.session.note == "γ set to 0.6 for this scaling (was 2.8·10⁻⁶)."
    assert stage.session.undo_stack.count() == 1
    choose(panel.scaling, "none")
    assert stage.session.document == grams


def test_dialogs_are_requested_from_the_window(qtbot, open_stage, show):
    stage = open_stage(Document())
    panel = show(DataPanel(stage))
    assert "No points yet" in panel.counts.text()
    with qtbot.waitSignal(panel.open_requested):
        panel.open.click()
    with qtbot.waitSignal(stage.reading.panel_requested):
        panel.table.click()


def test_bad_numbers_of_points_are_refused_in_words(qtbot, open_stage, show):
    stage = open_stage(moons())
    panel = show(DataPanel(stage))
    choose(panel.dataset, "moons")
    panel.more.button.click()
    type_in(qtbot, panel.number, "1")
    assert "from 2 to" in panel.number.error_text
    type_in(qtbot, panel.noise, "-3")
    assert "noise" in panel.noise.error_text
    assert stage.session.undo_stack.count() == 1


@pytest.mark.parametrize("count", [float("inf"), float("-inf"), 1e300, 2.5, 1.0])
def test_no_number_of_points_is_refused_by_a_fault(count):
    assert _check_number(count).startswith("The number of points must be")


def test_tips_of_the_penalty_fit_the_task_and_the_method(qtbot, open_stage, show):
    stage = open_stage(eight())
    box = show(ModelPanel(stage)).penalty
    tips = {name: partial(words_of_tip, slider) for name, slider in box.sliders.items()}
    assert "1 − yᵢ f(xᵢ)" in tips["C"]()
    assert "hard margin" in tips["lambda"]()
    for tip in tips.values():
        assert "Not used" not in tip()
    stage.session.edit(eight(methods=(Perceptron(),)), "perceptron")
    for tip in tips.values():
        assert "Not used by Perceptron." in tip()
    stage.session.edit(sine(), "regression")
    assert "|yᵢ − f(xᵢ)| − ε" in tips["C"]()
    assert "hard margin" not in tips["C"]() + tips["lambda"]()


def test_generating_more_classes(open_stage, show):
    stage = open_stage(moons())
    panel = show(DataPanel(stage))
    choose(panel.dataset, "moons")
    assert panel.classes.isHidden()
    choose(panel.dataset, "spirals")
    assert not panel.classes.isHidden()
    panel.classes.set_value(4)
    panel.classes.released.emit(4)
    document = stage.session.document
    noise = DATASETS["spirals"].noise_default
    assert document.all_points == DATASETS["spirals"].generate(80, noise, 0, classes=4)
    assert document.source.title == "4 spirals"
    text = panel.counts.text()
    assert text.startswith("40 points (1: 20, 2: 20).")
    assert "Left out by this machine: 40 (3, 4)." in text
    # The scene has the number of classes, and two are as before.
    scene = Scene(document)
    assert read_scene(write_scene(scene)).document == document
    panel.classes.set_value(2)
    panel.classes.released.emit(2)
    assert stage.session.document.data == DATASETS["spirals"].generate(80, noise, 0)
    assert "classes" not in stage.session.document.source.members()

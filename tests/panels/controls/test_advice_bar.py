"""The bar of advice: it appears with the document, and either button closes it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from solvers import RBF
from solvers.data.datasets import PointSet
from svmviz.base.resources import path
from svmviz.document.document import Document
from svmviz.io.open_and_save import open_file
from svmviz.panels.controls.advice_bar import AdviceBar
from tests.stages import moons


def test_scaling_is_offered_and_is_one_entry_to_undo(open_stage, show):
    stage = open_stage(Document(open_file(path("penguins.csv"))))
    bar = show(AdviceBar(stage))
    assert not bar.isHidden()
    assert bar.accept.text() == "Scale each axis"
    bar.accept.click()
    assert stage.session.document.scaling == "each"
    assert bar.isHidden()
    assert stage.session.undo_stack.count() == 1
    stage.session.undo_stack.undo()
    assert not bar.isHidden()


def test_scaling_the_axes_fits_the_kernel_to_them(open_stage, show):
    grams = Document(open_file(path("penguins.csv")), kernel=RBF(2.8e-6))
    stage = open_stage(grams)
    bar = show(AdviceBar(stage))
    bar.accept.click()
    assert bar.isHidden()
    assert stage.session.document == replace(grams, scaling="each", kernel=RBF(0.6))
    assert stage.session.note.startswith("γ set to 0.6")
    stage.session.undo_stack.undo()
    assert stage.session.document == grams


def test_declined_advice_does_not_return_for_these_data(open_stage, show):
    stage = open_stage(Document(open_file(path("penguins.csv"))))
    bar = show(AdviceBar(stage))
    bar.keep.click()
    assert stage.session.undo_stack.count() == 0
    assert "σ = 0.71" in bar.words.text()
    bar.keep.click()
    assert bar.isHidden()
    stage.session.edit(stage.session.document.removed([0]), "Erase")
    assert bar.isHidden()
    stage.session.reset(moons())
    assert bar.isHidden()
    stage.session.reset(Document(open_file(path("penguins.csv"))))
    assert not bar.isHidden()


def test_the_bar_does_not_appear_during_a_drag(qtbot, open_stage):
    stage = open_stage(moons())
    bar = AdviceBar(stage)
    qtbot.addWidget(bar)
    assert bar.isHidden()
    stretched = stage.session.document.with_points(
        stage.session.document.data.points * (1.0, 1000.0), stage.session.document.data.labels
    )
    stage.session.preview(stretched)
    assert bar.isHidden()
    stage.session.commit("Stretch")
    assert not bar.isHidden()


def test_epsilon_c_and_tolerance_of_targets_are_one_entry_to_undo(open_stage, show):
    x = np.linspace(0.0, 6.0, 30)
    points = np.column_stack([x, 1e-3 * np.sin(x)])
    tiny = Document(PointSet(points, np.ones(30)), kernel=RBF(0.5), task="regression")
    stage = open_stage(tiny)
    bar = show(AdviceBar(stage))
    assert bar.words.text() == (
        "The targets span 0.002, and the tube of ε = 0.1 has room for all of them: f is a flat "
        "line."
    )
    assert bar.accept.text() == "Set ε to 7.1·10⁻⁵ and C to 0.00071"
    assert bar.keep.text() == "Keep ε and C"
    bar.accept.click()
    assert bar.isHidden()
    document = stage.session.document
    assert (document.epsilon, document.C, document.method.tol) == (7.1e-5, 7.1e-4, 7.1e-7)
    assert stage.session.note == "The tolerance is 7.1·10⁻⁷, for these targets."
    stage.session.undo_stack.undo()
    assert stage.session.document == tiny
    bar.keep.click()
    assert bar.isHidden()

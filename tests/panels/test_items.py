"""Words and given matrices: panels that need coordinates are off, and all others are painted."""

import numpy as np
import pytest

from solvers import METHODS, SMO, EditDistance, Hulls
from solvers.data.datasets import PointSet
from solvers.data.items import matrix_items
from solvers.data.point_files import parse_points
from svmviz.document.document import Document
from svmviz.panels.controls.settings.model_panel import ModelPanel
from svmviz.panels.kernels.components_panel import study_components
from svmviz.panels.kernels.feature_study import StudyFeatures
from svmviz.panels.kernels.kernel_study import study_kernel
from svmviz.panels.registry import PANELS

WORDS = "singing,a\nringing,a\nrunning,a\nwalker,b\nsinger,b\nringer,b\nrunner,b\nwalking,a\n"
OFF = {
    "hulls", "difference-set", "line", "weight-space", "feature-map", "sums", "map", "split",
    "model-choice", "risk", "folds",
}  # fmt: skip


def words(**values) -> Document:
    return Document(data=parse_points(WORDS), **values)


def indefinite() -> Document:
    K = np.eye(6)
    K[1, 4] = K[4, 1] = 2.0
    labels = np.array([-1, 1, -1, 1, -1, 1])
    return Document(data=PointSet(np.zeros((6, 2)), labels, items=matrix_items(K)))


def test_which_panels_are_off_and_why():
    document = words(methods=(Hulls(), SMO()))
    off = {name for name, spec in PANELS.items() if not spec.fits(document)}
    assert off >= OFF
    assert off <= OFF | {"pair", "budget", "slice", "dual-landscape", "lesson", "machines"}
    assert all("coordinates" in PANELS[name].needs_for(document) for name in OFF)
    assert PANELS["hulls"].needs_for(Document()) == PANELS["hulls"].needs


@pytest.mark.parametrize("document", [words(), words(kernel=EditDistance()), indefinite()])
@pytest.mark.parametrize("name", [name for name in PANELS if name not in OFF])
def test_other_panels_are_painted(qtbot, open_stage, show, name, document):
    if not PANELS[name].fits(document):
        pytest.skip("needs more than words")
    stage = open_stage(document)
    panel = show(PANELS[name].make(stage), 480, 400)
    stage.spotlight.highlight(1)
    stage.session.select({0, 2})
    stage.playback.seek(1)
    qtbot.waitUntil(lambda: stage.feed.frame.lane is not None and stage.feed.frame.lane.step == 1)
    assert not panel.grab().isNull()


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_every_method_shows_every_beat(qtbot, open_stage, show, method):
    document = words().with_method(method())
    stage = open_stage(document)
    panels = [show(PANELS[name].make(stage), 400, 300) for name in ("step", "pseudo-code", "kkt")]
    stage.playback.seek(0)
    stage.playback.set_by_beats(True)
    for _ in range(12):
        stage.playback.go_on()
        qtbot.wait(10)
        assert all(not panel.grab().isNull() for panel in panels)
    assert stage.feed.frame.lane is not None


def test_the_matrix_is_sorted_by_class_and_along_the_first_component():
    problem = words().problem()
    study = study_kernel(problem)
    assert problem.y[study.order].tolist() == sorted(problem.y)
    assert sorted(study.order.tolist()) == list(range(8))
    assert study.border == 4
    assert not study.verdict.refuted


def test_the_components_are_the_places_of_the_plane():
    document = words()
    study = study_components(document.problem(), True, 0)
    assert study is not None
    np.testing.assert_allclose(study.scores[:, :2], document.data.points)


def test_a_negative_eigenvalue_is_said():
    problem = indefinite().problem()
    assert study_kernel(problem).verdict.refuted
    study = study_components(problem, True, 0)
    assert study is not None
    assert study.refuting == (1, 4)


def test_a_given_matrix_has_no_other_kernel(open_stage, show):
    stage = open_stage(indefinite())
    panel = show(ModelPanel(stage), 300, 400)
    panel.choose_kernel(1)
    assert panel.kernel.keys == ("given",)
    assert stage.session.undo_stack.count() == 0


def test_a_panel_that_is_still_open_computes_nothing_of_the_plane(open_stage):
    stage = open_stage(words())
    study = StudyFeatures(3, None, "height")
    assert study(stage.feed.frame, stage.session.runs) is None

"""Shades by the probability: when they are shown, what they are, and how scenes keep them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QColor

from solvers import RBF, SMO, Pegasos
from solvers.selection.probability import Sigmoid, held_out_sigmoid
from svmviz.colours.themes import DARK, LIGHT
from svmviz.document.view_options import ViewOptions
from svmviz.frames.decision_field import HALF_LEVEL
from svmviz.frames.frame import Frame
from svmviz.frames.studies import Pending
from svmviz.io.scene import Scene, read_scene, write_scene
from svmviz.plane.draw import layers, without_margin
from svmviz.plane.overlays import OVERLAYS, studies_for
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.field import shades
from svmviz.plane.paint.legend import lay_out
from svmviz.plane.paint.style import Style
from svmviz.plane.probability_study import ProbabilityStudyMaker
from tests.plane.frames import fitted, points
from tests.stages import eight, moons, sine

ON = ViewOptions(shading="probability")
KEY = OVERLAYS["probability"].key


def found(qtbot, study, frame, runs):
    """Return the results of a study once they are final."""
    results = []

    def is_found():
        results[:] = study(frame, runs)
        return not any(isinstance(result, Pending) for result in results)

    qtbot.waitUntil(is_found)
    return results


def canvas_of(frame, options=ON):
    return without_margin(
        Canvas(frame, fitted(frame.document), Style(options=options)).with_sizes()
    )


def legend_of(canvas):
    return [placed.entry.text for placed in lay_out(canvas)]


def test_the_curve_is_that_of_five_machines_trained_without_a_fold(open_stage, qtbot):
    stage = open_stage(moons(60, kernel=RBF(1.0)))
    frame, study = stage.feed.frame, ProbabilityStudyMaker()
    [result] = found(qtbot, study, frame, stage.session.runs)
    lane = frame.lane
    assert result.sigmoid == held_out_sigmoid(lane.problem, lane.method, ("a", "b"))
    # It is not computed again, and stays while a point is dragged.
    assert study(frame, stage.session.runs)[0] is result
    other = replace(lane, problem=replace(lane.problem, C=3.0))
    dragged = replace(frame, lanes=(other,), temporary=True)
    assert study(dragged, stage.session.runs)[0] is result
    [after] = found(qtbot, study, replace(dragged, temporary=False), stage.session.runs)
    assert after.sigmoid != result.sigmoid


def test_lanes_of_a_race_have_their_own_curves(open_stage, qtbot):
    stage = open_stage(moons(40, methods=(SMO(), Pegasos(max_steps=500))))
    results = found(qtbot, ProbabilityStudyMaker(), stage.feed.frame, stage.session.runs)
    assert results[0].sigmoid != results[1].sigmoid


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("curve", [Sigmoid(-2.0, 0.0), Sigmoid(-2.0, 0.5), Sigmoid(1.0, 0.0)])
def test_the_hue_is_the_sign_of_f_and_the_strength_the_probability(theme, curve):
    table = shades(theme, "probability", curve)
    plane = QColor(theme.plane)
    for shade in range(1, 255):
        level = (shade - 127.5) / 127.5
        f = HALF_LEVEL * level / (1.0 - abs(level))
        p = 1.0 / (1.0 + np.exp(curve.A * f + curve.B))
        strength = max(0.0, 2.0 * (p if f > 0.0 else 1.0 - p) - 1.0)
        full = QColor(theme.positive_band if f > 0.0 else theme.negative_band)
        for channel in ("red", "green", "blue"):
            there, end = (getattr(colour, channel)() for colour in (plane, full))
            seen = getattr(QColor.fromRgba(int(table[shade])), channel)()
            assert seen == pytest.approx(there + strength * (end - there), abs=1.01)


def test_it_is_shown_for_two_classes_in_the_plane_and_kept_in_scenes():
    assert KEY in studies_for(eight(), ON)
    for document, options in (
        (eight(), ViewOptions()),
        (eight(), replace(ON, field=False)),
        (sine(), ON),
    ):
        assert KEY not in studies_for(document, options)
    text = write_scene(Scene(eight(), ON))
    assert read_scene(text).options.shading == "probability"
    # Earlier programs refuse it by the version.
    assert '"svmviz": 5' in text
    assert '"svmviz": 1' in write_scene(Scene(eight(), ViewOptions()))


def test_the_legend_names_it_in_place_of_the_band_which_is_not_filled(open_stage, qtbot):
    stage = open_stage(moons(40))
    frame = stage.feed.frame
    results = found(qtbot, ProbabilityStudyMaker(), frame, stage.session.runs)
    shaded = canvas_of(replace(frame, studies={KEY: tuple(results)}))
    assert shaded.style.sigmoid is results[0].sigmoid
    assert "probability" in legend_of(shaded)
    assert "boundary" in legend_of(shaded)
    assert "band" not in [layer.name for layer in layers(shaded)]
    plain = canvas_of(frame, ViewOptions())
    assert "probability" not in legend_of(plain)
    assert "boundary" not in legend_of(plain)
    assert "band" in [layer.name for layer in layers(plain)]


def test_a_class_of_one_point_has_a_sentence_in_place_of_the_legend(open_stage, qtbot):
    data = points([[0, 0], [1, 0], [2, 0]], [1, -1, -1])
    stage = open_stage(eight(data=data))
    frame = stage.feed.frame
    [result] = found(qtbot, ProbabilityStudyMaker(), frame, stage.session.runs)
    assert result.sigmoid is None
    assert result.words == "Probabilities need at least two points of each class: class +1 has 1."
    canvas = canvas_of(replace(frame, studies={KEY: (result,)}))
    assert canvas.style.sigmoid is None
    assert "probability" not in legend_of(canvas)


def test_before_there_is_a_run_the_plane_is_empty():
    assert canvas_of(Frame(eight())).style.sigmoid is None

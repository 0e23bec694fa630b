"""The perceptron's picture has no margin, and shows how w changes at a mistake."""

import re

import numpy as np
import pytest

from solvers import RBF, SMO, Linear, Perceptron, solve
from solvers.data.datasets import DATASETS
from svmviz.document.document import Document
from svmviz.frames.lane_reader import make_frame
from svmviz.frames.viewport import Grid
from svmviz.plane.draw import layers
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.labels import PointLabel, place_labels
from svmviz.plane.paint.legend_marks import BAND, BOUNDARY, SLACK, SUPPORT, entries
from svmviz.plane.paint.style import Style
from svmviz.plane.paint.weight_arrows import Arrow, _name_of, arrows_of, names_of_arrows
from svmviz.theme import LIGHT
from tests.plane.frames import fitted, lane_of, points


def blobs(method, kernel=None) -> Document:
    data = DATASETS["blobs"].generate(40, 0.3, 1)
    shifted = points(data.points + np.array([1.5, 1.0]), data.labels)
    return Document(shifted, kernel or Linear(), methods=(method,))


def canvases(document):
    """A canvas for each step of the run."""
    run, camera = solve(document.problem(), document.method), fitted(document)
    for step in range(run.steps + 1):
        frame = make_frame(document, (run,), step, Grid(*camera.view, 24, 24))
        yield Canvas(frame, camera, Style()).with_sizes()


def bare(name):
    """Return a name without its factor."""
    return re.sub(r"^[\d.e-]+ \(?|\)$", "", name)


def vector(arrow) -> np.ndarray:
    return arrow.end - arrow.start


def test_at_a_mistake_the_arrows_are_a_sum(qapp):
    mistakes = 0
    for canvas in canvases(blobs(Perceptron())):
        lane = lane_of(canvas.frame)
        arrows = {bare(arrow.name): arrow for arrow in arrows_of(canvas, lane)}
        w = lane.expansion.w
        if lane.event is not None and lane.event.values.get("mistake") and not lane.at_end:
            mistakes += 1
            point = lane.event.touched[0]
            pull = lane.problem.y[point] * lane.problem.X[point]
            shown = vector(arrows["y x"])
            # Parallel to y x on the screen, whose y points down.
            units = canvas.camera.units
            assert shown[0] * -pull[1] / units[1] == pytest.approx(shown[1] * pull[0] / units[0])
            if (w - pull).any():
                total = vector(arrows["w"]) + shown
                assert total == pytest.approx(vector(arrows["w + y x"]))
                assert arrows["y x"].start == pytest.approx(arrows["w"].end)
        elif w.any():
            assert list(arrows) == ["w"]
            x, y = vector(arrows["w"])
            units = canvas.camera.units
            assert (x * units[0] * w[1]) == pytest.approx(-y * units[1] * w[0])
    assert mistakes >= 3


def test_arrows_fit_into_the_plot(qapp):
    for factor in (1e-3, 1.0, 1e3):
        data = DATASETS["blobs"].generate(40, 0.3, 1)
        document = Document(
            points(factor * data.points, data.labels), Linear(), methods=(Perceptron(),)
        )
        *_, canvas = canvases(document)
        (arrow,) = arrows_of(canvas, lane_of(canvas.frame))
        side = min(canvas.plot.width(), canvas.plot.height())
        assert 0.1 * side < np.hypot(*vector(arrow)) < 0.4 * side


def test_there_is_no_margin_where_the_method_has_none(qapp):
    for method, kernel, has_margin in (
        (Perceptron(), Linear(), False),
        (Perceptron(), RBF(0.5), False),
        (SMO(), Linear(), True),
    ):
        *_, canvas = canvases(blobs(method, kernel))
        names = [layer.name for layer in layers(canvas)]
        assert ("band" in names) == ("slack" in names) == has_margin
        assert names.count("contour") == 1 + has_margin
        legend = {entry.mark: entry.text for entry in entries(canvas)}
        assert (BAND in legend) == has_margin
        assert (BOUNDARY in legend) != has_margin
        # Slack is explained only where there is some.
        slack = lane_of(canvas.frame).certificate.slack > lane_of(canvas.frame).kkt_tolerance
        assert (SLACK in legend) == (has_margin and bool(slack.any()))
        assert legend[SUPPORT] == ("support vector" if has_margin else "added to w")
    assert arrows_of(canvas, lane_of(canvas.frame)) == []


@pytest.mark.parametrize("turn", np.linspace(0.0, 6.0, 9))
def test_names_of_nearly_equal_sums_do_not_hide_each_other(qapp, turn):
    canvas = next(canvases(blobs(Perceptron())))
    base = np.array([canvas.plot.center().x(), canvas.plot.center().y()])
    tip = base + np.array([80.0, -50.0])
    other = tip + 8.0 * np.array([np.cos(turn), np.sin(turn)])
    arrows = [
        Arrow("w", canvas.style.theme.muted, base, tip),
        Arrow("y x", canvas.style.theme.highlight, tip, other),
        Arrow("w + y x", canvas.style.theme.text, base, other),
    ]
    boxes = [_name_of(canvas, arrow, arrows).box for arrow in arrows]
    assert not boxes[0].intersects(boxes[2])


@pytest.mark.parametrize("factor", [1.0, 3.0])
def test_names_state_the_scale_of_the_arrows(qapp, factor):
    data = DATASETS["blobs"].generate(40, 0.3, 1)
    shifted = points(factor * data.points + factor * np.array([1.5, 1.0]), data.labels)
    document, scales = Document(shifted, Linear(), methods=(Perceptron(),)), set()
    for canvas in canvases(document):
        lane = lane_of(canvas.frame)
        w = lane.expansion.w
        for arrow in arrows_of(canvas, lane):
            if bare(arrow.name) not in ("w + y x", "w") or arrow.colour == LIGHT.muted:
                continue
            stated = re.match(r"[\d.e-]+(?= )", arrow.name)
            scale = float(stated[0]) if stated else 1.0
            drawn = vector(arrow) * canvas.camera.units * (1.0, -1.0)
            assert drawn == pytest.approx(scale * canvas.document.factors * w, rel=1e-9)
            scales.add(scale)
    assert scales - {1.0}


def test_a_value_of_a_beat_keeps_off_the_names_of_the_arrows(qapp):
    document, boxes = blobs(Perceptron()), 0
    for canvas in canvases(document):
        lane = lane_of(canvas.frame)
        names = names_of_arrows(canvas, lane)
        pixels = canvas.camera.to_pixels(canvas.data.points)
        label = [PointLabel(k, f"{k}:  y·f = −0.897", True, note=True) for k in (4,)]
        for _, box in place_labels(canvas, label, pixels, [name.box for name in names]):
            boxes += 1
            assert not any(box.intersects(name.box) for name in names)
    assert boxes

from dataclasses import replace

import numpy as np
import pytest

from solvers import Linear
from svmviz.base.resources import path
from svmviz.document.document import Document
from svmviz.document.view_options import ViewOptions
from svmviz.frames.frame import Frame
from svmviz.io.open_and_save import open_scene
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.label_room import cross
from svmviz.plane.paint.labels import PointLabel, is_adjacent, labels_of, place_labels
from svmviz.plane.paint.points import step_mark_radius
from svmviz.plane.paint.style import Style
from tests.plane.frames import fitted, points, solved

DOCUMENT = Document(
    data=points(np.array([[-1.0, 0], [1, 0], [3, 0.5], [2.5, 1]]), [-1, 1, 1, 1]), kernel=Linear()
)


def canvas_of(camera, scale=1.0):
    return Canvas(Frame(DOCUMENT), camera, Style(scale=scale))


def labels(step=None, marks_step=True, **options):
    style = Style(options=ViewOptions(**options), marks_step=marks_step)
    camera = fitted(DOCUMENT)
    return labels_of(Canvas(solved(DOCUMENT, camera, step), camera, style))


def test_points_of_the_step_are_named_in_strong_type():
    found = labels(step=1)
    assert [label.text for label in found] == [str(label.index + 1) for label in found]
    assert found
    assert all(label.strong for label in found)
    assert labels(step=1, marks_step=False) == []
    assert labels(step=1, touched=False) == []


def test_numbers_and_alphas_on_request():
    numbers = labels(marks_step=False, numbers=True)
    assert [label.text for label in numbers] == ["1", "2", "3", "4"]
    alphas = labels(marks_step=False, alpha_numbers=True)
    assert [label.index for label in alphas] == [0, 1]
    assert alphas[0].text == "0.5"
    both = labels(marks_step=False, numbers=True, alpha_numbers=True)
    assert [label.text for label in both] == ["1  α 0.5", "2  α 0.5", "3", "4"]


def test_labels_keep_apart_and_inside_the_plot():
    camera = fitted(DOCUMENT)
    generator = np.random.default_rng(1)
    pixels = generator.random((300, 2)) * (800, 600)
    wanted = [PointLabel(i, f"{i}  α 0.25") for i in range(300)]
    placed = place_labels(canvas_of(camera), wanted, pixels)
    assert len(placed) > 30
    boxes = [box for _, box in placed]
    for i, box in enumerate(boxes):
        assert camera.contains(box.left(), box.top())
        assert camera.contains(box.right(), box.bottom())
        assert not any(box.intersects(other) for other in boxes[:i])


def test_strong_labels_always_have_a_place():
    camera = fitted(DOCUMENT)
    pixels = np.full((50, 2), 300.0)
    wanted = [PointLabel(0, "1", True), PointLabel(1, "2", True), PointLabel(2, "3")]
    placed = place_labels(canvas_of(camera), wanted, pixels)
    assert [label.text for label, _ in placed][:2] == ["1", "2"]


def test_labels_grow_with_the_scale():
    camera = fitted(DOCUMENT, 1600, 1200, 2.0)
    pixels = np.array([[800.0, 600.0]])
    ((_, large),) = place_labels(canvas_of(camera, 2.0), [PointLabel(0, "12")], pixels)
    ((_, small),) = place_labels(canvas_of(camera), [PointLabel(0, "12")], pixels)
    assert large.width() == 2 * small.width()


def test_the_few_support_vectors_of_a_crowd_all_have_their_number():
    document = replace(open_scene(path("scenes/demo.svmviz")).document, kernel=Linear())
    for width, height in ((900, 700), (700, 420)):
        camera = fitted(document, width, height)
        frame = solved(document, camera)
        style = Style(options=ViewOptions(alpha_numbers=True), marks_step=False)
        canvas = Canvas(frame, camera, style)
        wanted = labels_of(canvas)
        pixels = camera.to_pixels(document.data.points)
        placed = place_labels(canvas, wanted, pixels)
        assert len(placed) == len(wanted) == 3
        # And near enough to be read as theirs.
        for label, box in placed:
            x, y = pixels[label.index]
            away = np.hypot(
                max(box.left() - x, x - box.right(), 0), max(box.top() - y, y - box.bottom(), 0)
            )
            assert away < 40


def test_a_value_of_a_beat_stands_next_to_its_point_if_there_is_room():
    camera, style = fitted(DOCUMENT), Style()
    label = PointLabel(0, "3:  E = −1", note=True)
    pixel = np.array([300.0, 300.0])
    ((_, box),) = place_labels(canvas_of(camera), [label], pixel[None, :])
    assert is_adjacent(label, pixel, box, style)
    # Not further away than the marked points of a step, whose rings are larger.
    strong = replace(label, strong=True)
    ((_, further),) = place_labels(canvas_of(camera), [strong], pixel[None, :])
    assert box.left() < further.left()
    box.translate(12.0, 0.0)
    assert not is_adjacent(label, pixel, box, style)


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_hardly_a_line_to_a_point_crosses_another_one_or_a_label_in_a_crowd(scale):
    camera = fitted(DOCUMENT, round(800 * scale), round(600 * scale), scale)
    style = replace(Style(), scale=scale)
    generator = np.random.default_rng(3)
    crossings, lines, missing = 0, 0, 0
    for _ in range(60):
        pixels = scale * (np.array([300.0, 300.0]) + generator.random((5, 2)) * 90.0)
        wanted = [PointLabel(i, f"{i}:  D +0.0825", i < 2, note=True) for i in range(5)]
        placed = place_labels(canvas_of(camera, scale), wanted, pixels)
        missing += len(wanted) - len(placed)
        drawn: list[np.ndarray] = []
        for label, box in placed:
            if is_adjacent(label, pixels[label.index], box, style):
                continue
            lines += 1
            x, y = pixels[label.index]
            end = min(max(x, box.left()), box.right()), min(max(y, box.top()), box.bottom())
            spots = np.linspace(0.0, 1.0, 60)[:, None] * (np.array(end) - (x, y)) + (x, y)
            crossings += any(
                other.contains(*spot)
                for who, other in placed
                if who is not label
                for spot in spots.tolist()
            )
            drawn.append(np.concatenate([spots[0], spots[-1]]))
            crossings += int(cross(drawn[-1][None], np.array(drawn)).sum())
    assert lines > 20
    assert crossings <= lines / 50, f"{crossings} of {lines}"
    assert missing <= 6


def test_marked_points_have_their_values_in_a_plot_that_no_place_beside_them_fits():
    camera = fitted(DOCUMENT, 420, 420, 2.0)
    x, y = camera.left + 0.5 * camera.plot_width, camera.top + 90.0
    pixels = np.array([[x, y], [x + 9.0, y + 9.0]])
    wanted = [PointLabel(i, f"{i}:  E = −0.1234", True, True) for i in range(2)]
    placed = place_labels(canvas_of(camera, 2.0), wanted, pixels)
    assert len(placed) == 2
    (_, one), (_, other) = placed
    assert not one.intersects(other)
    for _, box in placed:
        assert camera.contains(box.left(), box.top())
        assert camera.contains(box.right(), box.bottom())


def test_a_long_value_without_a_place_beside_its_point_hides_no_other_points():
    camera = fitted(DOCUMENT, 500, 500)
    low = np.array([camera.left, camera.top])
    # Points in rows so near to each other that a box is free only at the lower end of the plot.
    rows = np.stack(np.meshgrid(np.arange(10, 480, 20.0), np.arange(10, 420, 20.0)), -1)
    pixels = low + rows.reshape(-1, 2)
    pixels = pixels[pixels[:, 1] < camera.top + camera.plot_height - 45.0]
    label = PointLabel(0, "13: α: D rises by 0.776", True, note=True)
    ((_, box),) = place_labels(canvas_of(camera), [label], pixels)
    assert camera.contains(box.right(), box.bottom())
    inside = (pixels > (box.left(), box.top())) & (pixels < (box.right(), box.bottom()))
    assert not inside.all(axis=1).any()


def test_a_value_keeps_off_the_ring_of_another_point():
    camera, style = fitted(DOCUMENT), Style()
    for away in range(16, 60, 4):
        pixels = np.array([[300.0, 300.0], [300.0 + away, 300.0 - away / 3]])
        wanted = [PointLabel(0, "13", True), PointLabel(1, "15: α: D rises by 0.682", note=True)]
        (_, (_, box)) = place_labels(canvas_of(camera), wanted, pixels)
        x, y = np.clip(300.0, box.left(), box.right()), np.clip(300.0, box.top(), box.bottom())
        assert np.hypot(x - 300.0, y - 300.0) >= step_mark_radius(style)

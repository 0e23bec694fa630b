from dataclasses import replace

import numpy as np

from solvers import Linear
from svmviz.base.resources import path
from svmviz.document.document import Document
from svmviz.document.view_options import ViewOptions
from svmviz.io.files import open_scene
from svmviz.plane.paint.labels import Label, labels_of, place
from svmviz.plane.paint.style import Style, point_share
from tests.plane.frames import fitted, points, solved

DOCUMENT = Document(
    data=points(np.array([[-1.0, 0], [1, 0], [3, 0.5], [2.5, 1]]), [-1, 1, 1, 1]), kernel=Linear()
)


def labels(step=None, in_play=True, **options):
    style = Style(options=ViewOptions(**options), in_play=in_play)
    return labels_of(DOCUMENT.data, solved(DOCUMENT, fitted(DOCUMENT), step).lane, style)


def test_points_in_play_are_named_loudly():
    found = labels(step=1)
    assert [label.text for label in found] == [str(label.index + 1) for label in found]
    assert found
    assert all(label.loud for label in found)
    assert labels(step=1, in_play=False) == []
    assert labels(step=1, touched=False) == []


def test_numbers_and_alphas_on_request():
    numbers = labels(in_play=False, numbers=True)
    assert [label.text for label in numbers] == ["1", "2", "3", "4"]
    alphas = labels(in_play=False, alpha_numbers=True)
    assert [label.index for label in alphas] == [0, 1]
    assert alphas[0].text == "0.5"
    both = labels(in_play=False, numbers=True, alpha_numbers=True)
    assert [label.text for label in both] == ["1  α 0.5", "2  α 0.5", "3", "4"]


def test_labels_keep_apart_and_inside_the_plot():
    camera = fitted(DOCUMENT)
    generator = np.random.default_rng(1)
    pixels = generator.random((300, 2)) * (800, 600)
    placed = place([Label(i, f"{i}  α 0.25") for i in range(300)], pixels, camera, Style(), 1.0)
    assert len(placed) > 30
    boxes = [box for _, box in placed]
    for i, box in enumerate(boxes):
        assert camera.contains(box.left(), box.top())
        assert camera.contains(box.right(), box.bottom())
        assert not any(box.intersects(other) for other in boxes[:i])


def test_loud_labels_always_have_a_place():
    camera = fitted(DOCUMENT)
    pixels = np.full((50, 2), 300.0)
    wanted = [Label(0, "1", True), Label(1, "2", True), Label(2, "3")]
    placed = place(wanted, pixels, camera, Style(), 1.0)
    assert [label.text for label, _ in placed][:2] == ["1", "2"]


def test_labels_grow_with_the_scale():
    camera = fitted(DOCUMENT, 1600, 1200, 2.0)
    pixels = np.array([[800.0, 600.0]])
    ((_, large),) = place([Label(0, "12")], pixels, camera, replace(Style(), scale=2.0), 1.0)
    ((_, small),) = place([Label(0, "12")], pixels, camera, Style(), 1.0)
    assert large.width() == 2 * small.width()


def test_the_few_support_vectors_of_a_crowd_all_have_their_number():
    document = replace(open_scene(path("scenes/demo.svmviz")).document, kernel=Linear())
    for width, height in ((900, 700), (700, 420)):
        camera = fitted(document, width, height)
        frame = solved(document, camera)
        style = Style(options=ViewOptions(alpha_numbers=True), in_play=False)
        wanted = labels_of(document.data, frame.lane, style)
        pixels = camera.to_pixels(document.data.points)
        placed = place(wanted, pixels, camera, style, point_share(document.n))
        assert len(placed) == len(wanted) == 3
        # And near enough to be read as theirs.
        for label, box in placed:
            x, y = pixels[label.index]
            away = np.hypot(
                max(box.left() - x, x - box.right(), 0), max(box.top() - y, y - box.bottom(), 0)
            )
            assert away < 40

"""Hulls on the plane: outlines, nearest points and lines, against the definitions."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.spatial import ConvexHull

from solvers import RBF, SMO, Hulls, Linear, solve
from solvers.data.datasets import DATASETS
from solvers.geometry.lines import widest_street
from solvers.geometry.plane_hulls import convex_hull, reduced_hull
from svmviz.base.resources import path
from svmviz.camera.camera import Camera
from svmviz.document.document import Document, Penalty
from svmviz.document.view_options import ViewOptions
from svmviz.frames.lane_reader import make_frame
from svmviz.frames.studies import Pending
from svmviz.frames.viewport import Grid
from svmviz.io.open_and_save import open_scene
from svmviz.io.scene import Scene, read_scene, write_scene
from svmviz.lessons.lessons import read_lesson
from svmviz.plane.hull_study import HullStudyMaker, is_shown
from svmviz.plane.overlays import OVERLAYS, names_of_overlays, studies_for
from svmviz.plane.paint.axes import with_axes
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.hulls import box_of_name, named_lines, names_of_hulls
from svmviz.plane.paint.labels import labels_of, place_labels
from svmviz.plane.paint.lines import edges_of_half_planes, line_through
from svmviz.plane.paint.style import Style
from svmviz.plane.picture import Picture
from svmviz.theme import DARK, LIGHT
from tests.plane.frames import lane_of
from tests.stages import eight, moons

KEY = OVERLAYS["hulls"].key
GRID = Grid(-1.0, 1.0, -1.0, 1.0, 2, 2)


def cloud(**changes):
    data = DATASETS["gaussians"].generate(60, 0.8, 1)
    return Document(**{"data": data, "kernel": Linear(), "methods": (Hulls(),), **changes})


def frame_of(document, run, step, options=None):
    studies = studies_for(document, options or ViewOptions())
    return make_frame(document, (run,), step, GRID, studies)


def test_corners_are_those_of_the_convex_hull():
    rng = np.random.default_rng(0)
    for m in (3, 10, 200):
        points = rng.normal(size=(m, 2))
        ours, theirs = convex_hull(points), points[ConvexHull(points).vertices]
        assert {tuple(p) for p in ours.tolist()} == {tuple(p) for p in theirs.tolist()}
        turn = np.roll(ours, -1, axis=0) - ours
        ahead = np.roll(turn, -1, axis=0)
        assert (turn[:, 0] * ahead[:, 1] - turn[:, 1] * ahead[:, 0] > 0).all()
    # On a line, in one place, a single point, and points on an edge.
    assert len(convex_hull(np.array([[0.0, 0], [1, 1], [2, 2]]))) == 2
    assert convex_hull(np.array([[1.0, 2], [1, 2]])).tolist() == [[1.0, 2.0]]
    square = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1], [0.5, 0], [0.5, 0.5]])
    assert len(convex_hull(square)) == 4


@pytest.mark.parametrize("mu", [1.0, 0.9, 0.5, 0.3, 0.11, 1 / 12])
def test_a_reduced_hull_is_as_far_as_any_mixture(mu):
    points = np.random.default_rng(2).normal(size=(12, 2)) * (1.0, 300.0)
    corners = reduced_hull(points, mu)
    for angle in np.linspace(0, 2 * np.pi, 17):
        direction = np.array([math.cos(angle), math.sin(angle) / 300.0])
        best = linprog(-(points @ direction), A_eq=np.ones((1, 12)), b_eq=[1.0], bounds=(0.0, mu))
        far = (corners @ direction).max()
        # Inside, and no farther from the true end than the directions are apart.
        assert far <= -best.fun + 1e-9
        assert far >= -best.fun - 1e-3


@pytest.mark.parametrize("algorithm", ["pairwise", "mdm", "wolfe"])
@pytest.mark.parametrize("scaling", ["none", "each"])
def test_p_and_q_are_those_of_each_step(algorithm, scaling):
    document = eight(methods=(Hulls(algorithm=algorithm),), scaling=scaling)
    run = solve(document.problem(), document.method)
    study = HullStudyMaker()
    steps = [*np.random.default_rng(3).integers(0, run.steps + 1, 5).tolist(), run.steps, 1, 0]
    for step in steps:
        frame = make_frame(document, (run,), step, GRID, {"h": study})
        found = frame.studies["h"][0]
        event = run.at(step).event
        if event is None:
            continue
        values = event.values
        distance = math.nan if values["distance"] is None else values["distance"]
        assert distance == pytest.approx(found.distance, nan_ok=True)
        if values["p"] is None:
            assert found.p is None
            continue
        assert np.allclose(found.p, np.array(values["p"]) * document.factors)
        assert np.allclose(found.q, np.array(values["q"]) * document.factors)
        assert found.weights.sum() == pytest.approx(2.0)
        apart = (found.p - found.q) / document.factors
        assert math.hypot(*apart) == pytest.approx(found.distance, rel=1e-6)
        # The gap and ||p - q|| enclose the width of the widest street.
        assert found.lines.distance == pytest.approx(found.distance, rel=1e-6)
        widest = 2.0 * widest_street(run.problem.X, run.problem.y).margin(
            run.problem.X, run.problem.y
        )
        assert found.lines.gap <= widest * (1 + 1e-9)
        assert found.lines.distance >= widest * (1 - 1e-9)
    # At the end the supporting lines are f = +1 and f = -1, and f = 0 is the bisector.
    end = make_frame(document, (run,), run.steps, GRID, {"h": study})
    found, f = end.studies["h"][0], lane_of(end).expansion
    normal = found.lines.unit / document.factors
    along = np.array([-normal[1], normal[0]])
    for place, value in ((found.p, 1.0), (found.q, -1.0), (0.5 * (found.p + found.q), 0.0)):
        line = place + np.array([-1.0, 0.0, 2.0])[:, None] * along
        assert np.allclose(f(line / document.factors), value, atol=2e-3)
    assert found.lines.gap == pytest.approx(found.lines.distance, rel=2e-3)


def test_other_methods_show_the_nearest_points_of_whole_hulls():
    document = eight(methods=(SMO(),), penalty=Penalty("C", 0.01))
    run = solve(document.problem(), document.method)
    for step in (0, run.steps):
        found = frame_of(document, run, step, ViewOptions(hulls="always")).studies[KEY][0]
        assert not found.of_step
        assert found.distance == pytest.approx(2.0)
        assert np.allclose(found.p, (0.9, 1.0))
        assert np.allclose(found.q, (0.9, -1.0))


def test_the_two_boundaries_of_reduced_hulls_are_both_drawn(qapp):
    document = cloud(methods=(Hulls(algorithm="wolfe", mu=0.15),))
    run = solve(document.problem(), document.method)
    frame = frame_of(document, run, run.steps)
    found = frame.studies[KEY][0]
    lines = named_lines(Canvas(frame, Camera(), Style()), found)
    assert [line.words[:8] for line in lines] == ["bisector", "ν-SVM, ν"]
    for line in lines:
        assert line.boundary.expansion(line.point[None])[0] == pytest.approx(0.0, abs=1e-9)
        camera = with_axes(Camera().fitted(document.data.points), 640, 480, 1.0)
        for px, py in line_through(line.point, line.normal, camera).tolist():
            place = np.array([camera.to_data(px, py)])
            assert line.boundary.expansion(place)[0] == pytest.approx(0.0, abs=1e-6)
    # Their names do not overlap, also if the lines cross near the edge of a small plot.
    crossing = replace(lines[1], point=lines[0].point, normal=lines[0].normal * (1.0, 1.05))
    for scale, pair in ((1.0, lines), (1.5, (lines[0], crossing)), (1.5, (crossing, lines[0]))):
        camera = with_axes(Camera().fitted(document.data.points), 560, 480, scale)
        canvas, boxes = Canvas(frame, camera, Style(scale=scale)), []
        for line in pair:
            ends = line_through(line.point, line.normal, camera)
            boxes.append(box_of_name(canvas, line, ends, boxes))
        assert not boxes[0].intersects(boxes[1])
    reduced, whole = found.outlines.reduced, found.outlines.whole
    for k in (0, 1):
        assert np.ptp(reduced[k], axis=0).max() < np.ptp(whole[k], axis=0).max()


def test_numbers_of_the_pair_avoid_the_names_of_the_bounds():
    document = open_scene(path("scenes/difference-set.svmviz")).document
    run = solve(document.problem(), document.method)
    moved = 0
    for step in range(1, 30):
        frame = frame_of(document, run, step)
        for size in ((654, 520), (1000, 540)):
            style = Style(scale=size[0] / 654)
            fitted = Camera().fitted(document.data.points)
            camera = with_axes(fitted, *size, style.scale)
            canvas = Canvas(frame, camera, style).with_sizes()
            taken = [name.box for name in names_of_overlays(canvas)]
            assert len(taken) >= 3
            wanted = labels_of(canvas)
            pixels = camera.to_pixels(document.data.points)
            placed, without = (place_labels(canvas, wanted, pixels, boxes) for boxes in (taken, ()))
            assert len(placed) == len(wanted) == 2
            for _, box in placed:
                assert not any(box.intersects(other) for other in taken)
            moved += placed != without
    assert moved


def test_hulls_that_meet_do_so_in_one_point():
    document = moons(kernel=Linear(), methods=(Hulls(),))
    run = solve(document.problem(), document.method)
    study = HullStudyMaker(search=True)
    found = make_frame(document, (run,), 0, GRID, {"h": study}).studies["h"][0]
    assert found.meeting
    assert np.allclose(found.p, found.q, atol=1e-6)
    assert found.lines is None
    apart = solve(document.problem(), Hulls(algorithm="wolfe", mu=found.largest * 0.999))
    assert apart.stop is not None
    assert apart.stop.reason == "converged"


def test_when_they_are_shown():
    auto, always, never = (ViewOptions(hulls=value) for value in ("auto", "always", "never"))
    linear, hulls = eight(), eight(methods=(Hulls(),))
    assert [is_shown(linear, o) for o in (auto, always, never)] == [False, True, False]
    assert [is_shown(hulls, o) for o in (auto, always, never)] == [True, True, False]
    curved = moons(kernel=RBF(), methods=(Hulls(),))
    assert not any(is_shown(curved, o) for o in (auto, always, never))
    assert not studies_for(linear, auto)
    assert set(studies_for(hulls, auto)) == {KEY}


def test_a_lesson_may_hide_the_nearest_points_and_their_lines(qapp):
    document = eight(methods=(Hulls(),))
    run = solve(document.problem(), document.method)
    frame = frame_of(document, run, run.steps)
    (study,) = frame.studies[KEY]
    camera = with_axes(Camera().fitted(document.data.points), 400, 300, 1.0)
    shown = ViewOptions(hulls="always")
    hidden = (
        read_lesson("---\ntitle: A\nabout: B\n---\n# C\n\nD\n\n```show\nhide nearest\n```\n", "a")
        .cards[0]
        .show.hidden(shown)
    )
    names = [
        {name.words for name in names_of_hulls(Canvas(frame, camera, Style(options=one)), study)}
        for one in (shown, hidden)
    ]
    assert {"p", "q"} <= names[0]
    assert names[1] == set()
    images = [Picture(frame, (400, 300), LIGHT, one).image() for one in (shown, hidden)]
    assert images[0] != images[1]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_every_picture_has_them(qapp, theme):
    document = cloud(methods=(Hulls(algorithm="wolfe", mu=0.15),))
    run = solve(document.problem(), document.method)
    frame = frame_of(document, run, run.steps)
    pictures = [
        Picture(frame, (400, 300), theme, ViewOptions(hulls=value)).image()
        for value in ("auto", "never")
    ]
    differ = sum(
        pictures[0].pixel(x, y) != pictures[1].pixel(x, y)
        for x in range(60, 380, 4)
        for y in range(40, 250, 4)
    )
    assert differ > 300


def test_the_plane_says_that_they_are_pending(qapp):
    document = cloud()
    run = solve(document.problem(), document.method)
    frame = frame_of(document, run, run.steps)
    pending = replace(frame, studies={KEY: (Pending("Looking for the hulls"),)})
    bare = replace(frame, studies={})
    pictures = [Picture(shown, (400, 300), LIGHT).image() for shown in (pending, bare, frame)]
    top = [(x, y) for x in range(70, 220, 2) for y in range(12, 120, 2)]
    assert sum(pictures[0].pixel(*at) != pictures[1].pixel(*at) for at in top) > 20
    assert pictures[2] != pictures[1]


def test_the_window_brings_them_while_they_are_shown(qtbot, stage, view):
    frame = lambda: stage.feed.frame  # noqa: E731
    qtbot.waitUntil(lambda: frame().lane is not None)
    assert KEY not in frame().studies
    stage.view.set(hulls="always")
    qtbot.waitUntil(lambda: KEY in frame().studies)
    stage.view.set(hulls="auto")
    document = stage.session.document
    stage.session.edit(document.with_method(Hulls()), "Solve by hulls")
    qtbot.waitUntil(
        lambda: (
            frame().lane is not None
            and isinstance(frame().lane.method, Hulls)
            and KEY in frame().studies
        )
    )


@pytest.mark.parametrize("size", [1e-200, 1e-100, 1.0, 1e100, 1e200, 0.0])
@pytest.mark.parametrize("equal", [True, False])
def test_a_normal_of_any_length_makes_the_same_line(size, equal):
    camera = Camera(span_x=6.0, span_y=2e3, equal=equal)
    place, normal = np.array([0.5, -30.0]), np.array([3.0, 0.02])
    ends = line_through(place, size * normal, camera)
    assert np.isfinite(ends).all()
    if size:
        assert ends == pytest.approx(line_through(place, normal, camera), abs=1e-6)
        data = np.array([camera.to_data(*end) for end in ends])
        assert (data - place) @ normal == pytest.approx([0.0, 0.0], abs=1e-9)


@pytest.mark.parametrize("scaling", ["none", "each"])
def test_a_hull_is_the_intersection_of_half_planes(scaling):
    document = cloud(methods=(SMO(),), scaling=scaling)
    camera = with_axes(Camera().fitted(document.data.points), 560, 480, 1.0)
    corners = camera.to_pixels(convex_hull(document.data.points))
    edges = edges_of_half_planes(corners, camera)
    inside = corners.mean(axis=0)
    for start, end in zip(edges[:, :2], edges[:, 2:], strict=True):
        (x, y), (dx, dy) = start, end - start
        side = dx * (corners[:, 1] - y) - dy * (corners[:, 0] - x)
        towards = dx * (inside[1] - y) - dy * (inside[0] - x)
        # No corner lies beyond the edge, and one lies on it.
        distances = side * np.sign(towards) / math.hypot(dx, dy)
        assert distances.min() == pytest.approx(0.0, abs=1e-6)
    options = ViewOptions(hulls="half-planes")
    assert is_shown(document, options)
    text = write_scene(Scene(document, options))
    assert '"svmviz": 4' in text
    assert read_scene(text, "a").options == options

"""The decision of all machines in the plane: its places, its pictures, and when it is shown."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from solvers import Linear
from solvers.data.datasets import DATASETS, MAX_CLASSES, PointSet
from solvers.problem.machines import ONE_AGAINST_REST, REDUCTIONS, decide, machines_of
from solvers.sklearn import SVMClassifier
from svmviz.base.words import class_titles
from svmviz.camera.camera import Camera, Margins
from svmviz.cli.render import figure_from, frame_of
from svmviz.document.document import Document
from svmviz.document.held_out import TRAINING, VALIDATION
from svmviz.document.many_classes import ManyClasses
from svmviz.document.view_options import ViewOptions
from svmviz.export import FORMATS
from svmviz.export.figure_settings import FigureSettings
from svmviz.export.tex_plane import field_image
from svmviz.frames.decision_field import HALF_LEVEL, make_field
from svmviz.frames.decision_regions import DecisionFields
from svmviz.frames.solved_machines import decision_at, solve_machines
from svmviz.frames.studies import Pending
from svmviz.frames.viewport import Viewport
from svmviz.io.scene import Scene, read_scene, write_scene
from svmviz.panels.objective import badge_panel
from svmviz.plane.in_words import plane_in_words
from svmviz.plane.overlays import OVERLAYS, studies_for
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.decision import colours_of_regions, draw_regions, hatches
from svmviz.plane.paint.held_out import draw_left_out
from svmviz.plane.paint.legend_marks import ERROR, TIE, entries
from svmviz.plane.paint.style import Style
from svmviz.plane.picture import Picture, refine
from svmviz.plane.point_card import describe
from svmviz.plane.sentences import caption
from svmviz.theme import LIGHT
from tests.stages import clouds

ON = ViewOptions(decision=True)


def classes_of(k: int, reduction: str, **model) -> Document:
    document = clouds(k, seed=k, **model)
    assert document.many is not None
    return document.with_many(document.many.with_machines(machines_of(reduction, k)))


def frame_for(document: Document):
    return frame_of(Scene(document, options=ON), None, FigureSettings())


def canvas_of(document: Document, width: int, height: int) -> Canvas:
    margins = Margins(0.0, 0.0, 0.0, 0.0)
    camera = Camera().fitted(document.all_points.points)
    camera = replace(camera, width=width, height=height, margins=margins)
    return Canvas(refine(frame_for(document), camera), camera, Style(options=ON, vector=True))


def decision_on(document: Document, places: np.ndarray):
    ends = [machine.expansion for machine in solve_machines(document)]
    return decision_at(document.many.machines, ends, places / document.factors)


def painted_classes(image: QImage, k: int) -> np.ndarray:
    """The class whose colours each px has, MAX_CLASSES for the plane, -1 for a mixture."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    flat = np.frombuffer(image.constBits(), dtype=np.uint32)
    pixels = flat.reshape(image.height(), -1)[:, : image.width()]
    found, where = np.unique(pixels, return_inverse=True)
    table = colours_of_regions(LIGHT)[[*range(k), MAX_CLASSES]]
    distances = np.stack([np.abs(rgb(found)[:, None] - rgb(row)).sum(-1).min(1) for row in table])
    names = np.array([*range(k), MAX_CLASSES])[distances.argmin(axis=0)]
    return np.where(distances.min(axis=0) <= 4, names, -1)[where].reshape(pixels.shape)


def rgb(colours: np.ndarray) -> np.ndarray:
    return np.stack([colours >> 16 & 255, colours >> 8 & 255, colours & 255], -1).astype(int)


def near(values: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Whether each value is that wanted at the px or at a px beside it."""
    padded = np.pad(wanted, 1, mode="edge")
    height, width = wanted.shape
    shifted = [padded[r : r + height, c : c + width] for r in range(3) for c in range(3)]
    return np.any([values == each for each in shifted], axis=0)


def edges(values: np.ndarray) -> np.ndarray:
    """Whether some px beside a px has another value."""
    padded = np.pad(values, 1, mode="edge")
    height, width = values.shape
    shifted = [padded[r : r + height, c : c + width] for r in range(3) for c in range(3)]
    return np.any([values != each for each in shifted], axis=0)


def wanted_classes(document: Document, canvas: Canvas) -> np.ndarray:
    camera = canvas.camera
    x, y = np.meshgrid(np.arange(camera.width) + 0.5, np.arange(camera.height) + 0.5)
    places = np.array([camera.to_data(0.0, 0.0), camera.to_data(1.0, 1.0)])
    data = places[0] + np.column_stack([x.ravel(), y.ravel()]) * (places[1] - places[0])
    decision = decision_on(document, data)
    wanted = np.where(decision.undecided, MAX_CLASSES, decision.classes)
    return wanted.reshape(int(camera.height), int(camera.width))


@pytest.mark.parametrize("size", [(160, 120), (640, 480), (1200, 900)])
@pytest.mark.parametrize(("k", "reduction"), [(3, REDUCTIONS[0]), (4, REDUCTIONS[1])])
def test_regions_are_painted_within_a_pixel(qapp, size, k, reduction):
    document = classes_of(k, reduction)
    canvas = canvas_of(document, *size)
    study, lane = canvas.decision, canvas.frame.lane
    image = QImage(*size, QImage.Format.Format_RGB32)
    image.fill(0)
    with QPainter(image) as painter:
        draw_regions(painter, canvas, lane.field, study=study)
    wanted, painted = wanted_classes(document, canvas), painted_classes(image, k)
    is_inner = ~edges(wanted)
    assert (painted[is_inner] == wanted[is_inner]).mean() > 0.9999
    assert near(painted, wanted)[painted >= 0].mean() > 0.9995
    assert len(np.unique(wanted)) >= 4


def test_every_format_has_the_regions(qapp, tmp_path):
    document = classes_of(3, ONE_AGAINST_REST)
    bare = replace(ON, contours=False, rings=False, grid=False, legend=False)
    scene = Scene(document, options=bare)
    frame = frame_of(scene, None, FigureSettings())
    settings = replace(FigureSettings(), axes=False)
    figure = figure_from(frame, scene, settings)
    width, height = figure.size
    images = {}
    for ending in (".png", ".svg"):
        FORMATS[ending].save(tmp_path / f"a{ending}", figure)
        images[ending] = image = QImage(width, height, QImage.Format.Format_RGB32)
        with QPainter(image) as painter:
            if ending == ".png":
                painter.drawImage(0, 0, QImage(str(tmp_path / "a.png")).scaled(width, height))
            else:
                QSvgRenderer(str(tmp_path / "a.svg")).render(painter, QRectF(0, 0, width, height))
    png, svg = (painted_classes(images[ending], 3) for ending in (".png", ".svg"))
    both = (png >= 0) & (svg >= 0)
    assert both.mean() > 0.8
    assert near(svg, png)[both].mean() > 0.995
    # In TeX the field is an image even if it is asked for as bands, which are those of one machine.
    canvas = canvas_of(document, 300, 200)
    tex = painted_classes(field_image(canvas.frame.lane.field, canvas), 3)
    assert set(np.unique(tex[tex >= 0])) == {0, 1, 2, MAX_CLASSES}
    assert (tex >= 0).mean() > 0.95


def test_undecided_places_are_hatched_and_never_filled(qapp):
    document = classes_of(3, ONE_AGAINST_REST)
    canvas = canvas_of(document, 500, 400)
    regions = canvas.decision.regions(canvas.frame.lane.field)
    starts, ends, classes = hatches(canvas, regions)
    middles = np.array([canvas.camera.to_data(*place) for place in 0.5 * (starts + ends)])
    long = np.hypot(*(ends - starts).T) > 4.0
    decision = decision_on(document, middles[long])
    assert long.sum() > 20
    assert decision.undecided.all()
    assert (decision.classes == classes[long]).all()
    # As much of the plane is crossed by hatches as is undecided.
    step = np.hypot(*(ends - starts).T).sum() * 9.0 / np.sqrt(2.0)
    assert step / (500 * 400) == pytest.approx(regions.undecided.mean(), rel=0.05)


@pytest.mark.parametrize(
    ("k", "reduction"), [(3, REDUCTIONS[0]), (4, REDUCTIONS[1]), (6, REDUCTIONS[0])]
)
def test_levels_and_lines_are_those_of_the_decision(k, reduction):
    document = classes_of(k, reduction)
    looked = document.looking_at(1)
    ends = [machine.expansion for machine in solve_machines(looked)]
    fields = DecisionFields(looked.many.machines, ends, 1, looked.factors)
    grid = Viewport(-3, 3, -2, 2, 1.5, 600).grid(320)
    field = make_field(looked.problem(), ends[1], looked.factors, grid)
    regions = fields.regions(field)
    rows, columns = regions.classes.shape
    assert columns >= 600
    x, y = np.meshgrid(np.linspace(-3, 3, columns), np.linspace(2, -2, rows))
    decision = decision_on(looked, np.column_stack([x.ravel(), y.ravel()]))
    same = decision.classes.reshape(rows, columns) == regions.classes
    assert same.mean() > 0.999
    lead = decision.lead.reshape(rows, columns)
    apart = np.abs(255 * lead / (HALF_LEVEL + lead) - regions.levels)[same]
    assert np.quantile(apart, 0.999) < 3.0
    # On the left of each line f is positive.
    boundaries = list(regions.others.boundaries)
    boundaries[1] = regions.boundary
    for lines, f in zip(boundaries, ends, strict=True):
        for line in lines:
            along = np.diff(line, axis=0)
            middle = 0.5 * (line[1:] + line[:-1])
            beside = (
                middle
                + 1e-3
                * np.column_stack([-along[:, 1], along[:, 0]])
                / (np.maximum(np.hypot(*along.T), 1e-9)[:, None])
            )
            assert (f(beside / looked.factors) > f(middle / looked.factors)).mean() > 0.95


def test_a_step_uses_the_present_state_and_the_ends_of_the_others(qapp):
    document = classes_of(3, REDUCTIONS[0])
    frame = frame_of(Scene(document, options=ON), 2, FigureSettings())
    study = frame.studies[OVERLAYS["decision"].key][0]
    ends = [machine.expansion for machine in solve_machines(document)]
    places = np.random.default_rng(0).uniform(-3, 3, (50, 2))
    assert study.expansions[0] is frame.lane.expansion
    for mine, end in zip(study.expansions[1:], ends[1:], strict=True):
        assert (mine(places) == end(places)).all()
    values = np.column_stack([f(places) for f in (frame.lane.expansion, *ends[1:])])
    again = decision_at(document.many.machines, study.expansions, places)
    assert (again.classes == decide(document.many.machines, values).classes).all()


def test_it_is_shown_with_several_classes_only_and_kept_in_scenes():
    key = OVERLAYS["decision"].key
    many, two = classes_of(3, REDUCTIONS[0]), Document()
    assert key in studies_for(many, ON)
    assert key not in studies_for(many, ViewOptions())
    assert key not in studies_for(two, ON)
    assert read_scene(write_scene(Scene(many, options=ON))).options.decision
    assert "decision" not in write_scene(Scene(many))


def test_two_classes_have_the_same_picture_with_the_option(qapp):
    points = DATASETS["moons"].generate(60, 0.2, 0)
    document = Document(data=points, kernel=Linear())
    images = [
        Picture(frame_of(Scene(document, options=o), None, FigureSettings()), (300, 200), options=o)
        for o in (ViewOptions(), ON)
    ]
    assert images[0].image() == images[1].image()


@pytest.mark.parametrize(
    "seed", [*range(6), *(pytest.param(s, marks=pytest.mark.slow) for s in range(6, 40))]
)
def test_10_000_places_are_decided_as_by_the_classifier(seed):
    rng = np.random.default_rng(seed)
    k = 3 + seed % 4
    reduction = REDUCTIONS[seed // 4 % 2]
    document = clouds(k, 12 * k, seed)
    data = document.all_points
    document = document.with_many(document.many.with_machines(machines_of(reduction, k)))
    model = SVMClassifier(
        method="smo",
        C=document.C,
        gamma=document.kernel.gamma,
        tol=document.method.tol,
        multi_class="ovo" if reduction == "one-against-one" else "ovr",
    ).fit(data.points, data.labels)
    places = rng.uniform(-4, 4, (10_000, 2))
    shown = int(rng.integers(len(document.many.machines)))
    frame = frame_for(document.looking_at(shown))
    study = frame.studies[OVERLAYS["decision"].key][0]
    decision = decision_at(study.fields.machines, study.expansions, places)
    assert (decision.classes == model.predict(places)).all()


@pytest.mark.parametrize(("k", "reduction", "step"), [(3, REDUCTIONS[0], 3), (4, REDUCTIONS[1], 9)])
def test_crosses_and_legend_are_those_of_the_decision(qapp, k, reduction, step):
    rng = np.random.default_rng(0)
    points = rng.normal(0.0, 1.0, (20 * k, 2)) + 1.2 * np.eye(k)[np.arange(20 * k) % k, :2]
    data = PointSet(points, np.arange(20 * k) % k, tuple("abcd"[:k]))
    parts = rng.choice([TRAINING, VALIDATION], 20 * k, p=[0.8, 0.2])
    many = ManyClasses(data, parts, machines_of(reduction, k), 1)
    document = Document(data=data).with_many(many)
    frame = frame_of(Scene(document, options=ON), step, FigureSettings())
    ends = [machine.expansion for machine in solve_machines(document)]
    ends[1] = frame.lane.expansion
    decided = decision_at(many.machines, ends, document.solver_points).classes
    wrong = decided != data.classes
    canvas = Canvas(frame, Camera().fitted(points), Style(options=ON))
    assert (canvas.decided_wrongly == wrong).all()
    assert (canvas.wrong == wrong[(parts == TRAINING) & (many.labels != 0)]).all()
    entry = next(entry for entry in entries(canvas) if entry.mark == ERROR)
    # Validation points have crosses, too.
    assert (entry.text, entry.count) == ("decided wrongly", wrong.sum())
    # Each point that the machine leaves out has a cross if it is decided wrongly.
    left_out = wrong[many.labels == 0]
    assert left_out.any() == (0 in many.machine.code)
    with_cross = painted_held(document, canvas)
    canvas.frame.studies[OVERLAYS["decision"].key][0].decided[many.labels == 0] = data.classes[
        many.labels == 0
    ]
    assert (painted_held(document, canvas) != with_cross) == left_out.any()
    # While the other machines are being solved, nothing is known.
    pending = replace(frame, studies={OVERLAYS["decision"].key: (Pending("…"),)})
    waiting = replace(canvas, frame=pending)
    assert not waiting.wrong.any()
    assert ERROR not in {entry.mark for entry in entries(waiting)}
    # The view of the machine has its own errors.
    alone = canvas.with_style(options=ViewOptions())
    assert alone.decided_wrongly is None
    assert (alone.wrong == (frame.lane.certificate.slack > 1.0)).all()


def painted_held(document: Document, canvas: Canvas) -> QImage:
    image = QImage(800, 600, QImage.Format.Format_RGB32)
    image.fill(0)
    camera = replace(canvas.camera, width=800, height=600)
    with QPainter(image) as painter:
        draw_left_out(painter, replace(canvas, camera=camera).with_sizes())
    return image


def test_the_legend_explains_hatches_where_there_are_some(qapp):
    canvas = canvas_of(classes_of(3, ONE_AGAINST_REST), 500, 400)
    assert canvas.decision.regions(canvas.lane.shown_field).undecided.any()
    assert TIE in {entry.mark for entry in entries(canvas)}
    assert TIE not in {entry.mark for entry in entries(canvas.with_style(options=ViewOptions()))}


def test_cards_say_what_is_decided_and_errors_name_their_machine(qapp):
    document = classes_of(3, REDUCTIONS[0])
    frame, names = frame_for(document), document.class_names
    places = (document.data.points, document.left_out.points)
    decided = [decision_on(document, points).classes for points in places]
    cards = describe(frame, 0), describe(frame, frame.document.n)
    for card, classes in zip(cards, decided, strict=True):
        shown = dict(card.rows)["decided for"]
        assert shown.endswith(names[classes[0]])
        assert "decided for" not in dict(card.without(frozenset({"f"})).rows)
    alone = frame_of(Scene(document), None, FigureSettings())
    assert "decided for" not in dict(describe(alone, 0).rows)
    name = document.many.machine.name(class_titles(document.all_points))
    assert f"; machine 1, {name}: training error" in caption(frame)
    assert f"Machine 1, {name}: training error" in plane_in_words(frame)
    assert "machine 1: training error" in badge_panel.describe(frame)[1]
    for words in (caption(alone), plane_in_words(alone), badge_panel.describe(alone)[1]):
        assert "machine 1" not in words.lower()

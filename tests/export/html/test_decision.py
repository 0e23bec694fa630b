"""A page decides among more than two classes as the library does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from solvers import RBF, CoordinateAscent, Linear, Polynomial, solve
from solvers.cancelling import no_report
from solvers.data.datasets import PointSet
from solvers.problem.machines import ONE_AGAINST_REST, Machine, decide, machines_of
from svmviz.colours.themes import theme_of, with_sides
from svmviz.document.document import Document, Penalty
from svmviz.document.view_options import ViewOptions
from svmviz.export.html.contents import contents_of
from svmviz.export.html.save import page_of
from svmviz.export.runs.recording import Recording
from svmviz.frames.solved_machines import decision_at, solve_machines
from svmviz.io.scene import Scene
from tests.cli.test_many_classes import clouds
from tests.export.html.engine import Engine

CODE = Machine((1, 1, -1)), Machine((-1, 1, 1)), Machine((1, -1, 0))


def with_machines(document: Document, machines) -> Document:
    return document.with_many(document.many.with_machines(machines))


def far(k: int, offset: float) -> PointSet:
    data = clouds(k)
    return PointSet(np.round(data.points, 3) + offset, data.labels, data.class_names)


DOCUMENTS = {
    "three": Document(data=clouds(3), kernel=RBF(0.7)).looking_at(1),
    "six, rest": with_machines(Document(data=clouds(6)), machines_of(ONE_AGAINST_REST, 6)),
    "code": with_machines(Document(data=clouds(3), scaling="each"), CODE),
    "polynomial": Document(
        data=clouds(4),
        kernel=Polynomial(0.5, 1.0, 3),
        bias="augmented",
        methods=(CoordinateAscent(),),
    ),
    "far": Document(data=far(3, 1e4), kernel=Linear(), penalty=Penalty("C", 3.0)),
    "absent": Document(data=clouds(4).at(clouds(4).labels != 3)),
}


def contents_for(document: Document) -> dict:
    run = solve(document.problem(), document.method)
    return contents_of(Recording(Scene(document), (run,)), [run.steps], no_report)


@pytest.fixture(scope="module")
def engine(qapp):
    names = "numbers", "kernels", "run", "contours", "field", "marks", "decision"
    engine = Engine(*(f"{name}.js" for name in names))
    engine.run("Array.prototype.flatMap = function (f) { return [].concat(...this.map(f)); }")
    return engine


@pytest.mark.parametrize("name", DOCUMENTS)
def test_places_are_decided_as_by_the_library(engine, name):
    document = DOCUMENTS[name]
    expansions = [machine.expansion for machine in solve_machines(document)]
    data = document.all_points.points
    low, high = data.min(axis=0) - 1.0, data.max(axis=0) + 1.0
    places = np.random.default_rng(0).uniform(low, high, (300, 2))
    scaled = places / document.factors
    decision = decision_at(document.many.machines, expansions, scaled)
    found = engine.call(
        "((machines) => places.map((place) => {"
        " const at = place.map((value, axis) => value - (machines.origin?.[axis] ?? 0));"
        " const values = machines.betas.map((beta, m) => beta && machines.many.biases[m]"
        "   + beta.reduce((sum, b, i) => sum + b * machines.kernel(machines.X[i], at), 0));"
        " const { best, isUndecided } = machines.decide(values);"
        " return [best, isUndecided, values];"
        "}))(new MachinesOfPage(new RunOfPage(contents)))",
        contents=contents_for(document),
        places=scaled.tolist(),
    )
    for index, expansion in enumerate(expansions):
        values = [row[2][index] for row in found]
        if expansion is None:
            assert set(values) == {None}
        else:
            np.testing.assert_allclose(values, expansion(scaled), rtol=1e-7, atol=1e-7)
    assert [row[0] for row in found] == decision.classes.tolist()
    assert [row[1] for row in found] == decision.undecided.tolist()


def test_votes_and_ties_are_those_of_the_library(engine):
    rng = np.random.default_rng(1)
    values = rng.choice([-1.5, -0.5, 0.0, 0.5, 1.5], (200, 3))
    found = engine.call(
        "((machines) => values.map((f) => { const d = machines.decide(f);"
        " return [d.best, d.isUndecided, d.level];"
        "}))(new MachinesOfPage(new RunOfPage(contents)))",
        contents=contents_for(DOCUMENTS["code"]),
        values=values.tolist(),
    )
    decision = decide(CODE, values)
    assert [row[0] for row in found] == decision.classes.tolist()
    assert [row[1] for row in found] == decision.undecided.tolist()
    expected = decision.lead / (0.3 + decision.lead)
    np.testing.assert_allclose([row[2] for row in found], expected, rtol=1e-12)


def test_only_pages_of_several_classes_have_the_decision(qapp):
    two = Document(PointSet(clouds(3).points, np.where(clouds(3).labels > 0, 1, -1)))
    assert "many" not in contents_for(two)
    assert "MachinesOfPage" not in page_of("two", contents_for(two))
    page = page_of("three", {**contents_for(two), "machine": Machine((-1, -1, 1)).code})
    assert "class MachinesOfPage" in page
    assert "--class_5: #" in page


def test_marks_are_those_of_the_window(engine):
    for name in ("three", "six, rest", "code"):
        document = DOCUMENTS[name]
        marks, titles, named, added = engine.call(
            "(() => { const run = new RunOfPage(contents), marks = Array.from(run.marks);"
            " const found = [marks, marks.map((_, i) => run.className(i)), namedMarks(run.many)];"
            " run.usePoints(run.points, [...run.labels, -1], run.kernel_program);"
            " return [...found, run.marks[run.n - 1]]; })()",
            contents=contents_for(document),
        )
        assert marks == document.marks.tolist()
        assert titles == [document.class_names[k] for k in document.classes]
        positive, negative = document.sides
        sides = [*[(1, k) for k in positive], *[(-1, k) for k in negative]]
        expected = [{"mark": side * (2 + k), "name": document.class_names[k]} for side, k in sides]
        assert named == expected
        # A point that the reader adds looks like the first class of its side.
        assert added == -(2 + negative[0])


def test_each_machine_of_a_page_has_the_colours_of_its_sides(qapp):
    machines = machines_of(ONE_AGAINST_REST, 3)
    page = page_of("lesson", {"scenes": [{"machine": machine.code} for machine in machines]})
    for machine in machines:
        theme = with_sides(theme_of("light"), machine.positive, machine.negative)
        code = "_".join(map(str, machine.code))
        start = page.index(f'[data-machine="{code}"] {{')
        rule = page[start : page.index("}", start)]
        for field in ("positive", "negative", "positive_band", "negative_field"):
            line = f"--{field}: {getattr(theme, field)};"
            # What is as in the theme is in the rule of all machines.
            assert line in (
                rule if getattr(theme, field) != getattr(theme_of("light"), field) else page
            )
    assert page.count("[data-machine=") == 4 * 3


def test_a_page_begins_with_the_decision_if_the_scene_shows_it():
    document = DOCUMENTS["three"]
    run = solve(document.problem(), document.method)
    for decision in (False, True):
        scene = Scene(document, options=replace(ViewOptions(), decision=decision))
        contents = contents_of(Recording(scene, (run,)), [run.steps], no_report)
        assert contents["many"]["decides"] is decision

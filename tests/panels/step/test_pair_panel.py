"""The pair panel draws the step that the solver took, on the line and under the parabola."""

import math

import numpy as np
import pytest

from solvers import RBF, SMO, Cursor, Hulls, Sigmoid, WorkingSet, certify
from solvers.data.datasets import PointSet
from svmviz.document.document import Penalty
from svmviz.panels.step.choice_chart import RING
from svmviz.panels.step.pair_panel import MIN_WIDTH_ACROSS, MIN_ZOOMED, NO_PAIR, PairPanel
from svmviz.widgets.charts.chart_painter import ChartPainter
from tests.stages import eight, moons, sine
from tests.waiting import go_to, settle

every_document = pytest.mark.parametrize(
    "document",
    [
        moons(),
        moons(penalty=Penalty("C", 0.05), methods=(SMO(pair="maximal-violation"),)),
        eight(penalty=Penalty("C", math.inf)),
        sine(),
        sine(penalty=Penalty("C", 0.2), methods=(SMO(pair="maximal-violation"),)),
    ],
    ids=["moons", "small C", "hard", "regression", "regression, small C"],
)


@every_document
def test_each_step_agrees_with_the_dual(qtbot, open_stage, show, document):
    stage = open_stage(document)
    panel = show(PairPanel(stage))
    run = stage.session.runs[0]
    problem = run.problem
    for step in sorted({1, *np.random.default_rng(2).integers(1, run.steps + 1, 6).tolist()}):
        go_to(qtbot, stage, step)
        before, after = run.at(step - 1).expansion, run.at(step).expansion
        pair = panel.pair
        i, j = pair.i, pair.j
        # Of the variables, of which a point of a regression has two.
        old, new = (problem.sign * Cursor(run).state(k).beta for k in (step - 1, step))
        assert pair.old == (old[i], old[j])
        assert pair.new == (new[i], new[j])
        # On the line, in the segment, and at its best place.
        assert pair.at(new[j])[0] == pytest.approx(new[i], abs=1e-12 + 1e-9 * abs(new[i]))
        assert pair.low - 1e-12 <= new[j] <= pair.high + 1e-12
        rise = certify(problem, after).dual - certify(problem, before).dual
        assert pair.rise(np.array(new[j])) == pytest.approx(rise, rel=1e-6, abs=1e-9)
        top = min(pair.high, max(old[j], new[j]) + 1.0)
        other = np.linspace(pair.low, top, 50)
        assert pair.rise(other).max() <= pair.rise(np.array(new[j])) + 1e-9
        assert ("goes there" in panel.words.text()) == (not pair.is_clipped)
        low, high = panel.parabola.ranges[0]
        assert low <= min(old[j], new[j])
        assert max(old[j], new[j]) <= high


@pytest.mark.parametrize("C", [1.0, math.inf])
def test_a_line_without_a_vertex_shows_the_end_of_the_step(qtbot, open_stage, show, C):
    positions = np.array([[0.2, 0.1], [2.0, 2.0], [-2.0, 2.0], [1.0, -1.0]])
    labels = np.array([1, -1, 1, -1])
    kernel, data = Sigmoid(gamma=1.0, coef0=0.5), PointSet(positions, labels)
    stage = open_stage(moons(data=data, kernel=kernel, penalty=Penalty("C", C)))
    panel = show(PairPanel(stage))
    run = stage.session.runs[0]
    go_to(qtbot, stage, 1)
    event = panel.pair
    assert event.eta < 0.0
    panel.grab()
    rise = certify(run.problem, run.at(1).expansion).dual
    assert panel.pair.rise(np.array(event.new[1])) == pytest.approx(rise)
    assert panel.pair.slope > 0.0
    assert np.isfinite(panel.parabola.ranges).all()
    assert panel.words.text().startswith(
        "D has no top, because η is not above 0: the step goes to "
    )
    assert ("H = 1" in panel.words.text()) == (C == 1.0)


def test_the_square_fits_the_alphas_and_the_segment_stays_on_its_line(qtbot, open_stage, show):
    stage = open_stage(eight(penalty=Penalty("C", 1000.0)))
    panel = show(PairPanel(stage))
    run = stage.session.runs[0]
    largest = 0.0
    for step in range(1, run.steps + 1):
        go_to(qtbot, stage, step)
        largest = max(
            largest, *panel.pair.old, certify(run.problem, run.at(step).expansion).alpha.max()
        )
        (left, right), (bottom, top) = panel.square.ranges
        assert largest <= min(right, top)
        assert max(right - left, top - bottom) < 20.0 * largest
        # A part of a straight line, however far away H is.
        (x0, y0), (x1, y1) = panel.pair.ends_within(-1.0, 5.0)
        slope = -1.0 if panel.pair.signs_agree else 1.0
        assert y1 - y0 == pytest.approx(slope * (x1 - x0))
        assert max(y0, y1) <= 5.0
    stage.session.edit(eight(penalty=Penalty("C", 0.2)), "C")
    settle(qtbot, stage)
    go_to(qtbot, stage, 2)
    assert panel._size == 0.2


def test_step_0_has_no_pair(qtbot, open_stage, show):
    stage = open_stage(eight())
    panel = show(PairPanel(stage))
    go_to(qtbot, stage, 0)
    assert panel.pair is None
    assert panel.words.text() == NO_PAIR
    assert panel.words.isVisible()
    assert not panel.square.isVisible()
    assert not panel.parabola.isVisible()
    go_to(qtbot, stage, 1)
    assert panel.square.isVisible()
    assert panel.parabola.isVisible()


def part_number(stage):
    part = stage.feed.panel_frame.lane.shown_beat
    return part.number if part else 0


@pytest.mark.parametrize("method", [SMO(), WorkingSet()], ids=["smo", "working-set"])
def test_the_points_to_choose_from_come_first_and_then_the_pair(qtbot, open_stage, show, method):
    stage = open_stage(moons(methods=(method,)))
    panel = show(PairPanel(stage))
    panel.set_brief(True)
    go_to(qtbot, stage, 2)
    stage.playback.set_by_beats(True)
    stage.playback.seek_step(2)
    seen = []
    event = stage.session.runs[0].at(3).event
    for number, beat in enumerate(event.beats, 1):
        stage.playback.go_on()
        qtbot.waitUntil(lambda number=number: part_number(stage) == number)
        assert panel.choice.isVisible() == bool(beat.compared)
        assert panel.square.isVisible() == panel.parabola.isVisible() == (not beat.compared)
        assert not panel.words.isVisible()
        seen.append(bool(beat.compared))
        if beat.compared:
            # The point with the largest rise is above all others, at its errors.
            assert sorted(panel.choice.points) == sorted(
                point for group in beat.compared for point in group.points
            )
            (left, right), (bottom, top) = panel.choice.ranges
            assert (panel.choice.positions >= (left, bottom)).all()
            assert (panel.choice.positions <= (right, top)).all()
    assert seen == sorted(seen, reverse=True)
    assert set(seen) == {True, False}


@pytest.mark.parametrize(("n", "large"), [(8, 8), (60, 3)])
def test_of_many_partners_those_with_the_largest_rises_are_large(qtbot, open_stage, show, n, large):
    stage = open_stage(moons(n) if n > 8 else eight())
    panel = show(PairPanel(stage))
    go_to(qtbot, stage, 0)
    stage.playback.set_by_beats(True)
    for number in (1, 2, 3):
        stage.playback.go_on()
        qtbot.waitUntil(lambda number=number: part_number(stage) == number)
    (row,) = (k for k, group in enumerate(panel.choice.groups) if len(group.points) > 1)
    group, mask = panel.choice.groups[row], panel.choice._large(row)
    assert mask.sum() == min(large, len(group.points))
    rises = np.array(group.rises)
    assert rises[mask].min() >= rises[~mask].max(initial=-np.inf)
    # The point itself is large, though it is alone.
    assert panel.choice._large(1 - row).all()


def test_the_mouse_over_a_candidate_highlights_it(qtbot, open_stage, show):
    stage = open_stage(moons())
    panel = show(PairPanel(stage))
    go_to(qtbot, stage, 2)
    stage.playback.set_by_beats(True)
    stage.playback.seek_step(2)
    stage.playback.go_on()
    qtbot.waitUntil(lambda: part_number(stage) == 1)
    (group, _) = stage.session.runs[0].at(3).event.beats[0].compared
    panel.choice.hovered.emit(
        group.errors[group.selected], panel.choice.positions[group.selected, 1]
    )
    assert stage.spotlight.index == group.points[group.selected]
    panel.choice.left.emit()
    assert stage.spotlight.index is None


def test_the_name_of_an_axis_highlights_its_point(qtbot, open_stage, show):
    stage = open_stage(eight())
    panel = show(PairPanel(stage))
    go_to(qtbot, stage, 2)
    event = panel.pair
    (left, right), (bottom, top) = panel.square.ranges
    panel.square.hovered.emit(0.5 * (left + right), bottom - 0.01)
    assert stage.spotlight.index == event.i
    panel.square.hovered.emit(left - 0.01, 0.5 * (bottom + top))
    assert stage.spotlight.index == event.j
    panel.square.pressed.emit(left - 0.01, 0.5 * (bottom + top))
    assert stage.session.selection == {event.j}
    panel.square.hovered.emit(0.5 * (left + right), 0.5 * (bottom + top))
    assert stage.spotlight.index is None


def test_a_regression_names_variables_and_highlights_their_points(qtbot, open_stage, show):
    stage = open_stage(sine())
    panel = show(PairPanel(stage))
    run = stage.session.runs[0]
    n, starred = run.problem.n, set()
    for step in range(1, run.steps + 1):
        go_to(qtbot, stage, step)
        event = panel.pair
        names = [
            f"α{'*' if variable < n else ''} of point {variable % n + 1}"
            for variable in (event.i, event.j)
        ]
        assert list(panel.square._labels) == names
        starred |= {variable < n for variable in (event.i, event.j)}
        (left, right), (bottom, top) = panel.square.ranges
        panel.square.hovered.emit(0.5 * (left + right), bottom - 0.01)
        assert stage.spotlight.index == event.i % n
        panel.square.hovered.emit(left - 0.01, 0.5 * (bottom + top))
        assert stage.spotlight.index == event.j % n
        assert "The signs" in panel.constraint.text()
        if step > 12 and starred == {True, False}:
            break
    assert starred == {True, False}


@pytest.mark.parametrize("algorithm", ["pairwise", "mdm"])
def test_each_step_of_the_hulls_agrees_with_the_objective(qtbot, open_stage, show, algorithm):
    document = moons(40, kernel=RBF(2.0), methods=(Hulls(algorithm=algorithm),))
    stage = open_stage(document)
    panel = show(PairPanel(stage))
    run = stage.session.runs[0]
    steps = np.random.default_rng(6).integers(1, run.steps + 1, 8).tolist()
    steps += [step for step in range(1, run.steps + 1) if run.at(step).event.values["clipped"]][:3]
    cases = set()
    for step in [*steps, *steps[::-1]]:
        go_to(qtbot, stage, step)
        values, pair = run.at(step).event.values, panel.weights
        new = values["new_i"], values["new_j"]
        assert panel.pair is None
        assert (pair.old, pair.new) == ((values["old_i"], values["old_j"]), new)
        assert pair.at(pair.delta) == pytest.approx(new, abs=1e-12)
        # The parabola is the objective, and the step its lowest place in what is allowed.
        falls = values["objective"] - values["objective_before"]
        assert pair.change(np.array(pair.delta)) == pytest.approx(falls, rel=1e-6, abs=1e-9)
        end = min(pair.high, abs(pair.unclipped) + 1.0)
        allowed = np.linspace(pair.low, end, 200)
        assert pair.change(allowed).min() >= falls - 1e-9
        assert min(pair.at(pair.low)) >= -1e-15
        assert ("goes there" in panel.words.text()) == (not pair.is_clipped)
        cases.add(pair.is_clipped)
        if pair.both_by_delta:
            assert pair.low == max(-values["old_i"], -values["old_j"])
            assert pair.is_clipped == (pair.unclipped < pair.low)
            if pair.is_clipped:
                assert min(pair.new) == 0.0
        low, high = panel.parabola.ranges[0]
        assert low <= min(0.0, pair.delta)
        assert max(0.0, pair.delta) <= high
        bottom, top = panel.parabola.ranges[1]
        assert bottom <= falls <= 0.0 <= top
    assert cases == {True, False}
    panel.square.hovered.emit(0.5, panel.square.ranges[1][0] - 0.01)
    assert stage.spotlight.index == panel.weights.i


def test_wolfe_moves_no_pairs(qtbot, open_stage, show):
    stage = open_stage(eight(methods=(Hulls(algorithm="wolfe"),)))
    panel = show(PairPanel(stage))
    assert panel.weights is None
    assert panel.words.text() == "This step did not move a pair, so this panel has nothing to show."


@pytest.mark.parametrize("is_brief", [False, True])
def test_charts_that_have_no_room_side_by_side_are_one_above_the_other(
    qtbot, open_stage, show, is_brief
):
    stage = open_stage(eight())
    panel = show(PairPanel(stage))
    panel.set_brief(is_brief)
    for width, is_beside in ((MIN_WIDTH_ACROSS - 40, False), (2 * MIN_WIDTH_ACROSS, True)):
        panel.resize(width, MIN_WIDTH_ACROSS - 60)
        go_to(qtbot, stage, 1 + is_beside)
        square, parabola = (chart.geometry().width() for chart in (panel.square, panel.parabola))
        assert (max(square, parabola) < 0.7 * panel.width()) == is_beside


def test_a_short_segment_is_large_and_its_ends_are_named_apart(
    qtbot, open_stage, show, monkeypatch
):
    stage = open_stage(moons(penalty=Penalty("C", 100.0)))
    panel = show(PairPanel(stage), 250, 300)
    panel.set_brief(True)
    run, zoomed, named = stage.session.runs[0], 0, {}
    write = ChartPainter.text

    def text(paint, words, point, *args, **options):
        if words in ("L", "H") and paint.area is panel.square.area:
            named[words] = paint.text_rect(words, point, args[1])
        write(paint, words, point, *args, **options)

    monkeypatch.setattr(ChartPainter, "text", text)
    for step in range(1, min(run.steps, 40)):
        go_to(qtbot, stage, step)
        named.clear()
        pair, ends = panel.pair, panel.pair.ends_within(-1e9, 1e9)
        panel.square.grab()
        if {"L", "H"} == set(named):
            assert not named["L"].intersects(named["H"]), step
        if not MIN_ZOOMED < pair.high - pair.low < math.inf:
            continue
        (left, right), (bottom, top) = panel.square.ranges
        inside = (ends >= (left, bottom)) & (ends <= (right, top))
        length = np.hypot(
            *(panel.square.area.to_pixels(ends)[1] - panel.square.area.to_pixels(ends)[0])
        )
        if inside.all():
            zoomed += panel._size < panel._axis.linear_end
            assert length > 25.0, step
    assert zoomed > 3


def test_a_number_hides_no_ring_of_another_point(qtbot, open_stage, show, monkeypatch):
    stage = open_stage(sine(40))
    panel = show(PairPanel(stage), 250, 330)
    panel.set_brief(True)
    go_to(qtbot, stage, 1)
    stage.playback.set_by_beats(True)
    stage.playback.seek_step(1)
    written, rings = [], []
    write, ring = ChartPainter.text, ChartPainter.rings

    def text(paint, words, point, *args, **options):
        written.append((tuple(point), paint.text_rect(words, point, args[1])))
        write(paint, words, point, *args, **options)

    def rings_of(paint, points, *args):
        rings.extend((tuple(p), paint.mark_rect(p, RING)) for p in points.tolist())
        ring(paint, points, *args)

    for step in (2, 3, 4, 5):
        stage.playback.seek_step(step - 1)
        for number in (1, 2, 3, 4):
            stage.playback.go_on()
            qtbot.waitUntil(lambda number=number: part_number(stage) == number)
        written.clear()
        rings.clear()
        with monkeypatch.context() as patch:
            patch.setattr(ChartPainter, "text", text)
            patch.setattr(ChartPainter, "rings", rings_of)
            panel.choice.grab()
        assert written
        assert rings
        for place, box in written:
            assert not any(box.intersects(mark) for owner, mark in rings if owner != place)

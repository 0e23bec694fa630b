"""Machines of several classes by the real mouse and keys: rows, codes, votes and errors."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QCursor

from solvers.problem.machines import ONE_AGAINST_REST, machines_of
from solvers.sklearn import SVMClassifier
from svmviz.frames.machines_study import MachinesStudy
from tests.stages import clouds, moons
from tests.window.conftest import panel_in, settle

pytestmark = pytest.mark.display


@pytest.fixture
def user(open_window):
    user = open_window(clouds(3), size=QSize(1400, 1000))
    user.window.docks.show("machines")
    user.until(lambda: is_ready(user))
    # The dock gets its size, and the buttons their place, in later turns of the event loop.
    for widget in (user.window.plane, panel(user).reductions[ONE_AGAINST_REST]):
        user.until_still(widget)
    return user


def panel(user):
    return panel_in(user.window, "machines")


def many(user):
    return user.window.stage.session.document.many


def result(user):
    frame = user.window.stage.feed.panel_frame
    study = frame.studies.get("machines")
    is_current = frame.document is user.window.stage.session.document
    return study if is_current and isinstance(study, MachinesStudy) else None


def is_ready(user):
    found = result(user)
    return found is not None and bool(found.tables)


def click_cell(user, row, column):
    grid = panel(user).matrix
    # The sentences above may take another line meanwhile.
    user.until_still(grid)
    middle = grid.cell_box(row, column).center()
    user.click(grid.mapToGlobal(QPoint(round(middle.x()), round(middle.y()))))


def row_texts(user, row):
    return [cell.text for cell in panel(user).matrix.rows[row]]


def test_a_row_is_looked_at_with_one_entry_and_its_cells_go_round(user):
    stack = user.window.stage.session.undo_stack
    click_cell(user, 2, 1)
    user.until(lambda: many(user).shown == 2)
    assert stack.undoText() == "Look at b against c"
    assert many(user).machine.code == (0, 1, -1)
    settle(user)
    click_cell(user, 2, 1)
    user.until(lambda: many(user).machine.code == (1, 1, -1))
    assert row_texts(user, 2)[1:4] == ["+1", "+1", "−1"]
    assert stack.count() == 2
    user.key("ctrl+z")
    user.until(lambda: many(user).machine.code == (0, 1, -1))
    # A side without a class is no machine, which is said.
    click_cell(user, 2, 2)
    user.until(
        lambda: (
            "with −1 and with 0, no class of the machine would have +1" in panel(user).words.text()
        )
    )
    assert stack.index() == 1


def test_keys_go_to_the_next_machine_and_switch_the_decision(user):
    word = user.window.planes.word
    for number, name in ((1, "a against c"), (2, "b against c"), (0, "a against b")):
        user.key("o")
        user.until(lambda number=number: many(user).shown == number)
        user.until(lambda name=name: word.text == name)
    user.key("shift+o")
    user.until(lambda: many(user).shown == 2)
    user.key("i")
    user.until(lambda: user.window.stage.view.options.decision)
    user.until(lambda: "plane:decision" in user.window.stage.feed.frame.studies)
    assert user.window.menus.actions["decision"].isEnabled()
    user.key("i")
    user.until(lambda: not user.window.stage.view.options.decision)


def test_the_tally_is_that_of_the_classifier_wherever_the_mouse_is(user):
    document = user.window.stage.session.document
    data = document.all_points
    model = SVMClassifier(method="smo", C=1.0, gamma=1.0, multi_class="ovo").fit(
        data.points, data.labels
    )
    for place in ((0.3, -1.2), (-1.0, 0.4), (2.2, 1.8)):
        hover(user, *place)
        expected = panel(user)
        decided = "abc"[int(model.predict(np.array([expected._place]))[0])]
        sentence = expected.tally.text()
        assert f"{decided} has " in sentence or f"says {decided}" in sentence
        votes = [cell.text for cell in expected.matrix.rows[3]]
        assert votes[0] == "votes"
        dots = [[cell.dot for cell in row[1:4]] for row in expected.matrix.rows[:3]]
        assert [str(n) for n in np.sum(dots, axis=0)] == votes[1:4]


def hover(user, x, y):
    """Move the mouse to a place, again if the picture has moved meanwhile."""

    def is_there() -> bool:
        user.move(user.at(x, y))
        user.rest(0.03)
        return panel(user)._place == pytest.approx((x, y), abs=0.05)

    user.until_still(user.window.plane)
    user.until(is_there)


def is_at_mouse(user):
    """Whether the panel speaks of the place under the mouse, wherever the camera looks."""
    plane = user.window.plane
    at = plane.mapFromGlobal(QCursor.pos())
    return panel(user)._place == pytest.approx(plane.camera.to_data(at.x(), at.y()), abs=0.05)


def test_the_tally_follows_the_picture_that_moves_under_a_still_mouse(user):
    hover(user, 0.3, -1.2)
    before = panel(user)._place
    for key in ("z", "z"):
        camera = user.window.plane.camera
        user.key(key)
        user.until(lambda camera=camera: user.window.plane.camera != camera)
        user.until(lambda: is_at_mouse(user))
    assert panel(user)._place != pytest.approx(before, abs=0.05)
    assert panel(user).tally.text().startswith("At (")


def test_one_against_rest_is_a_button_and_errors_are_those_of_the_classifier(user):
    button = panel(user).reductions[ONE_AGAINST_REST]
    user.click_on(button)
    user.until(lambda: many(user).machines == machines_of(ONE_AGAINST_REST, 3))
    settle(user)
    user.until(lambda: is_ready(user))
    data = user.window.stage.session.document.all_points
    model = SVMClassifier(method="smo", C=1.0, gamma=1.0, multi_class="ovr").fit(
        data.points, data.labels
    )
    wrong = int((model.predict(data.points) != data.labels).sum())
    assert panel(user).error_words.text().startswith(f"{wrong} of 60 training points wrong")
    shown = [[int(cell.text) for cell in row[1:]] for row in panel(user).errors.rows]
    assert np.array(shown).sum(axis=1).tolist() == [20, 20, 20]


def test_a_cell_of_the_errors_selects_its_points_and_takes_them_back(user):
    session, decided = user.window.stage.session, result(user).decided
    document, grid = session.document, panel(user).errors
    classes = document.all_points.classes
    row = column = 2  # The machine a against b leaves these points out.

    def click() -> None:
        # The sentences above the cell may take another line meanwhile.
        user.until_still(grid)
        user.click(grid.mapToGlobal(grid.cell_box(row, 1 + column).center().toPoint()))

    click()
    user.until(lambda: session.editable_selection)
    chosen = document.editable_rows[sorted(session.editable_selection)]
    assert (np.sort(chosen) == np.flatnonzero((classes == row) & (decided == column))).all()
    assert "Click to select them" in grid.rows[row][1 + column].tip
    click()
    user.until(lambda: not session.editable_selection)


def test_the_buttons_of_rows_keep_their_place_and_refusals_are_in_sight(user):
    new, drop, words = panel(user).new_row, panel(user).drop_row, panel(user).words
    user.until_still(new)
    places = [button.mapToGlobal(QPoint()) for button in (new, drop)]
    for k in range(4, 7):
        user.click_on(new)
        user.until(lambda k=k: len(many(user).machines) == k)
        settle(user)
    user.click_on(new)
    user.until(lambda: words.text() == "Every code is in the matrix already.")
    user.until_still(new)
    assert words.visibleRegion().boundingRect() == words.rect()
    assert places == [button.mapToGlobal(QPoint()) for button in (new, drop)]
    user.click_on(drop)
    user.until(lambda: len(many(user).machines) == 5)
    assert words.text() == ""


def test_a_place_is_forgotten_with_the_points_it_was_among(user):
    place, session = (0.3, -1.2), user.window.stage.session
    hover(user, *place)
    session.edit(session.document.moved([0], np.array([[0.1, 0.1]])), "Move point")
    user.until(lambda: is_ready(user))
    assert is_at_mouse(user)
    session.reset(clouds(4, seed=3))
    user.until(lambda: is_ready(user))
    assert panel(user)._place is None
    assert panel(user).tally.text().startswith("Move the mouse")


def test_nothing_of_it_is_in_the_way_of_two_classes(open_window):
    user = open_window(moons())
    actions = user.window.menus.actions
    for name in ("next-machine", "previous-machine", "decision", "panel-machines"):
        assert not actions[name].isEnabled()
    assert actions["decision"].toolTip() == "This needs three or more classes."
    user.key("i")
    user.key("o")
    assert user.window.stage.session.undo_stack.count() == 0
    assert not user.window.stage.view.options.decision

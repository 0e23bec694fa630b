"""Quick keys: solver, kernel, data set, C, task and race, in the window and in a presentation."""

from __future__ import annotations

import math

import pytest

from solvers import METHODS, RBF, SMO, Linear, Pegasos, Perceptron
from svmviz.base.words import number
from svmviz.document.document import Penalty
from svmviz.window.menus.keys_dialog import keys_as_html
from svmviz.window.quick_changes import model_words, penalty_words
from tests.stages import eight, moons, sine

pytestmark = pytest.mark.display


@pytest.fixture
def user(open_window):
    return open_window(moons())


def document(user):
    return user.window.stage.session.document


def press(user, key, word):
    """Press a key, wait for the word on the picture, and return the line below it."""
    user.key(key)
    user.until(lambda: user.window.planes.word.isVisible() and told(user) == word)
    return user.window.planes.word.line


def told(user):
    return user.window.planes.word.text


def test_a_key_chooses_the_next_solver_and_with_shift_the_one_before(user):
    press(user, "m", "Working set")
    assert document(user).method.name == "working-set"
    line = press(user, "m", "Coordinate ascent")
    assert "Bias b" in line
    press(user, "shift+m", "Working set")
    press(user, "shift+m", "SMO")
    press(user, "shift+m", [kind.label for kind in METHODS.values()][-1])
    assert user.window.stage.session.undo_stack.count() == 5


def test_only_solvers_of_the_task_are_chosen(open_window):
    user = open_window(sine())
    for label in ("Working set", "Interior point", "SMO"):
        press(user, "m", label)
    assert document(user).is_regression


def test_a_solver_in_a_race_is_replaced_by_one_with_a_problem_in_common(open_window):
    user = open_window(moons(methods=(SMO(), Pegasos())))
    user.window.stage.playback.set_focus(1)
    press(user, "m", "Sub-gradient descent")
    assert [m.name for m in document(user).methods] == ["smo", "subgradient"]
    press(user, "shift+m", "Pegasos")
    # Coordinate ascent has no bias in common with SMO.
    press(user, "shift+m", "Working set")


def test_a_key_chooses_the_next_kernel_and_returns_to_its_parameters(open_window):
    user = open_window(moons(kernel=RBF(0.7)))
    press(user, "k", "Sigmoid kernel")
    press(user, "shift+k", "RBF kernel")
    assert document(user).kernel == RBF(0.7)


def test_a_key_generates_the_next_data_set_and_undo_restores_the_points(user):
    own = document(user).data
    press(user, "d", "Two clouds")
    press(user, "d", "Two moons")
    press(user, "shift+d", "Two clouds")
    user.key("ctrl+z", "ctrl+z", "ctrl+z")
    user.until(lambda: document(user).data is own)


def test_C_moves_by_its_soft_stops(open_window):
    user = open_window(moons(penalty=Penalty("C", 3.0)))
    for key, value in (("c", 5.0), ("c", 10.0), ("shift+c", 5.0), ("shift+c", 2.0)):
        press(user, key, f"C = {value:g}")
        assert value == document(user).C


def test_a_pinned_lambda_stays_pinned_and_falls_as_C_grows(open_window):
    user = open_window(moons(penalty=Penalty("lambda", 0.01)))
    assert press(user, "c", "λ = 0.005") == "C = 2.5"
    assert document(user).penalty == Penalty("lambda", 0.005)


@pytest.mark.parametrize(
    ("made", "largest"),
    [(eight(), math.inf), (eight(methods=(Pegasos(max_steps=50),)), 1e6), (sine(), 1e6)],
)
def test_C_ends_at_the_hard_margin_only_if_it_can_be_solved(open_window, made, largest):
    user = open_window(made)
    session = user.window.stage.session
    for _ in range(20):
        user.window.quick.step_penalty(1)
    assert largest == session.document.C
    words = penalty_words(session.document)
    assert words == (("C = ∞", "Hard margin") if math.isinf(largest) else ("C = 1,000,000", ""))
    assert told(user) == words[0]


def test_gamma_and_epsilon_move_by_their_soft_stops(open_window):
    user = open_window(moons(kernel=RBF(0.7)))
    assert press(user, "y", "γ = 1") == "σ = 0.7071"
    press(user, "y", "γ = 2")
    press(user, "shift+y", "γ = 1")
    press(user, "shift+y", "γ = 0.5")
    assert document(user).kernel == RBF(0.5)
    assert user.window.stage.session.undo_stack.count() == 4
    press(user, "u", "Classification: no ε")
    press(user, "shift+k", "Polynomial kernel")
    assert press(user, "y", "γ = 2") == "Polynomial kernel"
    press(user, "shift+k", "Linear kernel")
    press(user, "y", "Linear kernel: no γ")


def test_epsilon_of_a_regression_goes_to_0_and_back(open_window):
    user = open_window(sine(epsilon=0.015))
    for key, value in (("u", 0.02), ("shift+u", 0.01), ("shift+u", 0.0), ("u", 0.01)):
        press(user, key, f"ε = {value:g}")
        assert document(user).epsilon == value


def test_a_method_without_a_penalty_says_so(open_window):
    user = open_window(eight(methods=(Perceptron(),)))
    press(user, "c", "Perceptron: no C")
    assert document(user).C == 10.0


def test_keys_change_the_task_and_back(user):
    own = document(user).data
    press(user, "t", "Regression")
    assert document(user).is_regression
    press(user, "t", "Classification")
    assert document(user).data is own


def test_keys_begin_and_end_a_race(user):
    assert press(user, "a", "Race") == "SMO · Working set"
    assert "Pegasos" in press_again(user, "a")
    user.until(lambda: len(user.window.planes.views) == 3)
    press(user, "shift+a", "SMO")
    assert len(document(user).methods) == 1


def press_again(user, key):
    """Press a key that leaves the word as it is, and return the new line."""
    before = user.window.planes.word.line
    user.key(key)
    user.until(lambda: user.window.planes.word.line != before)
    return user.window.planes.word.line


def test_quick_keys_and_keys_of_the_window_work_in_a_presentation(open_window):
    user = open_window(moons(kernel=Linear()))
    user.key("F5")
    user.until(lambda: user.window.presentation.is_on)
    screen = user.window.presentation.screen
    user.until(screen.isActiveWindow)
    press(user, "k", "Polynomial kernel")
    press(user, "m", "Working set")
    press(user, "c", "C = 20")
    word = user.window.planes.word
    assert screen.rect().contains(word.geometry().translated(word.parentWidget().pos()))
    user.until(word.isHidden)
    user.key("ctrl+z")
    user.until(lambda: document(user).C == 10.0)
    user.key("e")
    user.until(lambda: user.window.plane.cursor() and tool(user) == "erase")
    # Of the window's keys, those with another meaning here have no effect.
    user.key("b")
    user.until(screen.blank.isVisible)
    user.key("b")
    user.until(screen.blank.isHidden)
    assert tool(user) == "erase"


def tool(user):
    checked = user.window.menus.tools.checkedAction()
    actions = user.window.menus.actions.items()
    return next(name for name, action in actions if action is checked).removeprefix("tool-")


def test_the_word_fits_a_narrow_picture(user):
    word, planes = user.window.planes.word, user.window.planes
    word.show_word("Race", " · ".join(method.label for method in METHODS.values()))
    assert planes.rect().contains(word.geometry())


def test_the_page_of_keys_lists_quick_keys(user):
    page = keys_as_html(user.window.menus.groups)
    for words in ("Next method", "Next kernel", "Next data set", "Larger C"):
        assert words in page


def test_a_presentation_names_the_model():
    assert model_words(moons()) == "SMO · RBF, γ = 1 · C = 10"
    document = moons(kernel=Linear(), methods=(Perceptron(),))
    assert model_words(document) == "Perceptron · Linear"
    assert model_words(moons(methods=(SMO(), Pegasos()), penalty=Penalty("lambda", 0.5))) == (
        "SMO and Pegasos · RBF, γ = 1 · λ = 0.5"
    )
    assert model_words(sine()).endswith(f"· ε = {number(sine().epsilon)}")

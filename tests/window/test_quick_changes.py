"""Quick keys: solver, kernel, data set, C, task and race, in the window and in a presentation."""

from __future__ import annotations

import math

import pytest

from solvers import METHODS, RBF, SMO, Linear, Pegasos, Perceptron
from svmviz.document.document import Penalty
from svmviz.window.menus.keys_dialog import keys_as_html
from svmviz.window.quick_changes import penalty_words
from tests.stages import eight, moons, sine

pytestmark = pytest.mark.display


@pytest.fixture
def hand(open_window):
    return open_window(moons())


def document(hand):
    return hand.window.stage.session.document


def press(hand, key, word):
    """Press a key, wait for the word on the picture, and return the line below it."""
    hand.key(key)
    hand.until(lambda: hand.window.planes.word.isVisible() and told(hand) == word)
    return hand.window.planes.word.line


def told(hand):
    return hand.window.planes.word.text


def test_a_key_chooses_the_next_solver_and_with_shift_the_one_before(hand):
    press(hand, "m", "Working set")
    assert document(hand).method.name == "working-set"
    line = press(hand, "m", "Coordinate ascent")
    assert "Bias b" in line
    press(hand, "shift+m", "Working set")
    press(hand, "shift+m", "SMO")
    press(hand, "shift+m", METHODS["hulls"].label)
    assert hand.window.stage.session.undo_stack.count() == 5


def test_only_solvers_of_the_task_are_chosen(open_window):
    hand = open_window(sine())
    for label in ("Working set", "Interior point", "SMO"):
        press(hand, "m", label)
    assert document(hand).is_regression


def test_a_solver_in_a_race_is_replaced_by_one_with_a_problem_in_common(open_window):
    hand = open_window(moons(methods=(SMO(), Pegasos())))
    hand.window.stage.playback.set_focus(1)
    press(hand, "m", "Sub-gradient descent")
    assert [m.name for m in document(hand).methods] == ["smo", "subgradient"]
    press(hand, "shift+m", "Pegasos")
    # Coordinate ascent has no bias in common with SMO.
    press(hand, "shift+m", "Working set")


def test_a_key_chooses_the_next_kernel_and_returns_to_its_parameters(open_window):
    hand = open_window(moons(kernel=RBF(0.7)))
    press(hand, "k", "Sigmoid kernel")
    press(hand, "shift+k", "RBF kernel")
    assert document(hand).kernel == RBF(0.7)


def test_a_key_generates_the_next_data_set_and_undo_restores_the_points(hand):
    own = document(hand).data
    press(hand, "d", "Two moons")
    press(hand, "d", "Two circles")
    press(hand, "shift+d", "Two moons")
    hand.key("ctrl+z", "ctrl+z", "ctrl+z")
    hand.until(lambda: document(hand).data is own)


def test_C_moves_by_its_soft_stops(open_window):
    hand = open_window(moons(penalty=Penalty("C", 3.0)))
    for key, value in (("c", 5.0), ("c", 10.0), ("shift+c", 5.0), ("shift+c", 2.0)):
        press(hand, key, f"C = {value:g}")
        assert value == document(hand).C


def test_a_pinned_lambda_stays_pinned_and_falls_as_C_grows(open_window):
    hand = open_window(moons(penalty=Penalty("lambda", 0.01)))
    assert press(hand, "c", "λ = 0.005") == "C = 2.5"
    assert document(hand).penalty == Penalty("lambda", 0.005)


@pytest.mark.parametrize(
    ("made", "largest"),
    [(eight(), math.inf), (eight(methods=(Pegasos(max_steps=50),)), 1e6), (sine(), 1e6)],
)
def test_C_ends_at_the_hard_margin_only_if_it_can_be_solved(open_window, made, largest):
    hand = open_window(made)
    session = hand.window.stage.session
    for _ in range(20):
        hand.window.quick.step_penalty(1)
    assert largest == session.document.C
    words = penalty_words(session.document)
    assert words == (("C = ∞", "Hard margin") if math.isinf(largest) else ("C = 1,000,000", ""))
    assert told(hand) == words[0]


def test_a_method_without_a_penalty_says_so(open_window):
    hand = open_window(eight(methods=(Perceptron(),)))
    press(hand, "c", "Perceptron: no C")
    assert document(hand).C == 10.0


def test_keys_change_the_task_and_back(hand):
    own = document(hand).data
    press(hand, "t", "Regression")
    assert document(hand).is_regression
    press(hand, "t", "Classification")
    assert document(hand).data is own


def test_keys_begin_and_end_a_race(hand):
    assert press(hand, "a", "Race") == "SMO · Working set"
    assert "Pegasos" in press_again(hand, "a")
    hand.until(lambda: len(hand.window.planes.views) == 3)
    press(hand, "shift+a", "SMO")
    assert len(document(hand).methods) == 1


def press_again(hand, key):
    """Press a key that leaves the word as it is, and return the new line."""
    before = hand.window.planes.word.line
    hand.key(key)
    hand.until(lambda: hand.window.planes.word.line != before)
    return hand.window.planes.word.line


def test_quick_keys_and_keys_of_the_window_work_in_a_presentation(open_window):
    hand = open_window(moons(kernel=Linear()))
    hand.key("F5")
    hand.until(lambda: hand.window.presentation.is_on)
    screen = hand.window.presentation.screen
    hand.until(screen.isActiveWindow)
    press(hand, "k", "Polynomial kernel")
    press(hand, "m", "Working set")
    press(hand, "c", "C = 20")
    word = hand.window.planes.word
    assert screen.rect().contains(word.geometry().translated(word.parentWidget().pos()))
    hand.until(word.isHidden)
    hand.key("ctrl+z")
    hand.until(lambda: document(hand).C == 10.0)
    hand.key("e")
    hand.until(lambda: hand.window.plane.cursor() and tool(hand) == "erase")
    # Of the window's keys, those with another meaning here have no effect.
    hand.key("b")
    hand.until(screen.blank.isVisible)
    hand.key("b")
    hand.until(screen.blank.isHidden)
    assert tool(hand) == "erase"


def tool(hand):
    checked = hand.window.menus.tools.checkedAction()
    actions = hand.window.menus.actions.items()
    return next(name for name, action in actions if action is checked).removeprefix("tool-")


def test_the_word_fits_a_narrow_picture(hand):
    word, planes = hand.window.planes.word, hand.window.planes
    word.tell("Race", " · ".join(method.label for method in METHODS.values()))
    assert planes.rect().contains(word.geometry())


def test_the_page_of_keys_lists_quick_keys(hand):
    page = keys_as_html(hand.window.menus.specs)
    for words in ("Next solver", "Next kernel", "Next data set", "Larger C"):
        assert words in page

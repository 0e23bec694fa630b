"""The check of a lesson finds each kind of question that is not sound."""

import re

import pytest

from svmviz.lessons.check import check_lesson, notes_on
from svmviz.lessons.lessons import read_lesson

# Eight points, at the optimum of which α is (0, 0, .5, 0, .25, 0, .25, 0).
HEAD = "---\ntitle: T\n---\n# One\nWords.\n"


def troubles(*blocks, show="scene eight-points\nstep end"):
    text = HEAD + f"```show\n{show}\n```\n" + "".join(f"```{block}\n```\n" for block in blocks)
    return check_lesson(read_lesson(text, "test"))


def predict(*lines):
    return "predict\nask Which?\n" + "\n".join(lines)


def test_sound_tasks_pass():
    assert not troubles(
        predict("number support"),
        predict("number eta", "at 2"),
        predict("point at_largest(alpha)"),
        predict("pair 3, alpha > 0 and y < 0"),
        predict("right a", "value 2", "choice b", "value 1"),
        predict("right a", "value 1", "choice b", "value 2"),
        predict("right a", "choice b"),
        predict("range 0, 2", "wrong -2, 2", "reply No."),
        "certify\nask Type it.\ntype alpha",
        "certify\nask Type it.\ntype w, b",
        "do\nask Do it.\ngoal ended and moved >= 1\ngoal same_f\ntry move 4 -0.5 -0.5",
        "formula\n\\frac{1}{2}",
    )


@pytest.mark.parametrize(
    ("block", "words"),
    [
        (predict("number eror"), "There is no 'eror' here: 'eror'; did you mean"),
        ("do\nask Do it.\ngoal n == 8\ngoal n < 8 and eror == 0", "Line 13: There is no 'eror'"),
        ("certify\nask Do it.\ntype w, b\ngoal eror == 0", "Line 13: There is no 'eror'"),
        (predict("number support", "at 999"), "There is no step 999 here"),
        (predict("number support", "at next"), "No step follows step 30"),
        (predict("number alpha[12]"), "There is no number 12 here"),
        (predict("number 1 / 0"), "no number|the answer is"),
        (predict("number 1e-9"), "no one types"),
        (predict("number 0.5", "wrong alpha[3]", "reply No."), "wrong .*: this answer is right"),
        (predict("point alpha > 0", "wrong 3", "reply No."), "this answer is right"),
        (predict("place 0, 1", "wrong 0, 1", "reply No."), "this answer is right"),
        (predict("number 1", "wrong eror", "reply No."), "There is no 'eror' here"),
        (predict("point x1 > -9"), "every point is right"),
        (predict("point alpha > 9"), "no point here"),
        (
            predict("point at_largest(where(number == 1, 1.05, where(number == 2, 1, 0)))"),
            "4.8\xa0%",
        ),
        (predict("right a", "value 1.05", "choice b", "value 1"), "only 4.8\xa0% ahead"),
        (predict("right a", "value 2", "choice b", "value 3", "choice c", "value 1"), "neither"),
        (predict("right a", "value 2", "choice b"), "either every choice"),
        (predict("right a", "value alpha", "choice b", "value 1"), "is not one number"),
        ("do\nask Do it.\ngoal n == 8", "reached before anything is done"),
        ("do\nask Do it.\ngoal n == 7", "there is no line try"),
        ("do\nask Do it.\ngoal n == 7\nwords Seven points\ntry C 2", "Seven points"),
        ("do\nask Do it.\ngoal n == 7\ntry degree 2", r"try degree 2 \(line 13\): there is no"),
        ("do\nask Do it.\ngoal n == 7\ntry C 2", "Line 13: the card has no control C"),
        ("do\nask Do it.\ngoal n == 7\ntry delete 9", "no point 9 here"),
        ("certify\nask Type it.\ntype alpha\ngap 90 %", "half of the optimum"),
        ("certify\nask Type it.\ntype alpha\ngoal D > 9", "the optimum of the scene is not right"),
        ("formula\nx\n\\frac{1", "Line 12: this formula cannot be typeset: a } is missing"),
        ("formula\n\\alhpa", r"there is no command \\alhpa"),
        ("formula\nx_1_2", "cannot be typeset"),
    ],
)
def test_what_is_not_sound_is_found_with_its_line(block, words):
    found = troubles(block)
    assert all(sentence.startswith("Line ") for sentence in found)
    assert any(re.search(words, sentence) for sentence in found), found


@pytest.mark.parametrize(
    ("show", "words"),
    [
        ("scene eight-points\nstep 999", "no step 999"),
        ("scene eight-points\nhide alpha\npanels alpha", "a panel of this card shows it"),
        ("scene eight-points\nhide alpha", "without a task nothing is hidden"),
    ],
)
def test_what_a_card_shows_is_checked(show, words):
    assert any(words in sentence for sentence in troubles(show=show))


def test_a_number_that_a_panel_prints_is_noted():
    text = (
        f"{HEAD}```show\nscene eight-points\npanels model\n```\n"
        f"```{predict('number support')}\n```\n```{predict('number support / n')}\n```\n"
    )
    (note,) = notes_on(read_lesson(text, "test"))
    assert note == "Line 10: the panel model prints the answer, support."
    text = (
        f"{HEAD}```show\nscene own-line\npanels line\n```\n"
        f"```{predict('number 100 * own_width / width')}\n```\n"
    )
    (note,) = notes_on(read_lesson(text, "test"))
    assert "the panel line prints the answer, 100 * own_width / width." in note


def test_a_control_may_be_on_the_card_or_in_a_panel():
    goal = "do\nask Do it.\ngoal C == 2\ntry C 2"
    for line in ("controls C", "panels settings"):
        assert not troubles(goal, show=f"scene eight-points\n{line}")


def test_a_question_without_a_scene_is_found():
    (trouble,) = check_lesson(read_lesson(HEAD + f"```{predict('number 1')}\n```\n", "test"))
    assert "no scene" in trouble

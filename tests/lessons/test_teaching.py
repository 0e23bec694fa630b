"""Notes on lessons that only those understand who answer wrong."""

import pytest

from svmviz.lessons.lessons import read_lesson
from svmviz.lessons.teaching import teaching_notes

HEAD = "---\ntitle: T\n---\n# One\nWords.\n"


def notes(*blocks):
    text = HEAD + "".join(f"```{block}\n```\n" for block in blocks)
    return teaching_notes(read_lesson(text, "test"))


def predict(*lines):
    return "predict\nask Which?\n" + "\n".join(lines)


def test_a_reason_and_a_reply_to_each_idea_need_no_note():
    assert not notes(
        predict("right a", "choice b", "hint h", "because The reason."),
        predict("right a", "choice b", "reply r", "choice c", "reply s", "because A reason."),
        predict("number 1", "hint g", "because 1 = 1."),
        "do\nask Do it.\ngoal n == 8\nhint i\nbecause Done.",
    )


@pytest.mark.parametrize(
    ("block", "words"),
    [
        (predict("right a", "choice b", "choice c", "hint h", "because R."), "one hint answers 2"),
        (predict("order a", "order b", "hint h", "because R."), "every wrong order"),
        (predict("number 1", "hint h"), "no line because"),
        ("do\nask Do it.\ngoal n == 8", "no line because"),
        (predict("number 1", "because Then k − h = −k."), "begins with 'Then'"),
        (predict("number 1", "because So both other factors are."), "begins with 'So'"),
        (predict("number 1", "hint The same.", "because The same."), "repeats the hint"),
        (predict("right Points 1", "choice b", "because Points 1."), "only repeats the answer"),
        (
            predict("right a", "choice b", "reply No.", "choice c", "reply No.", "because R."),
            "“No.” is said in line 6 too",
        ),
    ],
)
def test_what_only_wrong_answers_teach_is_noted_with_its_line(block, words):
    (note,) = notes(block)
    assert note.startswith("Line 6: ")
    assert words in note


def test_a_word_that_begins_like_then_does_not_go_on():
    assert not notes(predict("number 1", "because Sometimes one."))


def test_a_hint_that_is_repeated_is_noted():
    same = predict("number 1", "hint Look.", "because One.")
    assert notes(same, same) == ["Line 12: “Look.” is said in line 6 too."]

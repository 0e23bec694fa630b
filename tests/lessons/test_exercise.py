"""Exercises over a run: their block, their check, and fresh points."""

import pytest

from solvers import BadInput
from svmviz.lessons.check import Stand, check_lesson
from svmviz.lessons.exercise import Exercise
from svmviz.lessons.fresh import trouble_with_fresh, with_numbers
from svmviz.lessons.lessons import read_lesson
from svmviz.lessons.tasks import TaskStudy, show_task

TEXT = """---
title: By hand
---
# SMO

Do it yourself.

```show
scene  {scene}
step   {step}
{more}
```

```steps
ask    Do the next steps.
count  {count}
{lines}
```
"""


def lesson_of(count="3", step="0", lines="", scene="eight-points", more=""):
    return read_lesson(
        TEXT.format(count=count, step=step, lines=lines, scene=scene, more=more), "by-hand"
    )


def test_a_block_is_read_and_begins_at_the_step_of_its_card():
    task = lesson_of(step="4", lines="feedback  at the end\nbecause  So.").cards[0].tasks[0]
    assert task == Exercise(3, 4, True, ask="Do the next steps.", because="So.", row=task.row)
    assert not lesson_of(lines="feedback  at once").cards[0].tasks[0].at_end


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"count": "0"}, "Line 14: a block ```steps has a line count, a number from 1 to 20."),
        ({"count": "many"}, "a number from 1 to 20"),
        ({"lines": "feedback  never"}, "Line 17: feedback is at once or at the end."),
        ({"step": "end"}, "has a line step, after which the steps are done"),
        ({"lines": "goal  n > 1"}, "has no line 'goal'"),
    ],
)
def test_a_wrong_block_is_named(settings, words):
    with pytest.raises(BadInput) as error:
        lesson_of(**settings)
    assert words in str(error.value)


def test_a_card_has_one_exercise():
    block = "```\n\n```steps\nask  Again.\ncount  1"
    with pytest.raises(BadInput, match=r"Line 19: a card has at most one block ```steps\."):
        lesson_of(lines=block)


def test_the_check_plays_the_steps():
    assert check_lesson(lesson_of()) == []
    # The run of this scene has 30 steps.
    (fault,) = check_lesson(lesson_of(count="20", step="28"))
    assert fault == "Line 14: the run has only 2 of these 20 steps."
    (fault,) = check_lesson(lesson_of(scene="sub-gradients"))
    assert "can be done by hand, not of Sub-gradient" in fault


def test_steps_are_computed_once_for_a_run():
    card = lesson_of().cards[0]
    document = card.show.read_scene().document
    frame, runs = Stand(document, 0).frame()
    study = TaskStudy(card.tasks[0], document)
    steps = study(frame, runs).steps
    assert [step.step for step in steps] == [1, 2, 3]
    later, _ = Stand(document, 2).frame()
    assert study(later, ()).steps in ((), steps)
    assert study(frame, runs).steps is steps


def test_every_try_may_have_other_points():
    lesson = lesson_of(count="2", more="fresh  0.5")
    assert trouble_with_fresh(lesson) == []
    asked = []
    for version in (0, 1, 2):
        card = with_numbers(lesson, version).cards[0]
        frame, runs = Stand(card.show.read_scene().document, 0).frame()
        steps = show_task(card.tasks[0], frame, None, runs).steps
        assert len(steps) == 2
        asked.append(tuple(decision.ask for step in steps for decision in step.decisions))
        assert check_lesson(with_numbers(lesson, version)) == []
    assert len(set(asked)) == 3

"""Steps done by hand in a page: the marks are those of the program on the same answers."""

from __future__ import annotations

import random

import pytest

from solvers import METHODS, solve
from solvers.data.datasets import PointSet
from svmviz.document.document import Document, Penalty
from svmviz.io.scene import Scene
from svmviz.io.scene_line import write_scene_line
from svmviz.lessons.by_hand import GIVEN_UP, RIGHT, TIED, WRONG, steps_by_hand
from svmviz.lessons.exercise import Attempt
from svmviz.lessons.hand_in import read_line
from tests.export.html.chromium import CHROMIUM_ONLY, wait_for
from tests.export.html.test_lesson_browser import Student, page_of
from tests.lessons.test_by_hand import CASES, Truth, answers_of, points

pytestmark = [pytest.mark.slow, CHROMIUM_ONLY]
STEPS = 4
# Cases of tests/lessons/test_by_hand.py, with the kinds of decisions that there are.
PLAYED = ("smo", "smo of first order", "perceptron", "pegasos", "ascent, cyclic", "mdm", "pairwise")
TEXT = """---
title: By hand
---
# Steps

Do them.

```show
scene  {line}
step   0
view   numbers
```

```steps
ask       Do the next steps.
count     {count}
feedback  {feedback}
because   So it goes.
```
"""


def document_of(name):
    method, settings, kernel, more = CASES[name]
    X, y = points(1)
    C = more.get("C", 1.0)
    bias = more.get("bias", "free")
    return Document(
        PointSet(X, y),
        methods=(METHODS[method](**settings),),
        kernel=kernel,
        bias=bias,
        penalty=Penalty("C", C),
    )


@pytest.mark.parametrize("feedback", ["at once", "at the end"])
@pytest.mark.parametrize("name", PLAYED)
def test_marks_in_a_page_are_those_of_the_program(visited, tmp_path, name, feedback):
    document = document_of(name)
    (tmp_path / "l.md").write_text(
        TEXT.format(line=write_scene_line(Scene(document)), count=STEPS, feedback=feedback),
        encoding="utf-8",
    )
    page = visited(page_of(str(tmp_path / "l.md"), tmp_path / "made"))
    run = solve(document.problem(), document.method)
    steps = steps_by_hand(run, 0, STEPS, document.data.points)
    attempt, draw = Attempt(steps, feedback == "at the end"), random.Random(f"{name}{feedback}")
    truths = {step.step: Truth(run, step.step).answers() for step in steps}
    student = Student(page, None)
    while (decision := attempt.decision) is not None:
        step = steps[attempt.done]
        truth = truths[step.step][step.decisions.index(decision)]
        go_on(student, attempt, answers_of(decision, truth, run.problem.n, draw), draw)
        made = page.evaluate("Object.values(page.lesson.progress.state.done).map((end) => end[4])")
        assert made == [mark.outcome for mark in attempt.marks]
        if attempt.decision is not None:
            assert page.evaluate("page.lane.steps[page.place]") == attempt.shown_step
            said = page.locator("#lesson-tasks .right-answer").all_inner_texts()
            assert said == [attempt.said] * bool(attempt.said)
    check_end(page, attempt)


def go_on(student, attempt, answers, draw):
    """Answer a decision in the page and in the program, or give up the step."""
    right, tied, wrong = answers
    decision, kind = attempt.decision, draw.choice((RIGHT, RIGHT, TIED, WRONG, WRONG, GIVEN_UP))
    if kind == GIVEN_UP:
        student.press("Model answer")
        attempt.show_model()
        return
    answer = {RIGHT: right, TIED: tied, WRONG: wrong}[kind]
    answer = right if answer is None else answer
    give(student, decision, answer)
    if reply := attempt.answer(answer):
        assert student.reply == reply
        give(student, decision, right)
        attempt.answer(right)


def check_end(page, attempt):
    wait_for(page, "page.lesson.task === undefined", True)
    assert page.locator("#lesson-tasks .done-task p").all_inner_texts()[1:] == [
        attempt.summary(),
        "So it goes.",
    ]
    assert page.locator("#lesson-tasks .done-task p >> nth=0").inner_text()[0] == (
        "✓" if attempt.is_right else "○"
    )
    # What is handed in counts the exercise as one question, as the window does.
    page.reload()
    page.wait_for_selector("body.ready")
    page.get_by_text("Hand in", exact=True).click()
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Copy the line").click()
    line = read_line(page.get_by_label("The line to hand in").input_value())
    (mark,) = line.marks
    assert (line.student, line.lesson) == ("Ada", "l")
    assert (mark.result, mark.wrong) == ("r" if attempt.is_right else "g", attempt.wrong)


def give(student, decision, answer):
    """Give an answer: a choice, numbers that are typed, or points that are tapped."""
    page = student.page
    if isinstance(answer, int):
        page.click(f"#lesson-tasks .choice >> nth={answer}")
    elif decision.question.candidates:
        for point in answer:
            student.tap(*page.evaluate("i => page.views[0].pointPixels(i)", point))
    else:
        student.type(*(repr(float(x)) for x in answer))


def test_what_is_no_point_is_no_wrong_answer(visited, tmp_path):
    line = write_scene_line(Scene(document_of("smo")))
    (tmp_path / "l.md").write_text(TEXT.format(line=line, count=1, feedback="at once"), "utf-8")
    student = Student(visited(page_of(str(tmp_path / "l.md"), tmp_path / "made")), None)
    for typed in ("13", "0", "1.5"):
        student.type(typed)
        assert student.reply == "Type the number of a point, from 1 to 12."
    assert student.page.evaluate("page.lesson.tries[0]") == 0

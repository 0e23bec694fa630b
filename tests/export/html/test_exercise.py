"""Exercises in a page, and the line that is handed in: verdicts and marks as the program's."""

import itertools
import random

import numpy as np
import pytest

from svmviz.export.html.tasks import _decision_contents
from svmviz.lessons.answers import NumberKey
from svmviz.lessons.by_hand import GIVEN_UP, RIGHT, TIED, WRONG, judge, steps_by_hand
from svmviz.lessons.exercise import Attempt, HandMark
from svmviz.lessons.fresh import with_numbers
from svmviz.lessons.hand_in import ABOUT, START, Mark, line_of, read_line, version_of
from svmviz.lessons.shipped import LESSONS
from tests.export.html.engine import Engine
from tests.lessons.test_by_hand import CASES, run_of

SCRIPTS = ("numbers.js", "progress.js", "tasks.js", "exercise.js", "hand_in.js")


@pytest.fixture(scope="module")
def engine(qapp):
    return Engine(*SCRIPTS)


def answers_to(decision, n, draw):
    """Answers of each kind that a student may give."""
    if decision.question.choices:
        return [*range(len(decision.question.choices))]
    if not isinstance(decision.key, NumberKey):
        every = [*itertools.permutations(range(n), len(tuple(decision.own)))]
        return draw.sample(every, min(len(every), 40))
    own = decision.question.numbers
    slips = [(number,) * len(own) for number, _ in decision.question.slips]
    first = (own[0] + 1.0, *own[1:])
    near = [tuple(x * (1.0 + share) for x in own) for share in (-0.02, -0.009, 0.009, 0.02)]
    places = [tuple(x + draw.uniform(-0.6, 0.6) for x in own) for _ in range(10)]
    return [own, first, *slips, *near, *places]


@pytest.mark.parametrize("name", CASES)
def test_a_page_judges_as_the_program(engine, name):
    draw, run = random.Random(name), run_of(name, 1)
    cases, expected = [], []
    for step in steps_by_hand(run, 0, 6, run.problem.X):
        for decision in step.decisions:
            made = _decision_contents(decision, run.problem.n)
            for answer in answers_to(decision, run.problem.n, draw):
                cases.append([made, answer if isinstance(answer, int) else list(answer)])
                expected.append(list(judge(decision, answer)))
    found = engine.call(
        "cases.map(([task, answer]) => judge(task, answer, y))",
        cases=cases,
        y=run.problem.y.tolist(),
    )
    assert found == expected
    assert {outcome for outcome, _ in found} >= {RIGHT, WRONG}


def test_marks_are_summed_up_as_in_the_window(engine):
    draw = random.Random(1)
    for _ in range(30):
        marks = [
            HandMark(k, "the points", draw.choice((RIGHT, TIED, WRONG, GIVEN_UP)), "No. So.")
            for k in range(draw.randrange(1, 9))
        ]
        made = [{"step": m.step, "name": m.name, "outcome": m.outcome, "why": m.why} for m in marks]
        assert engine.call("summaryOf(marks)", marks=made) == Attempt((), marks=marks).summary()


@pytest.mark.parametrize(
    "student", ["Ada Lovelace", "  Ünal:  O'Neil (jr.), ", "名前 🙂*!~", "", "x" * 200]
)
def test_a_page_writes_the_line_of_the_window(engine, student):
    lesson = LESSONS["the-gap"]
    marks = [Mark("r", 0, 35), Mark("g", 2, 200_000), Mark("-", 1, 12)]
    facts = {"prefix": START, "lesson": lesson.name, "version": version_of(lesson), "about": ABOUT}
    shown = [[m.result == "r", m.result != "-", m.wrong, float(m.seconds)] for m in marks]
    line = engine.call(
        'handInLine(student, facts, marks, "2026-11-29")',
        student=student,
        facts=facts,
        marks=shown,
    )
    assert line == line_of(student, lesson, marks, "2026-11-29")
    assert read_line(line).student == " ".join(student.split())[:80]


def test_the_check_number_is_that_of_the_text_in_utf_8(engine):
    for text in ("", "a", "übung:1", "名🙂", *map(str, np.arange(50) ** 7)):
        line = line_of("", LESSONS["the-gap"], (), text)
        assert engine.call("checkNumber(line)", line=line[:-5]) == line[-4:]


def test_the_version_of_a_lesson_is_the_same_for_other_points(qapp):
    lesson = LESSONS["hull-pairs"]
    drawn = [with_numbers(lesson, k) for k in (0, 1)]
    assert drawn[0].cards[-1].tasks[0].ask != drawn[1].cards[-1].tasks[0].ask
    assert {*map(version_of, drawn)} == {version_of(lesson)}

"""A stranger's lesson is read, or refused in one sentence; nothing else happens."""

import random

import numpy as np
import pytest

from solvers.errors import BadInput
from svmviz.base import resources
from svmviz.export.html.lesson import lesson_contents
from svmviz.export.html.packing import packed
from svmviz.lessons.check import check_lesson
from svmviz.lessons.lessons import read_lesson
from svmviz.lessons.shipped import LESSONS
from svmviz.panels.registry import shown_by_lessons
from svmviz.tools import TOOLS

HEAD = "---\ntitle: T\n---\n# One\nWords.\n"
# What a changed text gets in place of a piece of itself.
PIECES = (
    "", "`", "```", "#", "---", "\n", "\n\n", "    ", "\t", "\0", "\u202e", "<img src=x>", "&", "$",
    "%s", "{", "[", "(", "alpha", "9" * 400, "1e999", "-", "**", "x" * 3000, "\r", "é", "∞",
    "\ud800", "scene svmviz:1:", "number ", "point ", "certify", "at next", "step 999999999",
)  # fmt: skip


def changed(text, draw):
    for _ in range(draw.randint(1, 6)):
        start = draw.randrange(len(text) + 1)
        end = min(len(text), start + draw.choice((0, 0, 1, 2, 8, 40, 200)))
        text = text[:start] + draw.choice(PIECES) + text[end:]
    return text


def page_or_refusal(lesson):
    """Return what is packed into the page of a lesson, or why there is none."""
    with np.errstate(all="ignore"):
        try:
            return packed(lesson_contents(lesson, shown_by_lessons()))
        except BadInput as error:
            return str(error)


def refusal_of(text):
    try:
        read_lesson(text, "test").check_names(shown_by_lessons(), TOOLS)
    except BadInput as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", LESSONS)
def test_a_changed_text_is_read_or_refused_in_one_sentence(name):
    text = (resources.path("lessons") / f"{name}.md").read_text(encoding="utf-8")
    draw = random.Random(name)
    refusals = [refusal for _ in range(60) if (refusal := refusal_of(changed(text, draw)))]
    assert len(refusals) > 10
    # Long names are cut; a list of what there is may follow.
    assert all("\n" not in refusal and len(refusal) < 1500 for refusal in refusals)


@pytest.mark.parametrize(
    "expression",
    [
        "9**9**9**9", "10**400", "1e308 * 1e308", "K @ K @ K", "K[1, 99]", "alpha[alpha]", "f[0.5]",
        "where(alpha, kernel, 1)", "at_largest(kernel)", "at_largest(K)", "sum(1, 2)", "same_line",
        "log(-1)", "norm(kernel)", "not alpha", "test_error", "own_width", "eigenvalue < 0",
        "dot(alpha, 1)", "kernel + 1", "step[1]", "min(K, alpha)", "E == f == y", "moved",
        "1and 2", '"\\d"', "not kernel", "kernel and P", "kernel", "1 / 0", "1e999", "0 / 0",
        "at_largest(1 / alpha)", "at_smallest(0 / alpha)", "K @ beta", "10 ** 400",
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["number", "point", "goal"])
def test_an_expression_has_a_value_or_is_refused_in_one_sentence(kind, expression):
    block = (
        f"```do\nask Do it.\ngoal {expression}\ntry C 2\n```\n"
        if kind == "goal"
        else f"```predict\nask Which?\n{kind} {expression}\n```\n"
    )
    text = HEAD + "```show\nscene eight-points\n```\n" + block
    try:
        lesson = read_lesson(text, "test")
        troubles = check_lesson(lesson)
    except BadInput as error:
        lesson, troubles = None, [str(error)]
    assert all("\n" not in trouble and len(trouble) < 700 for trouble in troubles)
    if lesson is not None:
        assert page_or_refusal(lesson)


@pytest.mark.parametrize(
    "change",
    [
        "C nan", "C -1", "C inf", "C x", "gamma 2", "kernel <b>", "kernel rbf", "method pegasos",
        "bias none", "bias x", "tol 1e9", "C 10,000", "C 1·10³", "gamma 0", "degree 2.5",
        "lambda x", "move 1 1e999 0", "move 0 1 1", "move 1.5 1 1",
        "delete -1", "line 0 0 0", "line 1e308 1e308 0", "step -1", "step 1e9", "part test",
        "part x", "lambda 0", "epsilon -1", "pair x", "max_steps 0",
    ],
)  # fmt: skip
def test_a_try_changes_the_scene_or_is_refused_in_one_sentence(change):
    goal = f"```do\nask Do it.\ngoal C < 0\ntry {change}\n```\n"
    control = change.partition(" ")[0]
    controls = f"controls {control}\n" if control in ("C", "gamma") else ""
    text = HEAD + f"```show\nscene eight-points\n{controls}```\n" + goal
    try:
        lesson = read_lesson(text, "test")
        troubles = check_lesson(lesson)
    except BadInput as error:
        lesson, troubles = None, [str(error)]
    if lesson is not None:
        assert page_or_refusal(lesson)
    assert troubles
    assert all("\n" not in trouble and len(trouble) < 700 for trouble in troubles)

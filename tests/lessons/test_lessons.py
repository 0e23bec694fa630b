"""Lessons are read from texts, wrong ones are refused with their line, and all can be played."""

import textwrap
from dataclasses import replace
from pathlib import Path

import pytest

from solvers import RBF, solve
from solvers.errors import BadInput
from svmviz.base import resources
from svmviz.document.document import Penalty
from svmviz.document.user_line import UserLine
from svmviz.frames.lane_reader import make_frame
from svmviz.frames.viewport import Viewport
from svmviz.io.open_and_save import open_scene
from svmviz.io.scene import write_scene
from svmviz.io.scene_line import write_scene_line
from svmviz.lessons.check import check_lesson, notes_on
from svmviz.lessons.exercise import Exercise
from svmviz.lessons.expressions import FUNCTIONS
from svmviz.lessons.goals import Goal
from svmviz.lessons.lessons import is_lesson_file, read_lesson, read_lesson_file
from svmviz.lessons.questions import CHOICE, Question
from svmviz.lessons.shipped import LESSONS, find_lesson
from svmviz.lessons.task_values import PREDICTED, TASK_NAMES, TaskValues
from svmviz.lessons.tasks import TaskStudy, show_task
from svmviz.lessons.teaching import teaching_notes
from svmviz.lessons.values import NAMES
from svmviz.panels.registry import PANELS, shown_by_lessons
from svmviz.tools import TOOLS
from tests.lessons.course_terms import unknown_terms
from tests.plane.frames import fitted, points, solved
from tests.stages import eight

HEAD = "---\ntitle: T\n---\n"
CARD = HEAD + "# One\nWords.\n"
CHOICES = "```predict\nask Which?\nchoice a\nright b\n```\n"


def frame_of(document, step=None):
    return solved(document, fitted(document), step, nodes=8)


def frame_and_runs(document, step=None):
    run = solve(document.problem(), document.method)
    grid = Viewport(-1.0, 1.0, -1.0, 1.0).grid(8, moving=False)
    return make_frame(document, (run,), run.steps if step is None else step, grid), (run,)


def moved(document, index, by):
    places = document.data.points.copy()
    places[index] += by
    return replace(document, data=points(places, document.data.labels))


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_is_played_with_right_and_wrong_answers(name):
    LESSONS[name].check_names(shown_by_lessons(), TOOLS)
    assert check_lesson(LESSONS[name]) == []


def test_every_lesson_has_its_place_in_the_order_and_a_source():
    files = {path.stem for path in resources.path("lessons").glob("*.md")}
    assert files == set(LESSONS)
    for lesson in LESSONS.values():
        assert lesson.help.endswith(".")
        assert lesson.source
        assert 3 <= len(lesson.cards) <= 6
        assert lesson.chapter
        assert not teaching_notes(lesson)
        for task in (task for card in lesson.cards for task in card.tasks):
            if isinstance(task, Question) and task.kind == CHOICE:
                wrong = [k for k, choice in enumerate(task.choices) if not choice.is_right]
                assert all(map(task.reply_to, wrong))
            elif not isinstance(task, Exercise):
                assert task.hint


def test_no_panel_prints_an_answer():
    assert [note for lesson in LESSONS.values() for note in notes_on(lesson)] == []


def test_nothing_is_used_before_it_is_introduced():
    assert unknown_terms(LESSONS) == []


def test_a_text_is_read_into_cards_and_tasks():
    text = (
        HEAD
        + "# One\nSome words.\n```show\nscene eight-points\nstep 3\npanels alpha, model\n```\n"
        + CHOICES
        + "# Two\n```do\nask Do it.\ngoal n == 8 and free >= 2\nwords Eight\ngoal ended\n```\n"
    )
    one, two = read_lesson(text, "name").cards
    assert one.show.panels == ("alpha", "model")
    assert (one.show.step, one.paragraphs) == (3, ("Some words.",))
    assert [choice.is_right for choice in one.tasks[0].choices] == [False, True]
    goal = two.tasks[0]
    shown = show_task(goal, frame_of(eight(), 0), None)
    assert shown.holds == (False, False)
    assert show_task(goal, frame_of(eight()), None).holds[1]


def test_a_scene_may_be_inside_the_lesson():
    scene = open_scene(resources.path("scenes/eight-points.svmviz"))
    text = HEAD + f"# One\nWords.\n```show\nscene {write_scene_line(scene)}\n```\n"
    (card,) = read_lesson(text, "name").cards
    assert card.show.read_scene().document.data == scene.document.data


def test_a_scene_may_be_beside_the_lesson(tmp_path):
    scene = open_scene(resources.path("scenes/two-moons.svmviz"))
    # A scene of the folder comes before one of the same name among the assets.
    for name in ("coffee", "eight-points", "in/tea"):
        (tmp_path / "in").mkdir(exist_ok=True)
        (tmp_path / f"{name}.svmviz").write_text(write_scene(scene), encoding="utf-8")
        file = tmp_path / "mine.md"
        file.write_text(HEAD + f"# One\nWords.\n```show\nscene {name}\n```\n", encoding="utf-8")
        if "/" in name:
            with pytest.raises(BadInput, match="there is no scene 'in/tea'; svmviz list scenes"):
                read_lesson_file(file)
        else:
            (card,) = read_lesson_file(file).cards
            (tmp_path / f"{name}.svmviz").write_text("nothing", encoding="utf-8")
            assert card.show.read_scene() == scene
            with pytest.raises(BadInput, match=rf"^mine\.md: Line 7: {name}\.svmviz: "):
                read_lesson_file(file)


def test_text_stays_as_it_is_written():
    (card,) = read_lesson(HEAD + "# *One* `1`\n[a]: b\n\n**Two** <i>3</i>\n", "name").cards
    assert (card.title, card.paragraphs) == ("*One* `1`", ("[a]: b", "**Two** <i>3</i>"))


def block(word, *lines):
    return CARD + f"```{word}\n" + "\n".join(lines) + "\n```\n"


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("no head", "Line 1"),
        (HEAD, "A lesson has cards"),
        (HEAD + "Words before a card.\n", "Line 4"),
        ("---\nabout: x\n---\n# One\nWords.\n", "title"),
        (CARD + "- a list\n", "Line 6"),
        (CARD + "    indented\n\n> quoted\n", "Line"),
        (HEAD + "# One\n", "Line 4: this card has no text"),
        (HEAD + "# One\n" + "word " * 91, "Line 4: a card has at most 90 words"),
        (HEAD + "# One\nWords.\n" * 41, "Line 84: a lesson has at most 40 cards"),
        (HEAD + "x" * 2_000_001, "2,000,000 characters"),
        (block("play", "a b"), "Line 6: a card has no block 'play'; there are"),
        (block("predictt", "a b"), 'no block .predictt.; did you mean "predict"'),
        (block("predict", "choise a"), 'Line 7: .* no line .choise.; did you mean "choice"'),
        (block("show", "controls Cee"), "Line 7: .*; there are C, .* bias, and the settings"),
        (block("show", "controls gama"), 'Line 7: .*; did you mean "gamma"'),
        ("---\ntitle: x\nchapters: y\n---\n", "Line 3: .* this line is 'chapters: y'"),
        (
            block("show", "scene eight-points") + "```show\n```\n",
            "Line 9: a card has one block ```show",
        ),
        (block("show", "scene ../../etc/passwd"), "Line 7: there is no scene"),
        (block("show", "scene svmviz:1:AAAA"), "Line 7: The text of the scene is damaged"),
        (block("show", "step soon"), "Line 7: a step is a number"),
        (block("show", "step 1", "step 2"), "Line 8"),
        (block("predict", "choice a", "right b"), "Line 6: a block ```predict has a line ask"),
        (block("predict", "ask Which?", "choice a"), "Line 6: a question has"),
        (block("predict", "ask Which?", "right a"), "Line 6: a question has"),
        (block("predict", "ask How much?", "number 1", "right a", "choice b"), "Line 6"),
        (block("predict", "ask How much?", "number 1 +"), "Line 8"),
        (block("predict", "ask How much?", "number open(1)"), "Line 8"),
        (block("predict", "ask Which?", "right a", *["choice b"] * 6), "at most 6 choices"),
        (
            block("predict", "ask Which?", "right a", "reply no", "choice b"),
            "Line 9: a reply follows",
        ),
        (block("do", "ask Do it."), "Line 6: a block ```do has 1 to 6"),
        (block("do", "ask Do it.", "words first"), "Line 8: words follow"),
        (block("do", "ask Do it.", "goal import os"), "Line 8"),
        (block("do", "ask Do it.", *["goal n == 1"] * 7), "Line 6"),
    ],
)
def test_a_wrong_text_is_refused_with_its_line(text, where):
    with pytest.raises(BadInput, match=where) as refusal:
        read_lesson(text, "test")
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 600


def test_the_page_for_lecturers_has_a_lesson_and_all_names():
    page = (Path(__file__).parents[2] / "docs" / "lessons.md").read_text(encoding="utf-8")
    example = page.split("## A lesson of one card")[1].split("The **head**")[0]
    lesson = read_lesson(textwrap.dedent(example).strip(), "example")
    lesson.check_names(shown_by_lessons(), TOOLS)
    assert [type(task) for task in lesson.cards[0].tasks] == [Question, Goal]
    assert all(f"`{name}`" in page for name in (PREDICTED, *TASK_NAMES))
    functions = page.split("The functions are `")[1].split("`")[0].split()
    assert set(functions) == set(FUNCTIONS)
    words = page.split("Numbers of the scene: ")[1].split("Only lessons")[0]
    named = set(" ".join(words.split("`")[1:4:2]).split())
    assert len(named) > 20
    assert named <= set(NAMES)


def test_the_page_for_lecturers_names_every_scene():
    page = (Path(__file__).parents[2] / "docs" / "lessons.md").read_text(encoding="utf-8")
    table = page.split("## The scenes that come with svmviz")[1]
    names = {name for row in table.splitlines() for name in row.split("|")[1:2]}
    named = {name.strip(" `") for cell in names for name in cell.split(",")}
    assert {path.stem for path in resources.path("scenes").glob("*.svmviz")} <= named


def test_an_unknown_panel_is_refused():
    with pytest.raises(BadInput, match="Line 6: there is no panel 'nothing'"):
        read_lesson(block("show", "panels nothing"), "test").check_names(PANELS, TOOLS)


def test_a_lesson_is_found_by_name_or_file(tmp_path):
    assert find_lesson("slack-and-c") is LESSONS["slack-and-c"]
    file = tmp_path / "mine.md"
    file.write_text(CARD, encoding="utf-8")
    assert find_lesson(str(file)) == read_lesson_file(file)
    file.write_text("nothing", encoding="utf-8")
    with pytest.raises(BadInput, match=r"mine\.md: Line 1"):
        find_lesson(str(file))
    with pytest.raises(BadInput, match="There is no lesson 'nothing'; there are widest-street"):
        find_lesson("nothing")
    with pytest.raises(BadInput, match="No such file"):
        find_lesson("nothing.md")


def test_a_task_begins_at_its_document_and_ignores_what_was_shown_before():
    document, earlier = eight(), eight(penalty=Penalty("C", 1.0))
    (card,) = read_lesson(block("do", "ask Do it.", "goal C < 5"), "test").cards
    study = TaskStudy(card.tasks[0], document)
    assert study(frame_of(earlier), ()).holds == ()
    assert study(frame_of(document), ()).holds == (False,)
    assert study(frame_of(earlier), ()).is_reached


def test_a_task_begins_also_at_an_edit_that_comes_before_its_first_frame():
    (card,) = read_lesson(block("do", "ask Do it.", "goal C < 5"), "test").cards
    study, edited = TaskStudy(card.tasks[0], eight()), eight(penalty=Penalty("C", 1.0))
    assert study(frame_of(edited), ()).holds == ()
    study.note(edited)
    assert study(frame_of(edited), ()).is_reached


def test_what_changed_since_the_task_began():
    document = eight()
    start = frame_of(document)
    outer = TaskValues(frame_of(moved(document, 3, (-0.5, 0.0))), start)
    assert (outer["moved"], outer["moved_support"], outer["same_f"]) == (1.0, 0.0, True)
    holder = TaskValues(frame_of(moved(document, 4, (0.0, -0.3))), start)
    assert (holder["moved"], holder["moved_support"], holder["same_f"]) == (1.0, 1.0, False)
    with pytest.raises(BadInput, match="begins at the end"):
        TaskValues(start, None)["moved"]
    fewer = replace(document, data=points(document.data.points[:7], document.data.labels[:7]))
    with pytest.raises(BadInput, match="added or removed"):
        TaskValues(frame_of(fewer), start)["moved"]
    assert set(outer) >= set(NAMES) | set(TASK_NAMES) | {"tol", "max_steps"}


def test_settings_and_the_values_of_a_step_are_named():
    document = eight(penalty=Penalty("C", 0.1))
    first, last = TaskValues(frame_of(document, 1), None), TaskValues(frame_of(document), None)
    assert first["pair"] == "second-order"
    assert first["cut_short"] == 1.0
    assert first["new_j"] == first["high"] == 0.1
    assert (first["i"], first["j"]) == (2.0, 5.0)
    assert "gamma" not in first
    assert TaskValues(frame_of(replace(document, kernel=RBF(2.0))), None)["gamma"] == 2.0
    assert last["tol"] == document.method.tol


def test_the_test_error_is_known_once_the_drawer_is_open():
    document = open_scene(resources.path("scenes/human-overfitting.svmviz")).document
    values = TaskValues(frame_of(document), None)
    assert values["seen"] is False
    with pytest.raises(BadInput, match="locked"):
        values["test_error"]
    opened = replace(document, held_out=replace(document.held_out, seen=True))
    values = TaskValues(frame_of(opened), None)
    assert values["seen"] is True
    # Three of the fifteen test points, as the tests of the scene say.
    assert values["test_error"] == 3 / 15


def test_a_value_that_does_not_exist_is_trouble_and_no_tick():
    goal = read_lesson(block("do", "ask Do it.", "goal eror == 0"), "test").cards[0].tasks[0]
    shown = show_task(goal, frame_of(eight()), None)
    assert shown.holds == (False,)
    assert "There is no 'eror' here" in shown.trouble
    question = read_lesson(block("predict", "ask How?", "number alpha"), "test").cards[0].tasks[0]
    assert isinstance(question, Question)
    assert "not one number" in show_task(question, frame_of(eight()), None).trouble


def test_a_table_drawn_with_bars_is_no_lesson(tmp_path):
    lesson, table = tmp_path / "mine.md", tmp_path / "table.MD"
    lesson.write_text("---\ntitle: T\n---\n")
    table.write_text("\n| mass | speed | kind |\n|---|---|---|\n| 2.5 | 10 | cat |\n")
    assert is_lesson_file(lesson)
    assert not is_lesson_file(table)
    assert not is_lesson_file(tmp_path / "table.csv")
    # The error of a file that is not there is that of reading a lesson.
    assert is_lesson_file(tmp_path / "none.md")


def test_a_goal_on_the_users_line_says_what_the_line_lacks():
    lesson = find_lesson("widest-street")
    show, goal = lesson.cards[3].show, lesson.cards[3].tasks[0]
    document = show.read_scene().document

    def said(line: UserLine) -> str:
        frame = frame_of(replace(document, user_line=line))
        return show_task(goal, frame, frame).note

    assert said(UserLine((0.0, 1.0), 0.0)) == "Your street is 1.2 wide: 30\u00a0% of the widest."
    # The line x₂ = 2 has point 1, at (−3.6, 0.8), below it.
    assert said(UserLine((0.0, 1.0), -2.0)) == "On the wrong side: point 1."

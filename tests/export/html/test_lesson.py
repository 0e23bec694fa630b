"""A lesson as a page: what the file holds, and that the page judges as the program does."""

from __future__ import annotations

import json
import math
import re

import numpy as np
import pytest

from solvers import SMO, CoordinateAscent, solve
from svmviz.base.words import read_number
from svmviz.cli import main
from svmviz.document.document import Penalty
from svmviz.export.html.contents import program_of
from svmviz.export.html.controls import controls_of, documents_of
from svmviz.export.html.lesson import lesson_contents
from svmviz.export.html.tasks import LIVE_NAMES, Recorded, question_contents, tree_of
from svmviz.frames.lane_reader import make_frame
from svmviz.frames.viewport import Grid
from svmviz.io.scene_line import read_scene_line
from svmviz.lessons.certificates import verdict
from svmviz.lessons.derivations import derivations
from svmviz.lessons.expressions import read
from svmviz.lessons.goals import ALPHA, LINE, CertificateTask
from svmviz.lessons.lessons import read_lesson
from svmviz.lessons.shipped import LESSONS
from svmviz.lessons.task_values import TaskValues
from svmviz.panels.registry import shown_by_lessons
from svmviz.plane.sentences import caption
from tests import stages
from tests.export.html.engine import Engine
from tests.export.html.test_html import contents

SCRIPTS = ("numbers.js", "kernels.js", "run.js", "smo.js", "templates.js", "smo_words.js")
SCRIPTS += ("goals.js", "certificates.js")
GRID = Grid(-1.0, 1.0, -1.0, 1.0, 2, 2)


@pytest.fixture(scope="module")
def engine(qapp):
    return Engine(*SCRIPTS)


@pytest.fixture(scope="module")
def lesson_engine(qapp):
    return Engine("progress.js")


def shown(document):
    """The frame at the end of a document's run, and what a page makes of it, as a script."""
    run = solve(document.problem(), document.method)
    frame = make_frame(document, (run,), run.steps, GRID)
    lane, certificate = frame.lane, frame.lane.certificate
    facts = {
        "task": "classification",
        "bias_mode": document.bias,
        "kernel_program": program_of(document.kernel),
        "n": document.n,
        "X": run.problem.X.tolist(),
        "y": run.problem.y.tolist(),
        "points": document.data.points.ravel().tolist(),
        "factors": [1.0, 1.0],
        "beta": lane.expansion.beta.tolist(),
        "bias": lane.expansion.bias,
        "C": document.C,
        "step": run.steps,
        "objectives": [certificate.primal, certificate.dual, certificate.gap, certificate.kkt],
        "line": [3.0, 4.0, -5.0],
    }
    script = """(() => {
      const run = Object.assign(Object.create(RunOfPage.prototype), facts);
      Object.assign(run, { isRegression: false, epsilon: 0 });
      run.kernel = kernelOf(facts.kernel_program);
      const [primal, dual, gap, kkt] = facts.objectives;
      const state = stateOf(run, facts.C, Float64Array.from(facts.beta), facts.bias);
      Object.assign(state, { place: 0, step: facts.step, primal, dual, gap, kkt });
      const lane = { last: 0, end: "Converged.", C: facts.C };
      const shown = { run, lane, state, start: { run, state }, line: facts.line };
      return """
    return frame, facts, script


@pytest.mark.parametrize("document", [stages.eight(), stages.moons(30)], ids=["linear", "rbf"])
def test_names_have_the_values_that_the_program_gives_them(engine, document):
    frame, facts, script = shown(document)
    values = TaskValues(frame, frame)
    names = set(engine.call("Object.keys(VALUES)"))
    assert names == LIVE_NAMES
    unknown = {"own_width", "own_errors", *([] if document.kernel.name == "linear" else ["w"])}
    unknown |= {"gamma"} if document.kernel.name == "linear" else set()
    for name in sorted(names - unknown):
        found = engine.call(script + "VALUES[name](shown); })()", facts=facts, name=name)
        expected = values[name]
        if isinstance(expected, str | bool):
            assert found == expected, name
        else:
            np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-8, err_msg=name)


EXPRESSIONS = (
    "sum(xi) <= 7.3 and width > 0.1",
    "free == 2 and errors == 0",
    "not all(alpha > 0) or any(alpha == C)",
    "at_largest(xi)",
    "P - D <= 0.1 * P",
    "P - gap == D",
    "where(y > 0, alpha > 0, alpha < C)",
    "norm(alpha) ** 2 / 2 - dot(alpha, y) + mean(f)",
    "max(xi, 1) - min(yf, 0)",
    "alpha[3] + smallest(f) + largest(E) - abs(b)",
    "0 < alpha[5] < C - 0.01",
    "count(xi > 0) + sqrt(exp(log(2)))",
    'task == "classification" and kernel != "rbf"',
    "-b == -b and n > 3",
    "P < 1e999 and not n == 1e999",
    "count(alpha / alpha)",
    "not 0 / 0",
)


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_expressions_have_the_values_that_the_program_gives_them(engine, text):
    frame, facts, script = shown(stages.eight(penalty=Penalty("C", 1.0)))
    expression = read(text)
    found = engine.call(
        script + "new Evaluation((name) => VALUES[name](shown)).value(tree); })()",
        facts=facts,
        tree=tree_of(expression.tree),
    )
    expected = expression.value(TaskValues(frame, frame))
    if isinstance(expected, bool):
        assert found is expected
    else:
        np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-8)


REPLIES = (
    ("number alpha[3]", "wrong 1", "reply Twice.", "hint Look."),
    ("point 3", "wrong alpha == 0", "reply Outside.", "hint Look."),
    ("place 0, 1", "wrong 1, 0", "reply Exchanged.", "hint Look."),
    ("order a", "order b", "reply b needs a.", "order c", "hint Look."),
    ("choice a", "reply Not a.", "choice b", "right c", "hint Look."),
)
ANSWERS = (((1.0,), (2.0,)), ((0,), (4,)), ((1.0, 0.0), (9.0, 9.0)), ((1, 0, 2), (0, 2, 1)), (0, 1))


@pytest.mark.parametrize(("lines", "answers"), [*zip(REPLIES, ANSWERS, strict=True)])
def test_a_wrong_answer_gets_the_reply_of_the_program(qapp, lines, answers):
    engine = Engine("tasks.js")
    text = "---\ntitle: T\n---\n# One\nWords.\n```show\nscene eight-points\n```\n"
    text += "\n".join(("```predict", "ask Which?", *lines, "```", ""))
    (card,) = read_lesson(text, "test").cards
    document = card.show.read_scene().document
    recorded = Recorded(document, (solve(document.problem(), document.method),), ())
    made = question_contents(card.tasks[0], recorded, None, live=False)
    script = "replyTo(task, answer, task.right)"
    said = [engine.call(script, task=made, answer=answer) for answer in answers]
    assert said == [next(x[6:] for x in lines if x.startswith("reply")), "Look."]


def test_a_text_is_no_condition_in_a_page_either(engine):
    with pytest.raises(AssertionError, match="A text is neither true nor false"):
        engine.call("conditionHolds(tree, () => 'rbf')", tree=tree_of(read("not kernel").tree))


@pytest.mark.parametrize(
    ("stored", "kept"),
    [
        (None, {}),
        ("a text", {}),
        (7, {}),
        ([1, [2]], {}),
        ({"card": 2, "done": {"0.0": ["right", "3"]}}, "all"),
        ({"card": 1, "done": {"0.0": ["given up", ""], "1.0": ["right", "a"]}}, "all"),
        ({"done": {"0.0": ["right", "a", 2, 3.5, "tied", ""]}, "open": {"0.1": [1, 0, ""]}}, "all"),
        ({"done": {"0.0": ["right", "a", -1], "0.1": ["right", "a", 0, 0, 7]}}, {}),
        ({"open": {"0.0": [1, 2], "x": [0, 0, ""], "0.1": [0.5, 0, ""], "0.2": None}}, {}),
        ({"card": -1, "done": None}, {}),
        ({"card": 1.5, "done": "right"}, {}),
        ({"card": "2", "done": [["right", ""]]}, {}),
        ({"done": {"0.0": None, "0.1": ["right"], "0.2": ["x", "y"], "0.3": ["right", 3]}}, {}),
        ({"card": 3, "done": {"0.0": {"0": "right", "1": ""}}}, {"card": 3}),
        ({"card": {}, "done": {"__proto__": ["right", "1"], "length": 4}}, {}),
        ({"versions": {"2": 3, "3": -1, "x": 1, "4": "5"}}, {"versions": {"2": 3}}),
        ({"versions": [1, None]}, {"versions": {"0": 1}}),
        ({"shown": {"0": {"step": -1}, "1": {"values": ["2"]}, "2": {"line": [1]}, "x": {}}}, {}),
        ({"shown": {"3": {"step": 2}}}, {"shown": {"3": {"step": 2, "values": []}}}),
    ],
)
def test_damaged_progress_is_left_out(lesson_engine, stored, kept):
    found = lesson_engine.call("storedProgress(stored)", stored=stored)
    empty = {"card": 0, "done": {}, "open": {}, "versions": {}, "shown": {}}
    assert found == {**empty, **(stored if kept == "all" else kept)}


def test_a_page_has_the_infinite_c_of_a_hard_margin(qapp):
    show = "---\ntitle: T\n---\n# One\nWords.\n```show\nscene eight-points\ncontrols C\n```\n"
    (card,) = lesson_contents(read_lesson(show, "a"), shown_by_lessons())["cards"]
    ((label, texts, start, is_ordered),) = card["controls"]
    assert (label, texts[start], texts[-1], is_ordered) == ("C", "∞", "∞", True)
    assert all(card["variants"])
    tries = "try C 0.05\ntry C 12,345\ntry C abc\ntry C -1\n"
    goal = read_lesson(f"{show}```do\nask Do.\ngoal n == 8\n{tries}```\n", "a").cards[0].tasks[0]
    document = stages.eight(penalty=Penalty("C", math.inf))
    (control,) = controls_of(document, ["C"], [goal])
    assert {"0.05", "12,345", "∞"} <= set(control.texts)
    assert len(control.texts) == len(set(control.texts)) > 10
    assert [d.C for d in documents_of(document, [control])] == [*map(float, control.values)]


@pytest.mark.parametrize("C", [math.inf, 0.5])
@pytest.mark.parametrize(
    ("kind", "bias"), [(LINE, "free"), (ALPHA, "free"), (ALPHA, "none"), (ALPHA, "augmented")]
)
def test_certificates_are_judged_as_by_the_program(engine, kind, bias, C):
    method = SMO(tol=1e-8) if bias == "free" else CoordinateAscent(tol=1e-8)
    document = stages.eight(penalty=Penalty("C", C), methods=(method,), bias=bias)
    frame, facts, script = shown(document)
    lane, rng = frame.lane, np.random.default_rng(3)
    task = CertificateTask(kind, 0.01, (), ask="?")
    dual = lane.certificate.dual
    best = [*lane.expansion.w, lane.expansion.bias] if kind == LINE else lane.certificate.alpha
    right = 0
    for scale in (0.0, 1e-3, 0.1, 1.0) * 5:
        typed = tuple(np.round(best + scale * rng.normal(size=len(best)), 7).tolist())
        expected = verdict(task, typed, frame, dual)
        made = {"kind": kind, "gap": 0.01, "dual": dual, "parts": []}
        found = engine.call(
            script + "verdictOn(task, typed, run, lane); })()",
            facts=facts,
            task=made,
            typed=list(typed),
        )
        assert found["isRight"] == expected.is_right
        assert " ".join(found["sentences"]) == " ".join(expected.sentences)
        right += expected.is_right
    assert 0 < right < 20


@pytest.mark.parametrize(
    "text", ["1/5", "−3 / 4", "1,5/2", "0.5", "1/0", "1/", "/2", "1/2/3", "1/∞"]
)
def test_a_page_reads_fractions_as_the_window_does(qapp, text):
    try:
        expected = read_number(text)
    except ValueError:
        expected = None
    found = Engine("tasks.js").call(
        "[readNumber(typed)].map((x) => (isNaN(x) ? null : x))", typed=text
    )
    assert found == [expected]


def test_goals_of_lessons_are_watched_in_the_way_that_they_need(qapp):
    ways = []
    for name in ("who-holds", "own-line", "pegasos"):
        made = lesson_contents(LESSONS[name], shown_by_lessons())
        ways += [task["way"] for card in made["cards"] for task in card["tasks"] if "way" in task]
        for card, own in zip(made["cards"], LESSONS[name].cards, strict=True):
            assert {task["task"] for task in card["tasks"]} == {*range(len(own.tasks))}
    assert ways == ["live", "live", "line", "line"]


def test_a_card_has_fresh_points_several_times(qapp):
    made = lesson_contents(LESSONS["coordinate-ascent"], shown_by_lessons())
    assert all("again" not in card for card in made["cards"][:-1])
    last = made["cards"][-1]
    cards = [last, *last["again"]]
    assert [card["scene"] for card in cards] == [cards[0]["scene"] + k for k in range(5)]
    points = {made["scenes"][card["scene"]]["points"] for card in cards}
    texts = {card["body"][0]["text"] for card in cards}
    assert len(points) == len(texts) == 5
    # The answers are those of the steps of each scene, computed from the formula.
    for card in cards:
        data = read_scene_line(made["scenes"][card["scene"]]["scene"]).document.data
        X, y = data.points, data.labels
        alpha, w, steps = np.zeros(4), np.zeros(2), []
        for step, i in enumerate((0, 1, 2, 3, 0, 1, 2)):
            old = alpha[i]
            top = alpha[i] + (1.0 - y[i] * (w @ X[i])) / (X[i] @ X[i])
            new = min(max(top, 0.0), 0.3)
            w, alpha[i] = w + (new - alpha[i]) * y[i] * X[i], new
            # A step that does not move asks for no number.
            steps += [new] if step >= 4 and abs(new - old) > 1e-9 else []
        answers = [task["right"][0] for task in card["tasks"] if task["kind"] == "number"]
        np.testing.assert_allclose(answers, steps, atol=1e-9)
        assert "{" not in " ".join(f"{t['ask']}{t['hint']}{t['because']}" for t in card["tasks"])


DRAWER = (
    "---\ntitle: A\nabout: B\n---\n# C\n\nD\n\n```show\nscene human-overfitting\npanels split\n"
    "{more}```\n\n```do\nask E\ngoal seen\ntry part test\n```\n"
)


def test_the_drawer_of_the_test_part_is_a_control(qapp):
    for more, count in (("", 2), ("controls gamma\n", 2 * 31)):
        lesson = read_lesson(DRAWER.format(more=more), "a")
        made = lesson_contents(lesson, shown_by_lessons(), caption)
        (card,), (scene,) = made["cards"], made["scenes"]
        assert card["controls"][-1][1:] == [["closed", "open"], 0, False]
        assert scene["test"] is None
        assert len(card["variants"]) <= count
        closed, opened = card["variants"][:2]
        assert "test" not in closed
        assert len(opened["test"]["labels"]) > 0
        assert "already used" in opened["lanes"][0]["end"]
        assert card["tasks"][0]["masks"][:2] == [[0], [1]]
        assert card["missing"] == ["Split"]


def test_what_a_page_cannot_do_is_passed(qapp):
    text = DRAWER.format(more="").replace("goal seen\ntry part test", "goal K[1, 2] > 2\ntry C 2")
    (card,) = lesson_contents(read_lesson(text, "a"), shown_by_lessons())["cards"]
    assert card["tasks"][0]["way"] == ""


def test_a_folder_of_lessons_and_scenes_is_a_course(qapp, tmp_path, capsys):
    source, target = tmp_path / "lessons", tmp_path / "course"
    source.mkdir()
    lesson = "---\ntitle: {}\nabout: It says <b>.\n---\n# A card\n\nWords.\n"
    for name, title in (("one", "First & best"), ("two", "Second")):
        (source / f"{name}.md").write_text(lesson.format(title), encoding="utf-8")
    (source / "bad.md").write_text("no lesson", encoding="utf-8")
    (source / "order.txt").write_text("two\none\n", encoding="utf-8")
    assert main(["render", str(source), "-o", f"{target}/"]) == 1
    assert "bad.md: Line 1" in capsys.readouterr().err
    index = (target / "index.html").read_text(encoding="utf-8")
    assert index.index("Second") < index.index("First &amp; best")
    assert "It says &lt;b&gt;." in index
    page = contents((target / "one.html").read_text(encoding="utf-8"))
    assert page["cards"][0]["title"] == "A card"
    assert page["cards"][0]["scene"] is None


def test_every_command_in_the_formulas_of_lessons_is_known(qapp):
    cards = [card for lesson in LESSONS.values() for card in lesson.cards]
    latex = {text for card in cards for formula in card.formulas for text in formula.lines}
    for derivation in derivations().values():
        latex |= {text for line in derivation.lines for text in (line.letters, line.numbers)}
    words = " ".join(
        re.sub(r"\\(text|mathrm|mathbf)\{[^{}]*\}", "", text) for text in sorted(latex)
    )
    of_structure = {"left", "right", "frac", "sqrt", "begin", "end"}
    commands = set(re.findall(r"\\([A-Za-z]+)", words)) - of_structure
    tables = "LETTERS, OPERATORS, FENCES, SPACES, ACCENTS, WITH_LIMITS"
    known = Engine("formulas.js", "formulas_of_lessons.js").call(
        f"Object.keys(Object.assign({{}}, {tables}))"
    )
    assert commands <= set(known)


def test_an_array_is_a_table_of_its_cells(qapp):
    latex = r"\begin{array}{ll} \alpha = 0 & \geq 1 \\ C & \text{not outside} \end{array} + 1"
    (table, *rest), *others = Engine("formulas.js", "formulas_of_lessons.js").call(
        f"formulaParts({json.dumps(latex)})"
    )
    name, _, *rows = table
    assert name == "mtable"
    cells = [["".join(item[2] for item in cell[2:]) for cell in row[2:]] for row in rows]
    assert cells == [["α=0", "≥1"], ["C", "not\u00a0outside"]]
    assert not others
    assert [item[2] for item in rest] == ["+", "1"]

"""Questions of every kind have the right answers of the scene, and accept ties."""

import pytest

from solvers import SMO, solve
from solvers.errors import BadInput
from svmviz.frames.lane_reader import make_frame
from svmviz.frames.viewport import Grid
from svmviz.lessons.goals import CertificateTask
from svmviz.lessons.lessons import read_lesson
from svmviz.lessons.questions import PointKey
from svmviz.lessons.task_values import TaskValues
from svmviz.lessons.tasks import show_task
from tests.plane.frames import fitted
from tests.stages import eight

HEAD = "---\ntitle: T\n---\n# One\nWords.\n"


def task(*lines, word="predict"):
    text = HEAD + f"```{word}\nask Which?\n" + "\n".join(lines) + "\n```\n"
    (card,) = read_lesson(text, "test").cards
    return card.tasks[0]


def shown(question, step=None, document=None):
    document = document or eight()
    run = solve(document.problem(), document.method)
    grid = Grid(*fitted(document).view, 8, 8)
    frame = make_frame(document, (run,), run.steps if step is None else step, grid)
    return show_task(question, frame, None, (run,))


def test_a_point_is_its_number_or_a_condition():
    # At the optimum of the eight points, 3, 5 and 7 are the support vectors.
    assert shown(task("point 3")).key == PointKey((frozenset({2}),))
    assert shown(task("point alpha > 0")).key.places == (frozenset({2, 4, 6}),)
    assert shown(task("point at_largest(alpha)")).key.places == (frozenset({2}),)
    tied = task("point at_smallest(yf)")
    assert shown(tied).key.places == (frozenset({2, 4, 6}),)
    assert tied.in_words(shown(tied).key) == "point 3 or 5 or 7"
    assert "no point here" in shown(task("point alpha > 9")).trouble
    assert "no point" in shown(task("point kernel")).trouble


def test_a_pair_may_be_clicked_in_any_order():
    key = shown(task("pair 3, alpha > 0 and y < 0")).key
    assert key.accepts((4, 2))
    assert key.accepts((2, 6))
    assert not key.accepts((4, 6))
    assert "not a pair" in shown(task("pair 3, 3")).trouble


def test_a_range_and_a_place():
    key = shown(task("range 0, C")).key
    assert key.accepts((0.0, eight().C * 1.001))
    assert not key.accepts((0.1, eight().C))
    place = shown(task("place x1[3], x2[3]")).key
    assert place.accepts((0.9, 1.05))
    assert not place.accepts((0.9, 1.3))


def test_sentences_are_put_into_order():
    key = shown(task("order one", "order two", "order two")).key
    assert key.accepts((0, 2, 1))
    assert not key.accepts((1, 0, 2))


def test_a_wrong_answer_gets_the_reply_to_its_own_idea():
    # At the optimum of the eight points alpha of point 3 is 1/2.
    question = task(
        "number alpha[3]", "wrong 2 * alpha[3]", "reply Twice.", "wrong -alpha[3]", "reply Sign.",
        "hint Look.",
    )  # fmt: skip
    keys = shown(question).wrong
    answers = ((1.0, "Twice."), (1.005, "Twice."), (-0.5, "Sign."), (0.7, "Look."))
    for answer, reply in answers:
        assert question.reply_to((answer,), keys) == reply
    assert question.replies == ["Twice.", "Sign."]
    ends = task("range 0, C", "wrong -C, C", "reply Not below 0.")
    C = eight().C
    assert ends.reply_to((-C, C), shown(ends).wrong) == "Not below 0."
    assert not ends.reply_to((0.0, 2.0 * C), shown(ends).wrong)
    place = task("place 0, 1", "wrong 1, 0", "reply Exchanged.")
    assert place.reply_to((1.0, 0.01), shown(place).wrong) == "Exchanged."
    point = task("point 3", "wrong alpha == 0", "reply Outside.", "hint Look.")
    assert point.reply_to((0,), shown(point).wrong) == "Outside."
    assert point.reply_to((4,), shown(point).wrong) == "Look."


def test_a_wrong_order_gets_the_reply_to_its_first_sentence_that_is_too_early():
    question = task("order a", "order b", "reply b needs a.", "order c", "hint Look.")
    assert question.reply_to((1, 0, 2)) == "b needs a."
    assert question.reply_to((0, 2, 1)) == "Look."
    assert question.reply_to((2, 1, 0)) == "Look."


def test_a_question_may_ask_for_another_step():
    document = eight()
    run = solve(document.problem(), document.method)
    first = run.at(1).event.values
    assert shown(task("number eta", "at next"), 0).key.numbers == (pytest.approx(first["eta"]),)
    assert shown(task("pair i, j", "at next"), 0).key.accepts((first["i"], first["j"]))
    assert shown(task("number support", "at end"), 0).key.numbers == (3.0,)
    assert shown(task("number step", "at 2"), 0).key.numbers == (2.0,)
    assert shown(task("right a", "choice b", "at end"), 0).key
    assert shown(task("number step - (ended * step)", "at end"), 0).key.numbers == (0.0,)
    assert "No step" in shown(task("number step", "at next")).trouble
    assert "no step 999" in shown(task("number step", "at 999"), 0).trouble


def test_settings_have_their_names():
    document = eight(methods=(SMO(tol=0.25),))
    assert shown(task("number tol"), document=document).key.numbers == (0.25,)


def test_how_far_the_best_is_ahead():
    values = TaskValues(frame := shown_frame(), None)
    (expression,) = task("point at_largest(abs(alpha))").expressions
    assert expression.lead(values) == pytest.approx(0.5, abs=0.01)
    (expression,) = task("point alpha > 0").expressions
    assert expression.lead(values) == float("inf")
    assert frame.lane is not None


def shown_frame():
    document = eight()
    run = solve(document.problem(), document.method)
    return make_frame(document, (run,), run.steps, Grid(*fitted(document).view, 8, 8))


@pytest.mark.parametrize(
    ("lines", "where"),
    [
        (("number 1", "range 1, 2"), "Line 6: a question has lines choice"),
        (("range 1",), "Line 8: range has 2 expressions"),
        (("pair min(1, 2)",), "Line 8: pair has 2 expressions"),
        (("order one",), "two different lines order"),
        (("number 1", "at soon"), "Line 9: at is next, end"),
        (("right a", "choice b", "number 1"), "Line 6"),
        (("value 1", "right a", "choice b"), "Line 8: a value follows the choice"),
        (("right", "choice b"), "has no text"),
        (("number 1", "wrong 2"), "Line 9: a line wrong is for .* and a line reply follows it"),
        (("right a", "choice b", "wrong 2", "reply No."), "Line 10: a line wrong is for"),
        (("number 1", "reply No."), "Line 9: a reply follows a line wrong"),
        (("range 1, 2", "wrong 2", "reply No."), "Line 9: wrong has 2 expressions"),
    ],
)
def test_a_wrong_question_is_refused(lines, where):
    with pytest.raises(BadInput, match=where):
        task(*lines)


@pytest.mark.parametrize(
    ("lines", "where"),
    [
        (("type x",), "a line type"),
        (("type alpha", "gap a lot"), "Line 9: a gap is a percentage"),
        (("type alpha", "gap 1 %", "goal gap < 1"), "a line gap, or"),
    ],
)
def test_a_wrong_certificate_is_refused(lines, where):
    with pytest.raises(BadInput, match=where):
        task(*lines, word="certify")


def test_a_certificate_is_read():
    certificate = task("type w,b", "gap 10 %", word="certify")
    assert isinstance(certificate, CertificateTask)
    assert (certificate.kind, certificate.gap) == ("w, b", 0.1)
    assert shown(certificate).labels == ("w1", "w2", "b")
    assert shown(task("type alpha", word="certify")).labels[7] == "α₈"


def test_a_long_line_goes_on_in_the_next_one():
    question = task("choice a first", "    and more", "right b")
    assert question.choices[0].text == "a first and more"

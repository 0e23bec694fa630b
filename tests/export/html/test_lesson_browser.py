"""Lessons as pages in a browser, done from their first card to their last."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from svmviz.cli import main
from svmviz.lessons.answers import NumberKey
from svmviz.lessons.exercise import Exercise
from svmviz.lessons.goals import CertificateTask, Goal
from svmviz.lessons.questions import CHOICE, ORDER, PAIR, PLACE, POINT
from svmviz.lessons.shipped import LESSONS
from tests.export.html.chromium import CHROMIUM_ONLY, is_under_a_finger, wait_for

pytestmark = pytest.mark.slow
# Those with a drag, a certificate, an order, a place, a control, and the user's line. In
# Firefox, one with two controls is played.
PLAYED = ("widest-street", "exercise-4", "the-gap", "hulls", "own-line", "choosing-the-pair")


class Student:
    """Does the tasks of a lesson in its page: each question first with a wrong answer."""

    def __init__(self, page, lesson):
        self.page, self.lesson = page, lesson

    def play(self):
        for index, card in enumerate(self.lesson.cards):
            wait_for(self.page, "page.lesson.index", index)
            assert self.page.inner_text("#lesson-card h2") == card.title
            # A card with another scene has new planes, which are laid out when they are drawn.
            self.page.evaluate("page.draw()")
            for number, task in enumerate(card.tasks):
                wait_for(self.page, "page.lesson.task.task", number)
                self.do(task)
            wait_for(self.page, "page.lesson.task === undefined", True)
            if index + 1 < len(self.lesson.cards):
                self.press("Next")
        assert "Lesson done" in self.page.inner_text("#lesson-tasks")

    def do(self, task):
        made = self.page.evaluate("page.lesson.task")
        if isinstance(task, Exercise):
            while self.page.evaluate("page.lesson.task?.decision") is not None:
                self.press("Model answer")
        elif isinstance(task, Goal):
            if made["way"] == "":
                self.press("Skip")
            else:
                self.reach(task)
        elif isinstance(task, CertificateTask):
            self.type(*[0.125 for _ in made["labels"]])
            assert "easible" in self.reply
            self.type(*[part.split(" = ")[1] for part in made["answer"].split(", ")])
        else:
            self.answer(task, made)

    def answer(self, task, made):
        right, is_asked_again = made["right"], True
        if task.kind == CHOICE:
            wrong = [k for k in range(len(task.choices)) if k not in right]
            for k in (wrong[0], right[0]):
                self.page.click(f"#lesson-tasks .choice >> nth={k}")
                self.check_reply(task, is_asked_again, wrong[0])
                is_asked_again = False
        elif task.kind == ORDER:
            places = [made["order"].index(k) for k in range(len(task.choices))]
            for order in (places[::-1], places):
                for place in order:
                    self.page.click(f"#lesson-tasks .choice >> nth={place}")
                self.check_reply(task, is_asked_again, [made["order"][k] for k in order])
                is_asked_again = False
        elif task.kind in (POINT, PAIR):
            count = self.page.evaluate("page.run.n")
            taken = [places[0] for places in right]
            if len(set(taken)) < len(taken):
                taken[1] = next(k for k in right[1] if k != taken[0])
            others = [k for k in range(count) if not any(k in places for places in right)]
            for points in ([*others[:1], *taken[1:]], taken):
                for point in points:
                    self.tap(*self.page.evaluate("i => page.views[0].pointPixels(i)", point))
                self.check_reply(task, is_asked_again)
                is_asked_again = False
        elif task.kind == PLACE:
            x, y, reach = right
            for shift in (2.0 * reach, 0.0):
                self.tap(*self.page.evaluate("a => page.views[0].toPixels(...a)", [x + shift, y]))
                self.check_reply(task, is_asked_again)
                is_asked_again = False
        else:
            typed = [2.0 * number + 1.7 for number in right]
            self.type(*typed)
            known = [NumberKey(tuple(map(float, wrong))) for wrong, _ in made.get("wrong", ())]
            self.check_reply(task, True, typed, known)
            self.type(*right)

    def check_reply(self, task, is_asked_again, answer=None, known=()):
        if is_asked_again:
            assert self.reply == f"No. {task.reply_to(answer, known)}".replace("^", "")

    def reach(self, goal):
        page = self.page
        for change in goal.tries:
            if change.word == "step":
                page.evaluate("step => page.goTo(page.lane.steps.indexOf(step))", change.numbers[0])
            elif change.word == "move":
                self.drag_point(*change.numbers)
            elif change.word == "line":
                self.lay_line(list(change.numbers))
            elif change.word == "part":
                self.page.get_by_label("Drawer").select_option("open")
            elif page.evaluate("page.lesson.isLive"):
                self.slide(f"#live-{change.word}", float(change.text), logarithmic=True)
            else:
                self.set_control(change.word, change.text)

    def drag_point(self, point, across, up):
        page, i = self.page, int(point) - 1
        start = page.evaluate("i => page.views[0].pointPixels(i)", i)
        x, y = page.evaluate("i => [page.run.points[2 * i], page.run.points[2 * i + 1]]", i)
        end = page.evaluate("a => page.views[0].toPixels(...a)", [x + across, y + up])
        self.drag(start, end)

    def lay_line(self, line):
        """Drag the handles in turns onto another line; a drag moves the other one a little."""
        done = self.page.evaluate("page.lesson.taskIndex")
        for number in (0, 1, 0, 1, 0, 1):
            if self.page.evaluate("page.lesson.taskIndex") > done:
                return
            handles = self.page.evaluate("handlesOf(lineEnds(page.views[0], page.lesson.line))")
            # The place on the other line that is nearest to the handle.
            end = self.page.evaluate(
                """([[x, y], [w1, w2, b]]) => {
                  const view = page.views[0], [u, v] = view.toData(x, y);
                  const t = (w1 * u + w2 * v + b) / (w1 * w1 + w2 * w2);
                  return view.toPixels(u - t * w1, v - t * w2);
                }""",
                [handles[number], line],
            )
            self.drag(handles[number], end)

    def drag(self, start, end):
        mouse, box = self.page.mouse, self.plane_box()
        mouse.move(box["x"] + start[0], box["y"] + start[1])
        mouse.down()
        for share in (0.3, 0.6, 1.0):
            mouse.move(
                *(box[k] + s + share * (e - s) for k, s, e in zip("xy", start, end, strict=True))
            )
        mouse.up()

    def slide(self, selector, value, *, logarithmic):
        self.page.evaluate(
            """([selector, value]) => {
              const slider = document.querySelector(selector);
              slider.value = value;
              slider.dispatchEvent(new Event("input"));
            }""",
            [selector, str(math.log10(value) if logarithmic else value)],
        )

    def set_control(self, name, text):
        index = self.page.evaluate("page.lesson.index")
        place = self.lesson.cards[index].show.controls.index(name)
        _label, texts, _start, is_ordered = self.page.evaluate("page.lesson.card.controls")[place]
        control = f".control:nth-of-type({place + 1})"
        if is_ordered:
            numbers = [float(text.replace(",", "")) for text in texts]
            nearest = min(range(len(numbers)), key=lambda k: abs(numbers[k] - float(text)))
            self.slide(f"{control} input", nearest, logarithmic=False)
        else:
            first = [words.split()[0] for words in texts]
            self.page.select_option(f"{control} select", index=first.index(text.split("-")[0]))

    def tap(self, x, y):
        box = self.plane_box()
        self.page.mouse.click(box["x"] + x, box["y"] + y)

    def plane_box(self):
        canvas = self.page.locator("#planes canvas")
        canvas.scroll_into_view_if_needed()
        return canvas.bounding_box()

    def type(self, *values):
        fields = self.page.locator("#lesson-tasks input")
        for k, value in enumerate(values):
            fields.nth(k).fill(str(value))
        self.press("Answer")

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()

    @property
    def reply(self):
        return self.page.inner_text("#lesson-tasks .reply")


def page_of(lesson, folder):
    folder.mkdir(exist_ok=True)
    path = folder / f"{Path(lesson).stem}.html"
    assert main(["render", lesson, "-o", str(path)]) == 0
    return path


@pytest.mark.parametrize(
    ("browser", "name"),
    [*(("chromium", name) for name in PLAYED), ("firefox", "perceptron")],
    indirect=["browser"],
)
def test_a_lesson_is_done_to_its_end(visited, tmp_path, name):
    page = visited(page_of(name, tmp_path))
    Student(page, LESSONS[name]).play()
    # What was done is kept.
    page.reload()
    page.wait_for_selector("body.ready")
    assert page.evaluate("page.lesson.index") == len(LESSONS[name].cards) - 1
    assert page.evaluate("page.lesson.task") is None


@CHROMIUM_ONLY
def test_a_card_is_done_again_with_other_points(visited, tmp_path):
    page = visited(page_of("clipping", tmp_path))
    cards = LESSONS["clipping"].cards
    index = next(k for k, card in enumerate(cards) if card.show.fresh is not None)
    student, seen = Student(page, LESSONS["clipping"]), set()
    page.evaluate("index => page.lesson.open(index, false)", index)
    for _ in range(3):
        seen.add(
            (page.evaluate("page.run.points.join()"), page.inner_text("#lesson-card p >> nth=1"))
        )
        for number in range(len(cards[index].tasks)):
            wait_for(page, "page.lesson.taskIndex", number)
            student.type(*page.evaluate("page.lesson.task.right"))
        wait_for(page, "page.lesson.task === undefined", True)
        student.press("Again with other points")
        wait_for(page, "page.lesson.taskIndex", 0)
    assert len({points for points, _ in seen}) == len({text for _, text in seen}) == 3
    # The points stay those of the text beside them.
    before = page.evaluate("page.run.points.join()")
    page.reload()
    page.wait_for_selector("body.ready")
    assert page.evaluate("page.run.points.join()") == before


@CHROMIUM_ONLY
def test_a_goal_is_judged_when_the_hand_lets_go(visited, tmp_path):
    goal = "ask Do.\ngoal ended and C > 50 and C < 200\ntry C 100\nbecause So.\n"
    show = "scene two-moons\npanels model\ncontrols C, gamma\n"
    text = f"---\ntitle: T\n---\n# One\nWords.\n```show\n{show}```\n```do\n{goal}```\n"
    (tmp_path / "l.md").write_text(text, encoding="utf-8")
    page = visited(page_of(str(tmp_path / "l.md"), tmp_path / "made"))
    assert page.evaluate("page.lesson.isLive")
    student = Student(page, None)

    def press(kind):
        page.evaluate("kind => byId('live-C').dispatchEvent(new PointerEvent(kind))", kind)

    def slide(value):
        student.slide("#live-C", value, logarithmic=True)
        wait_for(page, "Math.round(page.lesson.valueOf()('C'))", value)
        wait_for(page, "page.tools.solver.isBusy", False)
        page.wait_for_timeout(300)

    press("pointerdown")
    slide(100.0)
    assert page.inner_text("#lesson-tasks .tick") == "✓"
    slide(1000.0)
    press("pointerup")
    page.wait_for_timeout(300)
    assert page.evaluate("page.lesson.taskIndex") == 0
    press("pointerdown")
    slide(100.0)
    assert page.evaluate("page.lesson.taskIndex") == 0
    press("pointerup")
    wait_for(page, "page.lesson.taskIndex", 1)


@CHROMIUM_ONLY
def test_a_lesson_is_done_by_touch_on_a_telephone(visited, tmp_path):
    page = visited(
        page_of("alpha-and-kkt", tmp_path), (360, 740), has_touch=True, color_scheme="dark"
    )
    for number, text in enumerate(("0", "0.2")):
        page.locator("#lesson-tasks input").fill(text)
        page.get_by_role("button", name="Answer", exact=True).tap()
        wait_for(page, "page.lesson.taskIndex", number + 1)
    page.locator("#lesson-tasks .choice").nth(page.evaluate("page.lesson.task.right[0]")).tap()
    wait_for(page, "page.lesson.taskIndex", 3)
    page.get_by_role("button", name="Next", exact=True).tap()
    assert page.inner_text("#lesson-card h2") == "The three cases"
    place = page.evaluate("page.views[0].pointPixels(page.lesson.task.right[0][0])")
    box = Student(page, None).plane_box()
    page.touchscreen.tap(box["x"] + place[0], box["y"] + place[1])
    wait_for(page, "page.lesson.taskIndex", 1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@CHROMIUM_ONLY
def test_a_lesson_is_done_by_keys(visited, tmp_path):
    page = visited(page_of("own-line", tmp_path))
    cards = LESSONS["own-line"].cards
    index = next(k for k, card in enumerate(cards) if card.show.tool == "line")
    page.evaluate("index => page.lesson.open(index, false)", index)
    for number, task in enumerate(cards[index].tasks):
        wait_for(page, "page.lesson.taskIndex", number)
        if isinstance(task, Goal):
            break
        if task.kind == CHOICE:
            right = page.evaluate("page.lesson.task.right[0]")
            page.locator("#lesson-tasks .choice").nth(right).press("Enter")
            continue
        page.focus("#lesson-tasks input")
        page.keyboard.type(str(page.evaluate("page.lesson.task.right[0]")).replace(".", ","))
        # In a field, arrows belong to the text.
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Enter")
    page.focus("#planes canvas")
    start = page.evaluate("page.lesson.line")
    for key in ("ArrowUp", "ArrowUp", "ArrowLeft"):
        page.keyboard.press(key)
    assert page.evaluate("page.lesson.line") != start
    page.get_by_role("button", name="Skip").press("Enter")
    # The focus goes where one goes on.
    assert page.evaluate("document.activeElement.textContent") == "Next"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.textContent") == cards[index + 1].title


@CHROMIUM_ONLY
@pytest.mark.parametrize(("size", "scheme"), [((360, 740), "dark"), ((1280, 900), "light")])
def test_axe_finds_nothing_on_any_card(visited, tmp_path, size, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = visited(page_of("a-pair-moves", tmp_path), size, color_scheme=scheme)
    for index in range(4):
        page.evaluate("index => page.lesson.open(index, false)", index)
        page.get_by_role("button", name="Show the answer").click()
        page.wait_for_timeout(200)
        found = axe.Axe().run(page).response["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []


def test_a_hostile_lesson_runs_nothing(visited, tmp_path):
    hostile = "<img src=x onerror='window.stranger = 1'></script><script>window.stranger = 1"
    text = "\n".join(
        [
            f"---\ntitle: {hostile}\nabout: {hostile}\n---\n# {hostile}\n\n{hostile}\n",
            "```formula\n\\text{<b>x</b>} <script>window.stranger = 1</script>\n```\n",
            "```show\nscene eight-points\npanels table\n```\n",
            f"```predict\nask {hostile}\nright {hostile}\nchoice {hostile} 2\n"
            f"hint {hostile}\nbecause {hostile}\n```",
            f"```do\nask {hostile}\ngoal moved >= 1\nwords {hostile}\ntry move 1 1 1\n```",
        ]
    )
    (tmp_path / "a.md").write_text(text, encoding="utf-8")
    assert main(["render", str(tmp_path / "a.md"), "-o", str(tmp_path / "a.html")]) == 0
    page = visited(tmp_path / "a.html")
    page.click("#lesson-tasks .choice >> nth=1")
    page.click("#lesson-tasks .choice >> nth=0")
    wait_for(page, "page.lesson.taskIndex", 1)
    assert hostile in page.inner_text("#lesson-tasks")
    page.wait_for_timeout(200)
    assert page.evaluate("window.stranger") is None
    assert page.locator("img, .lesson b, .lesson script").count() == 0


CONTROLS = "#live-tools input[type=range], #lesson-controls input, #lesson-controls select"
BOX = "(box => [box.top, box.bottom])(document.querySelector('{}').getBoundingClientRect())"


@CHROMIUM_ONLY
@pytest.mark.parametrize("name", LESSONS)
def test_each_card_shows_its_task_on_the_first_screen_of_a_telephone(visited, tmp_path, name):
    page = visited(page_of(name, tmp_path), (390, 844))
    for index, card in enumerate(LESSONS[name].cards):
        page.set_viewport_size({"width": 360, "height": 640})
        page.evaluate(f"page.lesson.open({index}); scrollTo(0, 0)")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        for width, height in ((360, 640), (844, 390), (390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            for control in page.locator(CONTROLS).all():
                if card.tasks and control.is_visible():
                    assert is_under_a_finger(control), (card.title, width)
        if not card.tasks:
            continue
        top, bottom = page.evaluate(BOX.format("#lesson-tasks .ask"))
        assert 0 <= top < bottom <= 844
        if page.is_hidden("#planes"):
            continue
        assert page.evaluate(BOX.format("#planes"))[1] <= top
        # With a keyboard on the screen, picture and field are seen together.
        if page.locator("#lesson-tasks input").count():
            page.set_viewport_size({"width": 390, "height": 430})
            page.focus("#lesson-tasks input")
            # The page follows the keyboard with the event of its size.
            wait_for(page, BOX.format("#lesson-tasks input") + "[1] <= 430", True)
            field, picture = (
                page.evaluate(BOX.format(at)) for at in ("#lesson-tasks input", "#planes")
            )
            assert picture[1] - max(picture[0], 0) >= 120
            assert picture[1] <= field[0] < field[1] <= 430


@CHROMIUM_ONLY
def test_each_card_has_the_colours_of_its_machine_and_decides_again(visited, tmp_path):
    page = visited(page_of("many-classes", tmp_path))
    classes = [page.evaluate(f"colourOf('class_{k}')") for k in range(3)]
    rest = page.evaluate("colourOf('rest')")
    for card, sides in ((0, (classes[0], rest)), (2, (classes[1], rest)), (3, classes[:2])):
        page.evaluate(f"page.lesson.open({card})")
        assert page.evaluate("['positive', 'negative'].map(colourOf)") == list(sides)
        for _ in range(2):
            assert page.evaluate("page.views[0].decides")
            page.evaluate(f"page.lesson.open({card})")
        # The legend follows with the next picture.
        legend = "document.querySelector('#legend').innerText"
        wait_for(page, f"{legend}.includes('support vector')", False)

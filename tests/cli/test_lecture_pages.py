"""A lecture as a PDF: a page for each stop, with what the stop shows."""

from dataclasses import replace

import pypdfium2
import pytest

from svmviz.cli import lecture_pages
from svmviz.cli.render import figure_of
from svmviz.io.scene import Scene
from svmviz.lessons.lecture import lecture_text, stop_at, with_stops
from svmviz.lessons.shipped import LESSONS
from svmviz.lessons.shows import Show
from tests.stages import eight


@pytest.fixture(scope="module")
def lecture():
    scene = Scene(eight(), step=2)
    card = LESSONS["the-gap"].cards[0]
    return with_stops(
        None,
        [
            stop_at(scene, Show(panels=("alpha",)), "Step two"),
            stop_at(replace(scene, step=3), Show(explains=True), "Its parts"),
            replace(stop_at(scene, Show(), "A card", card.body), note="Only for me."),
        ],
    )


def test_a_page_has_the_title_the_panels_and_the_words_of_its_stop(svmviz, tmp_path, lecture):
    source, target = tmp_path / "lecture.md", tmp_path / "lecture.pdf"
    source.write_text(lecture_text(lecture), encoding="utf-8")
    done = svmviz("render", source, "-o", target)
    assert (done.code, done.err) == (0, "")
    with pypdfium2.PdfDocument(target) as pdf:
        texts = []
        for page in pdf:
            assert page.get_size() == pytest.approx((720.0, 405.0), abs=0.01)
            texts.append(" ".join(page.get_textpage().get_text_range().split()))
    assert len(texts) == 3
    assert "Step two" in texts[0]
    assert "α values" in texts[0]
    assert "Pseudo-code" in texts[1]
    assert "Step 3" in texts[1]
    assert lecture.cards[2].paragraphs[0].split(". ")[0][:30] in texts[2]
    assert "Only for me" not in "".join(texts)


def test_a_lesson_with_questions_is_no_pdf(svmviz, tmp_path):
    done = svmviz("render", "perceptron", "-o", tmp_path / "x.pdf")
    assert done.code != 0
    assert "has questions" in done.err
    assert not (tmp_path / "x.pdf").exists()


def test_formulas_and_long_texts_have_their_own_room(qapp, monkeypatch, tmp_path):
    """No part of a page lies on the text below, and formulas are typeset as in panels."""
    body = next(card.body for card in LESSONS["choosing-the-pair"].cards if card.formulas)
    scene, made = Scene(eight(), step=2), []
    stops = [
        stop_at(scene, Show(panels=("alpha",)), "Both", (*body, "And x^2. " * 40)),
        stop_at(scene, Show(), "Formulas", body),
        stop_at(scene, Show(), "None", ("Only words.",)),
    ]
    monkeypatch.setattr(lecture_pages, "pages_as_pdf", lambda figures: made.extend(figures) or b"")
    lecture_pages.write_lecture(with_stops(None, stops), tmp_path / "x.pdf", figure_of)
    for figure in made:
        _, caption, *_ = figure._words()
        parts = [top + height for _, (_, top, _, height) in figure.placed_parts()]
        assert max(parts) <= caption[1].top() + 1.0
    with_panel, alone, words = made
    assert [len(figure.formulas) for figure in made] == [4, 4, 0]
    assert "x²" in with_panel.caption
    # The room is that of the typeset lines, and each line has ink in it.
    assert words.parts_box()[3] > alone.parts_box()[3] + 4 * 1.25
    image = alone.image()
    top, size = alone._words()[1][1].bottom(), alone._formula_size()
    for line in alone.formulas:
        rows = range(int(top), int(top + size * (line.height + 0.35)))
        dark = sum(image.pixelColor(x, y).lightness() < 100 for y in rows for x in range(120))
        assert dark > 20
        top += size * (line.height + 0.35)

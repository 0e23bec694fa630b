"""The terms of a course are introduced before they are used."""

import pytest

from svmviz.lessons.lessons import read_lesson
from tests.lessons.course_terms import needed, terms, unknown_terms

QUESTION = "```predict\nask Is it the dual?\nright yes\nchoice no\nhint h\nbecause Yes.\n```\n"


def lesson(name, words, head="", more=""):
    return read_lesson(f"---\ntitle: T\n{head}---\n# One\n{words}\n{more}", name)


def course(*lessons):
    return {each.name: each for each in lessons}


def test_a_term_is_known_to_the_lessons_that_need_its_lesson():
    first = lesson("first", "The margin is the distance.", "defines: margin\n")
    second = lesson("second", "Nothing new.", "needs: first\n")
    third = lesson("third", "The margin again.", "needs: second\n")
    assert unknown_terms(course(first, second, third)) == []
    assert needed("third", course(first, second, third)) == {"first", "second"}
    other = lesson("third", "The margin again.")
    assert unknown_terms(course(first, other)) == [
        "third: line 4: margin is used and was not introduced."
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (lesson("a", "x", "defines: dual\n", QUESTION), "line 7: dual is used before the text"),
        (lesson("a", "x", "defines: dual\n"), "dual is not introduced"),
        (lesson("a", "x", "defines: nothing\n"), "defines nothing, which is no term"),
        (lesson("a", "x", "needs: later\n"), "needs later, which does not come before"),
        (lesson("a", "```formula\n\\frac{\\lambda}{2}\n```\nx"), "λ is used"),
        (lesson("a", "The ν-SVM."), "ν-SVM is used"),
    ],
)
def test_what_comes_too_early_is_found(text, words):
    assert any(words in fault for fault in unknown_terms(course(text)))


def test_letters_of_words_and_of_other_symbols_are_no_terms():
    # No f, k, C, K, E, P or α of its own, and no support vector.
    words = "A support vector machine, if kept: Ctrl+Z. Kept as Epsilon; PD, fk, xξx."
    assert not any(
        fault.startswith("a: line") for fault in unknown_terms(course(lesson("a", words)))
    )


def test_a_letter_may_have_an_index_or_a_bracket():
    for term, text in (("α", "αᵢ"), ("f", "f(x)"), ("K", "Kᵢⱼ"), ("E", "E₂ = 1"), ("C", "C = 1")):
        assert terms()[term].search(text), term

"""Lines that students hand in are read as they were written, and damaged ones are refused."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers import BadInput
from svmviz.lessons.hand_in import (
    GIVEN_UP,
    MAX_NAME,
    OPEN,
    RIGHT,
    Mark,
    line_of,
    lines_in,
    read_line,
    version_of,
)
from svmviz.lessons.shipped import LESSONS

GAP = LESSONS["the-gap"]
MARKS = (Mark(RIGHT, 0, 35), Mark(RIGHT, 2, 80), Mark(GIVEN_UP, 1, 12), Mark(OPEN, 0, 0))
marks = st.builds(
    Mark, st.sampled_from((RIGHT, GIVEN_UP, OPEN)), st.integers(0, 99), st.integers(0, 9999)
)


@given(st.text(max_size=90), st.lists(marks, max_size=20))
def test_a_line_is_read_as_it_was_written(name, done):
    line = line_of(name, GAP, done, "2026-11-29")
    assert len(line.splitlines()) == 1
    read = read_line(line)
    assert read.student == " ".join(" ".join(name.split())[:MAX_NAME].split())
    assert (read.lesson, read.version, read.day) == ("the-gap", version_of(GAP), "2026-11-29")
    assert read.marks == tuple(done)


def test_counts_are_those_of_the_marks():
    read = read_line(line_of("Ada", GAP, MARKS, "2026-11-29"))
    assert (read.count(RIGHT), read.count(RIGHT, first_try=True)) == (2, 1)
    assert (read.count(GIVEN_UP), read.count(OPEN), read.seconds) == (1, 1, 127)


def test_every_single_typing_error_is_found():
    line = line_of("Ada Lovelace", GAP, MARKS, "2026-11-29")
    for place in range(len(line)):
        for letter in "a0:":
            wrong = line[:place] + letter + line[place + 1 :]
            if wrong != line:
                with pytest.raises(BadInput):
                    read_line(wrong)
        with pytest.raises(BadInput):
            read_line(line[:place] + line[place + 1 :])


def test_lines_are_found_in_a_mail():
    first, second = (line_of(name, GAP, MARKS, "2026-11-29") for name in ("Ada", "Bo"))
    mail = f"Dear teacher,\n\nhere: {first}  \n> {second}\nBest, Ada"
    assert lines_in(mail) == [(3, first), (4, second)]


def test_another_question_is_another_version():
    card = next(card for card in GAP.cards if card.tasks)
    task = dataclasses.replace(card.tasks[0], ask="Something else?")
    other = dataclasses.replace(card, tasks=(task, *card.tasks[1:]))
    cards = tuple(other if one is card else one for one in GAP.cards)
    assert version_of(dataclasses.replace(GAP, cards=cards)) != version_of(GAP)
    assert version_of(dataclasses.replace(GAP, title="Renamed")) == version_of(GAP)

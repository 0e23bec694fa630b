"""Lines that were handed in become a table, and damaged ones are named."""

import csv

import numpy as np

from svmviz.lessons.hand_in import GIVEN_UP, OPEN, RIGHT, Mark, line_of
from svmviz.lessons.shipped import LESSONS

GAP = LESSONS["the-gap"]
COUNT = sum(len(card.tasks) for card in GAP.cards)


def a_line(seed):
    rng = np.random.default_rng(seed)
    results = rng.choice([RIGHT, GIVEN_UP, OPEN], COUNT, p=[0.7, 0.2, 0.1])
    marks = [Mark(str(r), int(rng.integers(3)), int(rng.integers(90))) for r in results]
    return marks, line_of(f"Student {seed}", GAP, marks, "2026-11-29")


def test_thirty_lines_with_five_damaged_ones(svmviz, tmp_path):
    marks, lines = zip(*map(a_line, range(30)), strict=True)
    damaged = {3: lines[3][:-1], 8: lines[8].replace("Student", "student", 1)}
    damaged |= {12: lines[12].replace(":1:", ":2:", 1), 20: lines[20].replace("t", "u", 1)}
    damaged[29] = lines[29].replace("2026", "2025")
    files = []
    for k, line in enumerate(lines):
        file = tmp_path / f"{k}.txt"
        file.write_text(f"Hello,\n\n{damaged.get(k, line)}\n")
        files.append(file)
    done = svmviz("marks", *files, "-o", tmp_path / "marks.csv")
    assert done.code == 1
    errors = done.err.splitlines()
    assert len(errors) == 5
    for k, error in zip(sorted(damaged), errors, strict=True):
        assert f"{k}.txt" in error
    with (tmp_path / "marks.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    whole = [k for k in range(30) if k not in damaged]
    assert [row["student"] for row in rows] == [f"Student {k}" for k in whole]
    for k, row in zip(whole, rows, strict=True):
        assert int(row["right"]) == sum(mark.result == RIGHT for mark in marks[k])
        assert int(row["wrong tries"]) == sum(mark.wrong for mark in marks[k])
        assert int(row["seconds"]) == sum(mark.seconds for mark in marks[k])
    # The first question, counted anew, with its words.
    firsts = [marks[k][0] for k in whole]
    first = sum(mark == (RIGHT, 0, mark.seconds) for mark in firsts)
    text = done.out.splitlines()[1]
    assert text.startswith(f"  1: {first} right at first try")
    assert GAP.cards[0].tasks[0].ask in text


def test_a_name_is_no_formula_of_a_spreadsheet(svmviz, tmp_path):
    file = tmp_path / "one.txt"
    file.write_text(line_of("=HYPERLINK(1)", GAP, [Mark(RIGHT, 0, 1)] * COUNT, "2026-11-29"))
    assert svmviz("marks", file, "-o", tmp_path / "marks.csv").code == 0
    with (tmp_path / "marks.csv").open(newline="") as table:
        assert next(csv.DictReader(table))["student"] == "'=HYPERLINK(1)"


def test_a_text_without_a_line_is_named_and_nothing_is_written_over(svmviz, tmp_path):
    file = tmp_path / "empty.txt"
    file.write_text("I was ill.")
    done = svmviz("marks", file)
    assert (done.code, done.out.strip()) == (1, "")
    assert done.err == f"svmviz: {file}: no line that was handed in.\n"

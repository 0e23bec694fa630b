"""A few cases of each campaign, with fixed seeds."""

from __future__ import annotations

import os

import pytest

from tests.campaigns import __main__ as everything
from tests.campaigns import command_lines, files, kills, monkey, presses, problems, tables
from tests.campaigns.summary import Summary

pytestmark = pytest.mark.slow
posix = pytest.mark.skipif(os.name == "nt", reason="POSIX files and signals")


def test_files():
    summary = files.main(seed=7, count=600, processes=1)
    assert summary.tried == 600
    assert not summary.failures, str(summary)


def test_tables():
    summary = tables.main(seed=7, count=600, processes=1)
    assert summary.tried == 600
    assert not summary.failures, str(summary)
    assert int(str(summary.figures["read"])) > 500


def test_problems():
    summary = problems.main(seed=7, count=12, processes=1)
    assert summary.tried == 12
    assert not summary.failures, str(summary)


@pytest.mark.display
def test_presses():
    summary = presses.main(seed=7, count=200)
    assert summary.tried >= 200
    assert not summary.failures, str(summary)


@pytest.mark.display
def test_monkey():
    # Whether the loop stood still is judged by the campaign alone: tests assert no times.
    summary = monkey.main(seed=7, seconds=5.0, longest=float("inf"))
    assert summary.tried > 50
    assert not summary.failures, str(summary)


@pytest.mark.parametrize("count", range(8))
def test_memory_is_judged_after_any_number_of_rests(count):
    summary = Summary("monkey")
    looks = [((100_000_000 * k, 0, 0), 500) for k in range(count)]
    monkey._judge_memory(summary, looks)
    assert len(summary.failures) == (count > 4)


@posix
@pytest.mark.usefixtures("qapp")
def test_command_lines():
    summary = command_lines.main(seed=7, count=120)
    assert summary.tried == 120
    assert not summary.failures, str(summary)


def test_there_are_enough_command_lines():
    lines = [tuple(words) for words in command_lines.wrong_lines()]
    assert len(set(lines)) == len(lines) > 300


@posix
@pytest.mark.usefixtures("qapp")
def test_a_command_line_that_is_right_is_found():
    assert command_lines.find_wrong(["list", "solvers"]).startswith("exit code 0")


@posix
@pytest.mark.display
def test_kills():
    summary = kills.main(seed=7, count=3)
    assert summary.tried == 3
    assert not summary.failures, str(summary)


def test_make_campaign_runs_all():
    names = ("command_lines", "files", "kills", "monkey", "presses", "problems", "tables")
    assert everything.campaigns() == [f"tests.campaigns.{name}" for name in names]

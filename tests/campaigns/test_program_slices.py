"""A few cases of the campaigns against the program as a whole, with fixed seeds."""

from __future__ import annotations

import os

import pytest

from tests.campaigns import __main__ as everything
from tests.campaigns import command_lines, kills

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name == "nt", reason="POSIX files and signals"),
]


@pytest.mark.usefixtures("qapp")
def test_command_lines():
    summary = command_lines.main(seed=7, count=120)
    assert summary.tried == 120
    assert not summary.failures, str(summary)


def test_there_are_enough_command_lines():
    lines = [tuple(words) for words in command_lines.wrong_lines()]
    assert len(set(lines)) == len(lines) > 300


@pytest.mark.usefixtures("qapp")
def test_a_command_line_that_is_right_is_found():
    assert command_lines.find_wrong(["list", "solvers"]).startswith("exit code 0")


@pytest.mark.display
def test_kills():
    summary = kills.main(seed=7, count=3)
    assert summary.tried == 3
    assert not summary.failures, str(summary)


def test_make_campaign_runs_them():
    assert {"tests.campaigns.command_lines", "tests.campaigns.kills"} <= set(everything.campaigns())

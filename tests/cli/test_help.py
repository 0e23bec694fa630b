"""``svmviz solve --help``: what each option means for each kernel and method."""

import re

import pytest

from solvers import KERNELS, METHODS
from solvers.settings import settings_of
from svmviz.cli.model_options import option_of

OWNERS = {**KERNELS, **METHODS}


@pytest.fixture
def helped(svmviz):
    """The whole help."""
    done = svmviz("solve", "--help")
    assert (done.code, done.err) == (0, "")
    return done.out


def entry_of(helped, option):
    """The help of one option, in one line."""
    begin = re.search(rf"^  {re.escape(option)}(?=[ ,\n])", helped, re.MULTILINE)
    assert begin is not None, option
    lines = helped[begin.start() :].splitlines()
    rest = [lines[0]]
    for line in lines[1:]:
        if not line.startswith(" " * 10):
            break
        rest.append(line)
    return " ".join(" ".join(rest).split())


@pytest.mark.parametrize("owner", OWNERS)
def test_every_setting_is_explained_for_each_owner(helped, owner):
    for name, spec in settings_of(OWNERS[owner]).items():
        entry = entry_of(helped, option_of(name))
        before = entry.split(" ".join(spec.help.split()))[:-1]
        # The names of the owners with this meaning and default stand right before it.
        assert any(owner in text.split("]")[-1] for text in before)


def test_the_keys_of_a_choice_are_explained(helped):
    assert "fast (random violators)" in entry_of(helped, "--choice")
    assert "inverse (1/(λt))" in entry_of(helped, "--rate")
    assert "Values" not in entry_of(helped, "--order").split("perceptron")[1]


def test_methods_that_use_no_c_or_need_a_finite_one_are_named(helped):
    entry = entry_of(helped, "--C")
    finite = ", ".join(name for name, method in METHODS.items() if method.finite_C)
    assert "perceptron, hulls: C is not used" in entry
    assert f"{finite}: C must be finite" in entry
    assert finite.startswith("pegasos, subgradient")


def test_biases_name_the_methods_that_cannot_have_them(helped):
    entry = entry_of(helped, "--bias")
    for bias, one in (("free", "coordinate-ascent"), ("augmented", "smo")):
        without = ", ".join(name for name, kind in METHODS.items() if bias not in kind.biases)
        assert one in without
        assert f"(not for {without})" in entry


@pytest.mark.parametrize("command", ["solve", "select", "render"])
@pytest.mark.parametrize("columns", ["60", "80", "97"])
def test_no_name_is_broken_at_a_hyphen(svmviz, monkeypatch, command, columns):
    monkeypatch.setenv("COLUMNS", columns)
    lines = svmviz(command, "--help").out.splitlines()
    assert not [line for line in lines if re.search(r"\w-$", line)]
    assert any("working-set" in line for line in lines)

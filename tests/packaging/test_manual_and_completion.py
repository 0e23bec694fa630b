"""The manual page and the completion of shells have the options of the parser, and no others."""

import re
import shutil
import subprocess

import pytest

from scripts import make_packaging as making

PARSERS = making.parsers(making.whole_parser())
REMEDY = "run make packaging"


def options(parser):
    return {name for action in parser._actions for name in action.option_strings}


def read(shell):
    return (making.LINUX / making.COMPLETION[shell]).read_text("utf-8")


def shell(name, *arguments):
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    done = subprocess.run([name, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_the_manual_has_the_arguments_of_the_parser():
    """Sentences may be those of an earlier state: a release writes them anew."""

    def names(text):
        return re.findall(r"^(\.S[HS] .*|\\f.*)$", text, re.MULTILINE)

    written = names(making.MANUAL.read_text("utf-8"))
    assert written == names(making.manual()), REMEDY
    assert len(written) > 80


def test_the_manual_has_each_option_once_for_each_meaning():
    text = making.MANUAL.read_text("utf-8").replace("\\-", "-")
    for parser in PARSERS.values():
        for name in options(parser) - {"-h", "--help"}:
            assert rf"\fB{name}\fR" in text
    assert text.count(r"\fB--kernel\fR") == 1


def test_man_reads_the_manual():
    assert {"NAME", "SYNOPSIS", "COMMANDS"} <= set(shell("man", "-l", str(making.MANUAL)))


@pytest.mark.parametrize("command", PARSERS)
def test_bash_has_the_options_of_each_command(command):
    name = f"svmviz_{command}".rstrip("_")
    (found,) = re.findall(rf"^_shtab_{name}_option_strings=\((.*)\)$", read("bash"), re.MULTILINE)
    assert set(found.replace("'", "").split()) == options(PARSERS[command]), REMEDY


@pytest.mark.parametrize("command", [name for name in PARSERS if name])
def test_fish_and_zsh_have_the_options_of_each_command(command):
    lines = [line for line in read("fish").splitlines() if f"using {command}'" in line]
    fish = {name for line in lines for name in re.findall(r" -l (\S+)", line)}
    assert {f"--{name}" for name in fish} == options(PARSERS[command]) - {"-h", "-o"}, REMEDY
    (zsh,) = re.findall(rf"^_shtab_svmviz_{command}_options=\($(.*?)^\)$", read("zsh"), re.S | re.M)
    # Names stand before the bracket of the sentence.
    heads = [line.partition("[")[0] for line in zsh.splitlines()]
    found = {name for head in heads for name in re.findall(r"--[A-Za-z0-9-]+", head)}
    assert found <= options(PARSERS[command])
    assert options(PARSERS[command]) - found <= {"-h", "-o"}, REMEDY


def test_bash_completes():
    script = (
        f"source {making.LINUX}/svmviz; COMP_WORDS=(svmviz solve a.csv --kernel com); "
        "COMP_CWORD=4; $(complete -p svmviz | sed 's/.*-F \\([^ ]*\\).*/\\1/') svmviz com; "
        'echo "${COMPREPLY[@]}"'
    )
    assert shell("bash", "-c", script) == ["composed"]


def test_fish_completes():
    script = f"source {making.LINUX}/svmviz.fish; complete -C 'svmviz solve --kernel com'"
    assert shell("fish", "--no-config", "-c", script)[0] == "composed"


def test_zsh_reads_the_completion():
    script = f"autoload -Uz compinit; compinit -u -D; source {making.LINUX}/_svmviz; echo read"
    assert shell("zsh", "-f", "-c", script) == ["read"]

"""Each entry of a registry has all that belongs to it; what is missing is said in words.

The places are those of the table "Adding something" in ARCHITECTURE.md.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar
from unittest.mock import MagicMock

import pytest

from solvers import ITEM_KERNELS, KERNELS, METHODS, BadInput, Kernel, Method
from solvers.kernels.programs import Program
from solvers.run.method import GUARANTEES
from solvers.settings import setting, settings_of
from svmviz.base.lazy import later
from svmviz.base.resources import path as asset
from svmviz.document.rescaling import GAMMA_SCALES
from svmviz.export import FORMATS, RUN_FORMATS, Format, RunFormat
from svmviz.export.code.kernel_code import KernelCode
from svmviz.export.html.contents import program_of
from svmviz.export.runs.run_settings import RunSettings
from svmviz.lessons.pages import page_of
from svmviz.panels.panel_spec import PanelSpec
from svmviz.panels.registry import PANELS, WINDOW_ONLY
from svmviz.theme.icons import names as icon_names
from svmviz.tools import TOOLS, ToolEntry
from svmviz.tools.base import Tool
from svmviz.window.menus import actions
from tests.solvers.methods import test_beats as beats
from tests.solvers.methods import test_contract as contract
from tests.solvers.methods import test_questions as questions
from tests.solvers.problems import DEFINITIONS

Missing = Iterator[str]


def is_lacking(needed: Callable[[], Any]) -> bool:
    """Whether a lookup or a chain of cases comes to nothing."""
    try:
        needed()
    except (AttributeError, BadInput, ImportError, KeyError, NotImplementedError):
        return True
    return False


def cells_of(page: str, row: str) -> set[str]:
    """The words in the first cells of a page's table, whose rows match a pattern."""
    text = (Path(__file__).parents[1] / "docs" / page).read_text("utf-8")
    cells = re.findall(rf"^\| ({row}) \|", text, re.MULTILINE)
    return {word for cell in cells for word in re.sub(r" \(.*", "", cell).split(", ")}


def missing_of_page(kind: str, name: str) -> Missing:
    page = page_of(kind, name)
    # What a kernel is follows from its formula, and a sentence in its class.
    parts = {"formula": page.formula, "text": page.paragraphs or kind == "kernels"}
    if lacking := " and no ".join(part for part, found in parts.items() if not found):
        yield f"has no {lacking} in its page of the help: write assets/help/{kind}/{name}.md"


def missing_of_kernel(kind: type[Kernel]) -> Missing:
    kernel = kind()
    yield from missing_of_page("kernels", kind.name)
    if kind.name not in cells_of("scene-format.md", "[^|]*"):
        yield "is not in the table of kernels in docs/scene-format.md"
    if kind.name in ITEM_KERNELS:
        return
    if is_lacking(lambda: KernelCode(kernel).text()):
        yield "has no code in scripts: add a case to _leaf in svmviz/export/code/kernel_code.py"
    if is_lacking(lambda: program_of(kernel)):
        yield (
            "has an operation without a name in pages: add it to OPERATION_NAMES in "
            "svmviz/export/html/kernel_programs.py"
        )
    else:
        script = asset("page/kernels.js").read_text("utf-8")
        for op in program_of(kernel)["ops"]:
            if not re.search(rf"(?:^  |, ){op}(?:: |\()", script, re.MULTILINE):
                yield f"has the operation {op}, which pages lack: add it to assets/page/kernels.js"
    if "gamma" in settings_of(kind) and kind not in GAMMA_SCALES:
        yield (
            "has a gamma that is not fitted to the points: add its scale to GAMMA_SCALES in "
            "svmviz/document/rescaling.py"
        )
    if kind.name not in DEFINITIONS:
        yield "is not tested by its definition: add it to DEFINITIONS in tests/solvers/problems.py"


def missing_of_method(kind: type[Method]) -> Missing:
    for name in ("label", "help", "source"):
        if not getattr(kind, name, ""):
            yield f"has no {name}: set it in its class"
    yield from missing_of_page("methods", kind.name)
    for name in getattr(kind, "guarantees", ()):
        if name not in GUARANTEES:
            yield f"guarantees {name!r}: say what it is in GUARANTEES in solvers/run/method.py"
        elif name not in contract.CHECKS:
            yield (
                f"guarantees {name!r}, which nothing checks: add a check to CHECKS in "
                "tests/solvers/methods/test_contract.py"
            )
    if kind.pseudo_code is not Method.pseudo_code:
        if kind.name not in beats.CHECKS:
            yield (
                "has pseudo-code whose lines are not checked: add a function to CHECKS in "
                "tests/solvers/methods/test_beats.py"
            )
        if kind.name not in questions.ORACLES:
            yield (
                "asks questions whose answers are not checked: add an entry, with a function for "
                "each question, to ORACLES in tests/solvers/methods/test_questions.py"
            )


def missing_of_panel(spec: PanelSpec) -> Missing:
    if is_lacking(lambda: importlib.import_module(spec.make.module)):
        yield f"is to be in {spec.make.module}, which cannot be imported"
    if not spec.key:
        yield "has no key: add one to its entry in svmviz/panels/registry.py"
    others = (*PANELS.values(), *WINDOW_ONLY.values())
    same = [each.name for each in others if spec.key and each.key == spec.key]
    if len(same) > 1:
        yield f"has the key of another panel: {', '.join(same)}"
    yield from missing_of_page("panels", spec.name)


def missing_of_tool(entry: ToolEntry) -> Missing:
    if entry.icon not in icon_names():
        yield f"has no icon: draw assets/icons/{entry.icon}.svg"
    if not entry.key:
        yield "has no key: set it in its ToolEntry"
    taken = [f"the tool {tool.title}" for tool in TOOLS.values() if tool.key == entry.key]
    taken += [f"the command {name}" for name, keys in keys_of_actions() if entry.key in keys]
    if len(taken) > 1:
        yield f"has a key that several have, {entry.key}: {', '.join(taken)}"
    if entry.key not in cells_of("keys.md", "1, 2, [^|]*"):
        yield "has a key that docs/keys.md does not list: add it to the row of the tools"
    if not entry.help.endswith("."):
        yield "has no help: set a sentence in its ToolEntry"


def keys_of_actions() -> list[tuple[str, tuple[str, ...]]]:
    """The names and keys of the commands in menus, of which none is carried out."""
    tables = [table for name, table in vars(actions).items() if name.endswith("_actions")]
    counts = [len(inspect.signature(table).parameters) for table in tables]
    made = [table(*(MagicMock() for _ in range(n))) for table, n in zip(tables, counts)]
    return [(spec.name, spec.keys) for specs in made for spec in specs]


def missing_of_format(entry: Format | RunFormat) -> Missing:
    if is_lacking(lambda: importlib.import_module(entry.save.module)):
        yield f"is to be in {entry.save.module}, which cannot be imported"
    if entry.ending != "/" and not re.fullmatch(r"\.[a-z0-9]+", entry.ending):
        yield f"has the ending {entry.ending!r}: it is a dot and lower-case letters"
    if isinstance(entry, RunFormat):
        fields = {field.name for field in dataclasses.fields(RunSettings)}
        for option in set(entry.options) - fields:
            yield (
                f"uses the option {option}, which is no field of RunSettings in "
                "svmviz/export/runs/run_settings.py"
            )


REGISTERED = [
    *((f"kernel {name}", missing_of_kernel, kind) for name, kind in KERNELS.items()),
    *((f"kernel {name}", missing_of_kernel, kind) for name, kind in ITEM_KERNELS.items()),
    *((f"method {name}", missing_of_method, kind) for name, kind in METHODS.items()),
    *((f"panel {name}", missing_of_panel, spec) for name, spec in PANELS.items()),
    *((f"tool {name}", missing_of_tool, entry) for name, entry in TOOLS.items()),
    *((f"format {name}", missing_of_format, entry) for name, entry in FORMATS.items()),
    *((f"format {name}", missing_of_format, entry) for name, entry in RUN_FORMATS.items()),
]


@pytest.mark.parametrize(
    ("name", "find_missing", "entry"), REGISTERED, ids=[r[0] for r in REGISTERED]
)
def test_nothing_is_missing(name, find_missing, entry):
    missing = [f"{name} {sentence}" for sentence in find_missing(entry)]
    # Joined, because pytest shortens a list.
    assert not missing, "\n".join(missing)


@dataclasses.dataclass(frozen=True)
class Cauchy(Kernel):
    name: ClassVar[str] = "cauchy"
    gamma: float = setting(1.0, "γ", "Width.", low=0.1, high=9.0)

    def program(self) -> Program:
        return Program.of(99, self.gamma)


class Nameless(Method):
    name: ClassVar[str] = "nameless"
    guarantees: ClassVar[tuple[str, ...]] = ("box", "luck")

    def pseudo_code(self, problem):
        return None


NEWCOMERS = [
    (
        missing_of_kernel,
        Cauchy,
        ["page of the help", "scene-format.md",
         "kernel_code.py", "OPERATION_NAMES", "GAMMA_SCALES", "DEFINITIONS"],
    ),
    (
        missing_of_method,
        Nameless,
        ["no label", "no help", "no source", "page of the help",
         "'luck'", "test_beats.py", "test_questions.py"],
    ),
    (
        missing_of_panel,
        PanelSpec("new", "New", later("panels.nowhere:New")),
        ["panels.nowhere", "registry.py", "assets/help/panels/new.md"],
    ),
    (
        missing_of_tool,
        ToolEntry("new", "New", "unheard-of", "N", "Short", Tool),
        ["unheard-of.svg", "next-change", "keys.md", "no help"],
    ),
    (
        missing_of_format,
        RunFormat("New", "new", later("export.nowhere:save_new"), ("colour",)),
        ["export.nowhere", "'new'", "option colour"],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("find_missing", "entry", "words"), NEWCOMERS)
def test_all_that_a_newcomer_lacks_is_said(monkeypatch, find_missing, entry, words):
    if find_missing is missing_of_tool:
        monkeypatch.setitem(TOOLS, "new", entry)
    sentences = list(find_missing(entry))
    assert len(sentences) == len(words)
    for sentence, expected in zip(sentences, words):
        assert expected in sentence

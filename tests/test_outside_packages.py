"""Packages outside this tree bring a method, a kernel, a panel and a format by entry points.

The package is the one of CONTRIBUTING.md. It is written into a folder as an installed package is,
and other processes find it there.
"""

from __future__ import annotations

import inspect
import json
import os
import re
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

import pytest

from solvers import METHODS, RBF
from svmviz.io.open_and_save import save
from svmviz.io.scene import Scene
from tests.solvers.methods import plain_method
from tests.stages import moons
from tests.test_contributing import BLOCKS, PAGE
from tests.time_limits import TIME_LIMIT

ROOT = Path(__file__).parent.parent
SECTION = PAGE[PAGE.index("## Outside this tree") :]
PYPROJECT = re.search(r"^```toml\n(.*?)^```", SECTION, re.MULTILINE | re.DOTALL)[1]  # type: ignore[index]
OBJECTS = textwrap.dedent("".join(re.findall(r"^    (?:WORST|PPM) = .*\n", SECTION, re.MULTILINE)))
BROKEN = """
raise_error = "broken_error:Method"
ends = "broken_end:Method"
taken = "broken_things:SMO"
no-class = "broken_things:NUMBER"
no-words = "broken_things:Wordless"
"""


def install(folder: Path, package: str, points: dict[str, dict[str, str]], **modules: str) -> Path:
    """Write a package as it is installed: its modules, and the folder that describes it."""
    info = folder / f"{package}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    rows = []
    for group, entries in points.items():
        rows += [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
    (info / "entry_points.txt").write_text("\n".join(rows))
    for module, code in modules.items():
        (folder / f"{module}.py").write_text(code, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def ours(tmp_path_factory):
    """A folder with the package of CONTRIBUTING.md, and with a method without a narration."""
    points = tomllib.loads(PYPROJECT)["project"]["entry-points"]
    points["solvers.methods"]["plain"] = "our_plain:Plain"
    worst, ppm = OBJECTS.splitlines()
    return install(
        tmp_path_factory.mktemp("ours"),
        "ours",
        points,
        our_methods=BLOCKS[0],
        our_panels=f"{BLOCKS[1]}\nfrom svmviz.panels.panel_spec import PanelSpec\n{worst}\n",
        our_formats=f"{BLOCKS[2]}\nfrom svmviz.export import Format\n{ppm}\n",
        our_kernels=BLOCKS[3],
        our_plain=inspect.getsource(plain_method),
    )


def run(folder: Path, *arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    paths = [str(folder), str(ROOT)]
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONUTF8": "1"},
        cwd=cwd, capture_output=True, text=True, encoding="utf-8", timeout=TIME_LIMIT,
    )  # fmt: skip


COMMANDS = """
import contextlib, io, json, sys
from svmviz.cli import main

results = []
for command in json.loads(sys.argv[1]):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(command)
    results.append([code, out.getvalue(), err.getvalue()])
print(json.dumps(results))
"""


def svmviz(folder: Path, *commands: str, cwd: Path) -> list[tuple[int, str, str]]:
    """Run commands of the command line in one other process."""
    done = run(folder, "-c", COMMANDS, json.dumps([each.split() for each in commands]), cwd=cwd)
    assert done.returncode == 0, done.stderr
    return [tuple(each) for each in json.loads(done.stdout)]


@pytest.fixture
def scene(tmp_path):
    """A folder with the scene a.svmviz of 20 points."""
    save(tmp_path / "a.svmviz", Scene(moons(20, bias="none", kernel=RBF(2.0))))
    return tmp_path


def test_the_command_line_lists_and_uses_them(ours, scene):
    model = "a.svmviz --solver plain --kernel bumps --gamma 2 --max-steps 200"
    listed, kernels, panels, formats, solved, panel, ppm, page, movie, code, script, risk = svmviz(
        ours,
        "list solvers",
        "list kernels --task classification",
        "list panels --long",
        "list formats",
        "solve a.svmviz --solver frank-wolfe --kernel bumps --gamma 2 --json",
        # A panel first: it needs the larger application of Qt.
        f"render {model} -o a.png --size 320x240 --view worst",
        f"render {model} -o a.ppm --size 320x240",
        f"render {model} -o a.html",
        f"render {model} -o a.gif --size 320x240 --steps 1:4",
        "render a.svmviz --bias free --kernel bumps -o sk.py",
        f"render {model} -o script.py --code solvers",
        f"select {model} --procedure k-fold --folds 3 --jobs 2",
        cwd=scene,
    )
    assert {"frank-wolfe", "plain"} <= set(listed[1].split())
    assert "bumps" in kernels[1].split()
    assert re.search(r"^worst +\w+ +Worst point +The point with the largest ξ\.$", panels[1], re.M)
    assert {"ppm", "png", "html"} <= set(formats[1].split())
    found = json.loads(solved[1])
    assert found["solver"]["name"] == "frank-wolfe"
    assert found["kernel"] == {"name": "bumps", "gamma": 2.0}
    assert found["gap"] <= 1e-3 * found["C"] * 20
    for name, start, done in (("a.ppm", b"P6 ", ppm), ("a.png", b"\x89PNG", panel),
                              ("a.html", b"<!", page), ("a.gif", b"GIF8", movie)):  # fmt: skip
        assert done[0] == 0, done[2]
        assert (scene / name).read_bytes()[:10].startswith(start)
    assert code[0] == 1
    assert code[2].endswith(
        "The kernel Bumps cannot be written as code of numpy: choose the code with solvers.\n"
    )
    assert script[0] == 0, script[2]
    imports = (scene / "script.py").read_text("utf-8")
    assert "from our_kernels import Bumps\nfrom our_plain import Plain\nfrom solvers imp" in imports
    # Two other processes train the models.
    assert risk[0] == 0, risk[2]
    assert re.search(r"^risk +0\.\d+|^risk +0 ", risk[1], re.M)


LIBRARY = """
import our_plain  # before the library: it is imported by this module
from solvers import METHODS, KERNELS, ITEM_KERNELS, Problem, solve
import our_kernels
assert METHODS["plain"] is our_plain.Plain and KERNELS["bumps"] is our_kernels.Bumps
assert "bumps" not in ITEM_KERNELS
run = solve(Problem([[0, 0], [1, 1]], [-1, 1], KERNELS["bumps"](), bias="none"), METHODS["plain"]())
print(run.reason.value, run.at(1).event.sentence)
"""


def test_the_library_finds_them_even_if_their_module_is_imported_first(ours):
    done = run(ours, "-c", LIBRARY)
    assert done.stdout == "converged Changes α of point 1.\n", done.stderr
    assert not done.stderr


WINDOW = """
import sys, time
from pathlib import Path
from PySide6.QtWidgets import QApplication
from solvers import METHODS, KERNELS
from svmviz import theme
from svmviz.document.document import Document
from svmviz.export import FORMATS
from svmviz.io.settings_store import SettingsStore
from svmviz.panels.registry import PANELS
from svmviz.stage.stage import Stage
from svmviz.widgets.plain_text import Label
from svmviz.widgets.still_text import StillText
from svmviz.window import MainWindow
from svmviz.window.help.contents import pages
from svmviz.window.memory import WindowMemory
from tests.stages import moons
from tests.waiting import is_settled

app = QApplication([])
theme.apply(app, theme.LIGHT, 1.0)
document = moons(12, kernel=KERNELS["bumps"](), methods=(METHODS["plain"](),), bias="none")
folder = Path(sys.argv[1])
window = MainWindow(Stage.of(document), WindowMemory(SettingsStore(folder / "s.json"), None))
window.show_first(None)


def wait(condition):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        app.processEvents()
        time.sleep(0.005)


wait(lambda: is_settled(window.stage))
for name, kind in (("fails", Label), ("worst", StillText)):
    window.docks.show(name)
    wait(lambda: window.docks.docks[name].findChild(kind))
    text = window.docks.docks[name].findChild(kind)
    wait(text.text)
    print(name, "|", text.text())
for name in ("method:plain", "kernel:bumps", "panel:worst"):
    print(name, "|", *pages()[name].paragraphs[:1])
print(".ppm" in FORMATS, window.stage.session.document.method.label)
window.stage.session.undo_stack.setClean()
window.close()
"""


def test_the_window_has_them(ours, tmp_path):
    broken = install(
        tmp_path / "broken",
        "broken",
        {"svmviz.panels": {"fails": "broken_panel:FAILS"}},
        broken_panel="from svmviz.panels.panel_spec import PanelSpec\n"
        "def make(stage):\n    raise ValueError('no widget today')\n"
        "FAILS = PanelSpec('fails', 'Fails', make)\n",
    )
    both = Path(os.pathsep.join(map(str, (ours, broken))))
    done = run(both, "-c", WINDOW, str(tmp_path), cwd=ROOT)
    rows = done.stdout.splitlines()
    assert done.returncode == 0, done.stderr
    assert rows[0].startswith("fails | The panel could not be made: no widget today (the log")
    assert re.fullmatch(r"worst \| Point \d+: slack \S+", rows[1])
    assert rows[2:] == [
        "method:plain | Visits the points in turn.",
        "kernel:bumps | A constant, and Gaussian bumps of all widths on top of each other.",
        "panel:worst | The point with the largest ξ.",
        "True Plain",
    ]


@pytest.fixture
def broken(tmp_path):
    """A folder with a package of which nothing can be used."""
    methods = dict(re.findall(r'^(\S+) = "(.*)"$', BROKEN, re.MULTILINE))
    return install(
        tmp_path / "broken",
        "broken",
        {
            "solvers.methods": methods,
            "solvers.kernels": {"strange": "broken_things:Strange"},
            "svmviz.panels": {"number": "broken_things:NUMBER", "named": "broken_things:PANEL"},
            "svmviz.formats": {"png": "broken_things:PNG", "dotless": "broken_things:DOTLESS"},
        },
        broken_error="raise RuntimeError('two\\nlines')\n",
        broken_end="import sys\nsys.exit(3)\n",
        broken_things="""
from typing import ClassVar
from solvers import RBF, SMO, Method
from solvers.kernels.programs import Program
from svmviz.export import Format
from svmviz.panels.panel_spec import PanelSpec
NUMBER = 7
class Wordless(Method):
    name = "wordless"
class Strange(RBF):
    name: ClassVar[str] = "strange"
    def program(self):
        return Program.of(99)
PANEL = PanelSpec("Two words", "Title", print)
PNG = Format("Mine", ".png", print)
DOTLESS = Format("Mine", "dotless", print)
""",
    )


def test_what_is_broken_is_left_out_and_a_sentence_says_why(broken, tmp_path):
    results = svmviz(
        broken, "list solvers", "list kernels", "list panels", "list formats", cwd=tmp_path
    )
    assert [code for code, *_ in results] == [0, 0, 0, 0]
    assert results[0][1].split() == list(METHODS)
    of = "of the package broken is left out:"
    start = "svmviz: The method"
    assert results[0][2].splitlines() == [
        f'{start} "ends" {of} broken_end:Method cannot be loaded (SystemExit: 3).',
        f'{start} "no-class" {of} it is no class derived from solvers.Method.',
        f'{start} "no-words" {of} it has no label.',
        f'{start} "raise_error" {of} broken_error:Method cannot be loaded '
        r"(RuntimeError: two\nlines).",
        f'{start} "taken" {of} another method has the name smo.',
    ]
    assert results[1][2] == (
        f'svmviz: The kernel "strange" {of} its program has an operation that there is not.\n'
    )
    assert results[2][2].splitlines() == [
        f"svmviz: The panel \"named\" {of} its name 'Two words' is no word of small letters, "
        "digits and hyphens.",
        f'svmviz: The panel "number" {of} it is no svmviz.panels.panel_spec.PanelSpec.',
    ]
    assert results[3][2].splitlines() == [
        f"svmviz: The format \"dotless\" {of} its ending 'dotless' has no dot, or its save is no "
        "function.",
        f'svmviz: The format "png" {of} another format has the name .png.',
    ]


def test_nothing_is_loaded_before_a_registry_is_read(ours):
    code = (
        "import sys, solvers, svmviz.app.app\n"
        "print([m for m in sys.modules if m.startswith('our_')])\n"
        "len(solvers.METHODS)\n"
        "print(sorted(m for m in sys.modules if m.startswith('our_')))\n"
    )
    assert run(ours, "-c", code).stdout.splitlines() == ["[]", "['our_methods', 'our_plain']"]


def test_without_such_a_package_the_slow_import_is_spared(tmp_path):
    code = (
        "import sys, solvers\n"
        "print(len(solvers.METHODS), len(solvers.KERNELS), 'importlib.metadata' in sys.modules)"
    )
    assert run(tmp_path, "-c", code).stdout.split()[-1] == "False"

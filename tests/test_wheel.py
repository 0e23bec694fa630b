"""The package as users get it: built, installed with the dependencies of the checkout, and run."""

import os
import signal
import site
import subprocess
import sys
import sysconfig
import tarfile
import time
import venv
from pathlib import Path

import pytest

from tests.cli.common import REFUSE_QT

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
WINDOWS = os.name == "nt"


def run(*command: str | Path, folder: Path) -> str:
    """Output of a command that must succeed, run where no checkout is in sight."""
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
    # Compiled code is filed under the source's path, and this one never comes again.
    environment["NUMBA_CACHE_DIR"] = str(folder / "numba")
    done = subprocess.run(
        list(map(str, command)),
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, f"{command} ended with {done.returncode}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("wheel")


@pytest.fixture(scope="module")
def scripts(folder):
    """Folder of the programs of a fresh environment with nothing but the wheel installed.

    The dependencies come from the running environment, by a path file: nothing is downloaded. A
    path file names one folder and does not read the path files in it, so the editable install
    that the tests run from stays out of sight.
    """
    offline = ("--no-index", "--no-deps", "--disable-pip-version-check")
    pip = (sys.executable, "-m", "pip")
    run(*pip, "wheel", ROOT, "--no-build-isolation", *offline, "-w", folder, folder=folder)
    (wheel,) = folder.glob("svmviz-*.whl")
    venv.create(folder / "venv", with_pip=False, symlinks=not WINDOWS)
    programs = folder / "venv" / ("Scripts" if WINDOWS else "bin")
    run(*pip, "--python", programs / "python", "install", *offline, wheel, folder=folder)
    library = sysconfig.get_path("purelib", "venv", vars={"base": str(folder / "venv")})
    Path(library, "dependencies.pth").write_text("\n".join(site.getsitepackages()))
    return programs


def test_installed_is_not_the_checkout(scripts, folder):
    code = "import solvers, svmviz; print(solvers.__file__); print(svmviz.__file__)"
    for file in run(scripts / "python", "-c", code, folder=folder).splitlines():
        assert Path(file).is_relative_to(folder / "venv")


def test_assets_are_in_the_package(scripts, folder):
    code = "from importlib.resources import files; print(files('svmviz') / 'assets')"
    installed = Path(run(scripts / "python", "-c", code, folder=folder).strip())

    def list_files(top):
        return {path.relative_to(top) for path in top.rglob("*") if path.is_file()}

    assert list_files(installed) == list_files(ROOT / "assets")
    code = "from svmviz.base import resources; print(resources.root())"
    assert Path(run(scripts / "python", "-c", code, folder=folder).strip()) == installed


def test_solvers_work_without_qt(scripts, folder):
    code = REFUSE_QT + (
        "from solvers import Problem, RBF, SMO, solve\n"
        "points = [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]]\n"
        "run = solve(Problem(points, [1, 1, -1, -1], kernel=RBF(gamma=1.0), C=10.0), SMO())\n"
        "print(len(run.expansion.beta))\n"
        "import svmviz\n"
        "assert not {'PySide6', 'pyqtgraph'} & set(sys.modules)\n"
    )
    assert run(scripts / "python", "-c", code, folder=folder) == "4\n"


@pytest.mark.parametrize("program", ["svmviz", "svmviz-window"])
def test_program_prints_its_usage(scripts, folder, program):
    assert "usage: svmviz" in run(scripts / program, "--help", folder=folder)


def test_program_draws_a_picture(scripts, folder):
    run(scripts / "svmviz", "render", ROOT / "assets/scenes/two-clouds.svmviz", "-o", "a.png",
        folder=folder)  # fmt: skip
    assert (folder / "a.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.skipif(WINDOWS, reason="POSIX signals")
def test_program_opens_its_window(scripts, folder):
    names = ("CONFIG", "DATA", "STATE", "CACHE")
    homes = {f"XDG_{name}_HOME": str(folder / name) for name in names}
    environment = os.environ | homes | {"QT_QPA_PLATFORM": "offscreen"}
    log = folder / "STATE" / "svmviz" / "log" / "svmviz.log"
    scene = ROOT / "assets/scenes/two-clouds.svmviz"
    with subprocess.Popen(
        [scripts / "svmviz-window", scene], cwd=folder, env=environment
    ) as window:
        deadline = time.monotonic() + 60.0
        while not log.exists() and time.monotonic() < deadline:
            time.sleep(0.1)
        # The run and the pictures begin when the window is there.
        time.sleep(5.0)
        window.send_signal(signal.SIGTERM)
        assert window.wait(timeout=30.0) == 128 + signal.SIGTERM
    assert " ERROR " not in log.read_text("utf-8")


def test_the_source_distribution_makes_the_same_wheel_and_has_its_tests(scripts, folder):
    code = "import os, sys, hatchling.build as b; os.chdir(sys.argv[1]); b.build_sdist(sys.argv[2])"
    run(sys.executable, "-c", code, ROOT, folder, folder=folder)
    (archive,) = folder.glob("svmviz-*.tar.gz")
    with tarfile.open(archive) as source:
        source.extractall(folder, filter="data")
    tree, again = folder / archive.name.removesuffix(".tar.gz"), folder / "again"
    run(sys.executable, "-m", "pip", "wheel", tree, "--no-build-isolation", "--no-index",
        "--no-deps", "--disable-pip-version-check", "-w", again, folder=folder)  # fmt: skip
    (wheel,), (second,) = folder.glob("*.whl"), again.glob("*.whl")
    assert wheel.read_bytes() == second.read_bytes()
    tests = "tests/base/test_resources.py", "tests/packaging", "tests/test_map.py"
    printed = run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
                  "--rootdir", tree, "-c", tree / "pyproject.toml",
                  *(tree / test for test in tests), folder=folder)  # fmt: skip
    assert " passed" in printed


def test_module_runs_like_the_program(scripts, folder):
    printed = run(scripts / "python", "-m", "svmviz", "--help", folder=folder)
    assert "usage: svmviz" in printed

"""The files for those who visit the repository: workflows, forms, security, conduct, paper."""

import ast
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from scripts import make_packaging as making

yaml = pytest.importorskip("yaml")
ROOT = making.ROOT
GITHUB = ROOT / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
FORMS = [path for path in (GITHUB / "ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config"]


def read(path):
    return yaml.safe_load(path.read_text("utf-8"))


def steps(path):
    return [step for job in read(path)["jobs"].values() for step in job["steps"]]


def commands(path):
    return [line for step in steps(path) for line in step.get("run", "").splitlines()]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_runs_what_there_is(path):
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.search(r"^\.PHONY: (run .*)$", makefile, re.MULTILINE)[1].split())
    used = {word for line in commands(path) for word in re.findall(r"^make (\S+)", line)}
    assert used <= targets
    for step in steps(path):
        assert ("run" in step) != ("uses" in step)
        assert re.fullmatch(r"[\w.-]+/[\w.-]+@\S+", step.get("uses", "a/b@c"))
    # What a workflow may do is said, and is not all.
    assert "permissions" in read(path)


def test_the_tests_run_on_each_system_with_the_oldest_and_the_newest_python():
    jobs = read(GITHUB / "workflows" / "test.yml")["jobs"]
    systems = {job["runs-on"] for job in jobs.values()} - {"${{ matrix.system }}"}
    systems.update(jobs["others"]["strategy"]["matrix"]["system"])
    assert systems == {f"{name}-latest" for name in ("ubuntu", "macos", "windows")}
    named = [name.rpartition(" ")[2] for name in making.project()["classifiers"]]
    versions = sorted((name for name in named if name.startswith("3.")), key=lambda v: int(v[2:]))
    for job in jobs.values():
        assert job["strategy"]["matrix"]["python"] == [versions[0], versions[-1]]


def test_every_python_is_tried_before_a_release_which_needs_no_password():
    jobs = read(GITHUB / "workflows" / "release.yml")["jobs"]
    named = {name.rpartition(" ")[2] for name in making.project()["classifiers"]}
    assert set(jobs["try"]["strategy"]["matrix"]["python"]) == {n for n in named if "3." in n}
    assert jobs["publish"]["needs"] == "try"
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    assert "secrets." not in (GITHUB / "workflows" / "release.yml").read_text("utf-8")


@pytest.mark.parametrize("version", ["1.0.0", "1.0.1"])
def test_a_release_is_refused_if_its_tag_is_another_version(version):
    if shutil.which("bash") is None:
        pytest.skip("there is no bash")
    (check,) = (line for line in commands(GITHUB / "workflows" / "release.yml") if "_REF" in line
                and "grep" in line)  # fmt: skip
    run = subprocess.run(["bash", "-c", check], cwd=ROOT, env={"GITHUB_REF_NAME": f"v{version}"})
    assert (run.returncode == 0) == (version == making.__version__)


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_a_form_asks_what_the_index_of_forms_can_show(path):
    form = read(path)
    assert {"name", "description", "body"} <= set(form)
    fields = form["body"]
    assert all(field["type"] in ("input", "textarea", "dropdown") for field in fields)
    assert len({field["id"] for field in fields}) == len(fields)
    assert any(field.get("validations", {}).get("required") for field in fields)


def test_a_fault_is_reported_with_what_the_window_copies():
    source = (ROOT / "svmviz/window/menus/actions.py").read_text("utf-8").replace("&", "")
    text = (GITHUB / "ISSUE_TEMPLATE" / "fault.yml").read_text("utf-8")
    for entry in ("Copy for a bug report", "Show the log file", "Copy scene as text"):
        assert entry in text
        assert f'"{entry}"' in source


def test_no_code_runs_what_a_file_says():
    """SECURITY.md promises it."""
    forbidden = {"eval", "exec", "compile", "__import__"}
    for folder in ("solvers", "svmviz"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    assert node.func.id not in forbidden, path
                if isinstance(node, ast.Import | ast.ImportFrom):
                    names = {alias.name for alias in node.names} | {getattr(node, "module", None)}
                    assert not names & {"pickle", "marshal", "shelve", "dill"}, path


def test_the_paper_cites_what_its_list_has():
    paper = (ROOT / "paper" / "paper.md").read_text("utf-8")
    listed = re.findall(r"^@\w+\{(\w+),", (ROOT / "paper/paper.bib").read_text("utf-8"), re.M)
    assert len(set(listed)) == len(listed)
    assert set(re.findall(r"@([a-z]+\d{4})", paper)) == set(listed)
    head, body = paper.split("---\n", 2)[1:]
    fields = yaml.safe_load(head)
    assert {"title", "tags", "authors", "affiliations", "date", "bibliography"} <= set(fields)
    assert (ROOT / "paper" / fields["bibliography"]).is_file()
    assert 750 <= len(body.split()) <= 1250
    headings = re.findall(r"^# (.*)$", body, re.MULTILINE)
    assert headings[:3] == ["Summary", "Statement of need", "Learning objectives"]


def test_files_have_the_same_bytes_on_each_system():
    assert "* text=auto eol=lf" in (ROOT / ".gitattributes").read_text("utf-8")
    texts = [*(ROOT / "packaging" / "linux").iterdir(), Path(__file__)]
    assert [path for path in texts if b"\r" in path.read_bytes()] == []

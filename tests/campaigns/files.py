"""Mutated files: each is read, or refused in one sentence; what is read can be written again.

``python -m tests.campaigns.files [SEED [NUMBER]]`` runs the campaign, or one case of it.
"""

from __future__ import annotations

import functools
import json
import logging
import math
import tempfile
from pathlib import Path

import numpy as np

from solvers import BadInput
from solvers.data.datasets import DATASETS, MAX_CLASSES, PointSet
from solvers.data.point_files import (
    UnclearColumns,
    parse_points,
    write_csv,
    write_libsvm,
)
from solvers.data.regression_datasets import CURVES
from svmviz.base.resources import path as asset
from svmviz.io.open_and_save import open_file
from svmviz.io.scene import Scene, read_scene, write_scene
from svmviz.io.settings_store import CHECKS, THEME_CHOICES, SettingsStore, StoredSettings
from svmviz.io.target_files import parse_targets, write_targets
from tests.campaigns.mutations import encode, mutate_json, mutate_text
from tests.campaigns.summary import Summary, find_fault, run_cases, run_or_show

COUNT = 50_000
ENDINGS = {
    "csv": (".csv", ".txt", ".tsv", ""),
    "libsvm": (".libsvm", ".svm", ".data"),
    "targets": (".csv", ".txt"),
    "scene": (".svmviz", ".json"),
}
KINDS = (*ENDINGS, "settings", "clipboard")


def main(seed: int = 0, count: int = COUNT, processes: int = 2) -> Summary:
    """Run the campaign."""
    return run_cases("files", check, seed, count, processes)


def check(seed: int, number: int) -> tuple[str, str]:
    """Read one mutated file; return its kind with the result, and what is wrong."""
    kind = KINDS[number % len(KINDS)]
    rng = np.random.default_rng([seed, number])
    text = make_text(rng, kind)
    if kind == "clipboard":
        # Qt passes text, whatever it was before.
        came, fault = _read_clipboard(text, bool(rng.random() < 0.3))
    else:
        with tempfile.TemporaryDirectory() as folder:
            if kind == "settings":
                came, fault = _read_settings(Path(folder), encode(rng, text))
            else:
                ending = str(rng.choice(ENDINGS[kind]))
                path = Path(folder) / f"file{ending}"
                path.write_bytes(encode(rng, text))
                came, fault = _read_file(path, "regression" if kind == "targets" else "")
    return f"{kind} {came}", fault


def make_text(rng: np.random.Generator, kind: str) -> str:
    """A mutated text of one kind."""
    texts = texts_of(kind if kind != "clipboard" else str(rng.choice(["csv", "libsvm", "targets"])))
    text = texts[rng.integers(len(texts))]
    others = texts_of(str(rng.choice(list(TEXTS))))
    other = others[rng.integers(len(others))]
    if kind in ("scene", "settings"):
        for _ in range(int(rng.choice([0, 1, 1, 1, 2, 4]))):
            text = mutate_json(rng, text)
        times = int(rng.choice([0, 0, 0, 1, 2]))
    else:
        times = int(rng.choice([0, 1, 1, 1, 2, 4, 10]))
    for _ in range(times):
        text = mutate_text(rng, text, other)
    return text


@functools.cache
def texts_of(kind: str) -> list[str]:
    """Sound texts of one kind."""
    return TEXTS[kind]()


def _tables() -> list[str]:
    sets = [made.generate(7, 0.2, 0) for made in DATASETS.values()]
    texts = [write_csv(data) for data in sets[:3]]
    penguins = asset("penguins.csv").read_text(encoding="utf-8")
    texts += [
        "\n".join(penguins.splitlines()[:9] + penguins.splitlines()[-6:]) + "\n",
        "length,depth,mass,species\n1,2,3,a\n4,5,6,b\n7,8,9,c\n",
        "1;2;a\r\n3;4;b\r\n",
        "1,5;2,25;-1\n3,5;4,75;1\n",
        "1\t2\t-1\n3\t4\t+1\n",
        "  1  2 -1\n  3  4  1\n",
        "# a comment\n\n# negative class: b\nx,y,label\n1,2,b\n3,4,a\n",
        'x,"a name, quoted",label\n1,2,"say ""hi"""\n3,4,no\n',
        "word,class\nsinging,verb\nringing,verb\nsinger,noun\nwalker,noun\n",
        "# kernel matrix\nann,bob,cy,label\n2,1,0,a\n1,2,1,b\n0,1,2,a\n",
        "a,2.5,1,0\nb,1,2.5,1\na,0,1,2.5\n",
        "x1,x2,y\n1e-300,1e300,1\n-1e-300,-1e300,-1\n",
    ]
    return texts


# LIBSVM text as other programs write it.
_FORMS = (
    "1 qid:1 1:-1.13 2:0.08 # doc 0\n2 qid:1 1:0.55 2:1.49\n",
    "0 0:-1.13 1:0.08\n1 0:0.55 1:1.49\n",
    "+1 1: 0.5, 2: 1\n-1 1: 0.1, 2: 3\n",
    "+1,1:0,5,2:1,2\n-1,1:0,1,2:0,3\n",
    "-2.4 1:-1.13\n1.21 1:0.55\n3 1:2\n",
    "-1 1:1 2:2 5:3 13:1\n+1 1:3 2:1 5:2 13:1\n",
    "-1 0:1 1:2 2:1\n+1 0:2 1:1 2:2\n",
)


def _libsvm() -> list[str]:
    sets = [made.generate(7, 0.2, 0) for made in DATASETS.values()]
    return [
        *map(write_libsvm, sets[:2]),
        "+1 1:0.5 2:1e3 # note\n-1 2:4\n1\n",
        "0 1:1\n3 2:2\n",
        *_FORMS,
    ]


def _targets() -> list[str]:
    sets = [made.generate(8, 0.2, 0) for made in CURVES.values()]
    return [
        *map(write_targets, sets[:2]),
        "x,target\n1,2\n3,4\n",
        "1 2\n3 4\n",
        "a;b\n1,5;2\n3;4\n",
    ]


def _scenes() -> list[str]:
    texts = [path.read_text(encoding="utf-8") for path in asset("scenes").glob("*.svmviz")]
    small = [text for text in texts if len(text) < 6000]
    base = json.loads(min(small, key=len))
    for changes in (
        {"svmviz": 2, "task": "regression", "epsilon": 0.1, "bias": "augmented", "labels": [1] * 8},
        {"kernel": {"name": "composed", "expression": "0.5*rbf(gamma=2) + linear()"}, "step": 3},
        {"kernel": {"name": "custom", "formula": "x1*z1 + x2*z2"}, "window": [-1, 1, -1, 1]},
        {"penalty": {"kind": "lambda", "value": 0.1}, "solvers": [{"name": "pegasos"}]},
    ):
        small.append(json.dumps({**base, **changes}))
    return small


def _settings() -> list[str]:
    made = StoredSettings(
        recent=("/a", "/b.csv"), folder="/", geometry="AdnQywAD", theme="dark",
        scale=1.5, panels={"folded": ["step", "pair"], "alpha": {"sorted": True}},
    )  # fmt: skip
    return [json.dumps(vars(made), indent=2), "{}", '{"theme": "light", "scale": 2}']


TEXTS = {
    "csv": _tables,
    "libsvm": _libsvm,
    "targets": _targets,
    "scene": _scenes,
    "settings": _settings,
}


def _read_file(path: Path, task: str) -> tuple[str, str]:
    options = {"tasks": (task,)} if task else {}
    try:
        try:
            found = open_file(path, **options)
        except UnclearColumns as unclear:
            if fault := _find_fault(unclear, path):
                return "refused", fault
            found = open_file(path, **_choose(unclear), **options)
    except BadInput as error:
        return "refused", _find_fault(error, path)
    if isinstance(found, Scene):
        return "read", _scene_fault(found)
    return "read", _target_fault(found) if task else _points_fault(found)


def _find_fault(error: BadInput, path: Path) -> str:
    return find_fault(str(error).replace(str(path), path.name))


def _choose(unclear: UnclearColumns) -> dict[str, object]:
    """What the dialog of columns proposes, or the nearest thing to it."""
    labels = list(unclear.label_values)[-1] if unclear.label_values else None
    values = unclear.label_values.get(labels or "", [])
    classes = tuple(values) if 2 <= len(values) <= MAX_CLASSES else tuple(values[:2]) or None
    numeric = [name for name in unclear.numeric if name != labels]
    x, y = (numeric[0], numeric[1]) if len(numeric) > 1 else (None, None)
    return {"labels": labels, "x": x, "y": y, "classes": classes}


def _read_clipboard(text: str, is_regression: bool) -> tuple[str, str]:
    try:
        found = parse_targets(text) if is_regression else parse_points(text)
    except BadInput as error:
        return "refused", find_fault(str(error))
    return "read", _target_fault(found) if is_regression else _points_fault(found)


def _read_settings(folder: Path, data: bytes) -> tuple[str, str]:
    """Check that any file gives settings of the right types, and that a broken one is renamed."""
    path = folder / "settings.json"
    path.write_bytes(data)
    warnings: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: warnings.append(record.getMessage())  # type: ignore[method-assign]
    logging.getLogger("svmviz").addHandler(handler)
    try:
        store = SettingsStore(path)
        values = store.values
        store.set(theme="dark")
    finally:
        logging.getLogger("svmviz").removeHandler(handler)
    default = StoredSettings()
    for name in CHECKS:
        if not isinstance(getattr(values, name), type(getattr(default, name))):
            return "read", f"{name} is {getattr(values, name)!r}"
    if values.theme not in THEME_CHOICES or not math.isfinite(values.scale):
        return "read", f"theme {values.theme!r}, scale {values.scale!r}"
    if SettingsStore(path).values.theme != "dark":
        return "read", f"what was set is not there after {warnings}"
    if warnings:
        return "refused", next(filter(None, map(find_fault, warnings)), "")
    return "read", ""


def _scene_fault(scene: Scene) -> str:
    again = read_scene(write_scene(scene))
    # A number that is not equal to itself would hide in a comparison of texts alone.
    if again != scene or write_scene(again) != write_scene(scene):
        return f"a scene that was read comes back as another: {write_scene(scene)[:300]!r}"
    return _finite_fault(scene.document.data)


def _points_fault(data: PointSet) -> str:
    again = parse_points(write_csv(data))
    if again != data:
        return f"points come back as others by CSV: {write_csv(data)[:300]!r}"
    if data.items is not None:
        return ""  # LIBSVM text cannot hold words or a given matrix
    back = parse_points(write_libsvm(data))
    if (back.points != data.points).any() or (back.labels != data.labels).any():
        return f"points come back as others by LIBSVM: {write_libsvm(data)[:300]!r}"
    return _finite_fault(data)


def _target_fault(data: PointSet) -> str:
    if data.items is not None:
        return _points_fault(data)
    again = parse_targets(write_targets(data))
    if (again.points != data.points).any():
        return f"targets come back as others: {write_targets(data)[:300]!r}"
    return _finite_fault(data)


def _finite_fault(data: PointSet) -> str:
    return "" if np.isfinite(data.points).all() else f"coordinates {data.points.tolist()}"


def show(seed: int, number: int) -> None:
    """Print one case and its result."""
    kind = KINDS[number % len(KINDS)]
    print(repr(make_text(np.random.default_rng([seed, number]), kind)[:2000]))
    print(check(seed, number))


if __name__ == "__main__":
    run_or_show(main, show)

"""A folder of pages for a web server: they share their scripts, and link to each other.

All files are in one folder and all addresses are relative, so the folder works on any host, below
any address.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from solvers import SMO
from solvers.cancelling import Report, no_report
from solvers.data.datasets import DATASETS
from solvers.errors import visible
from svmviz.document.document import Document
from svmviz.document.lanes import solve_lanes
from svmviz.export.html.contents import contents_of
from svmviz.export.html.lesson import lesson_contents
from svmviz.export.html.save import (
    OFFLINE_SCRIPT,
    Entry,
    contents_within,
    index_of,
    link_to,
    offline_script,
    page_of,
    shared_files,
)
from svmviz.export.runs.recording import Recording
from svmviz.frames.frame import Frame
from svmviz.io.atomic import write_atomically
from svmviz.io.scene import Scene
from svmviz.io.scene_line import write_scene_line
from svmviz.lessons.lessons import Lesson

INDEX, PLANE = "index.html", "plane.html"
PLANE_TITLE = "Free plane"
PLANE_LINE = "Your own points, or those of a preset; kernel, C and γ as you like."
# The data of the free plane: the first is shown at first.
PRESETS = "moons", "blobs", "gaussians", "outlier", "circles", "xor", "spirals", "checkerboard"
PRESET_POINTS, PRESET_SEED, PLANE_MARGIN = 60, 1, 0.15
Captions = Callable[[Frame], str]


class Site:
    """The pages of a folder, written one after the other.

    Parameters
    ----------
    target : Path
    entries : sequence of Entry
        The pages in their order, by which they link to each other.
    """

    def __init__(self, target: Path, entries: Sequence[Entry]) -> None:
        self.target, self.entries = target, entries
        self._shared, texts = shared_files()
        for name, text in texts.items():
            write_atomically(target / name, text)

    def write_run(self, entry: Entry, recording: Recording, report: Report = no_report) -> None:
        """Write the page of a recording."""
        self._write(entry, contents_within(recording, report))

    def write_lesson(
        self, entry: Entry, lesson: Lesson, titles: Mapping[str, str], caption: Captions
    ) -> Entry:
        """Write the page of a lesson, and return its entry with what marks it as done."""
        contents = lesson_contents(lesson, titles, caption)
        self._write(entry, contents)
        tasks = sum(len(card["tasks"]) for card in contents["cards"])
        return entry._replace(key=contents["key"], tasks=tasks)

    def write_plane(self, entry: Entry, caption: Captions) -> Recording:
        """Write the free plane: a page that begins with its tools, and has presets of data.

        Return the recording of the first preset, which it shows.
        """
        scenes = {DATASETS[name].title: preset(name) for name in PRESETS}
        first = next(iter(scenes.values()))
        points = np.concatenate([scene.document.data.points for scene in scenes.values()])
        low, high = points.min(axis=0), points.max(axis=0)
        margin = PLANE_MARGIN * (high - low)
        window = (*zip((low - margin).tolist(), (high + margin).tolist(), strict=True),)
        recording = Recording(first, solve_lanes(first.document), caption)
        contents = contents_of(recording, range(recording.length + 1), no_report)
        contents["window"] = [value for ends in window for value in ends]
        contents["presets"] = [[title, write_scene_line(scene)] for title, scene in scenes.items()]
        self._write(entry, contents)
        return recording

    def write_index(self, title: str, entries: Sequence[Entry]) -> None:
        """Write the page with links to all others, and the worker that keeps the pages."""
        index = index_of(title, entries, is_site=True)
        write_atomically(self.target / INDEX, index)
        worker = offline_script((INDEX, PLANE, *self._shared), index)
        write_atomically(self.target / OFFLINE_SCRIPT, worker)

    def _write(self, entry: Entry, contents: dict[str, Any]) -> None:
        # The page of a lesson has its cards instead, and shows the model anyway.
        if "model" in contents:
            about = entry.line if entry.line != contents["model"] else ""
            contents |= {"about": about, "prompts": entry.prompts}
        page = page_of(entry.title, contents, shared=self._shared, nav=self._nav_of(entry))
        write_atomically(self.target / entry.name, page)

    def _nav_of(self, entry: Entry) -> str:
        """Return links to the page before, to all pages, and to the page after."""
        names = [each.name for each in self.entries]
        place = names.index(entry.name)
        links = [f'<a href="{INDEX}">All pages</a>']
        if place > 0:
            links.insert(0, _link_of(self.entries[place - 1], "←\u00a0{}", "prev"))
        if place + 1 < len(names):
            links.append(_link_of(self.entries[place + 1], "{}\u00a0→", "next"))
        return f'<nav aria-label="Pages">{" ".join(links)}</nav>\n'


def _link_of(entry: Entry, form: str, role: str) -> str:
    title = escape(form.format(visible(entry.title)))
    return f'<a rel="{role}" href="{link_to(entry.name)}">{title}</a>'


def preset(name: str) -> Scene:
    """Return the scene of a preset, a name of PRESETS."""
    data = DATASETS[name].generate(PRESET_POINTS, DATASETS[name].noise_default, PRESET_SEED)
    return Scene(Document(data, methods=(SMO(),)))

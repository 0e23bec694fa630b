"""``svmviz site``: a folder of pages for a web server, with a gallery, lessons and a free plane."""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from solvers import BadInput
from solvers.errors import short_path, short_repr
from svmviz.cli.meter import Meter
from svmviz.cli.parser import Parser
from svmviz.cli.streams import print_error, print_lines

if TYPE_CHECKING:
    from svmviz.export.html.site import Entry
    from svmviz.export.runs.recording import Recording
    from svmviz.io.scene import Scene
    from svmviz.lessons.lessons import Lesson

COURSE_TITLE = "Support vector machines"
# What a folder says of its scenes, in the form of ``assets/scenes/scenes.toml``.
TEXTS = "scenes.toml"
# Size of the picture of a scene in the gallery, px.
THUMBNAIL = 480, 320


class Page(NamedTuple):
    """A page to be written: its entry, and the scene or lesson; neither for the free plane."""

    entry: Entry
    scene: Scene | None = None
    lesson: Lesson | None = None


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``site``."""
    parser.add_argument(
        "folder",
        metavar="FOLDER",
        nargs="?",
        help="scenes and lessons, in the order of its order.txt, with the texts of its "
        "scenes.toml; by default those of the program",
    )
    parser.add_argument(
        "-o", "--output", metavar="OUT", required=True, help="folder for the pages, such as public/"
    )
    parser.add_argument("--title", help="title of the site")


def run(options: argparse.Namespace, parser: Parser) -> int:
    """Write the site; the exit code is 1 if a scene or lesson was left out."""
    from svmviz.cli.render import load_qt, make_folder
    from svmviz.document.lanes import solve_lanes
    from svmviz.export.html.site import INDEX, PLANE, PLANE_LINE, PLANE_TITLE, Entry, Site
    from svmviz.export.runs.recording import Recording
    from svmviz.panels.registry import shown_by_lessons
    from svmviz.plane.sentences import caption

    target = Path(options.output)
    load_qt(widgets=True)
    pages, trouble = _own_pages(Path(options.folder)) if options.folder else (_course(), [])
    pages = [Page(Entry(PLANE, PLANE_TITLE, PLANE_LINE)), *pages]
    make_folder(target, [page.entry.name for page in pages])
    site, written = Site(target, [page.entry for page in pages]), []
    with np.errstate(all="ignore"), Meter() as meter:
        for place, (entry, scene, lesson) in enumerate(pages):
            meter.report(place / len(pages), f"page {place + 1} of {len(pages)}, {entry.title}")
            try:
                if lesson is not None:
                    entry = site.write_lesson(entry, lesson, shown_by_lessons(), caption)
                elif scene is not None:
                    recording = Recording(scene, solve_lanes(scene.document), caption)
                    site.write_run(entry, recording)
                    entry = entry._replace(picture=_draw_thumbnail(target, entry, recording))
                else:
                    recording = site.write_plane(entry, caption)
                    entry = entry._replace(picture=_draw_thumbnail(target, entry, recording))
            except BadInput as error:
                trouble.append(f"{entry.title}: {error}")
            else:
                written.append(entry)
    default = Path(options.folder).resolve().name if options.folder else COURSE_TITLE
    site.write_index(options.title or default, written)
    print_lines(f"{len(written)} pages in {short_path(target)}, listed by its {INDEX}.")
    for sentence in trouble:
        print_error(f"svmviz: {sentence}")
    return 1 if trouble else 0


def _course() -> list[Page]:
    """Return the pages of the scenes and lessons that come with the program."""
    from svmviz.document.examples import scenes
    from svmviz.export.html.site import Entry
    from svmviz.io.open_and_save import open_scene
    from svmviz.lessons.shipped import LESSONS

    pages = [
        Page(
            Entry(
                f"{name}.html",
                example.title,
                example.about,
                f"Scenes: {example.chapter}",
                prompts=example.prompts,
            ),
            scene=open_scene(example.path),
        )
        for name, example in scenes().items()
        if example.chapter
    ]
    lessons = [
        Page(Entry(f"lesson-{name}.html", each.title, each.help, "Lessons"), lesson=each)
        for name, each in LESSONS.items()
    ]
    return [*pages, *lessons]


def _own_pages(folder: Path) -> tuple[list[Page], list[str]]:
    """Return the pages of a folder, and a sentence for each file that cannot be read."""
    from svmviz.base.resources import names_in_order
    from svmviz.cli.render import files_of, page_names
    from svmviz.export.html.contents import model_line
    from svmviz.export.html.site import PLANE, Entry
    from svmviz.io.open_and_save import open_scene
    from svmviz.lessons.lessons import is_lesson_file, read_lesson_file

    files = files_of(folder)
    names = page_names(files, PLANE)
    stems = {file.stem for file in files}
    trouble = [
        f"order.txt names {short_repr(name)}, but the folder has no such scene or lesson."
        for name in names_in_order(folder)
        if name not in stems
    ]
    texts: dict[str, dict[str, Any]] = {}
    try:
        texts = _texts_of(folder)
    except BadInput as error:
        trouble.append(f"{TEXTS}: {error}")
    scenes = {file.stem for file in files if not is_lesson_file(file)}
    trouble += [
        f"{TEXTS} names {short_repr(name)}, but the folder has no such scene."
        for name in texts
        if name not in scenes
    ]
    # Below headings, lessons have one, too.
    heading = "Lessons" if any("chapter" in said for said in texts.values()) else ""
    pages = []
    for file in files:
        try:
            if is_lesson_file(file):
                lesson = read_lesson_file(file)
                entry = Entry(names[file], lesson.title, lesson.help, heading)
                pages.append(Page(entry, lesson=lesson))
            else:
                scene, said, title = open_scene(file), texts.get(file.stem, {}), file.stem
                title = said.get("title", title[:1].upper() + title[1:].replace("-", " "))
                line = said.get("about", model_line(scene.document))
                chapter, prompts = said.get("chapter", ""), said.get("prompts", ())
                entry = Entry(names[file], title, line, chapter, prompts=prompts)
                pages.append(Page(entry, scene))
        except BadInput as error:
            trouble.append(f"{file.name}: {error}")
    _name_others(folder, {*files, folder / TEXTS, folder / "order.txt"})
    return pages, trouble


def _texts_of(folder: Path) -> dict[str, dict[str, Any]]:
    """Return title, about, prompts and chapter of scenes, from the file ``TEXTS`` if there is one.

    Raises
    ------
    BadInput
        If it is no TOML, or a text is none.
    """
    from svmviz.base.strict_json import suggest
    from svmviz.document.examples import Example
    from svmviz.io.open_and_save import read_text

    if not (folder / TEXTS).exists():
        return {}
    try:
        texts = tomllib.loads(read_text(folder / TEXTS))
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"This is no TOML: {error}.") from error
    known = Example._fields[1:]
    for name, said in texts.items():
        for key, value in said.items() if isinstance(said, dict) else [("", said)]:
            where = f"[{name}] {key}".rstrip()
            if key not in known:
                raise BadInput(f"{where} is not known; {suggest(key, known)}")
            kind = {"prompts": list, "choices": dict}.get(key, str)
            texts_in = value if kind is list and isinstance(value, list) else ()
            if not isinstance(value, kind) or not all(isinstance(each, str) for each in texts_in):
                what = "a list of texts" if kind is list else "a text"
                raise BadInput(f"{where} is not {what} in quotes.")
    return texts


def _name_others(folder: Path, used: Collection[Path]) -> None:
    """Say which files of a folder have no page."""
    others = sorted(
        path.name for path in folder.iterdir() if path not in used and not path.name.startswith(".")
    )
    if others:
        print_error(
            f"Only scenes (*.svmviz) and lessons (*.md) have pages; left out: {', '.join(others)}. "
            "A table becomes a scene if you open it in svmviz and save it."
        )


def _draw_thumbnail(target: Path, entry: Entry, recording: Recording) -> str:
    """Draw the ends of the runs in light and in dark, and return the name of the light picture."""
    from svmviz.cli.render import figure_of
    from svmviz.export import FORMATS
    from svmviz.export.figure_settings import FigureSettings
    from svmviz.export.html.save import dark_picture
    from svmviz.export.page import Length

    name = f"{Path(entry.name).stem}.png"
    width, height = (Length(value, "px") for value in THUMBNAIL)
    bare = FigureSettings(width=width, height=height, legend=False, axes=False, titles=False)
    for theme, picture in (("light", name), ("dark", dark_picture(name))):
        figure = figure_of(recording.scene, None, replace(bare, theme=theme), recording.runs)
        FORMATS[".png"].save(target / picture, figure)
    return name

"""``svmviz site``: a folder of pages for a web server, with a gallery, lessons and a free plane."""

from __future__ import annotations

import argparse
import os
import re
import tomllib
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from solvers import BadInput
from solvers.errors import short_path, short_repr
from solvers.run.method import counted
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
    # Said before the pages are made, which takes a while.
    _print_all(trouble)
    pages = [Page(Entry(PLANE, PLANE_TITLE, PLANE_LINE)), *pages]
    make_folder(target, [page.entry.name for page in pages])
    site, written, unwritten = Site(target, [page.entry for page in pages]), [], []
    with np.errstate(all="ignore"), Meter() as meter:
        for place, (entry, scene, lesson) in enumerate(pages):
            meter.report(place / len(pages), f"page {place + 1} of {len(pages)}, {entry.title}")
            try:
                if lesson is not None:
                    entry = site.write_lesson(entry, lesson, shown_by_lessons(), caption)
                    recording = _first_recording(lesson)
                elif scene is not None:
                    recording = Recording(scene, solve_lanes(scene.document), caption)
                    site.write_run(entry, recording)
                else:
                    recording = site.write_plane(entry, caption)
                if recording is not None:
                    entry = entry._replace(picture=_draw_thumbnail(target, entry, recording))
            except BadInput as error:
                unwritten.append(f"{entry.title}: {error}")
            else:
                written.append(entry)
    default = Path(options.folder).resolve().name if options.folder else COURSE_TITLE
    site.write_index(options.title or default, written)
    _print_all(unwritten)
    faults = len(trouble) + len(unwritten)
    end = f", with {counted(faults, 'fault')} as said above." if faults else "."
    print_lines(f"{len(written)} pages in {short_path(target)}, listed by its {INDEX}{end}")
    return 1 if faults else 0


def _print_all(trouble: list[str]) -> None:
    for sentence in trouble:
        print_error(f"svmviz: {sentence}")


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
    """Return the pages of a folder, and a sentence on each fault of its files.

    A lesson with a question that is not sound has no page.
    """
    from svmviz.base.resources import names_in_order
    from svmviz.cli.render import files_of, page_names, with_name
    from svmviz.export.html.site import PLANE, Entry
    from svmviz.lessons.fresh import faults_in
    from svmviz.lessons.lessons import is_lesson_file, read_lesson_file
    from svmviz.panels.registry import shown_by_lessons
    from svmviz.tools import TOOLS

    files = files_of(folder)
    names = page_names(files, PLANE)
    stems = {file.stem for file in files}
    trouble = [
        f"order.txt names {short_repr(name)}, but the folder has no such scene or lesson."
        for name in names_in_order(folder)
        if name not in stems
    ]
    texts, faults = _texts_of(folder)
    trouble += [f"{TEXTS}: {fault}" for fault in faults]
    scenes = {file.stem for file in files if not is_lesson_file(file)}
    trouble += [
        f"{TEXTS} names {short_repr(name)}, but the folder has no such scene"
        f"{'; a lesson has its texts in its head' if name in stems else ''}."
        for name in texts
        if name not in scenes
    ]
    pages = []
    with Meter() as meter:
        for place, file in enumerate(files):
            meter.report(place / len(files), f"reading {file.name}")
            try:
                if is_lesson_file(file):
                    lesson = read_lesson_file(file)
                    lesson.check_names(shown_by_lessons(), TOOLS)
                    faults = faults_in(lesson)
                    trouble += [f"{file.name}: {fault}" for fault in faults]
                    if not faults:
                        entry = Entry(names[file], lesson.title, lesson.help, lesson.chapter)
                        pages.append(Page(entry, lesson=lesson))
                else:
                    pages.append(_scene_page(file, names[file], texts.get(file.stem, {})))
            except BadInput as error:
                trouble.append(with_name(file, error))
    _name_others(folder, {*files, folder / TEXTS, folder / "order.txt"})
    return _by_chapter(pages), trouble


def _scene_page(file: Path, name: str, said: dict[str, Any]) -> Page:
    """Return the page of a scene; say if nothing can be changed in it."""
    from svmviz.export.html.contents import model_line
    from svmviz.export.html.live import obstacle
    from svmviz.export.html.site import Entry
    from svmviz.io.open_and_save import open_scene

    scene, title = open_scene(file), file.stem[:1].upper() + file.stem[1:].replace("-", " ")
    if words := obstacle(scene.document):
        print_error(
            f"{file.name}: nothing can be changed in its page, which does not solve {words}."
        )
    line, title = said.get("about", model_line(scene.document)), said.get("title", title)
    entry = Entry(name, title, line, said.get("chapter", ""), prompts=said.get("prompts", ()))
    return Page(entry, scene)


def _by_chapter(pages: list[Page]) -> list[Page]:
    """Return pages with those of a chapter one after the other, if there are chapters."""
    if not any(page.entry.chapter for page in pages):
        return pages
    chapters: dict[str, list[Page]] = {}
    for page in pages:
        chapter = page.entry.chapter or ("Lessons" if page.lesson else "Scenes")
        page = page._replace(entry=page.entry._replace(chapter=chapter))
        chapters.setdefault(chapter, []).append(page)
    return [page for chapter in chapters.values() for page in chapter]


def _texts_of(folder: Path) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Return title, about, prompts and chapter of scenes, and a sentence on each fault.

    They are those of the file ``TEXTS``, if there is one.
    """
    from svmviz.base.strict_json import suggest
    from svmviz.document.examples import Example
    from svmviz.io.open_and_save import read_text

    if not os.path.exists(folder / TEXTS):
        return {}, []
    try:
        texts = tomllib.loads(read_text(folder / TEXTS))
    except tomllib.TOMLDecodeError as error:
        return {}, [f"none of its texts is used; {_in_words(error)}"]
    except BadInput as error:
        return {}, [str(error)]
    known, good, faults = Example._fields[1:], {}, []
    for name, said in texts.items():
        if not isinstance(said, dict):
            faults.append(f"the name {name} stands in a line [{name}], with its texts below it.")
            continue
        good[name] = {}
        for key, value in said.items():
            kind = {"prompts": list, "choices": dict}.get(key, str)
            texts_in = value if isinstance(value, list) else ()
            if key not in known:
                faults.append(f"[{name}] {key} is not known; {suggest(key, known)}")
            elif not isinstance(value, kind) or not all(isinstance(x, str) for x in texts_in):
                what = "a list of texts" if kind is list else "a text"
                faults.append(f"[{name}] {key} is not {what} in quotes.")
            else:
                good[name][key] = value
    return good, faults


def _in_words(error: tomllib.TOMLDecodeError) -> str:
    """Return where a text of TOML is wrong, and what is probably missing there."""
    what, _, place = str(error).rstrip(")").rpartition(" (at ")
    hints = {
        r"Expected '\]": "the bracket ], or quotes around a name with blanks,",
        "Unclosed array": "a comma, a quote or the bracket ]",
        "Illegal character|Invalid value|Unterminated|Expected newline|Expected [\"']": "a quote",
    }
    missing = next((hint for pattern, hint in hints.items() if re.match(pattern, what)), "")
    return f"at {place}, perhaps {missing} is missing." if missing else f"{error}."


def _name_others(folder: Path, used: Collection[Path]) -> None:
    """Say which files of a folder have no page."""
    others = sorted(
        path.name for path in folder.iterdir() if path not in used and not path.name.startswith(".")
    )
    if others:
        print_error(
            f"Only scenes (*.svmviz) and lessons (*.md) have pages; left out: {', '.join(others)}. "
            "A table becomes a scene by svmviz scene, or if you open it in svmviz and save it."
        )


def _first_recording(lesson: Lesson) -> Recording | None:
    """Return the runs of the first scene of a lesson; None if it has no scene."""
    from svmviz.document.lanes import solve_lanes
    from svmviz.export.runs.recording import Recording

    for card in lesson.cards:
        if card.show.scene:
            scene = card.show.read_scene()
            return Recording(scene, solve_lanes(scene.document))
    return None


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

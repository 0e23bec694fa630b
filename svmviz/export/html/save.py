"""HTML: the run as one page without network, with its words, pictures and numbers.

The scripts and the style sheet are copied from ``assets/page``. All scripts of a page share one
scope, and only the last one must come after the others. A policy in the page allows these scripts
and styles by their hashes, and nothing else: no network, no other script. Texts of the scene, such
as names of classes and axes, are in a compressed block, and the scripts show them as plain text.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from functools import cache
from html import escape
from itertools import groupby, product
from pathlib import Path
from string import Template
from typing import Any, NamedTuple
from urllib.parse import quote

from solvers import BadInput
from solvers.cancelling import Report, no_report
from solvers.errors import visible
from solvers.problem.machines import Machine
from solvers.run.method import counted
from svmviz import __version__
from svmviz.base import resources
from svmviz.colours.palettes import VERMILION
from svmviz.colours.themes import Theme, similar_theme, theme_of, with_sides
from svmviz.export.html.contents import contents_of
from svmviz.export.html.lesson import lesson_contents
from svmviz.export.html.packing import packed
from svmviz.export.runs.recording import Recording
from svmviz.export.runs.run_settings import RunSettings, Steps
from svmviz.frames.clocks import CLOCKS
from svmviz.frames.frame import Frame
from svmviz.io.atomic import write_atomically
from svmviz.lessons.lessons import Lesson
from svmviz.plane.paint import roles

# The machines whose sides have colours of their own in a page.
Machines = Sequence[Machine]
# The scripts in the order in which the page has them.
SCRIPTS = (
    "numbers.js",
    "kernels.js",
    "contours.js",
    "formulas.js",
    "run.js",
    "smo.js",
    "templates.js",
    "smo_words.js",
    "field.js",
    "plane.js",
    "marks.js",
    "test_points.js",
    "panels.js",
    "kkt.js",
    "live.js",
    "address.js",
    "page.js",
)
# A script that only pages of more than two classes have, before the last one.
CLASS_SCRIPT = "decision.js"
# Scripts that only pages with a user's line have, and of methods without a margin.
PARTS = LINE_SCRIPT, ARROW_SCRIPT = "user_line.js", "arrows.js"
# Scripts that only the page of a lesson has, before the last one.
LESSON_SCRIPTS = (
    "formulas_of_lessons.js",
    "goals.js",
    "certificates.js",
    "tasks.js",
    "exercise.js",
    "hand_in.js",
    "progress.js",
    "lesson.js",
)
# The scripts of which a page makes its worker: as in ``live.js``.
WORKER_SCRIPTS = "kernels.js", "smo.js"
# The worker of a site, and how its pages begin it; from a file, no worker can begin.
OFFLINE_SCRIPT = "offline.js"
BEGIN_OFFLINE = """
if (location.protocol !== "file:") navigator.serviceWorker?.register("offline.js").catch(() => {});
"""
SHEETS = "style.css", "lesson.css"
# The picture of a page in the tab of a browser: two sides, and the street between them.
ICON = b"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">
<rect width="8" height="8" rx="2" fill="#d6e9f6"/>
<path d="M6 0H2a2 2 0 0 0-2 2v4a2 2 0 0 0 1.4 1.9z" fill="#fce3d3"/>
<path d="M6 .2 1.6 7.8" stroke="#222"/></svg>"""
# A text in the first ``MAX_HEAD`` characters of each page, and in hardly any other file.
GENERATOR, MAX_HEAD = '<meta name="generator" content="svmviz ', 10_000
# Maximum number of steps times points; a page with more would take seconds to open.
MAX_VALUES = 5_000_000
MAX_STEPS = 5_000


class Shared(NamedTuple):
    """The names of the files that pages of a folder share."""

    script: str
    sheet: str


class Entry(NamedTuple):
    """A page in an index: file name, title, a line on it, chapter, and file name of its picture.

    A scene has what to try in it. A lesson has the key of its progress in the storage of the
    browser, and its number of tasks.
    """

    name: str
    title: str
    line: str
    chapter: str = ""
    picture: str = ""
    prompts: Sequence[str] = ()
    key: str = ""
    tasks: int = 0


# Settings of the reader's system that a page follows, as conditions of CSS.
DARK = "(prefers-color-scheme: dark)"
CONTRAST = ("(prefers-contrast: more)", "(forced-colors: active)")


def save_html(
    path: str | Path, recording: Recording, settings: RunSettings, report: Report = no_report
) -> None:
    """Write the page atomically.

    Raises
    ------
    BadInput
        If the steps are not all in the run, they are too many for a page, or the file cannot be
        written.
    """
    steps = settings.steps.within(recording.length)
    every = _every(recording, steps)
    if every > 1:
        raise BadInput(
            f"A page of {counted(len(steps), 'step')} would be too large; choose fewer, such as "
            f"--steps {settings.steps.first}:{steps[-1]}:{every}."
        )
    contents = contents_of(recording, steps, report, CLOCKS[settings.picture.clock])
    page = page_of(Path(path).stem, contents, palette=settings.picture.palette)
    write_atomically(path, page)


def steps_for(recording: Recording) -> Steps:
    """Return the steps that a page of a recording may have: all of them, or every k-th one."""
    return Steps(every=_every(recording, range(recording.length + 1)))


def _every(recording: Recording, steps: range) -> int:
    """Return 1 if all these steps fit into a page, otherwise a k such that every k-th one does."""
    count, n = len(steps) * len(recording.runs), recording.scene.document.n
    if count <= MAX_STEPS and count * n <= MAX_VALUES:
        return 1
    return -(-count // max(1, min(MAX_STEPS // 5, MAX_VALUES // n)))


def save_lesson(
    path: str | Path,
    lesson: Lesson,
    titles: Mapping[str, str],
    caption: Callable[[Frame], str],
    report: Report = no_report,
) -> None:
    """Write the page of a lesson atomically; the arguments are those of `lesson_contents`.

    Raises
    ------
    BadInput
        If a scene of the lesson cannot be solved, or the file cannot be written.
    """
    write_atomically(path, page_of(lesson.title, lesson_contents(lesson, titles, caption, report)))


def contents_within(recording: Recording, report: Report = no_report) -> dict[str, Any]:
    """Return the contents of the page of a recording, with as many steps as a page may have."""
    return contents_of(recording, steps_for(recording).within(recording.length), report)


def page_of(
    title: str,
    contents: dict[str, Any],
    *,
    palette: str = VERMILION.name,
    shared: Shared | None = None,
    nav: str = "",
) -> str:
    """Return the text of a page; ``contents`` are those of a recording or of a lesson.

    The page has the colours of the sides of the machines that its scenes look at, and only the
    scripts that it needs. A page with ``shared`` files has no scripts of its own. ``nav`` is HTML:
    the links to other pages.
    """
    is_lesson = "scenes" in contents
    scenes = contents["scenes"] if is_lesson else [contents]
    machines = [*{Machine(scene["machine"]): None for scene in scenes if "machine" in scene}]
    scripts = {} if shared else scripts_of(_more_scripts(contents, machines))
    elements = (f'<script id="{name}">{text}</script>' for name, text in scripts.items())
    return _filled(
        "page.html",
        title,
        [*scripts.values()],
        ["style.css", *(["lesson.css"] if is_lesson else [])],
        palette,
        machines,
        shared,
        scripts=f'<script src="{shared.script}"></script>' if shared else "\n".join(elements),
        contents=packed(contents),
        nav=nav,
    )


def _more_scripts(contents: dict[str, Any], machines: Machines) -> Sequence[str]:
    """Return the scripts that a page has besides ``SCRIPTS``: that of a lesson has all."""
    if "scenes" in contents:
        return CLASS_SCRIPT, *PARTS, *LESSON_SCRIPTS
    has_arrows = not all(lane["has_margin"] for lane in contents["lanes"])
    needed = {
        CLASS_SCRIPT: bool(machines),
        LINE_SCRIPT: "line" in contents,
        ARROW_SCRIPT: has_arrows,
    }
    return [name for name, is_needed in needed.items() if is_needed]


def scripts_of(more: Sequence[str]) -> dict[str, str]:
    """Return the scripts of a page by name, with the scripts ``more``."""
    names = (*SCRIPTS[:-1], *more, SCRIPTS[-1])
    return {"mark_table.js": mark_table()} | {name: _script(name) for name in names}


@cache
def shared_files() -> tuple[Shared, Mapping[str, str]]:
    """Return the files that pages of a folder share, and their texts by name.

    A name has the hash of its text, so that no browser keeps an old file for a new page.
    """
    scripts = scripts_of((CLASS_SCRIPT, *PARTS, *LESSON_SCRIPTS))
    worker = json.dumps([scripts[name] for name in WORKER_SCRIPTS])
    script = "\n".join([*scripts.values(), BEGIN_OFFLINE]).replace(
        '"use strict";\n', f'"use strict";\nconst WORKER_TEXTS = {worker};\n', 1
    )
    sheet = "".join(map(_sheet, SHEETS))
    shared = Shared(f"page-{_digest(script)}.js", f"page-{_digest(sheet)}.css")
    return shared, {shared.script: script, shared.sheet: sheet}


def offline_script(names: Iterable[str], version: str) -> str:
    """Return the worker of a site, which keeps the files ``names`` of a version of it."""
    first = f"const NAMES = {json.dumps([*names])}; // {_digest(version)}\n"
    return first + _script(OFFLINE_SCRIPT)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def mark_table() -> str:
    """Return the script with the table of marks."""
    return f'"use strict";\nconst MARK_TABLE = {json.dumps(roles.as_json())};\n'


def index_of(title: str, pages: Iterable[Entry], is_site: bool = False) -> str:
    """Return the text of a page with links to pages, below the headings of their chapters.

    That of a site begins the worker that keeps its pages.
    """
    blocks = []
    for chapter, entries in groupby(pages, key=lambda entry: entry.chapter):
        heading = f"<h2>{escape(visible(chapter))}</h2>\n" if chapter else ""
        items = "".join(map(_item_of, entries))
        blocks.append(f'<section>{heading}<ul class="pages">\n{items}</ul></section>')
    script = _script("index.js") + (BEGIN_OFFLINE if is_site else "")
    return _filled(
        "index.html",
        title,
        [script],
        ["style.css", "index.css"],
        entries="\n".join(blocks),
        script=script,
    )


def _item_of(entry: Entry) -> str:
    picture = entry.picture and (
        f'<picture><source srcset="{link_to(dark_picture(entry.picture))}" media="{DARK}">'
        f'<img src="{link_to(entry.picture)}" alt="" loading="lazy"></picture>'
    )
    data = f' data-key="{escape(entry.key)}" data-tasks="{entry.tasks}"' if entry.key else ""
    return (
        f'<li{data}>{picture}<a href="{link_to(entry.name)}">{escape(visible(entry.title))}</a>'
        f"<p>{escape(visible(entry.line))}</p></li>\n"
    )


def dark_picture(name: str) -> str:
    """Return the name of the picture that an index shows in dark colours."""
    return f"{Path(name).stem}~dark.png"


def link_to(name: str) -> str:
    """Return the address of a file in the same folder."""
    return quote(os.fsencode(name))


def is_page(path: Path) -> bool:
    """Return whether a file is a page that svmviz has written; False if it cannot be read."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return GENERATOR in file.read(MAX_HEAD)
    except OSError:
        return False


def _filled(
    name: str,
    title: str,
    inline: list[str],
    sheets: list[str],
    palette: str = VERMILION.name,
    machines: Machines = (),
    shared: Shared | None = None,
    **parts: str,
) -> str:
    """Return a template of ``assets/page``; its policy allows the scripts ``inline``.

    With ``shared`` files, only the colours of the page are inline.
    """
    texts = [*map(_sheet, sheets)]
    used = [*texts, *(shared_files()[1].values() if shared else inline)]
    styles = [_colours(palette, "".join(used), machines), *([] if shared else texts)]
    links = f'\n<link rel="stylesheet" href="{shared.sheet}">' if shared else ""
    return Template(_asset(name)).substitute(
        title=escape(visible(title)),
        version=__version__,
        icon=f"data:image/svg+xml;base64,{base64.b64encode(ICON).decode()}",
        policy=_policy(inline, styles, "'self' " if shared else ""),
        styles="\n".join(f"<style>{style}</style>" for style in styles) + links,
        **parts,
    )


def _asset(name: str) -> str:
    return resources.path(f"page/{name}").read_text(encoding="utf-8")


def _script(name: str) -> str:
    """Return a script without comments, empty lines, and the spaces in lines without texts."""
    text = re.sub(r"\n\n+", "\n", _without_comments(_asset(name)))
    lines = (
        line if set("\"'`/") & set(line) else re.sub(r" ?([][(){},;:=<>*?&|!]) ?", r"\1", line)
        for line in text.splitlines(keepends=True)
    )
    return "".join(lines)


def _sheet(name: str) -> str:
    return re.sub(r"(?<=[:;,{}]) | (?={)", "", _without_comments(_asset(name)))


def _without_comments(text: str) -> str:
    """Return a script or sheet without comments and indentation, which readers need not load."""
    text = re.sub(r"^ *//.*\n|^ +", "", text, flags=re.MULTILINE)
    return re.sub(r"/\*.*?\*/[ \n]?", "", text, flags=re.DOTALL)


def _policy(scripts: list[str], styles: list[str], own: str = "") -> str:
    """Return a Content-Security-Policy that allows these scripts and styles, and nothing else.

    ``own`` allows files of the page's own folder. Pictures are of this folder, or in the page.
    """
    return "; ".join(
        (
            "default-src 'none'",
            *([f"script-src {own}{_hashes(scripts)}"] if scripts or own else []),
            f"style-src {own}{_hashes(styles)}",
            "img-src 'self' data:",
            # A worker solves; the page makes it from two of these scripts. Another keeps a site.
            "worker-src 'self' blob:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _hashes(texts: list[str]) -> str:
    digests = (hashlib.sha256(text.encode()).digest() for text in texts)
    return " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)


def _colours(palette: str, user: str, machines: Machines) -> str:
    """Return the colours of all themes that the text ``user`` uses, as properties of CSS.

    On paper the light theme is used. While a page shows a machine, the root has its code.
    """
    sheet = ""
    for has_contrast, is_dark in product((False, True), repeat=2):
        theme = similar_theme(is_dark=is_dark, has_high_contrast=has_contrast)
        theme = theme_of(theme.name, palette)
        root, common = f":root{':not(.printing)' if is_dark else ''}", _properties(theme, user)
        rule = f"{root} {{\n{common}}}\n"
        for machine in machines:
            own = _properties(with_sides(theme, machine.positive, machine.negative), user)
            lines = "".join(line for line in own.splitlines(True) if line not in common)
            code = "_".join(map(str, machine.code))
            rule += f'{root}[data-machine="{code}"] {{\n{lines}}}\n' if lines else ""
        queries = [f"{name} and {DARK}" if is_dark else name for name in CONTRAST]
        if not has_contrast:
            queries = [DARK] if is_dark else []
        sheet += f"@media {', '.join(queries)} {{\n{rule}}}\n" if queries else rule
    return sheet


def _properties(theme: Theme, user: str) -> str:
    colours = {field.name: getattr(theme, field.name) for field in fields(theme)}
    # The colour of `svmviz.plane.paint.user_line`.
    colours["user_line"] = theme.series[1]
    colours |= {f"lane_{lane}": colour for lane, colour in enumerate(theme.series)}
    colours |= {f"class_{index}": colour for index, colour in enumerate(theme.classes)}
    return "".join(
        f"--{name}: {value};\n"
        for name, value in colours.items()
        if isinstance(value, str) and "#" in value and (f"--{name})" in user or f'"{name}"' in user)
    )

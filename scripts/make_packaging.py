"""Write the files of ``packaging`` that follow from others, and ``CITATION.cff``: make packaging.

The version comes from the package, dates from CHANGELOG.md, addresses from pyproject.toml, the
manual page and the completion of shells from the parser, and icons from ``assets/icon.svg``.
"""

from __future__ import annotations

import io
import re
import tomllib
from argparse import SUPPRESS, Action
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from urllib.parse import urlsplit

from svmviz import __version__
from svmviz.cli import COMMANDS, WINDOW
from svmviz.cli.parser import Parser

ROOT = Path(__file__).parents[1]
PACKAGING = ROOT / "packaging"
LINUX, ICONS = PACKAGING / "linux", PACKAGING / "icons"
METAINFO, CITATION = LINUX / "svmviz.metainfo.xml", ROOT / "CITATION.cff"
MANUAL = LINUX / "svmviz.1"
# For each shell, the name under which it looks for the completion of svmviz.
COMPLETION = {"bash": "svmviz", "zsh": "_svmviz", "fish": "svmviz.fish"}
# Sizes of icons that desktops look for; those of them that an .ico may hold; and those of .icns.
SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)
ICO_SIZES = tuple(size for size in SIZES if size <= 256)
# An option with one of these values gets names of files.
FILES, FOLDERS = ("FILE", "OUT", "NAME|FILE"), ("DIR",)


def whole_parser() -> Parser:
    """Return the parser of the window with those of all commands in it."""
    module, about = WINDOW
    parser = Parser(prog="svmviz", description=about)
    import_module(module).add_arguments(parser)
    commands = parser.add_subparsers(metavar="COMMAND")
    for name, (module, about) in COMMANDS.items():
        import_module(module).add_arguments(
            commands.add_parser(name, prog=f"svmviz {name}", help=about, description=about)
        )
    return parser


def parsers(whole: Parser) -> dict[str, Parser]:
    """Return the parser of each command by its name, and of the window by an empty one."""
    (commands,) = filter(is_commands, whole._actions)
    return {"": whole} | commands.choices  # type: ignore[operator]


def is_commands(action: Action) -> bool:
    """Return whether an action chooses among the commands."""
    return action.dest == SUPPRESS and action.nargs == "A..."


# Versions, dates and addresses


def project() -> dict:
    """Return the table ``project`` of pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def releases() -> list[tuple[str, str]]:
    """Return version and date of each release in the changelog, the newest first."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    return re.findall(r"^## (\d+\.\d+\.\d+) - (\d{4}-\d\d-\d\d)$", text, re.MULTILINE)


def citation(text: str) -> str:
    """Return CITATION.cff with what follows from other files."""
    urls, (version, date) = project()["urls"], releases()[0]
    for key, value in (
        ("version", version),
        ("date-released", f'"{date}"'),
        ("url", urls["Homepage"]),
        ("repository-code", urls["Source"]),
    ):
        text = re.sub(rf"^{key}: .*$", f"{key}: {value}", text, flags=re.MULTILINE)
    return text


def metainfo(text: str) -> str:
    """Return the description for software centres with what follows from other files."""
    urls = project()["urls"]
    owner = ".".join(reversed(urlsplit(urls["Homepage"]).netloc.split(".")))
    rows = "".join(f'\n    <release version="{v}" date="{d}"/>' for v, d in releases())
    for pattern, value in (
        (r"(?<=<id>)[^<]*", f"{owner}.svmviz"),
        (r'(?<=<developer id=")[^"]*', owner),
        (r'(?<="homepage">)[^<]*', urls["Homepage"]),
        (r'(?<="bugtracker">)[^<]*', urls["Issues"]),
        (r'(?<="help">)[^<]*', urls["Documentation"]),
        (r'(?<="vcs-browser">)[^<]*', urls["Source"]),
        (r"(?<=>)[^<>]*(?=/raw/main/docs/pictures/)", urls["Source"]),
        (r"(?<=<releases>)(?s:.*)(?=\n  </releases>)", rows),
    ):
        text = re.sub(pattern, value, text)
    return text


# The manual page


def manual() -> str:
    """Return the manual page, in the language of man."""
    found = parsers(whole_parser())
    groups = {name: list(_groups(parser)) for name, parser in found.items()}
    owners: dict[str, list[str]] = {}
    for name, own in groups.items():
        for group in own:
            owners.setdefault(group, []).append(name)
    lines = [
        f'.TH SVMVIZ 1 {releases()[0][1]} "svmviz {__version__}" "User Commands"',
        ".SH NAME", "svmviz \\- watch support vector machines learn, step by step",
        ".SH SYNOPSIS", ".nf", r"\fBsvmviz\fR [\fIOPTION\fR]... [\fIFILE\fR]",
        *(rf"\fBsvmviz {name}\fR {_usage(found[name])}" for name in found if name), ".fi",
        ".SH DESCRIPTION", "Without a command, the window opens, with a file if one is given.",
        *groups[""],
        ".SH COMMANDS",
    ]  # fmt: skip
    for name, parser in found.items():
        if name:
            lines += [f'.SS "svmviz {name}"', _roff(parser.description or "")]
            lines += [group for group in groups[name] if len(owners[group]) == 1]
    lines.append(".SH OPTIONS OF SEVERAL COMMANDS")
    for group, names in owners.items():
        if len(names) > 1:
            lines += [f".PP\nOf {', '.join(names)}:", group]
    lines += [
        ".SH EXIT STATUS", "0: done (also if a method stopped early: read the reason).",
        "1: bad input, with one sentence.", "2: bad usage.", "130: interrupted by Ctrl+C.",
        "141: the program that read the output closed it.",
    ]  # fmt: skip
    return re.sub(r"\n{2,}", "\n", "\n".join(lines)) + "\n"


def _groups(parser: Parser) -> Iterator[str]:
    """Yield each group of arguments as a list; the groups that argparse makes have no title."""
    for group in parser._action_groups:
        actions = [a for a in group._group_actions if a.dest != "help" and not is_commands(a)]
        title = "" if group in parser._action_groups[:2] else f".PP\n.I {_roff(group.title or '')}"
        if actions:
            yield "\n".join((title, *map(_entry, actions)))


def _entry(action: Action) -> str:
    names = ", ".join(rf"\fB{_roff(name)}\fR" for name in action.option_strings)
    value = "" if action.nargs == 0 else rf"\fI{_roff(value_of(action))}\fR"
    lines = [" ".join(line.split()) for line in (action.help or "").splitlines()]
    return "\n".join((".TP", f"{names} {value}".strip(), "\n.br\n".join(map(_roff, lines))))


def value_of(action: Action) -> str:
    """Return what is shown for the value of an argument."""
    if action.metavar is not None:
        return action.metavar if isinstance(action.metavar, str) else " ".join(action.metavar)
    return "|".join(map(str, action.choices)) if action.choices else action.dest.upper()


def _usage(parser: Parser) -> str:
    places = [a for a in parser._actions if not a.option_strings]
    required = [a for a in parser._actions if a.option_strings and a.required]
    words = [*map(value_of, places), *(f"{a.option_strings[0]} {value_of(a)}" for a in required)]
    return rf"\fI{_roff(' '.join(words))}\fR [\fIOPTION\fR]..."


def _roff(text: str) -> str:
    """Return a text of a manual page, in which a line never begins a request."""
    escaped = text.replace("%%", "%").replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^(?=[.'])", r"\\&", escaped)


# The completion of shells


def completion(shell: str) -> str:
    """Return the completion of a shell."""
    import shtab

    whole = whole_parser()
    for parser in parsers(whole).values():
        for action in parser._actions:
            if action.metavar in FILES or action.metavar in FOLDERS:
                kind = shtab.FILE if action.metavar in FILES else shtab.DIRECTORY
                action.complete = kind  # type: ignore[attr-defined]
    return shtab.complete(whole, shell=shell)


# Icons


def write_icons() -> None:
    """Draw the icons in each size, and write those of Windows and macOS."""
    from PIL import Image
    from PySide6.QtCore import QBuffer
    from PySide6.QtGui import QGuiApplication, QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    _app = QGuiApplication.instance() or QGuiApplication(["icons", "-platform", "offscreen"])
    renderer = QSvgRenderer(str(ROOT / "assets" / "icon.svg"))
    images = {}
    for size in (*SIZES, 1024):
        image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(0)
        painter = QPainter(image)
        renderer.render(painter)
        painter.end()
        data = QBuffer()
        data.open(QBuffer.OpenModeFlag.WriteOnly)
        image.save(data, "PNG")  # type: ignore[call-overload]
        images[size] = Image.open(io.BytesIO(data.data().data()))
    ICONS.mkdir(exist_ok=True)
    for size in SIZES:
        images[size].save(ICONS / f"svmviz-{size}.png", optimize=True)
    images[256].save(
        ICONS / "svmviz.ico",
        sizes=[(size, size) for size in ICO_SIZES],
        append_images=[images[size] for size in ICO_SIZES],
    )
    images[1024].save(ICONS / "svmviz.icns", append_images=[images[size] for size in SIZES])


def main() -> None:
    """Write all files."""
    for path, change in ((CITATION, citation), (METAINFO, metainfo)):
        path.write_text(change(path.read_text("utf-8")), "utf-8", newline="\n")
    MANUAL.write_text(manual(), "utf-8", newline="\n")
    for shell, name in COMPLETION.items():
        (LINUX / name).write_text(completion(shell), "utf-8", newline="\n")
    write_icons()


if __name__ == "__main__":
    main()

"""``svmviz render``: exactly the picture asked for, without a display."""

import os

import pytest
from PySide6.QtGui import QColor, QImage

from solvers import METHODS, SMO, Linear, Pegasos
from svmviz.base.resources import path as asset
from svmviz.cli import displays
from svmviz.document.view_options import ViewOptions
from svmviz.export.page import FigureSize
from svmviz.plane.race_tiles import tiles
from svmviz.theme import DARK, LIGHT
from tests.cli.common import NO_DISPLAY


@pytest.fixture
def render(svmviz, qapp, tmp_path):
    """Draw a picture by the command line, and return it as Qt reads it."""

    def call(*arguments, name="picture.png"):
        done = svmviz("render", *arguments, "-o", tmp_path / name)
        assert (done.code, done.out, done.err) == (0, "", "")
        image = QImage(str(tmp_path / name))
        assert not image.isNull()
        return image

    return call


def count(image, colour):
    """Number of px of exactly one colour, looked at on a grid."""
    wanted = QColor(colour).rgb()
    return sum(
        image.pixel(x, y) == wanted
        for x in range(0, image.width(), 3)
        for y in range(0, image.height(), 3)
    )


@pytest.mark.parametrize("size", [(1280, 960), (333, 777), (40, 30), (1, 1)])
def test_the_size_is_exact(render, eight, size):
    image = render(eight, "--size", f"{size[0]}x{size[1]}")
    assert (image.width(), image.height()) == size


def test_the_size_by_default(render, eight):
    image = render(eight, name="PICTURE.PNG")
    assert (image.width(), image.height()) == (1280, 960)


def test_themes(render, eight):
    light, dark = render(eight), render(eight, "--theme", "dark")
    assert light.pixel(0, 0) == QColor(LIGHT.plane).rgb()
    assert dark.pixel(0, 0) == QColor(DARK.plane).rgb()


def test_the_same_command_gives_the_same_picture(render, moons):
    assert render(moons, "--step", 5) == render(moons, "--step", 5)


def test_steps(render, moons):
    last = render(moons)
    assert render(moons, "--step", 10**9) == last
    assert render(moons, "--step", 0) != last
    assert render(moons, "--step", 3) != render(moons, "--step", 4)


def test_a_scene_brings_step_window_and_layers(render, scene_of):
    last = render(scene_of(kernel=Linear()))
    assert render(scene_of(kernel=Linear(), step=2)) == render(
        scene_of(kernel=Linear()), "--step", 2
    )
    assert render(scene_of(kernel=Linear(), step=2), "--step", 10**6) == last
    assert render(scene_of(kernel=Linear(), window=(-9, 9, -9, 9))) != last
    bare = render(scene_of(kernel=Linear(), options=ViewOptions(field=False, band=False)))
    assert count(bare, LIGHT.plane) > 2 * count(last, LIGHT.plane)


def test_options_of_the_model(render, eight):
    assert render(eight, "--kernel", "linear") != render(eight)


def test_a_race_is_drawn_with_all_its_planes(render, scene_of):
    # Only the outlines of support vectors tell the lanes; the legend is above all planes.
    looks = {"options": ViewOptions(rings=False, legend=False)}
    race = scene_of(kernel=Linear(), methods=(SMO(), Pegasos(max_steps=100)), **looks)
    both = render(race, "--size", "1200x600")
    titles = tiles(2, 1200, 600, natural_scale((1200, 600)), 1.0)
    for method, tile in zip(("smo", "pegasos"), titles, strict=True):
        x, y, width, height = tile.plane
        options = ("--size", f"{width}x{height}", "--scale", natural_scale((1200, 600)))
        alone = render(
            scene_of(kernel=Linear(), methods=(METHODS[method](),), **looks),
            *options,
            *(("--max-steps", 100) if method == "pegasos" else ()),
        )
        assert both.copy(x, y, width, height) == alone
        assert count(both.copy(*tile.title), LIGHT.series[tile.lane]) > 5
    # A solver that is asked for on the command line runs alone.
    assert render(race, "--solver", "pegasos") != both


def test_lines_and_type_are_in_proportion(render, eight):
    assert natural_scale((960, 720)) == 1
    assert natural_scale((3840, 2880)) == 4
    assert natural_scale((10, 10)) == 0.75
    small = render(eight, "--size", "960x720")
    large = render(eight, "--size", "1920x1440")
    shrunk = large.scaled(small.size())
    same = sum(
        abs(QColor(small.pixel(x, y)).lightness() - QColor(shrunk.pixel(x, y)).lightness()) < 40
        for x in range(0, 960, 7)
        for y in range(0, 720, 7)
    )
    assert same > 0.95 * len(range(0, 960, 7)) * len(range(0, 720, 7))
    assert render(eight, "--size", "960x720", "--scale", 3) != small


def natural_scale(size):
    return FigureSize(*size).scale()


def refused(done, code):
    assert done.code == code
    assert done.out == ""
    assert done.err.count("\n") == 1
    return done.err


def test_vector_formats_by_their_endings(svmviz, qapp, eight, tmp_path):
    for name, start in (("a.svg", b"<?xml"), ("a.PDF", b"%PDF-")):
        done = svmviz("render", eight, "-o", tmp_path / name, "--width", "86mm")
        assert (done.code, done.out, done.err) == (0, "", "")
        assert (tmp_path / name).read_bytes().startswith(start)
    assert b'width="86mm" height="64.5mm"' in (tmp_path / "a.svg").read_bytes()


def test_paper_and_type(render, eight):
    image = render(eight, "--width", "8.6cm", "--height", "60mm", "--type-size", "8pt")
    assert (image.width(), image.height()) == (1016, 709)
    assert image.dotsPerMeterX() == 11811
    assert render(eight, "--width", "960", "--height", "720") == render(eight, "--size", "960x720")
    assert render(eight, "--height", "720px") == render(eight, "--size", "960x720")
    small, large = (render(eight, "--type-size", size) for size in ("6pt", "14"))
    assert small != large


def test_what_is_left_out_and_added(render, eight, scene_of):
    whole = render(eight)
    bare = {name: render(eight, name) for name in ("--no-legend", "--no-axes", "--caption")}
    assert len({bytes(image.constBits()) for image in (whole, *bare.values())}) == 4
    # The legend is above the plot, the numbers below it.
    ink = [sum(image.pixel(x, 20) != image.pixel(0, 0) for x in range(300, 1280)) for image in
           (whole, bare["--no-legend"])]  # fmt: skip
    assert ink[0] > 50
    assert ink[1] == 0
    assert render(eight, "--title", "A <b>title") != whole
    # The planes of a race keep their names: without them nobody knows which lane is which.
    race = scene_of(kernel=Linear(), methods=(SMO(), Pegasos(max_steps=50)))
    assert render(race, "--no-title") == render(race)


def test_transparent_and_bands(render, eight):
    assert not render(eight).hasAlphaChannel()
    clear = render(eight, "--transparent")
    assert clear.pixelColor(2, 2).alpha() == 0
    assert render(eight, "--field", "bands") != render(eight)


def test_shading(render, eight):
    pictures = [render(eight, "--shading", name) for name in ("sure", "band", "probability")]
    assert len({bytes(image.constBits()) for image in pictures}) == 3
    assert pictures[0] == render(eight)


def test_text_of_svg(svmviz, qapp, eight, tmp_path):
    for how, there, away in (("outlines", "aria-label", "<text"), ("embedded", "<text", "aria-")):
        assert svmviz("render", eight, "-o", tmp_path / "a.svg", "--svg-text", how).code == 0
        text = (tmp_path / "a.svg").read_text()
        assert there in text
        assert away not in text


def test_panels_need_no_display(process, tmp_path):
    demo = asset("scenes/race.svmviz")
    views = ("--view", "objective", "--view", "plane", "--view", "race", "--step", 20)
    done = process("render", demo, "-o", "a.svg", *views, **NO_DISPLAY)
    assert (done.code, done.out, done.err) == (0, "", "")
    text = (tmp_path / "a.svg").read_text()
    assert all(f'aria-label="{words}"' in text for words in ("Objective", "P − its minimum", "SMO"))


def test_panels_that_show_nothing_are_bad_input(svmviz, qapp, eight, tmp_path):
    done = svmviz("render", eight, "-o", tmp_path / "a.svg", "--view", "race")
    assert refused(done, 1) == (
        "svmviz: The chart of a race needs two or more methods, and this scene has one.\n"
    )
    assert not (tmp_path / "a.svg").exists()


@pytest.mark.parametrize("name", ["a.pgn", "a", "a.jpg"])
def test_unknown_endings_are_refused_with_the_known_ones(svmviz, eight, tmp_path, name):
    sentence = refused(svmviz("render", eight, "-o", tmp_path / name), 2)
    assert "no format has the ending" in sentence
    assert ".png" in sentence
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ("--size 100", "'100' is not of the form 1280x960"),
        ("--size 0x100", "1 to 32,000 pixels per side"),
        ("--size 99999x1", "1 to 32,000 pixels per side"),
        ("--size 30000x30000", "200,000,000 in all"),
        ("--size -5x5", "--size"),
        ("--step -1", "a step cannot be negative"),
        ("--step 1.5", "not a whole number"),
        ("--theme pink", "invalid choice"),
        ("--scale 0", "a scale can be 0.1 to 100"),
        ("--scale nan", "not a number"),
        ("--width 0", "'0' is not a length such as 86mm"),
        ("--width 86km", "'86km' is not a length"),
        ("--width 1000000", "1 to 32,000 pixels per side"),
        ("--width 3m", "not a length"),
        ("--width 9e9mm", "not a length"),
        ("--width 90000cm", "1 to 32,000 pixels per side"),
        ("--size 100x100 --width 86mm", "--size is not allowed with --width"),
        ("--type-size 0pt", "the type size can be 2 to 144 pt"),
        ("--type-size 8mm", "not a number"),
        ("--type-size 8pt --scale 2", "not allowed with argument"),
        ("--field stripes", "invalid choice"),
        ("--svg-text letters", "invalid choice"),
        ("--view nowhere", "nowhere"),
    ],
)
def test_bad_usage(svmviz, eight, tmp_path, options, sentence):
    done = svmviz("render", eight, "-o", tmp_path / "a.png", *options.split())
    assert sentence in refused(done, 2)


def test_the_output_is_required(svmviz, eight):
    assert "-o/--output" in refused(svmviz("render", eight), 2)


def test_bad_input(svmviz, qapp, eight, tmp_path):
    assert "No such file" in refused(svmviz("render", "no.csv", "-o", tmp_path / "a.png"), 1)
    sentence = refused(svmviz("render", eight, "-o", tmp_path / "no" / "a.png"), 1)
    assert sentence == f"svmviz: No such folder: {tmp_path / 'no'}\n"
    (tmp_path / "one.csv").write_text("0,0,1\n1,1,1\n")
    one = tmp_path / "one.csv"
    assert "one of each class" in refused(svmviz("render", one, "-o", tmp_path / "a.png"), 1)
    assert not (tmp_path / "a.png").exists()


@pytest.mark.parametrize("name", ["./", "../"])
def test_a_folder_with_other_files_is_refused(svmviz, qapp, eight, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    assert "holds other files" in refused(svmviz("render", eight, "-o", name), 1)
    assert os.listdir() == ["eight.csv"]


@pytest.mark.skipif(os.name == "nt", reason="POSIX pipes")
def test_a_link_to_a_pipe_is_written_to(svmviz, qapp, eight, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "a.png").symlink_to(tmp_path / "pipe")
    number = os.open(tmp_path / "pipe", os.O_RDWR)
    try:
        assert svmviz("render", eight, "-o", tmp_path / "a.png", "--size", "64x64").code == 0
        assert os.read(number, 8) == b"\x89PNG\r\n\x1a\n"
    finally:
        os.close(number)
    assert (tmp_path / "a.png").is_symlink()
    assert (tmp_path / "pipe").is_fifo()


def test_a_failure_keeps_the_earlier_picture(svmviz, qapp, eight, tmp_path):
    (tmp_path / "a.png").write_text("earlier")
    svmviz("render", eight, "-o", tmp_path / "a.png", "--kernel", "linear", "--bias", "none")
    assert (tmp_path / "a.png").read_text() == "earlier"


def test_no_display_is_needed(process, tmp_path):
    done = process("render", asset("scenes/demo.svmviz"), "-o", "a.png", **NO_DISPLAY)
    assert (done.code, done.out, done.err) == (0, "", "")
    assert QImage(str(tmp_path / "a.png")).width() == 1280


def test_a_requested_display_that_does_not_exist(process):
    away = {**NO_DISPLAY, "DISPLAY": ":987654", "QT_QPA_PLATFORM": "xcb"}
    done = process("render", asset("scenes/demo.svmviz"), "-o", "a.png", **away)
    assert (done.code, done.err) == (0, "")


@pytest.mark.skipif(displays.sys.platform != "linux", reason="elsewhere there is always a display")
@pytest.mark.parametrize(
    ("environment", "there"),
    [
        ({}, False),
        ({"WAYLAND_DISPLAY": "wayland-0"}, True),
        ({"DISPLAY": ":987654"}, False),
        ({"QT_QPA_PLATFORM": "offscreen"}, True),
        ({"QT_QPA_PLATFORM": "minimal:x"}, True),
        ({"QT_QPA_PLATFORM": "wayland-egl"}, False),
    ],
)
def test_displays(monkeypatch, environment, there):
    for name, value in {**NO_DISPLAY, **environment}.items():
        monkeypatch.setenv(name, value)
    assert displays.has_display() is there


def test_the_derivation_of_a_figure_is_chosen_and_has_all_its_lines(svmviz, tmp_path):
    scene, texts = asset("scenes/two-moons.svmviz"), {}
    for name in ("gap", "kkt"):
        out = tmp_path / f"{name}.svg"
        options = ("--view", "derivation", "--derivation", name, "--svg-text", "embedded")
        done = svmviz("render", scene, *options, "-o", out)
        assert (done.code, done.err) == (0, "")
        texts[name] = out.read_text(encoding="utf-8")
    assert "point by point" in texts["gap"]
    assert "point by point" not in texts["kkt"]
    # The last line is there, and nothing that only a window could do.
    assert "the tooltip of the badge" in texts["kkt"]
    assert "See it in" not in texts["kkt"]
    done = svmviz("render", scene, "--derivation", "unknown", "-o", tmp_path / "x.svg")
    assert done.code == 2
    assert "is none of distance, margin" in done.err

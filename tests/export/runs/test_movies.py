"""Movies, read back frame by frame by Qt and by FFmpeg (in PyAV), which did not write them."""

import dataclasses
import itertools
import sys
import threading
import time

import av
import numpy as np
import pytest
from PIL import Image
from PySide6.QtGui import QImage, QImageReader

from solvers import SMO, BadInput, CoordinateAscent, Linear, Pegasos, Perceptron, solve
from solvers.cancelling import cancel_when
from solvers.data.datasets import DATASETS, eight_points
from svmviz.document.document import Document
from svmviz.export import RUN_FORMATS
from svmviz.export.figure_settings import FigureSettings
from svmviz.export.page import Length
from svmviz.export.runs import gif, shots
from svmviz.export.runs.recording import Recording
from svmviz.export.runs.run_settings import RunSettings, Steps
from svmviz.io.scene import Scene
from svmviz.plane.sentences import caption

pytestmark = pytest.mark.usefixtures("qapp")
SIZE = (320, 240)
PICTURE = FigureSettings(width=Length(SIZE[0], "px"), height=Length(SIZE[1], "px"), caption=True)
ONE = (SMO(),)
ENDINGS = [".gif", ".webp", ".mp4", ".webm"]


def recording(methods=ONE, **members):
    document = Document(
        members.pop("data", None) or eight_points(), kernel=Linear(), methods=methods, **members
    )
    problem = document.problem()
    runs = tuple(solve(problem, method) for method in methods)
    return Recording(Scene(document), runs, caption)


def write(path, made=None, **settings):
    """Write a movie, and return the pixels that were painted."""
    made = made or recording()
    settings = RunSettings(picture=settings.pop("picture", PICTURE), **settings)
    RUN_FORMATS["/" if path.suffix == "" else path.suffix].save(path, made, settings)
    painter = shots.ShotPainter(made, settings, bands=path.suffix == ".gif")
    return [painter.paint(step)[..., 2::-1] for step in painter.steps]


def decode(path):
    """Return frames as arrays (height, width, 3), and the time of each."""
    with av.open(str(path)) as container:
        frames = list(container.decode(video=0))
        return [f.to_ndarray(format="rgb24") for f in frames], [float(f.time) for f in frames]


def read_by_qt(path):
    reader = QImageReader(str(path))
    frames, times = [], []
    while not (image := reader.read()).isNull():
        frames.append(
            shots.pixels_of(image.convertToFormat(QImage.Format.Format_RGB32))[..., 2::-1]
        )
        times.append(reader.nextImageDelay() / 1000)
    return frames, times


def assert_alike(found, painted, limit):
    assert len(found) == len(painted)
    for one, other in zip(found, painted, strict=True):
        assert one.shape == other.shape
        assert np.abs(one.astype(float) - other).mean() < limit


def test_gif(tmp_path):
    painted = write(tmp_path / "a.gif", fps=5.0, hold=1.0)
    found, times = read_by_qt(tmp_path / "a.gif")
    assert_alike(found, painted, 1.0)
    assert times[0] == times[-1] == 1.0
    assert set(times[1:-1]) == {0.2}
    again, _ = decode(tmp_path / "a.gif")
    assert all(np.array_equal(one, other) for one, other in zip(found, again, strict=False))
    with Image.open(tmp_path / "a.gif") as image:
        assert (image.info["loop"], image.n_frames) == (0, len(painted))


def test_the_frames_of_a_gif_share_one_palette(tmp_path):
    write(tmp_path / "a.gif")
    found, _ = read_by_qt(tmp_path / "a.gif")
    colours = np.unique(np.concatenate([frame.reshape(-1, 3) for frame in found]), axis=0)
    assert len(colours) < gif.COLOURS


def test_only_antialiased_px_of_a_gif_keep_a_close_colour_of_the_frame_before(tmp_path):
    made = recording(data=DATASETS["moons"].generate(30, 0.2, 0))
    painted = write(tmp_path / "a.gif", made, steps=Steps(2, 7))
    found, _ = read_by_qt(tmp_path / "a.gif")
    painter = shots.ShotPainter(made, RunSettings(Steps(2, 7), picture=PICTURE), bands=True)
    palette = gif.choose_palette(painter.sample(gif.SAMPLES)).astype(int)
    kept = 0
    for one, other in zip(found, painted, strict=True):
        away = ((palette - other[:, :, None, :]) ** 2).sum(axis=3)
        exact = palette[away.argmin(axis=2)]
        differs = np.abs(one - exact).max(axis=2)
        assert differs.max() <= gif.TOLERANCE
        flat = np.zeros(differs.shape, int)
        for axis in (0, 1):
            alike = (np.diff(exact, axis=axis) == 0).all(axis=2)
            flat += np.pad(alike, [(a == axis, 0) for a in (0, 1)])
            flat += np.pad(alike, [(0, a == axis) for a in (0, 1)])
        assert not differs[flat >= gif.MIN_ALIKE].any()
        kept += np.count_nonzero(differs)
    assert kept


def test_a_pace_between_hundredths_of_a_second_is_kept_on_the_whole(tmp_path):
    write(tmp_path / "a.gif", recording(data=DATASETS["moons"].generate(30, 0.2, 0)), fps=30.0)
    _, times = read_by_qt(tmp_path / "a.gif")
    assert set(times[1:-1]) == {0.03, 0.04}
    assert sum(times[1:-1]) == pytest.approx(len(times[1:-1]) / 30, abs=0.011)


def test_webp(tmp_path):
    painted = write(tmp_path / "a.webp", fps=5.0, hold=1.0)
    found, times = read_by_qt(tmp_path / "a.webp")
    assert_alike(found, painted, 4.0)
    assert times[0] == times[-1] == 1.0


@pytest.mark.parametrize("ending", [".mp4", ".webm"])
def test_videos_hold_the_first_and_the_last_frame(tmp_path, ending):
    path = tmp_path / f"a{ending}"
    painted = write(path, fps=5.0, hold=1.0)
    found, times = decode(path)
    assert_alike(found[4:-4], painted, 6.0)
    assert_alike(found[:5], painted[:1] * 5, 6.0)
    assert_alike(found[-5:], painted[-1:] * 5, 6.0)
    np.testing.assert_allclose(np.diff(times), 0.2, atol=2e-3)
    with av.open(str(path)) as container:
        assert container.streams.video[0].codec_context.name in ("h264", "vp9", "libvpx-vp9")


def test_a_folder_of_images_is_exact(tmp_path):
    painted = write(tmp_path / "frames", steps=Steps(1, 3))
    names = sorted(path.name for path in (tmp_path / "frames").iterdir())
    assert names == [f"frame-0000{k}.png" for k in (1, 2, 3)]
    for name, pixels in zip(names, painted, strict=True):
        with Image.open(tmp_path / "frames" / name) as image:
            np.testing.assert_array_equal(np.asarray(image), pixels)


def test_a_folder_of_frames_is_replaced_and_no_other(tmp_path):
    folder = tmp_path / "frames"
    write(folder)
    write(folder, steps=Steps(0, 1))
    assert len(list(folder.iterdir())) == 2
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(BadInput, match="holds other files"):
        write(folder)
    assert len(list(folder.iterdir())) == 3
    assert [path.name for path in tmp_path.iterdir()] == ["frames"]


def test_a_race(tmp_path):
    made = recording(
        (CoordinateAscent(max_steps=6), CoordinateAscent(seed=1, max_steps=12)), bias="augmented"
    )
    painted = write(tmp_path / "a.gif", made)
    assert len(painted) == made.length + 1
    assert_alike(read_by_qt(tmp_path / "a.gif")[0], painted, 1.0)


def test_changes_leave_out_what_cannot_be_seen(tmp_path):
    made = recording((Perceptron(),))
    whole = write(tmp_path / "a.gif", made)
    write(tmp_path / "b.gif", made, changes=True)
    found, times = read_by_qt(tmp_path / "b.gif")
    assert 1 < len(found) <= len(whole)
    assert all((one != other).any() for one, other in itertools.pairwise(found))
    assert times[0] == times[-1]


def test_changes_are_those_of_the_plane():
    before = np.zeros((20, 20, 4), np.uint8)
    after = before.copy()
    after[12:, :, 0] = 200
    assert shots.has_changed(before, after, (0, 0, 20, 20))
    assert not shots.has_changed(before, after, (0, 0, 20, 12))
    after = before.copy()
    after[:, :, 1] = shots.CHANGED_BY
    assert not shots.has_changed(before, after, (0, 0, 20, 20))


def test_black_and_white_differ():
    black = np.zeros((4, 4, 4), np.uint8)
    white = np.full_like(black, 255)
    assert shots.has_changed(black, white, (0, 0, 4, 4))
    assert shots.has_changed(white, black, (0, 0, 4, 4))
    grey = np.full_like(black, shots.CHANGED_BY)
    assert not shots.has_changed(grey, black, (0, 0, 4, 4))


def test_the_plane_has_the_same_place_in_all_frames():
    painter = shots.ShotPainter(recording(), RunSettings(picture=PICTURE))
    assert len({painter.figure(step).placed_parts()[0][1] for step in painter.steps}) == 1


def test_a_race_by_another_clock_shows_each_lane_at_its_own_step():
    made = recording((Pegasos(max_steps=9), Pegasos(batch_size=4, max_steps=30)), bias="none")
    settings = RunSettings(picture=dataclasses.replace(PICTURE, clock="evaluations"))
    painter = shots.ShotPainter(made, settings)
    shown = [painter.lane_steps(step) for step in painter.steps]
    assert shown[-1] == tuple(run.steps for run in made.runs)
    assert all(a <= c and b <= d for (a, b), (c, d) in itertools.pairwise(shown))
    assert any(one > other for one, other in shown)


def test_a_glide_has_frames_on_the_way_with_the_words_of_the_step(tmp_path):
    settings = {"steps": Steps(2, 4), "fps": 2.0, "hold": 1.0}
    painted = write(tmp_path / "a.gif", glide=True, **settings)
    found, times = read_by_qt(tmp_path / "a.gif")
    assert times == [1.0, *[0.04] * 4, 0.34, *[0.04] * 4, 1.0]
    assert RunSettings(picture=PICTURE, glide=True, **settings).seconds(3) == pytest.approx(
        sum(times)
    )
    assert_alike([found[0], found[5], found[10]], painted, 1.0)
    box = (
        shots.ShotPainter(recording(), RunSettings(picture=PICTURE)).figure(3).placed_parts()[0][1]
    )
    words = box[1] + box[3]
    for one in found[1:5]:
        assert np.abs(one[words:].astype(int) - found[5][words:]).max() == 0
    ways = [np.abs(one[:words].astype(int) - found[5][:words]).sum() for one in found[:6]]
    assert ways == sorted(ways, reverse=True)
    assert ways[1] > 0
    write(tmp_path / "a.mp4", glide=True, **settings)
    frames, clock = decode(tmp_path / "a.mp4")
    assert len(frames) == round(sum(times) * 25)
    np.testing.assert_allclose(np.diff(clock), 0.04, atol=1e-4)
    write(tmp_path / "b.gif", glide=True, steps=Steps(2, 4), fps=5.5)
    assert len(read_by_qt(tmp_path / "b.gif")[0]) == 3


class Interrupting:
    """The report of a movie that is interrupted at its third frame."""

    count = 0

    def __call__(self, share):
        self.count += 1
        if self.count > 3:
            raise KeyboardInterrupt


@pytest.mark.parametrize("ending", [*ENDINGS, ""])
def test_what_is_cancelled_leaves_nothing(tmp_path, ending):
    # Even without the interrupt nothing would be written.
    with cancel_when(lambda: True), pytest.raises(KeyboardInterrupt):
        RUN_FORMATS[ending or "/"].save(
            tmp_path / f"a{ending}", recording(), RunSettings(picture=PICTURE), Interrupting()
        )
    assert list(tmp_path.iterdir()) == []
    assert not [thread for thread in threading.enumerate() if "svmviz-encoder" in thread.name]


def test_an_error_of_the_encoder_ends_the_painting():
    def encode(painted):
        next(painted)
        raise BadInput("The disk is full.")

    def endless():
        while True:
            yield shots.Shot(0, np.zeros((2, 2, 4), np.uint8), 0.1)

    with pytest.raises(BadInput, match="full"):
        shots.encode_in_thread(encode, endless())


def test_an_error_of_the_painter_ends_the_encoding_and_is_raised():
    taken, ended = [], []

    def encode(painted):
        try:
            taken.extend(shot.step for shot in painted)
        except BaseException as error:
            ended.append(error)
            raise
        return b"a file that must not be written"

    def paint():
        yield from (shots.Shot(k, np.zeros((2, 2, 4), np.uint8), 0.1) for k in range(10))
        raise BadInput("No memory.")

    with pytest.raises(BadInput, match="No memory"):
        shots.encode_in_thread(encode, paint())
    assert taken == list(range(10))
    assert len(ended) == 1


def test_a_slow_encoder_lets_only_a_few_frames_wait():
    waiting, most = [], []

    def encode(painted):
        for shot in painted:
            time.sleep(0.005)
            most.append(len(waiting))
            waiting.remove(shot.step)
        return b"done"

    def paint():
        for k in range(20):
            waiting.append(k)
            yield shots.Shot(k, np.zeros((2, 2, 4), np.uint8), 0.1)

    assert shots.encode_in_thread(encode, paint()) == b"done"
    assert waiting == []
    # One more is being encoded, and one is painted but not put yet.
    assert max(most) <= shots.MAX_WAITING + 2


@pytest.mark.parametrize("ending", [".mp4", ".webm"])
def test_without_pyav_one_sentence_says_what_to_do(tmp_path, monkeypatch, ending):
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(BadInput, match=r"pip install 'svmviz\[movie\]'"):
        write(tmp_path / f"a{ending}")
    assert list(tmp_path.iterdir()) == []


def test_refusals(tmp_path, monkeypatch):
    odd = FigureSettings(width=Length(321, "px"), height=Length(240, "px"))
    with pytest.raises(BadInput, match="even sides"):
        write(tmp_path / "a.mp4", picture=odd)
    with pytest.raises(BadInput, match="are not all in it"):
        write(tmp_path / "a.gif", steps=Steps(0, 999))
    monkeypatch.setattr(shots, "MAX_FRAMES", 2)
    with pytest.raises(BadInput, match="choose fewer steps"):
        write(tmp_path / "a.gif")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("ending", ENDINGS)
def test_movies_of_one_or_two_frames(tmp_path, ending, count):
    path = tmp_path / f"a{ending}"
    write(path, steps=Steps(0, count - 1), fps=4.0, hold=0.25)
    found = read_by_qt(path)[0] if ending in (".gif", ".webp") else decode(path)[0]
    assert len(found) == count

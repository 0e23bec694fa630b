"""The pictures of the help: planes, solved and painted as in the window, side by side.

They can take seconds, so they are made in a background thread.
"""

from __future__ import annotations

import functools
import math
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter

from solvers import KERNELS, METHODS, RBF, Kernel, Linear, Method, solve
from solvers.data.datasets import DATASETS, PointSet
from solvers.data.regression_datasets import CURVES
from solvers.problem.machines import ONE_AGAINST_ONE, ONE_AGAINST_REST, machines_of
from svmviz.base.words import number
from svmviz.document.class_weights import BALANCED
from svmviz.document.document import Document, Penalty
from svmviz.document.held_out import Shares
from svmviz.document.source import Source
from svmviz.document.splitting import split, with_fresh_test
from svmviz.document.view_options import PROBABILITY, ViewOptions
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.lane_reader import make_frame
from svmviz.frames.part_risks import part_risks
from svmviz.frames.viewport import SMALLEST_GRID
from svmviz.plane.overlays import studies_for
from svmviz.plane.paint.style import Style
from svmviz.plane.picture import Picture
from svmviz.theme import LABEL, Theme

# Height of a line of a caption, and space between planes, px at scale 1.
CAPTION_HEIGHT, GAP = 22.0, 8.0
# Width that all entries of the legend need, px at scale 1.
LEGEND_WIDTH = 600.0
# Smallest text size of a caption, px at scale 1.
MIN_CAPTION = 6
# The steps of a method's picture, as fractions of its run.
RUN_SHARES = 0.1, 0.3, 1.0
# Usable fraction of a line, since a wrapped line may end before the edge.
FILL_SHARE = 0.85
NO_LEGEND = ViewOptions(legend=False, grid=False, touched=False)
# Held while the planes are solved, so that two threads do not solve the same ones.
_one_at_a_time = threading.Lock()


@dataclass(frozen=True)
class PicturePlane:
    """A plane of a picture.

    Attributes
    ----------
    words : callable(Lane) -> str
        Returns the caption of the plane.
    document : Document
    share : float
        The step shown, as a fraction of the steps of the run; 1 is the last one, the optimum.
    options : ViewOptions
    axes : bool
        Whether the axes have numbers and names.
    """

    words: Callable[[Lane], str]
    document: Document
    share: float = 1.0
    options: ViewOptions = field(default=NO_LEGEND)
    axes: bool = False


def classes(
    name: str, n: int, noise: float, kernel: Kernel | None = None, C: float = 1.0, seed: int = 0
) -> Document:
    """Return a document of generated points of two classes; the kernel is linear by default."""
    data = DATASETS[name].generate(n, noise, seed)
    return Document(data, kernel or Linear(), Penalty("C", C))


def _curve(epsilon: float) -> Document:
    data = CURVES["noisy_sine"].generate(50, 0.25, 1)
    return Document(data, RBF(0.5), Penalty("C", 5.0), task="regression", epsilon=epsilon)


def _text(words: str) -> Callable[[Lane], str]:
    return lambda _lane: words


def _margin(lane: Lane) -> str:
    width = number(lane.certificate.margin, 3)
    return f"Hard margin of eight points: 1/‖w‖ = {width}, and three points lie on it"


def _support(lane: Lane) -> str:
    alpha = lane.certificate.alpha
    return f"{np.count_nonzero(alpha)} of {len(alpha)} points are support vectors; C = 1"


def _slack(lane: Lane) -> str:
    certificate = lane.certificate
    width, total = number(certificate.margin, 2), number(float(certificate.slack.sum()), 3)
    return f"C = {number(lane.problem.C)}: 1/‖w‖ = {width}, Σ ξ = {total}"


def _gap(lane: Lane) -> str:
    certificate = lane.certificate
    return f"P = {number(certificate.primal, 3)}, D = {number(certificate.dual, 3)}"


def _tube(epsilon: float, lane: Lane) -> str:
    count = np.count_nonzero(lane.certificate.alpha)
    return f"ε = {number(epsilon)}: {count} support vectors"


def _moons_with_test_part(gamma: float) -> Document:
    """Return the moons of the scene "Human overfitting", with their test points shown."""
    source = Source("moons", 0.45, 13)
    whole = Document(source.draw(60), RBF(gamma), Penalty("C", 10.0), source=source)
    return _show_test_part(split(whole, Shares(validation=0.0, test=0.25)))


def _with_fresh_points(document: Document) -> Document:
    return _show_test_part(with_fresh_test(document, None))


def _show_test_part(document: Document) -> Document:
    assert document.held_out is not None
    return replace(document, held_out=replace(document.held_out, seen=True))


def _test_error_plane(document: Document, points: str) -> PicturePlane:
    """Return a plane whose caption says how many test points, called ``points``, are wrong."""

    def words(lane: Lane) -> str:
        test = part_risks(document, lane)[-1]
        gamma = number(lane.problem.kernel.values()["gamma"])
        return f"γ = {gamma}: {test.wrong} of {test.points} {points} are wrong"

    return PicturePlane(words, document)


def _three_classes(reduction: str) -> Document:
    """Return three clouds in a triangle, of which one machine is looked at."""
    labels, angles = np.arange(45) % 3, np.pi / 2 + 2.0 * np.pi * np.arange(3) / 3
    centres = 2.0 * np.column_stack([np.cos(angles), np.sin(angles)])
    points = centres[labels] + np.random.default_rng(5).normal(0.0, 0.7, (45, 2))
    document = Document(PointSet(points, labels, ("1", "2", "3")), Linear())
    assert document.many is not None
    return document.with_many(document.many.with_machines(machines_of(reduction, 3)))


def _step(lane: Lane) -> str:
    return f"Step {number(lane.step)}"


def _method_planes(method: Method) -> tuple[PicturePlane, ...]:
    """Return the beginning, the middle and the end of a run."""
    document = classes("blobs", 60, 0.7).with_method(method)
    return tuple(PicturePlane(_step, document, share) for share in RUN_SHARES)


def _kernel_planes(kernel: Kernel) -> tuple[PicturePlane, ...]:
    """Return three sets of points, solved with a kernel and its first settings."""
    return tuple(
        PicturePlane(_support, classes(name, n, noise, kernel))
        for name, n, noise in (("moons", 50, 0.3), ("circles", 50, 0.15), ("xor", 50, 0.3))
    )


@functools.cache
def scenes() -> dict[str, tuple[PicturePlane, ...]]:
    """Return the planes of each picture by the name of its page, such as ``method:smo``."""
    concepts = {f"concept:{name}": planes for name, planes in _concept_planes().items()}
    methods = {f"method:{name}": _method_planes(kind()) for name, kind in METHODS.items()}
    kernels = {f"kernel:{name}": _kernel_planes(kind()) for name, kind in KERNELS.items()}
    return concepts | methods | kernels


def _probability_planes(document: Document) -> tuple[PicturePlane, ...]:
    shaded = replace(NO_LEGEND, shading=PROBABILITY)
    return (
        PicturePlane(_text("Colour by f"), document),
        PicturePlane(_text("Colour by the probability"), document, options=shaded),
    )


def _weighted_planes(document: Document) -> tuple[PicturePlane, ...]:
    """Return the machine of few points of one class without weights, and with balanced ones."""
    few = document.removed(np.flatnonzero(document.data.labels > 0)[6:])
    return (
        PicturePlane(_text("Even weights"), few),
        PicturePlane(_text("Balanced weights"), replace(few, class_weights=BALANCED)),
    )


def _concept_planes() -> dict[str, tuple[PicturePlane, ...]]:
    """Return the planes of the picture of each concept."""
    numbered = replace(NO_LEGEND, alpha_numbers=True)
    decided = replace(NO_LEGEND, decision=True, rings=False)
    overlapping = functools.partial(classes, "gaussians", 40, 0.9)
    moons = functools.partial(classes, "moons", 70, 0.35)
    return {
        "margin": (PicturePlane(_margin, classes("eight", 8, 0.0, C=math.inf)),),
        "support-vector": (PicturePlane(_support, classes("blobs", 40, 0.6)),),
        "slack": tuple(PicturePlane(_slack, overlapping(C=C)) for C in (0.05, 5.0)),
        "class-weights": _weighted_planes(overlapping(C=0.1)),
        "alpha": (
            PicturePlane(
                _text("C = 1: α beside the points; 1 inside the band, less on its edge"),
                classes("gaussians", 14, 0.9),
                options=numbered,
            ),
        ),
        "gap": tuple(
            PicturePlane(_gap, classes("blobs", 40, 0.8), share) for share in (0.15, 0.5, 1.0)
        ),
        "kernel": (
            PicturePlane(_text("Linear kernel"), classes("circles", 60, 0.15)),
            PicturePlane(_text("RBF kernel, γ = 0.5"), classes("circles", 60, 0.15, RBF(0.5))),
        ),
        "fitting": (
            PicturePlane(_text("γ = 0.02: underfitting"), moons(RBF(0.02))),
            PicturePlane(_text("γ = 1"), moons(RBF(1.0))),
            PicturePlane(_text("γ = 50: overfitting"), moons(RBF(50.0), C=100.0)),
        ),
        "test-part": (
            _test_error_plane(_moons_with_test_part(0.1), "test points"),
            _test_error_plane(_moons_with_test_part(4.0), "test points"),
            _test_error_plane(_with_fresh_points(_moons_with_test_part(4.0)), "new test points"),
        ),
        "probability": _probability_planes(overlapping(C=1.0)),
        "epsilon": tuple(
            PicturePlane(functools.partial(_tube, epsilon), _curve(epsilon))
            for epsilon in (0.1, 0.5)
        ),
        "many-classes": (
            PicturePlane(
                _text("1 against 1: each line is a machine of two classes"),
                _three_classes(ONE_AGAINST_ONE),
                options=decided,
            ),
            PicturePlane(
                _text("1 against the rest: hatched where votes are equal"),
                _three_classes(ONE_AGAINST_REST),
                options=decided,
            ),
        ),
        "legend": (
            PicturePlane(
                _text("The legend stands above the plane, at the right"),
                classes("gaussians", 24, 0.9, C=0.5),
                options=ViewOptions(touched=False),
                axes=True,
            ),
        ),
    }


@functools.cache
def frames(name: str) -> tuple[Frame, ...]:
    """Solve the planes of a picture, and return their frames."""
    return tuple(_frame(plane) for plane in scenes()[name])


def _frame(plane: PicturePlane) -> Frame:
    document = plane.document
    with np.errstate(all="ignore"):
        run = solve(document.problem(), document.method)
        studies, step = studies_for(document, plane.options), round(plane.share * run.steps)
        # The smallest grid, because the picture computes its own field.
        return make_frame(document, (run,), step, SMALLEST_GRID, studies)


def paint(name: str, size: tuple[int, int], theme: Theme, scale: float) -> QImage:
    """Paint the picture of a page; can be called in any thread.

    Parameters
    ----------
    name : str
        Name of the page.
    size : (int, int)
        Width and height, px.
    theme : Theme
    scale : float
        Factor on lines, marks and text.
    """
    with _one_at_a_time:
        solved = frames(name)
    planes, image = scenes()[name], QImage(*size, QImage.Format.Format_RGB32)
    image.fill(QColor(theme.plane))
    gap = round(GAP * scale)
    width = max(1, (size[0] - gap * (len(planes) - 1)) // len(planes))
    captions = [plane.words(_lane(frame)) for plane, frame in zip(planes, solved, strict=True)]
    lines = 1 if all(_width(words, scale) <= FILL_SHARE * width for words in captions) else 2
    head = round(CAPTION_HEIGHT * scale) * lines
    height = max(1, size[1] - head)
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        for i, (plane, frame) in enumerate(zip(planes, solved, strict=True)):
            left = i * (width + gap)
            picture = Picture(
                frame,
                (width, height),
                theme,
                plane.options,
                scale=min(scale, width / LEGEND_WIDTH) if plane.options.legend else scale,
                axes=plane.axes,
            )
            painter.drawImage(left, head, picture.image())
            painter.setFont(_caption_font(captions[i], width * lines, scale))
            painter.setPen(QColor(theme.text))
            box = QRectF(left, 0.0, width, head)
            flags = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(box, flags, captions[i])
    return image


def _lane(frame: Frame) -> Lane:
    assert frame.lane is not None
    return frame.lane


def _width(words: str, scale: float) -> float:
    """Return the width of a caption in one line, px."""
    font = Style(scale=scale, vector=True).font(LABEL)
    return QFontMetricsF(font).horizontalAdvance(words)


def _caption_font(words: str, width: float, scale: float) -> QFont:
    """Return the font with which a caption fits; ``width`` is that of all its lines, px."""
    share = FILL_SHARE * width / max(_width(words, scale), 1.0)
    return Style(scale=scale, vector=True).font(max(MIN_CAPTION, LABEL * min(1.0, share)))

"""The settings of the export of runs, which come from the command line or a dialog.

Qt is not loaded.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from solvers import BadInput
from solvers.run.method import counted
from svmviz.export.declared import choice, export_setting, switch
from svmviz.export.figure_settings import FigureSettings
from svmviz.playback.player import GLIDE

# A movie can glide: frames between two steps show a mixture of both. Time for which each of these
# frames is shown, s.
GLIDE_FRAME = 0.04
# Number of frames between two steps of a movie that glides. The picture moves from step to step in
# the time ``GLIDE``; these frames divide it into ``GLIDE_FRAMES + 1`` equal parts.
GLIDE_FRAMES = round(GLIDE / GLIDE_FRAME) - 1
# GIF counts time in hundredths of a second, and programs show each frame for at least two of them.
MAX_GIF_FPS = 50.0
# Default width and height of a movie, px.
MOVIE_SIZE = (960, 720)
# Minimum and maximum of the steps per second; maximum time for the first and the last frame, s.
MIN_FPS, MAX_FPS, MAX_HOLD = 0.1, 60.0, 60.0


@dataclass(frozen=True)
class Steps:
    """A range of steps, both ends included.

    Attributes
    ----------
    first : int
    last : int or None
        None means the last step of the run.
    every : int
        Difference of two consecutive steps of the range.
    """

    first: int = 0
    last: int | None = None
    every: int = 1

    def __post_init__(self) -> None:
        if self.first < 0 or self.every < 1 or (self.last is not None and self.last < self.first):
            raise BadInput(f"{self} is no range of steps such as 0:100 or 0:100:5.")

    def __str__(self) -> str:
        last = "" if self.last is None else self.last
        return f"{self.first}:{last}" + (f":{self.every}" if self.every != 1 else "")

    def within(self, length: int) -> range:
        """Return the steps; raise BadInput if a run of ``length`` steps does not have them all."""
        last = length if self.last is None else self.last
        if max(self.first, last) > length:
            raise BadInput(
                f"The run has {counted(length, 'step')}, so the steps {self} are not all in it."
            )
        return range(self.first, last + 1, self.every)


@dataclass(frozen=True)
class RunSettings:
    """The settings of the export of a run; each format uses some of them.

    Attributes
    ----------
    steps : Steps
    step : int or None
        The step whose solution a table contains; None means the last step.
    picture : FigureSettings
        Size, colours and words of the frames of a movie.
    changes : bool
        Whether a movie leaves out frames without a visible change.
    fps : float
        Steps per second of a movie. Each step is one frame; ``glide`` adds frames between steps.
    hold : float
        Time for which the first and the last frame of a movie are shown, s.
    glide : bool
        Whether frames between two steps are requested. :attr:`glides` says whether there are any.
    table : str
        The contents of a table.
    code : str
        The contents of a script.
    """

    steps: Steps = Steps()
    step: int | None = None
    picture: FigureSettings = field(default_factory=FigureSettings)
    changes: bool = switch(
        False,
        "Only where the picture visibly changes",
        "movies: only frames that differ visibly from the one before",
    )
    fps: float = export_setting(
        8.0,
        "Steps per second",
        "movies: steps per second [8]",
        low=MIN_FPS,
        high=MAX_FPS,
        unit="steps per second",
        metavar="F",
        limits=f"a movie can have {MIN_FPS:g} to {MAX_FPS:g} frames per second",
    )
    hold: float = export_setting(
        1.5,
        "Time of the first and the last picture",
        "movies: how long the first and the last frame are shown [1.5]",
        high=MAX_HOLD,
        unit="s",
        metavar="SECONDS",
        limits=f"a frame can be held for 0 to {MAX_HOLD:g} s",
    )
    glide: bool = switch(
        False,
        f"Glide, at up to {1.0 / GLIDE:g} steps per second",
        "movies of at most 5 steps per second: the picture moves from step to step",
    )
    table: str = choice(
        "trace",
        "Contents",
        "what .csv contains [trace]\n"
        "trace: one row per step: objectives, gap, KKT violation, time, points moved\n"
        "solution: one row per point: α, β, slack, f",
        {"trace": "Trace, one row per step", "solution": "Solution, one row per point"},
    )
    code: str = choice(
        "sklearn",
        "Contents",
        "what .py and .ipynb contain [sklearn]\n"
        "sklearn: the model with scikit-learn, compared with our optimum\n"
        "solvers: the run with our own library, step by step",
        {"sklearn": "Model with scikit-learn", "solvers": "Run with the solvers of svmviz"},
    )

    @property
    def glides(self) -> bool:
        """Whether a movie has frames between two steps.

        It has such frames if ``glide`` requests them, and if a step lasts at least ``GLIDE``
        seconds.
        """
        return self.glide and self.fps * GLIDE <= 1.0

    def frames(self, steps: int) -> int:
        """Return the number of frames of a movie of ``steps`` steps.

        With ``changes``, frames may be left out, and this is the maximum.
        """
        return steps + (steps - 1) * GLIDE_FRAMES * self.glides

    def seconds(self, steps: int) -> float:
        """Return the duration of a movie of ``steps`` steps, s; with ``changes``, the maximum."""
        # Except at the ends of the movie, a step and the frames between it and the step before last
        # ``1 / fps`` together. The frames before the last step come in addition to its ``hold``.
        last_glide = GLIDE_FRAMES * GLIDE_FRAME * (self.glides and steps > 1)
        return min(steps, 2) * self.hold + max(0, steps - 2) / self.fps + last_glide

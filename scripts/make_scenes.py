"""Write the example scenes into assets/scenes.

Usage: python scripts/make_scenes.py
"""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np

from solvers import (
    RBF,
    SMO,
    EditDistance,
    Hulls,
    Linear,
    Perceptron,
    Quadratic,
    Spectrum,
    Subgradient,
)
from solvers.data.datasets import DATASETS, PointSet, eight_points
from solvers.data.items import words_of
from solvers.data.point_files import readable_name
from solvers.data.regression_datasets import CURVES
from svmviz.document.document import Document, Penalty
from svmviz.document.held_out import Shares
from svmviz.document.ready_races import READY_RACES
from svmviz.document.source import Source
from svmviz.document.splitting import split, with_fresh_test
from svmviz.document.user_line import LineParts, UserLine
from svmviz.io.open_and_save import open_file, save
from svmviz.io.scene import Scene

# Numbers of these scenes are compared with a calculation by hand: at the default tolerance the
# eight points would end at alpha .5001, .2499 and .2502. All but the races take at most a hundred
# steps.
EXACT, CLOSE = SMO(tol=1e-8), SMO(tol=1e-5)
ASSETS = Path(__file__).parent.parent / "assets"


def read_penguins() -> PointSet:
    """Return bill depth in mm and body mass in units of 200 g, which have about the same range."""
    table = open_file(ASSETS / "penguins.csv")
    assert isinstance(table, PointSet)
    names = readable_name(table.axis_names[0]), "body mass (× 200 g)"
    # Divided, not multiplied by 0.005: 3750 g is then exactly 18.75.
    return PointSet(table.points / np.array([1.0, 200.0]), table.labels, table.class_names, names)


def three_species() -> Document:
    """Return bill length and depth in mm of three species of penguins."""
    table = open_file(ASSETS / "three-penguins.csv")
    assert isinstance(table, PointSet)
    first, second = map(readable_name, table.axis_names)
    return Document(replace(table, axis_names=(first, second)), RBF(gamma=0.05), Penalty("C", 1.0))


def two_clouds() -> Document:
    """Return 40 points with a wide street between the classes and three support vectors."""
    source = Source("blobs", 0.5, 5)
    return Document(source.draw(40), Linear(), Penalty("C", 10.0), source=source)


def ten_mistakes() -> Document:
    """Return 20 points at which the perceptron makes ten mistakes in its four sweeps."""
    cloud = DATASETS["gaussians"].generate(20, 0.5, 22)
    return Document(cloud, Linear(), Penalty("C", 1.0), methods=(Perceptron(),))


def six_points() -> PointSet:
    """Return points whose nearest two, (-1.5, 1) and (0, -1), are 2.5 apart.

    The nearest points of the hulls are (0, 1) and (0, -1): an edge is nearer than its ends.
    """
    points = [(-1.5, 1.0), (2.5, 1.0), (0.5, 3.0), (0.0, -1.0), (-2.0, -2.5), (2.0, -3.0)]
    return PointSet(np.array(points), np.array([1, 1, 1, -1, -1, -1]))


def three_points() -> PointSet:
    """Return two points of class +1 and one of class -1, whose dual is a triangle."""
    points = [(0.5, 1.5), (2.0, 1.0), (0.0, -0.5)]
    return PointSet(np.array(points), np.array([1, 1, -1]))


def endings() -> PointSet:
    """Return 30 words of 15 stems: who does something, -er, and what is done, -ing."""
    stems = "sing ring walk talk look read lead paint teach bak danc writ runn swimm play".split()
    words = [stem + ending for stem in stems for ending in ("er", "ing")]
    labels = np.tile([-1, 1], len(stems))
    return PointSet(np.zeros((30, 2)), labels, ("who", "what"), items=words_of(words))


def misspellings() -> PointSet:
    """Return 24 spellings of two words that are pronounced alike: colonel and kernel."""
    colonels = (
        "colonel colonell colonels colonal colonle conolel colonol kolonel colonil coloned clonel "
        "colonelz"
    ).split()
    kernels = (
        "kernel kernell kernels kernal kernle krenel kernol kirnel kernil kerned kernl kernelz"
    ).split()
    labels = np.repeat([-1, 1], 12)
    names = "colonel", "kernel"
    return PointSet(np.zeros((24, 2)), labels, names, items=words_of([*colonels, *kernels]))


def tune_by_looking() -> Document:
    """Return moons with a test part of 15 points: at gamma 0.5 none is wrong, at 5 a third.

    At first 3 are wrong, and a smaller part of the training points. Of fresh points some are wrong
    at gamma 0.5, the choice by these 15, too.
    """
    source = Source("moons", 0.45, 3541)
    whole = Document(source.draw(60), RBF(gamma=0.1), Penalty("C", 10.0), source=source)
    return split(whole, Shares(validation=0.0, test=0.25))


def make_kernels() -> dict[str, Scene]:
    circles, C = DATASETS["circles"].generate(40, 0.15, 1), Penalty("C", 1.0)
    edits = Document(misspellings(), EditDistance(gamma=0.5), C, methods=(CLOSE,))
    return {
        "lifted-circles": Scene(Document(circles, Quadratic(), Penalty("C", 10.0)), speed=4.0),
        "words-spectrum": Scene(Document(endings(), Spectrum(p=2), C), speed=4.0),
        "words-edit": Scene(edits, speed=4.0),
    }


def make_races(cloud: PointSet) -> dict[str, Scene]:
    races = {race.name: race.methods for race in READY_RACES}
    few, more = (DATASETS["moons"].generate(n, 0.2, 1) for n in (60, 100))
    return {
        "race": Scene(Document(cloud, Linear(), Penalty("C", 0.5), methods=races["race"]), step=20),
        "race-starts": Scene(
            Document(cloud, Linear(), Penalty("C", 0.5), methods=races["race-starts"]), step=1
        ),
        "race-pairs": Scene(
            Document(few, RBF(gamma=1.0), Penalty("C", 10.0), methods=races["race-pairs"]), step=20
        ),
        "race-whole": Scene(
            Document(few, RBF(gamma=1.0), Penalty("C", 10.0), methods=races["race-whole"]), step=5
        ),
        "race-shrinking": Scene(
            Document(
                more,
                RBF(gamma=1.0),
                Penalty("C", 1.0),
                bias="augmented",
                methods=races["race-shrinking"],
            ),
            step=500,
        ),
    }


def choose_a_model() -> Document:
    """Return moons of which no test point was seen, with a line, which does not fit them."""
    source = Source("moons", 0.3, 4)
    whole = Document(source.draw(160), Linear(), Penalty("C", 0.1), source=source)
    return with_fresh_test(split(whole, Shares(validation=0.25, test=0.125)), None)


def make_scenes() -> dict[str, Scene]:
    penguins = read_penguins()
    moons = DATASETS["moons"].generate(120, 0.2, 1)
    gaussians = DATASETS["gaussians"].generate
    cloud, apart = gaussians(60, 0.8, 0), gaussians(40, 0.35, 3)
    hard = Penalty("C", math.inf)
    sine = CURVES["noisy_sine"].generate(40, 0.2, 1)
    smooth = Document(sine, RBF(gamma=1.0), Penalty("C", 1.0), methods=(CLOSE,))
    tube = replace(smooth, task="regression", epsilon=0.2)
    eyeballed, guessed = UserLine((-1.25, 1.0), -2.0), UserLine((1.0, 0.4), 0.3)
    descent = Subgradient(begin="against", rate="root", max_steps=60)
    pair = UserLine((0.2, 1.0), 0.0, LineParts(pair=True))
    two_moons = Document(moons, RBF(gamma=1.0), Penalty("C", 10.0), methods=(CLOSE,))
    return {
        "two-clouds": Scene(two_clouds(), speed=5.0),
        "perceptron": Scene(ten_mistakes(), step=0, speed=4.0),
        "demo": Scene(Document(penguins, RBF(gamma=0.05), Penalty("C", 1.0)), speed=6.0),
        "penguins": Scene(
            Document(penguins, Linear(), Penalty("C", 1.0), methods=(CLOSE,)), speed=4.0
        ),
        "three-penguins": Scene(three_species(), speed=6.0),
        "two-moons": Scene(two_moons, speed=12.0),
        "paired-test": Scene(two_moons, speed=12.0),
        "eight-points": Scene(
            Document(eight_points(), Linear(), hard, methods=(EXACT,)), speed=0.5
        ),
        "noisy-sine": Scene(tube, speed=8.0),
        "own-line": Scene(
            Document(penguins, Linear(), hard, methods=(CLOSE,), user_line=eyeballed), speed=4.0
        ),
        "nearest-pair": Scene(
            Document(six_points(), Linear(), hard, methods=(EXACT,), user_line=pair), speed=1.0
        ),
        "losses": Scene(
            Document(cloud, Linear(), Penalty("C", 0.5), methods=(CLOSE,), user_line=guessed),
            speed=4.0,
        ),
        "budget": Scene(Document(cloud, Linear(), Penalty("C", 0.5), methods=(CLOSE,)), speed=8.0),
        "sub-gradients": Scene(
            Document(cloud, Linear(), Penalty("C", 0.5), methods=(descent,)), step=0, speed=2.0
        ),
        "difference-set": Scene(
            Document(apart, Linear(), hard, methods=(Hulls(initial="means", criterion="delta"),)),
            step=0,
            speed=3.0,
        ),
        "three-points": Scene(
            Document(three_points(), Linear(), Penalty("C", 1.0), methods=(CLOSE,)),
            step=0,
            speed=1.0,
        ),
        **make_kernels(),
        "model-choice": Scene(choose_a_model(), speed=20.0),
        "human-overfitting": Scene(tune_by_looking(), speed=20.0),
        **make_races(cloud),
    }


if __name__ == "__main__":
    for name, scene in make_scenes().items():
        save(ASSETS / "scenes" / f"{name}.svmviz", scene)

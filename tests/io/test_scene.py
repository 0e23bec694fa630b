"""Scene files keep everything, and every mistake is reported with file and key."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers import KERNELS, METHODS, BadInput
from solvers.data.coordinates import MAX_COORDINATE
from solvers.data.datasets import PointSet, eight_points
from solvers.problem.problem import BIASES
from solvers.settings import settings_of
from svmviz.document.document import SCALINGS, Document, Penalty
from svmviz.document.held_out import HeldOut, Shares
from svmviz.document.pen import Stroke
from svmviz.document.source import Source
from svmviz.document.splitting import with_parts
from svmviz.document.step_marks import StepMarks
from svmviz.document.view_options import PROBABILITY, ViewOptions
from svmviz.io import scene_parts
from svmviz.io.scene import KEYS, LATER_LAYERS, Scene, read_scene, write_scene

FINITE = st.floats(allow_nan=False, allow_infinity=False)
COORDINATES = st.floats(-MAX_COORDINATE, MAX_COORDINATE)
POSITIVE = st.floats(min_value=0, exclude_min=True, allow_nan=False)
NAMES = st.tuples(st.text(), st.text()).filter(
    lambda pair: all(name.split() for name in pair) and pair[0].split() != pair[1].split()
)


def values_of(name, spec):
    """Any value that a setting may have."""
    if spec.scale == "switch":
        return st.booleans()
    if spec.scale == "text":
        # Both as a kernel and as a formula.
        return st.sampled_from(["1", "2.5*3 - 1", "exp(1)^2"])
    if spec.scale == "choice":
        return st.sampled_from([key for key, _ in spec.choices])
    low = None if math.isinf(spec.hard_low) else spec.hard_low
    high = None if math.isinf(spec.hard_high) else spec.hard_high
    if spec.scale == "integer":
        return st.integers(int(low or 0), int(high or 10**9))
    return st.floats(low, high, exclude_min=spec.open_low, allow_nan=False, allow_infinity=False)


@st.composite
def checked(draw, owner):
    """An instance with any settings it allows."""
    return owner(**{name: draw(values_of(name, spec)) for name, spec in settings_of(owner).items()})


@st.composite
def point_sets(draw):
    points = draw(st.lists(st.tuples(COORDINATES, COORDINATES), max_size=20))
    labels = draw(st.lists(st.sampled_from([-1, 1]), min_size=len(points), max_size=len(points)))
    return PointSet(np.array(points).reshape(-1, 2), np.array(labels), draw(NAMES), draw(NAMES))


@st.composite
def documents(draw):
    lam = st.one_of(st.just(0.0), POSITIVE.filter(math.isfinite))
    document = Document(
        data=draw(point_sets()),
        kernel=draw(st.sampled_from(list(KERNELS.values())).flatmap(checked)),
        penalty=draw(
            st.one_of(
                st.builds(Penalty, st.just("C"), POSITIVE),
                st.builds(Penalty, st.just("lambda"), lam),
            )
        ),
        bias=draw(st.sampled_from(list(BIASES))),
        methods=tuple(
            draw(
                st.lists(
                    st.sampled_from(list(METHODS.values())).flatmap(checked), min_size=1, max_size=3
                )
            )
        ),
        scaling=draw(st.sampled_from(list(SCALINGS))),
    )
    return draw(splits(document))


@st.composite
def splits(draw, document):
    """The document with each of its points in any part."""
    parts = draw(st.lists(st.sampled_from([0, 1, 2]), min_size=document.n, max_size=document.n))
    shares = st.builds(
        Shares,
        *[st.floats(0, 1, exclude_max=True)] * 2,
        st.integers(0, 10**12),
        st.booleans(),
    )
    sources = st.builds(Source, st.just("moons"), st.floats(0, 9), st.integers(0, 99))
    risks = st.none() | st.floats(0, allow_infinity=False)
    begun = HeldOut.empty(
        document.data,
        shares=draw(shares),
        seen=draw(st.booleans()),
        used=draw(st.booleans()),
        at_opening=draw(risks),
        tuned=draw(risks),
    )
    drawn = with_parts(document, document.data, np.array(parts, dtype=np.int8), begun)
    return replace(drawn, source=draw(st.none() | sources))


@st.composite
def scenes(draw):
    left, right = sorted(draw(st.lists(FINITE, min_size=2, max_size=2, unique=True)))
    bottom, top = sorted(draw(st.lists(FINITE, min_size=2, max_size=2, unique=True)))
    return Scene(
        document=draw(documents()),
        options=draw(checked(ViewOptions)),
        step=draw(st.none() | st.integers(0, 10**12)),
        window=draw(st.none() | st.just((left, right, bottom, top))),
        speed=draw(st.none() | POSITIVE),
    )


@given(scenes())
def test_nothing_is_lost(scene):
    text = write_scene(scene)
    again = read_scene(text)
    assert again == scene
    # Equal numbers may differ in their bits (0.0 and -0.0): the text shows them.
    assert write_scene(again) == text


@given(scenes())
def test_files_are_strict_json(scene):
    def refuse(word):
        raise AssertionError(f"{word} is not JSON")

    parsed = json.loads(write_scene(scene), parse_constant=refuse)
    # What only a regression or a split has is only there for one, so that older programs read the
    # others.
    held_out, source = scene.document.held_out, scene.document.source
    rare = ("words", "gram", "names", "task", "epsilon", "line", "machines", "machine", "strokes")
    rare += ("loop", "bookmarks", "lanes", "class_weights")
    rare += () if held_out or source else ("split",)
    assert list(parsed) == [key for key in KEYS if key not in rare]
    is_newer = scene.options.hulls == "half-planes" or (held_out and held_out.used)
    version = 4 if is_newer else 3 if held_out else 1
    has_later_layer = any(getattr(scene.options, layer) for layer in LATER_LAYERS)
    has_later_layer |= scene.options.shading == PROBABILITY
    assert parsed["svmviz"] == (5 if has_later_layer or (source and not held_out) else version)


def test_a_scene_without_a_split_keeps_the_generator_of_its_points():
    document = Document(eight_points(), source=Source("moons", 0.25, 3))
    text = write_scene(Scene(document))
    assert read_scene(text).document == document
    unsplit = json.loads(write_scene(Scene(replace(document, source=None))))
    assert "split" not in unsplit
    with pytest.raises(BadInput, match="holds out no points"):
        read_scene(json.dumps({**unsplit, "svmviz": 3, "split": {"validation": [], "test": []}}))


def test_strokes_of_the_pen_are_read_again_and_bad_ones_named():
    strokes = (Stroke("green", ((0.1, -2.5), (3.0, 1e-9))), Stroke("violet", ((1.0, 2.0),)))
    scene = Scene(Document(eight_points()), ViewOptions(strokes=strokes))
    text = write_scene(scene)
    assert read_scene(text) == scene
    with pytest.raises(BadInput, match=r'"strokes\[1\]" cannot be read: a stroke begins'):
        read_scene(text.replace("violet", "red"))


def test_loop_and_bookmarks_are_read_again_and_bad_ones_named():
    marks = StepMarks((3, 17), ((5, "clipped"), (9, "the last mistake")))
    text = write_scene(Scene(Document(eight_points()), marks=marks))
    assert read_scene(text).marks == marks
    scene = json.loads(text)
    for key, value, words in (
        ("loop", [17, 3], '"loop" must begin before'),
        ("loop", [1], '"loop" must be two steps'),
        ("loop", [1, 2.5], r'"loop\[1\]" must be a whole number'),
        ("bookmarks", [[5, ""]], r'"bookmarks\[0\]" must have a name'),
        ("bookmarks", [[5, "a"], [5, "b"]], r'"bookmarks\[1\]" must have a name, and a step'),
        ("bookmarks", [[-1, "a"]], "must be a whole number"),
        ("bookmarks", [[k, "a"] for k in range(101)], "at most 100 bookmarks"),
    ):
        with pytest.raises(BadInput, match=words) as refusal:
            read_scene(json.dumps({**scene, key: value}))
        assert "\n" not in str(refusal.value)


def test_half_a_surrogate_pair_survives():
    data = PointSet(np.zeros((1, 2)), np.array([1]), ("\ud83d", "b"))
    text = write_scene(Scene(Document(data)))
    assert read_scene(text.encode().decode()).document.data == data


def test_a_scene_by_hand_needs_only_points_and_labels():
    scene = read_scene('{"svmviz": 1, "points": [[0, 1], [2, 3]], "labels": [1, -1]}')
    assert scene == Scene(Document(PointSet(np.array([[0, 1], [2, 3]]), np.array([1, -1]))))


def test_the_hard_margin_is_a_string():
    document = Document(eight_points(), penalty=Penalty("C", math.inf))
    parsed = json.loads(write_scene(Scene(document)))
    assert parsed["penalty"] == {"kind": "C", "value": "inf"}


GOOD = {"svmviz": 1, "points": [[0, 1], [2, 3]], "labels": [1, -1]}


def changed(**members):
    return json.dumps({**GOOD, **members})


def refusal(text):
    with pytest.raises(BadInput) as caught:
        read_scene(text, "a.svmviz")
    return str(caught.value)


@pytest.mark.parametrize(
    ("members", "sentence"),
    [
        ({"krnel": 1}, '"krnel" is not known; did you mean "kernel"?'),
        (
            {"kernel": {"name": "rbf", "gama": 1}},
            '"kernel.gama" is not known; did you mean "gamma"?',
        ),
        ({"kernel": {"name": "linear", "q": 1}}, '"kernel.q" is not known; there is "name".'),
        ({"kernel": {"name": "rfb"}}, '"kernel.name" cannot be "rfb"; did you mean "rbf"?'),
        ({"kernel": {}}, '"kernel.name" is missing.'),
        ({"kernel": "rbf"}, '"kernel" must be an object, { ... }: got "rbf".'),
        ({"kernel": {"name": ["rbf"]}}, '"kernel.name" must be text in quotes: got a list of 1.'),
        ({"kernel": {"name": "rbf", "gamma": -1}}, '"kernel.gamma" must be above 0: got -1.'),
        ({"kernel": {"name": "rbf", "gamma": "1"}}, "\"kernel.gamma\" must be a number: got '1'."),
        ({"kernel": {"name": "rbf", "gamma": math.nan}}, '"kernel.gamma" must be finite: got nan.'),
        (
            {"kernel": {"name": "polynomial", "degree": 2.5}},
            '"kernel.degree" must be a whole number: got 2.5.',
        ),
        ({"penalty": {"kind": "C"}}, '"penalty.value" is missing.'),
        (
            {"penalty": {"kind": "C", "value": math.inf}},
            '"penalty.value" must be a finite number or "inf": got Infinity.',
        ),
        ({"penalty": {"kind": "C", "value": 0}}, '"penalty.value" must be above 0: got 0.'),
        (
            {"penalty": {"kind": "lambda", "value": -1}},
            '"penalty.value" must be finite and at least 0: got -1.',
        ),
        (
            {"penalty": {"kind": "lambda", "value": "inf"}},
            '"penalty.value" must be a finite number: got "inf".',
        ),
        ({"penalty": {"kind": "c", "value": 1}}, '"penalty.kind" cannot be "c"; did you mean "C"?'),
        ({"bias": "fre"}, '"bias" cannot be "fre"; did you mean "free"?'),
        ({"scaling": None}, '"scaling" must be text in quotes: got null.'),
        ({"solvers": []}, '"solvers" must name at least one solver.'),
        ({"solvers": {"name": "smo"}}, '"solvers" must be a list, [ ... ]: got an object.'),
        (
            {"solvers": [{"name": "smo"}, {"name": "smo", "tol": 2}]},
            '"solvers[1].tol" must be at least 1e-12 and at most 1: got 2.',
        ),
        ({"view": {"feild": True}}, '"view.feild" is not known; did you mean "field"?'),
        ({"view": {"field": 1}}, '"view.field" must be true or false: got 1.'),
        ({"view": None}, '"view" must be an object, { ... }: got null.'),
        ({"step": -1}, '"step" must be a whole number, 0 or more: got -1.'),
        ({"step": 0.5}, '"step" must be a whole number, 0 or more: got 0.5.'),
        ({"speed": 0}, '"speed" must be above 0: got 0.'),
        (
            {"window": [0, 1, 2]},
            '"window" must be four numbers, [left, right, bottom, top]: got a list of 3.',
        ),
        ({"window": [1, 0, 0, 1]}, '"window" must have left below right and bottom below top.'),
        ({"points": [[0, 1], [2]]}, '"points[1]" must be two numbers, [x, y]: got a list of 1.'),
        ({"points": [[0, 1], [2, "3"]]}, '"points[1][1]" must be a finite number: got "3".'),
        ({"points": [[0, True], [2, 3]]}, '"points[0][1]" must be a finite number: got true.'),
        (
            {"points": [[0, -math.inf], [2, 3]]},
            '"points[0][1]" must be a finite number: got -Infinity.',
        ),
        ({"points": 3}, '"points" must be a list, [ ... ]: got 3.'),
        ({"labels": [1]}, '"labels" must be a list of 2 labels, one per point: got a list of 1.'),
        ({"labels": [1, 0]}, '"labels[1]" must be -1 or 1: got 0.'),
        ({"class_names": ["a"]}, '"class_names" must be two names: got a list of 1.'),
        ({"class_names": ["a ", " a"]}, '"class_names" must be two different names.'),
        ({"axis_names": ["x", 2]}, '"axis_names[1]" must be text in quotes: got 2.'),
        ({"svmviz": 7}, '"svmviz" is 7: made by a newer program; this one knows up to 6.'),
        ({"split": {"test": []}}, '"split.validation" is missing.'),
        ({"split": {"validation": [], "test": []}}, '"split" holds out no points.'),
        (
            {"split": {"validation": [1], "test": [1]}},
            '"split.test" names a point that another part has too.',
        ),
        ({"split": {"validation": [], "test": [1, 1]}}, '"split.test" names a point twice.'),
        (
            {"split": {"validation": [], "test": [2]}},
            '"split.test[0]" must be below 2, the number of points: got 2.',
        ),
        (
            {"split": {"validation": [], "test": [1], "seen": 1}},
            '"split.seen" must be true or false: got 1.',
        ),
        (
            {"split": {"validation": [], "test": [1], "shares": {"test": 1}}},
            '"split.shares.test" must be from 0 to below 1: got 1.',
        ),
        (
            {"split": {"validation": [], "test": [1], "source": {"name": "moon"}}},
            '"split.source.noise" is missing.',
        ),
        ({"svmviz": 0}, '"svmviz" must be from 1 to 6: got 0.'),
        ({"svmviz": "1"}, '"svmviz" must be a whole number, 0 or more: got "1".'),
    ],
)
def test_mistakes_are_reported_with_their_key(members, sentence):
    assert refusal(changed(**members)) == f"a.svmviz: {sentence}"


@pytest.mark.parametrize("key", ["svmviz", "points", "labels"])
def test_missing_keys(key):
    rest = {name: value for name, value in GOOD.items() if name != key}
    assert f'a.svmviz: "{key}" is missing' in refusal(json.dumps(rest))


def test_the_version_is_checked_before_unknown_keys():
    assert "newer program" in refusal(changed(svmviz=7, dimensions=3))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "line 1, column 1: this is not JSON"),
        ('{"svmviz": 1,\n}', "this is not JSON"),
        ("[1]", "must be a scene"),
        ("[" * 100_000, "nested too deeply"),
        (
            '{"svmviz": 1, "points": [], "labels": [], "step": 1, "step": 2}',
            '"step" is there twice.',
        ),
        (
            '{"svmviz": 1, "points": [], "labels": [], "kernel": {"name": "rbf", "name": "rbf"}}',
            '"kernel.name" is there twice.',
        ),
        (
            '{"svmviz": 1, "points": [[1, %s]], "labels": [1]}' % ("9" * 5000),
            '"points[0][1]" must be a finite number',
        ),
    ],
)
def test_broken_text(text, sentence):
    assert sentence in refusal(text)


def test_too_many_points(monkeypatch):
    monkeypatch.setattr(scene_parts, "MAX_POINTS", 1)
    assert '"points" has 2 points; at most 1' in refusal(changed())


def test_far_too_many_points_are_refused_before_any_is_read():
    text = '{"points": [' + "[0, 0]," * 1_010_000 + '[0, 0]], "labels": []}'
    shares = []
    with pytest.raises(BadInput, match=r"^a: there are more than 1,010,000 lists; each point is"):
        read_scene(text, "a", shares.append)
    assert shares == []


def test_every_refusal_is_one_short_sentence():
    sentence = refusal(changed(**{"k" * 10_000: "v" * 10_000}))
    assert "\n" not in sentence
    assert len(sentence) < 400


@pytest.mark.parametrize(
    "wrong",
    [{"step": -1}, {"window": (1, 0, 0, 1)}, {"window": (0, math.inf, 0, 1)}, {"speed": 0}],
)
def test_a_scene_is_checked_when_it_is_made(wrong):
    with pytest.raises(BadInput):
        Scene(Document(), **wrong)


def test_the_tube_is_kept_while_classes_are_separated():
    scene = Scene(Document(epsilon=0.2))
    assert read_scene(write_scene(scene)) == scene
    assert json.loads(write_scene(scene))["svmviz"] == 2

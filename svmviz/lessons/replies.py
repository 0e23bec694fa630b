"""Verdicts on answers to the question of a beat, and the replies to wrong answers."""

from __future__ import annotations

from collections.abc import Sequence

from solvers.run.beats import BeatQuestion, Candidates
from svmviz.base.words import listed
from svmviz.base.words import number as number_text
from svmviz.lessons.answers import ChoiceKey, NumberKey, PointKey, is_right, right_points

# Maximum number of tied points that are named.
MAX_NAMED = 5
# The answer to a question: numbers, points, or the position of a choice.
Answer = Sequence[float] | Sequence[int] | int


def key_of(question: BeatQuestion) -> NumberKey | ChoiceKey | PointKey:
    """Return the key of a question."""
    if question.numbers:
        return NumberKey(question.numbers, question.slack)
    if question.choices:
        return ChoiceKey(frozenset({question.right}))
    return PointKey(tuple(map(right_points, question.candidates)))


def accepts(question: BeatQuestion, answer: Answer) -> bool:
    """Return whether an answer is right; any of several points that tie is right."""
    return key_of(question).accepts(answer)  # type: ignore[arg-type]


def answer_in_words(question: BeatQuestion) -> str:
    """Return the right answer."""
    if question.numbers:
        pairs = zip(question.labels, question.numbers, strict=True)
        return ", ".join(
            f"{label} = {number_text(x)}" if label else number_text(x) for label, x in pairs
        )
    if question.choices:
        return question.choices[question.right]
    return ", ".join(_points(group) for group in question.candidates)


def wrong_numbers(question: BeatQuestion, answer: Answer) -> list[int]:
    """Return the positions of the wrong numbers; none if the answer is not numbers."""
    if isinstance(answer, int) or not question.numbers:
        return []
    return NumberKey(question.numbers, question.slack).misses(answer)


def reply_to(question: BeatQuestion, answer: Answer) -> str:
    """Return the reply to a wrong answer, with the comparison that the answer fails."""
    if question.numbers:
        assert not isinstance(answer, int)
        return _reply_to_numbers(question, tuple(answer))
    if question.choices:
        return f"No. {question.missed}".strip()
    assert not isinstance(answer, int)
    return " ".join(
        filter(None, (_reply_to_points(question, tuple(map(int, answer))), question.missed))
    )


def _reply_to_numbers(question: BeatQuestion, answer: tuple[float, ...]) -> str:
    misses = wrong_numbers(question, answer)
    for number, sentence in question.slips:
        if any(is_right(answer[k], number) for k in misses):
            return f"No. {sentence}"
    if len(answer) == 1 or len(misses) == len(answer):
        return f"No. {question.missed}".strip()
    wrong = " and ".join(question.labels[k] for k in misses)
    return (
        f"Not yet: {wrong} {'is' if len(misses) == 1 else 'are'} wrong. {question.missed}".strip()
    )


def _reply_to_points(question: BeatQuestion, answer: tuple[int, ...]) -> str:
    """Return a sentence on the first wrong point."""
    keys = [right_points(group) for group in question.candidates]
    for point in answer:
        if any(point in right for right in keys):
            continue
        groups = [group for group in question.candidates if point in group.points]
        if not groups:
            names = " or ".join(group.name for group in question.candidates if group.name)
            return f"No: point {point + 1} is not one of those that {names}." if names else "No."
        return f"No. {_comparison(groups[0], point)}"
    # Each of the points is right, but not all of them together.
    return "No: these points do not go together."


def _comparison(group: Candidates, point: int) -> str:
    values = [value for k, value in zip(group.points, group.values, strict=True) if k == point]
    own = (min if group.extreme == "smallest" else max)(values)
    texts = number_text(own), number_text(group.best)
    return (
        f"Point {point + 1} has {group.quantity} = {texts[0]}; the {group.extreme} is {texts[1]}."
    )


def _points(group: Candidates) -> str:
    """Return the right points in words."""
    numbers = [str(point + 1) for point in sorted(right_points(group))]
    if len(numbers) > MAX_NAMED:
        numbers = [*numbers[: MAX_NAMED - 1], f"{len(numbers) - MAX_NAMED + 1} more"]
    return f"point {listed(numbers, 'or')}"

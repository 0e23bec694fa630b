"""The answers given in a lesson and the times they took, as text."""

from __future__ import annotations

from collections.abc import Mapping

from svmviz.lessons import hand_in
from svmviz.lessons.lessons import Lesson
from svmviz.stage.open_lesson import GIVEN_UP, RIGHT, Record


def answers_as_text(lesson: Lesson, records: Mapping[tuple[int, int], Record]) -> str:
    """Return a line for each card of a lesson and each of its tasks.

    Parameters
    ----------
    lesson : Lesson
    records : mapping of (int, int) to Record
        By index of the card and of the task; tasks that were not reached may be missing.
    """
    known = _with_all_tasks(lesson, records)
    right = sum(record.result == RIGHT for record in known.values())
    first = sum(record.result == RIGHT and not record.wrong for record in known.values())
    seconds = sum(record.seconds for record in known.values())
    lines = [
        f"{lesson.title}: {right} of {len(known)} right, {first} at first try, "
        f"{duration(seconds)} in all."
    ]
    for card_index, card in enumerate(lesson.cards):
        lines.append(f"{card_index + 1}. {card.title}")
        for task_index, task in enumerate(card.tasks):
            lines.append(f"   {task.ask} {_result(known[card_index, task_index])}")
    return "\n".join(lines)


def line_to_hand_in(
    student: str, lesson: Lesson, records: Mapping[tuple[int, int], Record], day: str
) -> str:
    """Return the line of `svmviz.lessons.hand_in` on what was done in a lesson."""
    results = {RIGHT: hand_in.RIGHT, GIVEN_UP: hand_in.GIVEN_UP}
    marks = [
        hand_in.Mark(results.get(record.result, hand_in.OPEN), record.wrong, round(record.seconds))
        for record in _with_all_tasks(lesson, records).values()
    ]
    return hand_in.line_of(student, lesson, marks, day)


def _with_all_tasks(
    lesson: Lesson, records: Mapping[tuple[int, int], Record]
) -> dict[tuple[int, int], Record]:
    """Return the records of all tasks of a lesson, in their order."""
    return {
        (card_index, task_index): records.get((card_index, task_index), Record())
        for card_index, card in enumerate(lesson.cards)
        for task_index in range(len(card.tasks))
    }


def duration(seconds: float) -> str:
    """Return a time, such as ``2 min 5 s``."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def _result(record: Record) -> str:
    if not record.result:
        return "Not done." if not record.wrong else f"Not done; {record.wrong} wrong."
    word = "Right" if record.result == RIGHT else "Looked at"
    wrong = f" after {record.wrong} wrong" if record.wrong else ""
    return f"{word}{wrong}, {duration(record.seconds)}."

"""The decision at one place, in a sentence: the votes, and the rule that decides."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solvers.problem.machines import Decision, Machine
from svmviz.base.words import listed

NUMERALS = "no", "one", "two", "three", "four", "five", "six"


def tally_sentence(machines: Sequence[Machine], decision: Decision, names: Sequence[str]) -> str:
    """Return how the first place of a decision is decided, and LIBSVM's rule where it differs."""
    if all(name.isdecimal() for name in names):
        # Otherwise a name reads as a number of votes.
        names = [f"class {name}" for name in names]
    sentence = _sentence(machines, decision, names)
    return sentence[0].upper() + sentence[1:] if sentence.startswith("class ") else sentence


def _sentence(machines: Sequence[Machine], decision: Decision, names: Sequence[str]) -> str:
    votes = decision.votes[0]
    most, decided = int(votes.max()), names[int(decision.classes[0])]
    first = np.flatnonzero(votes == most).tolist()
    if len(first) == 1:
        second = int(np.delete(votes, first).max())
        runner_up = numeral(second) if second else "none"
        return f"{decided} has {counted_votes(most)}, the most; the next has {runner_up}."
    is_rest = all(machine.is_against_rest for machine in machines)
    rule = "largest f" if is_rest else "sum of f"
    if is_rest and most == len(machines) - 1 and len(first) == len(votes):
        tie = f"Every machine says “the rest”, so all classes have {counted_votes(most)} each"
    else:
        tie = f"{listed([names[k] for k in first])} have {counted_votes(most)} each"
    sentence = f"{tie}; the {rule} says {decided}."
    other = int(decision.first_classes[0])
    if other != int(decision.classes[0]):
        sentence += f" LIBSVM would say {names[other]}, the first of them."
    return sentence


def numeral(count: int) -> str:
    """Return a number in words up to six, then in digits."""
    return NUMERALS[count] if count < len(NUMERALS) else str(count)


def counted_votes(count: int) -> str:
    """Return ``"one vote"`` or ``"two votes"``."""
    return f"{numeral(count)} vote" if count == 1 else f"{numeral(count)} votes"

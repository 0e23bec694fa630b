"""The results of a campaign, and the distribution of its cases over processes."""

from __future__ import annotations

import functools
import multiprocessing
import sys
import time
import traceback
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field

MAX_SHOWN = 10
# Cases per task of a process.
CHUNK = 50
# Room for two lists of ten quoted names; a single quoted value takes some 60.
MAX_SENTENCE = 900
# Control characters, format characters such as bidirectional overrides, surrogates, separators.
INVISIBLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}


@dataclass
class Summary:
    """The results of a campaign.

    Attributes
    ----------
    name : str
    tried : int
    failures : list of str
        Each says how to reproduce it.
    figures : dict
        Other numbers worth a line, by their names.
    """

    name: str
    tried: int = 0
    failures: list[str] = field(default_factory=list)
    figures: dict[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        lines = [f"{self.name}: tried {self.tried:,}, failed {len(self.failures):,}"]
        lines += [f"  {name}: {value}" for name, value in self.figures.items()]
        lines += [f"  {failure}" for failure in self.failures[:MAX_SHOWN]]
        if len(self.failures) > MAX_SHOWN:
            lines.append(f"  ... and {len(self.failures) - MAX_SHOWN:,} more")
        return "\n".join(lines)


@dataclass(frozen=True)
class Outcome:
    """The result of one case.

    Attributes
    ----------
    kind : str
        Such as "read" or "refused"; counted in the summary.
    fault : str
        What is wrong; empty if nothing is.
    seconds : float
        CPU time of the case.
    """

    kind: str
    fault: str = ""
    seconds: float = 0.0


Check = Callable[[int, int], tuple[str, str]]


def run_cases(name: str, check: Check, seed: int, count: int, processes: int = 1) -> Summary:
    """Check the cases ``(seed, 0)`` to ``(seed, count - 1)``.

    Parameters
    ----------
    name : str
        Of the campaign's module in this folder.
    check : callable(seed, number) -> (kind, fault)
        At the top level of a module, so that other processes find it.
    seed, count, processes : int
    """
    one = functools.partial(_check_one, check, seed)
    if processes == 1:
        outcomes = [one(number) for number in range(count)]
    else:
        with multiprocessing.get_context("spawn").Pool(processes) as pool:
            outcomes = pool.map(one, range(count), CHUNK)
    summary = Summary(name, count)
    for number, outcome in enumerate(outcomes):
        summary.figures[outcome.kind] = int(str(summary.figures.get(outcome.kind, 0))) + 1
        if outcome.fault:
            again = f"python -m tests.campaigns.{name} {seed} {number}"
            summary.failures.append(f"{again}\n    {outcome.fault}")
    slowest = max(range(count), key=lambda number: outcomes[number].seconds)
    summary.figures["slowest"] = f"{outcomes[slowest].seconds:.2f} s of CPU time, case {slowest}"
    return summary


def _check_one(check: Check, seed: int, number: int) -> Outcome:
    began = time.process_time()
    try:
        kind, fault = check(seed, number)
    except Exception:
        kind, fault = "raised", traceback.format_exc(limit=-4).replace("\n", "\n    ")
    return Outcome(kind, fault, time.process_time() - began)


def find_fault(sentence: str) -> str:
    """What is wrong with a sentence that refuses something; empty if nothing is."""
    hidden = {char for char in sentence if unicodedata.category(char) in INVISIBLE}
    if hidden:
        return f"raw control characters {sorted(hidden)!r} in {sentence[:200]!r}"
    if len(sentence) > MAX_SENTENCE:
        return f"a sentence of {len(sentence):,} characters: {sentence[:200]!r}"
    if not sentence.strip():
        return "an empty sentence"
    return ""


def run_or_show(run: Callable[..., Summary], show: Callable[[int, int], None]) -> None:
    """Run a campaign from the command line; given a seed and a number, show that one case."""
    given = [int(word) for word in sys.argv[1:]]
    if len(given) > 1:
        show(*given[:2])
    else:
        print(run(*given))

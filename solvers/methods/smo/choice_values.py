"""Named values of the choice of a pair by SMO, from the states around its step.

E is the error ``f - y``; in a regression ``y - eps`` replaces y for alpha*, and ``y + eps``
replaces it for alpha.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solvers.methods.smo.steps import TAU
from solvers.methods.smo.words import (
    compared_group,
    labelled,
    notes_of,
    point_name,
    points_of,
    points_of_each,
    short_name,
    variable_noun,
)
from solvers.problem.kkt import may_fall, may_rise
from solvers.problem.problem import Problem
from solvers.rounding import NOISE
from solvers.run.beats import (
    MAX_NOTES,
    Candidates,
    ComparedPoints,
    candidates,
    short,
    short_distinct,
)
from solvers.run.formulas import NEGLIGIBLE, without_rounding
from solvers.run.method import counted

# Maximum number of tied variables that a sentence names.
MAX_NAMED = 3
# The *gain* of a partner is twice the predicted rise of the dual (see `gains`). A gain counts as
# equal to the largest gain if it is smaller by at most this fraction, because kernel values are
# rounded.
EQUAL_GAIN = 1e-9
# For each task, the conditions under which a variable beta may rise, and may fall, and its error.
# beta is alpha y in a classification, and alpha* or -alpha in a regression.
RISES = {"classification": "class +1: α < C, class −1: α > 0", "regression": "α* < C, or α > 0"}
FALLS = {"classification": "class +1: α > 0, class −1: α < C", "regression": "α* > 0, or α < C"}
ERRORS = {
    "classification": "E = f − y",
    "regression": "E (f − y + ε for an α*, f − y − ε for an α)",
}


class ChoiceByErrors:
    """The choice of a pair (i, j) by the errors E of the variables ``candidates``.

    ``set_name`` is the name of the set of the candidates in sentences; empty if they are all
    variables. As in the pseudo-code, m is here the variable with the largest E among those that may
    fall; of several, the first one. In other modules, m is a number: the largest F of the variables
    that may rise.
    """

    def __init__(
        self,
        problem: Problem,
        F: np.ndarray,
        beta: np.ndarray,
        move: dict[str, Any],
        candidates: np.ndarray,
        set_name: str,
        is_second_order: bool,
    ) -> None:
        self._problem, self._F, self._is_second_order = problem, F, is_second_order
        self._n_candidates, self._of_set = len(candidates), f" of {set_name}" if set_name else ""
        self._rise = move["rise"] if move["cut_short"] else None
        self._i, self._j, self._E_i = move["i"], move["j"], move["E_i"]
        self._rising = candidates[may_rise(problem, beta)[candidates]]
        self._falling = candidates[may_fall(problem, beta)[candidates]]
        # The largest E belongs to the smallest F, because E = b - F.
        self._m = int(self._falling[np.argmin(F[self._falling])])
        # Differences of E up to this size are not shown.
        self._negligible = NEGLIGIBLE * abs(move["violation"])
        gain = gains(problem, self._i, self._falling, F)
        # A partner with an E of at most E_i has no gain; the gain of j is never set to 0.
        difference = F[self._i] - F[self._falling]
        has_gain = (difference > self._negligible) | (self._falling == self._j)
        self._gain = np.where(has_gain, gain, 0.0)

    def values(self) -> dict[str, Any]:
        """Return the values of the beats on the choice, and of the sentence of the step."""
        problem, i, j, m = self._problem, self._i, self._j, self._m
        smallest_E, rise_notes = self._error_notes(self._rising, -self._F[self._rising], i)
        # The note on i comes first, and is not repeated if i may also fall.
        falling = self._falling[(self._falling != i) | (self._falling == m)]
        largest_E, fall_notes = self._error_notes(falling, self._F[falling], m)
        own_note = [] if m == i else [(i, labelled(problem, i, f"E = {short(self._E_i)}"))]
        return {
            **self._reason(),
            "rising_variables": self._counted(self._rising),
            "falling_variables": self._counted(self._falling),
            "rises_if": RISES[problem.task],
            "falls_if": FALLS[problem.task],
            "E_is": ERRORS[problem.task],
            "of_pairs": f" of all pairs{self._of_set}" if self._of_set else "",
            "smallest_E": smallest_E,
            "largest_E": largest_E,
            "name_i": point_name(problem, i),
            "name_m": point_name(problem, m),
            "short_i": short_name(problem, i),
            "short_j": short_name(problem, j),
            "short_m": short_name(problem, m),
            "tied_i": self._ties_of_E(i, self._rising, self._negligible),
            "tied_m": self._ties_of_E(m, self._falling, self._negligible),
            "i_points": points_of(problem, [i]),
            "m_points": points_of(problem, [i, m]),
            "rising": points_of(problem, self._rising),
            "falling": points_of(problem, self._falling),
            "rise_notes": notes_of(problem, rise_notes),
            "fall_notes": notes_of(problem, [*own_note, *fall_notes]),
            **self._candidates(),
            "rise_groups": self._groups(self._i, None),
            "fall_groups": self._groups(self._i, m),
            "second_order": self._is_second_order,
            **(self._partners() if self._is_second_order else self._most_violating()),
        }

    def _reason(self) -> dict[str, Any]:
        """Return the subject of the sentence, and why the step took its pair."""
        problem, i, j = self._problem, self._i, self._j
        partner, names = point_name(problem, j), (problem.point_of(k) + 1 for k in (i, j))
        what = f"has the largest E of those that may fall{self._ties_of_E(j, self._falling)}"
        # If the move of the pair with the largest gain is so small that rounding cancels it, the
        # step moves the maximal violating pair instead.
        gain = gains(problem, i, self._falling, self._F)
        largest = gain >= gain.max() * (1.0 - EQUAL_GAIN)
        if self._is_second_order and j in self._falling[largest]:
            ties = tie_clause(problem, j, self._falling[largest], gain[largest])
            what = f"of those that may fall, {partner} promises the largest rise of the dual{ties}"
        else:
            what = f"{partner} {what}"
        variables = "αy" if problem.task == "classification" else "sα"
        variables += self._of_set
        first = point_name(problem, i).replace("point", "Point", problem.task == "classification")
        ties = self._ties_of_E(i, self._rising)
        return {
            "subject": "Points {} and {}".format(*names),
            "reason": f"{first} has the smallest E of the {variables} that may rise{ties}; {what}",
        }

    def _counted(self, variables: np.ndarray) -> str:
        """Return the number of compared variables, as points or, in a regression, as variables."""
        n = len(variables)
        if self._problem.task == "classification":
            return f"αy of {counted(n, 'point')}{self._of_set}"
        return f"sα of {n:,} of the {counted(self._n_candidates, 'variable')}{self._of_set}"

    def _E(self, k: int) -> float:
        """Return E of variable k before the step; 0 if it is only rounding error."""
        terms = (self._E_i, float(self._F[self._i] - self._F[k]))
        E = without_rounding(sum(terms), terms)
        return 0.0 if abs(E) <= self._negligible else E

    def _error_notes(
        self, variables: np.ndarray, values: np.ndarray, first: int
    ) -> tuple[str, list[tuple[int, str]]]:
        """Return E of ``first`` as text, and notes such as ``E = -1`` on some variables.

        These are ``first``, and the variables with the smallest ``values``.
        """
        order = variables[np.argsort(values, kind="stable")][:MAX_NOTES].tolist()
        shown = [first, *(k for k in order if k != first)][:MAX_NOTES]
        texts = short_distinct([self._E(k) for k in shown])
        pairs = zip(shown, texts, strict=True)
        return texts[0], [(k, labelled(self._problem, k, f"E = {text}")) for k, text in pairs]

    def _ties_of_E(self, k: int, among: np.ndarray, negligible: float = 0.0) -> str:
        """Return :func:`tie_clause` for the variables of ``among`` whose E is equal to E of k.

        Two E count as equal if they differ by at most ``negligible``, or by rounding error.
        """
        F = self._F
        rounding = 4.0 * NOISE * (1.0 + np.abs(F[k]))
        tied = among[np.abs(F[among] - F[k]) <= max(rounding, negligible)]
        return tie_clause(self._problem, k, tied, F[tied])

    def _candidates(self) -> dict[str, Any]:
        """Return the candidates for each choice; None if the method does not make it."""
        problem, gain = self._problem, self._gain
        E = self._E_i + self._F[self._i] - self._F
        found = pair_candidates(problem, (self._i, self._m), (self._rising, self._falling), E)
        if not self._is_second_order:
            return found | {"gain_choice": None}
        is_largest = self._j in self._falling[gain >= gain.max() * (1.0 - EQUAL_GAIN)]
        partners = partner_candidates(problem, self._falling, 0.5 * gain, self._j)
        return found | {"pair_choice": None, "gain_choice": partners if is_largest else None}

    def _group(
        self, name: str, among: np.ndarray, selected: int | None = None, rises: Any = ()
    ) -> ComparedPoints:
        errors = self._E_i + self._F[self._i] - self._F[among]
        return compared_group(self._problem, name, among, errors, selected, rises)

    def _groups(self, i: int, j: int | None) -> list[ComparedPoints]:
        """Return the groups of the variables that may rise, and of those that may fall."""
        return [
            self._group("may rise", self._rising, i),
            self._group("may fall", self._falling, j),
        ]

    def _partners(self) -> dict[str, Any]:
        """Return the values on the partners of i, and on why j is the one that moves."""
        problem, i, j, gain = self._problem, self._i, self._j, self._gain
        partners, rises = self._falling[gain > 0.0], 0.5 * gain
        has_top = (curvatures(problem, i, partners) > 0.0).all()
        largest = gain >= gain.max() * (1.0 - EQUAL_GAIN)
        is_largest, next_rise = j in self._falling[largest], rises[~largest].max(initial=0.0)
        texts = short_distinct((float(rises[self._falling == j][0]), float(next_rise)))
        order = np.argsort(-gain, kind="stable")
        order = order[gain[order] > 0.0][:MAX_NOTES]
        shown = short_distinct(rises[order].tolist())
        pairs = zip(self._falling[order].tolist(), shown, strict=True)
        texts_of_rises = [(k, labelled(problem, k, f"D rises by {text}")) for k, text in pairs]
        notes = notes_of(problem, texts_of_rises)
        groups = {
            selected: [
                self._group("i", np.array([i]), i),
                self._group("may fall", partners, selected, rises[gain > 0.0].tolist()),
            ]
            for selected in (None, j)
        }
        name = point_name(problem, j)
        noun, n_partners = variable_noun(problem), len(partners)
        each = f"each of {counted(n_partners, noun)}" if n_partners > 1 else f"the only {noun}"
        verb = "may fall and have" if n_partners > 1 else "may fall and has"
        return {
            "n_partners": n_partners,
            "partner_variables": f"{each}{self._of_set} that {verb} a larger E",
            "tau": None if has_top else TAU,
            "partners": points_of(problem, partners),
            "gain_notes": notes,
            "why_notes": notes,
            "partner_groups": groups[None],
            "why_groups": groups[j],
            "largest_gain_j": name if is_largest else None,
            "largest_rise": texts[0],
            "next_rise": texts[1] if next_rise else None,
            "allowed_rise": self._rise,
            "tied_j": tie_clause(problem, j, self._falling[largest], gain[largest]),
            "fallback_j": None if is_largest else name,
            "second_j": short_name(problem, j) if is_largest else None,
            "first_j": None,
        }

    def _most_violating(self) -> dict[str, Any]:
        """Return the values on a pair that violates optimality most."""
        problem = self._problem
        pair = [(k, labelled(problem, k, f"E = {short(self._E(k))}")) for k in (self._i, self._j)]
        return {
            **dict.fromkeys(("largest_gain_j", "largest_rise", "tied_j", "fallback_j", "second_j")),
            "partners": [],
            "why_notes": notes_of(problem, pair),
            "why_groups": self._groups(self._i, self._j),
            "first_j": short_name(self._problem, self._j),
        }


def gains(problem: Problem, i: int, partners: np.ndarray, F: np.ndarray) -> np.ndarray:
    """Return the gain of each partner j in ``partners``, in the same order.

    The gain is ``(F_i - F_j)^2 / eta_ij``, twice the predicted rise of the dual; it is 0 if
    ``F_j > F_i``. TAU replaces an eta that is not above 0.
    """
    eta = curvatures(problem, i, partners)
    # For equal points eta is TAU; if their F differ much, the division overflows.
    with np.errstate(over="ignore"):
        return np.maximum(F[i] - F[partners], 0.0) ** 2 / np.where(eta > 0.0, eta, TAU)


def curvatures(problem: Problem, i: int, partners: np.ndarray) -> np.ndarray:
    """Return ``eta_ij = K_ii + K_jj - 2 K_ij`` of each partner j in ``partners``."""
    X, diagonal = problem.dual_form.X, problem.dual_form.diagonal
    K = problem.used_kernel(X[i : i + 1], X[partners])[0]
    return diagonal[i] + diagonal[partners] - 2.0 * K


def tie_clause(problem: Problem, k: int, tied: np.ndarray, values: np.ndarray) -> str:
    """Return a clause that names the variables tied with k and says what broke the tie.

    ``tied`` has the tied variables in the order in which the method compares them. The method takes
    the first of equal ones, or the last if it breaks ties as LIBSVM does. ``values`` are the values
    by which they were compared. The clause is empty if no variable except k is tied.
    """
    others = tied[tied != k]
    if len(others) == 0:
        return ""
    rule = "rounding decides"
    if (values == values[0]).all() and k in (tied[0], tied[-1]):
        rule = _tie_rule(problem, tied, is_first=k == tied[0])
    names = [short_name(problem, other) for other in others[:MAX_NAMED].tolist()]
    more = f" and {len(others) - MAX_NAMED} more" if len(others) > MAX_NAMED else ""
    return f" (tied with {', '.join(names)}{more}; {rule})"


def _tie_rule(problem: Problem, tied: np.ndarray, is_first: bool) -> str:
    """Return the rule that decides among equal variables: by order in the set, or by number."""
    if (np.diff(tied) < 0).any():
        return f"the {'first' if is_first else 'last'} one in the set goes first"
    if problem.task == "regression" and tied[0] < problem.n <= tied[-1]:
        return f"{'α* goes' if is_first else 'α goes'} before {'α' if is_first else 'α*'}"
    return f"the {'lower' if is_first else 'higher'} number goes first"


def pair_candidates(
    problem: Problem, pair: tuple[int, int], among: tuple[np.ndarray, np.ndarray], E: np.ndarray
) -> dict[str, Any]:
    """Return the candidates for each variable of a maximal violating pair, and for both.

    One is the variable with the smallest E of those that may rise. The other is the variable with
    the largest E of those that may fall.

    Parameters
    ----------
    pair : tuple of int
        The variables that were taken: one that may rise, and one that may fall.
    among : tuple of two int arrays
        The variables that may rise, and those that may fall.
    E : array, shape (n_variables,)
    """
    choices = {
        f"{name}_choice": candidates(
            points_of_each(problem, variables),
            E[variables],
            int(np.flatnonzero(variables == taken)[0]),
            name=f"may {name}",
            quantity="E",
            extreme=extreme,
        )
        for name, extreme, taken, variables in zip(
            ("rise", "fall"), ("smallest", "largest"), pair, among, strict=True
        )
    }
    return {**choices, "pair_choice": tuple(choices.values())}


def partner_candidates(
    problem: Problem, falling: np.ndarray, rises: np.ndarray, taken: int
) -> Candidates:
    """Return the candidates for the partner with the largest predicted rise of the dual."""
    return candidates(
        points_of_each(problem, falling),
        rises,
        int(np.flatnonzero(falling == taken)[0]),
        name="may fall",
        quantity="rise of D",
        extreme="largest",
    )

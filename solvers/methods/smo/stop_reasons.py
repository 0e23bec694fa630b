"""The reason and the sentence for each code with which a run of SMO ends.

The working-set method uses the same codes and sentences.
"""

from __future__ import annotations

from solvers.geometry.hard_margin import (
    COINCIDENT_END,
    INSEPARABLE_END,
    NO_HARD_MARGIN,
    UNBOUNDED_END,
)
from solvers.methods.smo import random_pair
from solvers.methods.smo.state import (
    COINCIDENT,
    GAVE_UP,
    INDEFINITE_OPTIMUM,
    INDEFINITE_RAY,
    INSEPARABLE,
    OPTIMAL,
    STALLED,
    UNBOUNDED,
)
from solvers.problem.problem import Problem
from solvers.run.method import Reason

# See `found_indefinite`.
INDEFINITE_CODES = {OPTIMAL: INDEFINITE_OPTIMUM, UNBOUNDED: INDEFINITE_RAY}
# For each code, the reason and the template of the sentence.
STOPS = {
    OPTIMAL: (Reason.CONVERGED, "Converged {taken}: no KKT violation exceeds {tol:g}."),
    INDEFINITE_OPTIMUM: (
        Reason.CONVERGED,
        "Converged {taken}: no KKT violation exceeds {tol:g}; but the kernel is not positive"
        " semi-definite here, so a better optimum may exist.",
    ),
    STALLED: (
        Reason.STALLED,
        "Stopped {taken}: the worst pair violates by {violation:.2g} and moves by less than"
        " {least}, so the tolerance {tol:g} is out of reach.",
    ),
    GAVE_UP: (
        Reason.STALLED,
        "Stopped {taken}: in "
        + f"{random_pair.MAX_IDLE_SWEEPS} sweeps no pair moved, though point "
        + "{worst} violates its KKT condition by {broken:.2g}; with random partners a run need not"
        " reach an optimum.",
    ),
    UNBOUNDED: UNBOUNDED_END,
    INDEFINITE_RAY: (
        Reason.STALLED,
        "Stopped {taken}: the kernel is not positive semi-definite here, and α grows without"
        " bound, " + NO_HARD_MARGIN,
    ),
    COINCIDENT: COINCIDENT_END,
    INSEPARABLE: INSEPARABLE_END,
}


def found_indefinite(code: int, is_indefinite: bool, problem: Problem) -> int:
    """Return the code of the end of a run that found K not positive semi-definite.

    It found ``K_ii + K_jj - 2 K_ij < 0``, or ``beta' K beta < 0``. If the dual is concave up to
    rounding, that was rounding, and the code stays.
    """
    if is_indefinite and code in INDEFINITE_CODES and not problem.is_concave:
        return INDEFINITE_CODES[code]
    return code

"""Why a run of SMO ended: the reason and the sentence behind each code.

The working-set method ends for the same reasons, in the same words.
"""

from __future__ import annotations

from solvers.geometry.hard_margin import (
    COINCIDENT_END,
    ENDLESS_END,
    INSEPARABLE_END,
    NO_HARD_MARGIN,
)
from solvers.methods.smo import random_pair
from solvers.methods.smo.state import (
    COINCIDENT,
    IDLE,
    INDEFINITE_OPTIMUM,
    INDEFINITE_RAY,
    INSEPARABLE,
    OPTIMAL,
    STUCK,
    UNBOUNDED,
)
from solvers.run.method import Reason

# What an end is called where a negative curvature was met.
BENT = {OPTIMAL: INDEFINITE_OPTIMUM, UNBOUNDED: INDEFINITE_RAY}
ENDS = {
    OPTIMAL: (Reason.CONVERGED, "Converged {taken}: no pair violates by more than {tol:g}."),
    INDEFINITE_OPTIMUM: (
        Reason.CONVERGED,
        "Converged {taken}: no pair violates by more than {tol:g}; but the kernel is not positive"
        " semi-definite here, so a better optimum may exist.",
    ),
    STUCK: (
        Reason.STALLED,
        "Stopped {taken}: the worst pair violates by {violation:.2g} and moves by less than"
        " {least}, so the tolerance {tol:g} is out of reach.",
    ),
    IDLE: (
        Reason.STALLED,
        "Stopped {taken}: in "
        + f"{random_pair.MOST_IDLE} sweeps no pair moved, though point "
        + "{worst} breaks its condition by {broken:.2g}; random partners promise no optimum.",
    ),
    UNBOUNDED: ENDLESS_END,
    INDEFINITE_RAY: (
        Reason.STALLED,
        "Stopped {taken}: the kernel is not positive semi-definite here, and α grows without end, "
        + NO_HARD_MARGIN,
    ),
    COINCIDENT: COINCIDENT_END,
    INSEPARABLE: INSEPARABLE_END,
}

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
from solvers.run.method import Reason

# If the scalar ``indefinite`` of the state is 1, each key is replaced by its value: the run found
# that the kernel matrix is not positive semi-definite.
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

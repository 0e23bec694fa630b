"""The slips of the lecture notes: what a formula reads there, what is right, and why.

A student has the note in hand, so each slip is named on the pages of the help where its formula is
met. ``docs/notes.md`` has all of them in one table.
"""

from __future__ import annotations

from dataclasses import dataclass

NOTES = {
    "A": "the slides on SVMs (A)",
    "B": "the slides on SVMs and kernels (B)",
    "C": "the chapter on hulls (C)",
    "D": "the short chapter (D)",
    "E": "the slides with derivations (E)",
}


@dataclass(frozen=True)
class Slip:
    """One slip of the notes.

    Attributes
    ----------
    notes : str
        Keys of NOTES: the notes that have it; empty if it is met in several.
    pages : tuple of str
        Pages of the help that concern it.
    printed : str
        What it reads there, as the object of "has".
    right : str
        What is right.
    reason : str
        A clause that can follow "because".
    """

    notes: str
    pages: tuple[str, ...]
    printed: str
    right: str
    reason: str

    @property
    def sentence(self) -> str:
        """Return the slip in words: the note, its formula, what is right, and why."""
        where = " and ".join(NOTES[note] for note in self.notes) or "some notes"
        where, has = where[0].upper() + where[1:], "has" if self.is_of_a_chapter else "have"
        return f"{where} {has} {self.printed}. Right: {self.right}, because {self.reason}."

    @property
    def is_of_a_chapter(self) -> bool:
        """Return whether one note has it that is a chapter, not slides."""
        return self.notes in ("C", "D")


def slips_of(page: str) -> tuple[str, ...]:
    """Return the sentences on the slips that concern a page of the help."""
    return tuple(slip.sentence for slip in SLIPS if page in slip.pages)


SLIPS = (
    Slip(
        "D",
        ("concept:margin", "panel:line"),
        "the margin of a set as the largest margin of its points",
        "the smallest",
        "the nearest point decides how far all points may move",
    ),
    Slip(
        "E",
        ("concept:margin", "panel:line"),
        "y f(x) ≥ 0 as the condition that a line separates",
        "y f(x) > 0",
        "w = 0 with b = 0 would satisfy ≥ 0 for any points",
    ),
    Slip(
        "D",
        ("method:perceptron", "derivation:perceptron"),
        "R / γ² as the bound on the mistakes (γ is ρ here)",
        "(R / γ)²",
        "M γ ≤ √M R is to be squared as a whole; R / γ² changes with the unit of x, and M does not",
    ),
    Slip(
        "B",
        ("concept:slack", "panel:loss"),
        "λ = C/2 between ½‖w‖² + C Σ ξ and Σ ξ + (λ/2) ‖w‖²",
        "λ = 1/C, and 1/(C n) if the mean of ξ takes the place of the sum",
        "the first form divided by C is ‖w‖²/(2C) + Σ ξ",
    ),
    Slip(
        "B",
        ("method:coordinate-ascent",),
        "w moved by the step δ before it is clipped",
        "by the change of α after it is clipped to 0 and C",
        "w = Σ α y x must stay true",
    ),
    Slip(
        "B",
        ("panel:folds",),
        "a sum from 1 to n in the risk of k folds",
        "from 1 to k, divided by k",
        "there is one risk for each of the k parts",
    ),
    Slip(
        "B",
        ("kernel:polynomial",),
        "“any d > 0” for the degree of (c + ⟨x, z⟩)ᵈ",
        "d = 1, 2, 3, …",
        "with d = 1.5 some K have a negative eigenvalue, and a negative base has no value",
    ),
    Slip(
        "E",
        ("kernel:composed",),
        "c k as a kernel for any c",
        "for c > 0",
        "a negative c turns the sign of every eigenvalue of K",
    ),
    Slip(
        "E",
        ("method:smo", "panel:pair", "derivation:pair"),
        "η with the other sign, 2 Kᵢⱼ − Kᵢᵢ − Kⱼⱼ",
        "αⱼ + yⱼ (Eᵢ − Eⱼ) / η with η = Kᵢᵢ + Kⱼⱼ − 2 Kᵢⱼ; with the other sign of η it is αⱼ − …",
        "η here is a squared distance, at least 0, and a step with the wrong sign lowers D",
    ),
    Slip(
        "E",
        ("panel:quadratic-program",),
        "q = +1 for the solver that minimises ½ αᵀP α + qᵀα",
        "q = −1, and for a soft margin rows of G and h for α ≤ C too",
        "minimising −D is maximising D; with q = +1 the answer is α = 0",
    ),
    Slip(
        "E",
        ("panel:quadratic-program",),
        "O(D) as the cost of a quadratic program of D variables",
        "about D³",
        "each iteration of a general solver factors a matrix with D rows",
    ),
    Slip(
        "DE",
        ("concept:support-vector", "derivation:bias"),
        "b = y − ⟨w, x⟩ for any point with α > 0",
        "for a point with 0 < α < C",
        "a point with α = C may lie inside the margin, where y f(x) < 1",
    ),
    Slip(
        "A",
        ("method:pegasos",),
        "w(t) = θ(t) / (λ t)",
        "w(t + 1) = θ(t + 1) / (λ t), one index apart",
        "step t adds a point to θ, and its step size is 1 / (λ t)",
    ),
    Slip(
        "C",
        ("method:hulls", "panel:hulls"),
        "λ⁺ in the second line of the update of a pair of weights (τ here)",
        "λ⁻, and p and q change after every pair",
        "the pair has one point of each class, and both sums must stay equal",
    ),
    Slip(
        "C",
        ("method:hulls",),
        "p as the sum p(λ⁺), and a stop at max δ",
        "p(λ⁺) / Σ λ⁺, and the largest |δ|",
        "the sums move during the run, and a large step may be negative",
    ),
    Slip(
        "C",
        ("method:hulls", "panel:hulls"),
        "the smallest C (μ here) as what one looks for in reduced hulls",
        "the largest one at which they are apart",
        "lowering the cap shrinks the hulls: what is apart at a cap is apart at every smaller one",
    ),
    Slip(
        "C",
        ("panel:line",),
        "w = (1.25, −1) with Gentoo on its positive side, and the values 1.998 and 2.003",
        "Adelie is on the positive side, and the two values are not those of the penguins here",
        "1.25 · depth − mass is larger for deep bills and light birds",
    ),
    Slip(
        "",
        ("panel:line",),
        "b / ‖w‖ as the distance of the line from the origin",
        "|b| / ‖w‖",
        "a distance is not negative, and b may be",
    ),
    Slip(
        "",
        ("concept:support-vector",),
        "the margin as the distance between support vectors",
        "1/‖w‖, half the distance of the lines f = 1 and f = −1",
        "two support vectors may lie far apart along these lines",
    ),
    Slip(
        "",
        ("panel:difference-set", "panel:hulls"),
        "the nearest two points of the classes as those that set the width of the street",
        "the nearest points of their hulls, 2/‖w‖ apart",
        "these may lie between points, and are often nearer than any two points",
    ),
    Slip(
        "",
        ("concept:alpha", "panel:quadratic-program"),
        "the dual with ½ and α ≤ C beside ‖w‖² + C Σ ξ without ½",
        "α ≤ C/2",
        "that is twice ½‖w‖² + (C/2) Σ ξ",
    ),
    Slip(
        "",
        ("method:pegasos", "method:coordinate-ascent"),
        "a component 1 in x in place of b, as if nothing else changed",
        "it is another problem, here called a regularised bias",
        "‖(w, b)‖² contains b², so b is pulled towards 0",
    ),
    Slip(
        "",
        ("method:coordinate-ascent",),
        "no step for a point with k(x, x) = 0",
        "α goes to C",
        "D is a line in this α then, and without a bias its slope is 1",
    ),
    Slip(
        "",
        ("method:smo",),
        "SMO with any second point as a method that converges",
        "the second must be chosen such that the pair gains, as the pair that violates most does",
        "two points with the same E gain nothing together, although others may violate KKT",
    ),
)

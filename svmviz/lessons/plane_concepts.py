"""The concepts of the help that pictures of a plane with handles explain."""

from __future__ import annotations

from svmviz.lessons.concept import Concept

VECTORS = Concept(
    "vectors",
    "Inner product and projection",
    ("inner product", "inner products", "projection"),
    (
        "The inner product ⟨v, w⟩ is the sum of the products of coordinates. Lengths and angles "
        "follow from it: the norm ‖v‖, the length of v, is √⟨v, v⟩, and the cosine of the angle θ "
        "is ⟨v, w⟩ divided by both norms. So ⟨v, w⟩ is 0 at a right angle, positive at a smaller "
        "one, and its size is at most ‖v‖ ‖w‖.",
        "The projection of w onto v is the point of the line through v that is nearest to w; what "
        "is left of w is at a right angle to v. It need not be shorter than v, and it points away "
        "from v if the inner product is below 0.",
        "The decision function is an inner product and a constant, f(x) = ⟨w, x⟩ + b: so f grows "
        "along w, and f(x) / ‖w‖ is the signed distance of x from the boundary. A kernel is an "
        "inner product in another space, so lengths, angles and projections exist there too.",
    ),
    (
        r"\langle v, w\rangle = v_1 w_1 + v_2 w_2 = \|v\|\, \|w\| \cos\theta",
        r"\text{proj}_v(w) = \frac{\langle v, w\rangle}{\|v\|^2}\, v, \quad "
        r"\|v\| = \sqrt{\langle v, v\rangle}",
    ),
    (
        ("v, w", "two vectors; drag their ends"),
        ("θ", "the angle between them"),
        ("f, x, b", "decision function, any point, bias; there w is the weight vector"),
    ),
)

COMPACT = Concept(
    "compact",
    "Compact sets, and why a nearest point exists",
    ("compact", "nearest points"),
    (
        "A set is closed if it contains its edge: each point that its points come arbitrarily near "
        "to is in it. It is bounded if it fits into a disc. A set of the plane that is both is "
        "compact, and a continuous function, such as the distance from p, has a smallest value on "
        "it. So some point q of the set is nearest to p. If the set is convex, there is only one: "
        "the middle of two would be nearer.",
        "The convex hull of finitely many points is closed and bounded. So the hulls of two "
        "classes have nearest points; if the hulls do not meet, the widest street lies between "
        "these. An open set, without its edge, may have no nearest point: the distances fall to a "
        "limit that none of them reaches. For one point p it is enough that the set is closed. Of "
        "two closed sets, one must also be bounded.",
    ),
    (r"\|p - q\| = \min_{z \in S}\ \|p - z\|",),
    (
        ("p", "a point; drag it"),
        ("S, z", "the set, and any point of it"),
        ("q", "its nearest point"),
        ("x, y", "coordinates in the picture of unbounded sets"),
    ),
)

VC_DIMENSION = Concept(
    "vc-dimension",
    "VC dimension of lines",
    ("VC dimension", "shatter", "shatters", "shattered"),
    (
        "A labeling gives each of n points the class +1 or −1; there are 2^n. Lines shatter the "
        "points if for each labeling some line has all points of +1 on one side and all others on "
        "the other. The VC dimension, after Vapnik and Chervonenkis, is the largest number of "
        "points that can be shattered. It is enough that some points of this number can.",
        "In the plane it is 3 for lines. Of four points, one lies in the triangle of the others, "
        "or two pairs are the diagonals of a quadrilateral: give these two groups different "
        "classes, and their hulls meet, so that no line separates them. In d coordinates it is "
        "d + 1.",
        "The formula counts the labelings that lines make of n points, of which no three are on a "
        "line: 2, 4, 8, 14 and 22 for n = 1 to 5. A small part of 2^n means that a fit without "
        "errors says something about new points: bounds on the error grow with the VC dimension. "
        "With the RBF kernel it is infinite, and what bounds the error is the margin.",
    ),
    (r"2 \sum_{i=0}^{2} \binom{n - 1}{i}",),
    (("n", "number of points"), ("d", "number of coordinates"), ("i", "index of the sum")),
)

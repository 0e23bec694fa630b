"""The concepts of the help: terms that its pages use, each with a page of its own."""

from __future__ import annotations

from svmviz.lessons.concept import ALPHA, LAM, XI, B, C, Concept, D, F, I, K, N, P, W, X, Y
from svmviz.lessons.plane_concepts import COMPACT, VC_DIMENSION, VECTORS

CONCEPTS = (
    Concept(
        "margin",
        "Margin, and why the widest",
        ("margin", "margins"),
        (
            "If the classes can be separated, many boundaries separate them. A support vector "
            "machine takes the boundary with the widest margin, 1/‖w‖: the distance from the "
            "boundary f = 0 to the nearest point. The band from f = −1 to f = +1 is twice as "
            "wide.",
            "A wide margin is useful because points are noisy: a point that moves by less than "
            "the margin stays on its side. There are also fewer ways to place a wide band, so "
            "random differences in the points move the band less. Bounds on the error for new "
            "points grow with ‖w‖². And there is only one widest margin, so the answer does not "
            "depend on the method.",
            "Two claims are often made: that few points are enough, and that support vector "
            "machines do well in practice. With a wide margin few may be enough: 10 of the 274 "
            "penguins, drawn at random, give a line (penalty 1) that errs for about 1 % of the "
            "others. But that depends on the data: the learning curve of the panel Risk shows it "
            "for yours. And no method is the best on all data: compare on points held out.",
        ),
        (
            r"\min_{w,\, b}\ \frac{1}{2}\|w\|^2 \quad \text{with} \quad y_i f(x_i) \geq 1",
            r"f(x) = \langle w, x\rangle + b",
        ),
        (X, Y, F, W, B, ("i", "number of a point")),
    ),
    Concept(
        "support-vector",
        "Support vector",
        ("support vector", "support vectors"),
        (
            "A support vector is a point with α > 0: only these points enter f. Without the "
            "others, which lie on the margin or outside it, the optimum would be the same.",
            "One ring means that α is free, 0 < α < C: at the optimum the point lies on the "
            "margin. Two rings mean α = C: the point lies on the margin, inside it or on the "
            "wrong side.",
        ),
        (r"f(x) = \sum_{\alpha_i > 0} \alpha_i y_i\, k(x_i, x) + b",),
        (
            ALPHA,
            C,
            F,
            X,
            Y,
            ("k", "kernel: how similar two points are"),
            B,
            ("i", "number of a point"),
        ),
    ),
    Concept(
        "slack",
        "Slack, C and λ",
        ("slack", "ξ"),
        (
            "The slack ξ of a point is the amount by which y f(x) is below 1: 0 on or "
            "outside the margin, 1 on the boundary, above 1 if the point is "
            "misclassified. A bar on the point is as long as ξ, with a tick at 1.",
            "C is the price of slack. A small C accepts slack for a wide margin; a large C "
            "allows little, and the margin becomes narrow. λ is another form of the "
            "same penalty: a large λ is a small C. If n changes, the one of the two that is "
            "pinned stays, and the other one changes.",
            "Books write λ with and without ½, and the sum of slack or its mean. These are "
            "multiples of P, with the same w. The panel Loss has them with your numbers; the panel "
            "Budget has the form in which the sum of slack is at most M.",
        ),
        (
            r"P = \frac{1}{2}\|w\|^2 + C \sum_i \xi_i, \quad "
            r"\xi_i = \max\left(0,\ 1 - y_i f(x_i)\right)",
            r"\frac{\lambda}{2}\|w\|^2 + \frac{1}{n} \sum_i \xi_i = \frac{P}{C n}, \quad "
            r"\lambda = \frac{1}{C n}",
        ),
        (XI, C, LAM, N, P, X, Y, F, W, ("M", "budget of slack"), ("i", "number of a point")),
    ),
    Concept(
        "alpha",
        "α and the KKT conditions",
        ("KKT", "dual variable", "dual variables", "α"),
        (
            "Each point has a dual variable α, the weight of the point in f. Most methods here "
            "change α step by step.",
            "The conditions of Karush, Kuhn and Tucker link α to the place of the point. If "
            "they all hold, no step can improve the solution: it is optimal. The largest "
            "violation says by how much one point breaks its condition. It is 0 at the optimum, "
            "but it is no distance from it: it may grow while the solution gets better. How far P "
            "is from the optimum at most is the duality gap. The picture shows the optimum, with "
            "α beside each point whose α is not 0.",
        ),
        (
            r"\alpha_i = 0 \Rightarrow y_i f(x_i) \geq 1",
            r"0 < \alpha_i < C \Rightarrow y_i f(x_i) = 1",
            r"\alpha_i = C \Rightarrow y_i f(x_i) \leq 1",
        ),
        (ALPHA, C, P, X, Y, F, ("i", "number of a point")),
    ),
    Concept(
        "gap",
        "Duality gap and certificate",
        ("gap", "gaps", "duality gap", "certificate"),
        (
            "The primal P of any solution is at least the optimum, and the dual D of any "
            "feasible α is at most the optimum. So P exceeds the optimum by at most the gap P − D, "
            "although the optimum is not known: the gap is a certificate.",
            "At the optimum P = D. The picture shows three steps of one run; the last is the "
            "optimum, up to rounding and tolerance. The proof needs a K that is positive "
            "semi-definite on the points; with a free bias it is enough for α with the same sum in "
            "both classes. With any other K the gap proves nothing: P may be below D.",
        ),
        (
            r"P = \frac{1}{2}\|w\|^2 + C \sum_i \xi_i",
            r"D = \sum_i \alpha_i - \frac{1}{2} \sum_{i,j} \alpha_i \alpha_j y_i y_j K_{ij}"
            r"\ \leq\ P",
        ),
        (P, D, ALPHA, XI, C, W, K, Y, I),
    ),
    VECTORS,
    Concept(
        "convex",
        "Convex sets and functions",
        ("convex",),
        (
            "A set is convex if it contains the segment between any two of its points. A function "
            "is convex if each chord is nowhere below its curve, that is, if the set above the "
            "curve is convex; it is concave if −f is convex. Sums of convex functions are convex, "
            "and so are multiples by a factor s ≥ 0; so is the intersection of convex sets. The "
            "convex hull of points is the smallest convex set that contains "
            "them. It is also the intersection of all half-planes that contain them: View > Hulls, "
            "with half-planes, shows this for your points.",
            "The hinge is convex, and ½‖w‖² is too; so their sum P is. A convex function has no "
            "minimum but the lowest: whatever the start, methods that find one find the same P, "
            "and as ½‖w‖² is strictly convex, the same w. Run > Ready races > Two starts, one "
            "optimum shows it; the panel P along a line has chords over P for your points.",
        ),
        (
            r"f\left((1 - s)\, u + s\, v\right) \leq (1 - s)\, f(u) + s\, f(v), \quad "
            r"0 \leq s \leq 1",
        ),
        (
            ("f, u, v", "a function, and any two places"),
            ("s", "a number from 0 to 1: how far from u to v; as a factor, at least 0"),
            ("x, a, b", "a point or number; a vector, or numbers that are given"),
            ("A, c, r", "a matrix and numbers that are given"),
            ("z, t", "y f(x) of a point; how far along the line from w = 0"),
            P,
            W,
        ),
    ),
    COMPACT,
    Concept(
        "kernel",
        "Kernel",
        ("kernel", "kernels"),
        (
            "A kernel k(x, z) is the inner product of two points after a map φ into a space, "
            "often of more dimensions. A plane that separates the points in that space is a curved "
            "boundary in the space of x.",
            "Methods need only values of k, never φ itself. So φ may have infinitely many "
            "dimensions, as with the RBF kernel. Every positive semi-definite function is a "
            "kernel: all its matrices K have no negative eigenvalue (Mercer's condition).",
            "Values of k are also cheaper. For (1 + ⟨x, z⟩)² and d coordinates, φ has "
            "(d + 1)(d + 2)/2, so an inner product of φ takes Θ(d²) products, and k takes Θ(d): 6 "
            "and 3 for d = 2, 5,151 and 101 for d = 100. Usual are degrees Q up to 10, and γ "
            "between 0 and 1 if coordinates are about 1 in size.",
            "Points need no coordinates if k is known for all pairs: words with a kernel of "
            "strings, or any things with a given matrix K.",
        ),
        (
            r"k(x, z) = \langle \varphi(x), \varphi(z)\rangle",
            r"f(x) = \sum_i \alpha_i y_i\, k(x_i, x) + b",
        ),
        (
            K,
            ("x, z, xᵢ", "any two points; point number i"),
            ("φ", "map into the space of features"),
            ("d", "number of coordinates of a point"),
            ("Θ(d)", "in proportion to d, for large d; Θ(d²) in proportion to its square"),
            ("Q, γ", "degree of a polynomial kernel; factor of the distance in an RBF kernel"),
            F,
            ALPHA,
            Y,
            B,
            I,
        ),
    ),
    Concept(
        "fitting",
        "Overfitting and underfitting",
        ("overfitting", "underfitting", "overfits", "underfits", "overfit", "underfit"),
        (
            "A boundary that is too simple misses the shape of the classes: underfitting, with "
            "errors on the given points and on new ones. A boundary that follows every point has "
            "learned the noise: overfitting, with few errors on the given points and many on new "
            "ones.",
            "With the RBF kernel a larger γ lets f change over shorter distances, and a larger C "
            "lets single points bend the boundary. Good values lie between; points that were not "
            "used for fitting show which values are good. Few errors on the given points prove "
            "nothing; the VC dimension counts how many points a kind of boundary can fit whatever "
            "their classes.",
        ),
        (r"k(x, z) = \exp\left(-\gamma \|x - z\|^2\right)",),
        (
            ("γ", "how fast the kernel falls with the distance"),
            C,
            ("k", "kernel"),
            ("x, z", "any two points"),
            ("f", "decision function; f(x) ≥ 0 predicts the class +1, f(x) < 0 the class −1"),
        ),
    ),
    VC_DIMENSION,
    Concept(
        "test-part",
        "Training, validation and test part",
        ("test part", "validation part", "test points", "validation points", "test error"),
        (
            "The error on the points that a model was fitted to says little about new points. So "
            "some points are held out. Validation points are used to compare models, and test "
            "points to estimate the error of the chosen model. If nobody has looked at the test "
            "points before, the estimate is honest: right on average, but inexact with few test "
            "points.",
            "If the model is chosen by the test error, it fits the test points as training fits "
            "the training points: the test error falls, but the error on fresh points need not. "
            "Points that were seen stay seen, by the user or by an earlier model that was trained "
            "on them. Another draw from the same points does not help; fresh points of the same "
            "source help.",
            "File > Examples > Human overfitting shows it: open the drawer in the panel Split and "
            "raise γ until no test point is wrong. Then press “Fresh points”, and open the drawer "
            "again.",
        ),
        (
            r"R_T(f) = \frac{1}{|T|} \sum_{i \in T} \left[\, \hat{y}_i \neq y_i \,\right], \quad "
            r"\hat{y}_i = 1 \text{ if } f(x_i) \geq 0, \text{ otherwise } {-}1",
        ),
        (
            ("R", "risk: the fraction of points on the wrong side"),
            ("ŷᵢ", "the class that f predicts for point i"),
            ("T", "the part, such as all test points, and |T| their number"),
            F,
            X,
            Y,
            ("i", "number of a point"),
            ("γ", "how fast the RBF kernel falls with the distance"),
        ),
    ),
    Concept(
        "epsilon",
        "ε and its tube",
        ("tube", "ε"),
        (
            "In a regression f(x) approximates the targets y. Within the tube, from f − ε to "
            "f + ε, no error counts; beyond it the slack ξ counts, with the price C.",
            "The points inside the tube do not enter f; those on its edge or outside are the "
            "support vectors. A wide tube has few of them and a flat f; a narrow one "
            "follows the targets, and their noise. ε is in units of y.",
            "Kernel ridge regression has squares in place of the tube, with the same kernel and C: "
            "½‖w‖² + ½C Σ (y − f(x))². No error is free, so every point enters f, and a far one "
            "pulls harder. View > Layers > Kernel ridge draws it dashed beside the tube.",
        ),
        (
            r"\frac{1}{2}\|w\|^2 + C \sum_i \xi_i, \quad "
            r"\xi_i = \max\left(0,\ |y_i - f(x_i)| - \varepsilon\right)",
        ),
        (
            ("ε", "half the width of the tube, in units of y"),
            ("f, f(x)", "fitted curve, and its value at x"),
            ("x, xᵢ", "any place; the place of point i"),
            ("y, yᵢ", "target; that of point i"),
            XI,
            C,
            ("w, ‖w‖", "weights of f, and their length: the flatter f, the smaller"),
            ("i, Σ", "number of a point; sum over the points"),
        ),
    ),
    Concept(
        "legend",
        "The legend: what the marks mean",
        ("legend",),
        (
            "Discs are one class, squares the other. Strong colour means that f is far from 0; in "
            "the margin band, −1 ≤ f ≤ 1, the colour is weak; the boundary f = 0 is in the "
            "middle.",
            "One ring: support vector with 0 < α < C. Two rings: α = C. The area of the halo "
            "around a point grows with α. A bar on a point is its slack ξ, with a tick at "
            "ξ = 1. The numbers beside the marks count points.",
        ),
        (),
        (
            F,
            ALPHA,
            C,
            XI,
            ("x", "any point"),
            ("x₁, x₂", "coordinates of a point, on the axes"),
        ),
    ),
)

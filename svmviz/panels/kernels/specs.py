"""The descriptions of the panels on kernels and the feature space."""

from __future__ import annotations

from svmviz.base.lazy import later
from svmviz.panels.panel_spec import CLASSIFICATION_ONLY, PanelSpec, suits_every_document

KERNEL_PANELS = (
    PanelSpec(
        "kernel-matrix",
        "Kernel matrix",
        "The kernel of all pairs of points, sorted by class and within a class along its "
        "longest direction. The rows and columns of the points of this step are highlighted. "
        "Beside the matrix are its eigenvalues, from the largest, on a logarithmic scale. A "
        "positive semi-definite kernel has no negative eigenvalue, whatever the points "
        "(Mercer's condition). A negative eigenvalue, drawn in red, refutes the condition.",
        "right",
        later("panels.kernels.kernel_panel:KernelPanel"),
        suits_every_document,
        scrolls=True,
        formula=(
            r"K_{ij} = k(x_i, x_j), \quad K = K^\top",
            r"c^\top K c = \sum_{ij} c_i c_j K_{ij} \geq 0 \ \text{ for all } c",
        ),
    ),
    PanelSpec(
        "components",
        "Components",
        "The points as the kernel sees them. The directions of the feature space along which they "
        "vary most are the eigenvectors of the kernel matrix (kernel PCA). Above is the spectrum, "
        "the eigenvalues by size; click a bar to choose a component. At the left is the component "
        "as a function of the plane: an eigenfunction of the kernel (Mercer's theorem), with its "
        "zero line. At the right are the points in two components. A negative eigenvalue is red: "
        "this is no kernel, and up to three points that prove it have red rings. Point at one "
        "point for its distances in the feature space, select two for the distance between them. "
        "Look at whether the classes, which no line separates in the plane, are apart in two "
        "components.",
        "right",
        later("panels.kernels.components_panel:ComponentsPanel"),
        suits_every_document,
        scrolls=True,
        formula=(
            r"\sum_j \tilde{K}_{ij} u_{jk} = \lambda_k u_{ik}, \quad "
            r"z_k(x) = \frac{1}{\sqrt{\lambda_k}} \sum_i u_{ik}\, \tilde{k}(x_i, x)",
            r"\|\phi(x) - \phi(z)\|^2 = k(x, x) - 2 k(x, z) + k(z, z)",
        ),
    ),
    PanelSpec(
        "feature-map",
        "Feature map",
        "At the top are three coordinates of φ: the points where φ puts them, and the grid of the "
        "plane bent along. If φ has more, choose which; if it has no others, the planes f = −1, 0 "
        "and 1 are drawn: what is curved in the plane is flat there. Drag to turn, or go there by "
        "Tab and use the arrow keys; a double click turns back. The view Polar has distance and "
        "angle from 0 in place of φ: circles around 0 are straight there. The view f shows the "
        "surface z = f(x) with its levels. Below is φ, coordinate by coordinate, with the numbers "
        "of the point under the mouse or selected, and the inner product of two points beside k. "
        "The map of the RBF kernel has no end: T cuts it off, and the dashed line is the boundary "
        "with what is left. Mercer sums the series of eigenfunctions instead, term by term: λ "
        "ψ(x) ψ(z) with the eigenvalues and eigenfunctions of the kernel on these points, also "
        "for kernels whose φ is not written out. Look at how a plane that separates the lifted "
        "points becomes a circle, and at which T the RBF boundary no longer changes.",
        "right",
        later("panels.kernels.feature_panel:FeaturePanel"),
        suits_every_document,
        plane=True,
        tasks=CLASSIFICATION_ONLY,
        needs="two classes",
        scrolls=True,
        formula=(
            r"k(x, z) = \langle \varphi(x), \varphi(z) \rangle",
            r"e^{-\gamma \|x - z\|^2} = e^{-\gamma \|x\|^2} e^{-\gamma \|z\|^2} "
            r"\sum_{k=0}^{\infty} \frac{(2 \gamma \langle x, z \rangle)^k}{k!}",
            r"k(x, z) = \sum_k \lambda_k\, \psi_k(x)\, \psi_k(z)",
        ),
    ),
)

"""The descriptions of the panels on kernels and the feature space."""

from __future__ import annotations

from svmviz.base.lazy import later
from svmviz.panels.panel_spec import PanelSpec, suits_every_document

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
)

"""The descriptions of the panels on the dual."""

from svmviz.base.lazy import later
from svmviz.panels.panel_spec import PanelSpec, suits_every_document

DUALITY_PANELS = (
    PanelSpec(
        "derivation",
        "Derivation",
        "Why something is so, line by line: each line is a formula in letters, the same formula "
        "with the numbers of the step shown, and the reason why it follows from the lines above. "
        "Right goes to the next line, and beyond the last line to the next step; Left goes back. "
        "The points that the line speaks of have rings in the plane. Choose a derivation at the "
        "top. Look at what stays true while the numbers change from "
        "step to step.",
        "right",
        later("panels.duality.derivation_panel:DerivationPanel"),
        suits_every_document,
        scrolls=True,
        formula=(r"P(w, b, \xi) \geq L(w, b, \xi; \alpha) \geq D(\alpha)",),
    ),
)

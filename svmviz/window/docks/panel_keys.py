"""The keys of the panels, each pressed after P.

The key is the first letter of the title. If two panels share it, one has this letter with Shift. If
more than two share it, another letter of the title is used.
"""

from __future__ import annotations

PREFIX = "P"
PANEL_KEYS = {
    "settings": "S",
    "alpha": "A",
    "objective": "O",
    "loss": "L",
    "budget": "B",
    "slice": "Shift+A",  # P along a line
    "model": "M",
    "machines": "I",
    "step": "W",  # Why?
    "pseudo-code": "Shift+P",
    "pair": "P",
    "kkt": "K",
    "kernel-matrix": "Shift+K",
    "components": "C",
    "feature-map": "F",
    "hulls": "H",
    "difference-set": "D",
    "line": "Shift+L",
    "weight-space": "Shift+W",
    "derivation": "V",
    "quadratic-program": "Q",
    "sums": "U",
    "dual-landscape": "Shift+D",
    "map": "Shift+M",
    "split": "Shift+S",
    "model-choice": "Shift+C",
    "risk": "R",
    "folds": "Shift+F",
    "race": "Shift+R",
    "table": "T",
    "lesson": "E",
}


def panel_keys(name: str) -> tuple[str, ...]:
    """Return the shortcuts of a panel in Qt's portable spelling; empty if it has none."""
    key = PANEL_KEYS.get(name)
    return (f"{PREFIX}, {key}",) if key else ()

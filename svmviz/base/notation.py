"""Formulas of kernels in the window: ``^d`` becomes a raised d."""

from __future__ import annotations

import html
import re


def rich(formula: str) -> str:
    """Return the formula as HTML."""
    return re.sub(r"\^(\w+)", r"<sup>\1</sup>", html.escape(formula))

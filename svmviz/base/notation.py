"""Formulas of kernels as HTML."""

from __future__ import annotations

import html
import re


def rich(formula: str) -> str:
    """Return a formula as HTML, in which ``^d`` becomes a superscript d."""
    return re.sub(r"\^(\w+)", r"<sup>\1</sup>", html.escape(formula))

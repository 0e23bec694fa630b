"""Texts that speak of the scene: derivations, and the language in which they name its numbers."""

"""Texts that speak of the scene, derivations and lessons, and the language of their numbers."""

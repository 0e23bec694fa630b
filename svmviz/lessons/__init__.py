"""Texts on the subject: concepts, derivations and lessons, and the language of their numbers."""

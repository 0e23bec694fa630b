"""Points from files, text and generators; bad text is refused in one sentence; no kernel here."""

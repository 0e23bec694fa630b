"""Points from files, text and generators; text that cannot be read is refused in one sentence."""

"""The dialog of what outlives a session: look, playing, folder and keys."""

"""The dialog of preferences, which outlive a session: look, playing, folder and keys."""

"""The position in the recording, and the feed of its frames; only the GUI thread comes here."""

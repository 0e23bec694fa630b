"""The position in the recording, and the feed of its frames; all of it runs in the GUI thread."""

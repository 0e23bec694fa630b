"""The stage, the one object every view is given: session, playback, feed, view state, spotlight."""

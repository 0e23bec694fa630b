"""The one object that every view is handed: session, playback, feed, view state, spotlight."""

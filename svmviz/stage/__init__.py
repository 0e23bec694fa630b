"""The one object that every view is handed: session, playback, view state and spotlight."""

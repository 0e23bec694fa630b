"""Which step is shown, how fast it moves, and which frame is on screen."""

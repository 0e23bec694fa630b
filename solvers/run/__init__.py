"""What a method is, the only loop that drives one, and the recording that replays every step."""

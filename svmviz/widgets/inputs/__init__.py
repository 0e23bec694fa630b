"""Controls for numbers, texts and choices; they report what the user asks for and hold no truth."""

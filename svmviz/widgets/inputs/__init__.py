"""Controls for numbers, texts and choices; they report what the user enters."""

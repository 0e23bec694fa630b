"""The panel of the split into training, validation and test parts, with their errors."""

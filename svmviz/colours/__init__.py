"""Colours as text, without Qt: themes, palettes of the classes, and the contrast of two colours."""

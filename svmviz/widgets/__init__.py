"""Small widgets that show given values; they store no document and use no solver."""

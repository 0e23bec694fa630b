"""Small widgets that show what they are given; they store no document and know no solver."""

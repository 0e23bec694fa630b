"""Small widgets that show the values they are given; they know no document and no solver."""

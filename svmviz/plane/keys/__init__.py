"""Keys that act on points and on the user's line while the plane has the focus."""

"""Keys that act on points and on the line of one's own while the plane has the focus."""

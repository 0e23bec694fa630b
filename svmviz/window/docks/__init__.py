"""The docks around the plane: how panels are placed, titled, folded and scrolled."""

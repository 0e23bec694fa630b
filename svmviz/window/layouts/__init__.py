"""Named arrangements of the panels around the plane, and the class that applies them to docks."""

"""The docks around the plane, with their titles, panels and layout; they know no menu or file."""

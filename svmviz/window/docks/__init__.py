"""The docks around the plane, with their titles, panels and layout."""

"""The docks around the plane: made, titled, filled and placed; they know no menu and no file."""

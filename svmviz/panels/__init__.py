"""The panels around the plane. Each gets its data from the stage; none uses another's widget."""

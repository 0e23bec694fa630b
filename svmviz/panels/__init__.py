"""The panels around the plane. Each reads the stage; none imports another panel."""

"""What stands around the plane: each a view of the stage, none knows another."""

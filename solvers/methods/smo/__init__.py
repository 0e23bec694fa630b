"""Sequential minimal optimisation: its state, the choices of the pair, shrinking and the events."""

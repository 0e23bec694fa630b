"""Sequential minimal optimisation: the state, the choices of the pair, shrinking and the events."""

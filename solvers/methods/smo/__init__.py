"""Sequential minimal optimisation: its steps, the choices of the pair, shrinking and the words."""

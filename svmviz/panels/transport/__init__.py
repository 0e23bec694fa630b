"""Below the plane: the transport and the sentence of the step."""

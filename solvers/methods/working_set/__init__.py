"""Working sets: rounds of pair and Newton steps on a small set of points."""

"""The Machines panel: the code matrix, the tally at a place, and the errors of the decision."""
